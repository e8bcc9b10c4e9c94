//! Inputs of the analysis: files, language versions, durability.
