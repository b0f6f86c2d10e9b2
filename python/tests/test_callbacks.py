# SPDX-License-Identifier: Apache-2.0
"""Laws of Python that raise, call back, or never end; threads, copies, garbage and the end of the interpreter."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import elver
from conftest import ARM

FORCE = "loads[0].force.z"


class Switch:
    """A law that raises while it is on."""

    def __init__(self):
        self.is_on = False

    def __call__(self, t):
        if self.is_on:
            raise RuntimeError("enough")
        return 0.1


# what may call a law: a function of a model, a state, a simulator and a folder
ENTRIES = {
    "inputs": lambda m, s, sim, folder: m.inputs,
    "compile": lambda m, s, sim, folder: m.compile(),
    "state": lambda m, s, sim, folder: m.state(),
    "reset": lambda m, s, sim, folder: s.reset(),
    "impose": lambda m, s, sim, folder: s.impose(),
    "copy": lambda m, s, sim, folder: s.copy(),
    "idm": lambda m, s, sim, folder: m.idm(s),
    "bias": lambda m, s, sim, folder: m.bias(s),
    "residual": lambda m, s, sim, folder: m.residual(s),
    "internal_efforts": lambda m, s, sim, folder: m.internal_efforts(s),
    "drive_efforts": lambda m, s, sim, folder: m.drive_efforts(s),
    "mass_matrix": lambda m, s, sim, folder: m.mass_matrix(s),
    "forward_dynamics": lambda m, s, sim, folder: m.forward_dynamics(s),
    "tangent": lambda m, s, sim, folder: m.tangent(s),
    "idm_many": lambda m, s, sim, folder: m.idm_many(*np.zeros((3, 4, 3))),
    "pose": lambda m, s, sim, folder: m.pose("arm.tip", s),
    "jacobian": lambda m, s, sim, folder: m.jacobian("arm.tip", s),
    "sections": lambda m, s, sim, folder: m.sections("arm", [0.5], s),
    "evaluate": lambda m, s, sim, folder: m.evaluate("energy", s),
    "energy": lambda m, s, sim, folder: m.energy(s),
    "powers": lambda m, s, sim, folder: m.powers(s),
    "momentum": lambda m, s, sim, folder: m.momentum(s),
    "statics": lambda m, s, sim, folder: m.statics(0.0, s),
    "statics_path": lambda m, s, sim, folder: m.statics_path([0, 1]),
    "continuation": lambda m, s, sim, folder: m.continuation([0, 1], max_points=5),
    "stability": lambda m, s, sim, folder: m.stability(s),
    "modes": lambda m, s, sim, folder: m.modes(s),
    "linearize": lambda m, s, sim, folder: m.linearize(s, outputs=["energy"]),
    "close_loops": lambda m, s, sim, folder: m.close_loops(s),
    "classify": lambda m, s, sim, folder: m.classify(s),
    "compatibility": lambda m, s, sim, folder: m.compatibility(0.1, s),
    "shooting": lambda m, s, sim, folder: m.shooting().solve(1.0),
    "simulate": lambda m, s, sim, folder: m.simulate(),
    "simulate inputs": lambda m, s, sim, folder: m.simulate(inputs=["loads[0].force.x"]),
    "step": lambda m, s, sim, folder: sim.step(),
    "run": lambda m, s, sim, folder: sim.run(0.03),
    "view": lambda m, s, sim, folder: sim.kept.view(),
    "save": lambda m, s, sim, folder: sim.kept.save(folder / "x.glb"),
}


# those that need not ask the law of a force: kinematics, masses, what is compiled or read already
SILENT = {
    "compile", "state", "reset", "impose", "copy", "internal_efforts", "mass_matrix", "pose", "jacobian", "energy",
    "momentum", "close_loops", "compatibility", "simulate",
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRIES)
def test_what_a_law_raises_comes_out_once(name, tmp_path):
    law = Switch()
    model = elver.Model.from_yaml(ARM, laws={FORCE: law})
    state, sim = model.state(), model.simulate()
    sim.kept = sim.run(0.02)
    entry = ENTRIES[name]
    law.is_on = True
    if name in SILENT:
        entry(model, state, sim, tmp_path)
    else:
        with pytest.raises(RuntimeError, match="^enough$") as caught:
            entry(model, state, sim, tmp_path)
        # the traceback leads into the law
        assert "__call__" in [entry.name for entry in caught.traceback]
    law.is_on = False
    # nothing of it is left behind
    state, other = model.state(), model.simulate()
    sim.reset()
    assert np.isfinite(model.idm(state)).all()
    sim.run(0.02), other.step()
    entry(model, state, sim, tmp_path)


def test_a_law_may_use_its_model_but_not_its_own_simulator():
    found = []

    def law(t):
        found.append(model.mass_matrix()[0, 0])
        found.append(elver.load("@pendulum").simulate().run(0.01).t[-1])
        return 0.1

    model = elver.Model.from_yaml(ARM)
    model = elver.Model.from_yaml(ARM, laws={FORCE: lambda t: 0.1 if model is None else law(t)})
    assert np.array_equal(model.simulate().run(0.02).q, elver.Model.from_yaml(ARM).simulate().run(0.02).q)
    assert found

    def steps(t):
        if sim is not None:
            sim.step()
        return 0.1

    sim = None
    sim = elver.Model.from_yaml(ARM, laws={FORCE: steps}).simulate()
    for call in (sim.step, lambda: sim.run(0.1), sim.step):
        with pytest.raises(RuntimeError, match="law"):
            call()


def test_what_a_law_raises_stays_in_its_thread():
    """One model, two threads, a law that raises in one of them."""
    bad = threading.local()

    def law(t):
        if getattr(bad, "is_on", False):
            raise RuntimeError("enough")
        return 0.1

    model = elver.Model.from_yaml(ARM, laws={FORCE: law})
    alone = model.simulate().run(0.2).q
    raised, found = [], []

    def fails():
        bad.is_on = True
        for _ in range(50):
            try:
                model.simulate().run(0.2)
            except RuntimeError as error:
                raised.append(str(error))

    def works():
        for _ in range(20):
            found.append(np.array_equal(model.simulate().run(0.2).q, alone))

    threads = [threading.Thread(target=fails), threading.Thread(target=works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == 50 * ["enough"] and found == 20 * [True]


def test_one_model_in_many_threads(arm):
    """Each thread takes a workspace of its own."""
    rng = np.random.default_rng(3)
    states = [arm.state() for _ in range(4)]
    for state in states:
        state.q[:] = rng.standard_normal(3)
    wanted = [arm.mass_matrix(state) for state in states]
    good = [True] * 4

    def work(k):
        for _ in range(300):
            good[k] &= np.array_equal(arm.mass_matrix(states[k]), wanted[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(good)


def test_bad_results_of_laws():
    for bad in (None, "x", [], [1, 2, 3, 4], ["x"], {}, object(), 1j):
        with pytest.raises(TypeError, match="a law returns"):
            elver.Model.from_yaml(ARM, laws={FORCE: lambda t, bad=bad: bad}).simulate().run(0.02)
    for good in (np.float64(0.1), np.array(0.1), np.array([0.1]), (0.1,), [0.1, 0, 0], np.zeros(3), 1, True):
        elver.Model.from_yaml(ARM, laws={FORCE: lambda t, good=good: good}).simulate().run(0.02)
    with pytest.raises(elver.NumericalError):
        elver.Model.from_yaml(ARM, laws={FORCE: lambda t: float("nan")}).simulate().run(0.02)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_ends_long_computations(arm, interruptible):
    many = np.zeros((200000, 3))
    slow = elver.Model.from_yaml(ARM, laws={FORCE: lambda t: time.sleep(0.005) or 0.1})
    path = elver.Model.from_yaml(ARM)
    for call in (
        lambda: [arm.idm_many(many, many, many) for _ in range(10**6)],
        lambda: path.statics_path(np.linspace(0, 1, 10**7)),
        lambda: slow.simulate(dt=1e-5).run(1e3),
        lambda: [slow.statics(float(load)) for load in range(10**6)],
        lambda: [slow.modes() for _ in range(10**6)],
    ):
        start = time.monotonic()
        timer = interrupt_after(0.2)
        with pytest.raises(KeyboardInterrupt):
            call()
        timer.join()
        assert time.monotonic() - start < 20


# one long computation in the library, of no law of Python: a motor stronger than gravity, a rod in many short shots
SPIN = """
elver: 1
gravity: [0, 0, -9.81]
tree:
  - {body: bob, joint: {revolute: {axis: y, force: t}}, mass: 1, center: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}
