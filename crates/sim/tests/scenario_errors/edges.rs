//! Edge routers and circuits between them.

use super::Case;

/// Circuits and their flows, buffers of edges, and services of flows through them.
pub(crate) const EDGE: &[Case] = &[
    ("back-pressure at an edge", "{ tail = \"2 kcell\" }", "{ back_pressure = \"2 kcell\" }"),
    (
        "back-pressure in a flow's own circuit",
        "service.ubr.pace = \"5 Mbit/s of cell\"",
        "service.abr.buffer.back_pressure = \"2 kcell\"",
    ),
    ("unknown vc", "vc = \"trunk\"", "vc = \"trnk\""),
    (
        "vc between other edges",
        "[vc.trunk]\nbetween = [\"west\", \"east\"]",
        "[edge.north]\n[vc.trunk]\nbetween = [\"west\", \"north\"]",
    ),
    ("vc and service", "vc = \"trunk\"", "vc = \"trunk\"\nservice = \"vbr\""),
    ("vc to a host", "between = [\"west\", \"east\"]", "between = [\"west\", \"b[1]\"]"),
    ("vc to itself", "between = [\"west\", \"east\"]", "between = [\"west\", \"west\"]"),
    ("vc without flows", "[vc.trunk]", "[vc.spare]\nbetween = [\"west\", \"east\"]\n[vc.trunk]"),
    ("vc named as a flow", "[vc.trunk]", "[vc.alone]"),
    ("vc with a count", "[vc.trunk]", "[vc.trunk]\ncount = 2"),
    ("vc above its link", "30 Mbit/s of cell", "41 Mbit/s of cell"),
    ("pace above its link", "5 Mbit/s of cell", "150 Mbit/s of cell"),
    (
        "cells on both sides of an edge",
        "[switch.atm]\ndelay = \"4 us\"\nrate_allocator = \"erica\"",
        "[edge.atm]",
    ),
    (
        "cells a second time",
        "[link.far]\ncount = 2\nbetween = [\"east\", \"b[*]\"]",
        "[edge.south]\n[edge.north]\n[link.more]\nbetween = [\"east\", \"south\"]\n\
         rate = \"10 Mbit/s of line\"\ncarries = \"packets\"\ndelay = \"5 us\"\n[link.again]\n\
         between = [\"south\", \"north\"]\nrate = \"OC-3c\"\ndelay = \"1 ms\"\n\
         [link.far]\ncount = 2\nbetween = [\"north\", \"b[*]\"]",
    ),
    ("raw cells through an edge", "tcp = { mtu = \"1500 B\" }\n[observe]", "[observe]"),
    ("edge buffer in cells", "50 packet", "50 cell"),
    (
        "threshold of cells at an edge without limit",
        "[edge.east]",
        "[edge.east]\ndrop = { epd = { threshold = \"50 cell\" } }",
    ),
    ("unknown policy of an edge", "[edge.east]", "[edge.east]\ndrop = \"pdd\""),
    ("flow to an edge", "to = \"b[1]\"", "to = \"east\""),
    ("edge named as a switch", "[edge.east]", "[edge.east]\n[edge.atm]"),
    (
        "abr without cells",
        "from = \"b[2]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nvc = \"trunk\"",
        "from = \"a[1]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nservice = \"abr\"",
    ),
    (
        "gfr without cells",
        "from = \"b[2]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nvc = \"trunk\"",
        "from = \"a[1]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nservice.gfr.mcr = \"1 Mbit/s of \
         cell\"",
    ),
    (
        "minimum rates of abr and gfr above a link",
        "service.abr = { pcr = \"30 Mbit/s of cell\", buffer = { tail = \"2 kcell\" } }",
        "service.abr.mcr = \"20 Mbit/s of cell\"\n\
         [flow.more]\nfrom = \"a[2]\"\nto = \"b[1]\"\ntraffic = \"greedy\"\ntcp = {}\n\
         service.gfr.mcr = \"30 Mbit/s of cell\"",
    ),
];
