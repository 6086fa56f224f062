"""Maps of the points where formulas are within 5, 10 and 25 % of simulation: docs/validity.md."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cellway.cli.figure_files import save_figure
from cellway.plot.style import figure, headline
from cellway.statistics.intervals import Estimate, estimate
from cellway.study.results import Results
from cellway.theory import (
    FluidQueue,
    PeriodicQueue,
    PoissonQueue,
    buffered_utilisation,
    cubic_rate,
    desynchronised_utilisation,
    pftk_approximate_rate,
    pftk_rates,
    square_root_rate,
)
from figures.shared import FOLDER, results_of
from figures.validity_map import Map, Off, draw_map, legend

ROUND_TRIPS = 6000
"""Round trips of a measurement in the study of losses."""
TIMEOUT = 1.0
"""Seconds of the shortest timeout with `timers = "fine"`."""
MSS = 1460
"""Bytes of data of the studies of losses and buffers."""
PACKET = 1500
TRUNK_CELLS = 40_000.0
"""Cells per second of all sources of the study of queues."""

Rate = Callable[[float, float], float]
"""Formula that gives segments per second at a loss and a round trip."""


def validity() -> None:
    """Draws maps of losses, of buffers, and of windows and queues."""
    print("| formula / simulation | points | within 5 % | 10 % | 25 % |\n|---|---|---|---|---|")
    maps = [*losses("independent losses"), *losses("equally far apart")]
    save("validity-losses", in_rows(maps, 4), (12.0, 11.5), LOSSES)
    save("validity-buffers", buffers(), (10.0, 16.0), BUFFERS)
    save("validity-queues", in_rows([windows(), *queues()], 3), (10.0, 6.2), QUEUES)


def in_rows(maps: Sequence[Map], columns: int) -> list[Sequence[Map]]:
    """Maps in rows of so many columns."""
    return [maps[start : start + columns] for start in range(0, len(maps), columns)]


LOSSES = (
    "Formulas of TCP at a given loss: theory minus simulation in percent of simulation (×2: twice)"
)
BUFFERS = (
    "Formulas of TCP before a buffer: theory minus simulation in percent of simulation (×2: twice)"
)
QUEUES = (
    "A window per round trip (throughput) and queues without TCP (mean queue): theory minus "
    "simulation in percent of simulation"
)


def save(name: str, rows: Sequence[Sequence[Map]], size: tuple[float, float], said: str) -> None:
    """Saves a figure of maps, and prints a line of the table for each."""
    made = figure(*size)
    for axes_row, maps in zip(
        made.subplots(len(rows), len(rows[0]), squeeze=False), rows, strict=True
    ):
        for axes, one in zip(axes_row, maps, strict=True):
            draw_map(axes, one)
            print(one.line())
    legend(made)
    headline(made, said)
    save_figure(made, FOLDER / f"{name}.svg", as_text=True)


def losses(kind: str) -> list[Map]:
    """Maps of formulas at losses of a kind."""
    found = results_of("validity-losses")
    sent, arrived = scaled(found, "sent", 1.0), scaled(found, "throughput", 1e6 / (8 * MSS))
    asked: list[tuple[str, str, Rate, list[Estimate | None]]] = [
        ("square root / New Reno", "New Reno", square_root_rate, sent),
        ("square root / SACK", "SACK", square_root_rate, sent),
        ("square root / Reno", "Reno", square_root_rate, sent),
        ("RFC 9438 / CUBIC", "CUBIC", cubic_rate, sent),
        ("PFTK (32) / Reno, sent", "Reno", lambda p, r: pftk_rates(p, r, TIMEOUT).sent, sent),
        ("PFTK (37) / Reno, arrived", "Reno",
         lambda p, r: pftk_rates(p, r, TIMEOUT).received, arrived),
        ("PFTK approximate / Reno", "Reno",
         lambda p, r: pftk_approximate_rate(p, r, TIMEOUT), sent),
        ("PFTK (32) / SACK, sent", "SACK", lambda p, r: pftk_rates(p, r, TIMEOUT).sent, sent),
    ]  # fmt: skip
    return [of_losses(found, kind, one) for one in asked]


def scaled(found: Results, response: str, per: float) -> list[Estimate | None]:
    """Segments per second at every point; `sent` is counted over the measurement."""
    if response == "throughput":
        return [times(one, per) for one in found.estimates(response)]
    seconds = [ROUND_TRIPS * float(trip) / 1e3 for trip in found.column("round_trip")]
    pairs = zip(found.estimates(response), seconds, strict=True)
    return [times(one, per / second) for one, second in pairs]


def times(one: Estimate | None, factor: float) -> Estimate | None:
    """The estimate in another unit."""
    if one is None:
        return None
    half = None if one.half_width is None else one.half_width * factor
    return Estimate(one.mean * factor, half, one.n, one.method)


def of_losses(
    found: Results, kind: str, asked: tuple[str, str, Rate, list[Estimate | None]]
) -> Map:
    """Map of a named formula beside one TCP and what that sent, over losses and round trips."""
    name, tcp, formula, sent = asked
    cells = {}
    columns = zip(
        found.column("tcp"), found.column("round_trip"), found.column("losses"), sent, strict=True
    )
    for of, trip, text, one in columns:
        distant = text.startswith("1 in ")
        if of == tcp and distant == (kind == "equally far apart"):
            loss = 1 / float(text.removeprefix("1 in ")) if distant else float(text)
            cells[trip, f"{round(100 * loss, 2):g}"] = Off.of(formula(loss, float(trip) / 1e3), one)
    rows = sorted({row for _, row in cells}, key=float)
    trips = ["10", "30", "100", "300", "600"]
    return Map(f"{name}\n{kind}", trips, rows, "round trip in ms", "losses in %", cells)


def buffers() -> list[list[Map]]:
    """Maps of senders before a buffer, a column for each path."""
    found = results_of("validity-buffers")
    measured = [per_run(found, point) for point in range(len(found.conditions))]
    paths = [("10", "100"), ("40", "100"), ("100", "10")]
    return [
        [of_buffers(found, measured, Asked(*asked, *path)) for path in paths]
        for asked in (
            ("halved together / Reno", "Reno", "together"),
            ("halved together / SACK", "SACK", "together"),
            ("halved independently / SACK", "SACK", "independent"),
            ("“the line is full” / SACK", "SACK", "full"),
            ("square root of measured p, R / SACK", "SACK", "square root"),
            ("PFTK of measured p, R / Reno", "Reno", "pftk"),
        )
    ]


@dataclass(frozen=True)
class Asked:
    """A formula beside one TCP on one path: Mbit/s and milliseconds as the study labels them."""

    name: str
    tcp: str
    formula: str
    line: str
    trip: str

    @property
    def path(self) -> float:
        """Packets that the path holds."""
        return float(self.line) * 1e3 * float(self.trip) / (8 * PACKET)


def per_run(found: Results, point: int) -> dict[str, list[float]]:
    """Ratios of theory to simulation, by formula and run."""
    parameters = found.conditions[point].parameters
    senders = int(str(parameters["senders"]))
    line, trip, _ = str(parameters["path"]).split(", ")
    seconds = 200.0 if trip == "100 ms" else 20.0
    ratios: dict[str, list[float]] = {"square root": [], "pftk": []}
    columns = [found.values(name, point) for name in ("sent", "discarded", "queue")]
    for sent, discarded, queue in zip(*columns, strict=True):
        if discarded == 0:
            continue
        loss, each = discarded / sent, sent / seconds / senders
        wait = queue * 8 * PACKET / (float(line.split()[0]) * 1e6)
        trip_s = float(trip.split()[0]) / 1e3 + wait
        timeout = max(TIMEOUT, trip_s)
        ratios["square root"].append(square_root_rate(loss, trip_s) / each)
        ratios["pftk"].append(pftk_rates(loss, trip_s, timeout).sent / each)
    return ratios


def of_buffers(found: Results, measured: list[dict[str, list[float]]], asked: Asked) -> Map:
    """Map of a formula beside one TCP, over senders and buffers."""
    cells = {}
    goodput = found.estimates("goodput")
    for point, condition in enumerate(found.conditions):
        tcp, senders, text = (str(value) for value in condition.parameters.values())
        *path, part = text.split(", ")
        if tcp != asked.tcp or path != [f"{asked.line} Mbit/s", f"{asked.trip} ms"]:
            continue
        if asked.formula in measured[point]:
            cells[part, senders] = of_ratios(measured[point][asked.formula])
        else:
            used = utilisation(asked, float(part), int(senders))
            ceiling = float(asked.line) * MSS / PACKET
            off = None if used is None else Off.of(used * ceiling, goodput[point])
            cells[part, senders] = off
    rows = sorted({row for _, row in cells}, key=int)
    parts = sorted({column for column, _ in cells}, key=float)
    name = f"{asked.name}\n{round(asked.path)} packets in {asked.trip} ms"
    return Map(name, parts, rows, "buffer / path", "senders", cells)


def utilisation(asked: Asked, part: float, senders: int) -> float | None:
    """Utilisation of the line, with a buffer of whole packets; `None` without a formula for it."""
    ratio = max(1, round(part * asked.path)) / asked.path
    if asked.formula == "together":
        return buffered_utilisation("reno", asked.path, ratio)
    if asked.formula == "independent":
        return desynchronised_utilisation(ratio, senders) if senders > 1 else None
    return 1.0


def of_ratios(ratios: list[float]) -> Off | None:
    """Difference of theory from simulation, from the ratios of single runs."""
    if not ratios:
        return None
    one = estimate(ratios)
    half = one.half_width or 0.0
    return Off(one.mean - 1, max(abs(one.mean - half - 1), abs(one.mean + half - 1)))


def windows() -> Map:
    """Map of a window per round trip, over windows and round trips."""
    found = results_of("validity-windows")
    cells = {}
    for point, condition in enumerate(found.conditions):
        theory, simulated = (found.estimate(name, point) for name in ("predicted", "throughput"))
        trip, window = (str(condition.parameters[name]) for name in ("round_trip", "window"))
        cells[trip, window] = None if theory is None else Off.of(theory.mean, simulated)
    trips, sizes = ["10", "30", "100", "300", "600"], ["16", "64", "256", "1024", "2048"]
    return Map("window per round trip", trips, sizes, "round trip in ms", "window in KiB", cells)


def queues() -> Iterable[Map]:
    """Maps of formulas of queues, over sources and loads."""
    smooth, bursts = results_of("validity-queues"), results_of("validity-bursts")
    asked: dict[tuple[str, str], Callable[[int, float], float]] = {
        ("M/D/1 / Poisson", "Poisson"): poisson_queue,
        ("M/D/1 / constant rate", "constant"): poisson_queue,
        ("N·D/D/1 / constant rate", "constant"): lambda n, load: PeriodicQueue(
            n, n / load
        ).mean_number(),
        ("fluid / on-off", "bursts"): fluid_queue,
        ("M/D/1 / on-off", "bursts"): poisson_queue,
    }
    for (name, kind), formula in asked.items():
        cells = {}
        found = bursts if kind == "bursts" else smooth
        queue = found.estimates("queue")
        for point, condition in enumerate(found.conditions):
            of, count = str(condition.parameters["sources"]).split(", ")
            load = str(condition.parameters["load"])
            if of == kind:
                cells[load, count] = Off.of(formula(int(count), float(load)), queue[point])
        loads = sorted({column for column, _ in cells}, key=float)
        counts = sorted({row for _, row in cells}, key=int)
        yield Map(name, loads, counts, "load", "sources", cells)


def poisson_queue(_: int, load: float) -> float:
    """Mean number of cells in the system."""
    return load * (1 + PoissonQueue(load).mean_wait())


def fluid_queue(sources: int, load: float) -> float:
    """Mean queue of cells in bursts: sources are on for a quarter of the time, 5 ms on average."""
    peak = 4 * TRUNK_CELLS / sources
    return FluidQueue(sources, peak, 0.005, 0.015, TRUNK_CELLS / load).mean()
