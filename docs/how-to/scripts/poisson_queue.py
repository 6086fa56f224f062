"""Queue of cells of Poisson sources, beside M/D/1.

By the law of Little the cells that wait, over the load, are the wait in cells.

Before: `cellway init poisson-multiplexer`.
"""

import cellway

CELLS_PER_SECOND = 80_000.0
"""Cells of the trunk in a second."""


def main() -> None:
    """Prints a row for each load."""
    scenario = cellway.Scenario.load("poisson-multiplexer.toml").with_set("run.duration", "5.1 s")
    for load in (0.5, 0.8, 0.9):
        rate = f"{load * CELLS_PER_SECOND / 20:.0f} cell/s"
        run = cellway.run(scenario.with_set("flow.cells.traffic.poisson.rate", rate))
        port = run.ports["multiplexer.trunk"]
        formula = load / (2 * (1 - load))
        waiting = port["mean_queue"] - port["utilisation"]
        print(f"load {load}: {waiting / load:.3f} cells ahead on average, M/D/1 {formula:.3f}")


if __name__ == "__main__":
    main()
