//! Conditions of CMake's `if`.

use std::cmp::Ordering;

use crate::text::Text;

/// How deep parentheses and `NOT` may nest.
const MAX_DEPTH: u32 = 64;

/// Looks up a variable: `None` if nobody can know it, `Some(None)` if it is not set.
type Lookup<'a> = dyn Fn(&str) -> Option<Option<Text>> + 'a;

/// Decides a condition from its words, each with whether it was quoted. `None`: not decided.
pub(crate) fn decide(words: &[(Text, bool)], lookup: &Lookup<'_>) -> Option<bool> {
    let mut condition = Condition { words, at: 0, lookup, depth: 0 };
    let value = condition.or();
    if condition.at == words.len() { value } else { None }
}

struct Condition<'a> {
    words: &'a [(Text, bool)],
    at: usize,
    lookup: &'a Lookup<'a>,
    depth: u32,
}

impl Condition<'_> {
    /// The keyword at the current place.
    fn keyword(&self) -> String {
        self.words.get(self.at).filter(|(_, quoted)| !quoted).map(|(word, _)| word.text()).unwrap_or_default()
    }

    fn or(&mut self) -> Option<bool> {
        let mut value = self.and();
        while self.keyword() == "OR" {
            self.at += 1;
            let right = self.and();
            value = match (value, right) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        }
        value
    }

    fn and(&mut self) -> Option<bool> {
        let mut value = self.not();
        while self.keyword() == "AND" {
            self.at += 1;
            let right = self.not();
            value = match (value, right) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        value
    }

    fn not(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.at = self.words.len();
            return None;
        }
        let value = if self.keyword() == "NOT" {
            self.at += 1;
            self.not().map(|value| !value)
        } else {
            self.primary()
        };
        self.depth -= 1;
        value
    }

    fn primary(&mut self) -> Option<bool> {
        match self.keyword().as_str() {
            "(" => {
                self.at += 1;
                let value = self.or();
                if self.keyword() == ")" {
                    self.at += 1;
                }
                return value;
            }
            "DEFINED" => {
                let name = self.words.get(self.at + 1).map(|(word, _)| word.text()).unwrap_or_default();
                self.at += 2;
                return (self.lookup)(&name).map(|value| value.is_some());
            }
            "EXISTS" | "TARGET" | "COMMAND" | "POLICY" | "TEST" | "IS_DIRECTORY" | "IS_SYMLINK" | "IS_ABSOLUTE"
            | "IS_READABLE" => {
                self.at += 2;
                return None;
            }
            _ => {}
        }
        let left = self.words.get(self.at)?;
        self.at += 1;
        let operator = self.keyword();
        let is_operator = matches!(
            operator.as_str(),
            "STREQUAL"
                | "STRLESS"
                | "STRGREATER"
                | "EQUAL"
                | "LESS"
                | "GREATER"
                | "LESS_EQUAL"
                | "GREATER_EQUAL"
                | "VERSION_LESS"
                | "VERSION_GREATER"
                | "VERSION_EQUAL"
                | "VERSION_LESS_EQUAL"
                | "VERSION_GREATER_EQUAL"
                | "MATCHES"
                | "IN_LIST"
                | "PATH_EQUAL"
        );
        if !is_operator {
            return self.truth(left);
        }
        let right = self.words.get(self.at + 1)?;
        self.at += 2;
        if operator == "IN_LIST" {
            let list = (self.lookup)(&right.0.text())??.value()?;
            return Some(list.split(';').any(|item| item == left.0.text()));
        }
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let numbers = || a.trim().parse::<f64>().ok()?.partial_cmp(&b.trim().parse::<f64>().ok()?);
        Some(match operator.as_str() {
            "STREQUAL" => a == b,
            "EQUAL" => numbers()? == Ordering::Equal,
            "LESS" => numbers()? == Ordering::Less,
            "GREATER" => numbers()? == Ordering::Greater,
            "LESS_EQUAL" => numbers()? != Ordering::Greater,
            "GREATER_EQUAL" => numbers()? != Ordering::Less,
            "VERSION_LESS" => versions(&a, &b) == Ordering::Less,
            "VERSION_GREATER" => versions(&a, &b) == Ordering::Greater,
            "VERSION_EQUAL" => versions(&a, &b) == Ordering::Equal,
            "VERSION_LESS_EQUAL" => versions(&a, &b) != Ordering::Greater,
            "VERSION_GREATER_EQUAL" => versions(&a, &b) != Ordering::Less,
            // A pattern of plain characters, perhaps anchored.
            "MATCHES" => {
                let plain = b.trim_start_matches('^').trim_end_matches('$');
                if plain.contains(['.', '*', '+', '?', '[', '(', '|', '\\', '^', '$']) {
                    return None;
                }
                match (b.starts_with('^'), b.ends_with('$')) {
                    (true, true) => a == plain,
                    (true, false) => a.starts_with(plain),
                    (false, true) => a.ends_with(plain),
                    (false, false) => a.contains(plain),
                }
            }
            _ => return None,
        })
    }

    /// A word as an operand: the value of a variable of that name, if it is one, else itself.
    fn operand(&self, (word, quoted): &(Text, bool)) -> Option<String> {
        let text = word.value()?;
        if *quoted {
            return Some(text);
        }
        match (self.lookup)(&text) {
            Some(Some(value)) => value.value(),
            Some(None) => Some(text),
            None => None,
        }
    }

    fn truth(&self, (word, quoted): &(Text, bool)) -> Option<bool> {
        let text = word.value()?;
        let upper = text.to_ascii_uppercase();
        let is_true = matches!(upper.as_str(), "1" | "ON" | "YES" | "TRUE" | "Y")
            || upper.parse::<f64>().is_ok_and(|number| number != 0.0);
        let is_false = matches!(upper.as_str(), "" | "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND")
            || upper.ends_with("-NOTFOUND");
        if is_true || is_false {
            return Some(is_true);
        }
        if *quoted {
            return Some(false);
        }
        let Some(value) = (self.lookup)(&text)? else { return Some(false) };
        if !value.is_known() {
            return None;
        }
        let upper = value.text().to_ascii_uppercase();
        let is_false = matches!(upper.as_str(), "" | "0" | "OFF" | "NO" | "FALSE" | "N" | "IGNORE" | "NOTFOUND");
        Some(!is_false && !upper.ends_with("-NOTFOUND"))
    }
}

fn versions(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| -> Vec<u64> { text.split('.').map(|part| part.trim().parse().unwrap_or(0)).collect() };
    let (mut a, mut b) = (parts(a), parts(b));
    let length = a.len().max(b.len());
    a.resize(length, 0);
    b.resize(length, 0);
    a.cmp(&b)
}
