//! Relays: flows that are read at a proxy, and flows that are written there.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::family::{Named, split_member};
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::{all, check};
use crate::scenario::journey::origin;
use crate::scenario::resolve::place::{KeyOf, Owner};
use crate::scenario::resolved::{Flow, FlowRelay, FlowSection, RandomSpan, ScenarioFile, Traffic};
use crate::tcp::ReaderPlan;
use crate::traffic::RelayPlan;
use crate::units::{Span, quoted};

/// Connects every relay with the flows that it names.
pub(super) fn resolve(file: &ScenarioFile, flows: &mut [Flow]) -> Result<(), Fault> {
    if !flows.iter().any(|flow| matches!(flow.traffic, Traffic::Relay(_))) {
        return Ok(());
    }
    let names = Names::of(flows);
    let places = places(file);
    let relay = |(index, section): (usize, &&Named<FlowSection>)| {
        let Traffic::Relay(plan) = &flows[index].traffic else { return Ok(None) };
        let relay = Site { flows, index, section }.relay(plan, &names)?;
        Ok(Some(Box::new(relay)))
    };
    let relays = all(places.iter().enumerate().map(relay))?;
    flows.iter_mut().zip(relays).for_each(|(flow, relay)| flow.relay = relay);
    let answers: Vec<bool> = (0..flows.len()).map(|flow| is_answered(flows, flow)).collect();
    for (flow, answers) in flows.iter_mut().zip(&answers) {
        flow.relay.iter_mut().for_each(|relay| relay.answers = *answers);
    }
    check(
        (0..flows.len())
            .map(|index| Site { flows, index, section: places[index] }.check_answers(&answers)),
    )?;
    check(
        places
            .iter()
            .enumerate()
            .map(|(index, section)| Site { flows, index, section }.check_over()),
    )?;
    refuse_two_readers(flows, &places)?;
    refuse_unread(flows, &places)
}

/// Sections by flow.
fn places(file: &ScenarioFile) -> Vec<&Named<FlowSection>> {
    let members = |section| std::iter::repeat_n(section, section_size(section));
    file.flow.iter().flat_map(members).collect()
}

fn section_size(section: &Named<FlowSection>) -> usize {
    section.numbers.clone().count()
}

/// Indices of flows, by the name of a flow or of a family.
struct Names(BTreeMap<String, Vec<usize>>);

impl Names {
    fn of(flows: &[Flow]) -> Self {
        let mut names: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, flow) in flows.iter().enumerate() {
            names.entry(flow.name.clone()).or_default().push(index);
            if let Some((family, _)) = split_member(&flow.name) {
                names.entry(family.to_owned()).or_default().push(index);
            }
        }
        Self(names)
    }

    fn find(&self, name: &str, key: KeyOf<'_>, last: &'static str) -> Result<&[usize], Fault> {
        self.0.get(name).map(Vec::as_slice).ok_or_else(|| {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let message = format!(
                "`{key}.relay.{last}`: unknown flow {}; expected {}",
                quoted(name),
                one_of(&known)
            );
            let hint = nearest(name, &known).map(did_you_mean);
            key.fault_below(&["relay", last], message).with_hint(hint)
        })
    }
}

/// A relay flow among all flows.
struct Site<'a> {
    flows: &'a [Flow],
    index: usize,
    section: &'a Named<FlowSection>,
}

