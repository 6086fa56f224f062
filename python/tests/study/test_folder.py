"""The folder of a study: whose it is, and reading it."""

from dataclasses import replace
from pathlib import Path

import pytest

from cellway import Scenario, StoreError, Study, load_results
from cellway.study.store import Store
from common import SMALL
from study.texts import lasting

SHORT = lasting("20 ms")


def test_a_folder_belongs_to_one_study(tmp_path: Path) -> None:
    base = Scenario.parse(SHORT)
    Study(base, name="mine").run(tmp_path)
    frozen = (tmp_path / "study.toml").read_bytes()
    with pytest.raises(
        StoreError, match="holds the study 'mine', and this is the study 'other'; choose another"
    ):
        Study(base, name="other").run(tmp_path)
    assert (tmp_path / "study.toml").read_bytes() == frozen
    assert len(load_results(str(tmp_path)).records) == 1


def test_a_response_that_is_added_later_warns_like_one_that_was_there(tmp_path: Path) -> None:
    """Over two links of a millisecond each, a run of a millisecond has no round trip."""
    base = Scenario.parse(SMALL.replace('duration = "1 s"', 'duration = "1 ms"'))
    rtt = {"rtt": "flows.bulk.rtt.mean_s"}
    at_once = Study(base, responses=rtt).run(tmp_path / "one")
    assert len(at_once.warnings) == 1
    Study(base).run(tmp_path / "two")
    assert Study(base, responses=rtt).run(tmp_path / "two").warnings == at_once.warnings
    assert load_results(tmp_path / "two").warnings == at_once.warnings
    again = Study(base, responses=rtt).run(tmp_path / "two")
    assert again.warnings == at_once.warnings


def test_a_run_whose_summary_cannot_be_read_is_done_again_when_it_is_needed(tmp_path: Path) -> None:
    base = Scenario.parse(SHORT)
    (first,) = Study(base).run(tmp_path).records
    with Store.open(tmp_path, first.model_version) as store:
        stored = store.get(first.key)
        assert stored is not None
        store.add(replace(stored, summary=stored.summary[:-9]))
    assert Study(base).run(tmp_path).records[0].wall_seconds == first.wall_seconds
    sent = Study(base, responses={"sent": "ports.s.right.sent"})
    assert sent.run(tmp_path).values("sent", 0) == sent.run().values("sent", 0)
