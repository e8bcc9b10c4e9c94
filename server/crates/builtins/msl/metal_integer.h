//! Functions on integer scalars and vectors.
