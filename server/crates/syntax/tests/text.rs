//! Texts and line indexes against a slow model that counts characters one by one.

use std::ops::Range;

use msl_syntax::{LineColumn, LineIndex, PositionEncoding, Text, decode_utf8};
use proptest::prelude::*;

/// Lines as LSP has them, each with the offset of its start, without its terminator.
fn model_lines(text: &str) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let terminator = if rest.starts_with("\r\n") {
            2
        } else if rest.starts_with(['\n', '\r']) {
            1
        } else {
            at += rest.chars().next().expect("a character").len_utf8();
            continue;
        };
        lines.push((start, &text[start..at]));
        at += terminator;
        start = at;
    }
    lines.push((start, &text[start..]));
    lines
}

fn model_position(text: &str, offset: usize, encoding: PositionEncoding) -> LineColumn {
    let lines = model_lines(text);
    let line = lines.iter().rposition(|(start, _)| *start <= offset).expect("line 0 starts at 0");
    let (start, content) = lines[line];
    let mut column = 0;
    let mut at = start;
    for character in content.chars() {
        at += character.len_utf8();
        if at > offset {
            break;
        }
        column += encoding.width(character);
    }
    LineColumn::new(line as u32, column)
}

fn model_offset(text: &str, position: LineColumn, encoding: PositionEncoding) -> usize {
    let lines = model_lines(text);
    let Some(&(start, content)) = lines.get(position.line as usize) else { return text.len() };
    let mut column = 0u32;
    for (at, character) in content.char_indices() {
        column += encoding.width(character);
        if column > position.column {
            return start + at;
        }
    }
    start + content.len()
}

/// Short texts that are rich in line ends, wide characters and characters that Unicode, but not LSP, calls line ends.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n"),
        Just("\r"),
        Just("\r\n"),
        Just("a"),
        Just("bc"),
        Just("é"),
        Just("€"),
        Just("😀"),
        Just("\u{2028}"),
        Just("\u{85}"),
        Just("\u{b}"),
        Just("{"),
        Just(";"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn any_edits() -> impl Strategy<Value = Vec<(Range<u32>, String)>> {
    let edit = (0u32..60, 0u32..20, any_text()).prop_map(|(start, len, text)| (start..start + len, text));
    prop::collection::vec(edit, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn positions_and_offsets_are_those_of_the_model(text in any_text()) {
        let rope = Text::new(&text);
        let index = LineIndex::new(&text);
        prop_assert_eq!(rope.line_count(), index.line_count());
        prop_assert_eq!(rope.line_count() as usize, model_lines(&text).len());
        for line in 0..=rope.line_count() {
            prop_assert_eq!(rope.line_range(line), index.line_range(line));
        }
        for encoding in PositionEncoding::ALL {
            for offset in 0..=text.len() as u32 + 2 {
                let expected = model_position(&text, offset.min(text.len() as u32) as usize, encoding);
                prop_assert_eq!(rope.position(offset, encoding), expected, "{} {:?}", offset, encoding);
                prop_assert_eq!(index.position(offset, encoding), expected, "{} {:?}", offset, encoding);
            }
            for line in 0..rope.line_count() + 2 {
                for column in (0..30).chain([u32::MAX]) {
                    let position = LineColumn::new(line, column);
                    let expected = model_offset(&text, position, encoding) as u32;
                    prop_assert_eq!(rope.offset(position, encoding), expected, "{:?} {:?}", position, encoding);
                    prop_assert_eq!(index.offset(position, encoding), expected, "{:?} {:?}", position, encoding);
                }
            }
        }
    }

    #[test]
    fn edits_by_offset_are_those_of_a_string(start in any_text(), edits in any_edits()) {
        let mut text = Text::new(&start);
        let mut model = start;
        for (range, new) in edits {
            let range = text.clamp_range(range);
            let before = text.clone();
            let applied = text.replace(range.clone(), &new);
            prop_assert_eq!(&**before.to_str(), model.as_str(), "a clone keeps its version");
            model.replace_range(range.start as usize..range.end as usize, &new);
            prop_assert_eq!(&**text.to_str(), model.as_str());
            prop_assert_eq!(applied.replaced.clone(), range);
            let inserted = applied.inserted();
            prop_assert_eq!(&model[inserted.start as usize..inserted.end as usize], new.as_str());
        }
        prop_assert_eq!(&text, &Text::new(&model));
        prop_assert_eq!(text.len() as usize, model.len());
    }

    #[test]
    fn edits_by_position_are_those_of_a_string(
        start in any_text(),
        edits in prop::collection::vec((0u32..8, 0u32..12, 0u32..8, 0u32..12, any_text()), 1..8),
        encoding in prop::sample::select(PositionEncoding::ALL.to_vec()),
    ) {
        let mut text = Text::new(&start);
        let mut model = start;
        for (line, column, end_line, end_column, new) in edits {
            let range = LineColumn::new(line, column)..LineColumn::new(end_line, end_column);
            let from = model_offset(&model, range.start, encoding);
            let to = model_offset(&model, range.end, encoding).max(from);
            text.replace_positions(Some(range), encoding, &new);
            model.replace_range(from..to, &new);
            prop_assert_eq!(&**text.to_str(), model.as_str());
        }
        let index = LineIndex::new(&model);
        for offset in 0..=text.len() {
            for encoding in PositionEncoding::ALL {
                prop_assert_eq!(text.position(offset, encoding), index.position(offset, encoding));
            }
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_keep_the_offsets_of_the_others(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let (text, invalid) = decode_utf8(&bytes);
        prop_assert_eq!(text.len(), bytes.len());
        for (offset, (&old, &new)) in bytes.iter().zip(text.as_bytes()).enumerate() {
            if invalid.iter().any(|range| range.contains(&(offset as u32))) {
                prop_assert_eq!(new, 0x1A);
            } else {
                prop_assert_eq!(new, old);
            }
        }
    }
}

/// Ropes split long texts into pieces; a line end or a character must not be lost between two of them.
#[test]
fn long_texts_cross_the_pieces_of_a_rope() {
    let source = "short\r\nlöng 😀 line\rnext\n".repeat(2_000);
    let text = Text::new(&source);
    let index = LineIndex::new(&source);
    assert_eq!(text.line_count(), 6_001);
    for offset in (0..text.len()).step_by(7).chain([text.len()]) {
        for encoding in PositionEncoding::ALL {
            let position = text.position(offset, encoding);
            assert_eq!(index.position(offset, encoding), position);
            assert_eq!(index.offset(position, encoding), text.offset(position, encoding));
        }
    }
    assert_eq!(text.slice(7..text.len()), source[7..]);
}

#[test]
fn without_a_range_everything_is_replaced() {
    let mut text = Text::new("one\ntwo");
    let edit = text.replace_positions(None, PositionEncoding::Utf16, "three");
    assert_eq!((edit.replaced, edit.new_len), (0..7, 5));
    assert_eq!(&**text.to_str(), "three");
}

#[test]
fn a_file_with_a_stray_byte() {
    let (text, invalid) = Text::from_bytes(b"// caf\xE9 \xFF\xFE\nkernel void f() {}");
    assert_eq!(invalid, [6..7, 8..10]);
    assert_eq!(text.slice(text.line_range(1)), "kernel void f() {}");
    assert_eq!(text.to_bytes().len(), 29);
}
