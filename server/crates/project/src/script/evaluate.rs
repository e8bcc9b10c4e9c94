//! What expressions of scripts come to: literals, variables, joined lists, formatted strings.

use super::*;

impl Script<'_> {
    /// The arguments in a range, with their labels.
    pub(super) fn arguments(
        &mut self,
        range: std::ops::Range<usize>,
        scope: &Scope,
        depth: u32,
    ) -> Vec<(Option<String>, Value)> {
        let mut arguments = Vec::new();
        for part in self.split(range) {
            let is_label = self.tokens.is_word(part.start)
                && ((self.tokens.is(part.start + 1, "=") && !self.tokens.is(part.start + 2, "="))
                    || (self.tokens.is(part.start + 1, ":") && !self.tokens.is(part.start + 2, ":")));
            let (label, value) = if is_label && part.len() > 2 {
                (Some(self.tokens.text(part.start).to_owned()), part.start + 2..part.end)
            } else {
                (None, part)
            };
            let value = self.evaluate(value, scope, depth);
            arguments.push((label, value));
        }
        arguments
    }

    /// The parts between commas (semicolons in OCaml's lists) at the top of a range.
    pub(super) fn split(&self, range: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            if self.tokens.is_open(at) {
                at = self.tokens.close_of(at).max(at);
            } else if self.tokens.is(at, ",") || (self.tokens.dialect == Dialect::OCaml && self.tokens.is(at, ";")) {
                parts.push(start..at);
                start = at + 1;
            }
            at += 1;
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The value of an expression; an unknown word where it is not understood.
    pub(super) fn evaluate(&mut self, range: std::ops::Range<usize>, scope: &Scope, depth: u32) -> Value {
        let range = range.start..range.end.min(self.tokens.list.len());
        let unknown = |known: Known| {
            let (first, last) = (self.tokens.list.get(range.start), self.tokens.list.get(range.end.saturating_sub(1)));
            let (start, end) = first.zip(last).map_or((0, 0), |(first, last)| (first.start, last.end.max(first.start)));
            let spelling: String = self.tokens.file.text.get(start..end).unwrap_or_default().chars().take(80).collect();
            Value::word(Text::unknown(&spelling, Origin::new(self.tokens.file.id, start, end), known))
        };
        if range.is_empty() || depth > MAX_DEPTH || self.fuel == 0 {
            return unknown(Known::NotTheWords);
        }
        self.fuel -= 1;
        // Concatenation.
        let mut operands = Vec::new();
        let mut start = range.start;
        let mut at = range.start;
        while at < range.end {
            if self.tokens.is_open(at) {
                at = self.tokens.close_of(at);
            } else if at > start
                && (self.tokens.is(at, "+") || (self.tokens.is(at, "@") && self.tokens.dialect == Dialect::OCaml))
            {
                let length = if self.tokens.is(at + 1, "+") { 2 } else { 1 };
                operands.push(start..at);
                start = at + length;
                at += length - 1;
            }
            at += 1;
        }
        if !operands.is_empty() {
            operands.push(start..range.end);
            let values: Vec<Value> =
                operands.into_iter().map(|operand| self.evaluate(operand, scope, depth + 1)).collect();
            if values.iter().any(|value| value.is_list) {
                return Value::list(values.into_iter().flat_map(spread_unknown).collect());
            }
            let mut joined = Text::default();
            values.iter().flat_map(|value| &value.words).for_each(|word| joined.push_text(word));
            return Value::word(joined);
        }
        match self.primary(range.clone(), scope, depth) {
            Some(value) => value,
            None => {
                let is_spread = matches!(self.tokens.text(range.start), "*" | "...");
                unknown(if is_spread { Known::NotTheWords } else { Known::NotTheValue })
            }
        }
    }

    /// The value of an expression without operators.
    pub(super) fn primary(&mut self, range: std::ops::Range<usize>, scope: &Scope, depth: u32) -> Option<Value> {
        let tokens = self.tokens;
        let mut start = range.start;
        let mut end = range.end;
        // Marks that change nothing: `&x`, `*x`, `...x`, `@"…"`, `.{`, `#*`, `try`, `await`, `new`.
        let mut spreads = false;
        while start < end {
            match tokens.text(start) {
                "*" | "..." => spreads = true,
                "." if tokens.is(start + 1, ".") || tokens.is(start + 1, "{") => spreads |= tokens.is(start + 1, "."),
                "&" | "@" | "try" | "await" | "new" | "mut" => {}
                _ => break,
            }
            start += 1;
        }
        end = self.without_conversions(start, end);
        if start >= end {
            return None;
        }
        let list = &tokens.list;
        // Strings that stand side by side are one.
        if (start..end).all(|at| matches!(list[at].kind, TokenKind::String { .. })) {
            let mut joined = Text::default();
            (start..end).for_each(|at| joined.push_text(&self.string(at, scope)));
            return Some(Value::word(joined));
        }
        if let (TokenKind::Words(words), 1) = (&list[start].kind, end - start) {
            return Some(Value::list(words.clone()));
        }
        // A bracketed list that is the whole expression.
        if tokens.is_open(start) && tokens.close_of(start) + 1 == end {
            let parts = self.split(start + 1..end - 1);
            let is_list = !tokens.is(start, "(") || parts.len() > 1 || tokens.is(end - 2, ",");
            if !is_list {
                return parts.first().map(|part| self.evaluate(part.clone(), scope, depth + 1));
            }
            let mut words = Vec::new();
            for part in parts {
                let is_spread = matches!(tokens.text(part.start), "*" | ".");
                let value = self.evaluate(part, scope, depth + 1);
                words.extend(if is_spread { spread_unknown(value) } else { value.words });
            }
            words.truncate(8192);
            return Some(Value::list(words));
        }
        if !tokens.is_word(start) {
            return None;
        }
        let name = tokens.text(start);
        if end - start == 1 {
            let variable = scope.variables.get(name)?;
            let value = variable.value.clone();
            return Some(if spreads { Value::list(spread_unknown(value)) } else { value });
        }
        if let Some((words, chain_end)) = self.command_chain(start, scope, depth)
            && chain_end == end
        {
            return Some(Value::list(words));
        }
        // `vec![…]`, `format!(…)`, `[_][]const u8{…}`, and calls.
        let open = (start..end).find(|&at| tokens.is_open(at))?;
        if tokens.close_of(open) + 1 != end {
            return None;
        }
        let callee = tokens.text(open.checked_sub(1)?);
        let before = open.checked_sub(2).map_or("", |at| tokens.text(at));
        match callee {
            "!" if before == "vec" => {
                let parts = self.split(open + 1..end - 1);
                let values: Vec<Value> = parts.into_iter().map(|part| self.evaluate(part, scope, depth + 1)).collect();
                Some(Value::list(values.into_iter().flat_map(|value| value.words).collect()))
            }
            "!" if before == "format" => self.format(open + 1..end - 1, scope, depth),
            "join" | "resolve" => {
                let values = self.arguments(open + 1..end - 1, scope, depth + 1);
                let mut joined = Text::default();
                for (index, (_, value)) in values.iter().enumerate() {
                    let [word] = value.words.as_slice() else { return None };
                    if index > 0 {
                        joined.push_known("/", tokens.origin(open));
                    }
                    joined.push_text(word);
                }
                (values.len() > 1).then(|| Value::word(joined))
            }
            "str" | "String" | "Path" | "PathBuf" | "from" | "list" | "tuple" | "Array" | "glob"
                if callee != "glob" =>
            {
                Some(self.evaluate(open + 1..end - 1, scope, depth + 1))
            }
            _ => None,
        }
    }

    /// Cuts conversions that keep the text: `.to_string()`, `.as_str()`, `.path`, ….
    pub(super) fn without_conversions(&self, start: usize, mut end: usize) -> usize {
        loop {
            let is_call = end >= start + 5 && self.tokens.is(end - 1, ")") && self.tokens.is(end - 2, "(");
            let name = if is_call { self.tokens.text(end - 3) } else { "" };
            let keeps = matches!(
                name,
                "to_string"
                    | "to_owned"
                    | "into"
                    | "as_str"
                    | "clone"
                    | "to_str"
                    | "unwrap"
                    | "to_vec"
                    | "iter"
                    | "copy"
                    | "display"
                    | "as_ref"
                    | "to_s"
                    | "as_posix"
                    | "freeze"
                    | "strip"
                    | "trim"
                    | "to_string_lossy"
            );
            if keeps && self.tokens.is(end - 4, ".") {
                end -= 4;
            } else {
                return end;
            }
        }
    }

    /// `format!("…{}…", a)`.
    pub(super) fn format(&mut self, range: std::ops::Range<usize>, scope: &Scope, depth: u32) -> Option<Value> {
        let parts = self.split(range);
        let template = self.tokens.string(parts.first()?.start)?;
        let text = template.text();
        let mut values = parts[1..].iter();
        let mut result = Text::default();
        let mut start = 0;
        while let Some(open) = text[start..].find('{').map(|at| start + at) {
            let close = open + text[open..].find('}')?;
            result.push_text(&template.slice(start..open));
            let inner = text[open + 1..close].split(':').next().unwrap_or_default();
            if inner.is_empty() {
                let value = self.evaluate(values.next()?.clone(), scope, depth + 1);
                value.words.iter().for_each(|word| result.push_text(word));
            } else {
                let origin = template.slice(open..close + 1).origin()?;
                result.push_text(&self.hole(inner, origin, scope));
            }
            start = close + 1;
        }
        result.push_text(&template.slice(start..text.len()));
        Some(Value::word(result))
    }

    /// A string with the holes that hold plain variables filled in.
    pub(super) fn string(&self, at: usize, scope: &Scope) -> Text {
        let mut text = Text::default();
        let Some(TokenKind::String { parts, .. }) = self.tokens.list.get(at).map(|token| &token.kind) else {
            return text;
        };
        for part in parts {
            match part {
                StringPart::Literal(literal) => text.push_text(literal),
                StringPart::Hole { expression, origin } => text.push_text(&self.hole(expression, *origin, scope)),
            }
        }
        text
    }

    pub(super) fn hole(&self, expression: &str, origin: Origin, scope: &Scope) -> Text {
        match scope.variables.get(expression.trim()).map(|variable| &variable.value) {
            Some(Value { words, is_list: false }) if words.len() == 1 => words[0].clone(),
            _ => Text::unknown(&format!("{{{expression}}}"), origin, Known::NotTheValue),
        }
    }
}

/// The words of a value; what may be a list and is not known may be any number of words.
pub(super) fn spread_unknown(value: Value) -> Vec<Text> {
    if value.is_list {
        return value.words;
    }
    let as_words = |word: Text| match word.pieces() {
        [piece] if piece.known == Known::NotTheValue => {
            let spelling = word.spelling();
            Text::unknown(&spelling, piece.origin, Known::NotTheWords)
        }
        _ => word,
    };
    value.words.into_iter().map(as_words).collect()
}

pub(super) fn spread(value: Value) -> Vec<Text> {
    value.words
}

/// A word that is added only sometimes: one that decides the version makes it unknown.
pub(super) fn uncertain(word: Text) -> Text {
    let text = word.text();
    let decides = ["-std", "--std", "-m", "-target", "--target"].iter().any(|prefix| text.starts_with(prefix));
    match word.origin() {
        Some(origin) if decides => Text::unknown(&word.spelling(), origin, Known::NotTheWords),
        _ => word,
    }
}
