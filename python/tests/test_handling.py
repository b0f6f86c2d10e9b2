# SPDX-License-Identifier: Apache-2.0
"""What people type first: inputs by name, states changed by hand, models changed while runs are kept, files of runs."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import elver
from conftest import ARM

FORCE = "loads[0].force.z"


def test_a_simulator_evaluates_with_its_inputs(arm):
    """The residual vanishes on a motion, which it does with the force that was applied alone."""
    sim = arm.simulate(inputs=[FORCE])
    for _ in range(5):
        sim.step([0.7])
    assert abs(sim.model.residual(sim.state)).max() < 1e-8 < 1e-3 < abs(arm.residual(sim.state)).max()
    assert np.array_equal(sim.evaluate("arm.tip.position"), arm.evaluate("arm.tip.position", sim.state))
    # the model of a run keeps the inputs of the run, also through a pickle
    run = sim.run(0.05)
    sim.step([-3.0])
    for records in (run, pickle.loads(pickle.dumps(run))):
        assert abs(records.model.residual(records.state(-1))).max() < 1e-8


def test_a_simulator_keeps_its_model(arm):
    sim = arm.simulate()
    before = arm.energy(sim.state)
    arm["arm"].young = 1e6
    run, path = sim.run(0.1), arm.statics_path([0.0])
    elastic = path.model.energy(path.state(0))["elastic"]
    assert run.model.energy(run.state(-1))["elastic"] == run["energy.elastic"][-1] > 0
    assert sim.model.energy(arm.state()) == before
    arm["arm"].strain = {"bend_y": 1}
    assert (arm.nq, sim.model.nq, run.model.nq) == (1, 3, 3)
    assert path.model.energy(path.state(0))["elastic"] == elastic
    assert sim.evaluate("arm.tip.position").shape == (3,)
    # they are as they were: only copies change
    for model in (sim.model, run.model):
        with pytest.raises(TypeError, match="copy"):
            model.set({"arm.length": 1})
        with pytest.raises(TypeError, match="copy"):
            model["arm"].length = 1
        other = copy.copy(model)
        other["arm"].length = 1
        assert other["arm"].length == 1 and model["arm"].length == 0.5


def test_inputs_by_name(arm):
    names = [FORCE, "loads[0].force.x"]
    sim, other = arm.simulate(inputs=names), arm.simulate(inputs=names)
    sim.step({"loads[0].force.x": 2})
    other.step((0.1, 2))
    assert sim.u.tolist() == [0.1, 2] and np.array_equal(sim.state.q, other.state.q)
    # what is not given stays
    sim.step()
    assert sim.u.tolist() == [0.1, 2]
    for bad in ({"force": 1}, {FORCE: "x"}, {FORCE: float("nan")}):
        with pytest.raises((ValueError, TypeError)):
            sim.step(bad)
    assert sim.u.tolist() == [0.1, 2]


def test_step_has_a_signature():
    assert list(inspect.signature(elver.Simulator.step).parameters) == ["self", "u"]
    assert "returns the time" in elver.Simulator.step.__doc__


@pytest.mark.parametrize("method", ["generalized-alpha", "explicit", "bdf2"])
def test_a_state_changed_by_hand_is_started_from(arm, method):
    """The steps after a change are those of a simulator that has made no others, whoever forgets restart()."""
    sim, other = arm.simulate(method=method), arm.simulate(method=method)
    for _ in range(7):
        sim.step()
    q, v = np.array([0.3, -0.2, 0.1]), np.array([1.0, 0.0, -2.0])
    sim.state.q, sim.state.v, sim.state.t = q, v, 0.0
    other.state.q, other.state.v = q, v
    for _ in range(5):
        sim.step()
        other.step()
    assert sim.t == other.t and np.array_equal(sim.state.q, other.state.q)
    for name in "qv":
        sim.reset()
        getattr(sim.state, name)[1] = np.nan
        with pytest.raises(ValueError, match=rf"{name}\[1\] of the state"):
            sim.step()
        with pytest.raises(ValueError, match=rf"{name}\[1\] of the state"):
            sim.run(0.1)
    sim.reset()
    sim.step()


@pytest.mark.parametrize("method", ["generalized-alpha", "bdf2"])
def test_an_assigned_state_keeps_what_the_integrator_remembers(arm, method):
    sim = arm.simulate(method=method)
    for _ in range(5):
        sim.step()
    kept = sim.state.copy()
    for _ in range(5):
        sim.step()
    after = sim.state.q.copy()
    sim.state.assign(kept)
    for _ in range(5):
        sim.step()
    assert np.array_equal(sim.state.q, after)
    made = arm.state(t=sim.t, q=after, v=sim.state.v)
    assert (made.t, made.q.tolist()) == (sim.t, after.tolist()) and np.array_equal(made.v, sim.state.v)
    with pytest.raises(ValueError, match="shape"):
        arm.state(q=[1])


def test_runs_are_written_as_the_program_does(arm, program, tmp_path):
    (tmp_path / "arm.yaml").write_text(ARM, encoding="utf-8")
    program("run", tmp_path / "arm.yaml", "-q", "-o", tmp_path / "there.h5")
    program("run", tmp_path / "arm.yaml", "-q", "-o", tmp_path / "there.csv")
    run = arm.simulate().run(arm.duration)
    for ending in ("h5", "csv", "npy"):
        run.save(tmp_path / f"here.{ending}")
    assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()
    assert np.load(tmp_path / "here.npy").size > 0
    with elver.Trajectory(tmp_path / "here.h5") as here, elver.Trajectory(tmp_path / "there.h5") as there:
        assert here.is_complete and here.names == there.names == run.names
        for name in "tqvaz":
            assert np.array_equal(getattr(here, name), getattr(there, name)), name
            assert np.array_equal(getattr(here, name), getattr(run, name)), name
        assert np.array_equal(here["energy"], run["energy"])
        assert here.model.to_yaml() == arm.to_yaml()
    # the program goes on from it and draws it
    program("run", tmp_path / "arm.yaml", "-q", "--restart", tmp_path / "here.h5", "--duration", "0.3", "-o", tmp_path / "on.h5")
    program("plot", tmp_path / "here.h5", "energy", "-o", tmp_path / "energy.svg")
    path = arm.statics_path([0, 1])
    path.save(tmp_path / "path.h5")
    assert elver.Trajectory(tmp_path / "path.h5").is_statics
    with pytest.raises(TypeError, match="stations"):
        run.save(tmp_path / "x.csv", stations=3)


def test_one_name_stands_for_a_list(arm):
    sim = arm.simulate(inputs=FORCE)
    assert sim.inputs == (FORCE,)
    assert sim.run(0.02, signals="arm.tip.position").names == [f"arm.tip.position.{axis}" for axis in "xyz"]
    assert arm.statics_path([0], signals="energy.total").names == ["energy.total"]
    linear = arm.linearize(inputs=FORCE, outputs="arm.tip.position.z")
    assert (linear.inputs, linear.outputs) == ([FORCE], ["arm.tip.position.z"])
    with pytest.raises(ValueError, match="twice"):
        arm.simulate(inputs=[FORCE, FORCE])
    assert len(repr(linear)) < 80 and len(repr(arm.modes())) < 80


def test_parameters_are_read_only(arm):
    assert dict(arm.parameters) == {"E": 5e6}
    with pytest.raises(TypeError, match=r"model.set\(E=7\)"):
        arm.parameters["E"] = 7


def test_accelerations_are_a_copy(arm):
    state = arm.state()
    first = arm.forward_dynamics(state)
    state.v = [1, 2, 3]
    assert not np.array_equal(first, arm.forward_dynamics(state))


def test_drives_of_joints_are_inputs():
    """A joint gets its input with its drive, and the message says so."""
    bob = elver.Model.build(tree=[elver.body("bob", joint={"revolute": {"axis": "y"}}, mass=1, inertia=[1, 2, 1])])
    assert bob.inputs == []
    with pytest.raises(elver.InputError, match="force or a controller"):
        bob.simulate(inputs=["bob.effort.0"])
    bob.set({"bob.joint.revolute.force": 0})
    assert [entry["name"] for entry in bob.inputs] == ["bob.effort.0"]
    sim = bob.simulate(dt=0.1, method="generalized-alpha", inputs=["bob.effort.0"])
    for _ in range(10):
        sim.step([3.0])
    assert sim.state.v[0] == pytest.approx(1.5, rel=1e-9)  # torque over inertia, for a second


def test_a_model_knows_its_elements(arm):
    assert "arm" in arm and "leg" not in arm and list(arm) == arm.elements == ["arm", "weight"]
    assert arm.gravity.tolist() == [0, 0, -9.81]
    arm.set({"gravity": [0, 0, -1]})
    assert arm.gravity.tolist() == [0, 0, -1]
    run = arm.simulate().run(0.02)
    assert repr(run) == "Records('arm', 3 records, 7 signals)"
    with pytest.raises(TypeError, match="names"):
        run[0]


def test_a_save_that_fails_leaves_the_file(arm, tmp_path):
    """All records are written, or what was there stays, and nothing else is left."""
    run = arm.simulate().run(0.05)
    rows = np.frombuffer(run._table).copy()
    rows.reshape(len(run), -1)[3, -1] = np.inf
    bad = type(run)(arm, run._columns, rows.tobytes())
    for name in ("run.csv", "run.h5", "run.npy"):
        path = tmp_path / name
        with pytest.raises(elver.NumericalError, match="finite"):
            bad.save(path)
        assert not list(tmp_path.iterdir())
        run.save(path)
        before = path.read_bytes()
        with pytest.raises(elver.NumericalError, match="finite"):
            bad.save(path)
        assert path.read_bytes() == before
        path.unlink()


def test_a_run_takes_time(arm):
    sim = arm.simulate()
    for duration in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="duration must be a positive number"):
            sim.run(duration)
    assert len(sim.run(1e-9)) == 2


def test_records_and_files_are_asked_alike(arm, tmp_path):
    run = arm.simulate().run(0.05)
    run.save(tmp_path / "run.h5")
    for what in (run, elver.Trajectory(tmp_path / "run.h5")):
        with pytest.raises(TypeError, match="by their names, not by int"):
            what[0]
        with pytest.raises(IndexError, match="records run from 0 to 5"):
            what.state(6)
        assert what.state(-1).t == run.t[-1] and "<html" in what.view().html
