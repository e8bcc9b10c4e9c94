//! Pixel formats of imageblock members.
