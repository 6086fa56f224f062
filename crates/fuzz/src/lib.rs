//! Targets of fuzzing: each takes octets and panics where something is wrong.
//!
//! Readers take the octets as text; models take their operations from them (`dice`). Two drivers
//! exist: `tests/corpus.rs` runs the corpus and random changes of it with every `cargo test`, and
//! `src/main.rs` is a program for the coverage-guided engine libFuzzer, which `tools/fuzz` builds
//! on a stable toolchain. `docs/verification.md` has the executions and findings.

mod connection;
mod dice;
mod engine;
mod octets;
mod port;
mod readers;
mod wire;

/// A target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folder in `corpus`.
    pub name: &'static str,
    /// Runs it once.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 9] = [
    Target { name: "scenario", run: readers::scenario },
    Target { name: "lists", run: readers::lists },
    Target { name: "netspec", run: readers::netspec },
    Target { name: "script", run: readers::script },
    Target { name: "protocol", run: readers::protocol },
    Target { name: "wire", run: wire::run },
    Target { name: "connection", run: connection::run },
    Target { name: "port", run: port::run },
    Target { name: "engine", run: engine::run },
];

/// The target of this name.
///
/// # Panics
///
/// There is none.
pub fn target(name: &str) -> Target {
    let names = TARGETS.map(|target| target.name).join(", ");
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target `{name}`; expected one of {names}"))
}
