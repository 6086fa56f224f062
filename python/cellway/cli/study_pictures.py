"""Pictures of a study as blocks of a page: charts over numbers, and rows of dots over names.

They have the panels, lines and colours of `cellway plot`. A sampled design whose factors have
names is left to its figure.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from matplotlib.colors import to_hex

from cellway.cli.study_results import shown as estimate_text
from cellway.cli.text import number
from cellway.errors import CellwayError
from cellway.plot.colours import COLOURS
from cellway.plot.repeated import is_signed
from cellway.plot.rows import are_far_apart, called, reference_of
from cellway.plot.studies import effect_name, largest, rows_of
from cellway.plot.study_choice import Choice, Column, beside, columns, with_panels
from cellway.plot.study_gaps import Gap, gap_of
from cellway.plot.study_lines import (
    BELOW,
    FEW_TICKS,
    MAX_LINES,
    OFFERED,
    Look,
    Panel,
    axis_label,
    diagonal_places,
    has_diagonal,
    is_logarithmic,
    known_means,
    looks_of,
    panel_title,
    places_of,
    settings_of,
)
from cellway.report.blocks import Dot, Dots
from cellway.report.charts import short
from cellway.statistics import Estimate
from cellway.study import Results
from cellway.study.factors import Factor
from cellway.study.responses import Response

_ABOVE = 0.06
"""Part of a panel above its highest value."""
_DASHES = ((5, 3), (1, 3), (6, 3, 1, 3))
"""Lengths of dashes and gaps of explained responses, which one panel tells apart."""
_PLAIN = "currentColor"
"""Colour of letters, for numbers that were not simulated."""


def study_effects(results: Results, choice: Choice) -> list[Dots]:
    """Effects of each response of a two-level design; empty where none can be told."""
    if not (results.study.two_level and all(results.runs)):
        return []
    found = []
    for response in with_panels(results, choice):
        try:
            found.append(_effects(results, response))
        except (CellwayError, ValueError):
            # The section of results says why this response is not analysed.
            continue
    return found


def study_dots(results: Results, choice: Choice) -> Iterator[Dots]:
    """Rows of dots: means over a factor with names, or those of a study without factors."""
    if results.study.sampled:
        return
    rows = rows_of(results, choice)
    for response in with_panels(results, choice):
        for column in [Column(rows)] if rows else columns(results, choice, MAX_LINES):
            if column.factor is None or column.factor.kind != "number":
                yield _dots(Panel(results, response, column, choice))


def study_panels(results: Results, choice: Choice) -> list[dict[str, Any]]:
    """Data of the charts over factors with numbers; empty where others show the study.

    A panel has its title, its axes, its lines with the ends of intervals, and places of points
    that lack runs.
    """
    if rows_of(results, choice):
        return []
    found = columns(results, choice, MAX_LINES)
    if any(column.factor is None or column.factor.kind != "number" for column in found):
        return []
    panels = []
    for response in with_panels(results, choice):
        made = [
            _panel(Panel(results, response, column, choice), column.factor)
            for column in found
            if column.factor is not None
        ]
        if found[0].setting is not None:
            low = min(one["range"][0] for one in made)
            high = max(one["range"][1] for one in made)
            made = [{**one, "range": [low, high]} for one in made]
        panels += made
    return panels


def _panel(panel: Panel, factor: Factor) -> dict[str, Any]:
    results, response, _, choice = panel
    is_cloud = results.study.sampled
    lines = [_cloud(panel, factor)] if is_cloud else [*_lines(panel)]
    for dash, other in zip(cycle(_DASHES), beside(results, choice, response), strict=False):
        lines += [] if is_cloud else _explained(panel._replace(response=other), dash)
    levels = sorted(set(factor.numbers))
    is_log = is_logarithmic(factor, choice)
    values = [one for line in lines for one in (*line["v"], *line["low"], *line["high"])]
    return {
        "title": panel_title(panel),
        "unit": response.unit if response.unit != "1" else "",
        "label": axis_label(factor, choice),
        "log": is_log,
        "ticks": levels if len(levels) <= FEW_TICKS and not is_cloud and is_log else None,
        "range": _range([one for one in values if one is not None]),
        "lines": lines,
        "guide": _guide(factor, is_log=is_log) if has_diagonal(response, factor) else None,
    }


def _guide(factor: Factor, *, is_log: bool) -> dict[str, Any]:
    """Diagonal on which all of an offered load is delivered."""
    places = diagonal_places(factor, is_log=is_log)
    return {"name": OFFERED, "x": [short(place) for place in places]}


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis with 0 on it, and room for signs at both."""
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    high = high if high > low else 1.0
    return low - BELOW * (high - low), high + _ABOVE * (high - low)


