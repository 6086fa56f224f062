//! A run with rules from outside the crate: congestion rules, drop policies, applications and
//! sources of cells, for the flows and ports that they name.

use std::borrow::Cow;

use super::external::numbers_of;
use super::{Continue, Outcome, Progress, RunError, Simulation, run_to_end};
use crate::assemble::{FlowSite, OwnRules, QueueSite};
use crate::scenario::Scenario;
use crate::switch::{DropPolicy, Policy};
use crate::tcp::congestion::{Congestion, Law, Rule};
use crate::traffic::{AnyApplication, AnySpacing, Application, OwnSpacing, Spacing};

/// A run of a scenario, before it begins; made by [`Simulation::builder`].
///
/// Rules are for flows or ports by name, as in the results; `*` stands for any part of a name. Of
/// the rules of one kind that match a name the last one counts, and a rule that matches nothing is
/// an error. A rule from outside replaces the setting of the scenario: `recovery`, `congestion`,
/// `drop` or `traffic`.
///
/// ```
/// use cellway_sim::Simulation;
/// use cellway_sim::scenario::{Scenario, Source};
/// use cellway_sim::traffic::{Application, Offer};
/// use cellway_sim::units::{Span, Time};
///
/// /// A request of 10 kB every 100 ms.
/// #[derive(Debug)]
/// struct Requests(Time);
///
/// impl Application for Requests {
///     fn poll(&mut self, now: Time, _acked: u64) -> Offer {
///         if now < self.0 {
///             return Offer::NOTHING.and_again_at(self.0);
///         }
///         self.0 = now + Span::from_milliseconds(100);
///         Offer::bytes(10_000).and_again_at(self.0)
///     }
/// }
///
/// let text = r#"
///     run = { duration = "1 s", seed = 1, phase = "none" }
///     host = { a = {}, b = {} }
///     link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
///     flow.web = { from = "a", to = "b", traffic = "greedy", tcp.ack = "every_segment" }
/// "#;
/// let scenario = Scenario::parse(Source { origin: "web", text }, &[])?;
/// let outcome =
///     Simulation::builder(&scenario).application("web", |_| Requests(Time::ZERO)).run()?;
/// assert_eq!(outcome.summary.flows["web"].acked_bytes, 100_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a builder does nothing until it is run"]
pub struct Builder<'a> {
    scenario: Cow<'a, Scenario>,
    external: Vec<String>,
    own: OwnRules<'a>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let scenario = Cow::Borrowed(scenario);
        Self { scenario, external: Vec::new(), own: OwnRules::default() }
    }

    /// Sets a seed other than that of the scenario.
    pub fn seed(mut self, seed: u64) -> Self {
        self.scenario.to_mut().run.seed = seed;
        self
    }

    /// Sets a rule of congestion control for `flows` with TCP. One is made for each end of a flow.
    pub fn congestion<R: Congestion + 'static>(
        mut self,
        flows: &str,
        make: impl Fn(&FlowSite) -> R + 'a,
    ) -> Self {
        self.own.add_congestion(flows, Box::new(move |flow| Rule::own(make(flow))));
        self
    }

    /// Sets a law of the window for `flows` with TCP, under the `recovery` of the scenario. One is
    /// made for each end of a flow. `examples/own_law.rs` has a whole law with a series of its
    /// state.
    ///
    /// ```
    /// use cellway_sim::Simulation;
    /// use cellway_sim::scenario::{Scenario, Source};
    /// use cellway_sim::tcp::congestion::{Ack, Congested, InRecovery, Law, Opening};
    ///
    /// /// A window of 20 segments, whatever happens.
    /// #[derive(Debug)]
    /// struct Twenty;
    ///
    /// impl Law for Twenty {
    ///     fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
    ///         ack.window.set_cwnd(20 * ack.window.mss());
    ///         Opening::Done
    ///     }
    ///
    ///     fn left_of(&self, bytes: u64) -> u64 {
    ///         bytes
    ///     }
    ///
    ///     fn on_congestion(&mut self, _congested: &mut Congested<'_>) -> InRecovery {
    ///         InRecovery::Law
    ///     }
    /// }
    ///
    /// let text = r#"
    ///     run = { duration = "2 s", seed = 1, phase = "none" }
    ///     host = { a = {}, b = {} }
    ///     link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "50 ms" }
    ///     [flow.bulk]
    ///     from = "a"
    ///     to = "b"
    ///     traffic = "greedy"
    ///     tcp = { mss = "1000 B", recovery = "rack", timers = "fine", ack = "every_segment" }
    /// "#;
    /// let scenario = Scenario::parse(Source { origin: "bulk", text }, &[])?;
    /// let outcome = Simulation::builder(&scenario).law("bulk", |_| Twenty).run()?;
    /// // A segment in the first of 19 round trips, and 20 in each of the others.
    /// assert_eq!(outcome.summary.flows["bulk"].acked_bytes, 361_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law<L: Law + 'static>(
        mut self,
        flows: &str,
        make: impl Fn(&FlowSite) -> L + 'a,
    ) -> Self {
        self.own.add_law(flows, Box::new(move |flow| Box::new(make(flow))));
        self
    }

    /// Sets the application at the sending end of `flows` with TCP.
    pub fn application<A: Application + 'static>(
        mut self,
        flows: &str,
        make: impl Fn(&FlowSite) -> A + 'a,
    ) -> Self {
        let make = move |flow: &FlowSite| AnyApplication::Own(Box::new(make(flow)));
        self.own.add_application(flows, Box::new(make));
        self
    }

    /// Sets the instants at which `flows` of raw cells or datagrams send.
    pub fn source<S: Spacing + 'static>(
        mut self,
        flows: &str,
        make: impl Fn(&FlowSite) -> S + 'a,
    ) -> Self {
        let make = move |flow: &FlowSite| AnySpacing::Own(OwnSpacing(Box::new(make(flow))));
        self.own.add_spacing(flows, Box::new(make));
        self
    }

    /// Sets a drop policy for each queue of `ports`, by `switch.link` or `edge.link`;
    /// `examples/own_queue.rs` has two.
    pub fn drop_policy<P: DropPolicy + 'static>(
        mut self,
        ports: &str,
        make: impl Fn(&QueueSite) -> P + 'a,
    ) -> Self {
        self.own.add_policy(ports, Box::new(move |queue| Policy::Own(Box::new(make(queue)))));
        self
    }

    /// Leaves the traffic of these flows to the caller, as [`Simulation::with_external`] does.
    pub fn external(mut self, flows: &[&str]) -> Self {
        self.external.extend(flows.iter().map(|&flow| flow.to_owned()));
        self
    }

    /// Handles every cell alone, without trains. The outcome is the same and takes longer; tests of
    /// trains compare with it.
    pub fn cell_by_cell(mut self) -> Self {
        self.own.is_cell_by_cell = true;
        self
    }

    /// Lets nodes run ahead by the delays of links alone, whatever waits on them, and does not
    /// divide switches. The outcome is the same and takes longer; tests of long turns compare with
    /// it.
    pub fn short_turns(mut self) -> Self {
        self.own.has_short_turns = true;
        self
    }

    /// Makes the run at time zero, to be advanced by its caller.
    pub fn start(self) -> Result<Simulation<'a>, RunError> {
        let names: Vec<&str> = self.external.iter().map(String::as_str).collect();
        let external = numbers_of(&self.scenario, &names);
        let external = external.map_err(|fault| RunError::UnknownName(fault.to_string()))?;
        Simulation::assembled(self.scenario, external, &self.own)
    }

    /// Runs to the end of the scenario.
    pub fn run(self) -> Result<Outcome, RunError> {
        self.run_while(&mut |_| Continue::Yes)
    }

    /// Runs to the end of the scenario. `tell` is called at every barrier, at least once a second
    /// of simulated time, and may cancel.
    pub fn run_while(
        self,
        tell: &mut dyn FnMut(Progress) -> Continue,
    ) -> Result<Outcome, RunError> {
        run_to_end(self.start()?, tell, &mut |_, _| Continue::Yes)
    }
}
