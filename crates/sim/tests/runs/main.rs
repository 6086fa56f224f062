//! Whole runs: against formulas, twice the same, and always with counters that add up.

mod abc;
mod ack_path;
mod adaptive_video;
mod arrivals;
mod bbr;
mod bbr3;
mod blocks;
mod bursts;
mod capacity;
mod captured;
mod datagrams;
mod deadlines;
mod determinism;
mod distributions;
mod drivers;
mod ecn;
mod edge;
mod edition;
mod external;
mod flow_keys;
#[path = "../common/golden.rs"]
mod golden;
mod groups;
mod hosts;
mod ip_versions;
mod known_answers;
mod laws;
mod limits;
#[path = "../common/network.rs"]
mod network;
mod occupancy;
mod one_way;
mod outside;
mod own_rules;
mod paced_windows;
mod pacing;
mod page_connections;
mod pages;
mod ports;
mod proxies;
mod proxy_windows;
mod rate_headers;
mod raw_cells;
mod readers;
mod records;
mod relays;
#[path = "../common/running.rs"]
mod running;
mod segments;
mod shape;
mod shared_memory;
mod slotted;
mod slow_starts;
mod spans;
mod starts;
mod stops;
mod timestamps;
mod trains;
mod transactions;
#[path = "../common/words.rs"]
mod words;
mod writes;

use running::{outcome, outcome_of, scenario, summary};
