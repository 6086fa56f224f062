//! Relays of a random scenario: what arrives of a flow goes further.

use super::dice::Dice;
use super::parts::tcp;

/// Sometimes what arrives of a flow at `host`, one of `hosts`, is relayed to another one, and
/// sometimes from there to a third.
pub(crate) fn relays(
    dice: &mut Dice,
    number: u64,
    (host, hosts): (&str, &[&str]),
    flow: &str,
) -> String {
    let may_be = flow.contains("tcp = ")
        && !["reader", "request_response", "vc = "].iter().any(|word| flow.contains(word));
    if !may_be || !dice.one_in(3) {
        return String::new();
    }
    let next = other(dice, host, hosts);
    let relay = format!(
        "[flow.r{number}]\nfrom = \"{host}\"\nto = \"{next}\"\ntraffic.relay = {{ of = \
         \"f{number}\", block = \"{} B\" }}\ntcp = {}\n",
        dice.between(1, 20_000),
        tcp(dice)
    );
    if relay.contains("reader") || dice.one_in(2) {
        return relay;
    }
    let last = other(dice, next, hosts);
    format!(
        "{relay}[flow.o{number}]\nfrom = \"{next}\"\nto = \"{last}\"\ntraffic.relay = {{ of = \
         \"f{number}\", over = \"r{number}\" }}\ntcp = {}\n",
        tcp(dice)
    )
}

fn other<'h>(dice: &mut Dice, host: &str, hosts: &[&'h str]) -> &'h str {
    let others: Vec<&'h str> = hosts.iter().copied().filter(|other| *other != host).collect();
    others[dice.place(others.len())]
}