statics: {method: relaxation, max_steps: 1000000}
"""
ROD = """
elver: 1
tree:
  - {rod: rod, length: 1, section: {circle: {diameter: 0.02}}, material: {density: 1000, young: 1e6}, strain: {kirchhoff: 4}}
loads:
  - {at: rod.tip, force: [0, t, t/2]}
statics: {method: shooting, segments: 16, steps: 4096}
"""


def test_ctrl_c_ends_one_long_solve(interruptible):
    """Within one equilibrium, one cycle, one step; then all goes on as if nothing had been."""
    spin, rod, cat = elver.Model.from_yaml(SPIN), elver.Model.from_yaml(ROD), elver.load("@falling-cat")
    state, solver = spin.state(), rod.shooting()
    solver.solve(0.01)
    kept = solver.sections("rod", [1.0])[0]
    sim = elver.load("@pendulum").simulate(dt=1e6)
    path = None
    for call, check in (
        (lambda: spin.statics(50.0, state), lambda: np.array_equal(state.q, spin.state().q)),
        (lambda: spin.statics_path([1.0, 50.0]), lambda: path.t.tolist() == [1.0]),
        (lambda: solver.solve(30.0), lambda: np.allclose(solver.sections("rod", [1.0])[0], kept, atol=1e-12)),
        (lambda: cat.gait(period=1e7), lambda: True),
        (sim.step, lambda: 0 < sim.t < 1e6),
    ):
        ended = []
        timer = threading.Timer(0.3, lambda ended=ended: (ended.append(time.monotonic()), os.kill(os.getpid(), signal.SIGINT)))
        timer.start()
        with pytest.raises(KeyboardInterrupt) as caught:
            call()
        # a few hundredths of a second; the rest is for machines that have other things to do
        assert time.monotonic() - ended[0] < 2.0
        timer.join()
        path = getattr(caught.value, "records", None)
        assert check()
    assert abs(spin.statics(1.0, state).q[0]) > 0
    solver.solve(0.02)
    assert cat.gait()[1] == pytest.approx(1.0)


def test_what_an_interrupted_path_has_found_is_whole(interruptible):
    """Rows, and what stands beside them, are as many as each other, wherever Ctrl-C comes."""
    slow = elver.Model.from_yaml(ARM, laws={FORCE: lambda t: time.sleep(1e-4) or 0.1 * t})
    bar = elver.load("@four-bar")
    for call, beside in (
        (lambda: slow.continuation([0, 1e9], max_step=1e-4, max_points=10**6), ("kind", "eigenvalue", "length", "n_negative")),
        (lambda: bar.inverse(duration=1e5, every=1e-4), ("wrench", "left", "is_reached")),
    ):
        timer = interrupt_after(0.3)
        with pytest.raises(KeyboardInterrupt) as caught:
            call()
        timer.join()
        records = caught.value.records
        assert len(records) > 0
        assert [len(getattr(records, name)) for name in beside] == len(beside) * [len(records)]


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers end a program that has no memory left")
def test_no_memory_left_for_records():
    """An address space that ends: the exception says so, and has what there was room to hand over."""
    text = f"""
