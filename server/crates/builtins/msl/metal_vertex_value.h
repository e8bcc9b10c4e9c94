//! The values of a fragment input at the vertices of its primitive.
