# SPDX-License-Identifier: Apache-2.0
"""States: everything of a model that changes in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from elver import _elver

# what only types need is not imported
if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
else:
    Array = np.ndarray


def _fill(part: Array, value: ArrayLike, name: str) -> None:
    given = np.asarray(value)
    if np.iscomplexobj(given):
        raise TypeError(f"{name} is made of real numbers, not of complex ones")
    given = given.astype(float)
    if given.shape != part.shape:
        raise ValueError(f"{name} must have the shape {part.shape}, not {given.shape}")
    part[:] = given


class State:
    """Time, coordinates, velocities, accelerations and unknowns of devices.

    The arrays are views: what is written into them is written into the state. ``q`` (nq; rad, m, strains; spherical and
    free joints have quaternions w, x, y, z), ``v`` and ``a`` (nv), ``z`` (nz): tensions, wrenches of loops, integrals; whose
    slice is whose tells :attr:`elver.Model.devices`, and :meth:`elver.Model.reaction` makes wrenches of them.
    """

    __slots__ = ("_core", "_simulator", "_q", "_v", "_a", "_z", "__weakref__")

    def __init__(self, core: _elver.State, simulator: _elver.Simulator | None = None) -> None:
        if not isinstance(core, _elver.State):
            raise TypeError(f"model.state() makes a State, and model.state(q=..., v=...) one with values, not State({type(core).__name__})")
        self._core = core
        self._simulator = simulator
        self._q: Array = np.asarray(core.q)
        self._v: Array = np.asarray(core.v)
        self._a: Array = np.asarray(core.a)
        self._z: Array = np.asarray(core.z)

    @property
    def q(self) -> Array:
        """Coordinates (nq), a view; what is assigned is copied into it."""
        return self._q

    @q.setter
    def q(self, value: ArrayLike) -> None:
        _fill(self._q, value, "q")

    @property
    def v(self) -> Array:
        """Velocities (nv), a view; what is assigned is copied into it."""
        return self._v

    @v.setter
    def v(self, value: ArrayLike) -> None:
        _fill(self._v, value, "v")

    @property
    def a(self) -> Array:
        """Accelerations (nv), a view; what is assigned is copied into it."""
        return self._a

    @a.setter
    def a(self, value: ArrayLike) -> None:
        _fill(self._a, value, "a")

    @property
    def z(self) -> Array:
        """Unknowns of devices (nz), a view; what is assigned is copied into it."""
        return self._z

    @z.setter
    def z(self, value: ArrayLike) -> None:
        _fill(self._z, value, "z")

    @property
    def t(self) -> float:
        """Time, s (in statics: the load)."""
        return self._core.t

    @t.setter
    def t(self, value: float) -> None:
        if self._simulator is None:
            self._core.t = value
        else:
            self._simulator.set_t(value)

    def assign(self, other: State) -> None:
        """Become a copy of another state, with what an integrator remembers of it."""
        if not isinstance(other, State):
            raise TypeError(f"a State is wanted, not {type(other).__name__}")
        # a simulator then knows that nothing was changed by hand
        (self._simulator or self._core).assign(other._core)

    def copy(self) -> State:
        """A copy, with what an integrator remembers of it."""
        return State(self._core.copy())

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a State cannot be pickled, as it belongs to a compiled model: pickle its t, q, v, a and z")

    def reset(self) -> None:
        """Back to the state that the model file gives at t = 0."""
        (self._simulator or self._core).reset()

    def impose(self) -> None:
        """Set joints with an imposed motion to their laws at t, and make quaternions of unit length."""
        (self._simulator or self._core).impose()

    def touch(self) -> None:
        """Tell integrators that the state was changed by hand: they forget what they remember of it."""
        if self._simulator is None:
            self._core.touch()
        else:
            self._simulator.restart()

    def __repr__(self) -> str:
        return f"State(t={self.t:g}, nq={self.q.size}, nv={self.v.size}, nz={self.z.size})"
