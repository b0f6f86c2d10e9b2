# SPDX-License-Identifier: Apache-2.0
"""What a model tells beyond its equations: reactions, frames, many states, paths, inverse problems, locomotion."""

import numpy as np
import pytest

import elver


def test_reactions_carry_a_hanging_weight():
    """A body hung from the world by a loop alone: the loop pulls up by its weight, and without a moment."""
    model = elver.Model.build(
        gravity=[0, 0, -9.81],
        tree=[elver.body("weight", mass=2.0, inertia=[0.1, 0.1, 0.1], joint="free")],
        loops=[{"loop": "hook", "between": ["world", "weight"], "joint": "fixed"}],
    )
    state = model.state()
    report = model.close_loops(state)
    assert report["gap"] < 1e-12
    assert np.allclose(model.reaction("hook", state), [0, 0, 0, 0, 0, 2 * 9.81], atol=1e-9)
    assert list(model.reactions(state)) == ["hook"]
    with pytest.raises(KeyError, match="hook"):
        model.reaction("hok", state)


def test_reactions_of_a_run_are_its_signals():
    model = elver.load("@four-bar")
    run = model.simulate().run(0.02, signals=["loop.pin.wrench"])
    state = run.state(-1)
    assert np.array_equal(model.reaction("pin", state), run["loop.pin.wrench"][-1])
    first, n = next(device["z"] for device in model.devices if device["name"] == "pin")
    assert n == 6 and first + n <= state.z.size


def random_state(model, seed=5):
    state = model.state()
    rng = np.random.default_rng(seed)
    state.q[:] = 0.4 * rng.standard_normal(model.nq)
    state.v[:] = rng.standard_normal(model.nv)
    state.a[:] = rng.standard_normal(model.nv)
    return state


def test_frames_in_both_axes(arm):
    state = random_state(arm)
    poses = arm.poses(state=state)
    assert poses.shape == (2, 4, 4)
    assert np.array_equal(poses[0], arm.pose("arm.tip", state)) and np.array_equal(poses[1], arm.pose("weight", state))
    R = poses[0][:3, :3]
    body, world = (arm.jacobian("arm.tip", state, axes=axes) for axes in ("body", "world"))
    assert np.allclose(world[:3], R @ body[:3], atol=1e-15) and np.allclose(world[3:], R @ body[3:], atol=1e-15)
    assert np.allclose(world @ state.v, arm.twist("arm.tip", state, axes="world"), atol=1e-13)
    # the signal of the velocity is in world axes
    assert np.allclose(arm.twist("arm.tip", state, axes="world")[3:], arm.evaluate("arm.tip.velocity", state), atol=1e-13)
    # linear rows are the derivative of the position: central differences of second order
    h = 1e-5
    for k in range(arm.nv):
        up, down = state.copy(), state.copy()
        up.q[k] += h
        down.q[k] -= h
        slope = (arm.pose("arm.tip", up)[:3, 3] - arm.pose("arm.tip", down)[:3, 3]) / (2 * h)
        assert np.allclose(world[3:, k], slope, atol=1e-9)


def test_many_states_at_once_have_the_bits_of_one(arm):
    rng = np.random.default_rng(9)
    q, v, a = (rng.standard_normal((17, 3)) for _ in range(3))
    idm, residual = arm.idm_many(q, v, a), arm.residual_many(q, v, a)
    state = arm.state()
    for i in range(17):
        state.q[:], state.v[:], state.a[:] = q[i], v[i], a[i]
        assert np.array_equal(idm[i], arm.idm(state)) and np.array_equal(residual[i], arm.residual(state))
    assert arm.idm_many(*np.zeros((3, 0, 3))).shape == (0, 3)
    # columns of another order in memory, and lists, are taken too
    assert np.array_equal(arm.idm_many(np.asfortranarray(q), v.tolist(), a), idm)
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        arm.idm_many(q, v[:5], a)


