//! Nodes, links and paths: what a scenario names and how its parts are joined.

use super::Case;

/// Ends of links and flows, paths, names, and instants within the run.
pub(crate) const TOPOLOGY: &[Case] = &[
    ("unknown node", "to = \"edc\"", "to = \"edk\""),
    ("unknown node of a link", "[\"ku\", \"an2\"]", "[\"ku\", \"an3\"]"),
    ("three ends", "[\"ku\", \"an2\"]", "[\"ku\", \"an2\", \"edc\"]"),
    ("flow to a switch", "to = \"edc\"", "to = \"an2\""),
    ("flow to itself", "to = \"edc\"", "to = \"ku\""),
    ("link to itself", "[\"ku\", \"an2\"]", "[\"ku\", \"ku\"]"),
    ("no path", "[\"an2\", \"edc\"]", "[\"an2\", \"ku\"]"),
    ("no path back", "between = [\"an2\", \"edc\"]", "from = \"an2\"\nto = \"edc\""),
    ("both delay and distance", "delay = \"2.2 ms\"", "delay = \"2.2 ms\"\ndistance = \"1 km\""),
    ("neither delay nor distance", "delay = \"2.2 ms\"", ""),
    (
        "between and from",
        "between = [\"ku\", \"an2\"]",
        "between = [\"ku\", \"an2\"]\nfrom = \"ku\"",
    ),
    ("between and to", "between = [\"ku\", \"an2\"]", "between = [\"ku\", \"an2\"]\nto = \"an2\""),
    ("no ends", "between = [\"ku\", \"an2\"]", ""),
    ("from without to", "between = [\"ku\", \"an2\"]", "from = \"ku\""),
    ("loop without delay", "distance = \"440 km\"", "distance = \"0 m\""),
    ("same name twice", "[switch.an2]", "[switch.ku]"),
    ("illegal name", "[host.edc]", "[host.\"e dc\"]"),
    ("name with a newline", "[host.edc]", "[host.\"e\\ndc\"]"),
    ("warm-up too long", "warm_up = \"2 s\"", "warm_up = \"20 s\""),
    ("start after the end", "to = \"edc\"", "to = \"edc\"\nstart = \"20 s\""),
    ("pace above the link", "70 Mbit/s of payload", "150 Mbit/s of payload"),
];
