//! Reports, in debug builds, a write that waits for a reader which does not notice that it was cancelled.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tower_lsp::lsp_types::MessageType;

use super::outgoing::{Message, Outgoing};

/// How long a write may wait before somebody is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// Knows since when the current write waits.
#[derive(Clone)]
pub(crate) struct Watchdog {
    start: Instant,
    /// Milliseconds after `start`, plus one; 0 while nothing is written.
    writing_since: Arc<AtomicU64>,
}

impl Watchdog {
    pub(crate) fn start(outgoing: Outgoing) -> Watchdog {
        let watchdog = Watchdog { start: Instant::now(), writing_since: Arc::default() };
        if cfg!(debug_assertions) {
            let watched = watchdog.clone();
            let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || watched.watch(&outgoing));
        }
        watchdog
    }

    /// Runs a write under observation.
    pub(crate) fn during<R>(&self, write: impl FnOnce() -> R) -> R {
        self.writing_since.store(self.now() + 1, Ordering::Relaxed);
        let result = write();
        self.writing_since.store(0, Ordering::Relaxed);
        result
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn watch(&self, outgoing: &Outgoing) {
        let mut reported = 0;
        loop {
            std::thread::sleep(PATIENCE / 2);
            let since = self.writing_since.load(Ordering::Relaxed);
            if since != 0 && since != reported && self.now() + 1 > since + PATIENCE.as_millis() as u64 {
                reported = since;
                let message = format!("an edit has waited for {} ms for a request to let go", self.now() + 1 - since);
                outgoing.send(Message::Log(MessageType::WARNING, message));
            }
        }
    }
}
