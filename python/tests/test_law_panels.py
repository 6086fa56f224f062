"""Panels of the state of laws of the window: one for each value, with the numbers of its series."""

import numpy as np

import cellway
from cellway.plot.compared import plot_runs
from cellway.plot.runs import panels_of, plot_run
from shown import Set, legend, panel, shipped_run, titles

LAW = "of the law of the window"


def _run(law: str, *sets: Set) -> cellway.Run:
    every: list[Set] = [
        ("run.duration", "8 s"),
        ("run.warm_up", "1 s"),
        ("observe.series", ["law"]),
        ("observe.interval", "10 ms"),
        ("flow.bbr.tcp.congestion", law),
        *sets,
    ]
    return shipped_run("bbr-beside-cubic", *every)


def test_every_value_of_a_law_has_a_panel_in_a_readable_unit() -> None:
    """A law from outside is told that plots show its state; no panel once did."""
    run = _run("bbr3")
    panels = {one.title.removesuffix(f" {LAW}"): one for one in panels_of(run)}
    labels = {name: one.label for name, one in panels.items()}
    assert {
        "state": "",
        "bandwidth": "Mbit/s",
        "pacing_rate": "Mbit/s",
        "min_rtt": "ms",
        "inflight": "KiB",
    }.items() <= labels.items()
    made = plot_run(run)
    drawn = panel(made, f"state {LAW}").get_lines()[0]
    recorded = run.series("bbr.law.state")
    assert set(np.asarray(drawn.get_ydata())) == set(recorded.value) >= {0.0, 1.0, 3.0, 6.0}
    rate = np.asarray(panel(made, f"bandwidth {LAW}").get_lines()[0].get_ydata())
    assert 5.0 < np.nanmax(rate) < 9.8


def test_a_law_without_values_has_no_panel() -> None:
    run = shipped_run("packet-router", ("run.duration", "3 s"), ("observe.series", ["law", "cwnd"]))
    assert not any(LAW in text for text in titles(plot_run(run)))


def test_runs_with_the_same_values_share_their_panels() -> None:
    runs = {law: _run(law) for law in ("bbr1", "bbr3")}
    made = plot_runs(runs)
    shared = [text for text in titles(made) if text.startswith(f"bandwidth {LAW}")]
    assert len(shared) == 1
    assert legend(panel(made, f"bandwidth {LAW}"))[:2] == ["bbr1: bbr", "bbr3: bbr"]
    # Only version 3 has a long-term bound.
    assert legend(panel(made, f"max_bandwidth {LAW}"))[:1] == ["bbr3: bbr"]
