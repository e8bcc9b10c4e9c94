//! Textures, samplers and the operations on them.
