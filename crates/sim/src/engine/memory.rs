//! Memory that a run takes, and its limit.
//!
//! Counted is the memory that grows with rates, delays, windows, with switches times circuits, with
//! what is recorded, and the memory of hosts, links, ports and flows from the beginning.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Default limit of a run's memory, in bytes. It does not depend on the machine, so that a run ends
/// alike everywhere.
pub const MAX_BYTES: usize = 1_000_000_000;

/// Bytes that many parts of a network take. All clones add to the same number, and to the total of
/// the run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    own: Arc<AtomicUsize>,
    all: Arc<AtomicUsize>,
}

impl Tally {
    fn of(all: &Arc<AtomicUsize>) -> Self {
        Self { all: Arc::clone(all), ..Self::default() }
    }

    /// Adds bytes.
    pub fn add(&self, bytes: usize) {
        self.own.fetch_add(bytes, Ordering::Relaxed);
        self.all.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Sum of the bytes added.
    pub fn bytes(&self) -> usize {
        self.own.load(Ordering::Relaxed)
    }
}

/// Memory that a run takes, by kind, and its limit.
#[derive(Clone, Debug)]
pub struct Memory {
    limit: usize,
    /// Bytes of hosts, links, ports and flows before anything travels.
    parts: usize,
    /// Bytes of cells on links and in queues.
    cells: Tally,
    tables: Tally,
    recorded: Tally,
    /// Sum of all kinds, which is read most often.
    all: Arc<AtomicUsize>,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(MAX_BYTES, 0)
    }
}

impl Memory {
    /// Memory of a run whose parts take `parts` bytes and that may take `limit` in all.
    pub fn new(limit: usize, parts: usize) -> Self {
        let all = Arc::new(AtomicUsize::new(parts));
        let [cells, tables, recorded] = std::array::from_fn(|_| Tally::of(&all));
        Self { limit, parts, cells, tables, recorded, all }
    }

    /// Takes `bytes` more for cells.
    #[cold]
    pub(super) fn take(&self, bytes: usize) {
        self.cells.add(bytes);
    }

    /// Takes `bytes` more for tables. True if there is room for them.
    pub fn takes_table(&self, bytes: usize) -> bool {
        self.tables.add(bytes);
        !self.is_exceeded()
    }

    /// Tally of series, logs and distributions.
    pub fn recorded(&self) -> &Tally {
        &self.recorded
    }

    /// True if the run exceeds its limit.
    #[inline]
    pub fn is_exceeded(&self) -> bool {
        self.all.load(Ordering::Relaxed) > self.limit
    }
}

/// Bytes of each kind, and advice on how to take less.
impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [cells, tables, recorded] =
            [&self.cells, &self.tables, &self.recorded].map(Tally::bytes);
        let way_out = match self.parts.max(cells).max(tables).max(recorded) {
            largest if largest == cells => "lower rates, delays or windows",
            largest if largest == recorded => "lower `observe.limit` or observe less",
            largest if largest == tables => "fewer switches or flows",
            _ => "fewer hosts, links or flows",
        };
        write!(
            f,
            "more than the {} of `run.memory_limit`: {} for hosts, links and flows, {} for cells \
             on links and in queues, {} for time series, logs and distributions, {} for routes; \
             {way_out}, or a higher limit, would do",
            Shown(self.limit),
            Shown(self.parts),
            Shown(cells),
            Shown(recorded),
            Shown(tables),
        )
    }
}

/// Bytes as people read them: `1.2 GB`.
struct Shown(usize);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
        match units.into_iter().find(|&(size, _)| self.0 >= size) {
            Some((size, unit)) if self.0.is_multiple_of(size) => {
                write!(f, "{} {unit}", self.0 / size)
            }
            Some((size, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / size as f64),
            None => write!(f, "{} B", self.0),
        }
    }
}
