//! What Metal's interfaces do, in the spellings of all the languages.
//!
//! Names are brought to one form first: `MTLLinkedFunctions`, `MTL::LinkedFunctions` and `LinkedFunctions` are one type;
//! `set_function_count`, `setFunctionCount` and the property `functionCount` are one setting; pieces that `objc2` joins
//! with `_` are cut to the first.

use std::collections::BTreeMap;

use super::{
    BindingKind, LibraryOrigin, NameRole,
    expression::Argument,
    value::{Kind, Object, ObjectId, Property, Stored, Tokens, Value},
    walk::Walker,
};
use crate::lexer::Dialect;

/// A file makes at most so many objects that are followed.
const MAX_OBJECTS: usize = 20_000;

/// A type's name without the prefix of its language.
fn type_name(name: &str) -> &str {
    let rest = name.strip_prefix("MTL4").or_else(|| name.strip_prefix("MTL")).unwrap_or(name);
    if rest.is_empty() { name } else { rest }
}

/// A method's name in the form of Objective-C's first piece.
fn method_name(name: &str) -> String {
    let Some((first, _)) = name.split_once('_').filter(|(first, _)| !first.is_empty()) else { return name.to_owned() };
    if name.chars().any(char::is_uppercase) {
        return first.to_owned();
    }
    let mut result = String::new();
    let mut raises = false;
    for c in name.chars() {
        match c {
            '_' => raises = true,
            c if raises => {
                result.extend(c.to_uppercase());
                raises = false;
            }
            c => result.push(c),
        }
    }
    result
}

/// The property that a setter sets: `setFunctionCount` sets `functionCount`.
fn property_of_setter(name: &str) -> Option<String> {
    let rest = name.strip_prefix("set")?;
    let first = rest.chars().next().filter(|first| first.is_uppercase())?;
    Some(first.to_lowercase().chain(rest.chars().skip(1)).collect())
}

fn labelled<'a>(arguments: &'a [Argument], labels: &[&str]) -> Option<&'a Argument> {
    arguments.iter().find(|argument| argument.label.as_deref().is_some_and(|label| labels.contains(&label)))
}

fn first(arguments: &[Argument]) -> Value {
    arguments.first().map_or(Value::Unknown, |argument| argument.value.clone())
}

/// The file name of a resource of a bundle, if name and extension are written out.
fn resource(arguments: &[Argument]) -> Value {
    let [name, extension, ..] = arguments else { return Value::Unknown };
    match (&name.value, &extension.value) {
        (Value::String(name, token), Value::String(extension, _)) => {
            Value::String(format!("{name}.{extension}"), *token)
        }
        _ => Value::Unknown,
    }
}

