; Derived from grammar/queries/indents.scm; grammar/tests/queries.rs writes this file.

[
  (argument_list)
  (case_statement)
  (compound_statement)
  (declaration_list)
  (enumerator_list)
  (field_declaration_list)
  (initializer_list)
  (parameter_list)
  (template_parameter_list)
  (init_declarator)
  (field_initializer_list)
] @indent.begin

(if_statement
  consequence: (_) @_statement
  (#not-kind-eq? @_statement "compound_statement")) @indent.begin

(else_clause
  (_) @_statement
  (#not-kind-eq? @_statement "compound_statement" "if_statement")) @indent.begin

(for_statement
  body: (_) @_statement
  (#not-kind-eq? @_statement "compound_statement")) @indent.begin

(while_statement
  body: (_) @_statement
  (#not-kind-eq? @_statement "compound_statement")) @indent.begin

[
  "}"
  ")"
  "]"
] @indent.branch @indent.end

"else" @indent.branch

(access_specifier) @indent.branch

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
  "#include"
  (preproc_directive)
] @indent.zero

(comment) @indent.ignore

(raw_string_literal) @indent.ignore

(ERROR) @indent.auto
