# SPDX-License-Identifier: Apache-2.0
"""Objects that a computation writes into are entered by one at a time: what a law sees of them while it is called."""

import subprocess
import sys

import numpy as np
import pytest

import elver
from conftest import ARM
from elver import _elver

FORCE = "loads[0].force.z"


class Guest:
    """A law that tries something within the computation that calls it."""

    def __init__(self):
        self.tries = []
        self.raised = []

    def __call__(self, t):
        for attempt in self.tries:
            try:
                attempt()
                self.raised.append(None)
            except RuntimeError as error:
                self.raised.append(str(error))
        return 0.1

    def check(self, what):
        """Each of them was refused, each time."""
        assert self.raised and all(said is not None and f"is in this {what}" in said for said in self.raised)


def test_the_state_of_a_simulator_within_a_step():
    guest = Guest()
    sim = elver.Model.from_yaml(ARM, laws={FORCE: guest}).simulate()

    def set_time():
        sim.state.t = 7.0

    guest.tries = [set_time, sim.state.impose, sim.state.touch, sim.state.reset]
    assert sim.step() == pytest.approx(0.01)
    guest.check("simulator")
    # and after it all of them go
    guest.tries = []
    set_time()
    sim.state.impose()
    sim.state.touch()
    assert sim.step() == pytest.approx(7.01)
    with pytest.raises(ValueError, match="finite"):
        sim.state.t = float("nan")
    with pytest.raises(TypeError):
        sim.state.t = "now"


def test_a_workspace_within_its_computation():
    guest = Guest()
    model = elver.Model.from_yaml(ARM, laws={FORCE: guest})
    workspace, state = _elver.Workspace(model._core), _elver.State(model._core)
    pose, twist, tau = np.empty((4, 4)), np.empty(6), np.empty(model.nv)
    guest.raised.clear()
    guest.tries = [lambda: workspace.pose("arm.tip", pose), lambda: workspace.twist("arm.tip", twist, False)]
    workspace.idm(state, tau)
    guest.check("workspace")
    workspace.pose("arm.tip", pose)
    assert np.array_equal(pose, model.pose("arm.tip", model.state()))


def test_a_solver_within_its_computation():
    guest = Guest()
    solver = elver.Model.from_yaml(ARM, laws={FORCE: guest}).shooting()
    guest.tries = [solver.report, lambda: solver.tip_wrench]
    solver.solve(0.5)
    guest.check("solver")
    assert solver.report()["load"] == 0.5 and solver.tip_wrench.shape == (6,)


def test_the_end_waits_for_a_page():
    """A thread that writes pages leaves the library when the interpreter ends, and does not come back to it."""
    text = f"""
import os, tempfile, threading, time
import elver
from elver import _elver
run = elver.Model.from_yaml({ARM!r}).simulate(dt=1e-3).run(2)
page = os.path.join(tempfile.mkdtemp(), "page.html")
def write():
    try:
        while True:
            run.save(page)
    finally:
        print("came back")
threading.Thread(target=write, daemon=True).start()
time.sleep(0.3)
_elver.end()
time.sleep(0.5)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
