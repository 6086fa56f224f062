"""`cellway plot`: figures of a run or a study."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cellway.cli.arranging import Across, LogAxes, Panels, Responses, require_study, study_figures
from cellway.cli.exits import BadInputError, reason, require_file
from cellway.cli.figure_files import Format, Size, fit, form_of, is_figure, save_figure
from cellway.cli.import_command import refuse_table
from cellway.cli.options import Force, Sets, read_scenario
from cellway.cli.parameters import Argument, Option
from cellway.cli.running import simulated
from cellway.cli.studies import is_study, note_models
from cellway.cli.text import say
from cellway.disk.files import shortened
from cellway.disk.replacement import note_figure
from cellway.errors import CellwayError
from cellway.figures import draw
from cellway.plot.study_choice import Choice
from cellway.runs.runs import Run
from cellway.scenario.scenario import SettableValue

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_PORTS = 8
"""Most ports that get a figure of their own without being asked for."""

_SEGMENTS = 500_000
"""Points of each kind that are recorded for a time-sequence diagram."""

_USUAL: list[tuple[str, SettableValue]] = [("observe.limit", 10_000)]
"""Setting that makes an `[observe]` table with all its defaults."""

_PLOTTED = "a scenario or study file, or the folder of a run or a study"


def plot(
    sources: Annotated[
        list[Path],
        Argument(
            metavar="DIR|FILE",
            help="Folder of `cellway run` or `cellway study`, or a scenario or study file to run; "
            "several runs share one figure, and so do studies of the same factors.",
        ),
    ],
    form: Annotated[
        Format | None, Option("--format", help="By default the ending of --out, else png.")
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            metavar="FILE|DIR", help="By default in DIR, or for a scenario in the current folder."
        ),
    ] = None,
    start: Annotated[float, Option("--from", metavar="S", help="Begin at this second.")] = 0.0,
    end: Annotated[float | None, Option("--to", metavar="S", help="End at this second.")] = None,
    ports: Annotated[
        list[str],
        Option(
            "--port",
            metavar="PORT",
            help="Only this port, by default one that ABR sources share; repeatable.",
        ),
    ] = [],
    occupancy: Annotated[
        bool,
        Option(
            "--occupancy",
            help="Draw each VC's part of the queue at --port, by default the longest queue; needs "
            '"vc_queue" in `observe.series`.',
        ),
    ] = False,
    regions: Annotated[
        bool,
        Option("--regions", help="Draw each VC in the four regions of the drop policy `dfba`."),
    ] = False,
    distributions: Annotated[
        bool,
        Option(
            "--distributions",
            help="Draw complementary distributions of queues and delays, at --port or wherever "
            "`observe.distributions` names a place.",
        ),
    ] = False,
    time_sequence: Annotated[
        list[str],
        Option(
            "--time-sequence",
            metavar="FLOW",
            help="Draw segments, ACKs, SACK blocks, windows and losses of this flow from --from to "
            "--to; for a finished run, one that `observe.segments` names. Several runs have a "
            "panel each. Repeatable.",
        ),
    ] = [],
    series: Annotated[
        list[str],
        Option(
            "--series",
            metavar="NAME",
            help="Draw only series of this name, or with this end of it, such as `cwnd`; `*` "
            "stands for any text. Repeatable.",
        ),
    ] = [],
    responses: Responses = [],
    across: Across = None,
    panels: Panels = None,
    log: LogAxes = None,
    size: Size = None,
    no_title: Annotated[
        bool, Option("--no-title", help="Leave out the line above the panels.")
    ] = False,
    sets: Sets = [],
    force: Force = False,
) -> None:
    """Draw queues, windows and round-trip times of a run over time, or the results of a study.

    Ports that ABR sources share and that were overloaded have a figure each, with their rates. A
    scenario without [observe] records the default series.
    """
    refuse_table("plot", sources)
    arranged = Choice(tuple(responses), across, panels, log)
    source = sources[0]
    studied = is_study(source)
    asked = {
        "--occupancy": occupancy,
        "--regions": regions,
        "--distributions": distributions,
        "--time-sequence": bool(time_sequence),
    }
    _check_series(source, series, {**asked, "--port": bool(ports)}, studied=studied)
    _check_asked(source, asked, studied=studied, zoomed=start != 0.0 or end is not None)
    _check_alone(sources, {**asked, "--port": bool(ports), "--time-sequence": False})
    require_study(source, arranged, studied=studied)
    of_size = "" if size is None else f"-{size}"
    in_name = _stretch(start, end) + _chosen(series) + arranged.in_name + of_size
    target = _target(sources, form, out, in_name)
    require_file("--out", target, is_figure, force=force)
    try:
        if time_sequence:
            runs = _named(sources, sets, recorded_segments(time_sequence, start, end))
            figures = {
                f"{flow}-time-sequence": draw("time sequences", runs, flow, start, end)
                for flow in time_sequence
            }
        elif studied:
            figures = study_figures(_names_of(sources), sets, ports, arranged)
        elif len(sources) > 1:
            figures = {"": draw("runs", _named(sources, sets), start, end, series)}
        elif any(asked.values()):
            kinds = [kind for kind in ("occupancy", "regions") if asked[f"--{kind}"]]
            shown = finished(source, sets)
            figures = _vc_figures(shown, (start, end), ports, kinds) if kinds else {}
            figures |= {"distributions": shown.plot_distributions(ports)} if distributions else {}
        else:
            figures = _figures(finished(source, sets), start, end, ports, series)
    except ValueError as error:
        if isinstance(error, CellwayError):
            raise
        # With several runs the message names the one that cannot be drawn.
        raise BadInputError(f"{source}: {error}" if len(sources) == 1 else str(error)) from error
    is_named = len(figures) == 1 and target == out
    files = [target] if is_named else [_file_of(port, target) for port in figures]
    for file in files:
        require_file("--out", file, is_figure, force=force)
    for file, figure in zip(files, figures.values(), strict=True):
        if no_title:
            figure.suptitle("")
        fit(figure, size)
        _write(figure, file, sources)


def _write(figure: "Figure", file: Path, sources: Sequence[Path]) -> None:
    save_figure(figure, file)
    (source, *others) = sources
    if not others and source.is_dir() and file.parent.resolve() == source.resolve():
        note_figure(file)
    say(f"written to {file}")


def _check_series(
    source: Path, series: Sequence[str], asked: Mapping[str, bool], *, studied: bool
) -> None:
    """Refuses a choice of series where a figure is not made of them."""
    if not series:
        return
    if studied:
        raise BadInputError(f"--series {series[0]}: {source} is a study; expected --response")
    for option in (option for option, wanted in asked.items() if wanted):
        raise BadInputError(f"--series {series[0]}: expected no {option}, which has its own series")


def _chosen(series: Sequence[str]) -> str:
    """Names of chosen series for a file, so that the whole figure is not overwritten."""
    return "".join(f"-{name.replace('*', 'all').replace('/', '-')}" for name in series)


def _check_asked(source: Path, asked: Mapping[str, bool], *, studied: bool, zoomed: bool) -> None:
    """Refuses options that a figure does not have."""
    if studied and any(asked.values()):
        option = next(option for option, wanted in asked.items() if wanted)
        raise BadInputError(f"{option}: {source} is a study; only a run has ports")
    if studied and zoomed:
        raise BadInputError(
            f"--from, --to: {source} is a study, plotted over its factors; expected a run"
        )
    if asked["--distributions"] and zoomed:
        raise BadInputError(
            "--from, --to: --distributions draws the whole measurement; expected neither"
        )


def _check_alone(sources: Sequence[Path], asked: Mapping[str, bool]) -> None:
    """Refuses options that a figure of several runs does not have."""
    if len(sources) == 1:
        return
    for option in (option for option, wanted in asked.items() if wanted):
        raise BadInputError(f"{option}: expected one run, and there are {len(sources)}")
    studies = [is_study(source) for source in sources]
    if any(studies) and not all(studies):
        source = sources[studies.index(not studies[0])]
        said = "a study" if is_study(source) else "no study"
        raise BadInputError(f"{source}: is {said}; expected runs alone, or studies alone, together")
    seen: set[Path] = set()
    kind = "study" if studies[0] else "run"
    for source in sources:
        if source.resolve() in seen:
            raise BadInputError(f"{source}: named twice; expected each {kind} once")
        seen.add(source.resolve())


def _named(
    sources: Sequence[Path], sets: list[str], further: Sequence[tuple[str, SettableValue]] = ()
) -> dict[str, Run]:
    """Runs by name, or by path where names are equal."""
    return {name: finished(source, sets, further) for name, source in _names_of(sources).items()}


def _names_of(sources: Sequence[Path]) -> dict[str, Path]:
    """Sources by name, or by path where names are equal."""
    names = [_name_of(source) for source in sources]
    chosen = names if len(set(names)) == len(names) else [str(source) for source in sources]
    return dict(zip(chosen, sources, strict=True))


def _name_of(source: Path) -> str:
    return source.resolve().name if source.is_dir() else source.stem


def _figures(
    run: Run, start: float, end: float | None, ports: list[str], series: Sequence[str]
) -> dict[str, "Figure"]:
    """Figures by port; under "" that of the whole run, if it has a panel or is the only one."""
    if series:
        return {"": run.plot(start, end, series)}
    from cellway.plot.allocations import limiting_ports  # noqa: PLC0415
    from cellway.plot.runs import panels_of  # noqa: PLC0415

    if ports:
        return {port: run.plot_port(port, start, end) for port in ports}
    limiting = limiting_ports(run)
    if len(limiting) > MAX_PORTS:
        left = len(limiting) - MAX_PORTS
        say(
            f"{left} more ports were overloaded; --port NAME draws one, such as "
            f"{limiting[MAX_PORTS]}"
        )
    figures = {} if limiting and not panels_of(run) else {"": run.plot(start, end)}
    return figures | {port: run.plot_port(port, start, end) for port in limiting[:MAX_PORTS]}


def _vc_figures(
    run: Run, span: tuple[float, float | None], ports: list[str], kinds: list[str]
) -> dict[str, "Figure"]:
    """Figures of the queues of single VCs, by port and kind."""
    from cellway.plot.vc_queues import ports_with_vcs  # noqa: PLC0415

    draw = {"occupancy": run.plot_occupancy, "regions": run.plot_regions}
    chosen = ports or ports_with_vcs(run)[:1] or list(run.ports)[:1]
    return {f"{port}-{kind}": draw[kind](port, *span) for port in chosen for kind in kinds}


def recorded_segments(
    flows: Sequence[str], start: float, end: float | None
) -> list[tuple[str, SettableValue]]:
    """Keys of a scenario that record the segments of `flows` from `start` to `end`."""
    until = [] if end is None else [("observe.segments.to", f"{end:.15g} s")]
    return [
        ("observe.segments.flows", list(flows)),
        ("observe.segments.from", f"{start:.15g} s"),
        *until,
        ("observe.series", ["cwnd"]),
        ("observe.limit", _SEGMENTS),
    ]


def finished(
    source: Path, sets: list[str], further: Sequence[tuple[str, SettableValue]] = ()
) -> Run:
    """The saved run in a folder, or the run of a scenario with `further` keys.

    A scenario without `[observe]` records the default series.
    """
    if not source.is_dir():
        scenario = read_scenario(source, sets, expected=_PLOTTED)
        needed = further or ([] if scenario.observes else _USUAL)
        return simulated(scenario.with_sets(needed) if needed else scenario)
    if sets:
        raise BadInputError(
            f"--set {sets[0]}: {source} is a finished run; only a scenario can be changed"
        )
    try:
        saved = Run.load(source)
    except OSError as error:
        raise BadInputError(
            f"{source}: not a run that cellway saved: {Path(error.filename or '').name}: "
            f"{reason(error)}; expected what `cellway run --out` wrote, or a scenario file"
        ) from error
    note_models(source, [saved.model])
    return saved


def _stretch(start: float, end: float | None) -> str:
    """Part of a run for the name of its figure, so that the whole figure is not overwritten."""
    parts = [] if start == 0.0 else [f"-from-{start:.15g}"]
    return "".join(parts if end is None else [*parts, f"-to-{end:.15g}"])


def _file_of(port: str, target: Path) -> Path:
    """`target` itself, or a file beside it that names the port."""
    return (
        target.with_name(f"{shortened(f'{target.stem}-{port}')}{target.suffix}") if port else target
    )


def _target(sources: Sequence[Path], form: Format | None, out: Path | None, stretch: str) -> Path:
    """The file: `out`, else ``plot`` in a run's folder, else the names of the scenarios here."""
    within = sources[0] if len(sources) == 1 and sources[0].is_dir() else None
    stem = "plot" if within else "-".join(map(_name_of, sources))
    name, folder = shortened(stem + stretch), out or within or Path()
    if out is not None and out.suffix and not out.is_dir():
        if form not in (None, form_of("--out", out)):
            raise BadInputError(
                f"--out {out}: ends in {out.suffix}, but --format is {form}; expected the same in "
                "both"
            )
        return out
    return folder / f"{name}.{form or 'png'}"
