//! The Metal standard library as MSL declarations with our own documentation.
