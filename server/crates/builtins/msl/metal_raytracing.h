//! Ray tracing: acceleration structures, intersectors, intersection queries.
