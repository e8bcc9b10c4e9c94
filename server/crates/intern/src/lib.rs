//! Interned names.
//!
//! A *name* is a distinct spelling: an identifier, a keyword, a number, a string literal.
//! Interning gives each spelling one small number, so that the phases after the lexer compare and hash integers.
//! The interner is process-wide and append-only: a [`Name`] stays valid for the life of the process and can be
//! shared between threads. Its memory grows with the number of *distinct* spellings ever seen, which for source
//! code is small.
//!
//! Spellings are byte strings because source files may hold invalid UTF-8, which must not lose its offsets.

use std::{cell::RefCell, fmt, hash::Hasher, sync::OnceLock};

use dashmap::DashMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

/// One interned spelling. Two names are equal exactly if their spellings are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Name(u32);

struct Interner {
    ids: DashMap<&'static [u8], u32, FxBuildHasher>,
    spellings: boxcar::Vec<&'static [u8]>,
}

fn interner() -> &'static Interner {
    static INTERNER: OnceLock<Interner> = OnceLock::new();
    INTERNER.get_or_init(|| {
        let interner = Interner { ids: DashMap::with_hasher(FxBuildHasher), spellings: boxcar::Vec::new() };
        interner.spellings.push(b"");
        interner.ids.insert(b"", 0);
        interner
    })
}

thread_local! {
    // The lexer interns one name a token; a private table in front of the shared one keeps locks off that path.
    static RECENT: RefCell<FxHashMap<&'static [u8], u32>> = RefCell::default();
}

impl Name {
    /// The empty spelling, used where a declaration has no name.
    pub const EMPTY: Name = Name(0);

    /// Interns a spelling.
    pub fn new(spelling: &str) -> Name {
        Name::from_bytes(spelling.as_bytes())
    }

    /// Interns a spelling that need not be UTF-8.
    pub fn from_bytes(spelling: &[u8]) -> Name {
        RECENT.with_borrow_mut(|recent| {
            if let Some(&id) = recent.get(spelling) {
                return Name(id);
            }
            let (id, kept) = intern_shared(spelling);
            recent.insert(kept, id);
            Name(id)
        })
    }

    /// The name with this number, as [`Name::index`] gave it.
    pub fn from_index(index: u32) -> Name {
        Name(index)
    }

    /// The number of this name, dense from zero.
    pub fn index(self) -> u32 {
        self.0
    }

    /// Whether this is [`Name::EMPTY`].
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The spelling as bytes.
    pub fn bytes(self) -> &'static [u8] {
        interner().spellings.get(self.0 as usize).copied().unwrap_or_default()
    }

    /// The spelling as text; parts that are not UTF-8 are cut off.
    pub fn as_str(self) -> &'static str {
        let bytes = self.bytes();
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}

fn intern_shared(spelling: &[u8]) -> (u32, &'static [u8]) {
    let interner = interner();
    if let Some(entry) = interner.ids.get(spelling) {
        return (*entry.value(), entry.key());
    }
    let kept: &'static [u8] = Box::leak(spelling.to_vec().into_boxed_slice());
    let entry = interner.ids.entry(kept).or_insert_with(|| interner.spellings.push(kept) as u32);
    (*entry.value(), entry.key())
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.bytes()))
    }
}

/// A quick hash of a sequence of numbers, for fingerprints that never leave the process.
pub fn fingerprint(parts: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    for part in parts {
        hasher.write_u64(part);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_spelling_same_name() {
        assert_eq!(Name::new("device"), Name::new("device"));
        assert_ne!(Name::new("device"), Name::new("thread"));
        assert_eq!(Name::new("device").as_str(), "device");
        assert!(Name::new("").is_empty());
    }

    #[test]
    fn threads_agree() {
        let names: Vec<Name> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..8).map(|_| scope.spawn(|| Name::new("shared_between_threads"))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap()).collect()
        });
        assert!(names.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
