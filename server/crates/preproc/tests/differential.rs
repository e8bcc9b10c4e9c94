//! The same texts through clang's preprocessor and ours, compared as token texts.
//!
//! Hand-written inputs cover what real code and the standard's corner cases use; generated ones cover combinations
//! that nobody writes. Where clang reports an error the outputs need not agree and the input is passed over.
//! `MSL_DIFFERENTIAL_ROUNDS` sets how many generated files are compared.

#![allow(clippy::print_stderr, reason = "a comparison that was not made must say so")]

mod support;

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use msl_preproc::{TokenKind, lex};
use support::{Files, report};

/// A clang that can be run, newest name first.
fn clang() -> Option<&'static str> {
    ["clang-22", "clang"].into_iter().find(|name| {
        let probe = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        probe.is_ok_and(|status| status.success())
    })
}

/// The token texts of clang's output, `None` if it reported an error. Pragmas are left out on both sides: with `-E`
/// clang writes them as they stand, while the compiler expands macros in loop hints.
fn clang_tokens(clang: &str, name: &str, text: &str) -> Option<Vec<String>> {
    let mut path: PathBuf = std::env::temp_dir();
    path.push(format!("msl-preproc-{}-{name}.cpp", std::process::id()));
    std::fs::write(&path, text).expect("the temporary folder can be written");
    let output = Command::new(clang)
        .args(["-x", "c++", "-std=gnu++17", "-nostdinc", "-E", "-P", "-w", "-o", "-"])
        .arg(&path)
        .stderr(Stdio::null())
        .output()
        .expect("clang runs");
    let _ = std::fs::remove_file(&path);
    if !output.status.success() {
        return None;
    }
    let lines =
        output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii_start().starts_with(b"#pragma"));
    Some(token_texts(&lines.collect::<Vec<_>>().join(&b'\n')))
}

fn token_texts(text: &[u8]) -> Vec<String> {
    let tokens = lex(text).tokens;
    let ours = tokens.iter().map(|lexed| lexed.token).filter(|token| token.kind != TokenKind::Eof);
    ours.map(|token| token.text().to_owned()).collect()
}

fn our_tokens(text: &str) -> Vec<String> {
    let unit = Files::single(text).preprocess();
    let kept = unit.tokens.iter().filter(|token| token.kind != TokenKind::Pragma);
    kept.map(|token| token.text().to_owned()).collect()
}

/// Inputs, cut at lines of dashes.
const INPUTS: &str = include_str!("differential/inputs.txt");

#[test]
fn agrees_with_clang_on_written_inputs() {
    let Some(clang) = clang() else {
        eprintln!("skipped: no clang to compare with");
        return;
    };
    let mut compared = 0;
    for (number, input) in INPUTS.split("\n--------\n").enumerate() {
        let theirs = clang_tokens(clang, &format!("written-{number}"), input);
        let theirs = theirs.unwrap_or_else(|| panic!("clang rejects input {number}:\n{input}"));
        assert_eq!(our_tokens(input).join(" "), theirs.join(" "), "input {number}:\n{input}");
        let ours = report(&Files::single(input).preprocess());
        assert!(!ours.contains("Error") && !ours.contains("Limit"), "input {number}:\n{input}\n{ours}");
        compared += 1;
    }
    assert!(compared > 20);
}

