"""What `explain` says about ABR, against numbers worked out by hand.

Links have 155.52 Mbit/s of cell and 1000 km, 5 ms each.
"""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import cellway as package
from cellway import Scenario
from common import ROOT, SCENARIOS, Command, require_golden

LINK = 155.52
"""Mbit/s of cell; 155.52e6 / 424 = 366 792.45 cells/s."""

ERICA = "rate_allocator.erica = { target_utilisation = 0.9 }"
ERICA_PLUS = 'rate_allocator = "erica_plus"'
ABR = 'service.abr = { icr = "10 Mbit/s of cell" }'
GREEDY = f'traffic = "greedy"\n{ABR}'
TCP = f'{GREEDY}\ntcp = {{ mss = "512 B", window = "1024 KiB" }}'
VBR = """
traffic.on_off = {{ rate = "124.416 Mbit/s of cell", period = "10 ms", duty_cycle = {duty_cycle} }}
service = "vbr"
"""


def chain(
    *flows: tuple[str, int, int, int, str], allocator: str = ERICA, access: str = "155.52"
) -> str:
    """A scenario of switches in a row; flows: (name, count, first switch, last switch, keys)."""
    last = max(last for _, _, _, last, _ in flows)
    parts = ['[run]\nduration = "1 s"']
    parts += [f"[switch.s{at}]\n{allocator}" for at in range(1, last + 1)]
    parts += [_link(f"trunk{at}", f"s{at}", f"s{at + 1}") for at in range(1, last)]
    for name, count, enters, leaves, keys in flows:
        parts.append(f"[host.{name}-a]\ncount = {count}\n[host.{name}-b]\ncount = {count}")
        parts.append(_link(f"{name}-in", f"{name}-a[*]", f"s{enters}", count, access))
        parts.append(_link(f"{name}-out", f"s{leaves}", f"{name}-b[*]", count))
        parts.append(
            f'[flow.{name}]\ncount = {count}\nfrom = "{name}-a[*]"\nto = "{name}-b[*]"\n{keys}'
        )
    return "\n".join(parts)


def _link(name: str, one: str, other: str, count: int | None = None, rate: str = "155.52") -> str:
    family = "" if count is None else f"count = {count}\n"
    ends = f'between = ["{one}", "{other}"]\n'
    return f'[link.{name}]\n{family}{ends}rate = "{rate} Mbit/s of cell"\ndistance = "1000 km"'


def explained(text: str) -> dict[str, Any]:
    """The flows of a scenario by name."""
    return {flow["name"]: flow for flow in Scenario.parse(text, "x").explain()["flows"]}


def megabits(flow: dict[str, Any]) -> float:
    return float(flow["share"]["bits_per_second"]) / 1e6


FIFTEEN = chain(("tcp", 15, 1, 2, TCP))


def test_fifteen_tcps_over_erica() -> None:
    """The target is 0.9 of 155.52 Mbit/s; 53 bytes carry 48, 12 cells 512; 1 of 32 is RM."""
    flow = explained(FIFTEEN)["tcp[15]"]
    ceiling = flow["abr"]["ceiling"]
    assert [(factor["name"], factor["value"]) for factor in ceiling["factors"]] == [
        ("link_cell_bits_per_second", 155.52e6),
        ("target_utilisation", 0.9),
        ("left_by_higher_classes", 1.0),
        ("payload_of_cell", 48 / 53),
        ("data_of_frame", 512 / 576),
        ("without_rm_cells", 31 / 32),
    ]
    assert ceiling["bits_per_second"] == pytest.approx(109.157434e6, rel=1e-8)
    assert flow["tcp"]["ceiling_bits_per_second"] == ceiling["bits_per_second"]
    assert flow["tcp"]["expected_bits_per_second"] == pytest.approx(109.157434e6 / 15, rel=1e-8)
    assert flow["tcp"]["limited_by"] == "fair_share"
    assert megabits(flow) == pytest.approx(0.9 * LINK / 15)
    assert (flow["share"]["limited_by"], flow["share"]["link"]) == ("link", "trunk1")


