"""Series of a run as tables of Polars, and time means of the queue.

Before: `cellway init rate-mismatch`.
"""

import polars as pl

import cellway


def main() -> None:
    """Prints statistics of each series, and the queue in two halves of the run."""
    scenario = cellway.Scenario.load("rate-mismatch.toml").with_set("run.duration", "10 s")
    run = cellway.run(scenario)
    table = run.to_polars()
    print(table.group_by("series", "unit").agg(pl.len(), pl.col("value").max()).sort("series"))
    queue = run.series("an2.edc-side.queue")
    middle = float(queue.times[-1]) / 2
    print(
        f"queue: {queue.time_mean(end=middle):.1f} and {queue.time_mean(start=middle):.1f} cells "
        f"on average, {queue.values.max():.0f} at most"
    )


if __name__ == "__main__":
    main()
