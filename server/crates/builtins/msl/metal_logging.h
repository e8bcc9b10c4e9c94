//! Messages from shaders to the host.
