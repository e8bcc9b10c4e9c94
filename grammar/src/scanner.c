// The external scanner of tree-sitter-metal: what no regular expression can match.
//
// Raw strings, `R"delimiter(content)delimiter"`, end at a repetition of their own delimiter.
// The scanner keeps that delimiter between two calls; it is its whole state, and empty outside a raw string.
//
// Macro uses that are no C++ are told from C++ by what stands beside them, not by their names:
//
// - a macro modifier is a word in capitals before a loop, before a word that only begins declarations, or before two
//   more words (`STEEL_CONST int rows`): a type in that place would leave one word too many;
// - a macro loop is a word whose parentheses hold a semicolon: `FOR_UNROLL (int i = 0; i < 4; i++)`;
// - a macro invocation is a word and its parentheses at the start of an item, after which, on another line, a word, a
//   number, a directive or a closing brace follows where C++ wants a semicolon, or of which an argument is a mere
//   operator.
//
// The end of the file is a token where a directive may end with it.
//
// Looking for the closing parenthesis is bounded by MAX_LOOKAHEAD.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

// In the order of `externals` in the grammar.
enum TokenKind {
  RAW_STRING_DELIMITER,
  RAW_STRING_CONTENT,
  MACRO_MODIFIER,
  MACRO_LOOP_NAME,
  MACRO_INVOCATION_NAME,
  MACRO_ARGUMENTS,
  END_OF_FILE,
};

// Characters that may be read behind a word in order to find its closing parenthesis.
enum { MAX_LOOKAHEAD = 4096 };

// Longest word that is compared with anything; longer ones are cut off, which makes them equal to no keyword.
enum { MAX_WORD_LENGTH = 64 };

// [lex.string]: a delimiter has at most 16 characters.
enum { MAX_DELIMITER_LENGTH = 16 };

typedef struct {
  uint32_t length;
  int32_t characters[MAX_DELIMITER_LENGTH];
} Delimiter;

static void skip_character(TSLexer *lexer) { lexer->advance(lexer, false); }

// [lex.string]: any character except parentheses, backslash, space, the control characters for tabs and line ends.
static bool is_delimiter_character(int32_t character) {
  switch (character) {
    case '(':
    case ')':
    case '\\':
    case ' ':
    case '\t':
    case '\v':
    case '\f':
    case '\n':
    case '\r':
      return false;
    default:
      return true;
  }
}

// The characters between `R"` and `(`. Fails on an empty delimiter: the grammar has a rule of its own for that.
static bool scan_opening_delimiter(Delimiter *delimiter, TSLexer *lexer) {
  Delimiter found = {0};
  while (!lexer->eof(lexer) && is_delimiter_character(lexer->lookahead)) {
    if (found.length == MAX_DELIMITER_LENGTH) return false;
    found.characters[found.length++] = lexer->lookahead;
    skip_character(lexer);
  }
  if (found.length == 0 || lexer->lookahead != '(') return false;
  *delimiter = found;
  return true;
}

// The characters between `)` and `"`, which must repeat the opening delimiter.
static bool scan_closing_delimiter(Delimiter *delimiter, TSLexer *lexer) {
  for (uint32_t i = 0; i < delimiter->length; i++) {
    if (lexer->eof(lexer) || lexer->lookahead != delimiter->characters[i]) return false;
    skip_character(lexer);
  }
  delimiter->length = 0;
  return true;
}

// Everything up to `)`, delimiter, `"`. A string without end reaches to the end of the file.
static bool scan_content(const Delimiter *delimiter, TSLexer *lexer) {
  for (;;) {
    while (!lexer->eof(lexer) && lexer->lookahead != ')') skip_character(lexer);
    lexer->mark_end(lexer);
    if (lexer->eof(lexer)) return true;
    skip_character(lexer);

    // A delimiter holds no `)`, so after a mismatch the search may go on from the character that did not match.
    uint32_t matched = 0;
    while (matched < delimiter->length && !lexer->eof(lexer) && lexer->lookahead == delimiter->characters[matched]) {
      skip_character(lexer);
      matched++;
    }
    if (matched == delimiter->length && lexer->lookahead == '"') return true;
  }
}

typedef struct {
  uint32_t length;
  char characters[MAX_WORD_LENGTH];
} Word;

