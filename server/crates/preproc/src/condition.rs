//! The value of an `#if` (C++17 [cpp.cond]).
//!
//! All arithmetic is on 64-bit integers, signed or unsigned. Operators are reduced with two stacks, so nesting costs
//! no stack of ours. An operand that is not evaluated (behind `0 &&`, say) is computed all the same; an error in it,
//! such as a division by zero, travels with the value and is dropped where C++ would not have evaluated it.

use crate::{
    expand::Placed,
    token::{Keyword, Origin, Punct, TokenKind},
};

/// What is wrong with a condition, at a token of it (or at its end).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConditionError {
    pub(crate) origin: Option<Origin>,
    pub(crate) message: String,
}

/// A value on the way to the result.
#[derive(Clone, Copy, Debug)]
struct Value {
    bits: u64,
    unsigned: bool,
    error: Option<&'static str>,
    origin: Origin,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Open(Origin),
    Unary(Punct),
    Binary(Punct, u8),
    Question(Origin),
    Colon,
}

/// Whether the condition that the tokens make is true. `defined` and macros have been replaced before.
pub(crate) fn evaluate(tokens: &[Placed]) -> Result<bool, ConditionError> {
    let mut evaluator = Evaluator::default();
    let fail = |placed: Option<&Placed>, message: String| {
        Err(ConditionError { origin: placed.map(|placed| placed.origin), message })
    };
    if tokens.is_empty() {
        return fail(None, "the condition is empty".to_owned());
    }
    let mut wants_operand = true;
    for (index, placed) in tokens.iter().enumerate() {
        let token = placed.token;
        if wants_operand {
            match token.kind {
                TokenKind::Punct(punct @ (Punct::Bang | Punct::Tilde | Punct::Minus | Punct::Plus)) => {
                    evaluator.operators.push(Operator::Unary(punct));
                    continue;
                }
                TokenKind::Punct(Punct::LParen) => {
                    evaluator.operators.push(Operator::Open(placed.origin));
                    continue;
                }
                _ => {}
            }
            let (bits, unsigned) = match token.kind {
                TokenKind::Int => match integer(token.bytes()) {
                    Ok(value) => value,
                    Err(message) => return fail(Some(placed), message.to_owned()),
                },
                TokenKind::Char => match character(token.bytes()) {
                    Some(value) => value,
                    None => return fail(Some(placed), "invalid character literal in a condition".to_owned()),
                },
                TokenKind::Keyword(Keyword::True) => (1, false),
                TokenKind::Ident | TokenKind::Keyword(_) => {
                    if tokens.get(index + 1).is_some_and(|next| next.token.is_punct(Punct::LParen)) {
                        return fail(Some(placed), format!("function-like macro `{}` is not defined", token.name));
                    }
                    (0, false)
                }
                TokenKind::Float => return fail(Some(placed), "a condition has no floating literals".to_owned()),
                TokenKind::String => return fail(Some(placed), "a condition has no string literals".to_owned()),
                _ => return fail(Some(placed), format!("expected a value before `{}`", token.text())),
            };
            evaluator.values.push(Value { bits, unsigned, error: None, origin: placed.origin });
            wants_operand = false;
            continue;
        }
        let TokenKind::Punct(punct) = token.kind else {
            return fail(Some(placed), format!("expected an operator before `{}`", token.text()));
        };
        match punct {
            Punct::RParen => {
                evaluator.reduce_while(|operator| !matches!(operator, Operator::Open(_) | Operator::Question(_)));
                match evaluator.operators.pop() {
                    Some(Operator::Open(_)) => {}
                    Some(Operator::Question(_)) => return fail(Some(placed), "`?` without `:`".to_owned()),
                    _ => return fail(Some(placed), "`)` without `(`".to_owned()),
                }
            }
            Punct::Question => {
                evaluator.reduce_while(|operator| matches!(operator, Operator::Unary(_) | Operator::Binary(_, 1..)));
                evaluator.operators.push(Operator::Question(placed.origin));
                wants_operand = true;
            }
            Punct::Colon => {
                evaluator.reduce_while(|operator| !matches!(operator, Operator::Open(_) | Operator::Question(_)));
                match evaluator.operators.pop() {
                    Some(Operator::Question(_)) => evaluator.operators.push(Operator::Colon),
                    _ => return fail(Some(placed), "`:` without `?`".to_owned()),
                }
                wants_operand = true;
            }
            _ => {
                let Some(precedence) = precedence(punct) else {
                    return fail(Some(placed), format!("`{}` is no operator of a condition", punct.text()));
                };
                evaluator.reduce_while(|operator| match operator {
                    Operator::Unary(_) => true,
                    Operator::Binary(_, other) => *other >= precedence,
                    Operator::Colon => precedence == 0,
                    _ => false,
                });
                evaluator.operators.push(Operator::Binary(punct, precedence));
                wants_operand = true;
            }
        }
    }
    if wants_operand {
        return fail(None, "the condition ends where a value should stand".to_owned());
    }
    evaluator.reduce_while(|operator| !matches!(operator, Operator::Open(_) | Operator::Question(_)));
    match evaluator.operators.pop() {
        Some(Operator::Open(origin)) => {
            return Err(ConditionError { origin: Some(origin), message: "`(` without `)`".to_owned() });
        }
        Some(Operator::Question(origin)) => {
            return Err(ConditionError { origin: Some(origin), message: "`?` without `:`".to_owned() });
        }
        _ => {}
    }
    let Some(value) = evaluator.values.pop() else { return fail(None, "the condition is empty".to_owned()) };
    match value.error {
        Some(message) => Err(ConditionError { origin: Some(value.origin), message: message.to_owned() }),
        None => Ok(value.bits != 0),
    }
}

