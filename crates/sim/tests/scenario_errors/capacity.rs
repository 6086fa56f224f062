//! How the rate of a link varies.

use super::Case;

/// On links of packets.
pub(crate) const OF_PACKETS: &[Case] = &[
    (
        "two rates that are one",
        "[link.left]",
        "[link.left]\ncapacity.two_state = { high = \"1 Mbit/s of line\", low = \"1 Mbit/s of \
         line\", mean_high = \"1 s\", mean_low = \"1 s\" }",
    ),
    (
        "a sojourn shorter than its slot",
        "[link.left]",
        "[link.left]\ncapacity.two_state = { high = \"1 Mbit/s of line\", low = \"0 bit/s of \
         line\", mean_high = \"1 s\", mean_low = \"20 ms\", slot = \"30 ms\" }",
    ),
    (
        "a chain whose rows do not sum to one",
        "[link.left]",
        "[link.left]\ncapacity.slotted = { rates = [\"1 Mbit/s of line\", \"0 bit/s of line\"], \
         slot = \"30 ms\", transitions = [[0.9, 0.1],\n [0.2, 0.7]] }",
    ),
    (
        "a chain with a negative probability",
        "[link.left]",
        "[link.left]\ncapacity.slotted = { rates = [\"1 Mbit/s of line\", \"0 bit/s of line\"], \
         slot = \"30 ms\", transitions = [[1.1, -0.1], [0.2, 0.8]] }",
    ),
    (
        "a chain that stays in a state",
        "[link.left]",
        "[link.left]\ncapacity.slotted = { rates = [\"1 Mbit/s of line\", \"0 bit/s of line\"], \
         slot = \"30 ms\", transitions = [[0.9, 0.1], [0, 1]] }",
    ),
    (
        "a generator whose rows do not sum to zero",
        "[link.left]",
        "[link.left]\ncapacity.markov = { rates = [\"1 Mbit/s of line\", \"0 bit/s of line\"], \
         generator = [[-1, 1], [1, 1]] }",
    ),
    (
        "a row that is short",
        "[link.left]",
        "[link.left]\ncapacity.markov = { rates = [\"1 Mbit/s of line\", \"0 bit/s of line\"], \
         generator = [[-1, 1], [0]] }",
    ),
    (
        "more rates than states",
        "[link.left]",
        "[link.left]\ncapacity.markov = { rates = [\"1 Mbit/s of line\", \"0 bit/s of line\", \"2 \
         Mbit/s of line\"], generator = [[-1, 1], [1, -1]] }",
    ),
    (
        "a chain without capacity",
        "[link.left]",
        "[link.left]\ncapacity.markov = { rates = [\"0 bit/s of line\", \"0 bit/s of line\"], \
         generator = [[-1, 1], [1, -1]] }",
    ),
    (
        "a trace that goes back",
        "[link.left]",
        "[link.left]\ncapacity.steps.rates = [[\"0 s\", \"1 Mbit/s of line\"], [\"2 s\", \
         \"2 Mbit/s of line\"],\n [\"1 s\", \"1 Mbit/s of line\"]]",
    ),
    ("an empty trace", "[link.left]", "[link.left]\ncapacity.steps.rates = []"),
    (
        "a trace that ends in an outage",
        "[link.left]",
        "[link.left]\ncapacity.steps.rates = [[\"0 s\", \"1 Mbit/s of line\"], [\"2 s\", \"0 bit/s \
         of line\"]]",
    ),
    (
        "a period within the trace",
        "[link.left]",
        "[link.left]\ncapacity.steps = { rates = [[\"0 s\", \"1 Mbit/s of line\"], [\"2 s\", \"0 \
         bit/s of line\"]], period = \"2 s\" }",
    ),
    (
        "a rate above that of the line",
        "[link.left]",
        "[link.left]\ncapacity.steps.rates = [[\"0 s\", \"1 Mbit/s of line\"], [\"2 s\", \"2 \
         Gbit/s of line\"]]",
    ),
    (
        "cells of a link of packets",
        "[link.left]",
        "[link.left]\ncapacity.steps.rates = [[\"0 s\", \"1 Mbit/s of line\"], [\"2 s\", \"2 \
         Mbit/s of cell\"]]",
    ),
    (
        "opportunities that go back",
        "[link.left]",
        "[link.left]\ncapacity.mahimahi.opportunities = [0, 5,\n 4]",
    ),
    ("no opportunity", "[link.left]", "[link.left]\ncapacity.mahimahi.opportunities = [0, 0]"),
    (
        "part of a millisecond",
        "[link.left]",
        "[link.left]\ncapacity.mahimahi.opportunities = [1, 1.5]",
    ),
    (
        "more opportunities than the line has",
        "[link.left]",
        "[link.left]\nimpairments.loss = 0.1\ncapacity.mahimahi.opportunities = [1, 1, 1, 1, 1, 1, \
         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
    ),
    (
        "outages of a rate that varies",
        "[link.left]",
        "[link.left]\nimpairments.outages.when.listed = [[\"1 s\", \"1 s\"]]\n\
         capacity.mahimahi.opportunities = [1]",
    ),
    (
        "a file that nothing reads",
        "[link.left]",
        "[link.left]\ncapacity.mahimahi.opportunities = { file = \"none.trace\" }",
    ),
];

/// On links of cells.
pub(crate) const OF_CELLS: &[Case] = &[
    (
        "bits of a line of cells",
        "[link.ku-side]",
        "[link.ku-side]\ncapacity.steps.rates = [[\"0 s\", \"1 Mbit/s of cell\"], [\"2 s\", \"2 \
         Mbit/s of line\"]]",
    ),
    (
        "bit errors of cells of a varying rate",
        "[link.ku-side]",
        "[link.ku-side]\nimpairments.bit_errors = 1e-7\ncapacity.steps.rates = [[\"0 s\", \"1 \
         Mbit/s of cell\"], [\"2 s\", \"2 Mbit/s of cell\"]]",
    ),
];
