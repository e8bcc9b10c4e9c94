//! Functions that shaders use all the time: clamping, blending, stepping.
