//! Expansion of variables and functions of Make.

use super::*;

impl Make<'_> {
    /// Expands `$…` in a text.
    pub(super) fn expand(&mut self, text: &Text, depth: u32) -> Text {
        let all = text.text();
        if !all.contains('$') {
            return text.clone();
        }
        if depth > MAX_DEPTH || self.fuel == 0 {
            return Text::default();
        }
        self.fuel -= 1;
        let bytes = all.as_bytes();
        let mut result = Text::default();
        let mut start = 0;
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] != b'$' || at + 1 >= bytes.len() {
                at += 1;
                continue;
            }
            result.push_text(&text.slice(start..at));
            match bytes[at + 1] {
                b'$' => {
                    result.push_text(&text.slice(at + 1..at + 2));
                    at += 2;
                }
                open @ (b'(' | b'{') => {
                    let close = if open == b'(' { b')' } else { b'}' };
                    let end = closing(bytes, at + 1, open, close);
                    let origin = text.slice(at..(end + 1).min(bytes.len())).origin().unwrap_or(Origin::new(0, 0, 0));
                    let value = self.reference(&text.slice(at + 2..end), origin, depth + 1);
                    result.push_text(&value);
                    at = (end + 1).min(bytes.len());
                }
                _ => {
                    let length = all[at + 1..].chars().next().map_or(1, char::len_utf8);
                    let name = &all[at + 1..at + 1 + length];
                    let origin = text.slice(at..at + 1 + length).origin().unwrap_or(Origin::new(0, 0, 0));
                    let value = self.variable(name, origin, depth + 1);
                    result.push_text(&value);
                    at += 1 + length;
                }
            }
            start = at;
        }
        result.push_text(&text.slice(start..bytes.len()));
        self.fuel = self.fuel.saturating_sub(result.cost());
        result
    }

    pub(super) fn variable(&mut self, name: &str, origin: Origin, depth: u32) -> Text {
        match self.variables.get(name) {
            Some(variable) if variable.is_recursive => {
                let value = variable.value.clone();
                self.expand(&value, depth)
            }
            Some(variable) => variable.value.clone(),
            None if matches!(name, "CURDIR" | "PWD") => Text::known(self.folder.clone(), origin),
            None if name == "MAKE" => Text::known("make", origin),
            // Not set means empty, unless the environment or the command line sets it.
            None => Text::default(),
        }
    }

    /// `$(…)`: a variable, a substitution or a function.
    pub(super) fn reference(&mut self, inner: &Text, origin: Origin, depth: u32) -> Text {
        let text = inner.text();
        let name_end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
        let function = &text[..name_end];
        if name_end < text.len() && FUNCTIONS.contains(&function) {
            let arguments_start = name_end + (text[name_end..].len() - text[name_end..].trim_start().len());
            let arguments = inner.slice(arguments_start..text.len());
            return self.function(function, &arguments, origin, depth);
        }
        if let Some(colon) = text.find(':').filter(|&at| text[at..].contains('=')) {
            let name = self.expand(&inner.slice(0..colon), depth).text();
            let equals = colon + text[colon..].find('=').unwrap_or_default();
            let from = self.expand(&inner.slice(colon + 1..equals), depth).text();
            let to = self.expand(&inner.slice(equals + 1..text.len()), depth);
            let value = self.variable(&name, origin, depth);
            let from = if from.contains('%') { from } else { format!("%{from}") };
            let to_text = to.text();
            let mut to = to;
            if !to_text.contains('%') {
                let mut with_percent = Text::known("%", origin);
                with_percent.push_text(&to);
                to = with_percent;
            }
            return substitute(&value, &from, &to, origin);
        }
        let name = self.expand(inner, depth);
        match name.value() {
            Some(name) => self.variable(name.trim(), origin, depth),
            None => Text::unknown(&format!("$({text})"), origin, Known::NotTheWords),
        }
    }

    pub(super) fn function(&mut self, name: &str, arguments: &Text, origin: Origin, depth: u32) -> Text {
        let text = arguments.text();
        let mut parts = Vec::new();
        let mut start = 0;
        for comma in top_level_commas(&text) {
            parts.push(arguments.slice(start..comma));
            start = comma + 1;
        }
        parts.push(arguments.slice(start..text.len()));
        let unknown = || Text::unknown(&format!("$({name} {text})"), origin, Known::NotTheWords);
        let expanded =
            |make: &mut Self, index: usize| parts.get(index).map(|part| make.expand(part, depth)).unwrap_or_default();
        match name {
            "patsubst" => {
                let (from, to, value) = (expanded(self, 0).text(), expanded(self, 1), expanded(self, 2));
                substitute(&value, from.trim(), &to, origin)
            }
            "subst" => {
                let (from, to, value) = (expanded(self, 0).text(), expanded(self, 1), expanded(self, 2));
                replace(&value, &from, &to)
            }
            "wildcard" => {
                let patterns = expanded(self, 0).split_whitespace();
                let mut found = Vec::new();
                for pattern in patterns {
                    let full = paths::join(&self.folder, &pattern.text());
                    for file in self.tree.glob(&full) {
                        found.push(Text::known(crate::shell::relative_to(&self.folder, file), origin));
                    }
                }
                join(&found, origin)
            }
            "addprefix" | "addsuffix" => {
                let (affix, words) = (expanded(self, 0), expanded(self, 1).split_whitespace());
                let words: Vec<Text> = words
                    .into_iter()
                    .map(|word| {
                        let (first, second) = if name == "addprefix" { (&affix, &word) } else { (&word, &affix) };
                        let mut joined = first.clone();
                        joined.push_text(second);
                        joined
                    })
                    .collect();
                join(&words, origin)
            }
            "notdir" | "basename" | "dir" | "abspath" | "realpath" => {
                let words: Vec<Text> = expanded(self, 0)
                    .split_whitespace()
                    .into_iter()
                    .map(|word| {
                        let path = word.text();
                        let name_start = path.rfind('/').map_or(0, |slash| slash + 1);
                        match name {
                            "notdir" => word.slice(name_start..path.len()),
                            "dir" if name_start == 0 => Text::known("./", origin),
                            "dir" => word.slice(0..name_start),
                            "basename" => {
                                let dot = path[name_start..].rfind('.').map_or(path.len(), |dot| name_start + dot);
                                word.slice(0..dot)
                            }
                            _ => Text::known(paths::join(&self.folder, &path), origin),
                        }
                    })
                    .collect();
                join(&words, origin)
            }
            "filter" | "filter-out" => {
                let patterns: Vec<String> = expanded(self, 0).split_whitespace().iter().map(Text::text).collect();
                let keep = name == "filter";
                let words: Vec<Text> = expanded(self, 1)
                    .split_whitespace()
                    .into_iter()
                    .filter(|word| {
                        let word = word.text();
                        patterns.iter().any(|pattern| stem_of(pattern, &word).is_some()) == keep
                    })
                    .collect();
                join(&words, origin)
            }
            "strip" | "sort" => join(&expanded(self, 0).split_whitespace(), origin),
            "firstword" => expanded(self, 0).split_whitespace().into_iter().next().unwrap_or_default(),
            "lastword" => expanded(self, 0).split_whitespace().pop().unwrap_or_default(),
            "if" => {
                let condition = expanded(self, 0);
                if !condition.is_known() {
                    return unknown();
                }
                let branch = if condition.trim().is_empty() { 2 } else { 1 };
                expanded(self, branch)
            }
            "or" => {
                (0..parts.len()).map(|index| expanded(self, index)).find(|value| !value.is_empty()).unwrap_or_default()
            }
            "foreach" => {
                let (variable, words) = (expanded(self, 0).text(), expanded(self, 1).split_whitespace());
                let mut results = Vec::new();
                for word in words.into_iter().take(1024) {
                    self.variables.insert(variable.trim().to_owned(), Variable { value: word, is_recursive: false });
                    results.push(expanded(self, 2));
                }
                self.variables.remove(variable.trim());
                join(&results, origin)
            }
            "call" => {
                let name = expanded(self, 0).text();
                let Some(body) = self.variables.get(name.trim()).map(|variable| variable.value.clone()) else {
                    return unknown();
                };
                let arguments: Vec<Text> = (1..parts.len()).map(|index| expanded(self, index)).collect();
                for (index, value) in arguments.into_iter().enumerate() {
                    self.variables.insert((index + 1).to_string(), Variable { value, is_recursive: false });
                }
                let result = self.expand(&body, depth);
                (1..parts.len()).for_each(|index| {
                    self.variables.remove(&index.to_string());
                });
                result
            }
            "info" | "warning" | "error" | "eval" => Text::default(),
            "shell" => {
                let command = expanded(self, 0).text();
                let words: Vec<&str> = command.split_whitespace().collect();
                let find = words.iter().position(|word| matches!(*word, "-f" | "-find" | "--find"));
                match find.and_then(|at| words.get(at + 1)) {
                    Some(tool) if words.first() == Some(&"xcrun") => Text::known(*tool, origin),
                    _ if command.trim() == "pwd" => Text::known(self.folder.clone(), origin),
                    _ => unknown(),
                }
            }
            _ => unknown(),
        }
    }
}

