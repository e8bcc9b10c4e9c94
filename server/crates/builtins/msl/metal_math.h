//! Mathematical functions on floating-point scalars and vectors.
