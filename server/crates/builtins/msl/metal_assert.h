//! The `assert` macro.

/// States that `condition` holds at this place. What happens where it does not depends on how the code is built.
#define assert(condition) ((void)(condition))
