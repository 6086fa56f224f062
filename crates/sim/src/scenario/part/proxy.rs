//! `[proxy.NAME]`: a node at which TCP connections are split.

use std::ops::Deref;

use crate::host::WindowSharing;
use crate::language::part::prelude::*;
use crate::tcp::Config as Tcp;
use crate::tcp::SOME_BYTES;
use crate::units::Bytes;

variants! {
    /// `proxy.buffer`: bytes that a proxy has read on one side and that are not acknowledged on the
    /// other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProxyBuffer {
        /// The `send_buffer` of its TCP on the side that it writes to.
        SendBuffer = "send_buffer",
        /// Each connection has its own in each direction.
        PerConnection(Bytes) = "per_connection" value("\"1 MiB\"") as SOME_BYTES,
        /// One memory for all connections in both directions.
        Shared(Bytes) = "shared" value("\"64 MiB\"") as SOME_BYTES,
    }
}

part! {
    /// `[proxy.NAME]` as a file has it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ProxySection {
        /// Unique name, also among nodes and links.
        name: String = family,
        /// The switch or edge at which TCP connections are split.
        at: String = required("\"an2\"") as Kind::Node,
        /// False for a proxy that splits nothing: a factor of a study.
        enabled: bool = default("true", "false"),
        /// Flows that it splits; `*` in a name stands for any part of it.
        flows: Vec<String> = or_default(
            "every flow with `tcp` whose data cross the node", "[\"bulk*\"]"
        ) as Kind::Names,
        /// TCP of the connections that it opens, toward the `to` of their flows.
        tcp: Option<Tcp> = section("that of the flow", "{ preset = \"linux\" }"),
        /// The link on one side of the node whose connections have a TCP of their own.
        link: Option<String> = absent("`link_tcp` is absent", "\"bottleneck\"") as Kind::Link,
        /// TCP of the connections that cross `link`, at both of their ends.
        link_tcp: Option<Tcp> = section(
            "`tcp`, or that of the flow", "{ preset = \"linux\", congestion = \"hybla\" }"
        ),
        /// Bytes that it holds.
        buffer: ProxyBuffer = default("send_buffer", "{ per_connection = \"1 MiB\" }"),
        /// State of the path that its connections between the same two hosts have from each other
        /// (RFC 9040).
        windows: Option<WindowSharing> = absent("none: each begins anew", "\"kept\""),
    }
}

/// A proxy in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Proxy {
    /// The section of the member.
    pub section: ProxySection,
    /// The host that it is; `None` if it splits nothing.
    pub host: Option<ProxyHost>,
}

/// The host of a proxy, behind its node and a link of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProxyHost {
    /// Index of the host.
    pub index: usize,
    /// Index of the link from the node; the next one leads back.
    pub link: usize,
}

impl Deref for Proxy {
    type Target = ProxySection;

    fn deref(&self) -> &ProxySection {
        &self.section
    }
}