def test_powers_are_the_rate_of_the_energy(arm):
    """Along a motion of the explicit method, whose steps are far more accurate than the differences."""
    sim = arm.simulate(method="explicit")
    run = sim.run(0.1, every=1e-4, signals=["energy.total"])
    i, h = 500, 1e-4
    state = run.state(i)
    powers = arm.powers(state)
    slope = (run["energy.total"][i + 1] - run["energy.total"][i - 1]) / (2 * h)
    rate = powers["actuators"] + powers["loads"] - powers["dissipated"] - powers["fluid"]
    assert rate == pytest.approx(slope, rel=1e-4, abs=1e-5)


def test_a_path_of_statics(arm, program, tmp_path):
    path = arm.statics_path([0.0, 0.5, 1.0])
    assert path.t.tolist() == [0.0, 0.5, 1.0] and not path.v.any()
    assert np.abs(arm.residual(path.state(-1))).max() < 1e-8
    mine = elver.load("@tacr-convergent").statics_path()
    program("statics", "@tacr-convergent", "-o", tmp_path / "out.h5", "-q")
    theirs = elver.Trajectory(tmp_path / "out.h5")
    assert theirs.is_statics and np.array_equal(mine.t, theirs["t"])
    for column in mine.names:
        assert np.array_equal(mine[column], theirs[column]), column


def test_what_a_failing_path_found_is_kept():
    model = elver.Model.from_yaml(
        """
elver: 1
gravity: [0, 0, 0]
tree:
  - rod: arm
    length: 0.5
    section: {circle: {diameter: 0.02}}
    material: {density: 1100, young: 1e6}
    strain: {bend_y: 3}
loads:
  - {at: arm.tip, force: [0, 0, 't / (2 - t)']}
"""
    )
    with pytest.raises(elver.NumericalError) as caught:
        model.statics_path([0.0, 1.0, 2.0])
    assert caught.value.records.t.tolist() == [0.0, 1.0]


def test_continuation_finds_where_a_column_buckles():
    """Euler: a clamped column of bending stiffness EI bows out at pi² EI / (4 L²), up to what it shortens before, which is
    not there without stretch, and to what its modes leave."""
    young, radius, length = 1e7, 0.01, 1.0
    euler = np.pi**2 * young * np.pi * radius**4 / 4 / (4 * length**2)
    model = elver.Model.build(
        gravity=[0, 0, 0],
        tree=[
            elver.rod(
                "column",
                length=length,
                section={"circle": {"diameter": 2 * radius}},
                material={"density": 1000, "young": young},
                strain={"bend_y": 5},
            )
        ],
        loads=[{"at": "column.tip", "force": ["-t", 0, 0]}],
    )
    path = model.continuation([0, 1.5 * euler], max_step=0.1)
    assert path.end == "done" and path.t[0] == 0
    (found,) = path.t[path.kind == "bifurcation"]
    assert found == pytest.approx(euler, rel=1e-3)
    assert path.n_negative[0] == 0 and path.n_negative[-1] == 1
    bent = model.continuation([0, 1.5 * euler], max_step=0.1, branch=1)
    assert bent.is_branch[-1] and np.abs(bent.q[-1]).max() > 0.1


@pytest.mark.parametrize(
    "name, problem",
    [("four-bar", "joints"), ("flagellum", "strains"), ("tacr-inverse", "tip")],
)
def test_inverse_problems_have_the_bits_of_the_program(name, problem, program, tmp_path):
    model = elver.load(f"@{name}")
    # equilibria have loads in place of a duration
    mine = model.inverse() if problem == "tip" else model.inverse(duration=0.05)
    duration = [] if problem == "tip" else ["--duration", "0.05"]
    program("inverse", f"@{name}", "-o", tmp_path / "out.h5", *duration, "-q")
    theirs = elver.Trajectory(tmp_path / "out.h5")
    assert mine.problem == problem and np.array_equal(mine.t, theirs["t"])
    # the program has columns of its own beside them
    assert set(mine.names) <= set(theirs.names)
    for column in mine.names:
        assert np.array_equal(mine[column], theirs[column]), column
    if problem == "tip":
        assert mine.is_reached.all() and mine.distance.max() < 1e-8
    assert mine.wrench.shape == (len(mine), 6) and np.isfinite(mine.left).all()


