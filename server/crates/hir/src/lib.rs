//! Scopes and name lookup.
