//! The simulator as WebAssembly.
//!
//! Seven functions over three buffers of numbers. A caller asks [`input()`] for room, writes a
//! [`Job`] there as JSON, calls [`simulate()`], and reads the [`Answer`] as JSON from [`output()`]
//! and its columns, which are `f64` values in the order of the machine, from [`column()`]. Every
//! call may move the memory: addresses are valid until the next call.
//!
//! An instance is made for one run and dropped after it. So nothing is kept from run to run, and a
//! trap ends one run alone; its message is then in the output.

mod answer;
mod job;

use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

pub use answer::{Answer, Column, Columns, Failure};
pub use job::{Job, Keep, answer};

/// Input, output and columns of the one run of an instance.
struct Buffers {
    input: Vec<u8>,
    output: Vec<u8>,
    columns: Vec<Vec<f64>>,
}

static BUFFERS: Mutex<Buffers> =
    Mutex::new(Buffers { input: Vec::new(), output: Vec::new(), columns: Vec::new() });

fn buffers() -> MutexGuard<'static, Buffers> {
    BUFFERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a job of `len` bytes; returns its address.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    let mut buffers = buffers();
    buffers.input = vec![0; len];
    buffers.input.as_mut_ptr()
}

/// Does the job; returns 0 if it has results and 1 if the answer tells why not.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn simulate() -> i32 {
    static NOTED: Once = Once::new();
    // Elsewhere a panic unwinds, and whoever called tells of it.
    if cfg!(target_family = "wasm") {
        NOTED.call_once(note_panics);
    }
    let input = std::mem::take(&mut buffers().input);
    let (answer, columns) = match serde_json::from_slice::<Job>(&input) {
        Ok(job) => answer(&job),
        Err(reason) => (Answer::failed(vec![Failure::of_job(&reason)]), Vec::new()),
    };
    let mut buffers = buffers();
    buffers.output = serde_json::to_vec(&answer).unwrap_or_default();
    buffers.columns = columns;
    i32::from(!answer.faults.is_empty())
}

/// Address of the answer.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    buffers().output.as_ptr()
}

/// Length of the answer in bytes.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    buffers().output.len()
}

/// Address of a column; null if there is none of this number.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn column(number: usize) -> *const f64 {
    buffers().columns.get(number).map_or(std::ptr::null(), Vec::as_ptr)
}

/// Number of values of a column.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn column_len(number: usize) -> usize {
    buffers().columns.get(number).map_or(0, Vec::len)
}

/// Puts the edition of the model into the output; returns its length in bytes.
#[expect(unsafe_code, reason = "an exported symbol")]
#[unsafe(no_mangle)]
pub extern "C" fn model() -> usize {
    let mut buffers = buffers();
    buffers.output = cellway_sim::MODEL_VERSION.as_bytes().to_vec();
    buffers.output.len()
}

/// Leaves the message and the line of a panic in the output, where it outlives the trap.
fn note_panics() {
    panic::set_hook(Box::new(|info| {
        let failed = Answer::failed(vec![Failure::of_panic(&info.to_string())]);
        // Whoever held the buffers is gone after a trap.
        if let Ok(mut buffers) = BUFFERS.try_lock() {
            buffers.output = serde_json::to_vec(&failed).unwrap_or_default();
        }
    }));
}

#[cfg(test)]
mod tests;
