"""Greedy TCPs over ABR: max-min fair shares, with minimum rates, of the rest of higher classes.

`explain` has the shares, which crates/theory calculates; a run has the throughput.
"""

from cellway.prediction.answer import Assumption, Prediction, Refusal
from cellway.prediction.connections import Connection
from cellway.prediction.facts import Facts, Table

BY_SHARE = ("erica", "erica_plus")
"""Allocators that aim at max-min shares."""


def predicted(facts: Facts, flow: Table) -> Prediction | Refusal | None:
    """Prediction for a flow with `tcp` over ABR; `None` for other flows."""
    if not flow["tcp"] or not flow["abr"]:
        return None
    one, abr = Connection(facts, flow), flow["abr"]
    reason = facts.varying([link for _, link in facts.hops(flow)]) or _outside(one)
    if reason is not None:
        return Refusal(one.of, reason)
    share = flow["share"]
    factors = {factor["name"]: factor["value"] for factor in abr["ceiling"]["factors"]}
    # The share includes target utilisation and the rates of higher classes.
    rate = share["bits_per_second"]
    for part in ("payload_of_cell", "data_of_frame", "without_rm_cells"):
        rate *= factors[part]
    window = one.tcp["window_limit_bits_per_second"]
    allocator = (abr["bottleneck"] or {}).get("allocator")
    # A ceiling by the peak cell rate has no such factor.
    left = factors.get("left_by_higher_classes")
    return Prediction(
        "max-min share of ABR",
        one.of,
        "Bertsekas and Gallager, Data Networks, section 6.5.2; TM 4.0 for RM cells",
        (one.throughput(rate),),
        (
            Assumption(
                "the allocator aims at max-min shares",
                None if allocator is None else allocator in BY_SHARE,
                f"{allocator}, limited by {share['limited_by']}",
            ),
            Assumption(
                "the window does not limit",
                window >= rate,
                f"{window / 1e6:.4g} Mbit/s at most by the window",
            ),
            Assumption(
                "higher classes leave their mean at every instant",
                None if left is None else left == 1,
                "its peak rate is below it" if left is None else f"{left:.0%} are left on average",
            ),
            Assumption("rates have settled at the target, and nothing is lost", None),
        ),
    )


def _outside(one: Connection) -> str | None:
    """Reason why no formula applies to a flow over ABR; `None` if one does."""
    word, _ = one.facts.traffic(one.flow)
    if word != "greedy":
        return f"its traffic is {word}; expected greedy"
    if not one.flow["share"]:
        return "explain has no share of it; expected ABR from end to end"
    if one.flow.get("loss"):
        return "lines lose cells; expected none"
    return None
