"""Right answers of the course beside numbers that were found in another way."""

from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

from cellway import load_study, run
from cellway.course import (
    capacity,
    cells,
    fairness,
    queues,
    recovery,
    replications,
    slow_start,
    unit,
)
from cellway.course.setting import number, run_of, setting, text_of


def right(name: str, exercise: str) -> float:
    (found,) = [one.right() for one in unit(name).exercises if one.name == exercise]
    assert not isinstance(found, str)
    return found


def test_units_are_those_of_explain_for_the_laboratory() -> None:
    """`explain` knows the path from the scenario, the exercises from their text."""
    explained = setting("units").explain()
    (flow,) = explained["flows"]
    tcp = flow["tcp"]
    assert tcp is not None
    assert flow["propagation_rtt_seconds"] == pytest.approx(0.04)
    assert right("units", "ceiling") == pytest.approx(tcp["ceiling_bits_per_second"])
    assert right("units", "cell_rate") == pytest.approx(explained["links"][0]["cells_per_second"])
    assert right("units", "bdp") == pytest.approx(tcp["ceiling_bits_per_second"] * 0.04 / 8)
    # 44 whole segments per round trip of 40.1 ms.
    assert right("units", "window_rate") == pytest.approx(44 * 1460 * 8 / 0.0401, rel=0.01)


def test_cells_of_a_packet_are_counted_byte_by_byte() -> None:
    """RFC 2684: LLC/SNAP in front; I.363.5: padding, then 8 bytes, at the end of a cell."""
    payload = b"\xaa\xaa\x03\x00\x00\x00\x08\x00" + bytes(576)
    padding = 0
    while (len(payload) + padding + 8) % 48:
        padding += 1
    assert right("units", "cells") == (len(payload) + padding + 8) / 48


def test_the_window_doubles_in_the_run_as_in_the_exercise() -> None:
    cwnd = run_of("slow-start", ("observe.interval", '"change"')).series("bulk.cwnd")
    at = [float(cwnd.time[np.argmax(cwnd.value >= 1460 * w)]) for w in (20, 40, 78)]
    assert np.diff([0.0, *at]) == pytest.approx(0.1012, rel=0.25)
    rounds = next(n for n in range(20) if 10 * 2**n >= 85)
    assert right("slow-start", "rounds") == rounds


def test_the_sawtooth_is_that_of_a_window_counted_ack_by_ack() -> None:
    """Two round trips at the peak, for detection and repair, and then growth by 1/cwnd per ACK."""
    peak, period = slow_start.teeth()
    assert peak == pytest.approx(10e6 * 0.1012 / 12_000 + 20, rel=0.01)
    window, time = peak / 2, 2 * (0.1012 + 20 * 0.0012)
    while window < peak:
        acks = int(window)
        time += max(0.1012, acks * 0.0012)
        for _ in range(acks):
            window += 1 / window
    assert period == pytest.approx(time, rel=0.03)


def test_utilisation_is_that_of_a_fluid_sawtooth() -> None:
    """Round trips of a window w: w packets in max(RTT, w transmissions)."""
    windows = np.arange(52.2, 104.4, 0.01)
    rounds = np.maximum(0.1012, windows * 0.0012)
    fluid = windows.sum() * 0.0012 / rounds.sum()
    assert right("slow-start", "utilisation") == pytest.approx(fluid, rel=0.015)


def test_a_buffer_of_the_exercise_keeps_the_line_busy_and_half_of_it_does_not() -> None:
    busy = {
        room: number(
            "slow-start",
            "channels.line.utilisation",
            ("switch.router.buffer.per_port", f'"{room} packet"'),
        )
        for room in (round(right("slow-start", "buffer")), 42)
    }
    assert busy[84] > 0.999
    assert busy[42] < 0.97


