//! The `msl-analyzer` binary: picks the command line or the language server.
fn main() {}
