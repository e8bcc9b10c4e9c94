//! Arrays of a fixed size, also of textures and samplers.
