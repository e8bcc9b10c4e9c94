(struct_specifier
  "struct" @context
  name: (_) @name
  body: (_)) @item

(class_specifier
  "class" @context
  name: (_) @name
  body: (_)) @item

(union_specifier
  "union" @context
  name: (_) @name
  body: (_)) @item

(enum_specifier
  "enum" @context
  name: (_) @name
  body: (_)) @item

(enumerator
  name: (_) @name) @item

(namespace_definition
  "namespace" @context
  name: (_) @name) @item

(alias_declaration
  "using" @context
  name: (_) @name) @item

(type_definition
  "typedef" @context
  declarator: (type_identifier) @name) @item

(function_definition
  (function_qualifier)? @context
  declarator: (function_declarator
    declarator: (_) @name)) @item

(function_definition
  (function_qualifier)? @context
  declarator: (pointer_declarator
    declarator: (function_declarator
      declarator: (_) @name))) @item

(function_definition
  (function_qualifier)? @context
  declarator: (reference_declarator
    (function_declarator
      declarator: (_) @name))) @item

(field_declaration
  declarator: (field_identifier) @name) @item

(preproc_def
  "#define" @context
  name: (_) @name) @item

(preproc_function_def
  "#define" @context
  name: (_) @name) @item

(comment) @annotation
