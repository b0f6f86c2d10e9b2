# SPDX-License-Identifier: Apache-2.0
"""Small motions: natural modes and linear models."""

from __future__ import annotations

from dataclasses import dataclass
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
    """x' = A x + B u, y = C x + D u for small deviations from a state; y0 are the outputs there."""

    A: Array
    B: Array
    C: Array
    D: Array
    y0: Array
    states: list[str]
    inputs: list[str]
    outputs: list[str]

    def __repr__(self) -> str:
        return f"LinearModel({len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs)"


def modes_from(rows: list[tuple[float, float, float, float, bool]], re: bytes, im: bytes, nv: int) -> Modes:
    """Modes from what the extension returns."""
    table = np.array([row[:4] for row in rows], dtype=float).reshape(-1, 4)
    shape = np.frombuffer(re).reshape(-1, nv) + 1j * np.frombuffer(im).reshape(-1, nv)
    is_rigid = np.array([row[4] for row in rows], dtype=bool)
    return Modes(table[:, 0], table[:, 1], table[:, 2] + 1j * table[:, 3], is_rigid, shape)