impl Walker<'_> {
    // Objects.

    fn make(&mut self, at: usize, kind: Kind) -> Value {
        let id = (at, self.context);
        let depth = self.block_depth();
        if let Some(object) = self.world.objects.get_mut(&id) {
            object.kind = kind;
            object.depth = depth;
        } else if self.world.objects.len() < MAX_OBJECTS {
            self.world.objects.insert(id, Object { kind, depth, properties: BTreeMap::new() });
        } else {
            return Value::Unknown;
        }
        Value::Object(id)
    }

    fn kind(&self, value: &Value) -> Option<&Kind> {
        self.world.objects.get(&value.object()?).map(|object| &object.kind)
    }

    pub(super) fn property(&self, object: ObjectId, name: &str) -> Value {
        let Some(object) = self.world.objects.get(&object) else { return Value::Unknown };
        match object.properties.get(name) {
            Some(property) => property.value.clone(),
            None => Value::Unknown,
        }
    }

    pub(super) fn set_property(&mut self, object: ObjectId, name: &str, value: Value, at: Tokens) {
        let depth = self.block_depth();
        let Some(object) = self.world.objects.get_mut(&object) else { return };
        let is_in_branch = depth > object.depth;
        let value = match object.properties.get(name) {
            // A branch may set it again.
            Some(old) if old.at != at && is_in_branch => old.value.clone().joined(value),
            // What only a branch sets may stay unset.
            None if is_in_branch && matches!(value, Value::Int(_) | Value::Bool(_)) => Value::Unknown,
            Some(old) if old.at == at && old.value == Value::Unknown => Value::Unknown,
            _ => value,
        };
        object.properties.insert(name.to_owned(), Property { value, at });
    }

    // Calls.

    /// A call of a name alone: a function of the file, a constructor, a helper of the language.
    pub(super) fn free_call(&mut self, name: &str, at: usize, arguments: &[Argument]) -> Value {
        if name == "URL"
            && let Some(path) = labelled(arguments, &["fileURLWithPath", "filePath", "string"])
        {
            return path.value.clone();
        }
        if matches!(
            name,
            "MTLSTR" | "NSString" | "String" | "Some" | "Ok" | "Box" | "Arc" | "Int" | "UInt" | "NSNumber"
        ) {
            return first(arguments);
        }
        let plain: Vec<(Option<String>, Value)> =
            arguments.iter().map(|argument| (argument.label.clone(), argument.value.clone())).collect();
        if let Some(value) = self.call_local(name, &plain, at) {
            return value;
        }
        if name == "MTLCreateSystemDefaultDevice" {
            return Value::Unknown;
        }
        // `MTLLinkedFunctions()`; in C++ and Objective-C types are not called.
        if self.tokens.dialect == Dialect::Swift { self.construct(name, at) } else { Value::Unknown }
    }

    /// A new object of a type of Metal's.
    fn construct(&mut self, name: &str, at: usize) -> Value {
        let kind = match type_name(name) {
            "FunctionDescriptor" | "IntersectionFunctionDescriptor" | "LibraryFunctionDescriptor" => {
                Kind::FunctionDescriptor
            }
            "LinkedFunctions" | "StaticLinkingDescriptor" => Kind::LinkedFunctions,
            "ComputePipelineDescriptor"
            | "RenderPipelineDescriptor"
            | "TileRenderPipelineDescriptor"
            | "MeshRenderPipelineDescriptor" => Kind::PipelineDescriptor,
            "VisibleFunctionTableDescriptor" | "IntersectionFunctionTableDescriptor" => Kind::TableDescriptor,
            "FunctionConstantValues" => Kind::Constants,
            "CompileOptions" => Kind::CompileOptions,
            "NSMutableArray" | "NSArray" => return Value::Array(Vec::new(), true),
            "NSMutableDictionary" | "NSDictionary" => return Value::Map(Vec::new(), true),
            _ => return Value::Unknown,
        };
        self.make(at, kind)
    }

    /// A call of a function of a type: `Type::new()`, `[Type new]`, `NS::String::string(…)`.
    pub(super) fn static_call(&mut self, owner: &str, name: &str, at: usize, arguments: &[Argument]) -> Value {
        match (owner, method_name(name).as_str()) {
            ("String" | "NSString", "string" | "fromStr" | "stringWithUTF8String" | "from" | "stringWithString") => {
                first(arguments)
            }
            (
                "Array" | "NSArray" | "NSMutableArray",
                "array" | "arrayWithObjects" | "arrayWithObject" | "fromSlice" | "fromRetainedSlice" | "fromVec"
                | "arrayWithArray",
            ) => {
                let elements: Vec<Value> = arguments
                    .iter()
                    .map(|argument| argument.value.clone())
                    .filter(|value| *value != Value::Nil)
                    .collect();
                match elements.as_slice() {
                    // Elements in an array of the language, with their number.
                    [array @ Value::Array(..), ..] => array.clone(),
                    [] => Value::Array(Vec::new(), true),
                    [Value::Unknown, ..] if name != "arrayWithObjects" => Value::Unknown,
                    _ => Value::Array(elements, true),
                }
            }
            ("Dictionary" | "NSDictionary" | "NSMutableDictionary", called) => match (called, arguments) {
                ("dictionary", []) => Value::Map(Vec::new(), true),
                ("dictionary" | "dictionaryWithObject", [value, key]) => {
                    Value::Map(vec![(key.value.clone(), value.value.clone())], true)
                }
                ("dictionary" | "dictionaryWithObjects" | "fromSlices" | "fromRetainedObjects", [a, b, ..]) => {
                    // Metal's C++ takes the objects first, as Objective-C does; Rust takes the keys first.
                    let (keys, values) = if called.starts_with("from") { (a, b) } else { (b, a) };
                    let (Value::Array(keys, _), Value::Array(values, _)) = (&keys.value, &values.value) else {
                        return Value::Unknown;
                    };
                    let is_complete = keys.len() == values.len();
                    Value::Map(keys.iter().cloned().zip(values.iter().cloned()).collect(), is_complete)
                }
                ("alloc" | "new" | "init", _) => Value::Map(Vec::new(), true),
                _ => Value::Unknown,
            },
            (
                _,
                "alloc"
                | "new"
                | "init"
                | "functionDescriptor"
                | "linkedFunctions"
                | "visibleFunctionTableDescriptor"
                | "intersectionFunctionTableDescriptor"
                | "default"
                | "alloc_init",
            ) => self.construct(owner, at),
            ("Some" | "Ok", _) => first(arguments),
            ("NSURL" | "URL", "fileURLWithPath" | "URLWithString") => first(arguments),
            _ => Value::Unknown,
        }
    }

    /// A call of a method.
    pub(super) fn method(&mut self, receiver: &Value, name: &str, at: usize, arguments: &[Argument]) -> Value {
        let name = method_name(name);
        match name.as_str() {
            // What gives the receiver back.
            "init" | "retain" | "autorelease" | "unwrap" | "expect" | "clone" | "asRef" | "asDeref" | "asMut"
            | "get" | "iter" | "intoIter" | "collect" | "toVec" | "toString" | "into" | "copy" | "mutableCopy"
            | "toOwned" | "asStr" | "UTF8String" | "enumerated" | "enumerate" | "intValue" | "ok" | "values" => {
                return receiver.clone();
            }
            _ => {}
        }
        if matches!(name.as_str(), "url" | "path" | "URLForResource" | "pathForResource") {
            return resource(arguments);
        }
        if let Some(value) = self.library_method(receiver, &name, at, arguments) {
            return value;
        }
        if let Some(value) = self.pipeline_method(receiver, &name, at, arguments) {
            return value;
        }
        if self.binding_method(receiver, &name, at, arguments) {
            return Value::Unknown;
        }
        let (Some(object), Some(property)) = (receiver.object(), property_of_setter(&name)) else {
            return Value::Unknown;
        };
        if let Some(argument) = arguments.first() {
            self.set_property(object, &property, argument.value.clone(), argument.at.clone());
        }
        Value::Unknown
    }

    /// Libraries and functions.
    fn library_method(&mut self, receiver: &Value, name: &str, at: usize, arguments: &[Argument]) -> Option<Value> {
        let library = match self.kind(receiver) {
            Some(Kind::Library { origin, .. }) => origin.clone(),
            _ => LibraryOrigin::Unknown,
        };
        let file_of = |value: &Value| match value {
            Value::String(text, _) => LibraryOrigin::File(Some(text.clone())),
            _ => LibraryOrigin::File(None),
        };
        let origin = match name {
            "makeDefaultLibrary" | "newDefaultLibrary" | "newDefaultLibraryWithBundle" => LibraryOrigin::Default,
            "newLibraryWithSource" => LibraryOrigin::Source,
            "newLibraryWithURL" | "newLibraryWithFile" | "newLibraryWithData" => file_of(&first(arguments)),
            "makeLibrary" => match arguments.first().and_then(|argument| argument.label.as_deref()) {
                Some("source") => LibraryOrigin::Source,
                Some("URL" | "filepath") => file_of(&first(arguments)),
                _ => LibraryOrigin::File(None),
            },
            "newLibrary" if arguments.len() >= 3 => LibraryOrigin::Source,
            "newLibrary" => file_of(&first(arguments)),
            "makeDynamicLibrary" | "newDynamicLibrary" | "newDynamicLibraryWithURL" => {
                let argument = first(arguments);
                // Of a library, or of a file.
                if matches!(self.kind(&argument), Some(Kind::Library { .. })) {
                    return Some(argument);
                }
                file_of(&argument)
            }
            _ => return self.function_method(receiver, library, name, at, arguments),
        };
        if origin != LibraryOrigin::Default {
            self.world.has_other_libraries = true;
        }
        let options = labelled(arguments, &["options"]).map(|argument| argument.value.clone());
        let options = options.or_else(|| arguments.get(1).map(|argument| argument.value.clone()));
        let options = options.filter(|_| origin == LibraryOrigin::Source).unwrap_or(Value::Nil);
        Some(self.make(at, Kind::Library { origin, options }))
    }

    fn function_method(
        &mut self,
        receiver: &Value,
        library: LibraryOrigin,
        name: &str,
        at: usize,
        arguments: &[Argument],
    ) -> Option<Value> {
        let source = match name {
            "makeFunction" | "makeIntersectionFunction" => labelled(arguments, &["name", "descriptor"])?.value.clone(),
            "newFunctionWithName" | "newFunctionWithDescriptor" | "newIntersectionFunctionWithDescriptor" => {
                first(arguments)
            }
            // Names of other libraries' interfaces, too: the argument tells.
            "getFunction" if self.tokens.dialect == Dialect::Rust && arguments.len() == 2 => first(arguments),
            "newFunction" | "newIntersectionFunction" if self.tokens.dialect != Dialect::Swift => first(arguments),
            _ => return None,
        };
        let from = receiver.clone();
        Some(self.make(at, Kind::Function { source, library, from }))
    }

    /// Pipelines, tables, handles.
    fn pipeline_method(&mut self, receiver: &Value, name: &str, at: usize, arguments: &[Argument]) -> Option<Value> {
        let is_pipeline = matches!(self.kind(receiver), Some(Kind::Pipeline { .. } | Kind::ExtendedPipeline { .. }));
        let kind = match name {
            "makeComputePipelineStateWithAdditionalBinaryFunctions"
            | "newComputePipelineStateWithAdditionalBinaryFunctions"
            | "newRenderPipelineStateWithAdditionalBinaryFunctions" => {
                Kind::ExtendedPipeline { base: receiver.clone(), added: first(arguments) }
            }
            "makeRenderPipelineState" | "makeComputePipelineState"
                if labelled(arguments, &["additionalBinaryFunctions"]).is_some() =>
            {
                Kind::ExtendedPipeline { base: receiver.clone(), added: first(arguments) }
            }
            "newComputePipelineState" | "newRenderPipelineState" if is_pipeline => {
                Kind::ExtendedPipeline { base: receiver.clone(), added: first(arguments) }
            }
            "makeComputePipelineState"
            | "makeRenderPipelineState"
            | "newComputePipelineState"
            | "newComputePipelineStateWithDescriptor"
            | "newComputePipelineStateWithFunction"
            | "newRenderPipelineState"
            | "newRenderPipelineStateWithDescriptor"
            | "newRenderPipelineStateWithTileDescriptor"
            | "newRenderPipelineStateWithMeshDescriptor" => Kind::Pipeline { source: first(arguments) },
            "functionHandle" | "functionHandleWithFunction" => Kind::Handle { function: first(arguments) },
            "makeVisibleFunctionTable" | "newVisibleFunctionTable" | "newVisibleFunctionTableWithDescriptor" => {
                Kind::Table { descriptor: first(arguments), pipeline: receiver.clone(), is_intersection: false }
            }
            "makeIntersectionFunctionTable"
            | "newIntersectionFunctionTable"
            | "newIntersectionFunctionTableWithDescriptor" => {
                Kind::Table { descriptor: first(arguments), pipeline: receiver.clone(), is_intersection: true }
            }
            "setFunction" | "setFunctions" => {
                let table = receiver.object().filter(|_| matches!(self.kind(receiver), Some(Kind::Table { .. })))?;
                self.store(table, name, at, arguments);
                return Some(Value::Unknown);
            }
            _ => return None,
        };
        Some(self.make(at, kind))
    }

    /// Functions that go into a table.
    fn store(&mut self, table: ObjectId, name: &str, at: usize, arguments: &[Argument]) {
        let second = || arguments.get(1).map_or(Value::Unknown, |argument| argument.value.clone());
        let start = match labelled(arguments, &["index", "atIndex", "range", "withRange"]) {
            Some(argument) => argument.value.clone(),
            None => second(),
        };
        let start = match start {
            Value::Int(start) | Value::RangeFrom(start) => u64::try_from(start).ok(),
            _ => None,
        };
        let handles = match (name, first(arguments)) {
            ("setFunctions", Value::Array(handles, true))
                if !handles.iter().any(|it| matches!(it, Value::OneOf(_))) =>
            {
                handles
            }
            ("setFunctions", _) => vec![Value::Unknown],
            (_, handle) => vec![handle],
        };
        for (position, handle) in handles.into_iter().enumerate().take(256) {
            let is_several = name == "setFunctions" && handle == Value::Unknown;
            let index = start.filter(|_| !is_several).and_then(|start| start.checked_add(position as u64));
            let key = ((at, self.context), position);
            self.world.stored.insert(key, Stored { table, index, handle });
        }
    }

    /// Indices that resources are bound to, and names of function constants.
    fn binding_method(&mut self, receiver: &Value, name: &str, at: usize, arguments: &[Argument]) -> bool {
        if matches!(name, "setConstantValue" | "setConstantValues") {
            let named = labelled(arguments, &["withName", "name"]).map(|argument| argument.value.clone());
            let named = named
                .or_else(|| arguments.iter().map(|it| it.value.clone()).find(|it| matches!(it, Value::String(..))));
            let (choices, _) = named.as_ref().map_or((Vec::new(), false), Value::choices);
            for choice in choices {
                if let Value::String(text, token) = choice {
                    let name = (NameRole::Constant, text.clone(), LibraryOrigin::Unknown);
                    self.world.names.insert(*token, name);
                }
            }
            return true;
        }
        let Some(what) = property_of_setter(name) else { return false };
        let kind = match () {
            () if what.ends_with("isibleFunctionTable") || what.ends_with("ntersectionFunctionTable") => {
                BindingKind::Buffer
            }
            () if what.ends_with("uffer") || what.ends_with("ytes") || what.ends_with("ccelerationStructure") => {
                BindingKind::Buffer
            }
            () if what.ends_with("exture") => BindingKind::Texture,
            () if what.ends_with("amplerState") => BindingKind::Sampler,
            () => return false,
        };
        let labels = ["index", "atIndex", "bufferIndex", "atBufferIndex"];
        // Without labels the index is the last number; `metal` puts it first.
        let unlabelled = || match self.tokens.dialect {
            Dialect::Rust if !name.contains("Length") => {
                arguments.iter().find(|argument| matches!(argument.value, Value::Int(_)))
            }
            _ => arguments.iter().rev().find(|argument| matches!(argument.value, Value::Int(_))),
        };
        let index = labelled(arguments, &labels).or_else(unlabelled);
        let Some((Value::Int(number), range)) = index.map(|argument| (&argument.value, &argument.at)) else {
            return true;
        };
        let Ok(number) = u64::try_from(*number) else { return true };
        let token = range.start;
        let is_argument_encoder = receiver.object().is_some() && self.kind(receiver).is_some();
        let table = arguments.iter().find_map(|argument| {
            let object = argument.value.object()?;
            matches!(self.kind(&argument.value), Some(Kind::Table { .. })).then_some(object)
        });
        if !is_argument_encoder {
            self.world.bindings.insert(token, (kind, number));
        }
        if let Some(table) = table {
            self.world.bound_tables.insert((at, self.context), (table, number, token));
        }
        true
    }
}
