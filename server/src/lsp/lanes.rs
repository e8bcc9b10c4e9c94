//! The threads that handlers run on.
//!
//! A *lane* is a queue with threads of its own. What somebody waits for at the keyboard runs in the latency lane and
//! never waits behind diagnostics, and neither waits behind work on the whole workspace.
//!
//! Threads share cores, though. Work that is only done ahead of time, such as reading a whole workspace, therefore asks
//! [`Quiet`] between its parts and lets diagnostics go first.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Condvar, Mutex, PoisonError, mpsc},
    time::{Duration, Instant},
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
    quiet: Quiet,
}

/// Knows whether diagnostics are wanted that are not there yet.
#[derive(Clone)]
pub(crate) struct Quiet {
    /// How many jobs of the diagnostics lane are queued or run.
    pending: Arc<(Mutex<usize>, Condvar)>,
    start: Instant,
}

/// An editor opens its files right after it has started the server; what nobody waits for starts after that.
const TIME_TO_OPEN: Duration = Duration::from_millis(60);

/// What nobody waits for still has to end while somebody types.
const LONGEST_WAIT: Duration = Duration::from_millis(400);

impl Quiet {
    fn new() -> Quiet {
        Quiet { pending: Arc::default(), start: Instant::now() }
    }

    /// Waits until no diagnostics are wanted, but not for long.
    pub(crate) fn wait(&self) {
        let (pending, changed) = &*self.pending;
        let guard = pending.lock().unwrap_or_else(PoisonError::into_inner);
        let early = TIME_TO_OPEN.saturating_sub(self.start.elapsed());
        let (guard, _) =
            changed.wait_timeout_while(guard, early, |pending| *pending == 0).unwrap_or_else(PoisonError::into_inner);
        let _ = changed.wait_timeout_while(guard, LONGEST_WAIT, |pending| *pending > 0);
    }

    /// It is not quiet as long as what this returns lives.
    fn disturb(&self) -> Disturbance {
        *self.pending.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.pending.1.notify_all();
        Disturbance(Arc::clone(&self.pending))
    }
}

struct Disturbance(Arc<(Mutex<usize>, Condvar)>);

impl Drop for Disturbance {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.1.notify_all();
    }
}

impl Lanes {
    pub(crate) fn start() -> Lanes {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Lanes {
            latency: start("latency", cores.clamp(2, 4)),
            diagnostics: start("diagnostics", cores.clamp(2, 4)),
            batch: start("batch", cores.clamp(2, 4)),
            external: start("external", 2),
            quiet: Quiet::new(),
        }
    }

    /// For work that is only done ahead of time.
    pub(crate) fn quiet(&self) -> Quiet {
        self.quiet.clone()
    }

    pub(crate) fn run(&self, lane: Lane, job: impl FnOnce() + Send + 'static) {
        let queue = match lane {
            Lane::Latency => &self.latency,
            Lane::Diagnostics => &self.diagnostics,
            Lane::Batch => &self.batch,
            Lane::External => &self.external,
        };
        let disturbance = (lane == Lane::Diagnostics).then(|| self.quiet.disturb());
        let _ = queue.send(Box::new(move || {
            let _disturbance = disturbance;
            job();
        }));
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
            Err(_) => std::thread::sleep(Duration::from_millis(10 << attempt)),
        }
    }
}
