# SPDX-License-Identifier: Apache-2.0
"""Derivatives against central differences, whose error falls with the square of the step; configurations, constraints."""

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import elver


def somewhere(model, seed=3):
    """A state beside the initial one, moving."""
    rng = np.random.default_rng(seed)
    state = model.state()
    free = ~np.array(model.is_imposed)
    state.q = model.integrate(state.q, np.where(free, 0.2 * rng.standard_normal(model.nv), 0))
    state.v = 0.5 * rng.standard_normal(model.nv)
    state.a = rng.standard_normal(model.nv)
    return state


def falls_with_slope_two(function, expected, rounding):
    """Whether central differences of step h miss a derivative by O(h²): a sixteenth is left at h/4, and rounding / h."""
    left = []
    for h in (1e-2, 2.5e-3):
        left.append(np.abs((function(h) - function(-h)) / (2 * h) - expected).max())
    assert left[1] <= left[0] / 12 + rounding / 2.5e-3, left
    assert left[1] <= 1e-3 * np.abs(expected).max() + rounding / 2.5e-3, left


@pytest.mark.parametrize("name", ["drones", "urdf-arm-rod", "joint-zoo", "swimmer-tendon", "floating-beam", "servo-arm"])
def test_derivatives_of_inverse_dynamics(name):
    model = elver.load(f"@{name}")
    state = somewhere(model)
    D = model.idm_derivatives(state)
    rng = np.random.default_rng(1)
    d = np.where(model.is_imposed, 0, rng.standard_normal(model.nv))
    rounding = 1e-13 * (1 + np.abs(model.idm(state)).max())

    for part, matrix in zip("qva", D):
        assert matrix.shape == (model.nv, model.nv)

        def tau(h):
            beside = state.copy()
            if part == "q":
                beside.q = model.integrate(state.q, h * d)
            else:
                setattr(beside, part, getattr(state, part) + h * d)
            return model.idm(beside)

        falls_with_slope_two(tau, matrix @ d, rounding)
    assert np.array_equal(D[2], model.mass_matrix(state))


def test_configurations_are_a_manifold():
    model = elver.load("@drones")
    state = somewhere(model)
    rng = np.random.default_rng(2)
    d = rng.standard_normal(model.nv)
    there = model.integrate(state.q, d)
    assert np.allclose(model.difference(state.q, there), d, atol=1e-12)
    # a displacement is a motion of constant velocity, so that two parts of it make the whole
    assert np.allclose(model.integrate(model.integrate(state.q, 0.3 * d), 0.7 * d), there, atol=1e-13)
    # a free body that only turns, by a quarter about its own z axis
    box = elver.Model.build(tree=[elver.body("box", joint="free", mass=1, inertia=[1, 2, 3])])
    q = box.integrate(box.state().q, [0, 0, np.pi / 2, 1, 0, 0])
    # along a circle of radius 1 / (pi / 2)
    assert np.allclose(q, [np.sqrt(0.5), 0, 0, np.sqrt(0.5), 2 / np.pi, 2 / np.pi, 0], atol=1e-15)
    with pytest.raises(ValueError, match=r"\(7,\)"):
        box.integrate([1, 2], np.zeros(6))
    with pytest.raises(ValueError, match="finite"):
        box.difference(q, np.full(7, np.nan))


@pytest.mark.parametrize("name", ["stewart-gough", "cpr", "gear-train"])
def test_constraints_on_positions(name):
    model = elver.load(f"@{name}")
    state = somewhere(model)
    J = model.constraint_jacobian(state)
    assert J.shape == (len(model.constraints), model.nv) and set(model.constraints) <= {d["name"] for d in model.devices}
    free = np.where(model.is_imposed, 0, state.v)
    state.v = free
    assert np.allclose(J @ state.v, model.constraint_defects(state, order=1), atol=1e-12)

    def defects(h):
        beside = state.copy()
        beside.q = model.integrate(state.q, h * free)
        return model.constraint_defects(beside)

    falls_with_slope_two(defects, J @ free, 1e-13)
    with pytest.raises(ValueError, match="order"):
        model.constraint_defects(state, order=3)


