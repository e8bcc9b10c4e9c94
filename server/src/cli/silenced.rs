//! Comments that silence findings in files of any language.

use msl_diagnostics::Diagnostic;

use super::sources::Sources;

/// Whether a comment silences a finding: `msl-analyzer: allow(code)` on its line or alone above it, or `allow-file(code)`
/// anywhere, in whatever way the language of the file writes comments.
pub(super) fn is_silenced(diagnostic: &Diagnostic, sources: &mut Sources) -> bool {
    let text = sources.text(&diagnostic.place.path);
    let text = String::from_utf8_lossy(&text.bytes).into_owned();
    let names = |line: &str, keyword: &str| {
        let Some((_, rest)) = line.split_once("msl-analyzer:") else { return false };
        let Some(rest) = rest.trim_start().strip_prefix(keyword) else { return false };
        let list = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split(')').next()).unwrap_or_default();
        let is_it = |name: &str| name == diagnostic.code.as_str() || name == diagnostic.code.group().as_str();
        list.split(',').any(|name| is_it(name.trim()))
    };
    let line = text.as_bytes()[..(diagnostic.place.range.start as usize).min(text.len())]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count();
    text.lines().enumerate().any(|(number, content)| {
        let is_alone = || !content.split("msl-analyzer:").next().unwrap_or_default().contains(char::is_alphanumeric);
        names(content, "allow-file")
            || (number == line && names(content, "allow"))
            || (number + 1 == line && is_alone() && names(content, "allow"))
    })
}
