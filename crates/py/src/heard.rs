//! Long work during which the interpreter still handles signals.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// Interval at which signals are checked.
const LOOK_UP: Duration = Duration::from_millis(50);
/// Stack size, that of a main thread.
const STACK: usize = 8 << 20;

/// Runs `work` without the interpreter, in a thread of its own, while this thread handles signals.
/// If a signal handler raises, that thread is left to itself: it ends with its work or the process.
pub(crate) fn heard<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, finished) = channel();
    // If a signal ended the wait, no receiver is left.
    let work = move || drop(done.send(work()));
    thread::Builder::new().stack_size(STACK).spawn(work)?;
    let finished = Mutex::new(finished);
    let wait = || finished.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_UP);
    loop {
        match py.detach(wait) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => unreachable!("panics are caught in the work"),
        }
    }
}
