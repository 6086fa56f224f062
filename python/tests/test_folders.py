"""Files that are not ours stay as they are; what is ours is replaced as a whole."""

import json
import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from cellway import Run, Scenario, StoreError, run
from cellway.cli.drawing import _file_of
from cellway.cli.exits import BadInputError, require_file
from cellway.cli.figure_files import is_figure, save_figure
from cellway.disk.files import NAME_LIMIT, require_name, shortened
from cellway.disk.folders import COMPLETE, MARKER, Marker
from cellway.disk.replacement import together
from cellway.study.tables import is_table_of_runs
from common import SMALL, Command, content, refused
from faults import listed

SHORT = SMALL.replace('duration = "1 s"', 'duration = "20 ms"') + 'series = ["queue"]\n'
RUN_FILES = ["scenario.toml", "series.npz", "summary.json", MARKER]
STUDY = '# by hand\n[study]\nscenario = "base.toml"\nname = "mine"\n'


@pytest.fixture
def small(folder: Path) -> Path:
    file = folder / "small.toml"
    file.write_text(SHORT)
    return file


def mine(folder: Path, **texts: str) -> dict[str, bytes]:
    """A folder of the user's own with files of the names that we give, too."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text)
    return content(folder)


def test_a_run_does_not_replace_files_that_somebody_else_wrote(
    folder: Path, cellway: Command
) -> None:
    before = mine(
        folder / "u", scenario_toml=f"# by hand\n{SHORT}", summary_json="{}", series_csv="1"
    )
    said = refused(cellway, "run", "u/scenario.toml", "--out", "u")
    whose = "u: holds scenario.toml and 2 more, and nothing says that cellway wrote it; "
    assert said.startswith(whose)
    assert "choose another folder with --out" in said
    assert content(folder / "u") == before
    assert cellway("run", "u/scenario.toml", "--out", "u", "--force").returncode == 0
    assert (folder / "u/series.csv").read_text() == "1"
    assert Run.load(folder / "u").summary["seed"] == 1


def test_a_file_of_ours_that_was_changed_is_somebody_elses(
    small: Path, folder: Path, cellway: Command
) -> None:
    assert cellway("run", small, "--out", "run").returncode == 0
    file = folder / "run" / "scenario.toml"
    file.write_text(f"# longer, by hand\n{file.read_text()}")
    before = content(folder / "run")
    said = refused(cellway, "run", "run/scenario.toml", "--out", "run")
    assert said.startswith("run/scenario.toml: not as cellway wrote it; ")
    assert content(folder / "run") == before
    assert cellway("run", "run/scenario.toml", "--out", "run", "--force").returncode == 0
    assert not file.read_text().startswith("# longer")


def test_a_run_replaces_a_run_and_leaves_what_else_is_there(
    small: Path, folder: Path, cellway: Command
) -> None:
    (folder / "run").mkdir()
    assert cellway("run", small, "--out", "run").returncode == 0
    (folder / "run/notes.txt").write_text("mine")
    (folder / "run/deeper").mkdir()
    (folder / "run/deeper/notes.txt").write_text("mine")
    assert cellway("run", small, "--out", "run", "--seed", "2").returncode == 0
    assert {*content(folder / "run")} == {*RUN_FILES, "deeper/notes.txt", "notes.txt"}
    assert Run.load(folder / "run").summary["seed"] == 2


def test_plots_of_a_run_go_with_it_unless_somebody_changed_them(
    small: Path, folder: Path, cellway: Command
) -> None:
    """The plot of a run that was replaced stayed beside the new one."""
    run = folder / "run"
    assert cellway("run", small, "--out", "run").returncode == 0
    for form in ("png", "svg", "pdf"):
        assert cellway("plot", "run", "--format", form).returncode == 0
    assert cellway("plot", "run", "--to", "0.01").returncode == 0
    assert cellway("plot", small, "--out", "run/mine.svg").returncode == 0
    (run / "plot.svg").write_text((run / "plot.svg").read_text() + "<!-- by hand -->")
    (run / "plot.pdf").unlink()
    (run / "copy.png").write_bytes((run / "plot.png").read_bytes())
    others = {name: text for name, text in content(run).items() if name.startswith("plot.s")}
    others |= {name: (run / name).read_bytes() for name in ("copy.png", "mine.svg")}
    assert Run.load(run).summary["seed"] == 1
    again = cellway("run", small, "--out", "run", "--seed", "2")
    assert again.returncode == 0
    assert "removed with the run that was there: run/plot-to-0.01.png, run/plot.png" in again.stdout
    left = content(run)
    assert {name: text for name, text in left.items() if name not in RUN_FILES} == others
    assert "figures" not in json.loads(left[MARKER])


def test_what_holds_a_study_is_not_used_for_a_run_nor_the_other_way_round(
    small: Path, folder: Path, cellway: Command
) -> None:
    (folder / "mine.toml").write_text('[study]\nscenario = "small.toml"\n')
    assert cellway("study", "mine.toml", "--out", "s").returncode == 0
    assert cellway("run", small, "--out", "r").returncode == 0
    before = content(folder)
    for force in ([], ["--force"]):
        said = refused(cellway, "run", small, "--out", "s", *force)
        assert said == "s: holds the study 'mine', and this is a run; choose another with --out\n"
        said = refused(cellway, "study", "mine.toml", "--out", "r", *force)
        assert said == "r: holds a run, and this is the study 'mine'; choose another with --out\n"
    assert content(folder) == before


@pytest.mark.parametrize("arguments", [("study", "u/study.toml", "--out", "u"), ("study", "u")])
def test_a_study_in_a_folder_of_ones_own_is_not_written_anew(
    folder: Path, cellway: Command, arguments: tuple[str, ...]
) -> None:
    before = mine(folder / "u", study_toml=STUDY, base_toml=SHORT, scenario_toml="# another")
    whose = "u: holds base.toml and 2 more, and nothing says that "
    assert refused(cellway, *arguments).startswith(whose)
    assert content(folder / "u") == before
    # Its words are the study's already, so they need no other ones.
    assert cellway(*arguments, "--force").returncode == 0
    assert {name: text for name, text in content(folder / "u").items() if name in before} == before


def test_a_study_that_is_changed_in_its_own_folder_keeps_its_words(
    folder: Path, cellway: Command
) -> None:
    mine(folder / "u", study_toml=STUDY, base_toml=SHORT)
    assert cellway("study", "u/study.toml", "--out", "out").returncode == 0
    file = folder / "out" / "study.toml"
    two = file.read_text().replace("replications = 1", "replications = 2")
    file.write_text(f"# two of them\n{two}")
    changed = file.read_bytes()
    assert cellway("study", "out").returncode == 0
    assert file.read_bytes() == changed
    said = refused(cellway, "study", "u/study.toml", "--out", "out")
    assert said.startswith("out/study.toml: not as cellway wrote it; ")
    assert file.read_bytes() == changed
    assert cellway("study", "u/study.toml", "--out", "out", "--force").returncode == 0
    assert "# two" not in file.read_text()


@pytest.mark.parametrize("words", [("run", "u/base.toml"), ("study", "u/other.toml")])
def test_runs_without_a_marker_are_somebody_elses(
    folder: Path, cellway: Command, words: tuple[str, ...]
) -> None:
    mine(folder / "u", study_toml=STUDY, base_toml=SHORT)
    (folder / "u/other.toml").write_text(STUDY.replace('"mine"', '"other"'))
    assert cellway("study", "u/study.toml", "--out", "out").returncode == 0
    (folder / "out" / MARKER).unlink()
    before = content(folder / "out")
    said = refused(cellway, *words, "--out", "out")
    assert said.startswith("out: holds runs.parquet and ")
    assert said.endswith("or use this one with --force\n")
    assert before.items() <= content(folder / "out").items()
    assert cellway(*words, "--out", "out", "--force").returncode == 0
    assert {*before} <= {*content(folder / "out")}
    assert cellway("study", "u/study.toml", "--out", "out", "--force").returncode == 2


def test_a_study_does_not_follow_links_out_of_its_folder(folder: Path, cellway: Command) -> None:
    mine(folder / "u", study_toml=STUDY, base_toml=SHORT)
    assert cellway("study", "u/study.toml", "--out", "out").returncode == 0
    (folder / "elsewhere").mkdir()
    (folder / "out/series").symlink_to(folder / "elsewhere")
    said = refused(cellway, "study", "u/study.toml", "--out", "out")
    assert said.startswith("out/series: a symbolic link, which a study does not follow; ")


def test_a_link_in_place_of_a_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    finished = run(Scenario.parse(SHORT))
    finished.save(tmp_path / "run")
    (tmp_path / "run/summary.json").unlink()
    (tmp_path / "run/summary.json").symlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="not as cellway wrote it"):
        finished.save(tmp_path / "run")
    finished.save(tmp_path / "run", force=True)
    assert (tmp_path / "precious").read_text() == "mine"
    assert not (tmp_path / "run/summary.json").is_symlink()
    (tmp_path / "link").symlink_to("run")
    assert finished.save(tmp_path / "link") == tmp_path / "link"
    assert Run.load(tmp_path / "run").summary == finished.summary


@pytest.mark.parametrize("marker", [line for (line,) in listed("markers")])
def test_a_marker_that_we_could_not_have_written_marks_nothing(tmp_path: Path, marker: str) -> None:
    (tmp_path / MARKER).write_text(marker)
    said = r"holds cellway\.json, and nothing says that cellway wrote it"
    with pytest.raises(StoreError, match=said):
        run(Scenario.parse(SHORT)).save(tmp_path)


def test_a_table_is_replaced_when_it_is_a_table_of_runs(folder: Path, cellway: Command) -> None:
    mine(folder / "u", study_toml=STUDY, base_toml=SHORT, runs_csv="replication,seed,mine\n")
    command = ["study", "u/study.toml", "--csv", "u/runs.csv"]
    assert refused(cellway, *command) == (
        "--csv u/runs.csv: the file exists, and cellway did not write it; "
        "expected another name, or --force to replace it\n"
    )
    assert (folder / "u/runs.csv").read_text() == "replication,seed,mine\n"
    assert cellway(*command, "--force").returncode == 0
    assert cellway(*command).returncode == 0
    assert is_table_of_runs((folder / "u/runs.csv").read_bytes())


def test_a_figure_is_replaced_when_it_is_one_of_ours(
    small: Path, folder: Path, cellway: Command
) -> None:
    for name in ("p.png", "p.svg", "p.pdf"):
        file = folder / name
        Figure().savefig(file)
        said = f"--out {file}: the file exists, and cellway did not"
        with pytest.raises(BadInputError, match=said):
            require_file("--out", file, is_figure, force=False)
        require_file("--out", file, is_figure, force=True)
        save_figure(Figure(), file)
        require_file("--out", file, is_figure, force=False)
    (folder / "small.png").write_bytes(b"mine")
    assert refused(cellway, "plot", small).startswith("--out small.png: the file exists, and ")


def test_markdown_and_figures_of_a_paper_replace_only_their_own(
    folder: Path, cellway: Command
) -> None:
    (folder / "mine.md").write_text("# Mine\n")
    (folder / "magic-1997-judged-S4-T3.png").write_text("mine")
    paper = ["reproduce", "magic-1997", "S4-T3-R1", "--quick"]
    for option, to, file in (
        ("--markdown", "mine.md", "mine.md"),
        ("--plots", ".", "magic-1997-judged-S4-T3.png"),
    ):
        assert f"{option} {file}: the file exists" in refused(cellway, *paper, option, to)
    assert (folder / "mine.md").read_text() == "# Mine\n"


def test_files_take_their_places_together_or_not_at_all(tmp_path: Path) -> None:
    first, second = Marker("run", "first"), Marker("run", "second")
    with together(tmp_path, first, "b.txt") as fresh:
        (fresh / "a.txt").write_text("1")
        (fresh / "b.txt").write_text("1")
    before = content(tmp_path)
    with ExitStack() as stack:
        stack.enter_context(pytest.raises(KeyboardInterrupt))
        fresh = stack.enter_context(together(tmp_path, second, "b.txt"))
        (fresh / "b.txt").write_text("2")
        raise KeyboardInterrupt
    assert content(tmp_path) == before
    with together(tmp_path, second, "b.txt") as fresh:
        (fresh / "b.txt").write_text("2")
    assert {*content(tmp_path)} == {"b.txt", MARKER}


def test_a_run_that_is_half_moved_is_read_whole_and_moved_by_the_next_writer(
    tmp_path: Path,
) -> None:
    """After each number of moves at which the power may go, by moving files back."""
    old, new = run(Scenario.parse(SHORT)), run(Scenario.parse(SHORT).with_set("run.seed", 7))
    names = RUN_FILES
    for moved in range(len(names) + 1):
        folder = tmp_path / str(moved)
        new.save(folder)
        (folder / COMPLETE).mkdir()
        for name in names[moved:]:
            (folder / name).rename(folder / COMPLETE / name)
        if moved < len(names):
            old.save(tmp_path / f"old-{moved}")
            for name in [name for name in names[moved:] if moved == 0 or name != "summary.json"]:
                (tmp_path / f"old-{moved}" / name).rename(folder / name)
        assert Run.load(folder).summary == new.summary
        assert Run.load(folder).scenario == new.scenario
        new.save(folder)
        assert {*content(folder)} == {*names}
        assert Run.load(folder).summary == new.summary


@pytest.mark.parametrize(("quoted", "said"), listed("names"))
def test_a_name_that_becomes_a_file_is_no_path(
    folder: Path, cellway: Command, quoted: str, said: str
) -> None:
    name = json.loads(quoted)
    with pytest.raises(ValueError, match=said):
        require_name(name)
    if not name.strip() or not name.isprintable():
        return  # Texts of a study file are in one line and in UTF-8, and not empty.
    (folder / "small.toml").write_text(SHORT)
    (folder / "s.toml").write_text(f'[study]\nscenario = "small.toml"\nname = {json.dumps(name)}\n')
    before = {*folder.parent.rglob("*")}
    assert refused(cellway, "study", "s.toml").startswith("s.toml:3:8: `name` is ")
    assert {*folder.parent.rglob("*")} == before


def test_names_of_studies_may_be_words() -> None:
    for name in ("window", "Fenster und Verzögerung", "a, b (2)", "x" * NAME_LIMIT):
        require_name(name)


def test_a_name_that_is_too_long_for_a_figure_is_shortened_and_stays_its_own(folder: Path) -> None:
    assert shortened("plot-east.trunk") == "plot-east.trunk"
    long, other = (f"{'x' * 300}{end}" for end in "ab")
    assert shortened(long) == shortened(long) != shortened(other)
    assert len(shortened("é" * 300).encode()) <= NAME_LIMIT
    target = _file_of("s" * 200 + "." + "l" * 200, folder / "long.png")
    save_figure(Figure(), target)
    assert len(os.fsencode(target.name)) == NAME_LIMIT + len(".png")
