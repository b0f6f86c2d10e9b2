# SPDX-License-Identifier: Apache-2.0
"""What a run has recorded, in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from elver import _elver
from elver.state import Array, State

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]
    from numpy.typing import NDArray

    from elver.analysis import Analysis
    from elver.model import Model
    from elver.view import Page, Visible


class Columns:
    """Signals by name: one column, or all of a group as an array of rows (``run["arm.tip.position"]``: n x 3)."""

    names: list[str]
    units: list[str]
    is_statics: bool = False  #: records are equilibria, whose ``t`` is a load

    def _place(self, name: str) -> list[int]:
        """The columns of a name: its own, or those of its group, wherever they stand."""
        if name in self.names:
            return [self.names.index(name)]
        found = [i for i, column in enumerate(self.names) if column.startswith(name + ".")]
        if not found:
            raise KeyError(f"no signal '{name}' was recorded; there are: {', '.join(self.names) or 'none'}")
        return found

    def _take(self, table: Array, name: str) -> Array:
        """Columns of a table of all signals: a view, unless others stand between those of a group."""
        found = self._place(name)
        if name in self.names:
            return table[:, found[0]]
        is_one_piece = found[-1] - found[0] + 1 == len(found)
        return table[:, found[0] : found[-1] + 1] if is_one_piece else table[:, found]

    @property
    def abscissa(self) -> str:
        """What ``t`` is: "t", or "load" of equilibria."""
        return "load" if self.is_statics else "t"

    def unit(self, name: str) -> str:
        """Unit of a signal; of a group: of its first."""
        return ("" if self.is_statics else "s") if name == "t" else self.units[self._place(name)[0]]

    def __iter__(self) -> Iterator[str]:
        return iter(["t", *self.names])

    def __contains__(self, name: object) -> bool:
        return name == "t" or any(column == name or column.startswith(f"{name}.") for column in self.names)


class Records(Columns):
    """Times, states and signals of a run. ``t`` (n), ``q`` (n, nq), ``v`` and ``a`` (n, nv), ``z`` (n, nz) have a row a record."""

    def __init__(
        self,
        model: Analysis,
        columns: list[tuple[str, str]],
        table: bytes,
        core: _elver.Model | None = None,
        u: Array | None = None,
    ) -> None:
        self._columns = columns
        self._table = table
        self._core = model._core if core is None else core
        self._model: Model = model._frozen(self._core) if u is None else cast("Model", model)
        self._u = u
        sizes = self._core.sizes()
        nq, nv, nz = sizes["nq"], sizes["nv"], sizes["nz"]
        ends = np.cumsum([1, nq, nv, nv, nz, len(columns)])
        rows = np.frombuffer(table).reshape(-1, ends[-1])
        self.names = [name for name, _ in columns]
        self.units = [unit for _, unit in columns]
        self.t: Array = rows[:, 0]
        self.q: Array = rows[:, 1 : ends[1]]
        self.v: Array = rows[:, ends[1] : ends[2]]
        self.a: Array = rows[:, ends[2] : ends[3]]
        self.z: Array = rows[:, ends[3] : ends[4]]
        self._signals: Array = rows[:, ends[4] :]
        self._width = int(ends[-1])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self._columns, self._table)

    @property
    def model(self) -> Model:
        """The model as it was when this was computed, inputs of ``step`` being held at what they were."""
        if self._u is not None:
            self._model, self._u = self._model._at_inputs(self._u) if self._u.size else self._model, None
        return self._model

    def state(self, i: int) -> State:
        """The state of record i, from the end if i is negative."""
        place = i + len(self) if i < 0 else i
        if not 0 <= place < len(self):
            raise IndexError(f"records run from 0 to {len(self) - 1}")
        state = State(_elver.State(self._core))
        state.t = float(self.t[place])
        state.q[:], state.v[:], state.a[:], state.z[:] = self.q[place], self.v[place], self.a[place], self.z[place]
        return state

    def __len__(self) -> int:
        return int(self.t.size)

    def __getitem__(self, name: str) -> Array:
        if not isinstance(name, str):
            raise TypeError(f"signals are found by their names, not by {type(name).__name__}: run[\"energy\"][0], run.state(0)")
        if name == "t":
            return self.t
        return self._take(self._signals, name)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the time (or the load) as index, one column a signal."""
        import pandas

        return pandas.DataFrame(self._signals, index=pandas.Index(self.t, name=self.abscissa), columns=self.names)

    def plot(self, *names: str, **options: Any) -> Any:
        """Draw signals with matplotlib; returns the figure."""
        from elver.plot import plot

        return plot([self], names, **options)

    def view(self, *ghosts: Visible, **options: Any) -> Page:
        """The viewer, in a notebook cell; other runs are drawn as ghosts. Options: ``height`` of the cell, ``stations``, the
        sections that are drawn of each rod, and ``is_whole``: all records, however large the page becomes."""
        from elver.view import view

        return view([self, *ghosts], **options)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the records as ``.h5``, ``.csv`` or ``.npy``, as ``elver run`` does, or the motion as ``.html``, ``.glb`` or
        ``.pvd``; options are those of ``view`` but for ``height``.

        A ``.h5`` file holds states and model too: :class:`elver.Trajectory` and the command line read it. Laws of Python and
        inputs cannot be written: the model in the file has those of its own in their place.
        """
        name = os.fspath(path)
        if str(name).endswith((".h5", ".hdf5", ".csv", ".npy")):
            if options:
                raise TypeError(f"data have no options: {', '.join(options)}")
            text = self._model._fresh((), {}).yaml()
            _elver.trajectory_write(name, self._core, self.names, self._table, text, self.is_statics)
            return
        from elver.view import write

        write(path, [self], **options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._core.sizes()['name'])!r}, {len(self)} records, {len(self.names)} signals)"

    def _picture(self) -> tuple[_elver.Model, str, bytes, int]:
        return self._core, str(self._core.sizes()["name"]), self._table, self._width


class Equilibria(Records):
    """Equilibria, a row each; ``t`` is the load."""

    is_statics = True


_KINDS = np.array(["regular", "limit", "bifurcation"])


class Continuation(Equilibria):
    """Points of a path of equilibria; ``t`` is the load."""

    def __init__(
        self, model: Analysis, columns: list[tuple[str, str]], table: bytes, core: _elver.Model | None, extra: bytes, end: str
    ) -> None:
        super().__init__(model, columns, table, core)
        self._extra = extra
        point = np.frombuffer(extra).reshape(-1, 5)
        self.kind: NDArray[np.str_] = _KINDS[point[:, 0].astype(int)]  #: "regular", "limit" or "bifurcation" (n)
        self.is_branch: NDArray[np.bool_] = point[:, 1] > 0  #: after the switch to another path (n)
        self.length: Array = point[:, 2]  #: along the path, in the units of max_step (n)
        self.eigenvalue: Array = point[:, 3]  #: smallest one, (rad/s)², NaN where it was not found (n)
        self.n_negative: NDArray[np.int_] = point[:, 4].astype(int)  #: eigenvalues below zero; -1: not counted (n)
        self.end = end  #: "done", "back" at the first load, "points": as many as were allowed, "lost"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self._columns, self._table, None, self._extra, self.end)


class Inverse(Records):
    """Rows of an inverse problem."""

    def __init__(
        self, model: Analysis, columns: list[tuple[str, str]], table: bytes, core: _elver.Model | None, extra: bytes, problem: str
    ) -> None:
        super().__init__(model, columns, table, core)
        self._extra = extra
        row = np.frombuffer(extra).reshape(-1, 11)
        self.problem = problem  #: "joints", "strains" or "tip"
        self.is_statics = problem == "tip"
        self.is_reached: NDArray[np.bool_] = row[:, 0] > 0  #: tip: it is at its place (n)
        self.distance: Array = row[:, 1]  #: tip: from its place, m (n)
        self.angle: Array = row[:, 2]  #: tip: from its orientation, rad (n)
        self.wanted: Array = row[:, 3]  #: strains: size of the stress that actuators should give (n)
        self.left: Array = row[:, 4]  #: strains: and of what they cannot (n)
        self.wrench: Array = row[:, 5:]  #: tip: moment (N m) and force (N) that hold it, on it, world axes (n, 6)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self._columns, self._table, None, self._extra, self.problem)


_Kind = TypeVar("_Kind", bound=Records)


def raise_with(records: _Kind, raised: Any) -> _Kind:
    """The records; or what ended them early, raised with them as its attribute ``records``."""
    if raised is not None:
        raised.records = records
        raise raised
    return records
