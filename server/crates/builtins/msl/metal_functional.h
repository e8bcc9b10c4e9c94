//! Operators as function objects: `plus`, `minus`, `multiplies`, `divides`.