def _lines(panel: Panel) -> Iterator[dict[str, Any]]:
    results, response, column, _ = panel
    settings = settings_of(panel)
    signed = is_signed(results, response.name)
    looks = looks_of(panel, settings)
    for (name, points), (_, look) in zip(settings.items(), looks, strict=True):
        known = known_means(panel, points)
        places = places_of(column.factor, results, [point for point, _ in known])
        found = sorted(zip(places, (one for _, one in known), strict=True), key=lambda one: one[0])
        ends = [_interval(one, is_signed=signed) for _, one in found]
        gaps = {point: gap for point in points if (gap := gap_of(results, response, point))}
        yield {
            "name": name or response.name,
            "colour": _colour(look),
            "dash": None,
            "sign": look.marker,
            "x": [short(place) for place, _ in found],
            "v": [short(one.mean) for _, one in found],
            "low": [None if one is None else short(one[0]) for one in ends],
            "high": [None if one is None else short(one[1]) for one in ends],
            "text": [estimate_text(one) for _, one in found],
            "hollow": [one.repeated for _, one in found],
            "gaps": [
                {"x": short(place), "kind": gap.name.lower(), "why": gap.value}
                for place, gap in zip(
                    places_of(column.factor, results, [*gaps]), gaps.values(), strict=True
                )
            ],
        }


def _colour(look: Look) -> str:
    """Property of the style for a colour of the palette, else the colour."""
    colour = look.colour
    if isinstance(colour, str) and colour in COLOURS:
        return f"--flow{COLOURS.index(colour)}"
    return to_hex(colour)


def _explained(panel: Panel, dash: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Lines of an explained response: one for all settings with equal values."""
    drawn = []
    for line in _lines(panel):
        if line["v"] and line["v"] not in drawn:
            drawn.append(line["v"])
            bare = {"hollow": [False] * len(line["v"]), "gaps": []}
            yield {**line, **bare, "name": panel.response.name, "colour": "--ink", "dash": dash}


def _cloud(panel: Panel, factor: Factor) -> dict[str, Any]:
    """A dot for each run of a sampled design."""
    results, response = panel.results, panel.response
    points = range(len(results.conditions))
    dots = sorted(
        (place, value)
        for point, place in zip(points, places_of(factor, results, points), strict=True)
        for value in results.values(response.name, point)
    )
    return {
        "name": response.name,
        "colour": "--flow0",
        "dash": None,
        "sign": "",
        "x": [short(place) for place, _ in dots],
        "v": [short(value) for _, value in dots],
        "low": [],
        "high": [],
        "text": [number(value) for _, value in dots],
        "hollow": [],
        "gaps": [],
    }


def _dots(panel: Panel) -> Dots:
    """Means of a response, a row for each level and setting, and what is explained beside it."""
    results, response, column, choice = panel
    factor = column.factor
    groups = [level.shown for level in factor.levels] if factor else [""]
    settings = settings_of(panel)
    dots: list[Dot] = []
    for group in groups:
        looks = looks_of(panel, settings)
        for (name, points), (_, look) in zip(settings.items(), looks, strict=True):
            here = [point for point in points if _is_in(results, point, factor, group)]
            dots += [_mean(panel, point, str(group), name, _colour(look)) for point in here]
        for other in beside(results, choice, response):
            all_here = [
                point
                for points in settings.values()
                for point in points
                if _is_in(results, point, factor, group)
            ]
            dots += _explained_dots(panel._replace(response=other), all_here, str(group))
    return Dots(
        panel_title(panel),
        factor.name if factor else "",
        dots,
        are_far_apart(results, response),
        reference_of(response),
    )


def _is_in(results: Results, point: int, factor: Factor | None, group: object) -> bool:
    return factor is None or results.conditions[point].parameters[factor.name] == group


def _mean(panel: Panel, point: int, group: str, name: str, colour: str) -> Dot:
    results, response = panel.results, panel.response
    found = results.estimate(response.name, point)
    gap = gap_of(results, response, point)
    if found is None:
        return Dot(group, name, colour, None, None, str(gap or Gap.UNDEFINED))
    signed = is_signed(results, response.name)
    why = f"; {gap}" if gap else ""
    ends = _interval(found, is_signed=signed)
    return Dot(group, name, colour, found.mean, ends, estimate_text(found) + why, found.repeated)


def _explained_dots(panel: Panel, points: Sequence[int], group: str) -> list[Dot]:
    """Dots of an explained response: one for all settings with equal values."""
    means = dict.fromkeys(one.mean for _, one in known_means(panel, points))
    name = panel.response.name
    return [Dot(group, name, _PLAIN, mean, None, number(mean)) for mean in means]


def _effects(results: Results, response: Response) -> Dots:
    dots = []
    for effect in reversed(largest(results.effects(response.name).effects)):
        one = effect.estimate
        colour = "--flow0" if one.mean >= 0.0 else "--flow1"
        text = f"{number(one.mean)}{one.width(2)}"
        dots.append(Dot(effect_name(effect), "", colour, one.mean, one.interval, text))
    of = "half the change from first to second level; in parentheses, part of the variation"
    return Dots(f"effects on {called(response)}: {of}", "factor", dots)


def _interval(found: Estimate, *, is_signed: bool) -> tuple[float, float] | None:
    """The ends of an interval; numbers without sign have none below 0."""
    if found.interval is None:
        return None
    low, high = found.interval
    return (low if is_signed else max(low, min(found.mean, 0.0))), high
