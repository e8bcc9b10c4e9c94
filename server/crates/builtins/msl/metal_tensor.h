//! Tensors: multidimensional views of memory.
