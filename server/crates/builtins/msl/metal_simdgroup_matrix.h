//! Matrices that the threads of a SIMD-group hold together.