#[test]
fn agrees_with_clang_on_generated_inputs() {
    let Some(clang) = clang() else {
        eprintln!("skipped: no clang to compare with");
        return;
    };
    let rounds = std::env::var("MSL_DIFFERENTIAL_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let mut compared = 0;
    for round in 0..rounds {
        let text = Generator { state: 0x9e37_79b9 + round * 7919 }.file();
        let Some(theirs) = clang_tokens(clang, &format!("generated-{round}"), &text) else { continue };
        assert_eq!(our_tokens(&text).join(" "), theirs.join(" "), "round {round}:\n{text}");
        compared += 1;
    }
    assert!(compared * 5 > rounds, "clang rejects too many: {compared} of {rounds} compared");
}

#[test]
fn agrees_with_clang_on_generated_conditions() {
    let Some(clang) = clang() else {
        eprintln!("skipped: no clang to compare with");
        return;
    };
    let mut generator = Generator { state: 42 };
    let mut text = String::new();
    for number in 0..1_500 {
        let mut condition = String::new();
        generator.condition(&mut condition, 0);
        text.push_str(&format!("#if {condition}\nt{number}\n#else\nf{number}\n#endif\n"));
    }
    // A bad condition makes clang fail as a whole, so those that we find bad are taken out first; clang then fails if
    // we missed one.
    let unit = Files::single(&text).preprocess();
    let bad: Vec<usize> = unit
        .diagnostics
        .iter()
        .map(|diagnostic| unit.map.file_range(diagnostic.range.clone()).1.start as usize)
        .map(|offset| text[..offset].matches('\n').count())
        .collect();
    assert!(bad.len() < 600, "{} are bad", bad.len());
    let lines = text.lines().enumerate().map(|(line, text)| if bad.contains(&line) { "#if 0" } else { text });
    let text = lines.collect::<Vec<_>>().join("\n");
    let theirs = clang_tokens(clang, "conditions", &text).expect("clang takes the conditions that we take");
    for (ours, theirs) in our_tokens(&text).iter().zip(&theirs) {
        let number: usize = ours[1..].parse().expect("a number");
        assert_eq!(ours, theirs, "{:?}", text.lines().nth(number * 5));
    }
}

/// Compares a file on disk, its includes taken out, if `MSL_DIFFERENTIAL_FILE` names one.
#[test]
fn agrees_with_clang_on_a_given_file() {
    let (Some(clang), Some(path)) = (clang(), std::env::var_os("MSL_DIFFERENTIAL_FILE")) else {
        eprintln!("skipped: no clang to compare with, or MSL_DIFFERENTIAL_FILE is not set");
        return;
    };
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let kept = |line: &&str| !line.trim_start().starts_with("#include");
    let text = text.lines().filter(kept).collect::<Vec<_>>().join("\n");
    let ours = our_tokens(&text);
    let theirs = clang_tokens(clang, "given", &text).expect("clang accepts the file");
    let first = ours.iter().zip(&theirs).position(|(ours, theirs)| ours != theirs);
    let context = |tokens: &[String]| {
        let at = first.unwrap_or(tokens.len());
        tokens[at.saturating_sub(10).min(tokens.len())..(at + 10).min(tokens.len())].join(" ")
    };
    assert!(first.is_none() && ours.len() == theirs.len(), "ours: {}\nclang: {}", context(&ours), context(&theirs));
}

/// Makes files of macro definitions and uses.
struct Generator {
    state: u64,
}

impl Generator {
    fn below(&mut self, limit: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % limit
    }

    fn file(&mut self) -> String {
        let mut text = String::new();
        let mut arities = [None; 6];
        for (index, arity) in arities.iter_mut().enumerate() {
            let name = (b'A' + index as u8) as char;
            match self.below(4) {
                0 => {
                    text.push_str(&format!("#define {name} "));
                    self.body(&mut text, 0, false);
                }
                kind => {
                    let count = self.below(3);
                    let variadic = kind == 1;
                    let mut names: Vec<&str> = ["x", "y", "z"][..count as usize].to_vec();
                    if variadic {
                        names.push("...");
                    }
                    text.push_str(&format!("#define {name}({}) ", names.join(", ")));
                    self.body(&mut text, count, variadic);
                    *arity = Some((count, variadic));
                }
            }
            text.push('\n');
        }
        for _ in 0..6 {
            self.uses(&mut text, &arities, 0);
            text.push_str(";\n");
        }
        text
    }

    fn condition(&mut self, text: &mut String, depth: u32) {
        const VALUES: &[&str] = &[
            "0",
            "1",
            "2",
            "3",
            "7",
            "0u",
            "1u",
            "5ul",
            "0x7fffffffffffffff",
            "0x8000000000000000",
            "0xffffffffffffffffu",
            "9223372036854775807",
            "'a'",
            "'\\xff'",
            "true",
            "false",
            "name",
            "010",
            "0b101",
            "63",
            "64",
            "65",
        ];
        const BINARY: &[&str] = &[
            "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||", "and",
            "or",
        ];
        match if depth > 3 { 0 } else { self.below(8) } {
            0 | 1 => text.push_str(VALUES[self.below(VALUES.len() as u64) as usize]),
            2 => {
                text.push_str(["-", "~", "!", "+"][self.below(4) as usize]);
                text.push(' ');
                self.condition(text, depth + 1);
            }
            3 => {
                text.push('(');
                self.condition(text, depth + 1);
                text.push(')');
            }
            4 => {
                self.condition(text, depth + 1);
                text.push_str(" ? ");
                self.condition(text, depth + 1);
                text.push_str(" : ");
                self.condition(text, depth + 1);
            }
            _ => {
                self.condition(text, depth + 1);
                text.push_str(&format!(" {} ", BINARY[self.below(BINARY.len() as u64) as usize]));
                self.condition(text, depth + 1);
            }
        }
    }

    fn operand(&mut self, parameters: u64, variadic: bool) -> String {
        let choice = self.below(parameters + u64::from(variadic) + 2);
        if choice < parameters {
            ["x", "y", "z"][choice as usize].to_owned()
        } else if choice == parameters && variadic {
            "__VA_ARGS__".to_owned()
        } else {
            ["A", "B", "C", "D", "E", "F", "p", "q1"][self.below(8) as usize].to_owned()
        }
    }

    fn body(&mut self, text: &mut String, parameters: u64, variadic: bool) {
        for _ in 0..self.below(7) {
            let operand = self.operand(parameters, variadic);
            let part = match self.below(12) {
                0 if self.below(3) == 0 => format!("{operand} ## {} ", self.operand(parameters, variadic)),
                1 if parameters > 0 => format!("#{} ", ["x", "y", "z"][self.below(parameters) as usize]),
                2 => format!("({operand}) "),
                3 if self.below(3) == 0 => format!("{operand}({operand}, 1) "),
                4 if variadic => format!("__VA_OPT__(v {operand}) "),
                5 if variadic => ", ## __VA_ARGS__ ".to_owned(),
                6 if self.below(12) == 0 => ["(", ")", ","][self.below(3) as usize].to_owned(),
                7 => format!("{operand}({operand}) "),
                8 => format!("{operand}() "),
                _ => format!("{operand} "),
            };
            text.push_str(&part);
        }
    }

    fn uses(&mut self, text: &mut String, arities: &[Option<(u64, bool)>; 6], depth: u32) {
        for _ in 0..=self.below(3) {
            let choice = self.below(8);
            match arities.get(choice as usize) {
                Some(&arity) => {
                    text.push((b'A' + choice as u8) as char);
                    let Some((count, variadic)) = arity else {
                        text.push(' ');
                        continue;
                    };
                    if depth > 2 || self.below(6) == 0 {
                        text.push(' ');
                        continue;
                    }
                    text.push('(');
                    let given = count + if variadic { self.below(3) } else { 0 };
                    for argument in 0..given {
                        if argument > 0 {
                            text.push_str(", ");
                        }
                        if self.below(6) != 0 {
                            self.uses(text, arities, depth + 1);
                        }
                    }
                    text.push_str(") ");
                }
                None => text.push_str(if choice == 6 { "(k) " } else { "m " }),
            }
        }
    }
}
