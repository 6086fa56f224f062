"""Several studies as one, with the study as a factor, and their common figure."""

from pathlib import Path

import numpy as np
import pytest

from cellway import StudyError
from cellway.plot.studies import plot_study
from cellway.study import Factor, Response
from cellway.study.design import LatinHypercube
from cellway.study.factors import Span
from cellway.study.joined import STUDY_FACTOR, joined
from common import Command, refused, shows_colour
from study.test_comparison import SENT, study


def test_means_of_both_stand_side_by_side_at_their_levels() -> None:
    """The far study has a level that the near one lacks, and lacks one."""
    near, far = study().run(), study("64 KiB", "8 KiB", delay="3 ms").run()
    both = joined({"near": near, "far": far})
    assert [one.parameters for one in both.conditions] == [
        {STUDY_FACTOR: "near", "window": "16 KiB"},
        {STUDY_FACTOR: "near", "window": "64 KiB"},
        {STUDY_FACTOR: "far", "window": "64 KiB"},
        {STUDY_FACTOR: "far", "window": "8 KiB"},
    ]
    assert both.estimates("sent") == [*near.estimates("sent"), *far.estimates("sent")]
    made = plot_study(both)
    lines = {text.get_text() for legend in made.legends for text in legend.texts}
    assert {"study = near", "study = far"} <= lines
    drawn = [np.asarray(line.get_xdata()).tolist() for line in made.axes[0].lines]
    assert [16.0, 64.0] in drawn
    assert [64.0, 8.0] in drawn


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"factors": []}, "the studies vary window and nothing; the same factors are expected"),
        (
            {"responses": [Response("other", SENT.source, "cell")]},
            "no response is in both studies with its unit; they have sent in cell and other in",
        ),
    ],
)
def test_studies_of_other_things_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(StudyError, match=said):
        joined({"one": study().run(), "other": study().replaced(**changes).run()})


def test_a_sampled_study_is_refused() -> None:
    span = Span.between("16000 B", "64000 B", logarithmic=False, whole=True)
    factor = Factor.spanning("window", ["flow.bulk.tcp.window"], span, 2)
    given = study().replaced(factors=[factor], design=LatinHypercube(2), replications=1)
    with pytest.raises(StudyError, match="takes any values of its factors; levels are expected"):
        joined({"one": study().run(), "other": given.run()})


def test_the_command_draws_studies_in_one_figure(cellway: Command, folder: Path) -> None:
    study().run(folder / "near")
    study(delay="3 ms").run(folder / "far")
    drawn = cellway("plot", "near", "far")
    assert (drawn.stdout, drawn.stderr) == ("written to near-far.png\n", "")
    assert shows_colour(folder / "near-far.png")
    assert "near: named twice; expected each study once" in refused(cellway, "plot", "near", "near")
    (folder / "run.toml").write_text(study().base.text)
    said = "expected runs alone, or studies alone, together"
    assert f"run.toml: is no study; {said}" in refused(cellway, "plot", "near", "run.toml")
    assert f"near: is a study; {said}" in refused(cellway, "plot", "run.toml", "near")
    port = refused(cellway, "plot", "near", "far", "--port", "s.right")
    assert port.startswith("--port: expected one run, and there are 2")
