/**
 * @file Metal Shading Language grammar for tree-sitter
 * @license MIT
 *
 * Vocabulary:
 *
 * - The base grammar is tree-sitter-cpp, which itself extends tree-sitter-c.
 *   Metal is C++14 (C++17 since 4.0) plus a few words and minus a few features, so this file states only the difference.
 * - An address space is one of seven words that qualify a pointee, a variable or, after a parameter list, `this`.
 * - A function qualifier is one of the three words that turn a function into an entry point.
 *   The attribute forms (`[[kernel]]`, `[[mesh]]`, …) need no rule: they are ordinary C++ attributes.
 *
 * Words are recognised only where the grammar allows them.
 * `input.device` and `[[threadgroup(0)]]` therefore hold identifiers, not address spaces.
 *
 * Macros are not expanded: the tree shows what the author typed.
 * Three shapes of macro use are no C++ and yet stand in most Metal sources; src/scanner.c tells them by their
 * neighbours, not by their names:
 *
 * - a macro modifier stands before a declaration or a loop: `METAL_FUNC void f()`, `PRAGMA_UNROLL for (…)`;
 * - a macro loop takes the place of `for`: `FOR_UNROLL (int i = 0; i < 4; i++) { … }`;
 * - a macro invocation is an item without semicolon: `INSTANTIATE(float, 4)`, perhaps with numbers behind it.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const CPP = require('tree-sitter-cpp/grammar');
const PREC = require('tree-sitter-c/grammar').PREC;

/**
 * What the base grammar knows and no Metal file holds: compiler extensions of other vendors, coroutines, concepts.
 * Each of them costs parser states, hence bytes in every binary that embeds the grammar.
 * Features that Metal forbids but that people write by habit (`throw`, `goto`, `virtual`, `new`) stay:
 * a diagnostic about them needs a tree.
 */
const NOT_IN_METAL = [
  // Microsoft
  'ms_based_modifier',
  'ms_call_modifier',
  'ms_declspec_modifier',
  'ms_pointer_modifier',
  'seh_leave_statement',
  'seh_try_statement',
  // GNU C
  'extension_expression',
  'gnu_asm_clobber_list',
  'gnu_asm_goto_list',
  'gnu_asm_input_operand_list',
  'gnu_asm_output_operand_list',
  'gnu_asm_qualifier',
  // C11
  'generic_expression',
  // C++20
  'co_await_expression',
  'co_return_statement',
  'co_yield_statement',
  'concept_definition',
  'requires_clause',
  'requires_expression',
];

const ADDRESS_SPACES = [
  'device',
  'constant',
  'thread',
  'threadgroup',
  'threadgroup_imageblock',
  'object_data',
  'ray_data',
];

const FUNCTION_QUALIFIERS = ['kernel', 'vertex', 'fragment'];

/** Casts whose name is followed by a type in angle brackets; `addrspace_cast` since Metal 4.1. */
const NAMED_CASTS = [
  'static_cast',
  'const_cast',
  'reinterpret_cast',
  'dynamic_cast',
  'as_type',
  'addrspace_cast',
];

const SCALARS = [
  'bool',
  'char', 'uchar', 'int8_t', 'uint8_t',
  'short', 'ushort', 'int16_t', 'uint16_t',
  'int', 'uint', 'int32_t', 'uint32_t',
  'long', 'ulong', 'int64_t', 'uint64_t',
  'half', 'bfloat', 'float', 'double',
  'size_t', 'ptrdiff_t', 'void',
];

/** Element types of `T2`, `T3`, `T4`. */
const VECTOR_ELEMENTS = [
  'bool', 'char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'half', 'bfloat', 'float',
];

const BUILT_IN_TYPES = [
  // `long` and `short` belong to `sized_type_specifier`, together with `signed` and `unsigned`.
  ...SCALARS.filter((name) => name !== 'long' && name !== 'short'),
  'ssize_t', 'intptr_t', 'uintptr_t', 'nullptr_t',
  ...VECTOR_ELEMENTS.flatMap((element) => [2, 3, 4].map((n) => `${element}${n}`)),
  // There is no packed vector of `bool`.
  ...VECTOR_ELEMENTS.filter((element) => element !== 'bool')
    .flatMap((element) => [2, 3, 4].map((n) => `packed_${element}${n}`)),
  ...['half', 'float'].flatMap((element) =>
    [2, 3, 4].flatMap((columns) => [2, 3, 4].map((rows) => `${element}${columns}x${rows}`))),
];

