//! Places in a source to ask about: chosen by the look of the text, so that every server is asked about the same.

/// A line and a column, from 0. Sources are ASCII where they are asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Places by their kind.
#[derive(Default)]
pub(crate) struct Places {
    /// Starts of names in function bodies.
    pub(crate) names: Vec<Position>,
    /// Behind the `(` of calls.
    pub(crate) calls: Vec<Position>,
    /// Behind the `.` of member accesses.
    pub(crate) dots: Vec<Position>,
    /// Digits that are numbers of their own.
    pub(crate) digits: Vec<Position>,
}

impl Places {
    pub(crate) fn find(lines: &[String]) -> Places {
        let mut places = Places::default();
        for (line, text) in lines.iter().enumerate() {
            let bytes = text.as_bytes();
            let indent = bytes.iter().take_while(|&&byte| byte == b' ').count();
            let is_code = indent >= 4 && bytes.get(indent).is_some_and(u8::is_ascii_lowercase) && text.is_ascii();
            if !is_code {
                continue;
            }
            let is_word = |at: usize| bytes.get(at).is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
            for at in indent..bytes.len() {
                let position = Position { line, column: at };
                let behind = Position { line, column: at + 1 };
                let starts = at == 0 || !is_word(at - 1);
                match bytes[at] {
                    b'a'..=b'z' | b'_' if starts && is_word(at + 1) => places.names.push(position),
                    b'(' if at > 0 && is_word(at - 1) => places.calls.push(behind),
                    b'.' if at > 0 && is_word(at - 1) && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase) => {
                        places.dots.push(behind);
                    }
                    b'0'..=b'9'
                        if starts && !is_word(at + 1) && bytes.get(at + 1) != Some(&b'.') && bytes[at - 1] != b'.' =>
                    {
                        places.digits.push(position);
                    }
                    _ => {}
                }
            }
        }
        places
    }
}

/// So many of all, spread over them in a fixed order that is not theirs.
pub(crate) fn sample(all: &[Position], count: usize) -> Vec<Position> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    (0..count.min(all.len())).map(|_| all[random.below(all.len())]).collect()
}

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
