//! Fixtures: source texts with marks.
//!
//! * `$0` is the cursor.
//! * A comment line of carets names a range in the line above: `//  ^^^ label`. Several may stand in one line.

use msl_diagnostics::TextRange;

/// Takes the cursor out of a text and says where it was. Panics if there is none, as a fixture without one is a
/// mistake in the test.
pub fn extract_cursor(text: &str) -> (String, u32) {
    let at = text.find("$0").expect("the fixture has a cursor `$0`");
    (format!("{}{}", &text[..at], &text[at + 2..]), at as u32)
}

/// The ranges that comments of carets name, with their labels. The text stays as it is.
pub fn annotations(text: &str) -> Vec<(TextRange, String)> {
    let mut found = Vec::new();
    let mut above = 0..0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let is_marks = content.trim_start().starts_with("//") && content.contains('^');
        if !is_marks {
            above = start..start + content.len();
            start += line.len();
            continue;
        }
        let mut at = 0;
        while let Some(caret) = content[at..].find('^').map(|caret| at + caret) {
            let end = content[caret..].find(|c| c != '^').map_or(content.len(), |end| caret + end);
            let label_end = content[end..].find('^').map_or(content.len(), |next| end + next);
            let range =
                TextRange::new((above.start + caret).min(above.end) as u32, (above.start + end).min(above.end) as u32);
            found.push((range, content[end..label_end].trim().to_owned()));
            at = label_end;
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor() {
        assert_eq!(extract_cursor("a$0b"), ("ab".to_owned(), 1));
    }

    #[test]
    fn carets_name_ranges_above() {
        let text = "int abc = d;\n//  ^^^ n ^ value\n//^ again\n";
        let seen =
            annotations(text).into_iter().map(|(r, label)| (text[r.start as usize..r.end as usize].to_owned(), label));
        let seen: Vec<_> = seen.collect();
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(seen, [pair("abc", "n"), pair("d", "value"), pair("t", "again")]);
    }
}
