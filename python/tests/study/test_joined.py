"""Several studies as one, with the study as a factor, and their common figure."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cellway import StudyError
from cellway.plot.studies import plot_study
from cellway.plot.study_gaps import Gap, gap_of
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


def test_studies_without_a_level_in_common_are_refused(cellway: Command, folder: Path) -> None:
    """They were drawn side by side without a word."""
    study().run(folder / "near")
    study("8 KiB", "32 KiB").run(folder / "far")
    assert refused(cellway, "plot", "near", "far") == (
        "the studies share no level; window is 16 KiB, 64 KiB in the first and 8 KiB, 32 KiB in "
        "the second; equal levels are expected\n"
    )
    assert not (folder / "near-far.png").exists()


def test_runs_that_the_larger_study_lacks_are_marked() -> None:
    """Of 4 runs at each window one has 2 here, as many as the smaller study has."""
    large, small = study().run(), study(replications=2).run()
    cut = replace(large, runs=[large.runs[0], large.runs[1][:2]], complete=False)
    for named in ({"large": cut, "small": small}, {"small": small, "large": cut}):
        both = joined(named)
        gaps = [gap_of(both, SENT, point) for point in range(4)]
        lacking = [
            one.parameters == {"study": "large", "window": "64 KiB"} for one in both.conditions
        ]
        assert gaps == [Gap.MISSING if lacks else None for lacks in lacking]
        texts = [text.get_text() for one in plot_study(both).legends for text in one.texts]
        assert any("at the edge: runs are missing" in text for text in texts)
    complete = joined({"large": large, "small": small})
    assert {gap_of(complete, SENT, point) for point in range(4)} == {None}
