"""The folder of a run whose writer is killed fifty times."""

from pathlib import Path

import pytest

from interrupted import kill_again_and_again

KILLS = 50


@pytest.mark.timeout(900)
def test_killed_fifty_times_the_folder_has_one_whole_run_each_time(tmp_path: Path) -> None:
    assert len(kill_again_and_again(tmp_path, KILLS)) > 3