def test_delays_in_cells_and_buffers_for_fifteen_windows() -> None:
    """366.79 cells pass per millisecond; 2048 segments of 12 cells fill a window."""
    abr = explained(FIFTEEN)["tcp[1]"]["abr"]
    bottleneck = abr["bottleneck"]
    names = [bottleneck["link"], bottleneck["switch"], bottleneck["allocator"]]
    assert (names, bottleneck["flows"]) == (["trunk1", "s1", "erica"], 15)
    assert bottleneck["cells_per_millisecond"] == pytest.approx(366.792, abs=1e-3)
    assert abr["propagation_rtt_cells"] == pytest.approx(30 * 366.79245, abs=0.01)
    assert abr["feedback_delay_seconds"] == pytest.approx(0.010)
    assert abr["feedback_delay_cells"] == pytest.approx(10 * 366.79245, abs=0.01)
    assert (abr["window_cells"], abr["source_buffer_cells"]) == (24576, 24576)
    assert abr["source_buffers_at_bottleneck_cells"] == 368640
    assert (abr["pcr_bits_per_second"], abr["mcr_cells_per_second"]) == (155.52e6, 0)
    assert abr["icr_cells_per_second"] == pytest.approx(10e6 / 424)


@pytest.mark.parametrize("duty_cycle", [0.5, 0.7, 0.8])
def test_what_vbr_leaves_for_tcp(duty_cycle: float) -> None:
    """Bursts of 0.8 of the link for a part d of the time leave 1 - 0.8 d; ERICA+ uses all of it."""
    text = chain(
        ("tcp", 15, 1, 2, TCP),
        ("film", 1, 1, 2, VBR.format(duty_cycle=duty_cycle)),
        allocator=ERICA_PLUS,
    )
    flows = explained(text)
    left = LINK * (1 - 0.8 * duty_cycle)
    tcp = flows["tcp[1]"]["tcp"]
    assert tcp["ceiling_bits_per_second"] == pytest.approx(
        left * 1e6 * 48 / 53 * 512 / 576 * 31 / 32
    )
    assert tcp["fair_share_bits_per_second"] == pytest.approx(tcp["ceiling_bits_per_second"] / 15)
    assert megabits(flows["tcp[1]"]) == pytest.approx(left / 15)
    assert megabits(flows["film[1]"]) == pytest.approx(0.8 * LINK * duty_cycle)
    assert flows["film[1]"]["abr"] is None


@pytest.mark.parametrize(
    ("target_of", "left"), [("link", 0.9 - 0.4), ("remainder", 0.9 * (1 - 0.4))]
)
def test_the_target_is_a_part_of_the_link_or_of_what_is_left(target_of: str, left: float) -> None:
    allocator = f'rate_allocator.erica = {{ target_utilisation = 0.9, target_of = "{target_of}" }}'
    text = chain(
        ("tcp", 1, 1, 2, TCP), ("film", 1, 1, 2, VBR.format(duty_cycle=0.5)), allocator=allocator
    )
    flow = explained(text)["tcp[1]"]
    assert megabits(flow) == pytest.approx(left * LINK)
    factors = {factor["name"]: factor["value"] for factor in flow["abr"]["ceiling"]["factors"]}
    assert factors["left_by_higher_classes"] == pytest.approx(left / 0.9)


def test_fifteen_limited_upstream_and_two_more() -> None:
    """15 share trunk one, one of them also trunk two, with 2 others: (C - C/15)/2 = 7C/15 each."""
    text = chain(("short", 14, 1, 2, GREEDY), ("far", 1, 1, 3, GREEDY), ("late", 2, 2, 3, GREEDY))
    flows = explained(text)
    target = 0.9 * LINK
    assert megabits(flows["short[14]"]) == pytest.approx(target / 15)
    assert megabits(flows["far[1]"]) == pytest.approx(target / 15)
    assert megabits(flows["late[1]"]) == pytest.approx(target * 7 / 15)
    bottleneck = [flows[name]["abr"]["bottleneck"] for name in ("far[1]", "late[2]")]
    assert [(one["switch"], one["flows"]) for one in bottleneck] == [("s1", 15), ("s2", 2)]
    assert flows["far[1]"]["tcp"] is None
    assert flows["far[1]"]["abr"]["ceiling"] is None
    assert flows["far[1]"]["propagation_rtt_seconds"] == pytest.approx(0.040)


