; Derived from grammar/queries/highlights.scm; grammar/tests/queries.rs writes this file.

(identifier) @variable

(field_identifier) @variable.member

(type_identifier) @type

(namespace_identifier) @module

((identifier) @constant
  (#match? @constant "^[A-Z][A-Z0-9_]+$"))

(statement_identifier) @label

(parameter_declaration
  declarator: (identifier) @variable.parameter)

(parameter_declaration
  declarator: (attributed_declarator
    (identifier) @variable.parameter))

(parameter_declaration
  declarator: (pointer_declarator
    declarator: (identifier) @variable.parameter))

(parameter_declaration
  declarator: (pointer_declarator
    declarator: (attributed_declarator
      (identifier) @variable.parameter)))

(parameter_declaration
  declarator: (reference_declarator
    (identifier) @variable.parameter))

(parameter_declaration
  declarator: (reference_declarator
    (attributed_declarator
      (identifier) @variable.parameter)))

(optional_parameter_declaration
  declarator: (identifier) @variable.parameter)

(enumerator
  name: (identifier) @constant)

(call_expression
  function: (identifier) @function.call)

(call_expression
  function: (qualified_identifier
    name: (identifier) @function.call))

(call_expression
  function: (field_expression
    field: (field_identifier) @function.call))

(template_function
  name: (identifier) @function.call)

(template_method
  name: (field_identifier) @function.call)

(function_declarator
  declarator: (identifier) @function)

(function_declarator
  declarator: (field_identifier) @function)

(function_declarator
  declarator: (template_function
    name: (identifier) @function))

(function_declarator
  declarator: (qualified_identifier
    name: (identifier) @function))

(operator_name) @function

(destructor_name
  (identifier) @function)

(preproc_function_def
  name: (identifier) @function.macro)

(macro_invocation
  name: (identifier) @function.macro)

(for_statement
  macro: (identifier) @function.macro)

(declaration
  type: (type_identifier) @type
  declarator: (function_declarator
    declarator: (identifier) @variable)
  (#eq? @type "sampler"))

(primitive_type) @type.builtin

(sized_type_specifier) @type.builtin

(auto) @type.builtin

(type_parameter_declaration
  (type_identifier) @type)

(attribute
  name: (identifier) @attribute)

(attribute
  prefix: (identifier) @module)

(number_literal) @number

(string_literal) @string

(raw_string_literal) @string

(system_lib_string) @string

(char_literal) @character

(escape_sequence) @string.escape

(literal_suffix) @operator

[
  (true)
  (false)
] @boolean

(null) @constant.builtin

(this) @variable.builtin

(address_space) @keyword.modifier

(coherent_qualifier
  "coherent" @keyword.modifier)

(function_qualifier) @keyword.function

(macro_modifier) @function.macro

(cast_operator) @keyword.operator

[
  "const"
  "constexpr"
  "explicit"
  "extern"
  "final"
  "friend"
  "inline"
  "mutable"
  "noexcept"
  "override"
  "private"
  "protected"
  "public"
  "register"
  "restrict"
  "static"
  "thread_local"
  "virtual"
  "volatile"
] @keyword.modifier

[
  "class"
  "enum"
  "namespace"
  "struct"
  "typedef"
  "union"
] @keyword.type

[
  "__asm"
  "__asm__"
  "asm"
  "decltype"
  "static_assert"
  "template"
  "typename"
  "using"
] @keyword

[
  "alignas"
  "alignof"
  "delete"
  "new"
  "offsetof"
  "operator"
  "sizeof"
] @keyword.operator

[
  "case"
  "default"
  "else"
  "if"
  "switch"
] @keyword.conditional

[
  "break"
  "continue"
  "do"
  "for"
  "while"
] @keyword.repeat

[
  "goto"
  "return"
] @keyword.return

[
  "catch"
  "throw"
  "try"
] @keyword.exception

[
  "#define"
  "#elif"
  "#elifdef"
  "#elifndef"
  "#else"
  "#endif"
  "#if"
  "#ifdef"
  "#ifndef"
  (preproc_directive)
] @keyword.directive

"#include" @keyword.import

"defined" @keyword.directive

(pragma_operator) @keyword.directive

(preproc_def
  name: (identifier) @constant.macro)

(preproc_ifdef
  name: (identifier) @constant.macro)

(preproc_elifdef
  name: (identifier) @constant.macro)

(preproc_defined
  (identifier) @constant.macro)

[
  "!"
  "!="
  "%"
  "%="
  "&"
  "&&"
  "&="
  "*"
  "*="
  "+"
  "++"
  "+="
  "-"
  "--"
  "-="
  "->"
  "->*"
  ".*"
  "/"
  "/="
  "<<"
  "<<="
  "<="
  "<=>"
  "="
  "=="
  ">="
  ">>"
  ">>="
  "?"
  "^"
  "^="
  "|"
  "|="
  "||"
  "~"
] @operator

(binary_expression
  operator: [
    "<"
    ">"
  ] @operator)

[
  "and"
  "and_eq"
  "bitand"
  "bitor"
  "compl"
  "not"
  "not_eq"
  "or"
  "or_eq"
  "xor"
  "xor_eq"
] @keyword.operator

[
  "("
  ")"
  "["
  "]"
  "[["
  "]]"
  "{"
  "}"
] @punctuation.bracket

(template_argument_list
  [
    "<"
    ">"
  ] @punctuation.bracket)

(template_parameter_list
  [
    "<"
    ">"
  ] @punctuation.bracket)

(named_cast_expression
  [
    "<"
    ">"
  ] @punctuation.bracket)

[
  ","
  "."
  ":"
  "::"
  ";"
] @punctuation.delimiter

(comment) @comment
