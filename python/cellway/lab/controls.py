"""Controls of a scenario: sliders and choices, each of keys that a run can be given.

A scenario without `[lab]` gets those that its `explain` suggests: rate and delay of the link that
limits most flows, buffer and drop policy before it, congestion rule of the flows. A control whose
values the scenario refuses is left out.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cellway.errors import CellwayError
from cellway.report.topology import family, hops_of
from cellway.scenario.scenario import Scenario
from cellway.text.units import SCALES, per

Control = dict[str, Any]
"""For JSON: `keys`, `title`, `kind` (`slider` or `choice`), `stops` (`value` as `--set` takes it,
`null` for that of the scenario; `label`), `at`, the number of the scenario's own stop, and `own`,
for each key a value that is equal to the scenario's, or `null` if none is known."""
_MANTISSAS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
_DECADES = 20.0
"""Multiple of its own value to which a slider goes, up and down."""
_USUAL = 200.0
"""Middle of the slider of a buffer without limit."""
_NO_LIMIT = "infinite", "no limit"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LAWS = {
    "reno": "Reno",
    "cubic": "CUBIC",
    "vegas": "Vegas",
    "westwood": "Westwood+",
    "hybla": "Hybla",
    "copa": "Copa",
    "bbr1": "BBR v1",
    "bbr3": "BBR v3",
}
"""Laws of the window that need no other key."""
_POLICIES = {
    "tail": "tail drop",
    "ppd": "partial packet discard",
    "{ epd = { threshold = 0.8 } }": "early packet discard, 80 %",
    "{ red = { min_threshold = 0.1, max_threshold = 0.3 } }": "RED, 10 to 30 %",
    "codel": "CoDel",
    "fq_codel": "FQ-CoDel",
    "pie": "PIE",
}


