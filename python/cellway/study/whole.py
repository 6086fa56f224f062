"""Results of a large study that has all of its runs, from the columns of its store."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cellway.runs.models import MODEL_VERSION
from cellway.study.frozen import freeze
from cellway.study.point_runs import KeptRuns
from cellway.study.results import Results
from cellway.study.store import Store
from cellway.study.wanted import Wanted

if TYPE_CHECKING:
    import polars as pl


def begun(
    parts: Sequence[Wanted], store: Store, *, frozen: bool, force: bool, again: bool
) -> Results | None:
    """Prepares the folder of a store; its results if the one study that it keeps is whole."""
    if frozen:
        freeze(parts[0].study, store.folder, force=force)
    if again:
        store.discard_measured()
    return whole_results(parts[0], store) if frozen else None


def whole_results(wanted: Wanted, store: Store) -> Results | None:
    """Results if partitions and the newest rows have all runs, each done and with its numbers.

    `None` asks the caller to look for each run by its key: the study has a stopping rule, keeps
    series, is measured or a part, or lacks something.

    Raises:
        StoreError: the store cannot be read.
    """
    study = wanted.study
    plain = isinstance(study.replications, int) and study.part is None and study.recorded == ()
    if not plain or study.measures or not wanted.simulated:
        return None
    table = store.table()
    runs = None if table is None else _found(wanted, table)
    if runs is None:
        return None
    conditions = tuple(wanted.conditions)
    return Results(study, conditions, runs, complete=True, folder=store.folder, notes=store.notes)


def _found(wanted: Wanted, table: "pl.DataFrame") -> KeptRuns | None:
    """The planned runs, by the scenario and seed on which their keys depend."""
    import polars as pl  # noqa: PLC0415

    study, each = wanted.study, wanted.study.min_replications
    planned = pl.DataFrame(
        {
            "point": [at for at in range(len(wanted.conditions)) for _ in range(each)],
            "scenario_hash": [one.scenario_hash for one in wanted.conditions for _ in range(each)],
            "seed": [
                study.seed_of(one, replication)
                for one in wanted.conditions
                for replication in range(1, each + 1)
            ],
        },
        schema_overrides={"seed": pl.Int64},
    )
    usable = table.filter(pl.col("model_version") == MODEL_VERSION, pl.col("status") == "done")
    found = planned.join(usable, on=["scenario_hash", "seed"], how="left", maintain_order="left")
    if found.height != planned.height or found["key"].has_nulls():
        return None
    asked = {response.definition for response in wanted.simulated}
    if not all(asked <= {*text.split("\n")} for text in found["defined"].unique()):
        return None
    return KeptRuns(found, wanted.conditions)
