"""The simulator as WebAssembly outside of a browser: jobs in, answers out, an instance for each."""

import ctypes
import gzip
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
import wasmtime
from numpy.typing import NDArray

from common import ROOT

MODULE = ROOT / "python/cellway/lab/lab.wasm.gz"
needs_module = pytest.mark.skipif(not MODULE.exists(), reason="`make lab` has not built it")


@cache
def _compiled() -> tuple[wasmtime.Engine, wasmtime.Module]:
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, gzip.decompress(MODULE.read_bytes()))


class Instance:
    """A fresh instance of the module, with memory of its own."""

    def __init__(self) -> None:
        engine, module = _compiled()
        self._store = wasmtime.Store(engine)
        self._names = wasmtime.Instance(self._store, module, []).exports(self._store)

    def call(self, name: str, *values: int) -> int:
        """The value of a function of the interface."""
        return self._names[name](self._store, *values)  # type: ignore[no-any-return, operator]

    def write(self, at: int, content: bytes) -> None:
        """Writes into its memory."""
        self._names["memory"].write(self._store, content, at)  # type: ignore[union-attr]

    def read(self, at: int, size: int) -> bytes:
        """Octets of its memory."""
        memory = self._names["memory"]
        return bytes(memory.read(self._store, at, at + size))  # type: ignore[union-attr]

    def output(self) -> bytes:
        """The octets of the answer."""
        return self.read(self.call("output"), self.call("output_len"))

    def answer(self, job: Mapping[str, Any]) -> tuple[dict[str, Any], list[NDArray[np.float64]]]:
        """The answer to a job, and the numbers of its columns."""
        text = json.dumps(job).encode()
        self.write(self.call("input", len(text)), text)
        self.call("simulate")
        found = json.loads(self.output())
        count = sum(2 + column["mean"] for column in found["columns"])
        return found, [self._column(number) for number in range(count)]

    def _column(self, number: int) -> NDArray[np.float64]:
        size = self.call("column_len", number) * ctypes.sizeof(ctypes.c_double)
        return np.frombuffer(self.read(self.call("column", number), size), "<f8")