def test_on_a_parking_lot_the_switch_that_holds_a_flow_answers_late() -> None:
    """Three share trunk two, C/3 each; the other VC of trunk one has the remaining 2C/3.

    From the second switch to the source and back are 2 x 2 x 5 ms.
    """
    flows = explained(
        chain(("long", 1, 1, 3, GREEDY), ("one", 1, 1, 2, GREEDY), ("two", 2, 2, 3, GREEDY))
    )
    target = 0.9 * LINK
    assert [megabits(flow) / target for flow in flows.values()] == pytest.approx(
        [1 / 3, 2 / 3, 1 / 3, 1 / 3]
    )
    assert flows["long[1]"]["abr"]["feedback_delay_seconds"] == pytest.approx(0.020)
    assert flows["two[1]"]["abr"]["feedback_delay_seconds"] == pytest.approx(0.010)


@pytest.mark.parametrize(("word", "name"), [("instcap", "INSTCAP"), ("effcap", "EFFCAP")])
def test_allocators_that_follow_the_capacity_have_names(
    cellway: Command, word: str, name: str
) -> None:
    path = str(ROOT / "scenarios" / "effcap-abr.toml")
    shown = cellway("explain", path, "--set", f"switch.atm.rate_allocator={word}").stdout
    row = next(line for line in shown.splitlines() if line.startswith("bottleneck   atm"))
    assert row.split()[3] == name


def test_sources_that_send_less_leave_it_to_the_others() -> None:
    """Ten of fifteen send 5 Mbit/s: the other five have (139.968 - 50)/5 = 17.9936 each."""
    slow = f'traffic.cbr.rate = "5 Mbit/s of cell"\n{ABR}'
    flows = explained(chain(("slow", 10, 1, 2, slow), ("fast", 5, 1, 2, GREEDY)))
    assert megabits(flows["slow[1]"]) == pytest.approx(5.0)
    assert flows["slow[1]"]["share"]["limited_by"] == "source"
    assert megabits(flows["fast[1]"]) == pytest.approx(17.9936)
    assert flows["slow[1]"]["abr"]["bottleneck"]["flows"] == 15


def test_minimum_rates_and_equal_parts_of_the_rest() -> None:
    """139.968 less 10, 30 and 50 are 49.968: 16.656 for each above its minimum."""
    greedy = 'traffic = "greedy"\nservice.abr.mcr = "{} Mbit/s of cell"'
    flows = explained(chain(*((f"m{mcr}", 1, 1, 2, greedy.format(mcr)) for mcr in (10, 30, 50))))
    assert [megabits(flow) for flow in flows.values()] == pytest.approx([26.656, 46.656, 66.656])
    assert [flow["abr"]["mcr_bits_per_second"] for flow in flows.values()] == [10e6, 30e6, 50e6]


def test_ubr_has_what_abr_leaves() -> None:
    """A tenth of the link is above the target, for two; TCP on UBR has no RM cells."""
    ubr = 'traffic = "greedy"\ntcp = { mss = "512 B", window = "1024 KiB" }'
    flows = explained(chain(("abr", 3, 1, 2, GREEDY), ("rest", 2, 1, 2, ubr)))
    rest = flows["rest[1]"]
    assert (rest["share"]["class"], rest["abr"]) == ("ubr", None)
    assert megabits(rest) == pytest.approx(0.05 * LINK)
    assert rest["tcp"]["expected_bits_per_second"] == pytest.approx(
        0.05 * LINK * 1e6 * 48 / 53 * 512 / 576
    )


def test_a_peak_rate_below_the_links_is_the_ceiling() -> None:
    flow = explained(chain(("tcp", 2, 1, 2, TCP.replace("icr", 'pcr = "20 Mbit/s of cell", icr'))))[
        "tcp[1]"
    ]
    ceiling = flow["abr"]["ceiling"]
    assert (ceiling["at"], ceiling["factors"][0]["value"]) == ("pcr", 20e6)
    assert ceiling["bits_per_second"] == pytest.approx(20e6 * 48 / 53 * 512 / 576 * 31 / 32)
    assert (flow["bottleneck"]["at"], flow["share"]["limited_by"]) == ("pcr", "peak")
    assert flow["tcp"]["limited_by"] == "bottleneck"


