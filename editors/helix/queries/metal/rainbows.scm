[
  (argument_list)
  (attribute_declaration)
  (array_declarator)
  (compound_statement)
  (condition_clause)
  (declaration_list)
  (enumerator_list)
  (field_declaration_list)
  (for_statement)
  (initializer_list)
  (parameter_list)
  (parenthesized_declarator)
  (parenthesized_expression)
  (preproc_params)
  (subscript_argument_list)
  (template_argument_list)
  (template_parameter_list)
] @rainbow.scope

[
  "("
  ")"
  "["
  "]"
  "[["
  "]]"
  "{"
  "}"
] @rainbow.bracket

(template_argument_list
  [
    "<"
    ">"
  ] @rainbow.bracket)

(template_parameter_list
  [
    "<"
    ">"
  ] @rainbow.bracket)
