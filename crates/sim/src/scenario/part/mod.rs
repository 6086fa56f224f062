//! The parts of a scenario file, each declared once: type, keys, meaning, reading, writing, checks
//! of its own.

pub(crate) mod abr;
pub(crate) mod carries;
pub(crate) mod edge;
pub(crate) mod file;
pub(crate) mod flow;
pub(crate) mod gfr;
pub(crate) mod host;
pub(crate) mod lab;
pub(crate) mod link;
pub(crate) mod node;
pub(crate) mod observe;
pub(crate) mod pacing;
pub(crate) mod proxy;
pub(crate) mod run;
pub(crate) mod service;
pub(crate) mod switch;
pub(crate) mod vc;
