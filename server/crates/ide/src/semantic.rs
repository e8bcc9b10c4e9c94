//! The seam to the phases that know names and types.

use std::sync::Arc;

use msl_db::{Database, Unit};

use crate::{check::UnitReport, inspect::Inspection};

/// Adds the findings about names, types and address spaces.
pub(crate) fn check(_db: &Database, _unit: Unit, _report: &mut UnitReport) {}

/// What is known about the name at a place.
pub(crate) fn inspect(_db: &Database, _unit: Unit, _path: &Arc<str>, _offset: u32) -> Option<Inspection> {
    None
}

/// What is known about every name and access of a file.
pub(crate) fn inspect_all(_db: &Database, _unit: Unit, _path: &Arc<str>) -> Vec<Inspection> {
    Vec::new()
}
