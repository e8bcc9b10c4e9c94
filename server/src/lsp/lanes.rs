//! The threads that handlers run on.
//!
//! A *lane* is a queue with threads of its own. What somebody waits for at the keyboard runs in the latency lane and
//! never waits behind diagnostics, and neither waits behind work on the whole workspace.

use std::sync::{Arc, Mutex, PoisonError, mpsc};

use super::STACK_SIZE;

/// Which queue a job goes into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Requests on one document.
    Latency,
    /// Diagnostics of open documents.
    Diagnostics,
    /// Whatever looks at many files.
    Batch,
}

type Job = Box<dyn FnOnce() + Send>;

/// All lanes.
pub(crate) struct Lanes {
    latency: mpsc::Sender<Job>,
    diagnostics: mpsc::Sender<Job>,
    batch: mpsc::Sender<Job>,
}

impl Lanes {
    pub(crate) fn start() -> Lanes {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Lanes {
            latency: start("latency", cores.clamp(2, 4)),
            diagnostics: start("diagnostics", cores.clamp(2, 4)),
            batch: start("batch", cores.clamp(1, 4)),
        }
    }

    pub(crate) fn run(&self, lane: Lane, job: impl FnOnce() + Send + 'static) {
        let queue = match lane {
            Lane::Latency => &self.latency,
            Lane::Diagnostics => &self.diagnostics,
            Lane::Batch => &self.batch,
        };
        let _ = queue.send(Box::new(job));
    }
}

fn start(name: &str, threads: usize) -> mpsc::Sender<Job> {
    let (sender, queue) = mpsc::channel::<Job>();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..threads {
        let queue = Arc::clone(&queue);
        // A lane with fewer threads than wanted still moves.
        let _ = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_SIZE).spawn(move || {
            loop {
                let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                match job {
                    Ok(job) => job(),
                    Err(_) => return,
                }
            }
        });
    }
    sender
}
