; Derived from grammar/queries/textobjects.scm; grammar/tests/queries.rs writes this file.

(function_definition
  body: (compound_statement
    .
    "{"
    _+ @function.inside
    "}")) @function.around

(lambda_expression
  body: (compound_statement
    .
    "{"
    _+ @function.inside
    "}")) @function.around

(struct_specifier
  body: (field_declaration_list
    .
    "{"
    _+ @class.inside
    "}")) @class.around

(class_specifier
  body: (field_declaration_list
    .
    "{"
    _+ @class.inside
    "}")) @class.around

(union_specifier
  body: (field_declaration_list
    .
    "{"
    _+ @class.inside
    "}")) @class.around

(enum_specifier
  body: (enumerator_list
    .
    "{"
    _+ @class.inside
    "}")) @class.around

(parameter_list
  (_) @parameter.inside @parameter.around)

(argument_list
  (_) @parameter.inside @parameter.around)

(template_parameter_list
  (_) @parameter.inside @parameter.around)

(template_argument_list
  (_) @parameter.inside @parameter.around)

(attribute
  (argument_list)? @entry.inside) @entry.around

(comment) @comment.around
