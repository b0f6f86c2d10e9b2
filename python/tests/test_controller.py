# SPDX-License-Identifier: Apache-2.0
"""Controllers in Python: when they are called, what they see and set, and how they fail."""

import pickle

import numpy as np
import pytest

import elver
from conftest import ARM

FORCE = "loads[0].force.z"
HINGE = """
elver: 1
gravity: [0, 0, 0]
tree:
  - {body: bob, joint: {revolute: {axis: y, force: 0}}, mass: 1, inertia: [2, 2, 2]}
record: {every: 0.05, signals: [bob.effort.0]}
"""
TENDON = """
elver: 1
gravity: [0, 0, -9.81]
tree:
  - rod: arm
    length: 0.3
    section: {circle: {diameter: 0.02}}
    material: {density: 1100, young: 2e6, damping: 0.02}
    strain: {bend_y: 3}
actuators:
  - {tendon: top, path: {rod: arm, z: 0.008}, tension: 0}
  - {tendon: bottom, path: {rod: arm, z: -0.008}, tension: 0}
simulate: {duration: 2, step: 0.005}
"""


@pytest.mark.parametrize("method", ["generalized-alpha", "newmark", "explicit"])
def test_a_run_is_the_same_as_steps_by_hand(method):
    """To the same bits with a fixed step; an explicit method starts its steps anew in a run."""

    def damper(t, state):
        return [-0.1 * state.v[0] + np.sin(9 * t)]

    model = elver.Model.from_yaml(ARM)
    by_hand = model.simulate(dt=0.01, method=method, inputs=[FORCE])
    for _ in range(20):
        by_hand.step(damper(by_hand.t, by_hand.state))
    by_step = model.simulate(dt=0.01, method=method, inputs=[FORCE], controller=damper)
    for _ in range(20):
        by_step.step()
    by_run = model.simulate(dt=0.01, method=method, inputs=[FORCE], controller=damper)
    run = by_run.run(0.2)
    assert np.array_equal(by_step.state.q, by_hand.state.q)
    if method == "explicit":
        # within ten times the tolerance of the method
        assert np.allclose(run.q[-1], by_hand.state.q, rtol=1e-5, atol=1e-7)
    else:
        assert np.array_equal(run.q[-1], by_hand.state.q)


def test_held_torques_turn_a_hinge_as_the_closed_form_says():
    """A wheel under a torque u that is held over dt: q += dt v + dt² u / 2I, v += dt u / I; an explicit method is exact but for
    its tolerance if it forgets, at each call, the torque before."""
    inertia, dt = 2.0, 0.05

    def pd(t, state):
        return np.array([20 * (1 - state.q[0]) - 12 * state.v[0]])

    sim = elver.Model.from_yaml(HINGE).simulate(dt=dt, method="explicit", inputs=["bob.effort.0"], controller=pd)
    run = sim.run(2.0, every=dt)
    q = v = 0.0
    for k in range(41):
        assert abs(run.q[k, 0] - q) < 1e-6 and abs(run.v[k, 0] - v) < 1e-6, k
        u = 20 * (1 - q) - 12 * v
        q, v = q + dt * v + dt**2 * u / (2 * inertia), v + dt * u / inertia
    # a loop of this kind settles
    assert abs(run.q[-1, 0] - 1) < 0.02


def test_inputs_that_jump_between_steps_of_an_explicit_method():
    sim = elver.Model.from_yaml(HINGE).simulate(dt=0.1, method="explicit", inputs=["bob.effort.0"])
    for k in range(10):
        sim.step([float(k)])
    # I v = dt (0 + 1 + ... + 9)
    assert abs(2.0 * sim.state.v[0] - 4.5) < 1e-8


@pytest.mark.parametrize("method", ["generalized-alpha", "explicit"])
def test_it_is_called_at_the_start_of_each_step(method):
    times = []
    model = elver.Model.from_yaml(HINGE)
    sim = model.simulate(dt=0.1, method=method, inputs=["bob.effort.0"], controller=lambda t, state: times.append(t) or [1])
    sim.run(1.0, every=0.03)
    assert np.allclose(times, 0.1 * np.arange(10), rtol=0, atol=1e-12)
    sim.run(0.25)
    assert np.allclose(times[10:], [1.0, 1.1, 1.2], rtol=0, atol=1e-12)
    sim.step()
    assert abs(times[-1] - 1.25) < 1e-12 and len(times) == 14


def test_what_it_may_return():
    model = elver.Model.from_yaml(ARM)
    names = [FORCE, "loads[0].force.x"]
    answers = [[1, 2], {FORCE: 3}, None, (4, 5), np.array([6.0, 7.0]), np.array([8, 9])]
    rest = iter(answers)
    sim = model.simulate(dt=0.01, inputs=names, controller=lambda t, state: next(rest))
    run = sim.run(0.06, every=0.01)
    wanted = [[1, 2], [3, 2], [3, 2], [4, 5], [6, 7], [8, 9]]
    assert run.inputs == tuple(names)
    # a record at the instant of a call has the inputs before it
    assert run.u.tolist() == [wanted[0], *wanted]
    for bad, error in (([1], ValueError), ([1, np.nan], ValueError), ("x", (TypeError, ValueError)), ({"x": 1}, ValueError), (object(), TypeError)):
        failing = model.simulate(dt=0.01, inputs=names, controller=lambda t, state: bad)  # noqa: B023
        with pytest.raises(error):
            failing.step()
        with pytest.raises(error):
            failing.run(0.1)


