# SPDX-License-Identifier: Apache-2.0
"""Small motions: natural modes and linear models."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from elver.state import Array

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Modes:
    """Natural modes, rigid ones first, then by frequency."""

    frequency: Array  #: Hz (n)
    damping: Array  #: ratio; below 0 where the motion grows (n)
    eigenvalue: NDArray[np.complex128]  #: 1/s, one of a pair (n)
    is_rigid: NDArray[np.bool_]  #: nothing resists the motion (n)
    shape: NDArray[np.complex128]  #: velocities of unit modal mass (n, nv)

    def __len__(self) -> int:
        return int(self.frequency.size)

    def __repr__(self) -> str:
        return f"Modes({len(self)}, frequency={np.array2string(self.frequency, precision=4, threshold=6)} Hz)"


@dataclass(frozen=True)
class LinearModel:
    """x' = A x + B u, y = C x + D u for small deviations from a state; y0 are the outputs there. With n states, m inputs and p
    outputs, each entry in the unit of its row over that of its column: of A, and for rates, by s."""

    A: Array  #: (n, n)
    B: Array  #: (n, m)
    C: Array  #: (p, n)
    D: Array  #: (p, m)
    y0: Array  #: outputs at the state, in the units of the signals (p)
    states: list[str]  #: names: coordinates (rad, m, strains), their rates, and unknowns of devices that have rates (n)
    inputs: list[str]  #: names, in the units of ``model.inputs`` (m)
    outputs: list[str]  #: columns of signals (p)
    dt: float = 0.0  #: of a discrete one, x[k + 1] = A x[k] + B u[k], s; 0: continuous in time

    def discretize(self, dt: float) -> LinearModel:
        """The discrete model x[k + 1] = A x[k] + B u[k] of steps dt, s, exact for inputs that are held over each step: the
        exponential of dt [A B; 0 0]. Outputs stay as they are."""
        if self.dt:
            raise ValueError(f"this model is discrete already, of steps {self.dt:g} s")
        if not (math.isfinite(dt) and dt > 0):
            raise ValueError("dt must be a positive number")
        nx, nu = len(self.states), len(self.inputs)
        whole = np.zeros((nx + nu, nx + nu))
        whole[:nx, :nx], whole[:nx, nx:] = dt * self.A, dt * self.B
        step = exponential(whole)
        return replace(self, A=step[:nx, :nx].copy(), B=step[:nx, nx:].copy(), dt=float(dt))

    def __repr__(self) -> str:
        step = f", dt={self.dt:g}" if self.dt else ""
        return f"LinearModel({len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs{step})"


def exponential(X: Array) -> Array:
    """exp(X) of a square matrix, by squaring exp(X / 2^k), |X / 2^k| <= 1/2, whose diagonal Padé quotient of order 8 is good to
    rounding; rows and columns are brought to like sizes first."""
    n = X.shape[0]
    scale = np.ones(n)
    balanced = X.copy()
    for _ in range(20):
        changed = False
        for i in range(n):
            c = float(np.abs(np.delete(balanced[:, i], i)).sum())
            r = float(np.abs(np.delete(balanced[i], i)).sum())
            if c == 0 or r == 0:
                continue
            f = 2.0 ** round(0.5 * math.log2(r / c))
            if f != 1.0 and c * f + r / f < 0.95 * (c + r):
                balanced[:, i] *= f
                balanced[i] /= f
                scale[i] *= f
                changed = True
        if not changed:
            break
    size = float(np.linalg.norm(balanced, 1)) if n else 0.0
    k = max(0, math.ceil(math.log2(size)) + 1) if size > 0 else 0
    small = balanced / 2.0**k
    top = bottom = term = np.eye(n)
    for j in range(1, 9):
        term = small @ term * ((9 - j) / (j * (17 - j)))
        top, bottom = top + term, bottom + (-1) ** j * term
    result: Array = np.asarray(np.linalg.solve(bottom, top), dtype=np.float64)
    for _ in range(k):
        result = result @ result
    return scale[:, None] * result / scale


def modes_from(rows: list[tuple[float, float, float, float, bool]], re: bytes, im: bytes, nv: int) -> Modes:
    """Modes from what the extension returns."""
    table = np.array([row[:4] for row in rows], dtype=float).reshape(-1, 4)
    shape = np.frombuffer(re).reshape(-1, nv) + 1j * np.frombuffer(im).reshape(-1, nv)
    is_rigid = np.array([row[4] for row in rows], dtype=bool)
    return Modes(table[:, 0], table[:, 1], table[:, 2] + 1j * table[:, 3], is_rigid, shape)
