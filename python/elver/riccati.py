# SPDX-License-Identifier: Apache-2.0
"""Inverse dynamics of chains without modes: accelerations, wrenches and what actuators must give along rods, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from elver import _elver
from elver.state import Array, State

if TYPE_CHECKING:
    from elver.dynamics import Dynamics


class Sections(NamedTuple):
    """Sections of a motion, n stations; vectors are in the axes of the section, angular before linear."""

    pose: Array  #: in the world (n, 4, 4)
    strain: Array  #: (n, 6), 1/m and -
    velocity: Array  #: (n, 6), rad/s and m/s
    acceleration: Array  #: rate of the velocity in these axes (n, 6), rad/s² and m/s²
    wrench: Array  #: internal moment and force (n, 6), N m and N
    actuation: Array  #: stress that actuators must add to elasticity and damping, of free strains (n, 6), N m and N


class Riccati:
    """A solver for a model that is a chain of rods and bodies; it remembers the last motion that it was given."""

    def __init__(self, model: Dynamics, steps: int = 0) -> None:
        if steps < 0:
            raise ValueError("steps must not be negative; 0: 32")
        self.model = model
        self._core = _elver.Riccati(model._core, steps)

    def solve(self, state: State, *, is_root_free: bool = False) -> None:
        """Take the motion of a state: its strains are those of its modes. ``is_root_free``: accelerations of the joint at the root
        are not those of the state but follow."""
        self._core.solve(self.model.copy_state(state)._core, is_root_free)

    def solve_imposed(self, t: float, *, is_static: bool = False) -> None:
        """Take the strains that the model imposes on its rods (``motion``) at a time, s, with the joint at the root as the model
        starts, or as a motion imposes it; ``is_static``: nothing moves, and t is a load."""
        if not np.isfinite(t):
            raise ValueError("t must be a finite number")
        self._core.solve_imposed(t, is_static)

    @property
    def root(self) -> tuple[Array, Array]:
        """Accelerations of the joint at the root, given or found, and what its drive must deliver beside springs, damping and laws
        (nv of that joint; rad/s² and m/s², N m and N)."""
        a, effort, _ = self._core.root()
        node = self.model.nodes[0]
        n = 0 if node["is_rod"] else node["v"][1]
        return np.frombuffer(a)[:n].copy(), np.frombuffer(effort)[:n].copy()

    @property
    def defect(self) -> float:
        """How far the passes along the rods disagree, relative to the largest wrench: an estimate of the error of the steps."""
        return self._core.root()[2]

    def sections(self, rod: str, stations: Sequence[float] | Array) -> Sections:
        """Sections of a rod at stations from 0 to 1."""
        index, place = self.model._stations(rod, stations)
        out = np.empty((place.size, 46))
        for i, s in enumerate(place):
            self._core.section(index, float(s), out[i])
        return Sections(out[:, :16].reshape(-1, 4, 4), *(out[:, i : i + 6] for i in range(16, 46, 6)))

    def tensions(self) -> tuple[dict[str, float], float, float]:
        """Tensions (N) and pressures (Pa), none below zero, by the names of tendons and chambers, that come nearest to the stress
        that the motion needs; the size of that stress, and of what they cannot give."""
        found, wanted, left = self._core.tensions()
        devices = zip(self.model.devices, np.frombuffer(found))
        return {d["name"]: float(u) for d, u in devices if d["kind"] in ("tendon", "chamber")}, wanted, left

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Riccati solver cannot be pickled or copied: make another one")
