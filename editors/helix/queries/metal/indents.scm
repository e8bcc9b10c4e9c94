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

; A single statement without braces. What is indented is the statement around it, because the spelling for a body alone
; (`scope`) differs between versions of Helix.
(if_statement
  consequence: (_) @_body
  (#not-kind-eq? @_body "compound_statement")) @indent

(if_statement
  consequence: (_) @_body
  alternative: (else_clause
    "else" @outdent)
  (#not-kind-eq? @_body "compound_statement"))

(else_clause
  (_) @_body
  (#not-kind-eq? @_body "compound_statement")
  (#not-kind-eq? @_body "if_statement")) @indent

(for_statement
  body: (_) @_body
  (#not-kind-eq? @_body "compound_statement")) @indent

(while_statement
  body: (_) @_body
  (#not-kind-eq? @_body "compound_statement")) @indent

(do_statement
  body: (_) @_body
  (#not-kind-eq? @_body "compound_statement")) @indent
