//! Operations on tensors: Metal Performance Primitives.