module.exports = grammar(withoutRules(CPP, NOT_IN_METAL), {
  name: 'metal',

  externals: ($, original) => [
    ...original,
    $.macro_modifier,
    $._macro_loop_name,
    $._macro_invocation_name,
    $.macro_arguments,
    $._end_of_file,
  ],

  extras: ($, original) => [...original, $.pragma_operator],

  conflicts: ($, original) => [...original, [$.storage_class_specifier, $.template_instantiation]],

  inline: ($, original) => [...original, $._argument, $._parameter],

  rules: {
    // Qualifiers

    type_qualifier: ($, original) => choice(
      ...membersExcept(original, ['consteval', 'constinit', '__extension__', '_Atomic', '_Noreturn', 'noreturn', '_Nonnull']),
      $.address_space,
      $.coherent_qualifier,
    ),

    address_space: _ => choice(...ADDRESS_SPACES),

    // `coherent` and `coherent(device)`, since Metal 3.2.
    coherent_qualifier: $ => prec.right(seq('coherent', optional(seq('(', $.address_space, ')')))),

    function_qualifier: _ => choice(...FUNCTION_QUALIFIERS),

    _declaration_modifiers: ($, original) => choice(original, $.function_qualifier, $.macro_modifier),

    // Declarations

    _top_level_item: ($, original) => choice(original, $.macro_invocation),
    _block_item: ($, original) => choice(original, $.macro_invocation),
    _field_declaration_list_item: ($, original) => choice(original, $.macro_invocation),

    macro_invocation: $ => prec.right(seq(
      field('name', alias($._macro_invocation_name, $.identifier)),
      field('arguments', $.macro_arguments),
      optional(field('list', $.macro_list)),
    )),

    // Numbers between two invocations, of which the first opens a braced list and the second closes it.
    macro_list: $ => prec.right(seq(
      repeat1(seq($.number_literal, ',')),
      optional($.number_literal),
    )),

    // `extern "C" struct S { … };`
    linkage_specification: ($, original) => choice(
      original,
      seq('extern', field('value', $.string_literal), $._empty_declaration),
    ),

    // Directives between parameters, each with its comma; the last parameter of a list or of a branch has none.
    parameter_list: $ => seq(
      '(',
      repeat(choice(seq($._parameter, ','), ...conditionals($, '_in_parameter_list'))),
      optional(seq($._parameter, repeat(choice(...conditionals($, '_behind_parameter'))))),
      ')',
    ),

    _parameter: $ => choice(
      $.parameter_declaration,
      $.optional_parameter_declaration,
      $.variadic_parameter_declaration,
      '...',
    ),

    ...conditionalRules('_in_parameter_list', ($, nested) => [
      repeat(choice(seq($._parameter, ','), ...nested)),
      optional($._parameter),
    ]),

    // `#if A` and then `, int a` behind the last parameter that is always there.
    ...conditionalRules('_behind_parameter', ($, nested) => [
      repeat(choice(seq(',', $._parameter), ...nested)),
    ]),

    // C++ allows a braced default argument, the base grammar does not.
    optional_parameter_declaration: $ => seq(
      $._declaration_specifiers,
      field('declarator', optional(choice($._declarator, $.abstract_reference_declarator))),
      '=',
      field('default_value', choice($.expression, $.initializer_list)),
    ),

    // Statements

    attributed_statement: $ => seq(
      repeat1(choice($.attribute_declaration, $.macro_modifier)),
      $.statement,
    ),

    for_statement: ($, original) => choice(
      original,
      seq(
        field('macro', alias($._macro_loop_name, $.identifier)),
        '(',
        $._for_statement_body,
        ')',
        field('body', $.statement),
      ),
    ),

    // Types

    primitive_type: _ => token(choice(...BUILT_IN_TYPES)),

    // Templates

    // Beside the base grammar's explicit instantiation of functions and variables:
    // `template struct S<float>;`, and `extern` before either.
    template_instantiation: ($, original) => choice(
      original,
      seq('extern', ...original.members),
      seq(
        optional('extern'),
        'template',
        field('type', choice($.struct_specifier, $.class_specifier, $.union_specifier)),
        ';',
      ),
    ),

    // Expressions

    _expression_not_binary: ($, original) => choice(original, $.named_cast_expression),

    _assignment_left_expression: ($, original) => choice(original, $.named_cast_expression),

    // A rule of its own, because after one of these names `<` is never a comparison.
    named_cast_expression: $ => prec(PREC.CALL, seq(
      field('cast', alias(choice(...NAMED_CASTS), $.cast_operator)),
      '<',
      field('type', $.type_descriptor),
      alias(token(prec(1, '>')), '>'),
      '(',
      field('value', $.expression),
      ')',
    )),

    argument_list: $ => seq(
      '(',
      repeat(choice(seq($._argument, ','), ...conditionals($, '_in_argument_list'))),
      optional($._argument),
      ')',
    ),

    // A type as an argument occurs in macro invocations: `INSTANTIATE(float, 4);`.
    _argument: $ => choice($.expression, $.initializer_list, $.compound_statement, $._type_argument),

    ...conditionalRules('_in_argument_list', ($, nested) => [
      repeat(choice(seq($._argument, ','), ...nested)),
      optional($._argument),
    ], -1),

    // The dynamic precedence prefers the declaration in `Result (*function)(int);`.
    _type_argument: $ => prec(-1, prec.dynamic(-20, $.primitive_type)),

    // `this->operator()(x)` and `this->operator float()`.
    field_expression: ($, original) => choice(
      original,
      prec(PREC.FIELD, seq(
        field('argument', $.expression),
        field('operator', choice('.', '->')),
        field('field', choice($.operator_name, alias($._named_operator_cast, $.operator_cast))),
      )),
    ),

    _named_operator_cast: $ => seq('operator', field('type', choice($.primitive_type, $._type_identifier))),

    // Literals

    // Suffixes beyond C++: `h` is half, `bf` is bfloat (Metal 3.1).
    number_literal: _ => {
      const sign = /[-\+]/;
      const separator = '\'';
      const digits = (digit) => seq(repeat1(digit), repeat(seq(separator, repeat1(digit))));
      const decimal = digits(/[0-9]/);
      const hexadecimal = digits(/[0-9a-fA-F]/);
      const binary = digits(/[01]/);
      const decimalExponent = seq(/[eE]/, optional(sign), decimal);
      const binaryExponent = seq(/[pP]/, optional(sign), decimal);
      const integerSuffix = /[uU](l|L|ll|LL)?|(l|L|ll|LL)[uU]?/;
      const floatSuffix = /[fFhHlL]|bf|BF/;

      const integer = choice(
        seq(choice('0b', '0B'), binary),
        seq(choice('0x', '0X'), hexadecimal),
        decimal,
      );
      const float = choice(
        seq(decimal, decimalExponent),
        seq(decimal, '.', optional(decimal), optional(decimalExponent)),
        seq('.', decimal, optional(decimalExponent)),
        seq(
          choice('0x', '0X'),
          choice(hexadecimal, seq(hexadecimal, '.', optional(hexadecimal)), seq('.', hexadecimal)),
          binaryExponent,
        ),
      );
      return token(seq(
        optional(sign),
        choice(seq(integer, optional(integerSuffix)), seq(float, optional(floatSuffix))),
      ));
    },

    // Preprocessor

    // The last line of a file may lack its line end, also if it is a directive.
    preproc_include: ($, original) => endingWithFile(original, $._end_of_file),
    preproc_def: ($, original) => endingWithFile(original, $._end_of_file),
    preproc_function_def: ($, original) => endingWithFile(original, $._end_of_file),
    preproc_call: ($, original) => endingWithFile(original, $._end_of_file),

    // The base grammar ends a macro body at the first block comment; here it ends at the last one, if nothing follows.
    preproc_arg: _ => token(prec(-1,
      /\S([^/\n]|\/[^*]|\\\r?\n|\/\*([^*]|\*+[^*\/])*\*+\/[ \t]*(\\\r?\n|[^\s\/\\]))*/)),

    // `_Pragma("…")` may stand between any two tokens.
    pragma_operator: _ => token(seq('_Pragma', /\s*\(\s*"([^"\\\n]|\\.)*"\s*\)/)),
  },
});

/**
 * The nodes for `#if` and `#ifdef` in a place other than between items.
 */
function conditionals($, suffix) {
  return [
    alias($['preproc_if' + suffix], $.preproc_if),
    alias($['preproc_ifdef' + suffix], $.preproc_ifdef),
  ];
}

/**
 * The rules behind `conditionals`: one for each directive, as the base grammar has them for items.
 *
 * `content` makes the members of a branch from the conditionals that may be nested in it.
 * Where two places cannot be told apart yet, the one of greater precedence is assumed.
 */
function conditionalRules(suffix, content, precedence = 0) {
  const directive = (command) => alias(new RegExp('#[ \t]*' + command), '#' + command);
  const name = (rule) => rule + suffix;
  const branch = ($) => content($, conditionals($, suffix));
  const alternative = ($) => field('alternative', optional(choice(
    alias($[name('preproc_else')], $.preproc_else),
    alias($[name('preproc_elif')], $.preproc_elif),
    alias($[name('preproc_elifdef')], $.preproc_elifdef),
  )));
  return {
    [name('preproc_if')]: $ => prec(precedence, seq(
      directive('if'),
      field('condition', $._preproc_expression),
      '\n',
      ...branch($),
      alternative($),
      directive('endif'),
    )),
    [name('preproc_ifdef')]: $ => prec(precedence, seq(
      choice(directive('ifdef'), directive('ifndef')),
      field('name', $.identifier),
      ...branch($),
      alternative($),
      directive('endif'),
    )),
    [name('preproc_else')]: $ => prec(precedence, seq(directive('else'), ...branch($))),
    [name('preproc_elif')]: $ => prec(precedence, seq(
      directive('elif'),
      field('condition', $._preproc_expression),
      '\n',
      ...branch($),
      alternative($),
    )),
    [name('preproc_elifdef')]: $ => prec(precedence, seq(
      choice(directive('elifdef'), directive('elifndef')),
      field('name', $.identifier),
      ...branch($),
      alternative($),
    )),
  };
}

/**
 * The base grammar without the named rules and without whatever cannot be matched once they are gone.
 */
function withoutRules(base, names) {
  const removed = new Set(names);
  let rules = base.grammar.rules;
  // Removing a rule may leave another one without any alternative: repeat until nothing changes.
  for (;;) {
    const kept = {};
    for (const [name, rule] of Object.entries(rules)) {
      const pruned = removed.has(name) ? null : prune(rule, removed);
      if (pruned === null) {
        removed.add(name);
      } else {
        kept[name] = pruned;
      }
    }
    if (Object.keys(kept).length === Object.keys(rules).length) {
      rules = kept;
      break;
    }
    rules = kept;
  }
  const isKept = (symbol) => !removed.has(symbol.name ?? symbol);
  return {
    grammar: {
      ...base.grammar,
      rules,
      conflicts: base.grammar.conflicts.filter((conflict) => conflict.every(isKept)),
      inline: base.grammar.inline.filter(isKept),
      supertypes: base.grammar.supertypes.filter(isKept),
    },
  };
}

/**
 * `rule` with every alternative deleted that mentions a removed rule; `null` if nothing is left to match.
 */
function prune(rule, removed) {
  switch (rule.type) {
    case 'SYMBOL':
      return removed.has(rule.name) ? null : rule;
    case 'CHOICE': {
      const members = rule.members.map((member) => prune(member, removed)).filter((member) => member !== null);
      if (members.length === 0) return null;
      return members.every((member) => member.type === 'BLANK') ? members[0] : { ...rule, members };
    }
    case 'SEQ': {
      const members = rule.members.map((member) => prune(member, removed));
      if (members.includes(null)) return null;
      return { ...rule, members: members.filter((member) => member.type !== 'BLANK') };
    }
    case 'REPEAT': {
      const content = prune(rule.content, removed);
      return content === null ? { type: 'BLANK' } : { ...rule, content };
    }
    default: {
      if (rule.content === undefined) return rule;
      const content = prune(rule.content, removed);
      return content === null ? null : { ...rule, content };
    }
  }
}

/**
 * A sequence whose last member, the end of the line, may be the end of the file instead.
 */
function endingWithFile(sequence, endOfFile) {
  return { ...sequence, members: [...sequence.members.slice(0, -1), choice(sequence.members.at(-1), endOfFile)] };
}

/**
 * The alternatives of a choice, nested choices included, without the given words.
 */
function membersExcept(rule, words) {
  const members = rule.type === 'CHOICE' ? rule.members.flatMap((member) => membersExcept(member, [])) : [rule];
  return members.filter((member) => !(member.type === 'STRING' && words.includes(member.value)));
}
