//! Shaders and host code of a folder, joined.

use std::sync::Arc;

use msl_ide::{Analysis, LinkProgram, ShaderUnit, UnitRequest};
use msl_project::{FileAccess, HostFile, is_host_file, read_host_file};
use rayon::prelude::*;

/// Host sources larger than this are generated, and are not read.
const MAX_HOST_FILE: usize = 4 << 20;

/// Whether a file is a shader that is a unit of its own.
pub(crate) fn is_shader(path: &str) -> bool {
    path.ends_with(".metal") || path.ends_with(".msl")
}

/// What the host sources among `paths` say.
pub(crate) fn host_files(paths: &[String], access: &dyn FileAccess) -> Vec<HostFile> {
    let mut found: Vec<HostFile> = paths
        .par_iter()
        .filter(|path| is_host_file(path))
        .filter_map(|path| {
            let bytes = access.read(path)?;
            let bytes = (*bytes).as_ref();
            if bytes.len() > MAX_HOST_FILE {
                return None;
            }
            read_host_file(path, std::str::from_utf8(bytes).ok()?)
        })
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Joins units and host sources. Each unit has an analysis of its own, so that its memory is given back. `before_each` is
/// called before each unit is looked at, on whatever thread does that.
pub(crate) fn join(
    requests: Vec<(Analysis, UnitRequest)>,
    hosts: Vec<HostFile>,
    before_each: impl Fn() + Sync,
) -> LinkProgram {
    let all = requests.len();
    let units: Vec<ShaderUnit> = requests
        .into_par_iter()
        .filter_map(|(analysis, request)| {
            before_each();
            let read = std::panic::AssertUnwindSafe(|| analysis.shader_unit(&request));
            std::panic::catch_unwind(read).ok()
        })
        .collect();
    let mut program = LinkProgram::new(&units, hosts);
    program.is_complete &= units.len() == all;
    program
}

/// The paths of shaders among others.
pub(crate) fn shaders(paths: &[String]) -> Vec<Arc<str>> {
    paths.iter().filter(|path| is_shader(path)).map(|path| Arc::from(path.as_str())).collect()
}
