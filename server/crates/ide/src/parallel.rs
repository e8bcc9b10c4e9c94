//! Many queries at once.
//!
//! Each helping thread has a handle of its own on the database. An edit ends all of them by unwinding, and the unwinding
//! goes on in the thread that asked; see [`Analysis::cancellable`](crate::Analysis::cancellable).

use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering},
    thread::{Builder, available_parallelism, scope},
    time::{Duration, Instant},
};

use msl_db::Database;

/// Deeply nested sources recurse deeply.
const STACK_SIZE: usize = 16 << 20;

/// More threads than this take more from the requests of an editor than they give.
const MAX_THREADS: usize = 4;

/// Below this much work a thread is not worth its start.
const MIN_PER_THREAD: usize = 48;

/// How many numbers a thread takes at a time.
const CHUNK: usize = 4;

/// How long one thread works alone.
const PATIENCE: Duration = Duration::from_millis(1);

/// Calls `each` for the numbers below `count`, in no particular order, on several threads if that takes long: after an edit
/// almost everything is known, and looking at it takes less time than a thread's start.
pub(crate) fn for_each_number(db: &Database, count: usize, each: impl Fn(&Database, usize) + Sync) {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    let wanted = (count / MIN_PER_THREAD).min(cores.min(MAX_THREADS) - 1);
    let next = AtomicUsize::new(0);
    let work_on = |db: &Database| {
        let start = next.fetch_add(CHUNK, Ordering::Relaxed);
        for number in start..count.min(start + CHUNK) {
            each(db, number);
        }
        start + CHUNK < count
    };
    scope(|scope| {
        let started = Instant::now();
        let mut helpers = Vec::new();
        while work_on(db) {
            if helpers.len() < wanted && started.elapsed() > PATIENCE {
                let (db, work_on) = (db.clone(), &work_on);
                let work = move || while work_on(&db) {};
                match Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work) {
                    Ok(helper) => helpers.push(helper),
                    // The system gives no thread.
                    Err(_) => break,
                }
            }
        }
        while work_on(db) {}
        for helper in helpers {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

/// What `make` makes of each input, which may be done at the same time.
pub(crate) fn map<I: Sync, T: Send>(db: &Database, inputs: &[I], make: impl Fn(&Database, &I) -> T + Sync) -> Vec<T> {
    let Some((first, rest)) = inputs.split_first() else { return Vec::new() };
    scope(|scope| {
        let helpers: Vec<_> = rest
            .iter()
            .map(|input| {
                let (db, make) = (db.clone(), &make);
                let helper = Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || make(&db, input));
                (input, helper.ok())
            })
            .collect();
        let mut made = vec![make(db, first)];
        for (input, helper) in helpers {
            made.push(match helper {
                Some(helper) => helper.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // The system gives no thread.
                None => make(db, input),
            });
        }
        made
    })
}