#[derive(Default)]
struct Evaluator {
    values: Vec<Value>,
    operators: Vec<Operator>,
}

impl Evaluator {
    fn reduce_while(&mut self, applies: impl Fn(&Operator) -> bool) {
        while let Some(operator) = self.operators.last().copied().filter(&applies) {
            self.operators.pop();
            self.reduce(operator);
        }
    }

    /// Applies an operator to the values on the stack. The parser above pushes a value for every operand, so a
    /// missing one cannot happen; it would leave the stack as it is.
    fn reduce(&mut self, operator: Operator) {
        let Some(last) = self.values.pop() else { return };
        let result = match operator {
            Operator::Unary(punct) => unary(punct, last),
            Operator::Binary(punct, _) => {
                let Some(left) = self.values.pop() else { return };
                binary(punct, left, last)
            }
            Operator::Colon => {
                let (Some(middle), Some(condition)) = (self.values.pop(), self.values.pop()) else { return };
                let chosen = if condition.bits != 0 { middle } else { last };
                Value {
                    unsigned: middle.unsigned || last.unsigned,
                    error: condition.error.or(chosen.error),
                    origin: if condition.error.is_some() { condition.origin } else { chosen.origin },
                    ..chosen
                }
            }
            Operator::Open(_) | Operator::Question(_) => last,
        };
        self.values.push(result);
    }
}

