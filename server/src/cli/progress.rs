//! A progress bar for work that lasts over a second, on a terminal only.

use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Counts finished units and shows them once the work has lasted a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    pub(crate) fn new(total: usize, wanted: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        if wanted && std::io::stderr().is_terminal() {
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
                bar.set_style(style);
            }
        } else {
            bar.finish();
        }
        Progress { bar, started: Instant::now() }
    }

    /// One more is done.
    pub(crate) fn advance(&self, path: &str) {
        if self.bar.is_finished() {
            return;
        }
        if self.bar.is_hidden() && self.started.elapsed() > Duration::from_secs(1) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(path.to_owned());
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
