//! One line for each finding, as compilers print them: Xcode, Vim, Emacs and most build tools find the place by it.

use std::io::{self, BufWriter, Write};

use msl_diagnostics::{Place, Severity};

use super::{Output, text::by_version};
use crate::cli::sources::{ColumnUnit, Sources};

/// `path:line:column: severity: message [code]`, lines and columns from 1, columns in bytes. Related places follow as
/// notes. Only `error`, `warning` and `note` are words that those tools know, so hints and information are notes.
pub(super) fn print(output: &Output, sources: &mut Sources, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for (finding, versions) in by_version(output) {
        let diagnostic = &finding.diagnostic;
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information | Severity::Hint => "note",
        };
        write_place(&mut out, &diagnostic.place, sources)?;
        write!(out, "{severity}: {} [{}]", one_line(&diagnostic.message), diagnostic.code.as_str())?;
        if versions.len() < output.versions {
            write!(out, " (only under {})", versions.join(", "))?;
        }
        writeln!(out)?;
        for related in &diagnostic.related {
            write_place(&mut out, &related.place, sources)?;
            writeln!(out, "note: {}", one_line(&related.message))?;
        }
    }
    out.flush()
}

fn write_place(out: &mut impl Write, place: &Place, sources: &mut Sources) -> io::Result<()> {
    let (start, _) = sources.positions(place, ColumnUnit::Utf8Bytes);
    write!(out, "{}:{}:{}: ", place.path, start.line + 1, start.column + 1)
}

fn one_line(message: &str) -> String {
    message.replace('\n', " ")
}
