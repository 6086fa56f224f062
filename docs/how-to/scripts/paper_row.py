"""Rows of a published table: the number in print, ours, and the verdict."""

from cellway.catalogue import paper, reproduce


def main() -> None:
    """Prints the rows of table 2 of Ewy et al. 1997, by one run each."""
    done = reproduce(paper("magic-1997"), "S4-T2", quick=True)
    for row in done.results:
        found = "none" if row.ours is None else f"{row.ours.mean:.4g}"
        printed = f"{row.number.label}: {row.number.published} in print"
        print(f"{printed}, {found} here: {row.verdict.value}")


if __name__ == "__main__":
    main()
