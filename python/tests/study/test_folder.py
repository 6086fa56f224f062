"""The folder of a study: whose it is, and reading it."""

from pathlib import Path

import pytest

from cellway import Scenario, StoreError, Study, load_results
from common import SMALL

SHORT = SMALL.replace('duration = "1 s"', 'duration = "20 ms"')


def test_a_folder_belongs_to_one_study(tmp_path: Path) -> None:
    base = Scenario.parse(SHORT)
    Study(base, name="mine").run(tmp_path)
    frozen = (tmp_path / "study.toml").read_bytes()
    with pytest.raises(StoreError, match="holds the study 'mine', and this is 'other'; choose another"):
        Study(base, name="other").run(tmp_path)
    assert (tmp_path / "study.toml").read_bytes() == frozen
    assert len(load_results(str(tmp_path)).records) == 1
