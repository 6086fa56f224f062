//! A scenario made in Rust instead of read from text.

use super::resolved::{
    Carries, Edge, FlowSection, Host, LinkSection, Named, Observe, ScenarioFile, Switch, VcSection,
};
use crate::language::preset::Preset;
use crate::units::{Framing, Rate};

/// A scenario made by hand: each section is a struct with the keys of the scenario language as
/// fields and its defaults. [`ScenarioFile::resolve`] writes the text and reads it, so that every
/// check of a text is made, and no other.
///
/// ```
/// use cellway_sim::scenario::{
///     Buffer, Carries, FlowSection, Host, LinkSection, RunControl, ScenarioFile, Switch, Tcp,
/// };
/// use cellway_sim::units::{Bytes, Cells, CellsOrPackets, Span};
///
/// let line = |name: &str| Carries::line(name).expect("a standard line");
/// let delay = Span::from_milliseconds(2);
/// let scenario = ScenarioFile::new(RunControl::lasting(Span::from_seconds(1)))
///     .host("ku", Host::default())
///     .host("edc", Host::default())
///     .switch("an2", Switch {
///         buffer: Buffer::PerVc(CellsOrPackets::Cells(Cells(256))),
///         ..Switch::default()
///     })
///     .link("ku-side", LinkSection::between("ku", "an2", line("OC-3c"), delay))
///     .link("edc-side", LinkSection::between("an2", "edc", line("TAXI-100"), delay))
///     .flow("bulk", FlowSection::tcp("ku", "edc", Tcp {
///         window: Bytes(128 << 10),
///         ..Tcp::default()
///     }))
///     .resolve("mismatch")?;
/// assert_eq!(scenario.links.len(), 4);
/// # Ok::<(), cellway_sim::scenario::ScenarioError>(())
/// ```
///
/// The lists of sections are public, too: `Named::new("src", Some(8), Host::default())` is a family
/// of eight hosts.
impl ScenarioFile {
    /// Adds an end system.
    #[must_use]
    pub fn host(mut self, name: &str, host: Host) -> Self {
        self.host.push(Named::new(name, None, host));
        self
    }

    /// Adds a node that forwards.
    #[must_use]
    pub fn switch(mut self, name: &str, switch: Switch) -> Self {
        self.switch.push(Named::new(name, None, switch));
        self
    }

    /// Adds a router between links of packets and links of cells.
    #[must_use]
    pub fn edge(mut self, name: &str, edge: Edge) -> Self {
        self.edge.push(Named::new(name, None, edge));
        self
    }

    /// Adds a link between two nodes.
    #[must_use]
    pub fn link(mut self, name: &str, link: LinkSection) -> Self {
        self.link.push(Named::new(name, None, link));
        self
    }

    /// Adds a virtual circuit that several flows share.
    #[must_use]
    pub fn vc(mut self, name: &str, vc: VcSection) -> Self {
        self.vc.push(Named::new(name, None, vc));
        self
    }

    /// Adds traffic from one host to another.
    #[must_use]
    pub fn flow(mut self, name: &str, flow: FlowSection) -> Self {
        self.flow.push(Named::new(name, None, flow));
        self
    }

    /// Sets the time series and distributions to record.
    #[must_use]
    pub fn observe(mut self, observe: Observe) -> Self {
        self.observe = Some(observe);
        self
    }
}

impl Carries {
    /// Cells or packets on a standard line, such as `OC-3c`; `None` for an unknown name.
    pub fn line(name: &str) -> Option<Self> {
        let preset = Preset::named(name)?;
        let of_cells = |cell_rate| Self::Cells { line_rate: preset.line_rate(), cell_rate };
        preset.cell_rate().map(of_cells).or(preset.packet_rate().map(Self::packets))
    }

    /// Cells at the rate `cell_rate` of whole cells.
    pub const fn cells(cell_rate: Rate) -> Self {
        Self::Cells { line_rate: cell_rate, cell_rate }
    }

    /// Packets without framing on a line with the rate `line_rate`.
    pub const fn packets(line_rate: Rate) -> Self {
        Self::Packets { line_rate, framing: Framing::NONE }
    }
}
