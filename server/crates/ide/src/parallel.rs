//! Many queries at once.
//!
//! Each helping thread has a handle of its own on the database. An edit ends all of them by unwinding, and the unwinding
//! goes on in the thread that asked; see [`Analysis::cancellable`](crate::Analysis::cancellable).

use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering},
    thread::{Builder, available_parallelism, scope},
};

use msl_db::Database;

/// Deeply nested sources recurse deeply.
const STACK_SIZE: usize = 16 << 20;

/// More threads than this take more from the requests of an editor than they give.
const MAX_THREADS: usize = 4;

/// Below this much work a thread is not worth its start.
const MIN_PER_THREAD: usize = 48;

/// How many numbers a thread takes at a time.
const CHUNK: usize = 8;

/// Calls `each` for the numbers below `count`, in no particular order, on several threads if there are many.
pub(crate) fn for_each_number(db: &Database, count: usize, each: impl Fn(&Database, usize) + Sync) {
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = (count / MIN_PER_THREAD).clamp(1, cores.min(MAX_THREADS));
    let next = AtomicUsize::new(0);
    let work = |db: &Database| {
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= count {
                return;
            }
            for number in start..count.min(start + CHUNK) {
                each(db, number);
            }
        }
    };
    scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .filter_map(|_| {
                let (db, work) = (db.clone(), &work);
                Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || work(&db)).ok()
            })
            .collect();
        work(db);
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
