//! Conversion between vectors and packed normalised formats.
