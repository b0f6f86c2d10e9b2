# SPDX-License-Identifier: Apache-2.0
"""Rods without modes: equilibria of chains by shooting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from elver import _elver
from elver.state import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from elver.dynamics import Dynamics


class Shooting:
    """A solver for a model that is a chain; it starts from the equilibrium that it found last."""

    def __init__(self, model: Dynamics) -> None:
        self.model = model
        self._core = _elver.Shooting(model._core)

    def solve(self, load: float = 0.0) -> None:
        """Find the equilibrium at a load (the value of t in laws)."""
        if not math.isfinite(load):
            raise ValueError("load must be a finite number")
        self._core.solve(load)

    def hold_tip(self, pose: ArrayLike | None) -> None:
        """Hold the tip of the last rod at a pose (4, 4), or its position alone at a point (3), in the world, or let it go
        (None), from the next solution on. Lead it by moves that are small beside the length."""
        if pose is None:
            self._core.hold_tip(None)
            return
        place = np.ascontiguousarray(pose, dtype=float)
        if place.shape not in ((4, 4), (3,)):
            raise ValueError(f"a tip is held at a pose (4, 4) or at a point (3), not {place.shape}")
        if place.ndim == 2 and not np.allclose(place[:3, :3].T @ place[:3, :3], np.eye(3), atol=1e-9):
            raise ValueError("the axes of a pose must be of unit length and at right angles")
        self._core.hold_tip(place)

    def report(self) -> dict[str, Any]:
        """What was done so far: numbers of ``segments``, ``steps`` along them, ``increments`` of the load, Newton ``iterations``,
        ``shots`` and ``halvings``; ``last_iterations``, ``last_residual`` (relative) and ``space_error`` (relative, of the steps) of
        the last equilibrium, and its ``load``."""
        return self._core.report()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Shooting cannot be pickled or copied: make another one")

    @property
    def tip_wrench(self) -> Array:
        """Wrench by which a held tip is held: moment (N m), force (N), in the axes of its section (6)."""
        out = np.empty(6)
        self._core.tip_wrench(out)
        return out

    def sections(self, rod: str, stations: Sequence[float] | Array) -> tuple[Array, Array, Array]:
        """Poses (n, 4, 4), strains (n, 6) and internal wrenches (n, 6) at stations from 0 to 1 of a rod."""
        index, place = self.model._stations(rod, stations)
        out = np.empty((place.size, 28))
        for i, s in enumerate(place):
            self._core.section(index, float(s), out[i])
        return out[:, :16].reshape(-1, 4, 4), out[:, 16:22], out[:, 22:]
