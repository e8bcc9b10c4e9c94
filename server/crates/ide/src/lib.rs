//! One file a feature: plain data in, plain data out.