def test_what_it_raises_comes_out_once_with_the_records():
    is_bad = [True]

    def fails(t, state):
        if is_bad[0] and t > 0.045:
            raise RuntimeError("enough")
        return [0.1]

    model = elver.Model.from_yaml(ARM)
    sim = model.simulate(dt=0.01, inputs=[FORCE], controller=fails)
    with pytest.raises(RuntimeError, match="^enough$") as caught:
        sim.run(0.2, every=0.01)
    assert "fails" in [entry.name for entry in caught.traceback]
    assert abs(caught.value.records.t[-1] - 0.05) < 1e-12 and len(caught.value.records) == 6
    assert caught.value.records.u.shape == (6, 1)
    with pytest.raises(RuntimeError, match="^enough$"):
        sim.step()
    # nothing of it is left, and it goes on
    is_bad[0] = False
    assert abs(sim.run(0.1).t[-1] - 0.15) < 1e-12
    assert np.isfinite(model.idm()).all()

    def interrupted(t, state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.simulate(inputs=[FORCE], controller=interrupted).run(0.1)


def test_what_it_sees():
    seen = []

    def look(t, state):
        assert t == state.t
        with pytest.raises(ValueError, match="read-only"):
            state.q[0] = 1
        with pytest.raises(RuntimeError):
            sim.run(0.1)
        seen.append((t, state.q.copy(), sim.model.pose("arm.tip", state)[2, 3], sim.evaluate("energy")[0]))

    model = elver.Model.from_yaml(ARM)
    sim = model.simulate(dt=0.01, inputs=[FORCE], controller=look)
    run = sim.run(0.1, every=0.01, signals=["arm.tip.position.z", "energy"])
    for k, (t, q, z, _) in enumerate(seen):
        assert abs(t - run.t[k]) < 1e-12 and np.array_equal(q, run.q[k]) and abs(z - run["arm.tip.position.z"][k]) < 1e-12
    # it is nobody's state
    assert len(seen) == 10
    sim.state.q[0] += 0.0


def test_signals_of_a_run_follow_its_inputs():
    model = elver.Model.from_yaml(TENDON)

    def ramp(t, state):
        return {"tendon.top.tension": 10 * t}

    sim = model.simulate(inputs=["tendon.top.tension", "tendon.bottom.tension"], controller=ramp)
    run = sim.run(0.1, every=0.004, signals=["tendon.top.tension"])
    assert np.array_equal(run["tendon.top.tension"], run.u[:, 0]) and run.u[-1, 0] > 0.9
    # computed afterwards, from the states and the inputs of each record
    again = pickle.loads(pickle.dumps(run))
    for one in (run, again):
        assert np.allclose(one.evaluate("tendon.top.tension")[:, 0], run["tendon.top.tension"], rtol=0, atol=1e-12)
        assert np.array_equal(one.u, run.u) and one.inputs == run.inputs
    assert run.model.evaluate("tendon.top.tension")[0] == run.u[-1, 0]


def test_a_pair_of_tendons_holds_a_tip():
    """A PID law on two tendons that can only pull brings the tip of the arm to a height."""
    model = elver.Model.from_yaml(TENDON)
    wanted, integral, dt = -0.02, [0.0], 0.005

    def pid(t, state):
        z = model.pose("arm.tip", state)[2, 3]
        rate = model.twist("arm.tip", state, axes="world")[5]
        integral[0] += 3000 * (wanted - z) * dt
        pull = 300 * (wanted - z) - 20 * rate + integral[0]
        return {"tendon.top.tension": max(pull, 0), "tendon.bottom.tension": max(-pull, 0)}

    sim = model.simulate(inputs=["tendon.top.tension", "tendon.bottom.tension"], controller=pid)
    free = model.simulate().run(3.0, signals="arm.tip.position.z")["arm.tip.position.z"][-1]
    run = sim.run(3.0, signals="arm.tip.position.z")
    assert abs(free - wanted) > 0.02
    assert abs(run["arm.tip.position.z"][-1] - wanted) < 1e-3


def test_refusals():
    model = elver.Model.from_yaml(ARM)
    with pytest.raises(ValueError, match="name them"):
        model.simulate(controller=lambda t, state: [])
    with pytest.raises(TypeError, match="function"):
        model.simulate(inputs=[FORCE], controller=3)
    with pytest.raises(TypeError, match="controller"):
        model.simulate(inputs=[FORCE], controller=lambda t, state: [0]).step([1])
    with pytest.raises(ValueError, match="modes"):
        model.simulate(method="rkmk", inputs=[FORCE], controller=lambda t, state: [0])
