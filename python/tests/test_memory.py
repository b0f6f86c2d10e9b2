# SPDX-License-Identifier: Apache-2.0
"""Nothing grows: steps, models, states, trajectories, errors; views outlive what they look into."""

import gc
import resource

import numpy as np
import pytest

import elver
from conftest import ARM

PAGE = resource.getpagesize()


def resident() -> int:
    """Bytes of memory that the process holds now."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def grows(action, n) -> float:
    """Bytes an action by which the process grows, once it has warmed up."""
    for _ in range(max(n // 10, 3)):
        action()
    before = resident()
    for _ in range(n):
        action()
    return (resident() - before) / n


def test_steps_allocate_nothing_that_grows(arm):
    sim = arm.simulate(dt=1e-3, inputs=["loads[0].force.z"])
    u = np.array([0.1])
    assert grows(lambda: sim.step(u), 10000) < 4


def test_objects_are_freed():
    def cycle():
        model = elver.Model.from_yaml(ARM, laws={"loads[0].force.z": lambda t: 0.1})
        sim = model.simulate(inputs=[])
        sim.run(0.02)
        model.statics()

    # the garbage collector runs after some hundred objects: allow it a model of these (about 100 kB)
    assert grows(cycle, 200) < 2000


def test_errors_are_freed():
    def fail():
        with pytest.raises(elver.InputError):
            elver.Model.from_yaml(ARM.replace("length", "lenght"))

    assert grows(fail, 300) < 1000


def test_views_keep_their_owner_alive():
    q = elver.Model.from_yaml(ARM).simulate().state.q
    gc.collect()
    q[:] = 7.0
    assert q.tolist() == [7.0, 7.0, 7.0]
