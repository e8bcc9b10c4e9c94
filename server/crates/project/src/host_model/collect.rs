//! From objects to what host code does.

use std::{collections::BTreeMap, sync::Arc};

use msl_diagnostics::{Place, TextRange};
use rustc_hash::FxHashMap;

use super::{
    FunctionList, HostBinding, HostFile, HostFunction, HostGroup, HostLibrary, HostName, HostPipeline, HostStage,
    HostTable, LibraryOrigin, LinkList, NameRole, PipelineStage, Setting, TableEntry,
    value::{Kind, Object, ObjectId, Tokens, Value, World},
};
use crate::lexer;

pub(super) fn collect(tokens: &lexer::Tokens<'_>, world: World) -> HostFile {
    let collector = Collector { tokens, world: &world };
    let mut file = HostFile {
        path: Arc::clone(&tokens.file.path),
        has_other_libraries: world.has_other_libraries,
        ..HostFile::default()
    };
    // Objects in the order of the text, so that the same text gives the same indices.
    let (mut functions, mut pipelines, mut libraries) = (Indices::default(), Indices::default(), Indices::default());
    for (id, object) in &world.objects {
        match &object.kind {
            Kind::Function { .. } => functions.add(*id),
            Kind::Library { .. } => libraries.add(*id),
            Kind::Pipeline { .. } | Kind::ExtendedPipeline { .. } => pipelines.add(*id),
            _ => {}
        }
    }
    let mut names: BTreeMap<usize, (NameRole, String, LibraryOrigin)> = world.names.clone();
    for &id in &functions.order {
        file.functions.push(collector.function(id, &libraries.by_id, &mut names));
    }
    for &id in &libraries.order {
        file.libraries.push(collector.library(id, &libraries.by_id));
    }
    // Descriptors that nothing here makes a function of.
    for object in world.objects.values().filter(|object| object.kind == Kind::FunctionDescriptor) {
        collector.descriptor_names(object, &LibraryOrigin::Unknown, &mut names);
    }
    let lists = Lists { collector: &collector, functions: &functions.by_id, libraries: &libraries.by_id };
    for &id in &pipelines.order {
        file.pipelines.push(lists.pipeline(id, &pipelines.by_id, &mut names));
    }
    for (id, object) in &world.objects {
        if let Kind::Table { descriptor, pipeline, is_intersection } = &object.kind {
            file.tables.push(lists.table(*id, descriptor, pipeline, *is_intersection, &pipelines.by_id));
        }
    }
    for (token, (kind, index)) in &world.bindings {
        file.bindings.push(HostBinding { kind: *kind, index: *index, place: collector.place(*token..token + 1) });
    }
    for (token, (role, text, library)) in names {
        file.names.push(HostName { role, text, place: collector.string_place(token), library });
    }
    file
}

#[derive(Default)]
struct Indices {
    order: Vec<ObjectId>,
    by_id: FxHashMap<ObjectId, usize>,
}

impl Indices {
    fn add(&mut self, id: ObjectId) {
        self.by_id.insert(id, self.order.len());
        self.order.push(id);
    }
}

struct Collector<'a> {
    tokens: &'a lexer::Tokens<'a>,
    world: &'a World,
}

type Names = BTreeMap<usize, (NameRole, String, LibraryOrigin)>;

