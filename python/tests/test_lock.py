# SPDX-License-Identifier: Apache-2.0
"""The lock of the interpreter is free while the library works. (What a step and an import cost: bench/python_step.py.)"""

import threading
import time

import numpy as np
import pytest

import elver
from conftest import ARM


@pytest.mark.parametrize("name", ["run", "controller", "statics_path"])
def test_the_lock_is_free_while_the_library_works(name):
    """A thread that ticks goes on ticking; it would wait for all of the work if the lock were held."""
    model = elver.Model.from_yaml(ARM.replace("bend_y: 3", "bend_y: 8"))
    # a controller is called a few times only
    sim = model.simulate(dt=0.02, method="explicit", inputs=["loads[0].force.z"], controller=lambda t, state: [0.1])
    work = {
        "run": lambda: model.simulate(dt=1e-4).run(1.0),
        "controller": lambda: sim.run(0.06, every=0.02),
        "statics_path": lambda: model.statics_path(np.linspace(0, 1, 3000)),
    }[name]
    thread = threading.Thread(target=work)
    ticks = [time.monotonic()]
    thread.start()
    while thread.is_alive():
        time.sleep(1e-3)
        ticks.append(time.monotonic())
    thread.join()
    assert ticks[-1] - ticks[0] > 0.02, "the work is too short to tell"
    assert len(ticks) > 5
