"""A study on any executor of `concurrent.futures`, kept in a folder and resumed.

Before: `cellway init rate-mismatch`.
"""

from concurrent.futures import ProcessPoolExecutor

import cellway


def main() -> None:
    """Runs the study on two processes, then again: nothing is run twice."""
    study = cellway.Study(
        "rate-mismatch.toml",
        factors={"flow.bulk.tcp.window": ["32 KiB", "64 KiB", "128 KiB"]},
        replications=3,
        sets=(("run.duration", "5 s"),),
    )
    with ProcessPoolExecutor(2) as pool:
        results = study.run("windows", executor=pool)
    print(results)
    again = study.run("windows")
    print("the same from the folder:", str(again) == str(results))


if __name__ == "__main__":
    main()
