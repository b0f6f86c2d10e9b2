# SPDX-License-Identifier: Apache-2.0
"""Elements of a tree as Python values, for :meth:`elver.Model.build`."""

from __future__ import annotations

from typing import Any


def _element(kind: str, name: str, keys: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(name, str):
        raise TypeError(f"a name is a text, not {type(name).__name__}")
    return {kind: name, **{key: value for key, value in keys.items() if value is not None}}


def rod(
    name: str,
    *,
    parent: str | None = None,
    pose: Any = None,
    joint: Any = None,
    length: Any = None,
    section: Any = None,
    material: Any = None,
    stiffness: Any = None,
    inertia: Any = None,
    damping: Any = None,
    strain: Any = None,
    basis: Any = None,
    nodes: Any = None,
    elements: Any = None,
    reference: Any = None,
    initial: Any = None,
    initial_rate: Any = None,
    motion: Any = None,
    follow: Any = None,
    space: Any = None,
    volume: Any = None,
    resistance: Any = None,
    added_inertia: Any = None,
    fluid: Any = None,
) -> dict[str, Any]:
    """A rod of a tree. Keys and values are those of the model format; numbers may be formulas, as text. None: not given.

    ``length`` in m; ``section``: ``{"circle": {"diameter": 0.02}}``, ``{"rectangle": {"y": 0.02, "z": 0.01}}``, ``tube``,
    ``ellipse``; ``material``: ``{"density": 1100, "young": 5e6, "poisson": 0.5, "damping": 0.01}`` (kg/m³, Pa, -, s) or a name; or
    ``stiffness``, ``inertia`` and ``damping`` of the section; ``strain``: which strains move, with how many modes (``{"bend_y":
    3}``, ``{"kirchhoff": 3}``); ``basis`` of the modes; ``elements``; ``parent``: the frame it starts from (``"base"``, ``"arm.tip"``;
    default the world), ``pose`` there and ``joint`` (default fixed); ``reference`` strains at rest, ``initial`` and ``initial_rate``;
    ``motion``: strains that laws of t and s impose, or ``follow``; ``volume``, ``resistance``, ``added_inertia``, ``fluid``; ``nodes``
    and ``space`` of the quadrature.
    """
    return _element("rod", name, {key: value for key, value in locals().items() if key != "name"})


def body(
    name: str,
    *,
    parent: str | None = None,
    pose: Any = None,
    joint: Any = None,
    body_pose: Any = None,
    mass: Any = None,
    center: Any = None,
    inertia: Any = None,
    shape: Any = None,
    density: Any = None,
    resistance: Any = None,
    added_inertia: Any = None,
    fluid: Any = None,
    unphysical: bool | None = None,
) -> dict[str, Any]:
    """A rigid body of a tree. Keys and values are those of the model format; numbers may be formulas, as text. None: not given.

    ``mass`` in kg, ``center`` of mass (3, m), ``inertia`` about it (3 or 6, kg m²); or a ``shape`` (``{"box": {"size": [0.1, 0.1,
    0.1]}}``, ``sphere``, ``cylinder``, ``capsule``, ``ellipsoid``) with a ``density``, kg/m³; ``parent``: the frame it hangs on
    (``"base"``, ``"arm.tip"``; default the world), ``pose`` there, ``joint`` (``"free"``, ``{"revolute": {"axis": "y"}}``; default fixed) and
    ``body_pose`` beyond it; ``resistance``, ``added_inertia``, ``fluid``; ``unphysical``: an inertia that no body has is meant.
    """
    return _element("body", name, {key: value for key, value in locals().items() if key != "name"})
