//! Mesh and object functions: the mesh and the grid that they make.
