//! What shaders and host code say that does not fit together.

use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Place, Related, Severity, TextEdit, sort_and_merge};
use msl_project::{HostFile, HostPipeline, LibraryOrigin, LinkList, NameRole, PipelineStage, Setting};
use rustc_hash::FxHashSet;

use super::{
    depth::{CallDepth, depth_of},
    program::LinkProgram,
    shader::{CallTarget, FunctionKind, ShaderCall},
    signature::LinkSignature,
    slips::{closest, rename_fix, similar_groups},
};

/// How deep calls through pointers may nest unless the descriptor says otherwise.
const DEFAULT_CALL_STACK_DEPTH: u64 = 1;

impl LinkProgram {
    /// Everything that does not fit together.
    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for host in &self.hosts {
            self.names(host, &mut found);
            self.tables(host, &mut found);
            for pipeline in &host.pipelines {
                self.additions(host, pipeline, &mut found);
                for stage in &pipeline.stages {
                    if let Some(setup) = Setup::of(self, host, pipeline, stage) {
                        setup.linked_entry_points(&mut found);
                        setup.group_members(&mut found);
                        setup.unused_groups(&mut found);
                        setup.call_stack(&mut found);
                    }
                }
            }
        }
        self.undeclared_groups(&mut found);
        self.unlinked_functions(&mut found);
        found.extend(similar_groups(&self.groups));
        sort_and_merge(&mut found);
        found
    }

    /// Names of functions that no shader has.
    fn names(&self, host: &HostFile, found: &mut Vec<Diagnostic>) {
        for name in host.names.iter().filter(|name| name.role == NameRole::Function) {
            if !self.named(&name.text).is_empty() {
                continue;
            }
            // Libraries that come from elsewhere have functions of their own.
            let is_ours = match name.library {
                LibraryOrigin::Default => true,
                LibraryOrigin::Source | LibraryOrigin::File(_) => continue,
                LibraryOrigin::Unknown => false,
            };
            if let Some(&plain) = self.plain_named(&name.text).first() {
                let plain = &self.functions[plain];
                if !is_ours {
                    continue;
                }
                let message = format!(
                    "`{}` is a plain function: a library offers entry points and `[[visible]]` functions alone",
                    name.text
                );
                let mut diagnostic =
                    Diagnostic::new(Code::FunctionNotVisible, Severity::Warning, name.place.clone(), message);
                diagnostic.related.push(related(&plain.place, "the function".to_owned()));
                diagnostic.fixes.extend(plain.start.as_ref().map(visible_fix));
                found.push(diagnostic);
                continue;
            }
            let others = self.hosts.iter().any(|host| host.has_other_libraries);
            let names = self.functions.iter().filter(|it| it.kind.has_library_name()).map(|it| it.name.as_str());
            let similar = closest(&name.text, names);
            // Without a similar name, a library of unknown origin may simply be another one.
            if !self.is_complete || self.units.is_empty() || (!is_ours && (others || similar.is_none())) {
                continue;
            }
            let mut message = format!("no shader defines a function `{}`", name.text);
            let mut diagnostic = Diagnostic::new(Code::UnknownFunctionName, Severity::Warning, name.place.clone(), "");
            if let Some(similar) = similar {
                message.push_str(&format!("; did you mean `{similar}`?"));
                diagnostic.fixes.push(rename_fix(&name.place, similar));
            }
            diagnostic.message = message;
            found.push(diagnostic);
        }
    }

    /// Functions that are stored behind the end of their table.
    fn tables(&self, host: &HostFile, found: &mut Vec<Diagnostic>) {
        for table in &host.tables {
            let Setting::Known(count, place) = &table.function_count else { continue };
            for entry in &table.entries {
                let Some(index) = entry.index.filter(|index| index >= count) else { continue };
                let plural = if *count == 1 { "function" } else { "functions" };
                let message =
                    format!("index {index} is behind the end of the table, which has room for {count} {plural}");
                let mut diagnostic =
                    Diagnostic::new(Code::FunctionTableIndex, Severity::Warning, entry.place.clone(), message);
                diagnostic.related.push(related(place, "`functionCount` is set here".to_owned()));
                found.push(diagnostic);
            }
        }
    }

    /// Binaries that are added to a pipeline which was not made for that.
    fn additions(&self, host: &HostFile, pipeline: &HostPipeline, found: &mut Vec<Diagnostic>) {
        let Some(added) = &pipeline.added else { return };
        let Some(base) = pipeline.base.and_then(|base| host.pipelines.get(base)) else { return };
        let stages = self.stages(host, pipeline);
        let is_unsupported =
            |stage: &PipelineStage| matches!(stage.supports_adding, Setting::Unset | Setting::Known(false, _));
        if stages.is_empty() || !stages.iter().all(is_unsupported) || added.functions.is_empty() {
            return;
        }
        let what = match stages.first().map(|stage| stage.stage.as_str()) {
            Some("vertex") => "supportAddingVertexBinaryFunctions",
            Some("fragment") => "supportAddingFragmentBinaryFunctions",
            _ => "supportAddingBinaryFunctions",
        };
        let message = format!(
            "functions are added to a pipeline that does not support it: set `{what}` in the descriptor that makes it"
        );
        let mut diagnostic =
            Diagnostic::new(Code::UnsupportedBinaryFunctions, Severity::Warning, pipeline.place.clone(), message);
        diagnostic.related.push(related(&base.place, "the pipeline is made here".to_owned()));
        found.push(diagnostic);
    }

    /// Groups that calls name and no host code declares.
    fn undeclared_groups(&self, found: &mut Vec<Diagnostic>) {
        let mut reached: Vec<(String, bool)> = Vec::new();
        let mut declared: FxHashSet<&str> = FxHashSet::default();
        for host in &self.hosts {
            for pipeline in &host.pipelines {
                for stage in &pipeline.stages {
                    let link = stage.link.as_ref();
                    declared.extend(link.iter().flat_map(|link| &link.groups).map(|group| group.name.as_str()));
                    let setup = Setup::of(self, host, pipeline, stage);
                    let is_known = stage.is_link_known && link.is_none_or(|link| link.groups_are_complete);
                    let Some(setup) = setup else {
                        if !is_known {
                            // It may declare anything for anybody.
                            return;
                        }
                        continue;
                    };
                    for name in setup.reachable_groups() {
                        match reached.iter_mut().find(|(other, _)| *other == name) {
                            Some((_, all_known)) => *all_known &= is_known,
                            None => reached.push((name, is_known)),
                        }
                    }
                }
            }
        }
        for (name, is_known) in reached {
            if !is_known || declared.contains(name.as_str()) {
                continue;
            }
            for used in self.groups.iter().filter(|used| used.name == name) {
                let mut message =
                    format!("no host code declares the group `{name}`: these calls may reach any function");
                let mut diagnostic =
                    Diagnostic::new(Code::FunctionGroupMismatch, Severity::Warning, used.place.clone(), "");
                if let Some(similar) = closest(&name, declared.iter().copied()) {
                    message.push_str(&format!("; did you mean `{similar}`?"));
                    diagnostic.fixes.push(rename_fix(&used.place, similar));
                }
                diagnostic.message = message;
                found.push(diagnostic);
            }
        }
    }

    /// Visible functions that no list of linked functions has.
    fn unlinked_functions(&self, found: &mut Vec<Diagnostic>) {
        let makes_pipelines = self.hosts.iter().any(|host| !host.pipelines.is_empty());
        let makes_unknown = self.hosts.iter().any(|host| host.functions.iter().any(|function| !function.is_complete));
        if !makes_pipelines || makes_unknown {
            return;
        }
        let named: FxHashSet<&str> =
            self.hosts.iter().flat_map(|host| &host.names).map(|name| name.text.as_str()).collect();
        for function in &self.functions {
            if function.kind != FunctionKind::Visible || !function.is_defined || named.contains(function.name.as_str())
            {
                continue;
            }
            let message = format!("no host code links `{}`", function.name);
            let place = function.place.clone();
            found.push(Diagnostic::new(Code::UnlinkedVisibleFunction, Severity::Hint, place, message));
        }
    }
}

