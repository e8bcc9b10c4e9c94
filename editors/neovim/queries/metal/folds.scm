; Derived from grammar/queries/folds.scm; grammar/tests/queries.rs writes this file.

[
  (argument_list)
  (case_statement)
  (comment)
  (compound_statement)
  (declaration_list)
  (enumerator_list)
  (field_declaration_list)
  (initializer_list)
  (macro_arguments)
  (parameter_list)
  (preproc_elif)
  (preproc_elifdef)
  (preproc_else)
  (preproc_function_def)
  (preproc_if)
  (preproc_ifdef)
  (raw_string_literal)
  (template_argument_list)
  (template_parameter_list)
] @fold
