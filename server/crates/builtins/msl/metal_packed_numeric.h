//! Packed numeric formats of tensor elements.
