"""Efficiency of TCP over a link of two rates, by model and simulation: docs/models/renewal.md."""

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics.intervals import Estimate
from cellway.study.results import Results
from cellway.theory import RenewalThroughput, TwoRatePath, plot_renewal, renewal_curve
from cellway.theory.renewal import Sender, renewal_throughput
from figures.shared import FOLDER, results_of

BUFFERS = (8, 10, 12)
LEAST_PSI = 1.0
"""Round trips of each rate; the model needs more."""


def renewal() -> None:
    """Draws efficiency over ABR and alone on the path of the model's paper, and beside runs."""
    psi = [1.5 * (100 / 1.5) ** (step / 40) for step in range(41)]
    curves = [
        renewal_curve(TwoRatePath(high=40, low=20, buffer=buffer, high_lasts=2), psi, sender)
        for sender in ("abr", "alone")
        for buffer in (10, 12)
    ]
    save_figure(plot_renewal(curves), FOLDER / "renewal.svg", as_text=True)
    simulated(psi)
    assumptions()


def simulated(psi: list[float]) -> None:
    """Draws the model's two bounds and runs at every ψ, for each buffer."""
    made = figure(9.0, 4.2)
    panels = made.subplots(1, 2, sharey=True)
    senders: tuple[tuple[Sender, str, str], ...] = (
        ("abr", "renewal-instcap", "TCP over INSTCAP"),
        ("alone", "renewal-alone", "TCP alone"),
    )
    for axes, (sender, study, name) in zip(panels, senders, strict=True):
        found = results_of(study)
        for colour, buffer in zip(COLOURS, BUFFERS, strict=False):
            curve = renewal_curve(TwoRatePath(40, 20, buffer, 2), psi, sender).found
            bounds = [[one.efficiency.each_once, one.efficiency.optimistic] for one in curve]
            low, high = ([bound[side] for bound in bounds] for side in (0, 1))
            axes.fill_between(psi, low, high, color=colour, alpha=0.15, lw=0)
            axes.plot(psi, low, color=colour, linewidth=1.0)
            axes.plot(psi, high, color=colour, linewidth=1.0, linestyle="--")
            points = efficiencies(found, sender, buffer)
            means = [one.mean for one in points.values()]
            halves = [one.half_width or 0.0 for one in points.values()]
            axes.errorbar(
                list(points), means, halves, fmt="o", markersize=3.5, color=colour, capsize=2,
                label=f"buffer of {buffer} packets",
            )  # fmt: skip
            print_table(name, sender, buffer, points)
        axes.axvspan(0.08, LEAST_PSI, color="black", alpha=0.05, lw=0)
        axes.text(0.09, 0.96, "outside\nthe model", fontsize=8, va="top")
        axes.set_xscale("log")
        axes.set_xlim(0.08, 130)
        axes.set_ylim(0.3, 1.0)
        axes.set_xlabel("ψ, round trips that each rate lasts", fontsize=9)
        title(axes, name)
        quiet(axes)
    panels[0].set_ylabel("part of the mean capacity", fontsize=9)
    panels[1].legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(0.25, 1.0))
    headline(made, "Points: simulation; solid: each packet counted once, dashed: optimistic")
    save_figure(made, FOLDER / "renewal-simulated.svg", as_text=True)


def efficiencies(found: Results, sender: Sender, buffer: int) -> dict[float, Estimate]:
    """Efficiencies by ψ, of the mean capacity with headers of cells, as the paper counts them."""
    payload = 48 / 53 if sender == "abr" else 1.0
    points = {}
    for point, condition in enumerate(found.conditions):
        if str(condition.parameters["buffer"]) == str(buffer):
            one = found.estimate("carried", point)
            assert one is not None
            half = None if one.half_width is None else one.half_width * payload
            psi = float(condition.parameters["psi"])
            points[psi] = Estimate(one.mean * payload, half, one.n, one.method)
    return points


def print_table(name: str, sender: Sender, buffer: int, points: dict[float, Estimate]) -> None:
    """Prints rows of a table: simulation, and the difference of each bound from it."""
    print(f"{name}, {buffer}\n| ψ | simulated | each once | differs | optimistic | differs |")
    for psi, one in points.items():
        if psi <= LEAST_PSI:
            print(f"| {psi:g} | {one.mean:.3f} ± {one.half_width:.3f} | – | – | – | – |")
            continue
        model = renewal_throughput(TwoRatePath(40, 20, buffer, psi), sender).efficiency
        cells = [
            f"{bound:.3f} | {difference(bound, one)}"
            for bound in (model.each_once, model.optimistic)
        ]
        print(f"| {psi:g} | {one.mean:.3f} ± {one.half_width:.3f} | {' | '.join(cells)} |")


def difference(theory: float, one: Estimate) -> str:
    """Theory minus simulation in percent of simulation, ± its interval."""
    half = (one.half_width or 0.0) / one.mean * theory / one.mean
    return f"{100 * (theory / one.mean - 1):+.1f} ± {100 * half:.1f} %".replace("-", "−")


def assumptions() -> None:
    """Prints a table of the model beside simulations that share more of its assumptions."""
    found = results_of("renewal-assumptions")
    model: dict[float, RenewalThroughput] = {}
    print("| case | ψ | simulated | each once differs | optimistic differs | timeouts per Δ |")
    for point, condition in enumerate(found.conditions):
        psi = float(condition.parameters["psi"])
        if psi not in model:
            path = TwoRatePath(40, 20, 10, psi)
            model[psi] = renewal_throughput(path, cell_headers=False)
        carried, timeouts = (found.estimate(name, point) for name in ("carried", "timeouts"))
        assert carried is not None
        assert timeouts is not None
        bounds = model[psi].efficiency
        print(
            f"| {condition.parameters['case']} | {psi:g} | {carried.mean:.3f} "
            f"| {difference(bounds.each_once, carried)} | {difference(bounds.optimistic, carried)} "
            f"| {timeouts.mean / 9900:.4f}, model {model[psi].losses_per_round_trip:.4f} |"
        )
