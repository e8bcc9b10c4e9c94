//! The limits of the arithmetic types: `numeric_limits`.
