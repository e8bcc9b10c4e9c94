//! Address-space flow: summaries, provenance, loops and cost.
