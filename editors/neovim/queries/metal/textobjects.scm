; Derived from grammar/queries/textobjects.scm; grammar/tests/queries.rs writes this file.

(function_definition
  body: (compound_statement
    .
    "{"
    _+ @function.inner
    "}")) @function.outer

(lambda_expression
  body: (compound_statement
    .
    "{"
    _+ @function.inner
    "}")) @function.outer

(struct_specifier
  body: (field_declaration_list
    .
    "{"
    _+ @class.inner
    "}")) @class.outer

(class_specifier
  body: (field_declaration_list
    .
    "{"
    _+ @class.inner
    "}")) @class.outer

(union_specifier
  body: (field_declaration_list
    .
    "{"
    _+ @class.inner
    "}")) @class.outer

(enum_specifier
  body: (enumerator_list
    .
    "{"
    _+ @class.inner
    "}")) @class.outer

(parameter_list
  (_) @parameter.inner @parameter.outer)

(argument_list
  (_) @parameter.inner @parameter.outer)

(template_parameter_list
  (_) @parameter.inner @parameter.outer)

(template_argument_list
  (_) @parameter.inner @parameter.outer)

(if_statement) @conditional.outer

(switch_statement) @conditional.outer

(for_statement
  body: (_) @loop.inner) @loop.outer

(for_range_loop
  body: (_) @loop.inner) @loop.outer

(while_statement
  body: (_) @loop.inner) @loop.outer

(do_statement
  body: (_) @loop.inner) @loop.outer

(call_expression
  arguments: (_) @call.inner) @call.outer

(return_statement
  (_)? @return.inner) @return.outer

(attribute
  (argument_list)? @attribute.inner) @attribute.outer

(comment) @comment.outer