def test_the_square_root_law_is_met_by_random_losses() -> None:
    """On a line that is never full: the law has no queue."""
    scenario = setting("slow-start").with_sets(
        [
            ("link.line.impairments.loss", 0.001),
            ("link.line.rate", "1 Gbit/s of line"),
            ("link.line.delay", "49.6 ms"),
            ("run.duration", "4000 s"),
            ("observe.interval", "1 s"),
        ]
    )
    simulated = run(scenario).flows["bulk"]["throughput_bits_per_second"]
    assert right("slow-start", "root_law") == pytest.approx(simulated, rel=0.08)


def test_waiting_packets_are_those_of_lindleys_recursion() -> None:
    draw = np.random.default_rng(1)
    service, wait, waits = 1.2e-3, 0.0, []
    for gap in draw.exponential(service / queues.LOAD, 400_000):
        waits.append(wait)
        wait = max(0.0, wait + service - gap)
    assert right("queues", "poisson") == pytest.approx(np.mean(waits), rel=0.03)


def test_little_holds_between_the_mean_queue_and_delays_of_single_packets() -> None:
    port = run_of("queues").ports["router.line"]
    assert right("queues", "little") == pytest.approx(
        port["mean_queue"] * 40 / port["sent"], rel=2e-3
    )


def test_a_full_buffer_delays_as_long_as_the_slowest_packet_of_the_run() -> None:
    longest = number("queues", "ports.router.line.delay.max")
    assert right("queues", "full") == pytest.approx(longest, rel=0.06)


def test_shares_are_those_of_a_linear_programme() -> None:
    """Max-min by maximising the smallest rate, then the next one with that one kept."""
    uses = np.array([[1, 1, 0, 0], [1, 0, 1, 1]])
    first = optimize.linprog(
        [0, 0, 0, 0, -1],
        A_ub=[*np.hstack([uses, np.zeros((2, 1))]), *np.hstack([-np.eye(4), np.ones((4, 1))])],
        b_ub=[10e6, 6e6, 0, 0, 0, 0],
    )
    assert first.x[4] == pytest.approx(2e6)
    rest = optimize.linprog([0, -1, 0, 0], A_ub=uses, b_ub=[10e6, 6e6], bounds=[(2e6, None)] * 4)
    assert fairness.shares() == pytest.approx(rest.x)


def test_jains_index_is_one_over_one_plus_the_squared_variation() -> None:
    rates = np.array(fairness.RATES)
    variation = rates.std() / rates.mean()
    assert right("fairness", "jain") == pytest.approx(1 / (1 + variation**2))
    measured = [
        number("fairness", f"flows.{flow}.throughput_bits_per_second") for flow in ("near", "far")
    ]
    variation = np.std(measured) / np.mean(measured)
    assert fairness.fairness_of("tail") == pytest.approx(1 / (1 + variation**2))


def test_the_near_flow_is_faster_than_the_law_says_because_it_loses_a_smaller_part() -> None:
    flows = run_of("fairness").flows
    part = {
        name: flows[name]["retransmitted_segments"] / flows[name]["segments_sent"]
        for name in ("near", "far")
    }
    assert part["far"] > 10 * part["near"]
    halved = [flows[name]["fast_retransmits"] for name in ("near", "far")]
    assert abs(halved[0] - halved[1]) <= 2
    ratio = fairness.measured_ratio()
    assert ratio > right("fairness", "law_ratio")


def test_a_window_of_the_exercise_gives_half_of_the_line() -> None:
    window = round(right("fairness", "fair_window"))
    alone = setting("fairness").with_sets(
        [
            ("flow.near.start", "59.9 s"),
            ("flow.far.tcp.window", f"{window} B"),
            ("run.duration", "60 s"),
        ]
    )
    simulated = run(alone).flows["far"]["throughput_bits_per_second"]
    assert simulated == pytest.approx(4.87e6, rel=0.04)


def test_timeouts_of_a_dead_path_are_a_second_two_and_four_apart() -> None:
    """Every packet from the 160th on is lost; the segment was sent a timeout before the first."""
    lost = setting("recovery").with_sets(
        [
            ("link.far.impairments.script.bulk.segments", [*range(160, 260)]),
            ("run.duration", "20 s"),
        ]
    )
    at = run(lost).series("bulk.resent_by_timeout").time
    assert np.diff(at[:3]) == pytest.approx([2.0, 4.0])
    assert right("recovery", "backoff") == pytest.approx(at[2] - at[0] + 1.0)


