"""The private extension module; import `cellway` instead."""

from collections.abc import Callable, Mapping, Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Outcome",
    "Scenario",
    "build_info",
    "cubic_rate",
    "dfba_sharing",
    "pftk_rates",
    "run",
    "schema",
    "square_root_rate",
    "toml_places",
]

@final
class Scenario:
    def __new__(
        cls,
        origin: str,
        text: bytes,
        sets: Sequence[tuple[str, str]] = ...,
        resolved: bool = ...,
        read_file: Callable[[str], tuple[str | None, str | None]] | None = ...,
    ) -> Scenario: ...
    def with_netspec(self, origin: str, text: bytes) -> tuple[Scenario, str]: ...
    def to_toml(self) -> str: ...
    def explain(self) -> str: ...
    def link_names(self) -> list[str]: ...
    def capacity(self, link: str) -> tuple[list[int], list[int], int, str] | None: ...

@final
class Outcome:
    @property
    def summary_json(self) -> str: ...
    @property
    def units(self) -> dict[str, str]: ...
    @property
    def thinned(self) -> dict[str, int]: ...
    def series(
        self, name: str
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64] | None]: ...

def run(
    scenario: Scenario,
    progress: Callable[[float, float], object] | None = None,
    capture: tuple[Callable[[bytes], object], list[str], bool] | None = None,
) -> Outcome: ...
def dfba_sharing(
    bottleneck: Mapping[str, float | None], vcs: Sequence[tuple[float, float, float]]
) -> tuple[float, list[tuple[float, float]]]: ...
def cubic_rate(loss: float, round_trip: float, c: float, beta: float) -> float: ...
def pftk_rates(
    loss: float, round_trip: float, timeout: float, segments_per_ack: float, max_window: float
) -> tuple[float, float]: ...
def square_root_rate(loss: float, round_trip: float, segments_per_ack: float) -> float: ...
def schema() -> str: ...
def build_info() -> dict[str, str]: ...
def toml_places(text: str) -> list[tuple[list[str | int], tuple[int, int], tuple[int, int]]]: ...
