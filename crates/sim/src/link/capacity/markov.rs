//! A Markov chain in continuous time, by its generator: exponential sojourns, then a move.
//!
//! Row i of the generator has the moves per second from state i to the others, and the negative of
//! their sum on the diagonal. A sojourn in i has the mean −1/qᵢᵢ, at least a microsecond, and the
//! path moves to j with probability qᵢⱼ/−qᵢᵢ. It begins with the stationary law π, πQ = 0.

use super::matrix::{self, GENERATOR, Matrix};
use super::process::{LongRun, Process, ProcessPlan};
use super::rates::{self, CapacityRate};
use super::two_state::exponential;
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

part! {
    /// States with their rates, and the moves between them.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MarkovPlan {
        /// Rate in each state.
        rates: Vec<CapacityRate> = required("[\"80 Mbit/s of cell\", \"40 Mbit/s of cell\"]"),
        /// Moves per second out of each state, row by row; each row sums to zero.
        generator: Matrix = required("[[-0.25, 0.25], [0.5, -0.5]]") as GENERATOR,
    }
    finish MarkovPlan::checked;
}

/// The limit of moves per second: a mean sojourn of a microsecond.
const FASTEST: f64 = 1e6;

impl MarkovPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        rates::check(&self.rates, self.generator.states(), section)?;
        let too_fast = self.generator.0.iter().flatten().find(|moves| moves.abs() > FASTEST);
        let Some(moves) = too_fast else { return Ok(self) };
        let message = format!(
            "`{}.generator` has {moves} moves per second; expected at most 1000000",
            section.place()
        );
        Err(Fault::new(&section.place_below("generator", &[]), message))
    }
}

impl ProcessPlan for MarkovPlan {
    fn written(&self) -> Vec<CapacityRate> {
        self.rates.clone()
    }

    fn build(&self, mut stream: Stream) -> Box<dyn Process> {
        let next = matrix::drawn(&self.generator.stationary(), stream.unit());
        let rates = self.rates.iter().map(|rate| rate.rate()).collect();
        Box::new(Chain { rates, generator: self.generator.clone(), next, stream })
    }

    fn long_run(&self, _duration: Span) -> LongRun {
        let rates = self.rates.iter().map(|rate| rate.rate());
        LongRun::of(rates.zip(self.generator.stationary()))
    }
}

/// The chain of one direction of a link.
#[derive(Debug)]
struct Chain {
    rates: Vec<Rate>,
    generator: Matrix,
    /// The state of the next piece.
    next: usize,
    stream: Stream,
}

impl Process for Chain {
    fn next(&mut self) -> (Rate, Span) {
        let state = self.next;
        let sojourn = exponential(-1.0 / self.generator.0[state][state], &mut self.stream);
        self.next = self.generator.leave(state, self.stream.unit());
        (self.rates[state], sojourn)
    }
}
