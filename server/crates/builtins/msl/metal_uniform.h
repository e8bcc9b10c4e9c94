//! Values that are the same for all threads of a draw or dispatch.
