"""Pictures of a study as blocks of a page: charts over numbers, and rows of dots over names.

They have the panels, lines and colours of `cellway plot`. A sampled design whose factors have
names is left to its figure.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.colors import to_hex

from cellway.cli.text import number
from cellway.plot.colours import COLOURS
from cellway.plot.repeated import is_signed
from cellway.plot.rows import called
from cellway.plot.studies import effect_name, largest, rows_of
from cellway.plot.study_choice import Choice, Column, beside, columns, with_panels
from cellway.plot.study_gaps import gap_of
from cellway.plot.study_lines import (
    MAX_LINES,
    OFFERED,
    Panel,
    axis_label,
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

_STEPS = 60
"""Steps of the diagonal, a curve where only one axis is logarithmic."""
_FEW = 12
"""Most levels that an axis has as its ticks."""
_DECADES = 30.0
"""Ratio of the ends from which the axis of dots is logarithmic."""


def study_dots(results: Results, choice: Choice) -> Iterator[Dots]:
    """Rows of dots: effects of a two-level design, or means over a factor with names."""
    study, shown = results.study, with_panels(results, choice)
    if study.two_level and all(results.runs):
        yield from (_effects(results, one) for one in shown)
        return
    if study.sampled:
        return
    rows = rows_of(results, choice)
    for response in shown if any(results.estimates(one.name) for one in shown) else ():
        for column in [Column(rows)] if rows else columns(results, choice, MAX_LINES):
            if column.factor is None or column.factor.kind != "number":
                yield _dots(Panel(results, response, column, choice))


def study_panels(results: Results, choice: Choice) -> list[dict[str, Any]]:
    """Data of the charts over factors with numbers; empty where others show the study.

    A panel has its title, its axes, its lines with the ends of intervals, and places of points
    that lack runs.
    """
    study = results.study
    if (study.two_level and all(results.runs)) or rows_of(results, choice):
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
        if made and made[0]["setting"]:
            high = max(one["range"][1] for one in made)
            low = min(one["range"][0] for one in made)
            made = [{**one, "range": [low, high]} for one in made]
        panels += made
    return panels


def _panel(panel: Panel, factor: Factor) -> dict[str, Any]:
    results, response, column, choice = panel
    is_cloud = results.study.sampled
    lines = [_cloud(panel, factor)] if is_cloud else [*_lines(panel)]
    for other in () if is_cloud else beside(results, choice, response):
        lines += _explained(panel._replace(response=other))
    levels = sorted(set(factor.numbers))
    is_log = is_logarithmic(factor, choice)
    values = [one for line in lines for one in (*line["v"], *line["low"], *line["high"])]
    known = [one for one in values if one is not None]
    return {
        "title": panel_title(panel),
        "unit": response.unit if response.unit != "1" else "",
        "label": axis_label(factor, choice),
        "log": is_log,
        "ticks": levels if len(levels) <= _FEW and not is_cloud and is_log else None,
        "setting": column.setting is not None,
        "range": [min(0.0, *known), 1.06 * max(0.0, *known) or 1.0] if known else [0.0, 1.0],
        "lines": lines,
        "guide": _diagonal(levels, is_log=is_log) if has_diagonal(response, factor) else None,
    }


def _lines(panel: Panel) -> Iterator[dict[str, Any]]:
    results, response, column, _ = panel
    settings = settings_of(panel)
    is_explained = response.explained
    signed = is_signed(results, response.name)
    looks = looks_of(panel, settings)
    for (name, points), (_, look) in zip(settings.items(), looks, strict=True):
        known = known_means(panel, points)
        places = places_of(column.factor, results, [point for point, _ in known])
        found = sorted(zip(places, (one for _, one in known), strict=True), key=lambda one: one[0])
        gaps = [point for point in points if gap_of(results, response, point)]
        ends = [_interval(one, is_signed=signed) for _, one in found]
        yield {
            "name": name or response.name,
            "colour": to_hex(look.colour),
            "dashed": is_explained,
            "sign": look.marker,
            "x": [short(place) for place, _ in found],
            "v": [short(one.mean) for _, one in found],
            "low": [None if one is None else short(one[0]) for one in ends],
            "high": [None if one is None else short(one[1]) for one in ends],
            "text": [_text(one) for _, one in found],
            "hollow": [one.repeated for _, one in found],
            "gaps": places_of(column.factor, results, gaps),
        }


def _explained(panel: Panel) -> Iterator[dict[str, Any]]:
    """Lines of an explained response: one for all settings with equal values."""
    drawn = []
    for line in _lines(panel):
        if line["v"] and line["v"] not in drawn:
            drawn.append(line["v"])
            bare = [False] * len(line["v"])
            yield {**line, "name": panel.response.name, "colour": "--ink", "hollow": bare}


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
        "colour": COLOURS[0],
        "dashed": False,
        "sign": "",
        "x": [short(place) for place, _ in dots],
        "v": [short(value) for _, value in dots],
        "low": [],
        "high": [],
        "text": [number(value) for _, value in dots],
        "hollow": [],
        "gaps": [],
    }


def _diagonal(levels: Sequence[float], *, is_log: bool) -> dict[str, Any]:
    least = levels[0] if is_log else 0.0
    at = [least + (levels[-1] - least) * step / _STEPS for step in range(_STEPS + 1)]
    return {"name": OFFERED, "x": [short(one) for one in at]}


def _dots(panel: Panel) -> Dots:
    """Means of a response, a row for each level and setting."""
    results, response, column, _ = panel
    factor = column.factor
    signed = is_signed(results, response.name)
    settings = settings_of(panel)
    groups = [level.shown for level in factor.levels] if factor else [""]
    dots = []
    for group in groups:
        looks = looks_of(panel, settings)
        for (name, points), (_, look) in zip(settings.items(), looks, strict=True):
            for point in points:
                given = results.conditions[point].parameters
                if factor is None or given[factor.name] == group:
                    found = results.estimate(response.name, point)
                    dots.append(_dot(str(group), name, to_hex(look.colour), found, signed=signed))
    known = [one.value for one in dots if one.value is not None]
    least = min(known, default=0.0)
    apart = least > 0.0 and response.unit not in {"1", "%"} and max(known) > _DECADES * least
    return Dots(panel_title(panel), factor.name if factor else "", dots, apart)


def _dot(group: str, name: str, colour: str, found: Estimate | None, *, signed: bool) -> Dot:
    if found is None:
        return Dot(group, name, colour, None, None, "–")
    ends = _interval(found, is_signed=signed)
    return Dot(group, name, colour, found.mean, ends, _text(found), found.repeated)


def _effects(results: Results, response: Response) -> Dots:
    dots = []
    for effect in reversed(largest(results.effects(response.name).effects)):
        one = effect.estimate
        colour = COLOURS[0] if one.mean >= 0.0 else COLOURS[1]
        dots.append(_dot(effect_name(effect), "", colour, one, signed=True))
    of = "half the change from first to second level; in parentheses, part of the variation"
    return Dots(f"effects on {called(response)}: {of}", "factor", dots)


def _interval(found: Estimate, *, is_signed: bool) -> tuple[float, float] | None:
    """The ends of an interval; numbers without sign have none below 0."""
    if found.interval is None:
        return None
    low, high = found.interval
    return (low if is_signed else max(low, min(found.mean, 0.0))), high


def _text(found: Estimate) -> str:
    return f"{number(found.mean)}{found.width(2)}"