def test_the_formula_of_shares_knows_a_peak_rate_below_the_links() -> None:
    """It asked for what higher classes leave, of which that ceiling says nothing: a KeyError."""
    text = chain(("tcp", 2, 1, 2, TCP.replace("icr", 'pcr = "20 Mbit/s of cell", icr')))
    first = package.predict(Scenario.parse(text)).predictions[0]
    assert first.numbers[0].value == pytest.approx(20e6 * 48 / 53 * 512 / 576 * 31 / 32)
    higher = next(each for each in first.assumptions if each.text.startswith("higher classes"))
    assert higher.holds is None


def test_a_source_behind_a_slow_link_of_its_own_has_no_feedback_to_wait_for() -> None:
    abr = explained(chain(("slow", 1, 1, 2, GREEDY), access="20"))["slow[1]"]["abr"]
    assert (abr["bottleneck"]["link"], abr["bottleneck"]["switch"]) == ("slow-in[1]", None)
    assert abr["feedback_delay_seconds"] is None


def test_where_all_links_are_equal_a_switch_answers_for_the_first() -> None:
    abr = explained(chain(("one", 1, 1, 2, GREEDY), allocator=ERICA_PLUS))["one[1]"]["abr"]
    assert (abr["bottleneck"]["switch"], abr["feedback_delay_seconds"]) == (
        "s1",
        pytest.approx(0.010),
    )


def test_transient_buffer_exposure_bounds_the_initial_rate() -> None:
    """15 000 cells in 30 ms are 500 cells/ms, above PCR; 3000 are 100 cells/ms."""
    for tbe, expected in ((15_000, 366_792.45), (3000, 100_000)):
        text = chain(("one", 1, 1, 2, f'traffic = "greedy"\nservice.abr.tbe = "{tbe} cell"'))
        assert explained(text)["one[1]"]["abr"]["icr_cells_per_second"] == pytest.approx(expected)


def test_without_abr_nothing_of_it_is_said(cellway: Command) -> None:
    file = next(file for file in SCENARIOS if file.stem == "shared-bottleneck")
    for flow in Scenario.load(file).explain()["flows"]:
        assert (flow["share"], flow["abr"]) == (None, None)
    assert "ABR" not in cellway("explain", file).stdout


def test_more_sources_than_an_interval_has_cells(cellway: Command, folder: Path) -> None:
    """100 cells find 100 VCs at most, 50 us fewer; at An = 0.9 a VC counts for ten intervals."""
    few = ERICA.replace("}", ', interval = "50 us" }')
    fading = ERICA.replace("}", ", activity_decay = 0.9 }")
    for allocator, countable in ((ERICA, 100), (few, 0.05 * 366.79245), (fading, 1000)):
        text = chain(("greedy", 150, 1, 2, GREEDY), allocator=allocator)
        facts = Scenario.parse(text, "x").explain()
        abr = next(link["abr"] for link in facts["links"] if link["name"] == "trunk1")
        assert abr
        assert abr["vcs"] == 150
        assert abr["countable_vcs"] == pytest.approx(countable)
        file = folder / "many.toml"
        file.write_text(text)
        counts = f"an interval of its allocator counts {math.floor(countable)} at most"
        warned = f"trunk1 from s1 has 150 VCs, and {counts}"
        assert [said.startswith(warned) for said in facts["warnings"][1:]] == [True] * (
            countable < 150
        )
        assert (f"note: {warned}" in cellway("explain", file).stdout) == (countable < 150)


def test_what_delta_does_to_the_shares_is_said(cellway: Command, folder: Path) -> None:
    file = folder / "delta.toml"
    for delta, expected in ((0.1, True), (0, False)):
        allocator = ERICA.replace("}", f", delta = {delta} }}")
        file.write_text(chain(("greedy", 2, 1, 2, GREEDY), allocator=allocator))
        said = "with delta = 0.1 at trunk1, rates need not reach the max-min shares"
        for command in (("explain",), ("explain", "--json"), ("run", "--set", "run.duration=1 ms")):
            assert (said in cellway(*command, file).stdout) == expected


def test_the_command_says_it_in_words(cellway: Command, folder: Path) -> None:
    file = folder / "abr.toml"
    slow = f'traffic.cbr.rate = "5 Mbit/s of cell"\n{ABR}'
    file.write_text(chain(("tcp", 2, 1, 2, TCP), ("slow", 1, 1, 2, slow)))
    require_golden("explain_abr.txt", cellway("explain", file).stdout)
    shown = json.loads(cellway("explain", file, "--json").stdout)
    assert shown == Scenario.load(file).explain()
