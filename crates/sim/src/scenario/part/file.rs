//! The top level of a scenario file.

use crate::language::family::Named;
use crate::language::part::prelude::*;
use crate::scenario::part::edge::Edge;
use crate::scenario::part::flow::FlowSection;
use crate::scenario::part::host::Host;
use crate::scenario::part::lab::Laboratory;
use crate::scenario::part::link::LinkSection;
use crate::scenario::part::observe::Observe;
use crate::scenario::part::proxy::ProxySection;
use crate::scenario::part::run::RunControl;
use crate::scenario::part::switch::Switch;
use crate::scenario::part::vc::VcSection;

part! {
    /// A scenario as a file has it: every value in range, but not expanded, connected or compared
    /// yet.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ScenarioFile {
        /// Run control.
        run: RunControl = section("{ duration = \"20 s\" }"),
        /// End systems; they never forward.
        host: Vec<Named<Host>> = section("no hosts", "{ ku = {} }"),
        /// Nodes that forward.
        switch: Vec<Named<Switch>> = section("no switches", "{ an2 = {} }"),
        /// Routers between links of packets and links of cells: they end virtual circuits.
        edge: Vec<Named<Edge>> = section("no edges", "{ west = {} }"),
        /// Connections between nodes.
        link: Vec<Named<LinkSection>> = section(
            "no links",
            "{ x = { between = [\"ku\", \"an2\"], rate = \"OC-3c\", delay = \"1 ms\" } }"
        ),
        /// Virtual circuits between two edges that several flows share.
        vc: Vec<Named<VcSection>> = section(
            "every flow has virtual circuits of its own",
            "{ trunk = { between = [\"west\", \"east\"] } }"
        ),
        /// Traffic from one host to another.
        flow: Vec<Named<FlowSection>> = section(
            "no flows",
            "{ bulk = { from = \"ku\", to = \"edc\", traffic = \"greedy\", tcp = {} } }"
        ),
        /// Nodes at which TCP connections that cross them are split.
        proxy: Vec<Named<ProxySection>> = section("no proxies", "{ pep = { at = \"an2\" } }"),
        /// Time series and distributions to record.
        observe: Option<Observe> = section("no time series", "{}"),
        /// Title, controls and compared settings of `cellway lab`. A control is declared as a
        /// factor of a study, below `lab.control.NAME`; no result depends on it.
        lab: Laboratory = section(
            "controls that the scenario suggests",
            "{ control.rate = { keys = [\"link.x.rate\"], levels = [\"DS-3\", \"OC-3c\"] } }"
        ),
    }
}

impl ScenarioFile {
    /// A file with this section alone.
    pub const fn new(run: RunControl) -> Self {
        Self {
            run,
            host: Vec::new(),
            switch: Vec::new(),
            edge: Vec::new(),
            link: Vec::new(),
            vc: Vec::new(),
            flow: Vec::new(),
            proxy: Vec::new(),
            observe: None,
            lab: Laboratory,
        }
    }
}

/// Reference of all keys of a scenario file as JSON: one entry per key with its type, default,
/// limits and meaning.
///
/// `NAME` in a key stands for a name of the user's. A variant is selected by its name as a string
/// if `as_string` says so, and always by a table with its name as the only key.
pub fn schema() -> String {
    crate::language::schema::reference(ScenarioFile::KEYS)
}
