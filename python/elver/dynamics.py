# SPDX-License-Identifier: Apache-2.0
"""Kinematics and dynamics of a model at a state: the part of :class:`elver.Model` that evaluates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from elver import _elver
from elver.errors import Error
from elver.hints import nearest, of_frame, reword
from elver.state import Array, State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_WRENCHES = {
    "loop": "wrench",
    "constraint": "wrench",
    "contact": "wrench",
    "slider": "force",
    "rolling": "force",
    "wheel": "force",
    "coupling": "effort",
}


def texts(names: str | Sequence[str]) -> list[str]:
    """Names as a list; one alone stands for itself."""
    return [names] if isinstance(names, str) else list(names)


class Pool:
    """Workspaces of a compiled model: one for each computation under way, be it in another thread or within a law."""

    def __init__(self, core: _elver.Model) -> None:
        self.core = core
        self._idle: list[_elver.Workspace] = []

    @contextmanager
    def take(self) -> Iterator[_elver.Workspace]:
        try:
            work = self._idle.pop()
        except IndexError:
            work = _elver.Workspace(self.core)
        try:
            yield work
        finally:
            self._idle.append(work)


def _turned(R: Array, six: Array) -> Array:
    """Two vectors, or two blocks of rows, in the axes that R turns them to."""
    return np.concatenate([R @ six[:3], R @ six[3:]])


class Dynamics:
    """What a model does at a state. Methods without a state use the initial one."""

    _pool: Pool

    # ---- given by the model

    @property
    def _core(self) -> _elver.Model:
        return self._pool.core

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return int(self._core.sizes()["nq"])

    @property
    def nv(self) -> int:
        """Number of velocities: degrees of freedom."""
        return int(self._core.sizes()["nv"])

    @property
    def nz(self) -> int:
        """Number of unknowns of devices."""
        return int(self._core.sizes()["nz"])

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """Bodies and rods in the order of the tree: ``name``, ``parent``, ``is_rod``, ``joint``, slices ``q`` and ``v`` (first,
        number), ``mass`` (kg), ``length`` (m), ``modes`` (of the six strains)."""
        return self._core.nodes()

    @property
    def devices(self) -> list[dict[str, Any]]:
        """Tendons, chambers, muscles, loops, wheels ...: ``kind``, ``name``, slice ``z`` (first, number), ``rows`` (number of
        constraints on the motion). What constraints exert: :meth:`reaction`."""
        return self._core.devices()

    def state(self, *, t: float | None = None, q: ArrayLike | None = None, v: ArrayLike | None = None) -> State:
        """A new state: that of the model file at t = 0, but for what is given."""
        state = State(_elver.State(self._core))
        state.t = state.t if t is None else t
        state.q = state.q if q is None else q
        state.v = state.v if v is None else v
        return state

    def copy_state(self, state: State) -> State:
        """A copy of a state."""
        copy = self.state()
        copy.assign(state)
        return copy

    @staticmethod
    def _given(state: State) -> _elver.State:
        if not isinstance(state, State):
            raise TypeError(f"a State is wanted, not {type(state).__name__}")
        return state._core

    def _at(self, state: State | None) -> _elver.State:
        return _elver.State(self._core) if state is None else self._given(state)

    # ---- vectors and matrices of the whole model

    def idm(self, state: State | None = None) -> Array:
        """Inverse dynamics M a + c - Q_ext (nv), N m and N: gravity and loads count, springs, elasticity, damping and
        actuators do not."""
        out = np.empty(self.nv)
        with self._pool.take() as work:
            work.idm(self._at(state), out)
        return out

    def bias(self, state: State | None = None) -> Array:
        """Inverse dynamics at zero acceleration (nv), N m and N."""
        out = np.empty(self.nv)
        with self._pool.take() as work:
            work.bias(self._at(state), out)
        return out

    def internal_efforts(self, state: State | None = None) -> Array:
        """Actuation less elasticity, springs and damping (nv), N m and N."""
        out = np.empty(self.nv)
        with self._pool.take() as work:
            work.internal_efforts(self._at(state), out)
        return out

    def residual(self, state: State | None = None) -> Array:
        """Residual of the dynamics, ``idm - internal_efforts`` (nv), N m and N: zero on a motion, and the effort of the drive
        where a motion is imposed."""
        out = np.empty(self.nv)
        with self._pool.take() as work:
            work.residual(self._at(state), out)
        return out

    def drive_efforts(self, state: State | None = None) -> Array:
        """Efforts of the drives (nv), N m and N: laws of motors, controllers, and what imposed motions need."""
        out = np.empty(self.nv)
        at = self._at(state)
        with self._pool.take() as work:
            work.idm(at, out)
            work.drive_efforts(at, out)
        return out

    def mass_matrix(self, state: State | None = None) -> Array:
        """Mass matrix (nv, nv): efforts (N m and N; of strains N m² and N m) by accelerations (rad/s², m/s²; of strains 1/s² by
        their unit), so that kg m² between angles, kg between lengths, kg m across."""
        out = np.empty((self.nv, self.nv))
        with self._pool.take() as work:
            work.mass_matrix(self._at(state), out)
        return out

    def forward_dynamics(self, state: State) -> Array:
        """Accelerations (nv), rad/s² and m/s², which are written into the state as well."""
        with self._pool.take() as work:
            work.forward_dynamics(self._given(state))
        return state.a.copy()

    def tangent(self, state: State | None = None) -> tuple[Array, Array, Array]:
        """M, D, K of the linearised motion M x'' + D x' + K x = 0 about a state, each (nv, nv): efforts (N m, N) by
        accelerations, velocities and displacements (rad, m): kg m² and kg, N m s and N s/m, N m and N/m."""
        M, D, K = (np.empty((self.nv, self.nv)) for _ in range(3))
        with self._pool.take() as work:
            work.tangent(self._at(state), M, D, K)
        return M, D, K

    # ---- many states at once

    def idm_many(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: float = 0.0) -> Array:
        """:meth:`idm` at many states, in one call that leaves other threads free: q (n, nq), v and a (n, nv) give (n, nv)."""
        return self._many("idm", q, v, a, t)

    def residual_many(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: float = 0.0) -> Array:
        """:meth:`residual` at many states: q (n, nq), v and a (n, nv) give (n, nv). Unknowns of devices are those at rest."""
        return self._many("residual", q, v, a, t)

    def _many(self, name: str, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: float) -> Array:
        rows = [np.ascontiguousarray(part, dtype=float) for part in (q, v, a)]
        n = rows[0].shape[0] if rows[0].ndim == 2 else -1
        for part, size, what in zip(rows, (self.nq, self.nv, self.nv), "qva"):
            if part.shape != (n, size):
                raise ValueError(f"{what} must have the shape (n, {size}), not {part.shape}")
        out = np.empty((n, self.nv))
        scratch = self.state()
        scratch.t = t
        with self._pool.take() as work:
            work.many(name, scratch._core, n, rows[0], rows[1], rows[2], out)
        return out

    # ---- frames

    @contextmanager
    def _framed(self, frame: str) -> Iterator[_elver.Workspace]:
        """A workspace to ask for a frame, which must be the name of one."""
        if not isinstance(frame, str):
            raise TypeError(f"the name of a frame comes first, then the state: 'arm.tip', not {type(frame).__name__}")
        try:
            with self._pool.take() as work:
                yield work
        except Error as error:
            raise of_frame(error, frame, self.nodes) from None

    def pose(self, frame: str, state: State | None = None) -> Array:
        """Pose of a frame in the world: (4, 4), homogeneous, m."""
        out = np.empty((4, 4))
        with self._framed(frame) as work:
            work.kinematics(self._at(state))
            work.pose(frame, out)
        return out

    def poses(self, frames: str | Sequence[str] | None = None, state: State | None = None) -> Array:
        """Poses of frames in the world: (n, 4, 4), homogeneous, m. Without frames: of every node, bodies and tips of rods, in
        the order of :attr:`nodes`."""
        if frames is None:
            frames = [f"{node['name']}.tip" if node["is_rod"] else node["name"] for node in self.nodes]
        frames = texts(frames)
        out = np.empty((len(frames), 4, 4))
        with self._pool.take() as work:
            work.kinematics(self._at(state))
            for i, frame in enumerate(frames):
                try:
                    work.pose(frame, out[i])
                except Error as error:
                    raise of_frame(error, frame, self.nodes) from None
        return out

    def twist(self, frame: str, state: State | None = None, *, axes: str = "body") -> Array:
        """Twist of a frame: angular (rad/s), then linear velocity of its origin (m/s): (6), in its own axes ("body") or in
        those of the world ("world")."""
        out = np.empty(6)
        at = self._at(state)
        with self._framed(frame) as work:
            work.kinematics(at)
            work.twist(frame, out, False)
            return _turned(self._axes(work, frame), out) if self._is_world(axes) else out

    def jacobian(self, frame: str, state: State | None = None, *, axes: str = "body") -> Array:
        """Jacobian of that twist by the velocities: (6, nv), angular rows first, in the axes of the frame ("body") or of the
        world ("world")."""
        out = np.empty((6, self.nv))
        at = self._at(state)
        with self._framed(frame) as work:
            work.kinematics(at)
            work.jacobian(at, frame, out)
            return _turned(self._axes(work, frame), out) if self._is_world(axes) else out

    @staticmethod
    def _is_world(axes: str) -> bool:
        if axes not in ("body", "world"):
            raise ValueError(f"axes must be 'body' or 'world', not {axes!r}")
        return axes == "world"

    @staticmethod
    def _axes(work: _elver.Workspace, frame: str) -> Array:
        pose = np.empty((4, 4))
        work.pose(frame, pose)
        return pose[:3, :3]

    # ---- rods

    def sections(self, rod: str, stations: Sequence[float] | Array, state: State | None = None) -> tuple[Array, Array, Array]:
        """Poses (n, 4, 4), strains (n, 6) and internal wrenches (n, 6) of a rod at stations from 0 to 1. Strains: twist, both
        bendings (1/m), stretch, both shears; wrenches: moment (N m), force (N), in the axes of the section."""
        at = self._at(state)
        index, place = self._stations(rod, stations)
        out = np.empty((place.size, 28))
        with self._pool.take() as work:
            work.idm(at, np.empty(self.nv))
            for i, s in enumerate(place):
                work.section(at, index, float(s), out[i])
        return out[:, :16].reshape(-1, 4, 4), out[:, 16:22], out[:, 22:]

    def _stations(self, rod: str, stations: Sequence[float] | Array) -> tuple[int, Array]:
        """Index of a rod among the nodes, and stations on it."""
        nodes = self.nodes
        rods = [node["name"] for node in nodes if node["is_rod"]]
        if rod not in rods:
            raise KeyError(f"no rod '{rod}'{nearest(str(rod), rods) or '; there are: ' + (', '.join(rods) or 'none')}")
        place = np.asarray(stations, dtype=float)
        if place.ndim != 1 or not np.all((place >= 0) & (place <= 1)):
            raise ValueError("stations must be a list of numbers from 0 to 1")
        return [node["name"] for node in nodes].index(rod), place

    # ---- signals and sums

    def evaluate(self, names: str | Sequence[str], state: State | None = None) -> Array:
        """Signals at a state, as columns one after the other (columns), each in its own unit: ``model.evaluate("arm.tip.position",
        state)`` are three numbers in m."""
        return np.frombuffer(self._signals(texts(names), state)[1]).copy()

    def _signals(self, names: list[str], state: State | None) -> tuple[list[tuple[str, str]], bytes]:
        """Columns of signals, and their values."""
        with self._pool.take() as work:
            try:
                return work.signals(self._at(state), names)
            except Error as error:
                raise reword(error, str(error).removeprefix("record: ")) from None

    def reaction(self, name: str, state: State) -> Array:
        """What a constraint exerts at a state that a run, statics or :meth:`Model.close_loops` has left.

        Loops, and constraints on velocities: wrench (6), moment (N m), force (N), of the first frame on the second, about the
        origin of the second, in world axes. Contacts of rods: wrench (6) on the rod, in the axes of the section. Sliders:
        force (3) on the rod, and rolling wheels: of the plane on the wheel, in world axes. Wheels: force (2) of the ground
        along the axis and ahead. Couplings: effort (1).
        """
        kinds = {device["name"]: device["kind"] for device in self.devices if device["kind"] in _WRENCHES}
        if name not in kinds:
            raise KeyError(f"no constraint '{name}'; there are: {', '.join(kinds) or 'none'}")
        return self.evaluate(f"{kinds[name]}.{name}.{_WRENCHES[kinds[name]]}", state)

    def reactions(self, state: State) -> dict[str, Array]:
        """:meth:`reaction` of every constraint, by name."""
        return {device["name"]: self.reaction(device["name"], state) for device in self.devices if device["kind"] in _WRENCHES}

    def energy(self, state: State | None = None) -> dict[str, float]:
        """Kinetic, elastic and gravity energy, J."""
        at = self._at(state)
        with self._pool.take() as work:
            work.kinematics(at)
            return dict(zip(("kinetic", "elastic", "gravity"), work.energy(at)))

    def powers(self, state: State | None = None) -> dict[str, float]:
        """Powers, W: the sum of energies grows by actuators + loads - dissipated - fluid."""
        at = self._at(state)
        with self._pool.take() as work:
            return dict(zip(("actuators", "loads", "dissipated", "fluid"), work.powers(at)))

    def momentum(self, state: State | None = None) -> dict[str, Any]:
        """``linear`` (3, kg m/s) and ``angular`` momentum (3, kg m²/s, about the origin) in world axes, ``center`` of mass
        (3, m), ``mass`` (kg)."""
        out = np.empty(10)
        at = self._at(state)
        with self._pool.take() as work:
            work.kinematics(at)
            work.momentum(at, out)
        return {"linear": out[:3], "angular": out[3:6], "center": out[6:9], "mass": float(out[9])}
