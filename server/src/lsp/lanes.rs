//! The threads that handlers run on.
//!
//! A *lane* is a queue with threads of its own. What somebody waits for at the keyboard runs in the latency lane and
//! never waits behind diagnostics, and neither waits behind work on the whole workspace.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError, mpsc},
};

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
    /// What waits for a program that is run for the user.
    External,
}

type Job = Box<dyn FnOnce() + Send>;

/// How often a thread is asked for.
const ATTEMPTS: u32 = 6;

/// All lanes.
pub(crate) struct Lanes {
    latency: mpsc::Sender<Job>,
    diagnostics: mpsc::Sender<Job>,
    batch: mpsc::Sender<Job>,
    external: mpsc::Sender<Job>,
}

impl Lanes {
    pub(crate) fn start() -> Lanes {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Lanes {
            latency: start("latency", cores.clamp(2, 4)),
            diagnostics: start("diagnostics", cores.clamp(2, 4)),
            batch: start("batch", cores.clamp(2, 4)),
            external: start("external", 2),
        }
    }

    pub(crate) fn run(&self, lane: Lane, job: impl FnOnce() + Send + 'static) {
        let queue = match lane {
            Lane::Latency => &self.latency,
            Lane::Diagnostics => &self.diagnostics,
            Lane::Batch => &self.batch,
            Lane::External => &self.external,
        };
        let _ = queue.send(Box::new(job));
    }
}

fn start(name: &str, threads: usize) -> mpsc::Sender<Job> {
    let (sender, queue) = mpsc::channel::<Job>();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..threads {
        let queue = Arc::clone(&queue);
        let work = move || {
            loop {
                let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                // A job that panics is a bug, but a lane without threads would answer nobody any more. Who gives a job
                // that must end in an answer catches its panic.
                match job {
                    Ok(job) => _ = std::panic::catch_unwind(AssertUnwindSafe(job)),
                    Err(_) => return,
                }
            }
        };
        start_thread(name, work);
    }
    sender
}

/// Starts a thread; a system that gives none right now is asked again.
fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let work = Arc::new(Mutex::new(Some(work)));
    for attempt in 0..ATTEMPTS {
        let work = Arc::clone(&work);
        let run = move || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(work) = work {
                work();
            }
        };
        match std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_SIZE).spawn(run) {
            Ok(_) => return,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(10 << attempt)),
        }
    }
}