fn precedence(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::Comma => 0,
        Punct::PipePipe => 1,
        Punct::AmpAmp => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::EqEq | Punct::BangEq => 6,
        Punct::Lt | Punct::Gt | Punct::LtEq | Punct::GtEq => 7,
        Punct::Shl | Punct::Shr => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

fn unary(punct: Punct, value: Value) -> Value {
    match punct {
        Punct::Bang => Value { bits: u64::from(value.bits == 0), unsigned: false, ..value },
        Punct::Tilde => Value { bits: !value.bits, ..value },
        Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
        _ => value,
    }
}

fn binary(punct: Punct, left: Value, right: Value) -> Value {
    let truth = |bits: bool| (u64::from(bits), false);
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (signed_a, signed_b) = (a as i64, b as i64);
    let mut error = left.error.map(|error| (error, left.origin));
    if error.is_none() {
        let skipped = match punct {
            Punct::AmpAmp => a == 0,
            Punct::PipePipe => a != 0,
            _ => false,
        };
        error = if skipped { None } else { right.error.map(|error| (error, right.origin)) };
    }
    let (bits, unsigned) = match punct {
        Punct::Comma => (b, right.unsigned),
        Punct::AmpAmp => truth(a != 0 && b != 0),
        Punct::PipePipe => truth(a != 0 || b != 0),
        Punct::Pipe => (a | b, unsigned),
        Punct::Caret => (a ^ b, unsigned),
        Punct::Amp => (a & b, unsigned),
        Punct::EqEq => truth(a == b),
        Punct::BangEq => truth(a != b),
        Punct::Lt => truth(if unsigned { a < b } else { signed_a < signed_b }),
        Punct::Gt => truth(if unsigned { a > b } else { signed_a > signed_b }),
        Punct::LtEq => truth(if unsigned { a <= b } else { signed_a <= signed_b }),
        Punct::GtEq => truth(if unsigned { a >= b } else { signed_a >= signed_b }),
        // A shift by the width or more, negative counts among them, is undefined; this is what clang computes.
        Punct::Shl => (if b < 64 { a << b } else { 0 }, left.unsigned),
        Punct::Shr if left.unsigned => (a >> b.min(63), true),
        Punct::Shr => ((signed_a >> b.min(63)) as u64, false),
        Punct::Plus => (a.wrapping_add(b), unsigned),
        Punct::Minus => (a.wrapping_sub(b), unsigned),
        Punct::Star => (a.wrapping_mul(b), unsigned),
        Punct::Slash | Punct::Percent if b == 0 => {
            let message = if punct == Punct::Slash { "division by zero" } else { "remainder of a division by zero" };
            error = error.or(Some((message, right.origin)));
            (0, unsigned)
        }
        Punct::Slash if unsigned => (a / b, true),
        Punct::Slash => (signed_a.wrapping_div(signed_b) as u64, false),
        Punct::Percent if unsigned => (a % b, true),
        _ => (signed_a.wrapping_rem(signed_b) as u64, false),
    };
    let origin = error.map_or(left.origin, |(_, origin)| origin);
    Value { bits, unsigned, error: error.map(|(message, _)| message), origin }
}

/// The value of an integer literal and whether it is unsigned.
fn integer(spelling: &[u8]) -> Result<(u64, bool), &'static str> {
    let digits: Vec<u8> = spelling.iter().copied().filter(|&byte| byte != b'\'').collect();
    let (radix, rest) = match digits.as_slice() {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] => (2, rest),
        [b'0', ..] => (8, &digits[..]),
        _ => (10, &digits[..]),
    };
    let end = rest.iter().position(|&byte| !(byte as char).is_digit(radix)).unwrap_or(rest.len());
    if end == 0 {
        return Err("invalid integer literal");
    }
    let suffix = rest[end..].to_ascii_lowercase();
    let unsigned_suffix = match suffix.as_slice() {
        b"" | b"l" | b"ll" | b"z" => false,
        b"u" | b"ul" | b"lu" | b"ull" | b"llu" | b"uz" | b"zu" => true,
        _ => return Err("invalid suffix of an integer literal"),
    };
    let mut value = 0u64;
    for &byte in &rest[..end] {
        let digit = (byte as char).to_digit(radix).unwrap_or(0);
        value = value
            .checked_mul(u64::from(radix))
            .and_then(|value| value.checked_add(u64::from(digit)))
            .ok_or("this integer literal is too large")?;
    }
    Ok((value, unsigned_suffix || value > i64::MAX as u64))
}

/// The value of a character literal and whether it is unsigned.
fn character(spelling: &[u8]) -> Option<(u64, bool)> {
    let open = spelling.iter().position(|&byte| byte == b'\'')?;
    let inner = spelling.get(open + 1..spelling.len().checked_sub(1)?)?;
    let wide = open > 0;
    let mut value = 0u64;
    let mut count = 0;
    let mut at = 0;
    while at < inner.len() {
        let (unit, length) = if inner[at] == b'\\' {
            escape(&inner[at..])?
        } else if wide {
            let text = std::str::from_utf8(&inner[at..]).ok()?;
            let character = text.chars().next()?;
            (character as u64, character.len_utf8())
        } else {
            (u64::from(inner[at]), 1)
        };
        value = if wide { unit } else { value << 8 | unit & 0xff };
        count += 1;
        at += length;
    }
    // `char` is signed; several characters make an `int`.
    match (wide, count) {
        (_, 0) => None,
        (true, _) => Some((value, spelling[0] != b'L')),
        (false, 1) => Some((value as u8 as i8 as i64 as u64, false)),
        (false, _) => Some((value as u32 as i32 as i64 as u64, false)),
    }
}

/// The value of the escape sequence at the start of `text`, and its length.
fn escape(text: &[u8]) -> Option<(u64, usize)> {
    let simple = |value: u8| Some((u64::from(value), 2));
    match text.get(1)? {
        b'n' => simple(b'\n'),
        b't' => simple(b'\t'),
        b'r' => simple(b'\r'),
        b'a' => simple(7),
        b'b' => simple(8),
        b'f' => simple(12),
        b'v' => simple(11),
        b'e' => simple(27),
        b'0'..=b'7' => {
            let digits = text[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
            let (value, count) =
                digits.fold((0, 0), |(value, count), &byte| (value * 8 + u64::from(byte - b'0'), count + 1));
            Some((value, count + 1))
        }
        marker @ (b'x' | b'u' | b'U') => {
            let most = match marker {
                b'x' => 16,
                b'u' => 4,
                _ => 8,
            };
            let digits = text[2..].iter().take(most).map_while(|&byte| (byte as char).to_digit(16));
            let (value, count) =
                digits.fold((0u64, 0), |(value, count), digit| (value << 4 | u64::from(digit), count + 1));
            (count > 0).then_some((value, count + 2))
        }
        &other => simple(other),
    }
}