def test_timeouts_are_those_of_rfc_6298_step_by_step() -> None:
    """Section 2.2: SRTT <- R, RTTVAR <- R/2, K = 4; 2.3: beta 1/4 first, then alpha 1/8."""
    assert recovery.rto(0.1) == pytest.approx(0.1 + 4 * 0.05)
    rttvar = (1 - 0.25) * 0.05 + 0.25 * abs(0.1 - 0.14)
    srtt = (1 - 0.125) * 0.1 + 0.125 * 0.14
    assert recovery.rto(0.1, 0.14) == pytest.approx(srtt + 4 * rttvar)
    assert (srtt, rttvar) == pytest.approx((0.105, 0.0475))


def test_ssthresh_is_half_of_what_was_sent_and_not_acknowledged() -> None:
    """Two of the segments before the repair are those of limited transmit (RFC 3042)."""
    done = run_of("recovery", ("flow.bulk.tcp.recovery", '"new_reno"'))
    first = float(done.series("bulk.resent").time[0])
    sent, heard = done.series("bulk.sent"), done.series("bulk.heard")
    flight = sent.value[sent.time < first].max() + 1460 - heard.value[heard.time <= first].max()
    assert flight / 1460 == pytest.approx(recovery.IN_FLIGHT + 2)
    assert recovery.threshold() == pytest.approx((flight - 2 * 1460) / 2)


def test_repairs_of_new_reno_are_a_round_trip_apart() -> None:
    assert np.diff(recovery.repairs("new_reno")) == pytest.approx([0.1037, 0.1037], rel=0.01)
    counts = [len(recovery.repairs(rule)) for rule in ("new_reno", "sack", "reno")]
    assert counts == [3, 3, 3]


def test_frames_survive_random_losses_as_counters_of_vcs_say() -> None:
    lossy = setting("cells").with_sets(
        [
            ("link.trunk.impairments.loss", cells.LOSS),
            ("flow.data.traffic.poisson.rate", "8 Mbit/s of payload"),
            ("run.duration", "21 s"),
        ]
    )
    vcs = run(lossy).summary["vcs"].values()
    whole = sum(vc["frames_delivered"] for vc in vcs)
    all_of_them = whole + sum(vc["frames_broken"] for vc in vcs)
    expected = right("cells", "survival")
    error = 4 * (expected * (1 - expected) / all_of_them) ** 0.5
    assert whole / all_of_them == pytest.approx(expected, abs=error)


def test_no_cell_is_lost_below_the_threshold_of_the_exercise() -> None:
    threshold = round(right("cells", "threshold"))
    under = ("switch.west.drop", f'{{ epd = {{ threshold = "{threshold} cell" }} }}')
    drops = run_of("cells", under).ports["west.trunk"]["drops"]
    assert (drops["overflow"], drops["partial_frame"]) == (0, 0)
    assert drops["early_frame"] > 0


def test_broken_frames_are_what_tail_drop_loses() -> None:
    """Data is that of whole frames, counted VC by VC."""
    for policy in cells.POLICIES:
        vcs = run_of("cells", ("switch.west.drop", cells.POLICIES[policy])).summary["vcs"]
        frames = sum(vc["frames_delivered"] for vc in vcs.values())
        assert cells.delivered(policy) == pytest.approx(frames * 9140 * 8 / 3.0, rel=1e-6)


def test_rates_of_erica_are_those_of_its_definition() -> None:
    assert right("cells", "share") == pytest.approx((0.9 * 149.76e6 - 60e6) / 5, rel=0.005)
    assert right("cells", "rm_rate") == pytest.approx(right("cells", "share") / 424 / 32, rel=0.005)


def test_runs_of_the_text_are_those_of_the_laboratory() -> None:
    goodput = "groups.tcp.goodput.sum_bits_per_second"
    found = [number("replications", goodput, ("run.seed", str(seed))) for seed in range(1, 6)]
    assert [round(one / 1e6, 3) for one in found] == [*replications.RUNS]


