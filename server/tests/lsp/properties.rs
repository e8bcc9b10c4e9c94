//! Whatever happens, a server's state is that of a fresh one on the same texts.
//!
//! A session of random edits, opens, closes, requests and cancellations, in bursts that overtake each other, is followed
//! by questions. A fresh server that is only given the final texts must give the same answers.

use serde_json::{Value, json};

use crate::client::Client;

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

const NAMES: [&str; 3] = ["a.metal", "b.metal", "shared.h"];

const TEXTS: [&str; 3] = [
    "#include \"shared.h\"\nusing namespace metal;\nfloat first(device float *p, Light l) { return twice(p[0]) + l.range; }\n\
     kernel void k(device float *p [[buffer(0)]], uint i [[thread_position_in_grid]]) { p[i] = twice(p[i]); }\n",
    "#include \"shared.h\"\nfloat second(Light l) { float x = l.range; { float x = 2; x++; } return twice(x); }\n",
    "#include <metal_stdlib>\n#define SQUARE(x) ((x) * (x))\nstruct Light { metal::float3 position; float range; };\n\
     inline float twice(float x) { return x * 2; }\n",
];

const PIECES: [&str; 24] = [
    "float y = 1;\n",
    "{",
    "}",
    "(",
    ")",
    ";",
    "\n",
    "#define X 1\n",
    "#if 0\n",
    "#endif\n",
    "/*",
    "*/",
    "// 𝒳 é\n",
    "int f(int a) { return a; }\n",
    "device ",
    "threadgroup float *q;\n",
    "x",
    "twice(1)",
    "l.",
    "[[buffer(1)]]",
    "\"",
    "template <typename T> ",
    "struct S { int a; };\n",
    "#include \"shared.h\"\n",
];

/// A text as a client keeps it, in UTF-16.
#[derive(Clone)]
struct Mirror {
    text: Vec<u16>,
    version: i32,
    open: bool,
}

impl Mirror {
    fn position(&self, at: usize) -> Value {
        let newline = u16::from(b'\n');
        let line = self.text[..at].iter().filter(|&&unit| unit == newline).count();
        let start = self.text[..at].iter().rposition(|&unit| unit == newline).map_or(0, |found| found + 1);
        json!({ "line": line, "character": at - start })
    }

    /// A place that is not inside of a character.
    fn place(&self, random: &mut Random) -> usize {
        let at = random.next(self.text.len() + 1);
        if self.text.get(at).is_some_and(|unit| (0xDC00..0xE000).contains(unit)) { at - 1 } else { at }
    }

    fn string(&self) -> String {
        String::from_utf16_lossy(&self.text)
    }
}

