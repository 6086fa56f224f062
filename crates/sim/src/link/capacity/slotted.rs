//! A Markov chain in discrete time: it moves, or stays, at the end of each slot.
//!
//! Row i has the probabilities with which state i is followed by each state, itself included. The
//! first slot begins with the run, and the chain with the stationary law π, πP = π. A sojourn in i
//! is geometric, of 1/(1 − pᵢᵢ) slots in the mean.

use super::matrix::{self, Matrix, TRANSITIONS};
use super::process::{LongRun, Process, ProcessPlan};
use super::rates::{self, CapacityRate};
use super::two_state::{SOJOURN, slots};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

part! {
    /// States with their rates, and the moves between them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SlottedPlan {
        /// Rate in each state.
        rates: Vec<CapacityRate> = required("[\"80 Mbit/s of cell\", \"40 Mbit/s of cell\"]"),
        /// Probabilities of the state of the next slot, row by row; each row sums to one.
        transitions: Matrix = required("[[0.9, 0.1], [0.2, 0.8]]") as TRANSITIONS,
        /// Length of a slot.
        slot: Span = required("\"30 ms\"") as SOJOURN,
    }
    finish SlottedPlan::checked;
}

impl SlottedPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        rates::check(&self.rates, self.transitions.states(), section)?;
        Ok(self)
    }
}

impl ProcessPlan for SlottedPlan {
    fn written(&self) -> Vec<CapacityRate> {
        self.rates.clone()
    }

    fn build(&self, mut stream: Stream) -> Box<dyn Process> {
        let next = matrix::drawn(&self.transitions.stationary(), stream.unit());
        let rates = self.rates.iter().map(|rate| rate.rate()).collect();
        let transitions = self.transitions.clone();
        Box::new(Chain { rates, transitions, slot: self.slot, next, stream })
    }

    fn long_run(&self, _duration: Span) -> LongRun {
        let rates = self.rates.iter().map(|rate| rate.rate());
        LongRun::of(rates.zip(self.transitions.stationary()))
    }
}

/// The chain of one direction of a link.
#[derive(Debug)]
struct Chain {
    rates: Vec<Rate>,
    transitions: Matrix,
    slot: Span,
    /// The state of the next piece.
    next: usize,
    stream: Stream,
}

impl Process for Chain {
    fn next(&mut self) -> (Rate, Span) {
        let state = self.next;
        let ends = 1.0 - self.transitions.0[state][state];
        let sojourn = slots(self.slot, ends, &mut self.stream);
        self.next = self.transitions.leave(state, self.stream.unit());
        (self.rates[state], sojourn)
    }
}
