"""The script of an array job for Slurm: a part of a study per task, then the merge."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from cellway.cli.exits import require_file, unwritable
from cellway.disk.files import whole_file

MARK = "# Written by cellway: an array job of the study "


def write_array_job(
    script: Path, name: str, words: Sequence[str], out: Path, parts: int, *, force: bool
) -> None:
    """Writes the script.

    Args:
        script: the file.
        name: of the study.
        words: arguments and options of ``cellway study`` that every part has.
        out: folder of the joined study; those of the parts stand beside it.
        parts: their number.
        force: replace a file that cellway did not write.

    Raises:
        BadInputError: it cannot be written.
    """
    require_file("--slurm-array", script, lambda text: MARK.encode() in text, force=force)
    try:
        script.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(script) as file:
            file.write(_text(script, name, words, out, parts).encode())
    except OSError as error:
        raise unwritable("--slurm-array", script, error) from error


def part_folder(out: Path, number: object, parts: int) -> Path:
    """The folder of a part, beside that of the whole study."""
    return out.with_name(f"{out.name}-part-{number}-of-{parts}")


def _text(script: Path, name: str, words: Sequence[str], out: Path, parts: int) -> str:
    study = shlex.join(["cellway", "study", *words])
    whole, there = shlex.quote(str(out)), shlex.quote(str(script))
    places = " ".join(shlex.quote(str(part_folder(out, n, parts))) for n in range(1, parts + 1))
    log = f"{out}-part-%a-of-{parts}.log"
    return f"""\
#!/bin/bash
#SBATCH --job-name={shlex.quote(name)}
#SBATCH --array=1-{parts}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --output={shlex.quote(log)}
{MARK}{name!r}, in {parts} parts.
#
#   job=$(sbatch --parsable {there})
#   sbatch --dependency=afterok:$job --wrap "bash {there} merge"
#
# A task that was ended continues when it is submitted again.
set -euo pipefail
if [ "${{1:-part}}" = merge ]; then
    exec cellway merge {whole} {places}
fi
n=${{SLURM_ARRAY_TASK_ID:?a task of an array job is expected, or the word merge}}
exec {study} --part "$n/{parts}" --workers "${{SLURM_CPUS_PER_TASK:-1}}" \\
    --out {whole}-part-"$n"-of-{parts}
"""
