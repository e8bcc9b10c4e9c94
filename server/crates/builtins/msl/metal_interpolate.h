//! Interpolation of a fragment input at a place of the shader's choice.
