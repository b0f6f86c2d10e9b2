# SPDX-License-Identifier: Apache-2.0
"""Trajectories on disk (HDF5, or CSV): read as they are needed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from elver import _elver
from elver.errors import Error
from elver.hints import reword
from elver.records import WITHOUT_MODES, Rows
from elver.state import Array, State

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

    from elver.model import Model


class Trajectory(Rows):
    """A file that ``elver run`` or ``elver statics`` has written. Signals are read when they are asked for."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._core = _elver.Trajectory(self.path)
        info = self._core.info()
        self.names = [name for name, _ in info["columns"]]
        self.units = [unit for _, unit in info["columns"]]
        self.is_complete: bool = info["complete"]
        self.is_statics = info["statics"]
        self.has_states: bool = info["states"]
        self._n: int = info["records"]
        self._text: str | None = info["model"]
        self._model: Model | None = None
        self._table: Array | None = None
        self._states: tuple[Array, ...] | None = None

    def __len__(self) -> int:
        return self._n

    def read(self, first: int = 0, count: int | None = None, stride: int = 1) -> Array:
        """Rows of time and all signals: (count, 1 + signals)."""
        if stride < 1 or not 0 <= first <= self._n:
            raise IndexError(f"records run from 0 to {self._n - 1}")
        available = -(-(self._n - first) // stride)
        count = available if count is None else count
        if not 0 <= count <= available:
            raise IndexError(f"there are {available} records from {first} on, at every {stride}")
        table = np.empty((count, 1 + len(self.names)))
        self._core.read(first, count, stride, table)
        return table

    def __getitem__(self, name: str) -> Array:
        self._check_name(name)
        if self._table is None:
            self._table = self.read()
        if name == "t":
            return self._table[:, 0]
        if name not in self and self.has_states:
            return self._missing(name)
        return self._take(self._table[:, 1:], name)

    @property
    def t(self) -> Array:
        """Times, s (of equilibria: loads) (n)."""
        return self["t"]

    @property
    def q(self) -> Array:
        """Coordinates (n, nq)."""
        return self._parts()[0]

    @property
    def v(self) -> Array:
        """Velocities (n, nv)."""
        return self._parts()[1]

    @property
    def a(self) -> Array:
        """Accelerations (n, nv)."""
        return self._parts()[2]

    @property
    def z(self) -> Array:
        """Unknowns of devices (n, nz)."""
        return self._parts()[3]

    def _parts(self) -> tuple[Array, ...]:
        """q, v, a, z of all records, read once."""
        if self._states is None:
            state = self.model.state()
            parts = tuple(np.empty((self._n, part.size)) for part in (state.q, state.v, state.a, state.z))
            for i in range(self._n):
                self._core.state(i, state._core)
                for part, row in zip(parts, (state.q, state.v, state.a, state.z)):
                    part[i] = row
            self._states = parts
        return self._states

    @property
    def model(self) -> Model:
        """The model that it was computed from."""
        if self._model is None:
            self._model = self._make_model(None, None)
            method = self._model._core.method(self.is_statics)
            self._lacks_modes = method if method in WITHOUT_MODES else ""
        return self._model

    def _make_model(self, set: Mapping[str, Any] | None, laws: Mapping[str, Any] | None) -> Model:
        """The model in the file, with values put over it."""
        from elver.model import Model

        text = self._model_text()
        try:
            return Model(text, name=self.path, set=set, laws=laws)
        except Error as error:
            if not error.line:
                raise
            words = str(error).removeprefix(f"{error.file}:{error.line}:{error.column}: ")
            raise reword(
                error,
                f"{self.path}: the model in this file was written by another version of Elver, and this one, {_elver.version}, does "
                f"not read it ({words}); signals can be read all the same",
            ) from None

    def _model_text(self) -> str:
        if self._text is None:
            raise ValueError(f"{self.path} does not hold a model: only HDF5 files that the program wrote do")
        return self._text

    def state(self, i: int) -> State:
        """The state of record i, from the end if i is negative."""
        place = self._row(i)
        state = self.model.state()
        self._core.state(place, state._core)
        return state

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the time (or the load) as index, one column a signal; ``attrs["units"]`` has units by name."""
        table = self.read()
        return self._frame(table[:, 1:], table[:, 0])

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the motion as ``.html``, ``.glb`` or ``.pvd``; options are those of ``view`` but for ``height``."""
        from elver.view import write

        write(path, [self], **options)

    def _picture(self) -> tuple[_elver.Model, str, _elver.Trajectory, int, bool]:
        return self.model._core, os.path.basename(self.path), self._core, 0, self.is_statics

    def close(self) -> None:
        """Close the file; what was read stays."""
        self._core.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (os.path.abspath(self.path),)

    def __enter__(self) -> Trajectory:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Trajectory({self.path!r}, {self._n} records)"
