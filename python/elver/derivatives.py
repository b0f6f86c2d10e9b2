# SPDX-License-Identifier: Apache-2.0
"""Derivatives at a state, and configurations as points of a manifold: the part of :class:`elver.Model` that differentiates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from elver import _elver
from elver.dynamics import Dynamics, texts
from elver.errors import InputError
from elver.hints import of_input
from elver.state import Array, State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def _vector(value: ArrayLike, n: int, what: str) -> Array:
    found = np.ascontiguousarray(value, dtype=float)
    if found.shape != (n,):
        raise ValueError(f"{what} must have the shape ({n},), not {found.shape}")
    return found


class Derivatives(Dynamics):
    """What changes at a state. Methods without a state use the initial one."""

    # ---- configurations

    def integrate(self, q: ArrayLike, d: ArrayLike) -> Array:
        """The configuration (nq) that a displacement d (nv) leads to from q: what constant velocities d do in a unit of time,
        so ``integrate(q, dt * v)`` is a step. Coordinates add; spherical joints turn, and free joints move along a screw, in
        their own axes, and quaternions stay of unit length."""
        out = np.empty(self.nq)
        with self._pool.take() as work:
            work.configuration(_vector(q, self.nq, "q"), _vector(d, self.nv, "d"), out, False)
        return out

    def difference(self, q: ArrayLike, q_end: ArrayLike) -> Array:
        """The displacement (nv; rad, m, strains) that leads from q to q_end: ``integrate(q, difference(q, q_end))`` is q_end,
        up to the sign of quaternions, by the shortest turn."""
        out = np.empty(self.nv)
        with self._pool.take() as work:
            work.configuration(_vector(q, self.nq, "q"), _vector(q_end, self.nq, "q_end"), out, True)
        return out

    # ---- inverse dynamics

    def idm_derivatives(self, state: State | None = None) -> tuple[Array, Array, Array]:
        """Derivatives of :meth:`idm`, exact: by displacements (see :meth:`integrate`), by velocities and by accelerations (the
        mass matrix), each (nv, nv), row i that of effort i, N m and N for each unit of q, v and a. Unknowns of devices are
        held; columns of the first two that belong to imposed motions are zero."""
        d_q, d_v, d_a = (np.empty((self.nv, self.nv)) for _ in range(3))
        with self._pool.take() as work:
            work.idm_derivatives(self._at(state), d_q, d_v, d_a)
        return d_q, d_v, d_a

    def actuation_matrix(self, state: State | None = None, inputs: str | Sequence[str] | None = None) -> Array:
        """Efforts for each unit of inputs (nv, inputs), N m and N a unit: a change du of the inputs adds ``B @ du`` to
        :meth:`internal_efforts`, or, of loads, takes it from :meth:`idm`. Inputs as for :meth:`Model.linearize`; those of tendons of
        given length act by unknowns of their own, and have a column of zeros."""
        asked = None if inputs is None else texts(inputs)
        at = self._at(state)
        try:
            B, names = _elver.actuation(self._core, at, asked)
        except InputError as error:
            raise of_input(error, asked or (), self._core.inputs()) from None
        return np.frombuffer(B).reshape(self.nv, len(names)).copy()

    # ---- frames

    def acceleration(self, frame: str, state: State | None = None, *, axes: str = "body") -> Array:
        """Acceleration of a frame with the accelerations ``a`` of the state: angular (rad/s²), then of its origin (m/s²): (6), in its
        own axes ("body") or in those of the world ("world"). It is ``jacobian @ a`` and what velocities add."""
        rate, twist = np.empty(6), np.empty(6)
        at = self._at(state)
        with self._framed(frame) as work:
            work.kinematics(at)
            work.twist(frame, rate, True)
            work.twist(frame, twist, False)
            rate[3:] += np.cross(twist[:3], twist[3:])
            if not self._is_world(axes):
                return rate
            R = self._axes(work, frame)
        return np.concatenate([R @ rate[:3], R @ rate[3:]])

    def center_jacobian(self, state: State | None = None) -> Array:
        """Jacobian of the centre of mass (3, nv): its velocity, m/s, in world axes, is ``J @ v``."""
        out = np.empty((3, self.nv))
        with self._pool.take() as work:
            work.constraints(self._at(state), -2, out)
        return out

    # ---- constraints

    @property
    def constraints(self) -> list[str]:
        """Names of what each row of the constraints belongs to: loops, sliders, contacts, wheels, couplings ... (n)."""
        devices = self.devices
        return [devices[i]["name"] for i in self._core.constraints()]

    def constraint_jacobian(self, state: State | None = None) -> Array:
        """Jacobian of the constraints (n, nv), a row for each of :attr:`constraints`: rates of their defects, m/s and rad/s, are
        ``J @ v``, but for what laws of time add. Constraint forces act along its rows. Rows of contacts that do not act,
        and columns of imposed motions, are zero."""
        out = np.empty((len(self._core.constraints()), self.nv))
        with self._pool.take() as work:
            work.constraints(self._at(state), -1, out)
        return out

    def constraint_defects(self, state: State | None = None, *, order: int = 0) -> Array:
        """How far constraints are from being kept (n), m and rad; ``order`` 1 and 2: the first and second derivative of that by
        time. All are zero on a motion; constraints on velocities have no defect of order 0."""
        if order not in (0, 1, 2):
            raise ValueError("order must be 0, 1 or 2")
        out = np.empty(len(self._core.constraints()))
        with self._pool.take() as work:
            work.constraints(self._at(state), order, out)
        return out