def stops(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 and so on."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    # From text, so that 1.2 times ten million has no digits behind.
    found = [float(f"{one}e{decade}") for decade in decades for one in _MANTISSAS]
    return [one for one in found if low * (1 - 1e-9) <= one <= high * (1 + 1e-9)]


def controls_of(scenario: Scenario) -> list[Control]:
    """Controls of a scenario without keys set, in the order of the page."""
    explained = scenario.explain()
    return [one for one in _suggested(scenario, explained) if _is_accepted(scenario, one)]


def _suggested(scenario: Scenario, explained: Mapping[str, Any]) -> Iterator[Control]:
    link = _tight(explained)
    if link is not None:
        same = _plain(link["name"])
        yield from _line(
            scenario, link, [one for one in explained["links"] if _plain(one["name"]) == same]
        )
        ports = [
            one
            for one in explained["ports"]
            if one["link"] == link["name"] and one["node"] == link["from"]
        ]
        for port in ports:
            yield from _port(scenario, port)
    yield from _law(scenario, explained)


def _tight(explained: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The direction of a link that leaves most flows the least: of TCP flows, if there are any."""
    links = {(one["name"], one["from"]): one for one in explained["links"]}
    flows = explained["flows"]
    counts: Counter[tuple[str, str]] = Counter()
    for flow in [one for one in flows if one["tcp"]] or flows:
        hops = [links[place] for place in hops_of(flow)]
        if hops:
            least = min(hops, key=_share)
            counts[least["name"], least["from"]] += 1
    return links[counts.most_common(1)[0][0]] if counts else None


def _share(link: Mapping[str, Any]) -> float:
    return float(link["fair_share_bits_per_second"] or link["line_bits_per_second"])


def _line(
    scenario: Scenario, link: Mapping[str, Any], links: Sequence[Mapping[str, Any]]
) -> Iterator[Control]:
    name = _plain(link["name"])
    rate, layer = link["line_bits_per_second"] / SCALES["Mbit/s"], "line"
    if link["carries"] == "cells":
        rate, layer = link["cell_bits_per_second"] / SCALES["Mbit/s"], "cell"
    # A line whose rate varies has no rate of its own.
    if not scenario.has_key(f"link.{name}.capacity"):
        values = stops(rate / _DECADES, rate * _DECADES)
        levels = [(f"{one:g} Mbit/s of {layer}", _rate(one)) for one in values]
        own = (
            _common(f"{rate:.15g} Mbit/s of {layer}", f"{layer}_bits_per_second", links),
            _rate(rate),
        )
        yield _slider([f"link.{name}.rate"], f"rate of {name}", levels, values, own, rate)
    delay = link["delay_seconds"] * per("ms")
    values = stops(max(delay, 0.1) / _DECADES, max(delay, 1.0) * _DECADES)
    levels = [(f"{one:g} ms", f"{one:g} ms") for one in values]
    key, value = f"link.{name}.delay", _common(f"{delay:.12g} ms", "delay_seconds", links)
    # A delay that varies is no number that a slider could have.
    if value is None or scenario.with_set(key, value) == scenario:
        own = value, f"{delay:.4g} ms"
        yield _slider([key], f"delay of {name}", levels, values, own, delay)


def _common(value: str, fact: str, links: Sequence[Mapping[str, Any]]) -> str | None:
    """The value, if all links of a family have it; both directions of each."""
    return value if len({one[fact] for one in links}) == 1 else None


def _rate(megabits: float) -> str:
    units = (("Gbit/s", 1000.0), ("Mbit/s", 1.0), ("kbit/s", 0.001))
    unit, size = next((one for one in units if megabits >= one[1]), units[-1])
    return f"{megabits / size:.4g} {unit}"


def _port(scenario: Scenario, port: Mapping[str, Any]) -> Iterator[Control]:
    node = _plain(port["node"])
    kind = "switch" if scenario.has_key(f"switch.{node}.buffer") else "edge"
    buffers = {(queue["buffer"]["kind"], queue["buffer"]["size"]) for queue in port["queues"]}
    # Queues of several classes may have buffers of their own, which have other keys.
    if len(buffers) == 1:
        ((form, size),) = buffers
        yield _buffer(f"{kind}.{node}.buffer", f"buffer of {node}", form, size, port["unit"])
    yield _policy(f"{kind}.{node}.drop", f"drop policy of {node}", port["policy"].strip('"'))


def _buffer(key: str, title: str, form: str, size: int | None, unit: str) -> Control:
    mean = size or _USUAL
    values = stops(max(1.0, mean / _DECADES), mean * _DECADES)
    values = [one for one in values if one == round(one)]
    form = form if size else "per_port"
    levels = [(f'{{ {form} = "{one:.15g} {unit}" }}', f"{one:.15g} {unit}s") for one in values]
    own = (f'{{ {form} = "{size} {unit}" }}', f"{size} {unit}s") if size else _NO_LIMIT
    return _slider([key], title, levels, values, own, size or math.inf)


def _policy(key: str, title: str, own: str) -> Control:
    word = re.split(r"[ =]", own.strip("{ "))[0]
    label = _POLICIES.get(word, word.replace("_", " "))
    others = {text: said for text, said in _POLICIES.items() if word not in text.split()[:2]}
    return _choice([key], title, (own, label), others)


def _law(scenario: Scenario, explained: Mapping[str, Any]) -> Iterator[Control]:
    flows = [one for one in explained["flows"] if one["tcp"] and not one.get("relay")]
    words = {
        f"flow.{_plain(one['name'])}.tcp.congestion": _word(one["tcp"]["congestion"])
        for one in flows
    }
    if not words or not all(_BARE.fullmatch(key.split(".")[1]) for key in words):
        return
    # A rule with keys of its own is more than its name.
    own = [*words.values()] if scenario.with_sets([*words.items()]) == scenario else None
    same = {*words.values()}
    word = same.pop() if len(same) == 1 else ""
    label = _LAWS.get(word, word) or "as in the file"
    others = {text: said for text, said in _LAWS.items() if text != word}
    control = _choice([*words], "congestion rule of the flows", (None, label), others)
    yield {**control, "own": own}


def _word(rule: object) -> str:
    return re.split(r"[ =]", str(rule).strip('"{ '))[0]


def _plain(name: str) -> str:
    """The name in a key: that of the family of a member."""
    return family(name).removesuffix(" back").replace("[*]", "")


def _slider(  # noqa: PLR0913, PLR0917
    keys: Sequence[str],
    title: str,
    levels: Sequence[tuple[str, str]],
    values: Sequence[float],
    own: tuple[str | None, str],
    place: float,
) -> Control:
    """A slider with the scenario's own value in its place among the others."""
    found: list[dict[str, Any]] = [{"value": one, "label": label} for one, label in levels]
    is_among = [math.isclose(one, place, rel_tol=1e-6, abs_tol=1e-12) for one in values]
    found = [one for one, same in zip(found, is_among, strict=True) if not same]
    at = sum(one < place for one, same in zip(values, is_among, strict=True) if not same)
    found.insert(at, {"value": None, "label": own[1]})
    given = {"keys": [*keys], "title": title, "kind": "slider", "stops": found, "at": at}
    return {**given, "own": _each(keys, own[0])}


def _choice(
    keys: Sequence[str], title: str, own: tuple[str | None, str], others: Mapping[str, str]
) -> Control:
    found: list[dict[str, Any]] = [{"value": None, "label": own[1]}]
    found += [{"value": value, "label": label} for value, label in others.items()]
    given = {"keys": [*keys], "title": title, "kind": "choice", "stops": found, "at": 0}
    return {**given, "own": _each(keys, own[0])}


def _each(keys: Sequence[str], value: str | None) -> list[str] | None:
    return None if value is None else [value] * len(keys)


def _is_accepted(scenario: Scenario, control: Control) -> bool:
    """Leaves out the stops that the scenario refuses; false where only its own is left.

    Of a slider the ends of what is accepted are searched: what lies between them is between them.
    """
    given, at = control["stops"], control["at"]
    if control["kind"] == "slider":
        values = [one["value"] for one in given]
        low = at - _reach(scenario, control, values[:at][::-1])
        high = at + _reach(scenario, control, values[at + 1 :])
        control["stops"], control["at"] = given[low : high + 1], at - low
    else:
        control["stops"] = [
            one for one in given if one["value"] is None or _takes(scenario, control, one["value"])
        ]
    return len(control["stops"]) > 1


def _reach(scenario: Scenario, control: Control, values: Sequence[str]) -> int:
    """Number of values, from the first on, that are accepted."""
    if not values or _takes(scenario, control, values[-1]):
        return len(values)
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (
            (middle + 1, high) if _takes(scenario, control, values[middle]) else (low, middle)
        )
    return low


def _takes(scenario: Scenario, control: Control, value: str) -> bool:
    try:
        scenario.with_sets([(key, value) for key in control["keys"]])
    except CellwayError:
        return False
    return True