impl Collector<'_> {
    fn place(&self, range: Tokens) -> Place {
        let first = self.tokens.origin(range.start);
        let last = self.tokens.origin(range.end.max(range.start + 1) - 1);
        Place { path: Arc::clone(&self.tokens.file.path), range: TextRange::new(first.start, last.end.max(first.end)) }
    }

    /// The text between the quotes of a string.
    fn string_place(&self, token: usize) -> Place {
        let place = self.place(token..token + 1);
        let text = self.tokens.text(token);
        let open = text.find('"').map_or(0, |at| at + 1);
        let close = text.len() - text.rfind('"').filter(|&at| at >= open).unwrap_or(text.len());
        let range = TextRange::new(place.range.start + open as u32, place.range.end - close as u32);
        Place { range, ..place }
    }

    fn object(&self, value: &Value) -> Option<&Object> {
        self.world.objects.get(&value.object()?)
    }

    /// The strings that a value may be.
    fn strings(&self, value: &Value) -> (Vec<(String, usize)>, bool) {
        let (choices, mut is_complete) = value.choices();
        let mut strings = Vec::new();
        for choice in choices {
            match choice {
                Value::String(text, token) => strings.push((text.clone(), *token)),
                _ => is_complete = false,
            }
        }
        (strings, is_complete)
    }

    fn descriptor_names(&self, object: &Object, library: &LibraryOrigin, names: &mut Names) {
        for (property, role) in [("name", NameRole::Function), ("specializedName", NameRole::SpecializedFunction)] {
            let Some(property) = object.properties.get(property) else { continue };
            for (text, token) in self.strings(&property.value).0 {
                let entry = names.entry(token).or_insert((role, text, library.clone()));
                if entry.2 == LibraryOrigin::Unknown {
                    entry.2 = library.clone();
                }
            }
        }
    }

    fn library(&self, id: ObjectId, libraries: &FxHashMap<ObjectId, usize>) -> HostLibrary {
        let place = self.place(id.0..id.0 + 1);
        let mut library = HostLibrary { place, origin: LibraryOrigin::Unknown, version: None, linked: Vec::new() };
        let Some(Object { kind: Kind::Library { origin, options }, .. }) = self.world.objects.get(&id) else {
            return library;
        };
        library.origin = origin.clone();
        if let Some(options) = self.object(options).filter(|options| options.kind == Kind::CompileOptions) {
            library.version = options.properties.get("languageVersion").map(|property| self.place(property.at.clone()));
            library.linked = indices(options.properties.get("libraries").map(|property| &property.value), libraries);
        }
        library
    }

    fn function(&self, id: ObjectId, libraries: &FxHashMap<ObjectId, usize>, names: &mut Names) -> HostFunction {
        let mut function = HostFunction {
            place: self.place(id.0..id.0 + 1),
            names: Vec::new(),
            is_complete: false,
            specialized: None,
            library: LibraryOrigin::Unknown,
            library_index: None,
            compiles_to_binary: false,
        };
        let Some(Object { kind: Kind::Function { source, library, from }, .. }) = self.world.objects.get(&id) else {
            return function;
        };
        function.library = library.clone();
        function.library_index = from.object().and_then(|id| libraries.get(&id).copied());
        let named = match self.object(source) {
            Some(descriptor) => {
                self.descriptor_names(descriptor, library, names);
                let of = |name: &str| descriptor.properties.get(name).map(|property| &property.value);
                function.specialized =
                    of("specializedName").and_then(|value| self.strings(value).0.into_iter().next()).map(|it| it.0);
                function.compiles_to_binary = of("options").is_some_and(mentions_binary);
                of("name").cloned().unwrap_or(Value::Unknown)
            }
            None => source.clone(),
        };
        let (strings, is_complete) = self.strings(&named);
        function.is_complete = is_complete && !strings.is_empty();
        for (text, token) in strings {
            if self.object(source).is_none() {
                names.insert(token, (NameRole::Function, text.clone(), library.clone()));
            }
            function.names.push((text, self.string_place(token)));
        }
        function
    }
}

/// The objects in a list that have an index.
fn indices(value: Option<&Value>, of: &FxHashMap<ObjectId, usize>) -> Vec<usize> {
    let Some(Value::Array(values, _)) = value else { return Vec::new() };
    values.iter().filter_map(|value| of.get(&value.object()?).copied()).collect()
}

/// Whether options of a function ask for a binary.
fn mentions_binary(value: &Value) -> bool {
    match value {
        Value::Word(word) => word.to_ascii_lowercase().ends_with("compiletobinary"),
        Value::Array(values, _) | Value::OneOf(values) => values.iter().any(mentions_binary),
        // The raw value.
        Value::Int(value) => value & 1 == 1,
        _ => false,
    }
}

struct Lists<'a> {
    collector: &'a Collector<'a>,
    functions: &'a FxHashMap<ObjectId, usize>,
    libraries: &'a FxHashMap<ObjectId, usize>,
}

