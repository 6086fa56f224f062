//! Panics of the simulator, caught as values. A panic is always a bug of ours; it ends one run and
//! not the program that started it.
//!
//! A binding raises the value as an exception: one line with the message and the place, instead of
//! a trace on stderr and an exception that nobody expects.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// Message of a panic and its line of the sources, in one line.
#[derive(Debug)]
pub struct Fault(pub String);

thread_local! {
    /// Message of a panic inside a guarded call of this thread; `None` outside of such calls.
    static BROKEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Calls `work` and catches its panic.
///
/// After a panic callers must not use what `work` has changed.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    static NOTED: Once = Once::new();
    NOTED.call_once(note_panics);
    let outer = BROKEN.replace(Some(String::new()));
    let finished = panic::catch_unwind(AssertUnwindSafe(work));
    let said = BROKEN.replace(outer).unwrap_or_default();
    finished.map_err(|_| Fault(said))
}

/// Installs a hook that notes panics inside guarded calls. All others are treated as before.
fn note_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let noted =
            BROKEN.with_borrow_mut(|broken| broken.as_mut().map(|said| *said = one_line(info)));
        if noted.is_none() {
            before(info);
        }
    }));
}

fn one_line(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let said = payload.downcast_ref::<&str>().copied();
    let said = said
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    info.location().map_or(words.clone(), |at| format!("{words} (at {}:{})", at.file(), at.line()))
}
