//! Fixtures and the mdtest runner.
