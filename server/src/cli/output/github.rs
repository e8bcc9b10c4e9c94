//! Workflow annotations: one command line for each finding, which GitHub shows at the line of a pull request.

use std::io::{self, BufWriter, Write};

use msl_diagnostics::Severity;

use super::Output;
use crate::cli::sources::{ColumnUnit, Sources};

pub(super) fn print(output: &Output, sources: &mut Sources, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for finding in output.shown() {
        let diagnostic = &finding.diagnostic;
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information | Severity::Hint => "notice",
        };
        let (start, end) = sources.positions(&diagnostic.place, ColumnUnit::Characters);
        write!(out, "::{command} file={},line={}", escape_property(&diagnostic.place.path), start.line + 1)?;
        write!(out, ",endLine={},col={}", end.line + 1, start.column + 1)?;
        if start.line == end.line {
            write!(out, ",endColumn={}", end.column + 1)?;
        }
        writeln!(
            out,
            ",title={}::{} ({})",
            escape_property(diagnostic.code.as_str()),
            escape_data(&diagnostic.message),
            finding.version
        )?;
    }
    out.flush()
}

fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}
