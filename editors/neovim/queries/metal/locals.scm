; Derived from grammar/queries/locals.scm; grammar/tests/queries.rs writes this file.

[
  (translation_unit)
  (namespace_definition)
  (function_definition)
  (lambda_expression)
  (template_declaration)
  (class_specifier)
  (struct_specifier)
  (union_specifier)
  (compound_statement)
  (for_statement)
  (for_range_loop)
  (if_statement)
  (while_statement)
] @local.scope

(parameter_declaration
  declarator: (identifier) @local.definition)

(parameter_declaration
  declarator: (attributed_declarator
    (identifier) @local.definition))

(parameter_declaration
  declarator: (pointer_declarator
    declarator: (identifier) @local.definition))

(parameter_declaration
  declarator: (pointer_declarator
    declarator: (attributed_declarator
      (identifier) @local.definition)))

(parameter_declaration
  declarator: (reference_declarator
    (identifier) @local.definition))

(parameter_declaration
  declarator: (reference_declarator
    (attributed_declarator
      (identifier) @local.definition)))

(optional_parameter_declaration
  declarator: (identifier) @local.definition)

(init_declarator
  declarator: (identifier) @local.definition)

(init_declarator
  declarator: (pointer_declarator
    declarator: (identifier) @local.definition))

(init_declarator
  declarator: (reference_declarator
    (identifier) @local.definition))

(init_declarator
  declarator: (array_declarator
    declarator: (identifier) @local.definition))

(declaration
  declarator: (identifier) @local.definition)

(declaration
  declarator: (array_declarator
    declarator: (identifier) @local.definition))

(declaration
  declarator: (pointer_declarator
    declarator: (identifier) @local.definition))

(for_range_loop
  declarator: (identifier) @local.definition)

(for_range_loop
  declarator: (reference_declarator
    (identifier) @local.definition))

(type_parameter_declaration
  (type_identifier) @local.definition)

(lambda_capture_initializer
  left: (identifier) @local.definition)

(identifier) @local.reference

(type_identifier) @local.reference
