# SPDX-License-Identifier: Apache-2.0
"""Currents of the fluid by callables of Python."""

import numpy as np
import pytest

import elver

RATE = 2.0

# a sphere like the fluid
MODEL = """
elver: 1
fluid: {density: 1000}
tree:
  - body: b
    joint: {free: {position: {xyz: [1, 0, 0]}, velocity: [0, 0, 0, 0, 2, 0]}}
    shape: {sphere: {radius: 0.1}}
    density: 1000
    fluid: {buoyancy: true, drag: [0.01, 0.01, 0.01], added_mass: 1}
simulate: {method: explicit, rel_tol: 1e-10, abs_tol: 1e-10, duration: 1}
"""


def place(model):
    """Where the body is after a second."""
    simulator = model.simulate(dt=0.1)
    for _ in range(10):
        simulator.step()
    return model.pose("b", simulator.state)[:3, 3]


def velocity(t, x):
    """The fluid turns like a rigid body about z."""
    return (-RATE * x[1], RATE * x[0], 0.0)


def whole(t, x):
    """The same with its derivatives."""
    gradient = np.array([[0, -RATE, 0], [RATE, 0, 0], [0, 0, 0]])
    return velocity(t, x), gradient, gradient @ velocity(t, x), gradient @ gradient


@pytest.mark.parametrize("current", [velocity, whole])
def test_vortex(current):
    """The sphere goes round with it: differences err by 1e-10."""
    model = elver.Model(MODEL, laws={"fluid.current": current})
    assert np.allclose(place(model), [np.cos(RATE), np.sin(RATE), 0], atol=1e-7)


def test_law():
    """Laws of the place in the file say the same."""
    model = elver.Model(MODEL.replace("1000}", '1000, current: ["-2*y", "2*x", 0]}', 1))
    assert np.allclose(place(model), [np.cos(RATE), np.sin(RATE), 0], atol=1e-8)


def test_wrong():
    """What a current must not return, what it raises, and models without a fluid."""
    model = elver.Model(MODEL, laws={"fluid.current": lambda t, x: (1.0, 2.0)})
    with pytest.raises(TypeError, match="a current returns its velocity"):
        place(model)

    def raising(t, x):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        place(elver.Model(MODEL, laws={"fluid.current": raising}))
    with pytest.raises(elver.InputError, match="there is no fluid"):
        elver.Model("elver: 1\ntree: [{body: b, mass: 1}]", laws={"fluid.current": velocity})