@pytest.mark.parametrize("name", ["rolling-disk", "knife-edge", "bead-on-rod", "four-bar"])
def test_constraints_hold_along_a_motion(name):
    """Velocities of a run are in the kernel of the Jacobian, but for what drives impose."""
    model = elver.load(f"@{name}")
    sim = model.simulate()
    sim.run(0.05)
    assert np.abs(model.constraint_defects(sim.state)).max() < 1e-8
    assert np.abs(model.constraint_defects(sim.state, order=1)).max() < 1e-5
    if not any(model.is_imposed):
        assert np.abs(model.constraint_jacobian(sim.state) @ sim.state.v).max() < 1e-5


def test_no_constraints(arm):
    assert arm.constraints == [] and arm.constraint_jacobian().shape == (0, 3) and arm.constraint_defects().shape == (0,)


@pytest.mark.parametrize("name", ["drones", "urdf-arm-rod", "tumbling-box"])
def test_center_of_mass_and_frames(name):
    model = elver.load(f"@{name}")
    state = somewhere(model)
    J = model.center_jacobian(state)
    momentum = model.momentum(state)
    assert np.allclose(momentum["mass"] * J @ state.v, momentum["linear"], rtol=1e-11, atol=1e-11)
    d = np.where(model.is_imposed, 0, state.v)
    falls_with_slope_two(lambda h: model.momentum(model.state(q=model.integrate(state.q, h * d)))["center"], J @ d, 1e-14)
    # acceleration of a frame: J a, and what velocities add; in world axes it is the signal
    node = model.nodes[-1]
    frame = f"{node['name']}.tip" if node["is_rod"] else node["name"]
    world = model.acceleration(frame, state, axes="world")
    assert np.allclose(world[3:], model.evaluate(f"{frame}.acceleration", state), atol=1e-12)
    still = state.copy()
    still.a = np.zeros(model.nv)
    added = model.acceleration(frame, state, axes="world") - model.acceleration(frame, still, axes="world")
    assert np.allclose(added, model.jacobian(frame, state, axes="world") @ state.a, atol=1e-10)
    R = model.pose(frame, state)[:3, :3]
    assert np.allclose(R @ model.acceleration(frame, state)[3:], world[3:], atol=1e-12)


TENDONS = [{"tendon": name, "path": {"rod": "arm", axis: 0.008}, "tension": 1} for name, axis in (("y", "y"), ("z", "z"))]


def tendon_arm(**keys):
    return elver.Model.build(
        tree=[
            elver.rod(
                "arm",
                length=0.5,
                section={"circle": {"diameter": 0.02}},
                material={"density": 1100, "young": 1e6, "damping": 0.01},
                strain={"bend_y": 2, "bend_z": 2},
            )
        ],
        actuators=TENDONS,
        loads=[{"at": "arm.tip", "force": [0, 0, 0.01]}],
        **keys,
    )


def test_actuation_matrix():
    """Efforts are linear in tensions: those of two models tell the columns."""
    model = tendon_arm()
    state = somewhere(model)
    B = model.actuation_matrix(state)
    assert B.shape == (4, 2)
    before = model.internal_efforts(state)
    for k, name in enumerate("yz"):
        other = tendon_arm()
        other[name].tension = 5
        assert np.allclose(other.internal_efforts(state) - before, 4 * B[:, k], atol=1e-13)
    # a load acts along the Jacobian of its frame
    force = model.actuation_matrix(state, "loads[0].force.z")
    assert np.allclose(force[:, 0], model.jacobian("arm.tip", state, axes="world")[5], atol=1e-14)
    with pytest.raises(elver.InputError, match="did you mean 'tendon.y.tension'"):
        model.actuation_matrix(state, "y.tension")


def test_gears_are_in_linear_models():
    """An input is the law of the motor: the joint gets it times the gear, in steps and in B."""
    model = elver.Model.build(
        tree=[elver.body("b", joint={"revolute": {"axis": "z", "force": 0, "gear": 3}}, mass=1, inertia=[1, 1, 2])]
    )
    assert model.actuation_matrix().item() == 3
    linear = model.linearize(outputs="b.effort")
    assert np.allclose(linear.B, [[0], [1.5]]) and linear.D.item() == 3
    sim = model.simulate(dt=0.01, method="generalized-alpha", inputs="b.effort.0")
    sim.step([1.0])
    assert sim.state.v[0] == pytest.approx(1.5 * 0.01, rel=1e-9)