#[track_caller]
fn session(seed: u64, steps: usize) {
    let mut random = Random(seed);
    let files: Vec<(&str, &str)> =
        NAMES.into_iter().zip(TEXTS).chain([("msl-analyzer.toml", "std = \"metal4.1\"")]).collect();
    let mut client = Client::with(&files);
    client.wait(|message| message["params"]["value"]["kind"] == "end");
    let mut mirrors: Vec<Mirror> =
        TEXTS.iter().map(|text| Mirror { text: text.encode_utf16().collect(), version: 1, open: false }).collect();
    let mut asked: Vec<i64> = Vec::new();
    for _ in 0..steps {
        let file = random.next(NAMES.len());
        let (name, uri) = (NAMES[file], client.uri(NAMES[file]));
        let mirror = &mut mirrors[file];
        match random.next(20) {
            0 if mirror.open => {
                client.close(name);
                // What was not saved is lost.
                *mirror = Mirror { text: TEXTS[file].encode_utf16().collect(), version: 1, open: false };
            }
            0..=2 if !mirror.open => {
                mirror.open = true;
                client.open(name, &mirror.string());
            }
            3..=6 => {
                let position = mirror.position(mirror.place(&mut random));
                let whole = json!({ "textDocument": { "uri": uri } });
                let at = json!({ "textDocument": { "uri": uri }, "position": position });
                let everything = json!({ "start": { "line": 0, "character": 0 }, "end": position });
                let id = match random.next(12) {
                    0 => client.ask("textDocument/hover", at),
                    1 => client.ask("textDocument/completion", at),
                    2 => client.ask("textDocument/documentHighlight", at),
                    3 => client.ask("textDocument/signatureHelp", at),
                    4 => client.ask("textDocument/semanticTokens/full", whole),
                    5 => client.ask("textDocument/foldingRange", whole),
                    6 => client.ask(
                        "textDocument/references",
                        json!({
                            "textDocument": { "uri": uri }, "position": position,
                            "context": { "includeDeclaration": true },
                        }),
                    ),
                    7 => client.ask(
                        "textDocument/codeAction",
                        json!({
                            "textDocument": { "uri": uri }, "range": everything, "context": { "diagnostics": [] },
                        }),
                    ),
                    8 => client.ask(
                        "textDocument/inlayHint",
                        json!({
                            "textDocument": { "uri": uri }, "range": everything,
                        }),
                    ),
                    9 => client.ask("textDocument/documentColor", whole),
                    10 => client.ask("textDocument/implementation", at),
                    _ => client.ask("textDocument/documentSymbol", whole),
                };
                asked.push(id);
            }
            7 => {
                if let Some(&id) = asked.last() {
                    client.notify("$/cancelRequest", json!({ "id": id }));
                }
            }
            _ if mirror.open => {
                let mut changes = Vec::new();
                for _ in 0..=random.next(3) {
                    let start = mirror.place(&mut random);
                    let longest = mirror.text.len().min(start + random.next(12));
                    let mut end = start.max(longest);
                    if mirror.text.get(end).is_some_and(|unit| (0xDC00..0xE000).contains(unit)) {
                        end += 1;
                    }
                    let piece = if random.next(4) == 0 { "" } else { PIECES[random.next(PIECES.len())] };
                    let range = json!({ "start": mirror.position(start), "end": mirror.position(end) });
                    changes.push(json!({ "range": range, "text": piece }));
                    mirror.text.splice(start..end, piece.encode_utf16());
                }
                mirror.version += 1 + random.next(3) as i32;
                let document = json!({ "uri": uri, "version": mirror.version });
                client.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
            }
            _ => {}
        }
    }
    // Every request has been answered, whatever became of it.
    for id in asked {
        let answer = client.answer(id);
        if let Some(error) = answer.get("error") {
            let code = error["code"].as_i64().unwrap_or_default();
            assert!([-32800, -32801, -32602].contains(&code), "seed {seed}: {answer}");
        }
    }
    let mut fresh = Client::with(&files);
    fresh.wait(|message| message["params"]["value"]["kind"] == "end");
    for (name, mirror) in NAMES.iter().zip(&mirrors) {
        if mirror.open {
            fresh.open(name, &mirror.string());
        }
    }
    for (name, mirror) in NAMES.iter().zip(&mirrors).filter(|(_, mirror)| mirror.open) {
        let mut answers = [&mut client, &mut fresh].map(|client| {
            let whole = json!({ "textDocument": { "uri": client.uri(name) } });
            let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
            let mut answers = vec![
                client.request("textDocument/semanticTokens/full", whole.clone())["data"].clone(),
                client.request("textDocument/documentSymbol", whole.clone()),
                client.request("textDocument/foldingRange", whole.clone()),
                client.request("textDocument/diagnostic", whole.clone()),
                client.request("textDocument/documentLink", whole.clone()),
                client.request("textDocument/codeLens", whole.clone()),
                client.request(
                    "textDocument/inlayHint",
                    json!({ "textDocument": whole["textDocument"], "range": everything }),
                ),
            ];
            let actions = json!({
                "textDocument": whole["textDocument"], "range": everything, "context": { "diagnostics": [] },
            });
            answers.push(client.request("textDocument/codeAction", actions));
            // The folders have different names.
            let folder = client.uri("");
            answers.into_iter().map(|answer| answer.to_string().replace(&folder, "")).collect::<Vec<String>>()
        });
        // The versions of documents differ, and are named in edits.
        for answer in &mut answers {
            for part in answer.iter_mut() {
                *part = without_versions(part);
            }
        }
        assert_eq!(answers[0], answers[1], "seed {seed}, {name}:\n{}", mirror.string());
    }
    assert_eq!(client.shut_down(), Some(0), "seed {seed}");
}

fn without_versions(text: &str) -> String {
    let mut parts = text.split("\"version\":");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    }
    result
}

#[test]
fn random_sessions_end_like_fresh_ones() {
    for seed in 1..=6 {
        session(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed), 250);
    }
}

/// `MSL_SESSION_STEPS` makes it longer; of ten steps six are edits, of up to three changes each.
#[test]
fn a_long_session_ends_like_a_fresh_one() {
    let steps = std::env::var("MSL_SESSION_STEPS").ok().and_then(|steps| steps.parse().ok());
    session(0x1234_5678_9ABC_DEF1, steps.unwrap_or(2000));
}