impl Lists<'_> {
    fn function_of(&self, value: &Value) -> Option<usize> {
        self.functions.get(&value.object()?).copied()
    }

    fn list(&self, value: Option<&Value>, place: Option<Place>) -> FunctionList {
        let mut list = FunctionList { place, is_complete: true, ..FunctionList::default() };
        match value {
            None | Some(Value::Nil) => {}
            Some(Value::Array(values, is_complete)) => {
                list.is_complete = *is_complete;
                for value in values {
                    let (choices, all) = value.choices();
                    list.is_complete &= all;
                    for choice in choices {
                        match self.function_of(choice) {
                            Some(function) if !list.functions.contains(&function) => list.functions.push(function),
                            Some(_) => {}
                            None => list.is_complete = false,
                        }
                    }
                }
            }
            Some(_) => list.is_complete = false,
        }
        list
    }

    fn list_property(&self, object: &Object, names: &[&str]) -> FunctionList {
        let property = names.iter().find_map(|name| object.properties.get(*name));
        let place = property.map(|property| self.collector.place(property.at.clone()));
        self.list(property.map(|property| &property.value), place)
    }

    fn link(&self, object: &Object, names: &mut Names) -> LinkList {
        let mut link = LinkList {
            functions: self.list_property(object, &["functions", "functionDescriptors"]),
            binary: self.list_property(object, &["binaryFunctions"]),
            private: self.list_property(object, &["privateFunctions", "privateFunctionDescriptors"]),
            groups_are_complete: true,
            ..LinkList::default()
        };
        match object.properties.get("groups").map(|property| &property.value) {
            None | Some(Value::Nil) => {}
            Some(Value::Map(entries, is_complete)) => {
                link.groups_are_complete = *is_complete;
                for (key, value) in entries {
                    let Value::String(name, token) = key else {
                        link.groups_are_complete = false;
                        continue;
                    };
                    names.insert(*token, (NameRole::Group, name.clone(), LibraryOrigin::Unknown));
                    let place = self.collector.string_place(*token);
                    let members = self.list(Some(value), Some(place.clone()));
                    link.groups.push(HostGroup { name: name.clone(), place, members });
                }
            }
            Some(_) => link.groups_are_complete = false,
        }
        link
    }

    /// A number or truth value that a property is set to.
    fn setting<T>(&self, object: &Object, name: &str, read: impl Fn(&Value) -> Option<T>) -> Setting<T> {
        match object.properties.get(name) {
            None => Setting::Unset,
            Some(property) => match read(&property.value) {
                Some(value) => Setting::Known(value, self.collector.place(property.at.clone())),
                None => Setting::Unknown,
            },
        }
    }

    fn stage(&self, object: &Object, stage: HostStage, names: &mut Names) -> Option<PipelineStage> {
        // Properties of a stage, from the compute pipeline's or with the stage in the name.
        let (function, linked, depth, adding): (&[&str], &str, &str, &str) = match stage {
            HostStage::Compute => (
                &["computeFunction", "computeFunctionDescriptor"],
                "linkedFunctions",
                "maxCallStackDepth",
                "supportAddingBinaryFunctions",
            ),
            HostStage::Vertex => (
                &["vertexFunction", "vertexFunctionDescriptor"],
                "vertexLinkedFunctions",
                "maxVertexCallStackDepth",
                "supportAddingVertexBinaryFunctions",
            ),
            HostStage::Fragment => (
                &["fragmentFunction", "fragmentFunctionDescriptor"],
                "fragmentLinkedFunctions",
                "maxFragmentCallStackDepth",
                "supportAddingFragmentBinaryFunctions",
            ),
            HostStage::Tile => {
                (&["tileFunction"], "linkedFunctions", "maxCallStackDepth", "supportAddingBinaryFunctions")
            }
            HostStage::Object => (&["objectFunction"], "objectLinkedFunctions", "", ""),
            HostStage::Mesh => (&["meshFunction"], "meshLinkedFunctions", "", ""),
        };
        let function = function.iter().find_map(|name| object.properties.get(*name))?;
        let linked = object.properties.get(linked);
        let link = linked.and_then(|property| {
            let descriptor = self.collector.object(&property.value)?;
            let place = Some(self.collector.place(property.at.clone()));
            (descriptor.kind == Kind::LinkedFunctions).then(|| LinkList { place, ..self.link(descriptor, names) })
        });
        // MTL4 links through descriptors that are not followed to the end.
        let is_plain = !object.properties.keys().any(|name| name.contains("inkingDescriptor"));
        Some(PipelineStage {
            stage,
            function: self.function_of(&function.value),
            is_link_known: (linked.is_none() || link.is_some()) && is_plain,
            link,
            max_call_stack_depth: self.setting(object, depth, |value| match value {
                Value::Int(number) => u64::try_from(*number).ok(),
                _ => None,
            }),
            supports_adding: self.setting(object, adding, |value| match value {
                Value::Bool(value) => Some(*value),
                _ => None,
            }),
        })
    }

    fn pipeline(&self, id: ObjectId, pipelines: &FxHashMap<ObjectId, usize>, names: &mut Names) -> HostPipeline {
        let place = self.collector.place(id.0..id.0 + 1);
        let mut pipeline = HostPipeline { place, stages: Vec::new(), base: None, added: None, preloaded: Vec::new() };
        match self.collector.world.objects.get(&id).map(|object| &object.kind) {
            Some(Kind::Pipeline { source }) => match self.collector.object(source) {
                Some(descriptor) if descriptor.kind == Kind::PipelineDescriptor => {
                    let stages = HostStage::ALL.iter().filter_map(|&stage| self.stage(descriptor, stage, names));
                    pipeline.stages = stages.collect();
                    for (name, property) in &descriptor.properties {
                        if name.ends_with("reloadedLibraries") {
                            pipeline.preloaded.extend(indices(Some(&property.value), self.libraries));
                        }
                    }
                    // The tile's and the compute's properties have the same names.
                    if pipeline.stages.iter().any(|stage| stage.stage == HostStage::Tile) {
                        pipeline.stages.retain(|stage| stage.stage != HostStage::Compute);
                    }
                }
                Some(Object { kind: Kind::Function { .. }, .. }) => pipeline.stages.push(PipelineStage {
                    stage: HostStage::Compute,
                    function: self.function_of(source),
                    link: None,
                    is_link_known: true,
                    max_call_stack_depth: Setting::Unset,
                    supports_adding: Setting::Unset,
                }),
                _ => {}
            },
            Some(Kind::ExtendedPipeline { base, added }) => {
                pipeline.base = base.object().and_then(|id| pipelines.get(&id).copied());
                pipeline.added = Some(match self.collector.object(added) {
                    // Render pipelines take a descriptor with a list for each stage.
                    Some(descriptor) => self.list_property(
                        descriptor,
                        &["vertexAdditionalBinaryFunctions", "fragmentAdditionalBinaryFunctions"],
                    ),
                    None => self.list(Some(added), None),
                });
            }
            _ => {}
        }
        pipeline
    }

    fn table(
        &self,
        id: ObjectId,
        descriptor: &Value,
        pipeline: &Value,
        is_intersection: bool,
        pipelines: &FxHashMap<ObjectId, usize>,
    ) -> HostTable {
        let world = self.collector.world;
        let number = |value: &Value| match value {
            Value::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        let function_count = match self.collector.object(descriptor) {
            Some(descriptor) if descriptor.kind == Kind::TableDescriptor => {
                self.setting(descriptor, "functionCount", number)
            }
            _ => Setting::Unknown,
        };
        let entries = world.stored.iter().filter(|(_, stored)| stored.table == id).map(|(((token, _), _), stored)| {
            let function = match self.collector.object(&stored.handle).map(|object| &object.kind) {
                Some(Kind::Handle { function }) => self.function_of(function),
                _ => None,
            };
            TableEntry { place: self.collector.place(*token..token + 1), index: stored.index, function }
        });
        let mut indices: Vec<(u64, Place)> = Vec::new();
        for (table, index, token) in world.bound_tables.values() {
            let place = self.collector.place(*token..token + 1);
            if *table == id && !indices.iter().any(|(_, other)| *other == place) {
                indices.push((*index, place));
            }
        }
        HostTable {
            place: self.collector.place(id.0..id.0 + 1),
            pipeline: pipeline.object().and_then(|id| pipelines.get(&id).copied()),
            is_intersection,
            function_count,
            entries: entries.collect(),
            indices,
        }
    }
}
