"""Proxies at nodes as the text of a run has them, and pages with and without them."""

import pytest

import cellway
from cellway.cli.families import families_of
from cellway.cli.running import report
from common import shipped

ANSWER = "flow.page.traffic.request_response.response"


def pages(is_on: bool) -> cellway.Scenario:
    keys = {"flow.page.count": 4, "run.duration": "20 s", "flow.page.start": "0 s"}
    return shipped("geo-pep", {**keys, ANSWER: "9 kB", "proxy.*.enabled": is_on})


@pytest.mark.parametrize("is_on", [True, False])
def test_connections_behind_proxies_have_a_table_of_their_own(is_on: bool) -> None:
    scenario = pages(is_on)
    summary = cellway.run(scenario).summary
    assert sorted(summary["flows"]) == [f"page[{one}]" for one in range(1, 5)]
    assert len(summary.get("connections", {})) == (8 if is_on else 0)
    text = report(summary, families_of(scenario.alike_and_warnings()[0]))
    heads = [line for line in text if line.startswith("behind a proxy")]
    assert len(heads) == is_on
    rows = [line.split("  ")[0] for line in text if line.startswith("page behind ")]
    assert rows == (["page behind modem-pep[1..4]", "page behind pep[1..4]"] if is_on else [])


@pytest.mark.parametrize(("is_on", "expected"), [(True, 0.582 + 0.042), (False, 2 * 0.582)])
def test_a_short_page_takes_its_round_trips(is_on: bool, expected: float) -> None:
    """Seven segments are one flight: a request, and without proxies a handshake over the hop."""
    flow = cellway.run(pages(is_on)).summary["flows"]["page[1]"]
    assert "transactions" in flow
    assert flow["transactions"]["response_time"]["mean"] == pytest.approx(expected, abs=0.025)


def test_a_total_has_every_byte_once() -> None:
    tcp = cellway.run(pages(is_on=True)).summary["groups"]["tcp"]
    assert tcp is not None
    assert tcp["goodput"]["sum_bits_per_second"] == pytest.approx(4 * 500 * 8 / 20)
