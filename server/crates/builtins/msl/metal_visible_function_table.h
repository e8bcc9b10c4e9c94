//! Tables of visible functions that a shader calls through.
