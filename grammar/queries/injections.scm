; Todo notes and links inside comments, for editors that have a grammar for them.
((comment) @injection.content
  (#set! injection.language "comment"))

; A raw string whose delimiter names a language: R"json({})json".
(raw_string_literal
  delimiter: (raw_string_delimiter) @injection.language
  (raw_string_content) @injection.content)