static bool is_space(int32_t character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

static bool is_word_start(int32_t character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
}

static bool is_digit(int32_t character) { return character >= '0' && character <= '9'; }

static bool is_word_character(int32_t character) { return is_word_start(character) || is_digit(character); }

// Reads one word of ASCII letters, digits and underscores. The length is 0 if no word starts here.
static Word read_word(TSLexer *lexer) {
  Word word = {0};
  if (!is_word_start(lexer->lookahead)) return word;
  while (is_word_character(lexer->lookahead)) {
    if (word.length < MAX_WORD_LENGTH - 1) word.characters[word.length++] = (char)lexer->lookahead;
    skip_character(lexer);
  }
  return word;
}

static bool word_is_one_of(const Word *word, const char *const *words) {
  for (; *words; words++) {
    if (strlen(*words) == word->length && memcmp(*words, word->characters, word->length) == 0) return true;
  }
  return false;
}

// Upper-case letters, digits and underscores, at least three of them.
static bool word_is_capitals(const Word *word) {
  for (uint32_t i = 0; i < word->length; i++) {
    if (word->characters[i] >= 'a' && word->characters[i] <= 'z') return false;
  }
  return word->length >= 3;
}

// Keywords that begin a statement.
static const char *const LOOPS[] = {"for", "while", "do", "if", "switch", NULL};

// Keywords that begin a declaration and never follow its type.
static const char *const DECLARATION_STARTS[] = {
    "static",   "inline", "constexpr", "void",     "auto",   "template", "typename", "struct",
    "explicit", "friend", "operator",  "decltype", "extern", "kernel",   "vertex",   "fragment",
    NULL,
};

// Words that may stand between a type and its declarator, behind a parameter list, or between two operands.
static const char *const QUALIFIERS[] = {
    "const",    "volatile",    "device",   "constant",      "thread", "threadgroup", "threadgroup_imageblock",
    "ray_data", "object_data", "coherent", "noexcept",      "final",  "override",    "mutable",
    "throw",    "try",         "restrict", "__attribute__", "asm",    "__asm",       "__asm__",
    "and",      "or",          "xor",      "bitand",        "bitor",  "not_eq",      "and_eq",
    "or_eq",    "xor_eq",      NULL,
};

// Keywords that are followed by parentheses or by a statement and hence are no macro.
static const char *const KEYWORDS[] = {
    "if",      "else",      "for",           "while",      "do",            "switch",   "case",      "default",
    "return",  "break",     "continue",      "goto",       "catch",         "throw",    "try",       "sizeof",
    "alignas", "alignof",   "decltype",      "explicit",   "operator",      "typedef",  "using",     "template",
    "delete",  "new",       "static_assert", "coherent",   "__attribute__", "asm",      "__asm",     "__asm__",
    "this",    "not",       "compl",         "typename",   "_Pragma",       "offsetof", "namespace", "__attribute",
    "defined", "enum",      "struct",        "union",      "class",         "_Alignas", "__alignof", "__alignof__",
    "_alignof", NULL,
};

// Skips the rest of a comment whose first `/` has been read; false if it was no comment.
static bool skip_comment(TSLexer *lexer) {
  if (lexer->lookahead == '/') {
    while (!lexer->eof(lexer) && lexer->lookahead != '\n') skip_character(lexer);
    return true;
  }
  if (lexer->lookahead != '*') return false;
  skip_character(lexer);
  for (bool star = false; !lexer->eof(lexer); skip_character(lexer)) {
    if (star && lexer->lookahead == '/') {
      skip_character(lexer);
      return true;
    }
    star = lexer->lookahead == '*';
  }
  return true;
}

typedef enum { ON_SAME_LINE, ON_ANOTHER_LINE, BEFORE_SLASH } Gap;

// Skips white space and comments, and says where the next token stands.
static Gap skip_gap(TSLexer *lexer) {
  Gap gap = ON_SAME_LINE;
  for (;;) {
    if (is_space(lexer->lookahead)) {
      if (lexer->lookahead == '\n') gap = ON_ANOTHER_LINE;
      skip_character(lexer);
    } else if (lexer->lookahead == '/') {
      skip_character(lexer);
      if (!skip_comment(lexer)) return BEFORE_SLASH;
    } else {
      return gap;
    }
  }
}

// Skips a string or character literal that starts here. An unterminated one ends with its line.
static uint32_t skip_literal(TSLexer *lexer) {
  int32_t quote = lexer->lookahead;
  uint32_t count = 1;
  skip_character(lexer);
  while (!lexer->eof(lexer) && lexer->lookahead != quote && lexer->lookahead != '\n') {
    if (lexer->lookahead == '\\') skip_character(lexer);
    skip_character(lexer);
    count++;
  }
  if (lexer->lookahead == quote) skip_character(lexer);
  return count;
}

typedef struct {
  // The closing parenthesis was found, within the limit and before any brace that closes what was not opened.
  bool is_closed;
  // A semicolon stands in the outermost parentheses.
  bool has_semicolon;
  // An operator is a whole argument, which no expression is: `(+, operator+)`.
  bool has_bare_operator;
} Parentheses;

// The slash is not among them: it may begin a comment.
static bool is_operator_character(int32_t character) {
  switch (character) {
    case '!':
    case '%':
    case '&':
    case '*':
    case '+':
    case '-':
    case '<':
    case '=':
    case '>':
    case '^':
    case '|':
    case '~':
      return true;
    default:
      return false;
  }
}

// Reads from `(` to its `)`, both included.
static Parentheses read_parentheses(TSLexer *lexer) {
  Parentheses result = {false, false, false};
  uint32_t parentheses = 0, braces = 0;
  // What the current argument has held so far, apart from white space and comments.
  enum { NOTHING, AN_OPERATOR, MORE } argument = NOTHING;
  for (uint32_t count = 0; count < MAX_LOOKAHEAD && !lexer->eof(lexer); count++) {
    int32_t character = lexer->lookahead;
    bool is_outermost = parentheses == 1 && braces == 0;
    if (is_outermost && (character == ',' || character == ')') && argument == AN_OPERATOR) {
      result.has_bare_operator = true;
    }
    switch (character) {
      case '(':
        parentheses++;
        break;
      case ')':
        parentheses--;
        if (parentheses == 0) {
          skip_character(lexer);
          result.is_closed = true;
          return result;
        }
        break;
      case '{':
        braces++;
        break;
      case '}':
        if (braces == 0) return result;
        braces--;
        break;
      case ';':
        if (is_outermost) result.has_semicolon = true;
        break;
      case '"':
      case '\'':
        count += skip_literal(lexer);
        argument = MORE;
        continue;
      case '/':
        skip_character(lexer);
        if (!skip_comment(lexer) && argument == NOTHING) argument = AN_OPERATOR;
        continue;
      default:
        break;
    }
    if (!is_outermost && parentheses == 1 && character == '(') {
      argument = NOTHING;
    } else if (is_outermost && character == ',') {
      argument = NOTHING;
    } else if (is_operator_character(character)) {
      if (argument == NOTHING) argument = AN_OPERATOR;
    } else if (!is_space(character)) {
      argument = MORE;
    }
    skip_character(lexer);
  }
  return result;
}

// True if the word before the current position, which ended a while ago, is a macro modifier.
static bool is_before_declaration_or_loop(TSLexer *lexer, const Word *word) {
  Word second = read_word(lexer);
  if (second.length == 0) return false;
  // The one macro that is known by name, because Metal's own library defines it: before constructors and before
  // functions that return pointers or templates, its neighbours look like those of a type.
  if (word_is_one_of(word, (const char *const[]){"METAL_FUNC", NULL})) return true;
  if (word_is_one_of(&second, QUALIFIERS)) return false;
  if (word_is_one_of(&second, LOOPS)) return true;
  if (word_is_one_of(&second, DECLARATION_STARTS)) return true;
  if (skip_gap(lexer) == BEFORE_SLASH) return false;
  Word third = read_word(lexer);
  return third.length > 0 && !word_is_one_of(&third, QUALIFIERS);
}

// True if, behind the parentheses of a macro invocation, something follows that cannot continue an expression.
static bool is_before_next_item(TSLexer *lexer) {
  Gap gap = skip_gap(lexer);
  if (gap == BEFORE_SLASH) return false;
  if (lexer->eof(lexer) || lexer->lookahead == '}') return true;
  if (lexer->lookahead == '#' || is_digit(lexer->lookahead)) return gap == ON_ANOTHER_LINE;
  if (lexer->lookahead == '-') {
    skip_character(lexer);
    return gap == ON_ANOTHER_LINE && is_digit(lexer->lookahead);
  }
  Word next = read_word(lexer);
  if (next.length == 0 || word_is_one_of(&next, QUALIFIERS)) return false;
  if (gap == ON_ANOTHER_LINE) return true;
  // `A(x) B(y)` on one line: two invocations.
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') skip_character(lexer);
  return lexer->lookahead == '(' && !word_is_one_of(&next, KEYWORDS);
}

static bool scan_macro_name(TSLexer *lexer, const bool *valid_symbols) {
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  Word word = read_word(lexer);
  if (word.length == 0 || word_is_one_of(&word, KEYWORDS)) return false;
  lexer->mark_end(lexer);
  if (skip_gap(lexer) == BEFORE_SLASH) return false;

  if (lexer->lookahead != '(') {
    lexer->result_symbol = MACRO_MODIFIER;
    return valid_symbols[MACRO_MODIFIER] && word_is_capitals(&word) && is_before_declaration_or_loop(lexer, &word);
  }
  if (!valid_symbols[MACRO_LOOP_NAME] && !valid_symbols[MACRO_INVOCATION_NAME]) return false;
  Parentheses parentheses = read_parentheses(lexer);
  if (!parentheses.is_closed) return false;
  if (parentheses.has_semicolon) {
    lexer->result_symbol = MACRO_LOOP_NAME;
    return valid_symbols[MACRO_LOOP_NAME];
  }
  lexer->result_symbol = MACRO_INVOCATION_NAME;
  return valid_symbols[MACRO_INVOCATION_NAME] && (parentheses.has_bare_operator || is_before_next_item(lexer));
}

static bool scan_macro_arguments(TSLexer *lexer) {
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '(') return false;
  if (!read_parentheses(lexer).is_closed) return false;
  lexer->mark_end(lexer);
  lexer->result_symbol = MACRO_ARGUMENTS;
  return true;
}

