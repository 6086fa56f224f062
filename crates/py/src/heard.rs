//! Work that may take long and cannot look up by itself, or not in time.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often signals are looked at.
pub(crate) const LOOK_UP: Duration = Duration::from_millis(50);
/// That of a main thread.
const STACK: usize = 8 << 20;

/// What comes from the thread of the work.
enum Word<S, T> {
    Said(S),
    Done(T),
}

/// Where work says how it gets on.
pub(crate) struct Teller<S, T>(SyncSender<Word<S, T>>);

impl<S, T> Teller<S, T> {
    /// Waits until it can be heard; whether anybody listens still. Where nobody does the work was
    /// given up.
    pub(crate) fn say(&self, said: S) -> bool {
        self.0.send(Word::Said(said)).is_ok()
    }
}

/// What `work` returns, without the interpreter, in a thread of its own while this one hears
/// signals. One that raises leaves that thread to itself: it ends with its work or the process.
pub(crate) fn heard<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    followed(py, move |_: &Teller<(), T>| work(), |()| Ok(()))
}

/// The same; `follow` gets what the work says meanwhile, in this thread. What it raises gives the
/// work up, too.
pub(crate) fn followed<S: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Teller<S, T>) -> T + Send + 'static,
    mut follow: impl FnMut(S) -> PyResult<()>,
) -> PyResult<T> {
    let (words, listened) = sync_channel(1);
    let teller = Teller(words);
    let work = move || {
        let done = work(&teller);
        // Nobody receives what was given up.
        drop(teller.0.send(Word::Done(done)));
    };
    thread::Builder::new().stack_size(STACK).spawn(work)?;
    let listened = Mutex::new(listened);
    loop {
        match py.detach(|| next(&listened)) {
            Ok(Word::Done(done)) => return Ok(done),
            Ok(Word::Said(said)) => {
                py.check_signals()?;
                follow(said)?;
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => unreachable!("panics are caught in the work"),
        }
    }
}

fn next<T>(listened: &Mutex<Receiver<T>>) -> Result<T, RecvTimeoutError> {
    listened.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_UP)
}
