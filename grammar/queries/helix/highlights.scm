; Derived from ../highlights.scm; tests/queries.rs writes this file.

(comment) @comment

[
  ","
  "."
  ":"
  "::"
  ";"
] @punctuation.delimiter

(named_cast_expression
  [
    "<"
    ">"
  ] @punctuation.bracket)

(template_parameter_list
  [
    "<"
    ">"
  ] @punctuation.bracket)

(template_argument_list
  [
    "<"
    ">"
  ] @punctuation.bracket)

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

(binary_expression
  operator: [
    "<"
    ">"
  ] @operator)

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

(preproc_defined
  (identifier) @constant)

(preproc_elifdef
  name: (identifier) @constant)

(preproc_ifdef
  name: (identifier) @constant)

(preproc_def
  name: (identifier) @constant)

(pragma_operator) @keyword.directive

"defined" @keyword.directive

"#include" @keyword.control.import

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

[
  "catch"
  "throw"
  "try"
] @keyword.control.exception

[
  "goto"
  "return"
] @keyword.control.return

[
  "break"
  "continue"
  "do"
  "for"
  "while"
] @keyword.control.repeat

[
  "case"
  "default"
  "else"
  "if"
  "switch"
] @keyword.control.conditional

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
  "class"
  "enum"
  "namespace"
  "struct"
  "typedef"
  "union"
] @keyword.storage.type

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
] @keyword.storage.modifier

(cast_operator) @keyword.operator

(macro_modifier) @function.macro

(function_qualifier) @keyword.function

(coherent_qualifier
  "coherent" @keyword.storage.modifier)

(address_space) @keyword.storage.modifier

(this) @variable.builtin

(null) @constant.builtin

[
  (true)
  (false)
] @constant.builtin.boolean

(literal_suffix) @operator

(escape_sequence) @constant.character.escape

(char_literal) @constant.character

(system_lib_string) @string

(raw_string_literal) @string

(string_literal) @string

(number_literal) @constant.numeric

(attribute
  prefix: (identifier) @namespace)

(attribute
  name: (identifier) @attribute)

(type_parameter_declaration
  (type_identifier) @type)

(auto) @type.builtin

(sized_type_specifier) @type.builtin

(primitive_type) @type.builtin

(declaration
  type: (type_identifier) @type
  declarator: (function_declarator
    declarator: (identifier) @variable)
  (#eq? @type "sampler"))

(for_statement
  macro: (identifier) @function.macro)

(macro_invocation
  name: (identifier) @function.macro)

(preproc_function_def
  name: (identifier) @function.macro)

(destructor_name
  (identifier) @function)

(operator_name) @function

(function_declarator
  declarator: (qualified_identifier
    name: (identifier) @function))

(function_declarator
  declarator: (template_function
    name: (identifier) @function))

(function_declarator
  declarator: (field_identifier) @function)

(function_declarator
  declarator: (identifier) @function)

(template_method
  name: (field_identifier) @function)

(template_function
  name: (identifier) @function)

(call_expression
  function: (field_expression
    field: (field_identifier) @function))

(call_expression
  function: (qualified_identifier
    name: (identifier) @function))

(call_expression
  function: (identifier) @function)

(enumerator
  name: (identifier) @constant)

(optional_parameter_declaration
  declarator: (identifier) @variable.parameter)

(parameter_declaration
  declarator: (reference_declarator
    (attributed_declarator
      (identifier) @variable.parameter)))

(parameter_declaration
  declarator: (reference_declarator
    (identifier) @variable.parameter))

(parameter_declaration
  declarator: (pointer_declarator
    declarator: (attributed_declarator
      (identifier) @variable.parameter)))

(parameter_declaration
  declarator: (pointer_declarator
    declarator: (identifier) @variable.parameter))

(parameter_declaration
  declarator: (attributed_declarator
    (identifier) @variable.parameter))

(parameter_declaration
  declarator: (identifier) @variable.parameter)

(statement_identifier) @label

((identifier) @constant
  (#match? @constant "^[A-Z][A-Z0-9_]+$"))

(namespace_identifier) @namespace

(type_identifier) @type

(field_identifier) @variable.other.member

(identifier) @variable
