# SPDX-License-Identifier: Apache-2.0
"""What a run has recorded, in memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from elver import _elver
from elver.dynamics import texts
from elver.errors import InputError
from elver.state import Array, State

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]
    from numpy.typing import NDArray

    from elver.analysis import Analysis
    from elver.model import Model
    from elver.view import Page, Visible


#: Methods whose states have no modes of rods.
WITHOUT_MODES = ("rkmk", "till", "shooting")


# inputs of a model that belongs to records are set one record after the other
_ONE_AT_A_TIME = threading.RLock()


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

    def keys(self) -> list[str]:
        """Names of what there is: "t", then the columns."""
        return ["t", *self.names]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name == "t" or any(column == name or column.startswith(f"{name}.") for column in self.names)


class Rows(Columns):
    """Records with states, from which signals follow that were not recorded."""

    _lacks_modes: str = ""  #: name of the method, where it is one whose states do not say all
    _is_steered: bool = False  #: inputs are not those of the model all the time

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, name: str) -> Array:
        raise NotImplementedError

    @property
    def model(self) -> Model:
        """The model that it was computed from."""
        raise NotImplementedError

    def state(self, i: int) -> State:
        """The state of record i, from the end if i is negative."""
        raise NotImplementedError

    def _picture(self) -> tuple[_elver.Model, str, _elver.Trajectory | bytes, int, bool]:
        raise NotImplementedError

    def _row(self, i: int) -> int:
        """The place of record i, from the end if i is negative."""
        place = i + len(self) if i < 0 else i
        if not 0 <= place < len(self):
            raise IndexError(f"records run from 0 to {len(self) - 1}")
        return place

    @staticmethod
    def _check_name(name: object) -> None:
        if not isinstance(name, str):
            raise TypeError(f"signals are found by their names, not by {type(name).__name__}: run[\"energy\"][0], run.state(0)")

    def evaluate(self, names: str | Sequence[str]) -> Array:
        """Signals at every record (n, columns), recorded or not, computed from the states."""
        return self._computed(texts(names))[1]

    def _computed(self, names: list[str]) -> tuple[list[tuple[str, str]], Array]:
        """Columns of signals, and their values at all states."""
        if self._lacks_modes:
            raise ValueError(f"states of the method {self._lacks_modes} have no modes of rods: record the signals, run(..., signals=...)")
        if any(str(name).partition(".")[0] == "work" for name in names):
            raise ValueError("accounts of energy ('work') are kept by a run: record them, run(..., signals=...)")
        model = self.model
        columns, _ = model._signals(names, None)
        table = np.empty((len(self), len(columns)))
        with _ONE_AT_A_TIME if self._is_steered else nullcontext():
            for i in range(len(self)):
                self._hold(i)
                table[i] = np.frombuffer(model._signals(names, self.state(i))[1])
        return columns, table

    def _hold(self, i: int) -> None:
        """Give the model the inputs that record i had."""

    def _labels(self, name: str) -> list[tuple[str, str]]:
        """Columns and units of a signal, recorded or not."""
        if name in self:
            return [(self.names[i], self.units[i]) for i in self._place(name)]
        try:
            return self.model._signals([name], None)[0]
        except InputError as error:
            raise KeyError(f"no signal '{name}' was recorded, nor can it be computed: {error}") from None

    def _missing(self, name: str) -> Array:
        """A signal that was not recorded."""
        try:
            columns, table = self._computed([name])
        except (InputError, ValueError) as error:
            raise KeyError(f"no signal '{name}' was recorded, nor can it be computed: {error}") from None
        return table[:, 0] if len(columns) == 1 and columns[0][0] == name else table

    def plot(
        self,
        *names: str,
        ax: Any = None,
        labels: Sequence[str] | None = None,
        title: str | None = None,
        figsize: tuple[float, float] | None = None,
        **lines: Any,
    ) -> Any:
        """Draw signals with matplotlib, one panel each; returns the figure. ``ax``: axes to draw on, one or as many as there are
        panels; further options are those of ``Axes.plot`` (``color``, ``linewidth``, ``linestyle`` ...)."""
        from elver.plot import plot

        return plot([self], names, ax=ax, labels=labels, title=title, figsize=figsize, **lines)

    def view(self, *ghosts: Visible, **options: Any) -> Page:
        """The viewer, in a notebook cell; other runs are drawn as ghosts. Options: ``height`` of the cell, ``stations``, the
        sections that are drawn of each rod, and ``is_whole``: all records, however large the page becomes."""
        from elver.view import view

        return view([self, *ghosts], **options)

    def _frame(self, table: Array, t: Array) -> pandas.DataFrame:
        """A data frame, with units in its ``attrs``."""
        import pandas

        frame = pandas.DataFrame(table, index=pandas.Index(t, name=self.abscissa), columns=self.names)
        frame.attrs["units"] = {self.abscissa: self.unit("t"), **dict(zip(self.names, self.units))}
        return frame


class Records(Rows):
    """Times, states and signals of a run. ``t`` (n; s, or a load), ``q`` (n, nq; rad, m, strains), ``v`` and ``a`` (n, nv; their
    rates), ``z`` (n, nz; N, N m ...) have a row a record; so has ``u`` (n, inputs), in the units of ``model.inputs``, what
    ``inputs`` of a simulator were: at an instant at which a controller was called, those before its call, but for the first."""

    def __init__(
        self,
        model: Analysis,
        columns: list[tuple[str, str]],
        table: bytes,
        core: _elver.Model | None = None,
        u: Array | None = None,
        method: str = "",
        held: tuple[Array, Array] | None = None,
        inputs: tuple[str, ...] = (),
    ) -> None:
        self._columns = columns
        self._table = table
        self._core = model._core if core is None else core
        self._model: Model = model._frozen(self._core) if u is None else cast("Model", model)
        self._u = u
        self._lacks_modes = method
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
        # inputs, and until when they were held
        self._held = (np.empty(0), np.empty((1, 0))) if held is None else held
        self.inputs = inputs
        self._is_steered = self._held[0].size > 0
        self.u: Array = self._held[1][np.searchsorted(self._held[0], self.t)]

    def _hold(self, i: int) -> None:
        for name, value in zip(self.inputs, self.u[i] if self._is_steered else ()):
            self.model._laws[name].value = float(value)  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self._columns, self._table, None, None, self._lacks_modes, self._held, self.inputs)

    @property
    def model(self) -> Model:
        """The model as it was when this was computed, inputs of ``step`` being held at what they were."""
        if self._u is not None:
            self._model, self._u = self._model._at_inputs(self._u) if self._u.size else self._model, None
        return self._model

    def state(self, i: int) -> State:
        """The state of record i, from the end if i is negative."""
        place = self._row(i)
        state = State(_elver.State(self._core))
        state.t = float(self.t[place])
        state.q[:], state.v[:], state.a[:], state.z[:] = self.q[place], self.v[place], self.a[place], self.z[place]
        return state

    def __len__(self) -> int:
        return int(self.t.size)

    def __getitem__(self, name: str) -> Array:
        self._check_name(name)
        if name == "t":
            return self.t
        return self._take(self._signals, name) if name in self else self._missing(name)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with the time (or the load) as index, one column a signal; ``attrs["units"]`` has units by name."""
        return self._frame(self._signals, self.t)

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

    def _picture(self) -> tuple[_elver.Model, str, bytes, int, bool]:
        return self._core, str(self._core.sizes()["name"]), self._table, self._width, self.is_statics


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
        super().__init__(model, columns, table, core, method="" if problem == "joints" else "without modes")
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
