//! The language server: the only code that knows LSP types.
//!
//! Vocabulary, in the order in which a message meets it:
//!
//! * [`framing`]: standard input, cleaned of what is no message, and standard output, which takes whole messages.
//! * [`ordered`]: the tower service in front of tower-lsp. Its `call` runs on the read loop in wire order and turns
//!   every message into an [`Event`](events::Event) before anything else happens.
//! * [`events`]: the closed set of events, and the [`Reply`](events::Reply) that a request is answered through.
//! * [`main_loop`]: the one owner of mutable state, on a thread of its own. It applies notifications, and hands
//!   requests to a handler.
//! * [`documents`]: the texts that editors have open.
//! * [`snapshot`]: what a handler sees: the analyser, the documents and the settings as of one moment.
//! * [`lanes`]: the threads that handlers run on. Requests never wait behind diagnostics or indexing.
//! * [`dispatch`]: which handler answers which method, and whether it is retried when an edit overtakes it.
//! * [`to_proto`], [`from_proto`]: the translations between plain data and LSP types.

mod capabilities;
mod compiler;
mod diagnostics;
mod dispatch;
mod documents;
mod events;
mod external;
mod framing;
mod from_proto;
mod handlers;
mod include_graph;
mod lanes;
mod library_files;
mod main_loop;
mod ordered;
mod outgoing;
mod paths;
mod project_links;
mod settings;
mod snapshot;
mod to_proto;
mod watchdog;

use std::{process::ExitCode, sync::mpsc};

use tower_lsp::{LspService, Server};

/// Threads that analyse have a stack of this many bytes: deeply nested sources recurse deeply.
const STACK_SIZE: usize = 16 << 20;

/// Requests in flight at once. The queue is ours: at tower-lsp's default of 4, four slow requests would keep the edit
/// or the cancellation that ends them from being read.
const CONCURRENCY: usize = 1 << 20;

/// How many arenas glibc's allocator may have. By default there are eight for each core, and what a thread freed in one is
/// of no use to the next; measured on a file of 15,000 lines they take a third of the server's memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ARENAS: libc::c_int = 3;

/// How many bytes at the end of an arena may be free before they are given back, and from which size on a block is a mapping
/// of its own. These are glibc's defaults, which it raises as it goes unless they are set: then nothing that large is given
/// back any more.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: libc::c_int = 128 << 10;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn limit_arenas() {
    // SAFETY: it changes numbers of the allocator, before any other thread is started.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn limit_arenas() {}

/// Serves standard input and output until the client says `exit`, which ends the process, or closes the pipe.
pub(crate) fn run() -> ExitCode {
    limit_arenas();
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    let (events, queue) = mpsc::channel();
    let (service, socket) = LspService::new(ordered::Lifecycle::new);
    let client = service.inner().client();
    let output = framing::Output::start();
    let ordered = ordered::Ordered::new(service, events.clone(), output.clone());
    let status = ordered.status();
    runtime.block_on(async move {
        let outgoing = outgoing::start(client, events.clone());
        let main_loop = std::thread::Builder::new()
            .name("main loop".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || main_loop::run(&queue, events, outgoing));
        if main_loop.is_ok() {
            let server = Server::new(framing::Input::start(), output, socket);
            server.concurrency_level(CONCURRENCY).serve(ordered).await;
        }
    });
    ExitCode::from(status.exit_code())
}