def test_signals_that_a_method_does_not_have_are_refused():
    with pytest.raises(elver.InputError, match="modes"):
        elver.load("@imposed-wave").inverse(duration=0.01)
    with pytest.raises(elver.InputError, match="rkmk"):
        elver.load("@cantilever-swing").simulate(method="rkmk").run(0.01, signals=["rod.q"])
    with pytest.raises(elver.SingularError, match="leg1.joint"):
        elver.load("@stewart-gough").inverse(duration=0.05)


def test_curvature_is_the_gait_of_a_small_cycle():
    """A circle of bends of radius r, about where the cat is bent, turns it by F pi r², up to terms in r³: what is left of
    the turn, over r², vanishes in proportion to r, or faster."""
    model = elver.load("@falling-cat")
    imposed = sum(model.is_imposed)
    assert imposed == 2
    left = []
    for r in (0.1, 0.05, 0.025):
        motion = [f"0.4 + {r}*cos(2*pi*t)", f"0.3 + {r}*sin(2*pi*t)"]
        small = elver.load("@falling-cat", set={"rear.joint.universal.motion": motion})
        middle = small.state()
        middle.q[-2:] = 0.4, 0.3
        F = small.curvature(0, 1, middle)
        assert F.shape == (small.nv - imposed,) and np.allclose(F, -small.curvature(1, 0, middle), atol=1e-8)
        net, period = small.gait()
        assert period == pytest.approx(1.0)
        # a small turn is its rotation vector; the root's velocities are angular first, in its own axes
        turn = np.array([net[2, 1] - net[1, 2], net[0, 2] - net[2, 0], net[1, 0] - net[0, 1]]) / 2
        assert np.linalg.norm(F[:3]) > 1e-2
        left.append(np.linalg.norm(turn / (np.pi * r**2) - F[:3]) / np.linalg.norm(F[:3]))
    assert left[2] < 0.05 and left[1] < 0.6 * left[0] and left[2] < 0.6 * left[1], left
    assert model.compatibility(1.0)["is_compatible"]
    with pytest.raises(IndexError):
        model.curvature(0, imposed)


def test_a_held_tip_pulls_back():
    """A cantilever whose tip is led aside by a small d pulls with 3 EI d / L³."""
    young, radius, length, d = 1e7, 0.01, 1.0, 1e-5
    stiffness = 3 * young * np.pi * radius**4 / 4 / length**3
    model = elver.Model.build(
        gravity=[0, 0, 0],
        tree=[
            elver.rod(
                "rod",
                length=length,
                section={"circle": {"diameter": 2 * radius}},
                material={"density": 1000, "young": young},
                strain={"twist": 1, "bend_y": 3, "bend_z": 3, "stretch": 1, "shear_y": 1, "shear_z": 1},
            )
        ],
    )
    solver = model.shooting()
    solver.solve()
    tip = solver.sections("rod", [1.0])[0][0][:3, 3]
    solver.hold_tip(tip + [0, 0, d])
    solver.solve()
    assert solver.sections("rod", [1.0])[0][0][2, 3] == pytest.approx(tip[2] + d, abs=1e-9)
    # shear softens it by about 2 (radius / length)²; the tension that its stretch makes stiffens it by about (d / radius)²
    assert abs(solver.tip_wrench[5]) == pytest.approx(stiffness * d, rel=1e-3)
    assert solver.report()["last_residual"] < 1e-6
    solver.hold_tip(None)
    solver.solve()
    assert np.allclose(solver.sections("rod", [1.0])[0][0][:3, 3], tip, atol=1e-9)
    with pytest.raises(ValueError, match="unit length"):
        solver.hold_tip(2 * np.eye(4))
