//! Keywords and snippets.

pub(super) const STATEMENT_WORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "const",
    "constant",
    "constexpr",
    "continue",
    "default",
    "device",
    "do",
    "else",
    "false",
    "for",
    "if",
    "nullptr",
    "ray_data",
    "reinterpret_cast",
    "return",
    "sizeof",
    "static_cast",
    "switch",
    "this",
    "thread",
    "threadgroup",
    "threadgroup_imageblock",
    "true",
    "using",
    "while",
];

pub(super) const DECLARATION_WORDS: &[&str] = &[
    "class",
    "const",
    "constant",
    "constexpr",
    "device",
    "enum",
    "fragment",
    "inline",
    "kernel",
    "namespace",
    "object_data",
    "ray_data",
    "static",
    "static_assert",
    "struct",
    "template",
    "thread",
    "threadgroup",
    "threadgroup_imageblock",
    "typedef",
    "typename",
    "union",
    "using",
    "vertex",
];

pub(super) const TYPE_WORDS: &[&str] =
    &["bool", "char", "float", "half", "int", "long", "short", "uchar", "uint", "ulong", "unsigned", "ushort", "void"];

pub(super) const DECLARATION_SNIPPETS: &[(&str, &str, &str)] = &[
    (
        "kernel function",
        "a compute kernel",
        "kernel void ${1:name}(device ${2:float} *${3:data} [[buffer(0)]],\n                 uint ${4:index} [[thread_position_in_grid]]) {\n    $0\n}",
    ),
    (
        "vertex function",
        "a vertex function",
        "vertex ${1:VertexOut} ${2:name}(${3:VertexIn} in [[stage_in]],\n                 uint ${4:vertex_id} [[vertex_id]]) {\n    $0\n}",
    ),
    (
        "fragment function",
        "a fragment function",
        "fragment ${1:float4} ${2:name}(${3:VertexOut} in [[stage_in]]) {\n    $0\n}",
    ),
    ("using namespace metal", "the library's namespace", "using namespace metal;\n$0"),
];

/// Whatever is typed for a placeholder, one text stands for it everywhere.
pub(super) const VISIBLE_FUNCTION_SNIPPET: &str = "using ${1:Function} = ${2:float}(${2:float} ${3:x});\n\n[[visible]] ${2:float} ${4:function}(${2:float} ${3:x}) {\n    return ${3:x};\n}\n\nkernel void ${5:name}(metal::visible_function_table<${1:Function}> ${6:table} [[buffer(0)]],\n                 device ${2:float} *${7:out} [[buffer(1)]],\n                 uint ${8:index} [[thread_position_in_grid]]) {\n    ${7:out}[${8:index}] = ${6:table}[0](${7:out}[${8:index}]);$0\n}";

pub(super) const STATEMENT_SNIPPETS: &[(&str, &str, &str)] = &[
    ("for loop", "a counting loop", "for (${1:uint} ${2:i} = 0; ${2:i} < ${3:count}; ++${2:i}) {\n    $0\n}"),
    ("threadgroup barrier", "wait for the threadgroup", "threadgroup_barrier(mem_flags::${1:mem_threadgroup});$0"),
];