/// One stage of a pipeline whose entry point is known.
pub(super) struct Setup<'a> {
    pub(super) program: &'a LinkProgram,
    pub(super) host: &'a HostFile,
    pub(super) pipeline: &'a HostPipeline,
    pub(super) stage: &'a PipelineStage,
    pub(super) entry: usize,
    /// Functions that can be called through handles: linked ones and those that are added later.
    pub(super) linked: Vec<usize>,
    /// Whether `linked` are all.
    pub(super) is_complete: bool,
}

impl<'a> Setup<'a> {
    /// `None` if it is not known which entry point the stage has.
    pub(super) fn of(
        program: &'a LinkProgram,
        host: &'a HostFile,
        pipeline: &'a HostPipeline,
        stage: &'a PipelineStage,
    ) -> Option<Setup<'a>> {
        let function = host.functions.get(stage.function?)?;
        let (found, is_complete) = program.resolve(function);
        let &[entry] = found.as_slice() else { return None };
        if !is_complete || !program.functions[entry].kind.is_entry() {
            return None;
        }
        let mut setup =
            Setup { program, host, pipeline, stage, entry, linked: Vec::new(), is_complete: stage.is_link_known };
        if let Some(link) = &stage.link {
            for list in [&link.functions, &link.binary, &link.private] {
                setup.add(list);
            }
        }
        let own = host.pipelines.iter().position(|other| std::ptr::eq(other, pipeline));
        for other in host.pipelines.iter().filter(|other| other.base.is_some() && other.base == own) {
            other.added.iter().for_each(|added| setup.add(added));
        }
        Some(setup)
    }

    fn add(&mut self, list: &msl_project::FunctionList) {
        let (found, is_complete) = self.program.resolve_list(self.host, list);
        self.is_complete &= is_complete;
        for index in found {
            if !self.linked.contains(&index) {
                self.linked.push(index);
            }
        }
    }

    fn link(&self) -> Option<&'a LinkList> {
        self.stage.link.as_ref()
    }

    /// The functions that a call through a pointer may reach, as far as lists and groups say.
    pub(super) fn targets(&self, call: &ShaderCall) -> Vec<usize> {
        let fits = |&index: &usize| {
            let function = &self.program.functions[index];
            match &call.target {
                CallTarget::Pointer { signature, .. } => {
                    function.kind == FunctionKind::Visible
                        && function.signature.as_ref().is_some_and(|own| own.fits(signature))
                }
                CallTarget::Intersection => function.kind == FunctionKind::Intersection,
                CallTarget::Function { .. } | CallTarget::Open => false,
            }
        };
        let groups = self.link().filter(|_| !call.groups.is_empty());
        let mut allowed: Option<Vec<usize>> = None;
        for group in groups.iter().flat_map(|link| &link.groups).filter(|group| call.groups.contains(&group.name)) {
            let (members, is_complete) = self.program.resolve_list(self.host, &group.members);
            if !is_complete {
                allowed = None;
                break;
            }
            allowed.get_or_insert_default().extend(members);
        }
        let linked = self.linked.iter().copied().filter(fits);
        match allowed {
            Some(allowed) => linked.filter(|index| allowed.contains(index)).collect(),
            None => linked.collect(),
        }
    }

    /// The entry point and what it may call.
    pub(super) fn reachable(&self) -> Vec<usize> {
        let mut open = vec![self.entry];
        let mut seen = Vec::new();
        while let Some(index) = open.pop() {
            if seen.contains(&index) || seen.len() > 20_000 {
                continue;
            }
            seen.push(index);
            for call in &self.program.functions[index].calls {
                match &call.target {
                    CallTarget::Function { .. } => open.extend(self.program.callee(call)),
                    _ => open.extend(self.targets(call)),
                }
            }
        }
        seen
    }

    fn reachable_calls(&self) -> impl Iterator<Item = &'a ShaderCall> {
        let program = self.program;
        self.reachable().into_iter().flat_map(move |index| &program.functions[index].calls)
    }

    fn reachable_groups(&self) -> Vec<String> {
        let mut names: Vec<String> = self.reachable_calls().flat_map(|call| call.groups.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Entry points among the functions that are linked to be called.
    fn linked_entry_points(&self, found: &mut Vec<Diagnostic>) {
        let Some(link) = self.link() else { return };
        for list in [&link.functions, &link.binary, &link.private] {
            for function in list.functions.iter().filter_map(|&index| self.host.functions.get(index)) {
                let (resolved, is_complete) = self.program.resolve(function);
                let &[only] = resolved.as_slice() else { continue };
                let shader = &self.program.functions[only];
                if !is_complete || !shader.kind.is_entry() {
                    continue;
                }
                let place = function.names.first().map_or(&function.place, |(_, place)| place);
                let message = format!(
                    "`{}` is a {} function: only `[[visible]]` and intersection functions can be linked to be called",
                    shader.name,
                    shader.kind.as_str()
                );
                let mut diagnostic =
                    Diagnostic::new(Code::FunctionNotVisible, Severity::Warning, place.clone(), message);
                diagnostic.related.push(related(&shader.place, "the function".to_owned()));
                found.push(diagnostic);
            }
        }
    }

    /// Members of groups that no call of the group can reach.
    fn group_members(&self, found: &mut Vec<Diagnostic>) {
        let calls: Vec<&ShaderCall> = self.reachable_calls().collect();
        for group in self.link().iter().flat_map(|link| &link.groups) {
            let of_group: Vec<&&ShaderCall> = calls.iter().filter(|call| call.groups.contains(&group.name)).collect();
            let is_open = of_group.iter().any(|call| call.target == CallTarget::Open);
            let signatures: Vec<&LinkSignature> = of_group
                .iter()
                .filter_map(|call| match &call.target {
                    CallTarget::Pointer { signature, .. } => Some(signature),
                    _ => None,
                })
                .collect();
            if is_open || signatures.is_empty() {
                continue;
            }
            let (members, _) = self.program.resolve_list(self.host, &group.members);
            for member in members {
                let function = &self.program.functions[member];
                let Some(own) = function.signature.as_ref() else { continue };
                if signatures.iter().any(|wanted| wanted.fits(own)) {
                    continue;
                }
                let same = signatures.iter().find(|wanted| wanted.spelled == own.spelled);
                let why = match same.map(|wanted| wanted.differing_class(own)) {
                    Some(Some(class)) => format!("the calls of the group take another `{class}`, declared differently"),
                    Some(None) => "the calls of the group take other types of these names".to_owned(),
                    None => format!("the calls of the group take `{}`", signatures[0].spelled),
                };
                let message =
                    format!("the group `{}` lists `{}`, which is `{}`: {why}", group.name, function.name, own.spelled);
                let mut diagnostic =
                    Diagnostic::new(Code::FunctionGroupMismatch, Severity::Warning, group.place.clone(), message);
                diagnostic.related.push(related(&function.place, "the function".to_owned()));
                diagnostic.related.push(related(&of_group[0].place, "a call of the group".to_owned()));
                found.push(diagnostic);
            }
        }
    }

    /// Groups that no shader names.
    fn unused_groups(&self, found: &mut Vec<Diagnostic>) {
        if !self.program.is_complete {
            return;
        }
        for group in self.link().iter().flat_map(|link| &link.groups) {
            if self.program.groups.iter().any(|used| used.name == group.name) {
                continue;
            }
            let mut message = format!("no call in a shader names the group `{}`", group.name);
            let mut diagnostic =
                Diagnostic::new(Code::FunctionGroupMismatch, Severity::Warning, group.place.clone(), "");
            let names = self.program.groups.iter().map(|used| used.name.as_str());
            if let Some(similar) = closest(&group.name, names) {
                message.push_str(&format!("; did you mean `{similar}`?"));
                diagnostic.fixes.push(rename_fix(&group.place, similar));
            }
            diagnostic.message = message;
            found.push(diagnostic);
        }
    }

    /// Calls through pointers that nest deeper than the pipeline allows.
    fn call_stack(&self, found: &mut Vec<Diagnostic>) {
        let (allowed, place) = match &self.stage.max_call_stack_depth {
            Setting::Known(depth, place) => (*depth, place),
            Setting::Unset if self.stage.link.is_some() => (DEFAULT_CALL_STACK_DEPTH, &self.pipeline.place),
            _ => return,
        };
        let Some(depth) = depth_of(self.program, self.entry, &|_, call| self.targets(call)) else { return };
        let spell = |chain: &[usize]| {
            let names: Vec<String> =
                chain.iter().map(|&index| format!("`{}`", self.program.functions[index].own_name)).collect();
            names.join(" → ")
        };
        let (message, chain) = match &depth {
            CallDepth::Levels(levels, chain) if *levels > allowed => (
                format!(
                    "calls through function pointers nest {levels} deep here ({}), and `maxCallStackDepth` is {allowed}",
                    spell(chain)
                ),
                chain,
            ),
            // Whoever chose a depth knows how deep it goes.
            CallDepth::Recursive(cycle) if allowed <= DEFAULT_CALL_STACK_DEPTH => (
                format!(
                    "{} calls itself through function pointers: set `maxCallStackDepth` to the deepest nesting that can \
                     happen, it is {allowed}",
                    spell(cycle)
                ),
                cycle,
            ),
            _ => return,
        };
        let mut diagnostic = Diagnostic::new(Code::CallStackDepth, Severity::Warning, place.clone(), message);
        let mut seen: Vec<usize> = Vec::new();
        for &index in chain.iter() {
            if !seen.contains(&index) {
                seen.push(index);
                let function = &self.program.functions[index];
                diagnostic
                    .related
                    .push(related(&function.place, format!("`{}` is part of the chain", function.own_name)));
            }
        }
        if let (Setting::Known(..), CallDepth::Levels(levels, _)) = (&self.stage.max_call_stack_depth, &depth) {
            diagnostic.fixes.push(rename_fix(place, &levels.to_string()));
        }
        found.push(diagnostic);
    }
}

fn related(place: &Place, message: String) -> Related {
    Related { place: place.clone(), message }
}

fn visible_fix(start: &Place) -> Fix {
    Fix {
        title: "Add `[[visible]]`".to_owned(),
        kind: FixKind::QuickFix,
        preferred: false,
        edits: vec![TextEdit { place: start.clone(), new_text: "[[visible]] ".to_owned() }],
    }
}
