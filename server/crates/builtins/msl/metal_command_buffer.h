//! Indirect command buffers that the GPU fills.
