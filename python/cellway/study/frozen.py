"""A study as files that can be run again: `study.toml`, and the scenario beside it.

If the scenario or a level names files, `files.json` has their texts.
"""

import textwrap
import tomllib
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellway.disk.folders import Marker, require_ours
from cellway.disk.replacement import finish_replacement, replace_together
from cellway.errors import CellwayError
from cellway.scenario.list_files import LISTS, frozen_lists, lists_json
from cellway.scenario.scenario import toml_literal
from cellway.statistics import DifferenceRule, Precision
from cellway.study.database import unwritable
from cellway.study.design import Design, Fractional, LatinHypercube
from cellway.study.factors import Factor, Sets, Span
from cellway.study.file import load_study
from cellway.study.own_files import SCENARIO, STUDY
from cellway.study.responses import Reduction, Response
from cellway.study.study import Study
from cellway.text.units import UNITS

COLUMNS = 100
"""Letters of a line of the question."""
EXACT = 2**53
"""Limit below which whole numbers are floats without a loss."""


def freeze(study: Study, folder: Path, *, force: bool = False) -> None:
    """Writes the files into `folder`, whose lock the caller has, unless it holds this study.

    The caller has made the study's conditions, so that its scenario knows the files that they name.

    Files that a user changed there, to run the study from its own folder, stay as they are.

    Raises:
        StoreError: they cannot be written, or were changed and `force` is false.
    """
    marker = Marker("study", study.name)
    try:
        finish_replacement(folder)
        if says(folder, study):
            return
        lists = {LISTS: lists_json(study.base.files)} if study.base.files else {}
        texts = {SCENARIO: study.base.text, **lists, STUDY: study_toml(study)}
        require_ours(folder, marker, tuple(texts), force=force)
        replace_together(folder, marker, texts)
    except OSError as error:
        raise unwritable(folder, error, "no run was touched") from error


def says(folder: Path, study: Study) -> bool:
    """True if the study in `folder` is `study`."""
    try:
        found = load_study(folder / STUDY)
    except (CellwayError, OSError):
        return False
    has_files = frozen_lists(folder).items() >= study.base.files.items()
    return (
        has_files and found.base.text == study.base.text and study_toml(found) == study_toml(study)
    )


def study_toml(study: Study) -> str:
    """The study as a study file, with every default written out."""
    about = {
        "name": study.name,
        "scenario": SCENARIO,
        "design": _design(study.design),
        "replications": _replications(study.replications),
        "seed": study.seed,
        "random_numbers": study.random_numbers,
        "series": "all" if study.recorded is None else list(study.recorded) or "none",
    }
    if study.compared is not None:
        about["compare"] = study.compared
    if study.part is not None:
        about["part"] = str(study.part)
    sections = [("study", about)]
    if sets := [*((key, _typed(text)) for key, text in study.base.sets), *study.sets]:
        sections.append(("set", dict(sets)))
    sections += [
        (f"factor.{toml_literal(factor.name)}", _factor(factor, sampled=study.sampled))
        for factor in study.factors
    ]
    sections += [
        (f"response.{toml_literal(response.name)}", _response(response))
        for response in study.responses
    ]
    text = "\n".join(_section(name, keys) for name, keys in sections)
    asked = _wrapped(study.question)
    return "".join([*(f"# {line}\n" for line in asked), "\n" * bool(asked), text])


def _wrapped(question: str) -> list[str]:
    """Lines of a question, from which its reader makes the same words again."""
    return textwrap.wrap(
        question, COLUMNS - 2, break_long_words=False, break_on_hyphens=False, expand_tabs=False
    )


def _typed(text: str) -> object:
    """Value of a ``--set`` text: TOML if it is TOML, else text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def merged_sets(sets: Sets, pairs: Iterable[tuple[str, str]]) -> Sets:
    """Keys of a study's ``[set]`` with those of ``--set``, which take the place of equal ones."""
    return tuple({**dict(sets), **{key: _typed(text) for key, text in pairs}}.items())