impl Site<'_> {
    fn key(&self) -> KeyOf<'_> {
        Owner::new("flow", &self.section.name).key("traffic")
    }

    fn relay(&self, plan: &RelayPlan, names: &Names) -> Result<FlowRelay, Fault> {
        let of = names.find(&plan.of, self.key(), "of")?.to_vec();
        let over = plan.over.as_ref().map(|over| names.find(over, self.key(), "over"));
        let over = over.transpose()?;
        if let Some(&[_, second, ..]) = over {
            let message = format!(
                "`{}.relay.over` is a family; expected one connection such as `{}`",
                self.key(),
                self.flows[second].name
            );
            return Err(self.key().fault_below(&["relay", "over"], message));
        }
        let over = over.map(|flows| flows[0]);
        match over {
            Some(over) => self.check_end(over, "over")?,
            None => of.iter().try_for_each(|&flow| self.check_end(flow, "of"))?,
        }
        self.check_start(over.is_some())?;
        let opens_on_data = over.is_some();
        Ok(FlowRelay { of, over, block: plan.block.0, opens_on_data, answers: false })
    }

    /// Checks that a flow to be read ends where this one begins, and that only the relay reads it.
    fn check_end(&self, read: usize, last: &'static str) -> Result<(), Fault> {
        let (read, own) = (&self.flows[read], &self.flows[self.index]);
        let fault = |reason: String| {
            let key = self.key();
            let message = format!("`{key}.relay.{last}`: `flow.{}` {reason}", read.name);
            Err(key.fault_below(&["relay", last], message))
        };
        let Some(tcp) = &read.tcp else {
            return fault("has no connection; expected a flow with `tcp`".to_owned());
        };
        if read.to != own.from {
            return fault(format!(
                "ends at `{}`, and `flow.{}` begins at `{}`; expected a flow that ends there",
                read.to, own.name, own.from
            ));
        }
        if tcp.reader != ReaderPlan::AtOnce {
            return fault("is read by the relay; expected no `tcp.reader`".to_owned());
        }
        Ok(())
    }

    fn check_start(&self, has_over: bool) -> Result<(), Fault> {
        if !has_over || self.section.body.start == RandomSpan::Fixed(Span::ZERO) {
            return Ok(());
        }
        let key = Owner::new("flow", &self.section.name).key("start");
        let message = format!(
            "`{key}`: a relay with `over` opens when its first byte comes; expected no `start`"
        );
        Err(key.fault(message))
    }

    /// Checks that a relay of requests relays nothing else: answers go back to one flow.
    fn check_answers(&self, answers: &[bool]) -> Result<(), Fault> {
        let Some(relay) = self.flows[self.index].relay.as_deref() else { return Ok(()) };
        let is_alone = relay.of.len() == 1 && relay.over.is_none();
        let Some(&of) = relay.of.iter().find(|&&of| answers[of] && !is_alone) else {
            return Ok(());
        };
        let message = format!(
            "`{}.relay.of`: `flow.{}` is answered where it ends; expected a relay of it alone, \
             without `over`",
            self.key(),
            self.flows[of].name
        );
        Err(self.key().fault_below(&["relay", "of"], message))
    }

    /// Checks that the shared connection carries every flow read from it.
    fn check_over(&self) -> Result<(), Fault> {
        let Some(FlowRelay { of, over: Some(over), .. }) = self.flows[self.index].relay.as_deref()
        else {
            return Ok(());
        };
        let shared = self.flows[*over].relay.as_deref();
        let shared = shared.filter(|shared| shared.over.is_none());
        let carries = |flow: &usize| shared.is_some_and(|shared| shared.of.contains(flow));
        let Some(stranger) = of.iter().find(|flow| !carries(flow)) else { return Ok(()) };
        let message = format!(
            "`{}.relay.over`: `flow.{}` does not carry `flow.{}`; expected a relay of it",
            self.key(),
            self.flows[*over].name,
            self.flows[*stranger].name
        );
        Err(self.key().fault_below(&["relay", "over"], message))
    }
}

/// True if the bytes of a flow, which others may relay, are answered where they end.
fn is_answered(flows: &[Flow], flow: usize) -> bool {
    flows[origin(flows, flow)].traffic.has_responses()
}

/// Refuses two relays that read the same connection, or the same flow on a shared one.
fn refuse_two_readers(flows: &[Flow], places: &[&Named<FlowSection>]) -> Result<(), Fault> {
    // Index of the reader, by the connection and the flow read on it.
    let mut readers: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
    for (index, flow) in flows.iter().enumerate() {
        let Some(relay) = &flow.relay else { continue };
        for &of in &relay.of {
            let read = relay.over.map_or((of, None), |over| (over, Some(of)));
            // A shared connection is read by flow, or as a whole.
            let whole = relay.over.and_then(|over| readers.get(&(over, None)).copied());
            let other = readers.insert(read, index).or(whole);
            let Some(other) = other else { continue };
            let key = Owner::new("flow", &places[index].name).key("traffic");
            let message = format!(
                "`{key}.relay`: `flow.{}` is relayed by `flow.{}` already; expected one relay of \
                 it",
                flows[of].name, flows[other].name
            );
            return Err(key.fault_below(&["relay", "of"], message));
        }
    }
    Ok(())
}

/// Refuses flows that no relay reads on a shared connection: they would stop the other flows.
fn refuse_unread(flows: &[Flow], places: &[&Named<FlowSection>]) -> Result<(), Fault> {
    let shares = flows.iter().filter_map(|flow| flow.relay.as_deref());
    let shares = shares.filter_map(|relay| Some((relay.over?, &relay.of)));
    let mut read: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    shares.for_each(|(over, of)| read.entry(over).or_default().extend(of));
    for (over, read) in read {
        let carried = flows[over].relay.iter().flat_map(|relay| &relay.of);
        let Some(&unread) = carried.clone().find(|flow| !read.contains(flow)) else { continue };
        let key = Owner::new("flow", &places[over].name).key("traffic");
        let message = format!(
            "`{key}.relay.of`: where `flow.{}` ends nothing relays `flow.{}` further; expected a \
             relay of it with `over = \"{}\"`",
            flows[over].name, flows[unread].name, flows[over].name
        );
        return Err(key.fault_below(&["relay", "of"], message));
    }
    Ok(())
}
