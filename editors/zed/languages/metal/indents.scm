(_
  "{"
  "}" @end) @indent

(_
  "("
  ")" @end) @indent

(case_statement) @indent

(if_statement) @indent

(for_statement) @indent

(while_statement) @indent
