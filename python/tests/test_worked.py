# SPDX-License-Identifier: Apache-2.0
"""The worked examples of examples/python, held to what theory says of their results."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(os.environ.get("ELVER_SOURCE_DIR", Path(__file__).parents[2])) / "examples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def load(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_runs_and_draws(script, tmp_path):
    pytest.importorskip("matplotlib")
    done = subprocess.run(
        [sys.executable, script, "--quick", "--plot", tmp_path / "out.svg"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert "<svg" in (tmp_path / "out.svg").read_text(encoding="utf-8")


# ---- LQR


@pytest.fixture(scope="module")
def lqr():
    module = load("lqr_tendon_arm")
    arm = module.build_arm()
    return module, arm, module.design(arm)


def test_riccati_equation_holds(lqr):
    _, _, plan = lqr
    A, B, P = plan.linear.A, plan.linear.B, plan.P
    residual = A.T @ P + P @ A - P @ B @ np.linalg.solve(plan.R, B.T @ P) + plan.Q
    # eigenvectors to rounding, times the condition of their basis
    assert np.linalg.norm(residual) < 1e-8 * np.linalg.norm(plan.Q)
    assert np.linalg.eigvalsh(P).min() > 0
    assert np.linalg.eigvals(A - B @ plan.K).real.max() < 0


def test_riccati_of_a_double_integrator(lqr):
    # x'' = u with unit weights: P = [[sqrt 3, 1], [1, sqrt 3]]
    A, B = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]])
    P = lqr[0].solve_riccati(A, B, np.eye(2), np.eye(1))
    np.testing.assert_allclose(P, [[np.sqrt(3), 1], [1, np.sqrt(3)]], atol=1e-12)


def test_cost_of_the_nonlinear_run_is_the_predicted_one(lqr):
    module, arm, plan = lqr
    run = module.simulate(arm, plan, is_controlled=True, push=0.01, duration=3.0)
    first = int(np.searchsorted(run.t, 0.1 + module.DT / 2))
    cost = np.einsum("ij,jk,ik->i", run.x, plan.Q, run.x) + np.einsum("ij,jk,ik->i", run.u, plan.R, run.u)
    found = np.sum((cost[first:-1] + cost[first + 1 :]) / 2 * np.diff(run.t[first:]))
    wanted = run.x[first] @ plan.P @ run.x[first]
    # inputs are held over a step of 2 ms, half a step of delay against motions of 40 rad/s: some 4 %
    assert found == pytest.approx(wanted, rel=0.04)


def test_a_push_decays_at_the_rate_of_the_closed_loop(lqr):
    module, arm, plan = lqr
    free = module.simulate(arm, plan, is_controlled=False, push=0.01, duration=2.0)
    held = module.simulate(arm, plan, is_controlled=True, push=0.01, duration=2.0)
    rate = -np.linalg.eigvals(plan.linear.A - plan.linear.B @ plan.K).real.max()

    def size(run, begin):
        return np.abs(run.tip[(run.t > begin) & (run.t < begin + 0.61)]).max()

    # largest deviations within a period of the slowest motion (0.61 s), 1 s apart
    assert np.log(size(held, 0.3) / size(held, 1.3)) == pytest.approx(rate, rel=0.15)
    assert size(free, 1.3) > 10 * size(held, 1.3)


# ---- shape estimation


@pytest.fixture(scope="module")
def shape():
    module = load("shape_estimation")
    return module, module.build_arm()


def test_sensitivity_is_the_derivative_of_the_equilibrium(shape):
    module, arm = shape
    state = module.equilibrium(arm, module.TRUTH)
    J = module.sensitivity(arm, state)
    seen = np.array([arm.pose(frame, state) for frame in module.MARKERS])
    for i in range(module.TRUTH.size):
        ahead, behind = (
            module.misfit(arm, module.equilibrium(arm, module.TRUTH + sign * 1e-3 * np.eye(4)[i]), seen) for sign in (1, -1)
        )
        # misfit is what was seen less the state; differences of order 2 with a step of 1e-3 N
        np.testing.assert_allclose((behind - ahead) / 2e-3, J[:, i], atol=1e-4 * np.abs(J).max())


def test_exact_poses_give_the_exact_loads(shape):
    module, arm = shape
    state = module.equilibrium(arm, module.TRUTH)
    found = module.estimate(arm, np.array([arm.pose(frame, state) for frame in module.MARKERS]))
    np.testing.assert_allclose(found.loads, module.TRUTH, atol=1e-6)


def test_noisy_poses_give_loads_within_the_stated_error(shape):
    module, arm = shape
    miss, left = [], []
    for seed in range(10):
        truth, seen = module.measure(arm, seed)
        found = module.estimate(arm, seen)
        error = found.loads - module.TRUTH
        miss.append(error @ np.linalg.solve(found.covariance, error))
        left.append(found.misfit @ found.misfit)
        # positions are seen to 0.5 mm: the shape, fitted to twelve of them, is known at least to 2 mm
        assert np.abs(module.centreline(arm, found.state) - module.centreline(arm, truth)).max() < 2e-3
    # sums of ten chi squares: of 4 numbers, and of 24 poses less 4 loads; 1e-6 of all draws are beyond these bounds
    assert 10 < np.sum(miss) < 100
    assert 117 < np.sum(left) < 314


def test_the_clamp_carries_weight_and_force(shape):
    module, arm = shape
    _, seen = module.measure(arm, 3)
    found = module.estimate(arm, seen)
    frame = arm.pose("arm.root", found.state)[:3, :3]
    wrench = arm.sections("arm", [0.0], found.state)[2][0]
    weight = arm.mass * 9.81 * np.array([0, 0, -1.0])
    # the internal wrench at the root is what lies beyond it pulls with
    np.testing.assert_allclose(frame @ wrench[3:], found.loads[:3] + weight, atol=1e-8)


# ---- a swimmer's speed


@pytest.fixture(scope="module")
def swimmer():
    return load("swimmer_speed")


def test_speed_is_odd_in_the_direction_of_the_wave(swimmer):
    # head and tail are alike: a wave that runs the other way swims the other way, one that stands does not swim.
    # What is left is the error of the steps, which is of order 2.
    for waves in (0.0, 0.5):
        coarse, fine = (
            swimmer.mean_speed(1.0, waves, steps=n) + swimmer.mean_speed(1.0, -waves, steps=n) for n in (40, 80)
        )
        assert abs(coarse) < 2e-2 * swimmer.mean_speed(1.0, 0.5)
        assert coarse / fine == pytest.approx(4, rel=0.3)


def test_swimmer_is_slower_than_its_wave_and_has_settled(swimmer):
    for frequency, waves in ((1.0, 0.5), (2.0, 1.0)):
        speed = swimmer.mean_speed(frequency, waves)
        assert 0 < speed < frequency * swimmer.LENGTH / waves
        assert swimmer.mean_speed(frequency, waves, periods=5) == pytest.approx(speed, rel=1e-2)


def test_threads_give_the_bits_of_one(swimmer):
    frequencies, waves = np.array([1.0, 3.0]), np.array([0.5, 1.5])
    many = swimmer.speed_map(frequencies, waves, threads=4)
    one = np.array([[swimmer.mean_speed(f, k) for f in frequencies] for k in waves])
    assert np.array_equal(many, one)