import resource
import elver
model = elver.Model.from_yaml({ARM!r})
sim = model.simulate(dt=1e-3)
names = 400 * ["arm.q"]
sim.run(0.01, every=1e-3, signals=names)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**23, resource.RLIM_INFINITY))
try:
    sim.run(1e3, every=1e-3, signals=names)
except elver.OutOfMemoryError as error:
    assert len(error.records) > 0 and "recorded" in str(error)
else:
    raise SystemExit("no exception")
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_a_law_that_holds_its_simulator_is_freed():
    class Box:
        pass

    for hold in (lambda box, model: model.simulate(), lambda box, model: model.state(), lambda box, model: model.idm()):
        box = Box()
        model = elver.Model.from_yaml(ARM, laws={FORCE: lambda t, box=box: 0.1})
        box.model, box.held = model, hold(box, model)
        box.q = getattr(getattr(box.held, "state", box.held), "q", None)
        gone = weakref.ref(box)
        del box, model
        gc.collect()
        assert gone() is None


def test_copies(arm):
    state = arm.simulate().state
    state.q[0] = 0.3
    for twin in (copy.copy(state), copy.deepcopy(state), state.copy()):
        assert twin.q[0] == 0.3 and not np.shares_memory(twin.q, state.q)
    arm["arm"].length = 0.7
    for twin in (copy.copy(arm), copy.deepcopy(arm), pickle.loads(pickle.dumps(arm))):
        assert twin["arm"].length == 0.7 and np.array_equal(twin.idm(), arm.idm())
    again = pickle.loads(pickle.dumps(elver.load("@pendulum")))
    assert again.name == "pendulum"
    run = arm.simulate().run(0.05)
    assert np.array_equal(pickle.loads(pickle.dumps(run)).q, run.q)
    path = arm.continuation([0, 1], max_points=5)
    assert pickle.loads(pickle.dumps(path)).kind.tolist() == path.kind.tolist()
    for thing in (arm.simulate(), elver.Model.from_yaml(ARM).shooting(), state):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(thing)
    with pytest.raises(TypeError):
        copy.copy(arm.simulate())
    with pytest.raises(TypeError):
        pickle.dumps(arm._core)
    with pytest.raises(TypeError, match="base type"):
        type("Mine", (type(arm._core),), {})

    class Mine(elver.Model):
        def twice(self):
            return 2 * self.nv

    assert Mine.from_yaml(ARM).twice() == 6


