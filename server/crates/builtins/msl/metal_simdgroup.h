//! Data exchange and votes among the threads of a SIMD-group.
