"""Flows together: in the text of a run, as quantities of studies, and absent in older summaries."""

import json
from pathlib import Path

import pytest

import cellway
from cellway.cli.groups import group_lines
from cellway.cli.running import report
from cellway.disk.folders import digest
from cellway.runs.quantity import Quantity
from cellway.runs.runs import Run
from cellway.statistics import jain_index
from common import shipped, text_of


@pytest.fixture(scope="module")
def mixed() -> Run:
    return cellway.run(shipped("mixed", {"run.duration": "2 s", "run.warm_up": "1 s"}))


def of(run: Run, path: str) -> float:
    return Quantity(path).of(run.summary)


def test_groups_are_what_their_flows_add_up_to(mixed: Run) -> None:
    rates = [mixed.flows[f"ftp[{number}]"]["measured_bits_per_second"] for number in (1, 2, 3)]
    assert of(mixed, "groups.families.ftp.goodput.sum_bits_per_second") == sum(rates)
    fairness = of(mixed, "groups.families.ftp.fairness")
    assert fairness == pytest.approx(jain_index(rates), rel=1e-12)
    assert of(mixed, "groups.protocols.udp.flows") == 8
    assert of(mixed, "groups.protocols.cubic sack.flows") == 3
    assert mixed.groups["families"]["ftp"]["fairness"] == fairness
    assert 0.0 < of(mixed, "channels.line.efficiency") <= of(mixed, "channels.line.utilisation")
    assert mixed.channels["line"]["flows"] == 11


def test_the_text_has_a_row_for_each_group_of_several(mixed: Run) -> None:
    lines = report(mixed.summary)
    start = next(at for at, line in enumerate(lines) if line.startswith("group "))
    rows = [line.split("  ")[0] for line in lines[start + 2 :]]
    shown = rows[: rows.index("")]
    assert shown[:2] == ["all TCP", "cubic sack"]
    # Three that are cubic sack, and no other, are the family ftp.
    assert set(shown[2:]) == {"sack", "udp", "conference[*]", "voice[*]"}
    losses = next(line for line in lines if line.startswith("flow") and "jitter ms" in line)
    assert "of them" in losses


def test_a_single_flow_has_no_table_of_groups() -> None:
    short = {"run.duration": "0.2 s", "run.warm_up": "0 s"}
    run = cellway.run(shipped("packet-router", short))
    assert not [line for line in report(run.summary) if line.startswith("group ")]
    assert run.groups["tcp"]["flows"] == 1


def test_a_run_of_an_older_cellway_is_read_without_groups(mixed: Run, tmp_path: Path) -> None:
    folder = mixed.save(tmp_path / "run")
    summary = folder / "summary.json"
    older = {
        key: value for key, value in mixed.summary.items() if key not in {"groups", "channels"}
    }
    before = digest(summary)
    summary.write_text(json.dumps(older))
    marker = folder / "cellway.json"
    marker.write_text(marker.read_text().replace(before, digest(summary)))
    again = Run.load(folder)
    assert not again.groups
    assert not again.channels
    assert report(again.summary)


RELAYED = text_of("relayed.toml")


def test_what_a_proxy_relays_counts_once() -> None:
    """Of 50 kB in a second "all together" made 0.8 Mbit/s."""
    run = cellway.run(cellway.Scenario.parse(RELAYED))
    assert [flow["acked_bytes"] for flow in run.flows.values()] == [50_000, 50_000]
    lines = report(run.summary)
    together = next(line.split() for line in lines if line.startswith("all together"))
    assert together[2:] == ["0.4000"]
    assert "all together counts bytes that proxies relay once" in lines


def test_families_with_equal_numbers_have_a_row_each() -> None:
    group = mixed_group(3)
    summary = {"groups": {"tcp": mixed_group(6), "families": {"a": group, "b": dict(group)}}}
    rows = [line.split()[0] for line in group_lines(summary) if line and "[*]" in line]
    assert rows == ["a[*]", "b[*]"]


def mixed_group(flows: int) -> dict[str, object]:
    """A group of flows with 1 Mbit/s each."""
    goodput = {"mean": 1e6, "standard_deviation": 0.0, "sum": flows * 1e6}
    named = {f"{name}_bits_per_second": rate for name, rate in goodput.items()}
    return {"flows": flows, "goodput": named, "fairness": 1.0}
