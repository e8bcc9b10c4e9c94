//! Findings that speak of how something is written, and so hold only where the author wrote it.
//!
//! That a value is not used or a branch is empty says nothing about the author if a macro wrote it: another use, or
//! another definition, of the macro may need it. And a variable that is not named in this configuration of the
//! preprocessor may be named in another one.

use msl_db::BodyPlace;
use msl_diagnostics::Code;
use msl_parser::ast::TokenRange;
use msl_preproc::{Preprocessed, TokenKind};
use msl_ty::sema::TyDiagnostic;
use rustc_hash::FxHashSet;

use crate::places::TokenPlaces;

/// Whether a finding is to be shown, as far as that depends on how the code is written.
pub(crate) fn holds_as_written(places: &TokenPlaces<'_>, body: Option<BodyPlace>, finding: &TyDiagnostic) -> bool {
    match finding.code {
        Code::UnusedVariable => {
            stands_in_file(places, body, finding.range) && !is_named_elsewhere(places, body, finding.range)
        }
        Code::EmptyBody => stands_in_file(places, body, finding.range) && ends_its_line(places, body, finding.range),
        Code::UnreachableCode
        | Code::UnusedValue
        | Code::SelfAssignment
        | Code::AssignmentInCondition
        | Code::OperatorPrecedence
        | Code::ConstantComparison
        | Code::ConstantConversion
        | Code::DivisionByZero
        | Code::ShiftCount
        | Code::IndexOutOfBounds
        | Code::UninitializedVariable => stands_in_file(places, body, finding.range),
        _ => true,
    }
}

/// Whether the first and the last token of a range stand in a file as they are, and not in a macro or its arguments.
fn stands_in_file(places: &TokenPlaces<'_>, body: Option<BodyPlace>, range: TokenRange) -> bool {
    [range.start, range.end.saturating_sub(1)].into_iter().all(|number| in_file(places, body, number).is_some())
}

/// The expanded token of a number, if no macro has to do with it.
fn in_file(places: &TokenPlaces<'_>, body: Option<BodyPlace>, number: u32) -> Option<usize> {
    let token = places.first(body, number)?;
    let preprocessed = places.places.preprocessed;
    preprocessed.map.step_out(*preprocessed.origins.get(token)?).is_none().then_some(token)
}

/// Whether nothing but blanks of the same line stands before a token and behind the one before it.
fn ends_its_line(places: &TokenPlaces<'_>, body: Option<BodyPlace>, range: TokenRange) -> bool {
    let between = || {
        let before = in_file(places, body, range.start.checked_sub(1)?)?;
        let token = in_file(places, body, range.start)?;
        let Preprocessed { map, origins, .. } = places.places.preprocessed;
        let (file, before) = map.spelled_range(origins[before]);
        let (own, token) = map.spelled_range(origins[token]);
        let text = map.text(file).filter(|_| file == own)?;
        text.get(before.end as usize..token.start as usize)
    };
    between().is_some_and(|text| text.iter().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// Whether a name stands behind its declaration in the text of the function, at a place that gives no token: in a part
/// that the preprocessor skips, or in the argument of a macro that leaves it out.
fn is_named_elsewhere(places: &TokenPlaces<'_>, body: Option<BodyPlace>, name: TokenRange) -> bool {
    let Preprocessed { map, origins, tokens, .. } = places.places.preprocessed;
    let end = match body {
        Some(BodyPlace::Deferred(body)) => places.layout.bodies.get(body as usize).map(|tokens| tokens.end as usize),
        Some(BodyPlace::Inline(range)) => places.first(None, range.end.saturating_sub(1)).map(|last| last + 1),
        None => None,
    };
    let (Some(declared), Some(end)) = (places.first(body, name.start), end) else { return true };
    let Some(run) = tokens.get(declared..end).filter(|run| !run.is_empty()) else { return true };
    let word = run[0].name;
    let (file, start) = map.spelled_range(origins[declared]);
    let (last_file, last) = map.spelled_range(origins[end - 1]);
    let Some(text) = map.text(file).filter(|_| file == last_file) else { return true };
    let Some(text) = text.get(start.start as usize..last.end as usize) else { return true };
    let mut known: FxHashSet<u32> = FxHashSet::default();
    for (token, &origin) in run.iter().zip(&origins[declared..end]) {
        if token.kind == TokenKind::Ident && token.name == word {
            known.insert(map.spelled_range(origin).1.start);
        }
    }
    words(text).any(|(offset, found)| found == word.bytes() && !known.contains(&(start.start + offset as u32)))
}

/// The words of a text and where they start; those in comments and in string literals are left out.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = &text[at..];
            let length = rest.iter().take_while(|byte| is_word(byte)).count();
            if length > 0 {
                at += length;
                return Some((at - length, &rest[..length]));
            }
            at += match rest {
                [b'/', b'/', ..] => rest.iter().take_while(|&&byte| byte != b'\n').count(),
                [b'/', b'*', inside @ ..] => {
                    inside.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 4)
                }
                [b'"', inside @ ..] => {
                    let end = inside.iter().position(|&byte| matches!(byte, b'"' | b'\n'));
                    end.map_or(rest.len(), |end| end + 2)
                }
                _ => 1,
            };
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_outside_of_comments_and_strings() {
        let text = b"a /* b */ c_1 // d\n\"e\" f /* g";
        let found: Vec<_> = words(text).map(|(at, word)| (at, std::str::from_utf8(word).unwrap_or_default())).collect();
        assert_eq!(found, [(0, "a"), (10, "c_1"), (23, "f")]);
    }
}
