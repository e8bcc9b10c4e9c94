; Derived from grammar/queries/injections.scm; grammar/tests/queries.rs writes this file.

((comment) @injection.content
  (#set! injection.language "comment"))

(raw_string_literal
  delimiter: (raw_string_delimiter) @injection.language
  (raw_string_content) @injection.content)