def test_means_of_the_text_are_those_of_the_study(tmp_path: Path) -> None:
    for name in ("replications.toml", "replications-study.toml"):
        (tmp_path / name).write_text(text_of(name))
    results = load_study(tmp_path / "replications-study.toml").run(tmp_path / "out")
    means = [None if one is None else round(one.mean, 2) for one in results.estimates("goodput")]
    assert means == [*replications.MEANS]


def test_intervals_are_those_of_scipy() -> None:
    five = np.array(replications.RUNS)
    low, high = stats.t.interval(0.95, 4, five.mean(), stats.sem(five))
    assert right("replications", "half_width") == pytest.approx((high - low) / 2 * 1e6)
    pair = stats.ttest_rel(replications.AFTER, replications.BEFORE).confidence_interval(0.95)
    assert right("replications", "paired") == pytest.approx((pair.high - pair.low) / 2 * 1e6)
    needed = right("replications", "needed")
    for n, enough in ((needed, True), (needed - 1, False)):
        half = stats.t.ppf(0.975, 4) * five.std(ddof=1) / n**0.5
        assert (half <= 0.01 * five.mean()) == enough


def test_effects_are_those_of_least_squares() -> None:
    signs = np.array([[1, -1, -1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [1, 1, 1, 1]])
    q, *_ = np.linalg.lstsq(signs, np.array(replications.MEANS), rcond=None)
    assert right("replications", "effect") == pytest.approx(q[1] * 1e6)
    variation = np.var(replications.MEANS)
    assert right("replications", "explained") == pytest.approx(q[1] ** 2 / variation)


def test_the_mean_rate_is_that_of_a_long_capacity() -> None:
    keys = "link.bottleneck.capacity.two_state"
    changed = [
        (f"{keys}.mean_high", "3 s"),
        (f"{keys}.mean_low", "1 s"),
        ("run.duration", "40000 s"),
    ]
    path = setting("capacity").with_sets(changed).capacity("bottleneck")
    assert path is not None
    times = np.array([*path.times, path.end]) * 1e-12
    mean = np.average(path.rates, weights=np.diff(times))
    assert right("capacity", "mean") == pytest.approx(mean, rel=0.02)


def test_the_part_used_is_goodput_over_the_rates_of_the_run() -> None:
    path = setting("capacity").capacity("bottleneck")
    assert path is not None
    times = np.clip(np.array([*path.times, path.end]) * 1e-12, 20.0, 220.0)
    mean = np.average(path.rates, weights=np.diff(times))
    goodput = number("capacity", "flows.download.throughput_bits_per_second")
    assert right("capacity", "used") == pytest.approx(goodput / (mean * 1460 / 1696), rel=1e-3)
    assert right("capacity", "data") == pytest.approx(6e6 * 1460 / 1696)


def test_the_download_uses_most_of_the_slowest_changes_whatever_the_seed() -> None:
    for seed in range(1, 6):
        keys = [f"link.bottleneck.capacity.two_state.mean_{one}" for one in ("high", "low")]
        used = {
            stay: number(
                "capacity",
                "channels.bottleneck.efficiency",
                ("run.seed", str(seed)),
                *((key, f'"{stay}"') for key in keys),
            )
            for stay in capacity.STAYS
        }
        assert max(used, key=lambda stay: used[stay]) == "10 s"
        assert min(used, key=lambda stay: used[stay]) == "300 ms"


def test_a_queue_grows_by_the_excess_of_a_round_trip() -> None:
    """A source of 8 Mbit/s of cells before a line that falls to 4, for 100 ms."""
    cell_time, arrivals = 424 / 4e6, np.arange(0, 0.1, 424 / 8e6)
    served = np.floor(arrivals[-1] / cell_time)
    assert right("capacity", "growth") == pytest.approx(len(arrivals) - served, rel=0.01)
    assert right("capacity", "wait") == pytest.approx(1400 * cell_time)
