//! Long work during which the interpreter still handles signals, although the work itself may not
//! check for them in time.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// Interval at which signals are checked.
pub(crate) const LOOK_UP: Duration = Duration::from_millis(50);
/// Stack size, that of a main thread.
const STACK: usize = 8 << 20;

/// Message from the thread of the work.
enum Message<S, T> {
    Report(S),
    Done(T),
}

/// Sending end of the messages of the work.
pub(crate) struct ReportSender<S, T>(SyncSender<Message<S, T>>);

impl<S, T> ReportSender<S, T> {
    /// Sends a report, waiting until there is room; false if the work was given up and nobody
    /// receives it.
    pub(crate) fn send(&self, report: S) -> bool {
        self.0.send(Message::Report(report)).is_ok()
    }

    /// Sends a report if there is room, without waiting; false if the work was given up and nobody
    /// receives it.
    pub(crate) fn offer(&self, report: S) -> bool {
        !matches!(self.0.try_send(Message::Report(report)), Err(TrySendError::Disconnected(_)))
    }
}

/// Runs `work` without the interpreter, in a thread of its own, while this thread handles signals.
/// If a signal handler raises, that thread is left to itself: it ends with its work or the process.
pub(crate) fn run_interruptibly<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    run_with_reports(py, move |_: &ReportSender<(), T>| work(), |()| Ok(()))
}

/// Runs `work` likewise; `follow` gets its reports in this thread. An exception of `follow` gives
/// the work up, too.
pub(crate) fn run_with_reports<S: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&ReportSender<S, T>) -> T + Send + 'static,
    mut follow: impl FnMut(S) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    let reports = ReportSender(sender);
    let work = move || {
        let done = work(&reports);
        // Nobody receives what was given up.
        drop(reports.0.send(Message::Done(done)));
    };
    thread::Builder::new().stack_size(STACK).spawn(work)?;
    let receiver = Mutex::new(receiver);
    loop {
        match py.detach(|| next(&receiver)) {
            Ok(Message::Done(done)) => return Ok(done),
            Ok(Message::Report(report)) => {
                py.check_signals()?;
                follow(report)?;
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => unreachable!("panics are caught in the work"),
        }
    }
}

fn next<T>(receiver: &Mutex<Receiver<T>>) -> Result<T, RecvTimeoutError> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK_UP)
}