def test_statics_with_inputs():
    """The equilibrium is that of a model with these tensions."""
    model = tendon_arm()
    state = model.statics(u={"tendon.y.tension": 3, "tendon.z.tension": 0.5})
    other = tendon_arm()
    other.set({"y.tension": 3, "z.tension": 0.5})
    assert np.array_equal(state.q, other.statics().q)
    # other values, another guess, and without inputs as ever
    model.statics(state=state, u={"tendon.y.tension": 0, "tendon.z.tension": 0})
    assert np.array_equal(model.statics(u={"tendon.y.tension": 3, "tendon.z.tension": 0.5}).q, state.q)
    assert np.array_equal(model.statics(u={"tendon.y.tension": 1}).q, model.statics().q)
    with pytest.raises(ValueError, match="finite"):
        model.statics(u={"tendon.y.tension": float("nan")})
    with pytest.raises(elver.InputError, match="did you mean 'tendon.y.tension'"):
        model.statics(u={"y": 3})
    model["y"].tension = 7
    assert np.array_equal(model.statics(u={"tendon.z.tension": 1}).q, model.statics().q)


def test_models_with_inputs_held():
    """They are the model with these values, for every function; a change of the model does not reach them."""
    model = tendon_arm()
    u = {"tendon.y.tension": 3, "loads[0].force.z": 0.2}
    held = model.with_inputs(u)
    state = model.statics(u=u)
    assert np.abs(held.residual(state)).max() < 1e-8 < 1e-4 < np.abs(model.residual(state)).max()
    assert held.evaluate("tendon.y.tension", state)[0] == 3 and model.evaluate("tendon.y.tension", state)[0] == 1
    other = tendon_arm()
    other.set({"y.tension": 3, "loads[0].force": [0, 0, 0.2]})
    for mine, theirs in zip(held.tangent(state), other.tangent(state)):
        assert np.allclose(mine, theirs, rtol=1e-12, atol=1e-14)
    assert np.allclose(held.linearize(state).A, other.linearize(state).A, rtol=1e-10, atol=1e-10)
    model["arm"].young = 5e6
    assert np.array_equal(held.statics().q, other.statics().q)
    with pytest.raises(TypeError, match="copy"):
        held.set({"arm.length": 1})
    # a run has them as well, and no inputs to be set
    sim = held.simulate(dt=0.01)
    assert sim.inputs == () and sim.u.size == 0
    run = sim.run(0.05)
    assert run["tendon.y.tension"].tolist() == [3.0] * len(run)
    assert np.array_equal(run.q, copy.copy(held).simulate(dt=0.01).run(0.05).q)


def test_statics_with_inputs_in_threads():
    model = tendon_arm()
    tensions = np.linspace(0, 4, 24)
    alone = [model.statics(u={"tendon.y.tension": x}).q for x in tensions]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda x: model.statics(u={"tendon.y.tension": x}).q, tensions))
    assert np.array_equal(alone, together)


def test_discrete_models_in_closed_form():
    """A damped oscillator and a double integrator under a held force."""
    m, c, k, dt = 2.0, 0.6, 8.0, 0.3
    joint = {"prismatic": {"axis": "x", "force": 0, "stiffness": k, "damping": c}}
    linear = elver.Model.build(tree=[elver.body("b", joint=joint, mass=m, inertia=[1, 1, 1])]).linearize(outputs="b.q")
    step = linear.discretize(dt)
    decay, w = c / (2 * m), np.sqrt(k / m - (c / (2 * m)) ** 2)
    e, co, si = np.exp(-decay * dt), np.cos(w * dt), np.sin(w * dt)
    A = e * np.array([[co + decay / w * si, si / w], [-(decay**2 + w**2) / w * si, co - decay / w * si]])
    assert np.allclose(step.A, A, rtol=1e-13, atol=1e-14)
    # towards the rest at 1 / k
    assert np.allclose(step.B[:, 0], (np.eye(2) - A) @ [1 / k, 0], rtol=1e-12, atol=1e-15)
    assert step.dt == dt and np.array_equal(step.C, linear.C) and "dt=0.3" in repr(step)
    free = elver.Model.build(
        tree=[elver.body("b", joint={"prismatic": {"axis": "x", "force": 0}}, mass=m, inertia=[1, 1, 1])]
    ).linearize()
    held = free.discretize(dt)
    assert np.allclose(held.A, [[1, dt], [0, 1]], atol=1e-15) and np.allclose(held.B[:, 0], [dt**2 / (2 * m), dt / m], atol=1e-15)
    with pytest.raises(ValueError, match="already"):
        step.discretize(dt)
    with pytest.raises(ValueError, match="positive"):
        free.discretize(0)


