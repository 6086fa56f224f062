"""Runs every case in ns-2 and in cellway; prints the number that agree, and causes of others."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import causes
import ours
import peer
from cases import PAIRS, Case, Pair, cases
from parting import Parted, parting

Drops = list[tuple[Case, list[int]]]
KNOWN: dict[str, peer.Found] = {}


def in_peer(pair: Pair, connections: Drops) -> list[peer.Found]:
    """Runs ns-2, and checks that the line has lost the packets that it was told to lose."""
    words = [peer.connection(pair, case, drops) for case, drops in connections]
    found = peer.runs(words, KNOWN)
    for one, (case, drops) in zip(found, connections, strict=True):
        if one.lost != [one.sent[number][1] for number in sorted(drops)]:
            raise RuntimeError(f"{pair.name}, {case}: lost {one.lost}")
    return found


def in_ours(pair: Pair, connections: Drops) -> list[peer.Found]:
    """Runs cellway; finds only the sent segments."""
    return [peer.Found(ours.run(pair, case, drops)) for case, drops in connections]


def with_repairs(
    run: Callable[[Pair, Drops], list[peer.Found]], pair: Pair, some: Sequence[Case]
) -> list[peer.Found]:
    """Loses the first transmissions, and run by run the repairs that the run before has shown."""
    drops = [list(case.lost) for case in some]
    found = run(pair, list(zip(some, drops, strict=True)))
    for nth in range(max(len(case.repairs) for case in some)):
        again = [at for at, case in enumerate(some) if len(case.repairs) > nth]
        for at in again:
            segment = some[at].repairs[nth]
            sent = [number for number, (_, other) in enumerate(found[at].sent) if other == segment]
            drops[at].append(sent[1 + nth])
        runs = run(pair, [(some[at], drops[at]) for at in again])
        for at, one in zip(again, runs, strict=True):
            found[at] = one
    return found


def verdicts(pair: Pair, some: Sequence[Case]) -> Iterator[tuple[Case, Parted, str]]:
    """Parting of each case, and its cause."""
    peers, own = (with_repairs(run, pair, some) for run in (in_peer, in_ours))
    for case, one, other in zip(some, peers, own, strict=True):
        parted = parting(one.sent, other.sent, case.seconds)
        yield case, parted, causes.name(pair, case, one, other.sent, parted)


def main() -> None:
    """Prints one line for each pair."""
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--every", type=int, default=1, help="each n-th case alone")
    arguments.add_argument("--cases", action="store_true", help="print those that differ")
    arguments.add_argument("pairs", nargs="*", help="names of pairs, else all")
    chosen = arguments.parse_args()
    reasons: dict[tuple[str, Case], str] = {}
    for pair in (pair for pair in PAIRS if not chosen.pairs or pair.name in chosen.pairs):
        counted: Counter[str] = Counter()
        for case, parted, why in verdicts(pair, list(cases())[:: chosen.every]):
            # A case that differs with one key more, and agrees without it, differs by the key.
            of_base = reasons.get((pair.base, case), why)
            reason = why if parted.at is None else "key" if of_base in causes.AGREED else of_base
            reasons[pair.name, case] = reason
            counted[reason] += 1
            if chosen.cases and parted.at is not None:
                print(f"{pair.name} | {case} | packet {parted.at} at {parted.instant} | {reason}")
        print(f"| {pair.name} | {counted.total()} | {dict(counted)} |", flush=True)


if __name__ == "__main__":
    main()
