//! Evaluation of the curves that ray tracing intersects.