void *tree_sitter_metal_external_scanner_create(void) { return ts_calloc(1, sizeof(Delimiter)); }

void tree_sitter_metal_external_scanner_destroy(void *payload) { ts_free(payload); }

bool tree_sitter_metal_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  Delimiter *delimiter = payload;
  bool delimiter_is_valid = valid_symbols[RAW_STRING_DELIMITER];
  bool content_is_valid = valid_symbols[RAW_STRING_CONTENT];

  // Only error recovery asks for both.
  if (delimiter_is_valid && content_is_valid) return false;

  if (delimiter_is_valid) {
    lexer->result_symbol = RAW_STRING_DELIMITER;
    return delimiter->length == 0 ? scan_opening_delimiter(delimiter, lexer) : scan_closing_delimiter(delimiter, lexer);
  }
  if (content_is_valid) {
    lexer->result_symbol = RAW_STRING_CONTENT;
    return scan_content(delimiter, lexer);
  }
  if (valid_symbols[END_OF_FILE]) {
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t') lexer->advance(lexer, true);
    if (lexer->eof(lexer)) {
      lexer->result_symbol = END_OF_FILE;
      return true;
    }
  }
  if (valid_symbols[MACRO_ARGUMENTS]) return scan_macro_arguments(lexer);
  if (valid_symbols[MACRO_MODIFIER] || valid_symbols[MACRO_LOOP_NAME] || valid_symbols[MACRO_INVOCATION_NAME]) {
    return scan_macro_name(lexer, valid_symbols);
  }
  return false;
}

unsigned tree_sitter_metal_external_scanner_serialize(void *payload, char *buffer) {
  const Delimiter *delimiter = payload;
  size_t size = delimiter->length * sizeof(delimiter->characters[0]);
  memcpy(buffer, delimiter->characters, size);
  return (unsigned)size;
}

void tree_sitter_metal_external_scanner_deserialize(void *payload, const char *buffer, unsigned size) {
  Delimiter *delimiter = payload;
  *delimiter = (Delimiter){0};
  if (size > sizeof(delimiter->characters)) return;
  if (size > 0) memcpy(delimiter->characters, buffer, size);
  delimiter->length = (uint32_t)(size / sizeof(delimiter->characters[0]));
}
