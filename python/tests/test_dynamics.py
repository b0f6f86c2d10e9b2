# SPDX-License-Identifier: Apache-2.0
"""Dynamics at a state, against each other and against closed forms."""

import numpy as np
import pytest

import elver


def random_state(model, seed=1):
    state = model.state()
    rng = np.random.default_rng(seed)
    state.q[:] = 0.3 * rng.standard_normal(model.nq)
    state.v[:] = rng.standard_normal(model.nv)
    state.a[:] = rng.standard_normal(model.nv)
    return state


def test_idm_is_mass_times_acceleration_and_bias(arm):
    state = random_state(arm)
    M = arm.mass_matrix(state)
    assert np.allclose(M, M.T, atol=1e-15) and np.all(np.linalg.eigvalsh(M) > 0)
    assert np.allclose(arm.idm(state), M @ state.a + arm.bias(state), rtol=1e-12, atol=1e-13)


def test_forward_dynamics_makes_the_residual_vanish(arm):
    state = random_state(arm)
    a = arm.forward_dynamics(state)
    assert np.array_equal(a, state.a) and not np.shares_memory(a, state.a)
    scale = np.abs(arm.internal_efforts(state)).max()
    assert np.abs(arm.residual(state)).max() < 1e-12 * scale


def test_jacobian_is_the_derivative_of_the_pose(arm):
    state = random_state(arm)
    J = arm.jacobian("arm.tip", state)
    assert np.allclose(J @ state.v, arm.twist("arm.tip", state), atol=1e-13)
    # linear part in world axes by central differences: second order, h = 1e-5
    R = arm.pose("arm.tip", state)[:3, :3]
    h = 1e-5
    for k in range(arm.nv):
        up, down = arm.copy_state(state), arm.copy_state(state)
        up.q[k] += h
        down.q[k] -= h
        slope = (arm.pose("arm.tip", up)[:3, 3] - arm.pose("arm.tip", down)[:3, 3]) / (2 * h)
        assert np.allclose(R @ J[3:, k], slope, atol=1e-9)


def test_tangent_is_the_derivative_of_the_residual(arm):
    state = random_state(arm)
    _, D, K = arm.tangent(state)
    # the residual is quadratic in the velocities: differences are exact there, and h large against rounding
    for k in range(arm.nv):
        for matrix, part, h in ((K, "q", 1e-5), (D, "v", 1e-1)):
            up, down = arm.copy_state(state), arm.copy_state(state)
            getattr(up, part)[k] += h
            getattr(down, part)[k] -= h
            slope = (arm.residual(up) - arm.residual(down)) / (2 * h)
            assert np.allclose(matrix[:, k], slope, rtol=1e-7, atol=1e-7 * np.abs(matrix).max())


def test_a_circle_in_closed_form():
    """Constant curvature k bends a rod into an arc: x = sin(k s)/k, z = (1 - cos(k s))/k up to the sign of bend_y."""
    model = elver.load("@cantilever-swing")
    rod = model.nodes[0]
    state = model.state()
    k = 1.7
    state.q[0] = k
    poses, strains, _ = model.sections(rod["name"], [0, 0.25, 0.5, 1], state)
    s = np.array([0, 0.25, 0.5, 1]) * rod["length"]
    root = poses[0]
    local = (np.linalg.inv(root) @ poses)[:, :3, 3]
    assert np.allclose(local[:, 0], np.sin(k * s) / k, atol=1e-12)
    assert np.allclose(np.abs(local[:, 2]), (1 - np.cos(k * s)) / k, atol=1e-12)
    assert np.allclose(strains[:, 1], k, atol=1e-13)


def test_statics_modes_and_linear_model(arm):
    rest = arm.statics()
    assert np.abs(arm.residual(rest)).max() < 1e-8
    assert arm.stability(rest)["stability"] == "stable"
    modes = arm.modes(rest)
    assert len(modes) == 3 and not modes.is_rigid.any() and np.all(np.diff(modes.frequency) > 0)
    linear = arm.linearize(rest, inputs=["loads[0].force.z"], outputs=["arm.tip.position"])
    assert linear.A.shape == (6, 6) and linear.B.shape == (6, 1) and linear.C.shape == (3, 6)
    # eigenvalues of A are those of the modes
    mine = np.sort_complex(np.linalg.eigvals(linear.A))
    theirs = np.sort_complex(np.concatenate([modes.eigenvalue, modes.eigenvalue.conj()]))
    assert np.allclose(mine, theirs, rtol=1e-8)


def test_energy_and_momentum(arm):
    state = random_state(arm)
    energy = arm.energy(state)
    assert energy["kinetic"] == pytest.approx(0.5 * state.v @ arm.mass_matrix(state) @ state.v, rel=1e-12)
    momentum = arm.momentum(state)
    assert momentum["mass"] == pytest.approx(arm.mass, rel=1e-12)
    assert energy["gravity"] == pytest.approx(9.81 * momentum["mass"] * momentum["center"][2], rel=1e-10)


def test_wrong_shapes_and_numbers(arm):
    other = elver.load("@drones").state()
    with pytest.raises(ValueError, match="another model"):
        arm.idm(other)
    with pytest.raises(ValueError, match="0 to 1"):
        arm.sections("arm", [1.5])
    with pytest.raises(KeyError):
        arm.sections("weight", [0.5])
    with pytest.raises(ValueError):
        arm.state().q[:] = np.zeros(5)


def test_shooting_and_modes_agree():
    """Without modes and with many: strains of a tendon arm, to what the modes of the example leave."""
    model = elver.load("@tacr-convergent")
    solver = model.shooting()
    solver.solve(1.0)
    rest = model.statics(1.0)
    rod = next(node["name"] for node in model.nodes if node["is_rod"])
    s = np.linspace(0, 1, 5)
    mine, theirs = solver.sections(rod, s), model.sections(rod, s, rest)
    length = model.nodes[0]["length"]
    assert np.abs(mine[0][:, :3, 3] - theirs[0][:, :3, 3]).max() < 1e-3 * length
    with pytest.raises(elver.InputError):
        elver.load("@cpr").shooting()




def test_signals_at_a_state(arm):
    state = random_state(arm)
    position = arm.evaluate("arm.tip.position", state)
    assert np.allclose(position, arm.pose("arm.tip", state)[:3, 3], atol=1e-14)
    both = arm.evaluate(["energy.kinetic", "arm.tip.position.z"], state)
    assert both.shape == (2,) and both[1] == position[2]


def test_a_gait_turns_a_cat():
    """A closed cycle of shapes with momentum zero turns the body; the connection says by how much at each instant."""
    model = elver.load("@falling-cat")
    net, period = model.gait()
    assert period > 0
    assert np.allclose(net[:3, :3] @ net[:3, :3].T, np.eye(3), atol=1e-12)
    angle = np.arccos((np.trace(net[:3, :3]) - 1) / 2)
    assert angle > 0.1
    assert model.classify()["kind"]
    A = model.connection()
    assert A.shape[0] + A.shape[1] == model.nv and np.isfinite(A).all()