def _section(name: str, keys: dict[str, Any]) -> str:
    lines = [
        f"{toml_literal(key) if '.' in key else key} = {toml_literal(value)}"
        for key, value in keys.items()
    ]
    return "\n".join([f"[{name}]", *lines, ""])


def _design(design: Design) -> object:
    if isinstance(design, Fractional):
        texts = [f"{name} = {'*'.join(words)}" for name, words in design.generators.items()]
        return {design.name: {"generators": texts}}
    if isinstance(design, LatinHypercube):
        return {design.name: {"points": design.samples}}
    return design.name


def _replications(rule: int | Precision | DifferenceRule) -> object:
    if isinstance(rule, int):
        return rule
    width = (
        {"difference_half_width": rule.half_width}
        if isinstance(rule, DifferenceRule)
        else {"relative_half_width": rule.relative_half_width}
    )
    return {
        **width,
        "min": rule.min,
        "max": rule.max,
        "confidence": rule.confidence,
    }


def _factor(factor: Factor, *, sampled: bool) -> dict[str, Any]:
    if not factor.keys:
        return _zip(factor)
    spaced = factor.span is not None and _spaced(factor, factor.span)
    if factor.span is None or not (spaced or sampled):
        return _levels(factor)
    way = "log_range" if factor.span.logarithmic else "range"
    span = {
        "from": _end(factor.span.low, factor.span.unit),
        "to": _end(factor.span.high, factor.span.unit),
        # A sampled design does not use the steps.
        "steps": len(factor.levels) if spaced else 2,
        "whole": factor.span.whole,
    }
    return {"keys": list(factor.keys), way: span}


def _zip(factor: Factor) -> dict[str, Any]:
    columns = {
        key: [dict(level.sets)[key] for level in factor.levels] for key, _ in factor.levels[0].sets
    }
    # Numbers and variants are no labels that a file could have; without labels they come back as
    # they are.
    if Factor.zipped(factor.name, columns) == factor:
        return {"zip": columns}
    return {"zip": columns, "labels": [str(level.value) for level in factor.levels]}


def _levels(factor: Factor) -> dict[str, Any]:
    values = [level.sets[0][1] for level in factor.levels]
    labels = [level.value for level in factor.levels]
    named = {} if labels == values else {"labels": labels}
    return {"keys": list(factor.keys), "levels": values, **named}


def _spaced(factor: Factor, span: Span) -> bool:
    """True if the levels follow from the span and their number; equal whole numbers are merged."""
    steps = len(factor.levels)
    return (
        steps > 1 and Factor.spanning(factor.name, factor.keys, span, steps).levels == factor.levels
    )


def _end(number: float, unit: str) -> object:
    """End of a span, with all its digits."""
    exact = int(number) if float(number).is_integer() and abs(number) < EXACT else number
    return f"{exact} {unit}" if unit else exact


def _response(response: Response) -> dict[str, Any]:
    source = response.source
    named = response.unit if response.unit in UNITS else {"name": response.unit}
    unit = {"unit": named} | ({"transform": response.transform} if response.transform else {})
    if not isinstance(source, Reduction):
        path = f"explain:{source.path}" if response.explained else source.path
        reduce: dict[str, Any] = {} if source.reduce is None else {"reduce": source.reduce}
        reduce |= {"families": True} if source.families else {}
        reduce |= {"weights": dict(source.weights)} if source.weights else {}
        reduce |= {} if source.quantile is None else {"quantile": source.quantile}
        reduce |= {} if source.times == (1, 1) else {"times": list(source.times)}
        return {"quantity": path, **reduce, **unit}
    keys: dict[str, Any] = {"series": source.series, "reduce": source.how, **unit}
    keys |= {} if source.quantile is None else {"quantile": source.quantile}
    keys |= {} if source.start == 0.0 else {"from": _seconds(source.start)}
    keys |= {} if source.end is None else {"to": _seconds(source.end)}
    return keys if source.warm_up is None else keys | {"warm_up": source.warm_up}


def _seconds(time: float) -> str:
    """Seconds with all digits and without an exponent, which times in a study file do not have."""
    return f"{Decimal(repr(time)):f} s"