def test_discrete_models_of_stiff_arms():
    """Ten steps are one of ten times the length, whatever the ratio of the frequencies; stable ones forget the start."""
    model = elver.load("@cantilever-swing")
    linear = model.linearize()
    one, ten = linear.discretize(1e-3), linear.discretize(1e-2)
    power = np.linalg.matrix_power(one.A, 10)
    scale = np.abs(power).max()
    assert np.allclose(power, ten.A, atol=1e-9 * scale)
    values = np.sort_complex(np.log(np.linalg.eigvals(one.A).astype(complex)) / 1e-3)
    slow = np.abs(values.imag) < 0.5 * np.pi / 1e-3
    theirs = np.linalg.eigvals(linear.A)
    for value in values[slow]:
        assert np.abs(theirs - value).min() < 1e-6 * np.abs(value) + 1e-6


def test_riccati_agrees_with_the_equilibrium():
    """At an equilibrium of a tendon arm the tensions found are those it has, and wrenches are those of its modes."""
    model = elver.load("@tacr-convergent")
    state = model.statics(0.5)
    solver = model.riccati()
    with pytest.raises(ValueError, match="solve"):
        solver.tensions()
    solver.solve(state)
    tensions, wanted, left = solver.tensions()
    # what 21 modes leave of the balance
    assert list(tensions.values()) == pytest.approx([0.5], rel=1e-6) and left < 1e-6 * wanted
    assert solver.defect < 1e-9 and solver.root[0].size == 0
    stations = np.linspace(0, 1, 5)
    section = solver.sections("rod", stations)
    poses, strains, wrenches = model.sections("rod", stations, state)
    assert np.allclose(section.pose, poses, atol=1e-9) and np.allclose(section.strain, strains, atol=1e-12)
    assert np.allclose(section.wrench, wrenches, atol=1e-9) and not section.velocity.any()
    assert section.actuation.shape == (5, 6)
    with pytest.raises(elver.InputError):
        elver.load("@cpr").riccati()


def test_riccati_finds_the_motion_of_the_root():
    """A pendulum that is let go: g m l / I, found by the solver and by forward dynamics."""
    model = elver.load("@flagellum")
    solver = model.riccati()
    solver.solve_imposed(0.1)
    a, effort = solver.root
    assert a.size == effort.size == model.nodes[0]["v"][1] and np.abs(effort).max() < 1e-9 * (1 + np.abs(a).max())


def test_mode_study():
    """A cantilever under a small force at its tip bends by k (1 - s): one mode finds the mean k / 2 and misses k² / 12 of k² / 3;
    two modes find all of it, up to the square of the deflection over the length."""
    ratio = []
    for n in (1, 2):
        model = elver.Model.build(
            tree=[
                elver.rod(
                    "rod",
                    length=0.5,
                    section={"circle": {"diameter": 0.02}},
                    material={"density": 1000, "young": 1e7},
                    strain={"bend_y": n},
                )
            ],
            loads=[{"at": "rod.tip", "force": [0, 0, 1e-3]}],
        )
        study = model.mode_study(is_static=True)
        assert list(study) == ["rod"] and list(study["rod"]) == ["bend_y"]
        error, size = study["rod"]["bend_y"]
        ratio.append(error / size)
    assert ratio[0] == pytest.approx(0.25, rel=1e-4) and ratio[1] < 1e-8
    with pytest.raises(elver.InputError):
        elver.load("@pendulum").mode_study()
