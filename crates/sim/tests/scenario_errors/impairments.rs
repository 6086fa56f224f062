//! What a link does to its units.

use super::Case;

/// On links of packets.
pub(crate) const OF_PACKETS: &[Case] = &[
    ("a loss above one", "[link.left]", "[link.left]\nimpairments.loss = 1.5"),
    ("a negative loss", "[link.left]", "[link.left]\nimpairments = { loss = -0.1 }"),
    ("a loss in percent", "[link.left]", "[link.left]\nimpairments.loss = \"1 %\""),
    ("an unknown impairment", "[link.left]", "[link.left]\nimpairments.los = 0.1"),
    (
        "a channel without sojourns",
        "[link.left]",
        "[link.left]\nimpairments.gilbert_elliott = { bad_loss = 0.5 }",
    ),
    (
        "a channel that stays bad",
        "[link.left]",
        "[link.left]\nimpairments.gilbert_elliott.sojourn.transitions = { to_bad = 0.1, to_good \
         = 0 }",
    ),
    (
        "a burst of half a packet",
        "[link.left]",
        "[link.left]\nimpairments.gilbert_elliott.sojourn.units = { good = 10, bad = 0.5 }",
    ),
    (
        "a script of no flow",
        "[link.left]",
        "[link.left]\nimpairments.script.y = { segments = [1] }",
    ),
    ("a script of nothing", "[link.left]", "[link.left]\nimpairments.script.x = {}"),
    (
        "numbers from zero",
        "[link.left]",
        "[link.left]\nimpairments.script.x = { segments = [0, 1] }",
    ),
    (
        "numbers that go back",
        "[link.left]",
        "[link.left]\nimpairments.script.x = { segments = [3, 7, 7] }",
    ),
    ("cells of packets", "[link.left]", "[link.left]\nimpairments.script.x = { cells = [3] }"),
    (
        "a script of a flow that does not pass",
        "[flow.x]",
        "[link.spare]\nfrom = \"b\"\nto = \"a\"\nrate = \"1 Mbit/s of line\"\ncarries = \
         \"packets\"\ndelay = \"1 s\"\nimpairments.script.x = { segments = [1] }\n[flow.x]",
    ),
];

/// On links of cells, and delays.
pub(crate) const OF_CELLS: &[Case] = &[
    (
        "cells out of order",
        "[link.ku-side]",
        "[link.ku-side]\nimpairments.reorder = { probability = 0.1, extra_delay = \"1 ms\" }",
    ),
    ("cells twice", "[link.ku-side]", "[link.ku-side]\nimpairments = { duplicate = 0.1 }"),
    (
        "an outage without end",
        "[link.ku-side]",
        "[link.ku-side]\nimpairments.outages.when.periodic = { every = \"1 s\", lasts = \"1 s\" }",
    ),
    (
        "outages that go back",
        "[link.ku-side]",
        "[link.ku-side]\nimpairments.outages.when.listed = [[\"2 s\", \"1 s\"], [\"1 s\", \"1 \
         s\"]]",
    ),
    (
        "a schedule that goes back",
        "delay = \"2.2 ms\"",
        "delay = { steps = [[\"0 s\", \"2 ms\"], [\"5 s\", \"3 ms\"], [\"4 s\", \"2 ms\"]] }",
    ),
    (
        "a schedule that begins late",
        "delay = \"2.2 ms\"",
        "delay = { linear = [[\"1 s\", \"2 ms\"], [\"5 s\", \"3 ms\"]] }",
    ),
    ("a schedule without a list", "delay = \"2.2 ms\"", "delay = \"steps\""),
    ("an unknown way to vary", "delay = \"2.2 ms\"", "delay = { stairs = [[\"0 s\", \"1 s\"]] }"),
    ("a delay that is a number", "delay = \"2.2 ms\"", "delay = 2"),
];
