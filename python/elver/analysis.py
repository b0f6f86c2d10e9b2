# SPDX-License-Identifier: Apache-2.0
"""Equilibria, small motions, inverse problems and locomotion: the part of :class:`elver.Model` that solves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from elver import _elver
from elver.derivatives import Derivatives
from elver.dynamics import texts
from elver.errors import InputError
from elver.hints import of_input
from elver.linear import LinearModel, Modes, modes_from
from elver.records import WITHOUT_MODES, Continuation, Equilibria, Inverse, raise_with
from elver.riccati import Riccati
from elver.shooting import Shooting
from elver.state import Array, State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from elver.model import Model

STRAINS = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")


def _loads(loads: ArrayLike | None) -> Array | None:
    if loads is None:
        return None
    found = np.ascontiguousarray(np.atleast_1d(np.asarray(loads, dtype=float)))
    if found.ndim != 1 or found.size == 0:
        raise ValueError("loads must be a list of numbers")
    return found


def _positive(value: float | None, what: str) -> float:
    """A number above zero, or 0 where there is none."""
    if value is None:
        return 0.0
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{what} must be a positive number")
    return float(value)


class Analysis(Derivatives):
    """What can be found about states of a model. Methods without a state use the initial one."""

    @property
    def signals(self) -> list[str]:
        """Signals that the model file records."""
        return self._core.record()[1]

    def _frozen(self, core: _elver.Model) -> Model:
        """The model as it was compiled into a core."""
        raise NotImplementedError

    def _steer(self, u: Mapping[str, float]) -> AbstractContextManager[_elver.Model]:
        """A core for one computation, with inputs at values."""
        raise NotImplementedError

    def _start(self, state: State | None) -> State:
        """A state to work on: a copy of one that is given."""
        return self.state() if state is None else self.copy_state(state)

    def _names(self, signals: str | Sequence[str] | None) -> list[str]:
        return texts(self.signals if signals is None else signals)

    # ---- equilibria

    def statics(self, load: float = 0.0, state: State | None = None, *, u: Mapping[str, float] | None = None) -> State:
        """The equilibrium at a load (the value of t in laws), from a state as first guess; a new state, with the load as its
        ``t``. ``u`` holds inputs at values (``{"tendon.left.tension": 3.0}``) in place of their laws; other values of the same
        inputs cost nothing but the equilibrium."""
        if not math.isfinite(load):
            raise ValueError("load must be a finite number")
        if u is not None and not isinstance(u, Mapping):
            raise TypeError(f"u is a mapping of names of inputs to values, not {type(u).__name__}")
        found = self._start(state)
        with self._steer(u) if u else nullcontext(self._core) as core:
            _elver.statics(core, found._core, load)
        return found

    def statics_path(
        self, loads: ArrayLike | None = None, state: State | None = None, *, signals: str | Sequence[str] | None = None
    ) -> Equilibria:
        """Equilibria at loads, one after the other (without loads: those of the model file), each from the one before; ``t`` of
        the records is the load. What was found before a failure is ``records`` of the exception."""
        core = self._core
        (columns, table, raised), _, _ = _elver.statics_path(core, self._start(state)._core, _loads(loads), self._names(signals))
        method = core.method(True)
        lacks = method if method in WITHOUT_MODES else ""
        return raise_with(Equilibria(self, columns, table, core, method=lacks), raised)

    def continuation(
        self,
        loads: ArrayLike | None = None,
        state: State | None = None,
        *,
        max_step: float | None = None,
        max_points: int | None = None,
        branch: int = 0,
        branch_at: int = 1,
        signals: str | Sequence[str] | None = None,
    ) -> Continuation:
        """The path of equilibria from the first load to the last by arc length, through limit points. ``branch`` 1 or -1
        leaves it at the ``branch_at``-th bifurcation, to either side."""
        if branch not in (-1, 0, 1):
            raise ValueError("branch must be 0, 1 or -1")
        if max_points is not None and max_points < 1 or branch_at < 1:
            raise ValueError("max_points and branch_at must be at least 1")
        core = self._core
        (columns, table, raised), extra, end = _elver.continuation(
            core,
            self._start(state)._core,
            _loads(loads),
            _positive(max_step, "max_step"),
            max_points or 0,
            branch,
            branch_at,
            self._names(signals),
        )
        return raise_with(Continuation(self, columns, table, core, extra, end), raised)

    def close_loops(self, state: State) -> dict[str, Any]:
        """Move a state to where loops and constraints hold, with reactions in ``z``; says how far they were ``opened``, how
        many constraints are ``redundant``, how many velocities ``free``, and the ``gap`` that is left (both m, or rad)."""
        return _elver.close_loops(self._core, self._given(state))

    def stability(self, state: State | None = None) -> dict[str, Any]:
        """Whether an equilibrium is stable: ``stability`` ("stable", "unstable", "unknown"), smallest ``eigenvalue``
        ((rad/s)²), number of ``negative`` ones, ``growth`` (1/s), ``flutter``."""
        return _elver.stability(self._core, self._at(state))

    def shooting(self) -> Shooting:
        """A solver for equilibria without modes."""
        return Shooting(self)

    def riccati(self, steps: int = 0) -> Riccati:
        """A solver for the inverse dynamics of a chain without modes; ``steps`` along each rod, 0: 32."""
        return Riccati(self, steps)

    def mode_study(self, *, is_static: bool = False) -> dict[str, dict[str, tuple[float, float]]]:
        """What one mode more of every strain would change, of the motion that the model file asks for or of its equilibria
        (``is_static``): for each rod and each strain that has modes ``(error, size)``, the mean over time, and the integral along the
        rod, of the squared change and of the squared strain itself. ``(error / size) ** 0.5`` is relative."""
        return {
            rod: {name: (error, size) for name, (is_active, error, size) in zip(STRAINS, strains) if is_active}
            for rod, strains in _elver.mode_study(self._core, is_static)
        }

    # ---- small motions

    def modes(self, state: State | None = None) -> Modes:
        """Natural modes about a state."""
        return modes_from(*_elver.modes(self._core, self._at(state)), self.nv)

    def linearize(
        self, state: State | None = None, inputs: str | Sequence[str] | None = None, outputs: str | Sequence[str] = ()
    ) -> LinearModel:
        """The linear model of small motions about a state. Inputs: names such as ``"shoulder.effort"``, None for all drives
        and actuators; outputs: signals."""
        asked = None if inputs is None else texts(inputs)
        at = self._at(state)
        try:
            A, B, C, D, y, x_names, u_names, y_names = _elver.linearize(self._core, at, asked, texts(outputs))
        except InputError as error:
            raise of_input(error, asked or (), self._core.inputs()) from None
        nx, nu, ny = len(x_names), len(u_names), len(y_names)

        def shaped(part: bytes, *shape: int) -> Array:
            return np.frombuffer(part).reshape(shape).copy()

        return LinearModel(
            shaped(A, nx, nx), shaped(B, nx, nu), shaped(C, ny, nx), shaped(D, ny, nu), shaped(y, ny), x_names, u_names, y_names
        )

    # ---- inverse problems

    def inverse(
        self,
        state: State | None = None,
        *,
        start: float = 0.0,
        duration: float | None = None,
        every: float | None = None,
        signals: str | Sequence[str] | None = None,
    ) -> Inverse:
        """The inverse problem that the model poses, row by row: efforts of joints whose motion is imposed, stresses of rods
        whose strains are, or what brings a tip to its place (``inverse.tip`` of the model file)."""
        if not math.isfinite(start) or (duration is not None and not (math.isfinite(duration) and duration >= 0)):
            raise ValueError("start and duration must be numbers, duration not negative")
        core = self._core
        names = self._names(signals)
        (columns, table, raised), extra, _ = _elver.inverse(
            core, self._start(state)._core, start, -1.0 if duration is None else duration, _positive(every, "every"), names
        )
        return raise_with(Inverse(self, columns, table, core, extra, core.problem()[1]), raised)

    # ---- locomotion

    @property
    def is_imposed(self) -> list[bool]:
        """Which velocities follow an imposed motion (nv)."""
        return self._core.is_imposed()

    def _stokes(self, is_stokes: bool | None) -> bool:
        return bool(self._core.sizes()["stokes"] if is_stokes is None else is_stokes)

    def classify(self, state: State | None = None) -> dict[str, Any]:
        """What a robot whose shape is imposed is free to do: ``kind``, ``root``, its ``group``, numbers of free and imposed
        velocities and of constraints, and the ``reason`` in words."""
        return _elver.classify(self._core, self._at(state))

    def compatibility(self, duration: float, state: State | None = None) -> dict[str, Any]:
        """Whether imposed motions and constraints agree for a while: ``is_compatible``, or the ``constraint`` that would have
        to slip most, when (``t``, s), by how much (``slip``, m/s or rad/s) and the ``reason``."""
        if not (math.isfinite(duration) and duration >= 0):
            raise ValueError("duration must be a number that is not negative")
        at = self._at(state)
        return _elver.compatibility(self._core, at, at.t + duration)

    def projective_torques(self, state: State | None = None) -> tuple[Array, Array]:
        """Efforts of joints (nv), N m and N, by the projective recursion of the thesis, for comparison, and the wrench (6), N m
        first, that it leaves on the root body, in its axes. They are those of the state with its accelerations, and right where
        wheeled bodies are leaves alone; the signal ``NODE.effort`` balances power everywhere. For trees of bodies without rods."""
        tau, left = np.empty(self.nv), np.empty(6)
        _elver.projective_torques(self._core, self._at(state), tau, left)
        return tau, left

    def connection(self, state: State | None = None, *, is_stokes: bool | None = None) -> Array:
        """The connection A (free, imposed), rad and m by the units of what is imposed: free velocities are -A times the imposed
        ones, by momentum or constraints, or by viscous resistance alone (``is_stokes``; None: as ``simulate.connection`` of the model says)."""
        n_imposed = sum(self.is_imposed)
        out = np.empty((self.nv - n_imposed, n_imposed))
        _elver.connection(self._core, self._at(state), self._stokes(is_stokes), out)
        return out

    def curvature(self, i: int, j: int, state: State | None = None, *, is_stokes: bool | None = None) -> Array:
        """Curvature of the connection (free; rad and m by the units of both) for two imposed velocities, counted among imposed
        ones: what a small cycle of shapes moves, for each unit of its area, first along i."""
        out = np.empty(self.nv - sum(self.is_imposed))
        _elver.curvature(self._core, self._at(state), self._stokes(is_stokes), i, j, out)
        return out

    def gait(self, state: State | None = None, *, period: float = 0.0, is_stokes: bool | None = None) -> tuple[Array, float]:
        """Net displacement (4, 4) of the root over one period of what is imposed, and the period, s; 0: it is found."""
        net = np.empty((4, 4))
        is_found = isinstance(period, (int, float)) and period == 0
        given = _positive(None if is_found else period, "period")
        found, _ = _elver.gait(self._core, self._at(state), self._stokes(is_stokes), given, net)
        return net, found

    def gait_dynamics(self, state: State | None = None, *, period: float = 0.0) -> tuple[Array, Array, float]:
        """The same by the dynamics of the robot from the state with its velocities: net displacement (4, 4), m, change of the
        free velocities (free), rad/s and m/s, and the period, s. Where constraints leave something free, as those of a
        snakeboard, it is another one."""
        net, change = np.empty((4, 4)), np.empty(self.nv - sum(self.is_imposed))
        is_found = isinstance(period, (int, float)) and period == 0
        given = _positive(None if is_found else period, "period")
        return net, change, _elver.gait_dynamics(self._core, self._at(state), given, net, change)
