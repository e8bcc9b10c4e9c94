//! Words: which spellings are keywords or operators, and a small table that interns them quickly.

use std::{cell::RefCell, sync::OnceLock};

use msl_intern::Name;
use rustc_hash::FxHashMap;

use crate::token::{Keyword, Punct, TokenKind};

/// Words that are spelled like identifiers and mean operators (C++17 [lex.key], table 6).
const OPERATOR_WORDS: &[(&str, Punct)] = &[
    ("and", Punct::AmpAmp),
    ("and_eq", Punct::AmpEq),
    ("bitand", Punct::Amp),
    ("bitor", Punct::Pipe),
    ("compl", Punct::Tilde),
    ("not", Punct::Bang),
    ("not_eq", Punct::BangEq),
    ("or", Punct::PipePipe),
    ("or_eq", Punct::PipeEq),
    ("xor", Punct::Caret),
    ("xor_eq", Punct::CaretEq),
];

/// Second spellings of keywords that clang-based compilers always know.
const KEYWORD_ALIASES: &[(&str, Keyword)] = &[
    ("__alignof", Keyword::Alignof),
    ("__alignof__", Keyword::Alignof),
    ("__asm", Keyword::Asm),
    ("__asm__", Keyword::Asm),
    ("__attribute", Keyword::Attribute),
    ("__const", Keyword::Const),
    ("__const__", Keyword::Const),
    ("__decltype", Keyword::Decltype),
    ("__inline", Keyword::Inline),
    ("__inline__", Keyword::Inline),
    ("__restrict__", Keyword::Restrict),
    ("__signed", Keyword::Signed),
    ("__signed__", Keyword::Signed),
    ("__volatile", Keyword::Volatile),
    ("__volatile__", Keyword::Volatile),
    ("_Alignas", Keyword::Alignas),
    ("_Alignof", Keyword::Alignof),
    ("_Static_assert", Keyword::StaticAssert),
];

fn special_words() -> &'static FxHashMap<Name, TokenKind> {
    static WORDS: OnceLock<FxHashMap<Name, TokenKind>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let keywords = Keyword::ALL.iter().map(|&keyword| (keyword.text(), TokenKind::Keyword(keyword)));
        let aliases = KEYWORD_ALIASES.iter().map(|&(word, keyword)| (word, TokenKind::Keyword(keyword)));
        let operators = OPERATOR_WORDS.iter().map(|&(word, punct)| (word, TokenKind::Punct(punct)));
        keywords.chain(aliases).chain(operators).map(|(word, kind)| (Name::new(word), kind)).collect()
    })
}

/// The kind of a word: a keyword, an operator, else an identifier.
pub(crate) fn word_kind(name: Name) -> TokenKind {
    special_words().get(&name).copied().unwrap_or(TokenKind::Ident)
}

/// One remembered word.
#[derive(Clone, Copy)]
struct Slot {
    spelling: &'static [u8],
    name: Name,
    kind: TokenKind,
}

const SLOTS: usize = 4096;

/// A direct-mapped table in front of the interner. Source text repeats its words, and this finds a repeated one with
/// one hash and one comparison; a word that loses its slot costs a look-up in the interner, nothing more.
pub(super) struct WordTable {
    slots: Box<[Slot]>,
}

impl WordTable {
    fn new() -> WordTable {
        let empty = Slot { spelling: b"", name: Name::EMPTY, kind: TokenKind::Ident };
        WordTable { slots: vec![empty; SLOTS].into_boxed_slice() }
    }

    /// The name and kind of a spelling. For operators the name is empty, as [`crate::Token`] wants it.
    #[inline]
    pub(super) fn get(&mut self, spelling: &[u8]) -> (Name, TokenKind) {
        let slot = &mut self.slots[slot_of(spelling)];
        if slot.spelling == spelling {
            return (slot.name, slot.kind);
        }
        Self::fill(slot, spelling)
    }

    #[cold]
    fn fill(slot: &mut Slot, spelling: &[u8]) -> (Name, TokenKind) {
        let name = Name::from_bytes(spelling);
        let kind = word_kind(name);
        let kept = if matches!(kind, TokenKind::Punct(_)) { Name::EMPTY } else { name };
        *slot = Slot { spelling: name.bytes(), name: kept, kind };
        (kept, kind)
    }
}

thread_local! {
    static TABLE: RefCell<WordTable> = RefCell::new(WordTable::new());
}

/// Runs `body` with this thread's table.
pub(super) fn with_table<R>(body: impl FnOnce(&mut WordTable) -> R) -> R {
    TABLE.with_borrow_mut(body)
}

/// Mixes the first and the last eight bytes and the length; spellings that agree in those share a slot.
#[inline]
fn slot_of(bytes: &[u8]) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let length = bytes.len();
    let (first, last) = if length >= 8 {
        (read::<8>(bytes, 0), read::<8>(bytes, length - 8))
    } else if length >= 4 {
        (read::<4>(bytes, 0), read::<4>(bytes, length - 4))
    } else if length > 0 {
        (u64::from(bytes[0]) | u64::from(bytes[length / 2]) << 8, u64::from(bytes[length - 1]))
    } else {
        (0, 0)
    };
    let hash = (first ^ last.rotate_left(29).wrapping_add(length as u64)).wrapping_mul(MIX);
    (hash >> 52) as usize & (SLOTS - 1)
}

#[inline]
fn read<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word[..N].copy_from_slice(&bytes[at..at + N]);
    u64::from_le_bytes(word)
}
