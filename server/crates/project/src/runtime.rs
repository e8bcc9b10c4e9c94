//! What host code joins at run time: functions of several libraries in one pipeline, dynamic libraries that are loaded
//! with a pipeline or that source is compiled against.
//!
//! Only libraries whose side is known without doubt take part: the default library if all sources of the project stand
//! on one side, source with options that state a version, files that were found.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use msl_metallib::Side;

use crate::{
    host_model::{HostFile, HostLibrary, LibraryOrigin},
    model::{Join, LinkUnit, LinkVerdict, Unit, UnitKind},
    paths,
};

/// The links that host code makes of units of different libraries.
pub(crate) fn links(hosts: &[HostFile], units: &[Unit], links: &[LinkUnit]) -> Vec<LinkUnit> {
    let mut found = Vec::new();
    for host in hosts {
        let resolver = Resolver { host, units, links };
        for library in host.libraries.iter().filter(|library| !library.linked.is_empty()) {
            let mut libraries = vec![library];
            libraries.extend(library.linked.iter().filter_map(|&index| host.libraries.get(index)));
            let what = "a compile against dynamic libraries";
            found.extend(resolver.link(what, library.place.range, &libraries, Join::Dynamic));
        }
        for pipeline in &host.pipelines {
            let base = pipeline.base.and_then(|index| host.pipelines.get(index));
            let stages = pipeline.stages.iter().chain(base.iter().flat_map(|base| &base.stages));
            let mut functions: Vec<usize> = pipeline.added.iter().flat_map(|list| list.functions.clone()).collect();
            for stage in stages {
                functions.extend(stage.function);
                if let Some(link) = &stage.link {
                    let lists = [&link.functions, &link.binary, &link.private];
                    functions.extend(lists.iter().flat_map(|list| &list.functions));
                }
            }
            let of_functions = functions.iter().filter_map(|&index| host.functions.get(index)?.library_index);
            let mut indices: Vec<usize> = of_functions.chain(pipeline.preloaded.iter().copied()).collect();
            indices.sort_unstable();
            indices.dedup();
            let libraries: Vec<&HostLibrary> = indices.iter().filter_map(|&index| host.libraries.get(index)).collect();
            let join = if pipeline.preloaded.is_empty() { Join::Pipeline } else { Join::Dynamic };
            found.extend(resolver.link("a pipeline", pipeline.place.range, &libraries, join));
        }
    }
    found
}

struct Resolver<'a> {
    host: &'a HostFile,
    units: &'a [Unit],
    links: &'a [LinkUnit],
}

impl Resolver<'_> {
    /// A link of several libraries; `None` if fewer than two of them are known.
    fn link(&self, what: &str, range: TextRange, libraries: &[&HostLibrary], join: Join) -> Option<LinkUnit> {
        let parts: Vec<Vec<usize>> = libraries.iter().map(|library| self.units_of(library)).collect();
        let known = parts.iter().filter(|units| !units.is_empty()).count();
        if known < 2 {
            return None;
        }
        let mut members = parts.concat();
        members.sort_unstable();
        members.dedup();
        let unresolved = if known == parts.len() { Vec::new() } else { vec!["a library".to_owned()] };
        Some(LinkUnit {
            name: what.to_owned(),
            path: Arc::clone(&self.host.path),
            range: Some(range),
            members,
            unresolved,
            join,
            is_dynamic: false,
            verdict: LinkVerdict::Unknown,
            crossing: None,
            deployment: None,
            takes_system_of_first: false,
        })
    }

    /// The units of a library, if all of them stand on one side.
    fn units_of(&self, library: &HostLibrary) -> Vec<usize> {
        let all = |keep: &dyn Fn(&Unit) -> bool| -> Vec<usize> {
            self.units.iter().enumerate().filter(|(_, unit)| keep(unit)).map(|(index, _)| index).collect()
        };
        let found = match &library.origin {
            LibraryOrigin::Default => all(&|unit| unit.kind == UnitKind::Source && !unit.is_alternative),
            LibraryOrigin::Source => {
                let Some(version) = &library.version else { return Vec::new() };
                let states_it = |unit: &Unit| {
                    let first = unit.evidence.first().and_then(|evidence| evidence.range);
                    unit.path == version.path && first.is_some_and(|range| range.start == version.range.start)
                };
                all(&|unit| unit.kind == UnitKind::Runtime && states_it(unit))
            }
            LibraryOrigin::File(Some(path)) => {
                let name = paths::file_name(path);
                let binaries = all(&|unit| unit.kind == UnitKind::Binary && paths::file_name(&unit.path) == name);
                let made = self.links.iter().filter(|link| paths::file_name(&link.name) == name);
                binaries.into_iter().chain(made.flat_map(|link| link.members.clone())).collect()
            }
            LibraryOrigin::File(None) | LibraryOrigin::Unknown => Vec::new(),
        };
        let side = found.first().map_or(Side::Unknown, |&index| self.units[index].side);
        let is_one = side != Side::Unknown && found.iter().all(|&index| self.units[index].side == side);
        if is_one { found } else { Vec::new() }
    }
}
