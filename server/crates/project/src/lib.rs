//! Build files, host code, language versions and link units.
