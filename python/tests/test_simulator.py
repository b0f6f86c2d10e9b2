# SPDX-License-Identifier: Apache-2.0
"""Steps, runs, inputs, laws, threads, and how all of it fails."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import elver
from conftest import ARM
from elver import _elver, errors


def test_steps_are_the_steps_of_a_run(arm):
    run = arm.simulate().run(0.2)
    sim = arm.simulate()
    for i in range(20):
        t = sim.step()
        assert t == pytest.approx(0.01 * (i + 1), abs=1e-14)
    assert np.array_equal(sim.state.q, run.q[-1]) and np.array_equal(sim.state.v, run.v[-1])
    assert sim.report()["steps"] == 20


def test_a_copy_goes_on_to_the_same_bits(arm):
    sim = arm.simulate()
    for _ in range(5):
        sim.step()
    kept = arm.copy_state(sim.state)
    for _ in range(5):
        sim.step()
    first = sim.state.q.copy()
    sim.state = kept
    assert sim.t == pytest.approx(0.05)
    for _ in range(5):
        sim.step()
    assert np.array_equal(sim.state.q, first)


def test_inputs_are_held_over_steps(arm):
    """A constant force through an input moves the arm as the same force in the file does."""
    sim = arm.simulate(inputs=["loads[0].force.z"])
    assert sim.u.tolist() == [0.1]
    there = elver.Model.from_yaml(ARM.replace("0, 0, 0.1", "0, 0, 0.3")).simulate()
    u = np.array([0.3])
    for _ in range(20):
        sim.step(u)
        there.step()
    assert np.array_equal(sim.state.q, there.state.q)
    # another simulator of the same model has inputs of its own
    assert arm.simulate(inputs=["loads[0].force.z"]).u.tolist() == [0.1]


def test_bad_inputs(arm):
    sim = arm.simulate(inputs=["loads[0].force.z"])
    for bad, kind in (
        (np.zeros(2), ValueError),
        (np.array([np.nan]), ValueError),
        (np.zeros(1, dtype=complex), TypeError),
        (np.zeros((2, 2))[:, 0], ValueError),
        (np.array([np.inf], dtype=np.float32), ValueError),
        ("x", TypeError),
    ):
        with pytest.raises(kind):
            sim.step(bad)
    with pytest.raises(TypeError):
        sim.step(np.zeros(1), 2)
    assert sim.t == 0
    sim.step(np.zeros(1))


def test_laws_of_python_are_those_of_formulas():
    text = ARM.replace("[0, 0, 0.1]", "[0, 0, 'sin(7*t)']")
    mine = elver.Model.from_yaml(
        ARM, laws={"loads[0].force.z": lambda t: (np.sin(7 * t), 7 * np.cos(7 * t), -49 * np.sin(7 * t))}
    )
    theirs = elver.Model.from_yaml(text)
    assert np.allclose(mine.simulate().run(0.2).q, theirs.simulate().run(0.2).q, rtol=1e-12, atol=1e-13)


def test_an_exception_in_a_law_comes_out():
    def law(t):
        if t > 0.055:
            raise RuntimeError("enough")
        return 0.1

    sim = elver.Model.from_yaml(ARM, laws={"loads[0].force.z": law}).simulate()
    with pytest.raises(RuntimeError, match="enough") as caught:
        sim.run(0.2)
    records = caught.value.records
    assert 3 <= len(records) and records.t[-1] <= 0.06 and np.isfinite(records.q).all()
    sim.reset()
    for _ in range(4):
        sim.step()
    with pytest.raises(RuntimeError, match="enough"):
        for _ in range(10):
            sim.step()
    with pytest.raises((TypeError, ValueError)):
        elver.Model.from_yaml(ARM, laws={"loads[0].force.z": lambda t: "much"}).simulate().run(0.1)


def test_ctrl_c_ends_a_long_run(arm, interruptible):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    sim = arm.simulate(dt=1e-4)
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        sim.run(1e6, every=0.1)
    assert time.monotonic() - start < 30
    assert len(caught.value.records) > 0 and caught.value.records.t[-1] == sim.t


def test_threads_run_side_by_side(arm):
    """Each thread has its simulator; results are those of one thread, and the lock is free while they work."""
    alone = arm.simulate(dt=1e-3).run(0.3).q
    found = {}

    def work(k):
        found[k] = arm.simulate(dt=1e-3).run(0.3).q

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[k], alone) for k in range(4))


def test_two_threads_in_one_simulator_are_refused():
    """While one thread waits in a law, another may do nothing with the simulator, and changes nothing by trying."""
    is_in, is_tried = threading.Event(), threading.Event()

    def law(t):
        if t > 0 and threading.current_thread() is thread:
            is_in.set()
            assert is_tried.wait(60)
        return 0.1

    thread = None
    model = elver.Model.from_yaml(ARM, laws={"loads[0].force.z": law})
    alone = model.simulate().run(0.05).q
    sim, other = model.simulate(), model.state()
    other.q[:], other.t = 7.0, 3.0
    found = []
    thread = threading.Thread(target=lambda: found.append(sim.run(0.05)))
    thread.start()
    try:
        assert is_in.wait(60)
        q, t = sim.state.q.copy(), sim.t
        for call in (
            sim.step,
            lambda: sim.run(0.1),
            lambda: setattr(sim, "state", other),
            sim.reset,
            sim.restart,
            sim.report,
        ):
            with pytest.raises(RuntimeError, match="another thread"):
                call()
        assert np.array_equal(sim.state.q, q) and sim.t == t
    finally:
        is_tried.set()
        thread.join()
    assert np.array_equal(found[0].q, alone)
    sim.reset()
    assert sim.t == 0


def test_a_failing_step_keeps_the_last_good_state(arm):
    sim = arm.simulate(inputs=["loads[0].force.z"])
    sim.step(np.array([0.1]))
    good = sim.state.q.copy()
    with pytest.raises(elver.NumericalError):
        sim.step(np.array([1e300]))
    assert np.array_equal(sim.state.q, good) and sim.t == pytest.approx(0.01)
    sim.step(np.array([0.1]))


def test_methods(arm):
    fine = arm.simulate(method="explicit").run(0.2).q[-1]
    for method in ("generalized-alpha", "newmark", "hht", "bdf2"):
        coarse = arm.simulate(method=method, dt=2e-3).run(0.2).q[-1]
        half = arm.simulate(method=method, dt=1e-3).run(0.2).q[-1]
        assert np.linalg.norm(half - fine) < 0.4 * np.linalg.norm(coarse - fine), method


def test_records(arm):
    run = arm.simulate().run(0.2)
    assert run["t"].shape == (21,) and run["arm.tip.position"].shape == (21, 3) and run["energy.total"].shape == (21,)
    assert run.unit("arm.tip.position.z") == "m" and "energy" in run and "nothing" not in run
    with pytest.raises(KeyError, match="arm.tip.velocity"):
        run["arm.tip.velocty"]
    with pytest.raises(ValueError):
        arm.simulate().run(float("nan"))
    with pytest.raises(ValueError):
        arm.simulate(dt=-1)


def test_groups_that_others_stand_between(arm, program, tmp_path):
    """Columns of a group are found wherever they were recorded; a group in one piece is a view."""
    signals = ["energy.kinetic", "arm.q", "energy.total", "arm.tip.position"]
    run = arm.simulate().run(0.05, signals=signals)
    path = tmp_path / "model.yaml"
    path.write_text(ARM.replace("[arm.tip.position, energy]", f"[{', '.join(signals)}]"), encoding="utf-8")
    program("run", path, "-o", tmp_path / "out.h5", "-q", "--duration", "0.05")
    for records in (run, elver.Trajectory(tmp_path / "out.h5")):
        both = np.column_stack([records["energy.kinetic"], records["energy.total"]])
        assert np.array_equal(records["energy"], both) and np.ptp(both[:, 0]) > 0
        assert records["arm.q"].shape == (len(records), 3)
        assert np.shares_memory(records["arm.tip.position"], records["arm.tip.position.x"])
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    lines = run.plot("energy").axes[0].lines
    assert [line.get_label() for line in lines] == ["kinetic", "total"]
    assert np.array_equal(lines[1].get_ydata(), run["energy.total"])


def test_a_file_without_a_model_is_refused(program, tmp_path):
    """One whose model goes by another name, which nobody looks for."""
    path = tmp_path / "out.h5"
    program("run", "@pendulum", "--duration", "0.05", "-o", path, "-q")
    assert elver.load(path).name == "pendulum" and np.array_equal(elver.Trajectory(path).t, elver.Trajectory(path)["t"])
    path.write_bytes(path.read_bytes().replace(b"model\0", b"other\0"))
    assert len(elver.Trajectory(path)) > 0
    for call in (lambda: elver.load(path), lambda: elver.Trajectory(path).model):
        with pytest.raises(ValueError, match="does not hold a model"):
            call()


def test_t_of_equilibria_is_a_load(arm):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    path = arm.continuation([0, 1], max_points=5)
    for records, name in (
        (arm.simulate().run(0.02), "t"),
        (arm.statics_path([0, 1]), "load"),
        (pickle.loads(pickle.dumps(arm.statics_path([0, 1]))), "load"),
        (path, "load"),
        (elver.load("@four-bar").inverse(duration=0.02), "t"),
        (elver.load("@tacr-inverse").inverse(), "load"),
    ):
        assert records.abscissa == name and records.to_pandas().index.name == name
        assert records.plot().axes[-1].get_xlabel() == {"t": "t (s)"}.get(name, name)


def test_arrays_of_a_state_can_be_assigned(arm):
    """They are copied into the state, and nothing else can be set by mistake."""
    state, other = arm.state(), arm.state()
    state.q = [0.1, 0.2, 0.3]
    other.q[:] = [0.1, 0.2, 0.3]
    state.v += 1
    other.v[:] += 1
    assert np.array_equal(arm.idm(state), arm.idm(other)) and not np.array_equal(arm.idm(state), arm.idm())
    for bad in (np.ones(2), 1.0, np.ones((1, 3))):
        with pytest.raises(ValueError, match="shape"):
            state.q = bad
    with pytest.raises(AttributeError):
        state.qq = 1


def test_laws_of_motions_have_rate_and_acceleration():
    hinge = elver.body("b", joint={"revolute": {"axis": "z", "motion": 0}}, mass=1, inertia=[1, 1, 1])
    good = elver.Model.build(tree=[hinge], laws={"b.motion.0": lambda t: (np.sin(t), np.cos(t), -np.sin(t))})
    assert good.simulate().run(0.5, signals=["b.effort"])["b.effort"][-1] == pytest.approx(-np.sin(0.5))
    for bad in (lambda t: np.sin(t), lambda t: (np.sin(t), np.cos(t)), lambda t: [np.sin(t)]):
        with pytest.raises(TypeError, match="acceleration"):
            elver.Model.build(tree=[hinge], laws={"b.motion.0": bad}).simulate().run(0.1)


def test_a_gait_is_that_of_the_model_file():
    swimmer = elver.load("@three-link-swimmer")
    assert np.array_equal(swimmer.gait()[0], swimmer.gait(is_stokes=True)[0])
    assert not np.allclose(swimmer.gait()[0], swimmer.gait(is_stokes=False)[0], atol=1e-3)


def test_every_method_has_a_name(arm):
    """The names are those that model files have, and the message lists all of them."""
    assert len(_elver.methods) == 9
    for name in _elver.methods:
        elver.Model.from_yaml(ARM.replace("duration: 0.2", f"duration: 0.2, method: {name}"))
        with pytest.raises(ValueError, match=rf"'none'.*\b{name}\b"):
            arm.simulate(method="none")


def test_every_status_has_its_exception():
    assert _elver.statuses[0] == "ELV_OK"
    assert set(_elver.statuses[1:]) == set(errors._BY_STATUS)
    assert len(set(errors._BY_STATUS.values())) == len(_elver.statuses) - 1


def test_data_frames(arm):
    pytest.importorskip("pandas")
    run = arm.simulate().run(0.2)
    frame = run.to_pandas()
    assert frame.index.name == "t" and list(frame.columns) == run.names


def test_plots(arm, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    run, other = arm.simulate().run(0.2), arm.simulate().run(0.1)
    figure = run.plot("arm.tip.position", "energy.total")
    assert len(figure.axes) == 2 and figure.axes[0].get_ylabel() == "m"
    assert len(figure.axes[0].lines) == 3 and np.array_equal(figure.axes[1].lines[0].get_ydata(), run["energy.total"])
    figure.savefig(tmp_path / "x.png")
    assert len(run.plot().axes) == 2
    from elver.plot import plot

    assert len(plot([run, other], ["energy.total"], labels=["a", "b"]).axes[0].lines) == 2
    with pytest.raises(KeyError):
        run.plot("arm.tip.positon")
    with pytest.raises(ValueError):
        arm.simulate().run(0.01, signals=[]).plot()


def test_inputs_as_numbers(arm):
    """Lists and single numbers are inputs too."""
    sims = [arm.simulate(inputs=["loads[0].force.z"]) for _ in range(3)]
    # arrays of other numbers, and every second number of one, too
    for u in (np.array([2]), np.array([2], dtype=np.float32), np.array([2.0, 7.0])[::2], np.float64(2)):
        sims[0].step(u)
        assert sims[0].u.tolist() == [2.0]
    sims[0].reset()
    for sim, u in zip(sims, (np.array([0.3]), [0.3], 0.3)):
        sim.step(u)
    assert np.array_equal(sims[0].state.q, sims[1].state.q) and np.array_equal(sims[0].state.q, sims[2].state.q)
    for bad in ([float("nan")], [0.1, 0.2], ["x"], "x", {"x": 1.0}, object()):
        with pytest.raises((TypeError, ValueError)):
            sims[0].step(bad)
    assert sims[0].u.tolist() == [0.3]
