//! Tessellation: control points and factors.
