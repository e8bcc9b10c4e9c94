//! Functions on vectors as points and directions.
