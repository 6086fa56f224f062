//! TCP connections in pairs: scripts with their traces, properties under random mistreatment, and
//! long transfers.

mod buffers;
mod cubic;
mod defaults;
mod echo;
mod ecn;
mod fates;
#[path = "../common/golden.rs"]
mod golden;
mod late_readers;
mod losses;
mod own_rule;
mod pair;
mod properties;
mod recovery_subjects;
mod recovery_table;
mod script_words;
mod scripts;
mod transfers;

/// A scenario whose flow has a transport.
const MISMATCH: &str = include_str!("../common/mismatch.toml");
