"""Families in the text of a run: like members share one row, with means and spread."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cellway.cli.alike import together
from cellway.cli.text import megabits, natural, number, plain, titled

_LOADS = ("p50", "p95", "max")
_SPREAD = ("mean", "p50", "p95", "p99", "min", "max")
Flows = Mapping[str, dict[str, Any]]


def families_of(groups: Sequence[list[str]]) -> list[list[str]]:
    """Names of like members, from groups of alike flows."""
    return [names for names in groups if len(names) > 1 and all("[" in name for name in names)]


def folded(flows: Flows, families: Sequence[Sequence[str]]) -> dict[str, dict[str, Any]]:
    """Flows by name, families as ``page[1..100]`` with the means of their members; in order."""
    present = [names for names in families if names[0] in flows]
    family_of = {names[0]: names for names in present}
    others = {name for names in present for name in names} - family_of.keys()
    shown: dict[str, dict[str, Any]] = {}
    # Other members are in the row of the first one.
    for name in sorted(flows.keys() - others, key=natural):
        if names := family_of.get(name):
            shown[together(names)] = _mean([flows[one] for one in names])
        else:
            shown[name] = flows[name]
    return shown


def _mean(members: Sequence[Any], key: str = "") -> Any:  # noqa: ANN401
    """Means of the numbers that members share, maxima for maxima; missing ones do not count."""
    first = members[0]
    if isinstance(first, Mapping):
        are_alike = all(one.keys() == first.keys() for one in members)
        common = [key for key in first if are_alike or all(key in one for one in members)]
        mean = {key: _mean([one[key] for one in members], key) for key in common}
        return {**mean, "members": members} if "throughput_bits_per_second" in first else mean
    numbers = [one for one in members if isinstance(one, int | float)]
    if all(one == first for one in members) or not numbers:
        return first
    if key.startswith("max"):
        return max(numbers)
    return math.fsum(numbers) / len(numbers)


def starts(flow: Mapping[str, Any]) -> str:
    """Start of a flow, or the first and the last start of a family."""
    members = flow.get("members", [flow])
    known = [one["start_s"] for one in members if "start_s" in one]
    if not known:
        return "never"
    ends = dict.fromkeys((number(min(known)), number(max(known))))
    return " to ".join(ends)


def end(flow: Mapping[str, Any]) -> str:
    """End of a flow, if it came; for a family the number of ends, and the last of them."""
    members = flow.get("members")
    if members is None:
        if flow["finished_s"] is not None:
            return f"done at {plain(flow['finished_s'])} s"
        return f"gave up at {plain(flow['aborted_s'])} s" if flow["aborted_s"] is not None else ""
    done = [one["finished_s"] for one in members if one["finished_s"] is not None]
    gone = sum(one["aborted_s"] is not None for one in members)
    said = [f"{len(done)} of {len(members)} done, the last at {plain(max(done))} s"] if done else []
    return ", ".join([*said, *([f"{gone} gave up"] if gone else [])])


def spread(shown: Flows) -> list[str]:
    """Tables of the rates of families, of transfers, of loaded pages and of played video."""
    members = {name: flow["members"] for name, flow in shown.items() if "members" in flow}
    rows = []
    for name, flows in members.items():
        rates = _numbers([one["throughput_bits_per_second"] for one in flows])
        spread = {f"{kind} Mbit/s": megabits(rate) for kind, rate in rates.items()}
        rows.append({"family": name, "flows": str(len(flows)), **spread})
    tables = (_transfers(shown), _pages(shown), _videos(shown))
    return [*(["", *titled(rows)] if rows else []), *(line for table in tables for line in table)]


def _pages(shown: Flows) -> list[str]:
    """Load times of pages; of a family those of all its pages, and loaded pages in the mean."""
    rows = [
        {
            "pages": name,
            "loaded": number(pages["loaded"]),
            "objects": number(pages["objects"]),
            "mean s": number(_mean_load(flow)),
            **{f"{kind} s": number(time) for kind, time in _loads(flow).items()},
        }
        for name, flow in shown.items()
        if (pages := flow.get("pages"))
    ]
    return ["", *titled(rows)] if rows else []


def _loads(flow: Mapping[str, Any]) -> dict[str, float | None]:
    """Quantiles and maximum of load times: of a family over all its pages together.

    A page is a transaction, whose times a run keeps as a distribution. Where these are not the
    pages, there is no quantile of a family.
    """
    members = flow.get("members")
    found: dict[str, float | None] = {kind: flow["pages"][f"{kind}_load_s"] for kind in _LOADS}
    if members is None:
        return found
    from cellway.runs.pooled import pooled_quantile  # noqa: PLC0415 - not for runs without families

    times = [one["transactions"]["response_time"] for one in members]
    are_pages = all(
        time["samples"] == one["pages"]["loaded"] for time, one in zip(times, members, strict=True)
    )
    for kind, part in (("p50", 0.5), ("p95", 0.95)):
        found[kind] = pooled_quantile(times, part) if are_pages else None
    return found


def _mean_load(flow: Mapping[str, Any]) -> float | None:
    """Mean load time of all pages of a flow or a family."""
    found = [one["pages"] for one in flow.get("members", [flow])]
    loads = [(one["loaded"], one["mean_load_s"]) for one in found if one["loaded"]]
    pages = sum(loaded for loaded, _ in loads)
    return math.fsum(loaded * mean for loaded, mean in loads) / pages if pages else None


def _videos(shown: Flows) -> list[str]:
    """Playback of adaptive video; of a family the means of its flows."""
    rows = [
        {
            "video": name,
            "segments": number(video["segments"]),
            "mean Mbit/s": megabits(video["mean_bits_per_second"]),
            "switches": number(video["switches"]),
            "start-up s": number(video["start_up_s"]),
            "stalls": number(video["stalls"]),
            "rebuffering s": number(video["rebuffering_s"]),
        }
        for name, flow in shown.items()
        if (video := flow.get("playback"))
    ]
    return ["", *titled(rows)] if rows else []


def _transfers(shown: Flows) -> list[str]:
    """Times from the start of the first connection until the last byte was read, with relays."""
    rows = []
    for name, flow in shown.items():
        if "transfer" not in flow:
            continue
        found = [one["transfer"] for one in flow.get("members", [flow])]
        times = [one["time_s"] for one in found if one["time_s"] is not None]
        rows.append(
            {
                "transfer": name,
                "ended": f"{len(times)} of {len(found)}",
                "mean B": number(math.fsum(one["bytes"] for one in found) / len(found)),
                **{f"{kind} s": number(time) for kind, time in _numbers(times).items()},
            }
        )
    return ["", *titled(rows)] if rows else []


def _numbers(values: Sequence[float]) -> dict[str, float | None]:
    """Mean, p50, p95, p99, minimum and maximum."""
    if not values:
        return dict.fromkeys(_SPREAD)
    from cellway.statistics import quantile  # noqa: PLC0415 - not for runs without families

    mean = math.fsum(values) / len(values)
    found = (quantile(values, part) for part in (0.5, 0.95, 0.99))
    return dict(zip(_SPREAD, (mean, *found, min(values), max(values)), strict=True))
