//! TCP connections in pairs: losses, marks and readers, properties under random mistreatment, and
//! long transfers. Packet scripts of single ends are in `crates/stack`.

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
mod transfers;

/// A scenario whose flow has a transport.
const MISMATCH: &str = include_str!("../common/mismatch.toml");