def test_a_change_while_a_law_computes():
    """The model that runs is the one that was compiled: a law may edit its own."""

    def law(t):
        if model is not None and t > 0.01 and len(edits) < 10:
            edits.append(t)
            model.set({"arm.length": 0.5 + t / 100})
            gc.collect()
        return 0.1

    model, edits = None, []
    model = elver.Model.from_yaml(ARM, laws={FORCE: law})
    assert np.array_equal(model.simulate().run(0.1).q, elver.Model.from_yaml(ARM).simulate().run(0.1).q)


@pytest.mark.parametrize("end", ["", "sys.exit(0)", "model = None; sim = None"])
def test_the_end_of_the_interpreter(end):
    """A thread that runs, and one that waits in a law, do not keep the interpreter from ending."""
    text = f"""
import sys, threading, time
import elver
ARM = {ARM!r}
model = elver.Model.from_yaml(ARM, laws={{"{FORCE}": lambda t: time.sleep(1e-4) or 0.1}})
sim = model.simulate(dt=1e-5)
threading.Thread(target=sim.run, args=(1e4,), daemon=True).start()
threading.Thread(target=elver.Model.from_yaml(ARM).simulate(dt=1e-5).run, args=(1e4,), daemon=True).start()
time.sleep(0.2)
{end}
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
