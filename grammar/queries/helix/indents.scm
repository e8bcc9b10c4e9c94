[
  (argument_list)
  (case_statement)
  (compound_statement)
  (declaration_list)
  (enumerator_list)
  (field_declaration_list)
  (field_initializer_list)
  (init_declarator)
  (initializer_list)
  (parameter_list)
  (template_parameter_list)
] @indent

[
  "case"
  "default"
  "}"
  "]"
  ")"
  (access_specifier)
] @outdent

(if_statement
  consequence: (_) @indent
  (#not-kind-eq? @indent "compound_statement")
  (#set! "scope" "all"))

(for_statement
  body: (_) @indent
  (#not-kind-eq? @indent "compound_statement")
  (#set! "scope" "all"))

(while_statement
  body: (_) @indent
  (#not-kind-eq? @indent "compound_statement")
  (#set! "scope" "all"))