pub(super) const FUNCTIONS: &[&str] = &[
    "patsubst",
    "subst",
    "wildcard",
    "addprefix",
    "addsuffix",
    "notdir",
    "basename",
    "dir",
    "abspath",
    "realpath",
    "filter",
    "filter-out",
    "strip",
    "sort",
    "firstword",
    "lastword",
    "if",
    "or",
    "foreach",
    "call",
    "info",
    "warning",
    "error",
    "eval",
    "shell",
    "and",
    "word",
    "words",
    "wordlist",
    "join",
    "value",
    "origin",
    "findstring",
];

pub(super) fn top_level_commas(text: &str) -> Vec<usize> {
    let mut depth = 0;
    let mut commas = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b',' if depth == 0 => commas.push(at),
            _ => {}
        }
    }
    commas
}

pub(super) fn substitute(value: &Text, from: &str, to: &Text, origin: Origin) -> Text {
    let words: Vec<Text> = value
        .split_whitespace()
        .into_iter()
        .map(|word| match stem_of(from, &word.text()) {
            Some(stem) => {
                let start = from.find('%').unwrap_or(0);
                let part = word.slice(start..start + stem.len());
                let text = to.text();
                match text.find('%') {
                    Some(at) => {
                        let mut result = to.slice(0..at);
                        result.push_text(&part);
                        result.push_text(&to.slice(at + 1..text.len()));
                        result
                    }
                    None => to.clone(),
                }
            }
            None => word,
        })
        .collect();
    join(&words, origin)
}

pub(super) fn replace(value: &Text, from: &str, to: &Text) -> Text {
    if from.is_empty() {
        return value.clone();
    }
    let text = value.text();
    let mut result = Text::default();
    let mut start = 0;
    for (at, _) in text.match_indices(from) {
        result.push_text(&value.slice(start..at));
        result.push_text(to);
        start = at + from.len();
    }
    result.push_text(&value.slice(start..text.len()));
    result
}

pub(super) fn join(words: &[Text], origin: Origin) -> Text {
    let mut joined = Text::default();
    for (index, word) in words.iter().filter(|word| !word.is_empty()).enumerate() {
        if index > 0 {
            joined.push_known(" ", Origin { end: origin.start, ..origin });
        }
        joined.push_text(word);
    }
    joined
}
