//! Long work during which the interpreter still handles signals, although the work itself may not
//! check for them in time.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// Interval at which signals are checked.
pub(crate) const LOOK_UP: Duration = Duration::from_millis(50);
/// Stack size, that of a main thread.
const STACK: usize = 8 << 20;

/// Message from the thread of the work.
enum Word<S, T> {
    Said(S),
    Done(T),
}

/// Sending end of the messages of the work.
pub(crate) struct Teller<S, T>(SyncSender<Word<S, T>>);

impl<S, T> Teller<S, T> {
    /// Sends a report, waiting until there is room; false if the work was given up and nobody
    /// receives it.
    pub(crate) fn say(&self, said: S) -> bool {
        self.0.send(Word::Said(said)).is_ok()
    }
}

/// Runs `work` without the interpreter, in a thread of its own, while this thread handles signals.
/// If a signal handler raises, that thread is left to itself: it ends with its work or the process.
pub(crate) fn heard<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    followed(py, move |_: &Teller<(), T>| work(), |()| Ok(()))
}

/// Runs `work` likewise; `follow` gets its reports in this thread. An exception of `follow` gives
/// the work up, too.
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
