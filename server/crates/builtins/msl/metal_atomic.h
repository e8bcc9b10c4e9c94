//! Atomic objects and operations in device and threadgroup memory.
