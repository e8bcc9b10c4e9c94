//! Work shared between translation units.
//!
//! Lexing a file depends on its text only, so the tokens of a header are kept and shared by every unit that includes
//! it. An entry is used while the text is the very same allocation, which a [`SourceProvider`](crate::SourceProvider)
//! hands out for as long as the text does not change.
//!
//! Expanding a header depends on the macros that it reads as well. That result is not kept: expansion takes about a
//! third of the time of lexing, and tokens of another unit would need their origins moved, which costs as much.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::{
    lexer::{Lexed, lex},
    source::FileId,
};

/// A text and its tokens.
pub(crate) type LexedText = (Arc<[u8]>, Arc<Lexed>);

/// Lexed files by their number. It may be used from several threads.
#[derive(Debug, Default)]
pub struct HeaderCache {
    files: Mutex<FxHashMap<FileId, LexedText>>,
}

impl HeaderCache {
    pub fn new() -> HeaderCache {
        HeaderCache::default()
    }

    /// The tokens of `text`, which is the text of `file`.
    pub fn lex(&self, file: FileId, text: &Arc<[u8]>) -> Arc<Lexed> {
        if let Some((kept, lexed)) = self.files.lock().unwrap_or_else(PoisonError::into_inner).get(&file)
            && Arc::ptr_eq(kept, text)
        {
            return Arc::clone(lexed);
        }
        // The lock is not held while lexing: two threads may both do it, and the later result stays.
        let lexed = Arc::new(lex(text));
        let entry = (Arc::clone(text), Arc::clone(&lexed));
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(file, entry);
        lexed
    }

    /// Forgets a file.
    pub fn remove(&self, file: FileId) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).remove(&file);
    }
}
