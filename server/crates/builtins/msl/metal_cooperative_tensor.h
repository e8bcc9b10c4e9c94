//! Tensors whose elements the threads of a group hold together.
