//! Reader for MTLB, AIR bitcode, ar archives and GPU-fat files.
