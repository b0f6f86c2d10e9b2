# SPDX-License-Identifier: Apache-2.0
"""Every public function, with arguments that make no sense: an exception that says so, and the object goes on working."""

import warnings

import numpy as np
import pytest

import elver
from conftest import ARM

NAN = float("nan")
GARBAGE = [
    None, -1, 7, 1.5, NAN, float("inf"), 10**400, "", "no.such.thing", "a\0b", "\udc80", b"arm", [], [1], ["x", 3], (), {}, {"x": object()},
    object(), np.zeros(0), np.zeros(3), np.zeros((2, 2)), np.full(4, NAN), np.array("x"), np.zeros(3, dtype=complex), int, lambda t: t,
]  # fmt: skip

# what may come out; SystemError, AttributeError or a crash may not
ALLOWED = (TypeError, ValueError, KeyError, IndexError, OverflowError, OSError, elver.Error)


@pytest.fixture(scope="module")
def things(tmp_path_factory):
    model = elver.Model.from_yaml(ARM)
    sim = model.simulate(inputs=["loads[0].force.z"])
    run = sim.run(0.05)
    chain = elver.Model.from_yaml(ARM.replace("bend_y: 3", "bend_y: 3, stretch: 1"))
    riccati = model.riccati()
    riccati.solve(model.state())
    return {
        "model": model,
        "riccati": riccati,
        "linear": model.linearize(),
        "state": model.state(),
        "sim": sim,
        "run": run,
        "shooting": chain.shooting(),
        "cat": elver.load("@falling-cat"),
        "bar": elver.load("@four-bar"),
        "folder": tmp_path_factory.mktemp("garbage"),
    }


# name, function of one argument; every argument of every public function stands here
CALLS = {
    "load": lambda x, o: elver.load(x),
    "load set": lambda x, o: elver.load("@pendulum", set=x),
    "load set value": lambda x, o: elver.load("@pendulum", set={"simulate.duration": x}),
    "load laws": lambda x, o: elver.load("@pendulum", laws=x),
    "load law": lambda x, o: elver.Model.from_yaml(ARM, laws={"loads[0].force.z": x}),
    "from_yaml": lambda x, o: elver.Model.from_yaml(x),
    "build": lambda x, o: elver.Model.build(tree=x),
    "build body": lambda x, o: elver.Model.build(tree=[elver.body(x, mass=1.0)]),
    "build rod": lambda x, o: elver.Model.build(tree=[elver.rod("a", length=x)]),
    "set": lambda x, o: o["model"].set(x),
    "set value": lambda x, o: o["model"].set({"arm.length": x}),
    "element": lambda x, o: o["model"][x],
    "element set": lambda x, o: setattr(o["model"]["arm"], "length", x),
    "copy_state": lambda x, o: o["model"].copy_state(x),
    "simulate dt": lambda x, o: o["model"].simulate(dt=x),
    "simulate method": lambda x, o: o["model"].simulate(method=x),
    "simulate inputs": lambda x, o: o["model"].simulate(inputs=x),
    "simulate controller": lambda x, o: o["model"].simulate(inputs="loads[0].force.x", controller=x),
    "idm": lambda x, o: o["model"].idm(x),
    "bias": lambda x, o: o["model"].bias(x),
    "internal_efforts": lambda x, o: o["model"].internal_efforts(x),
    "residual": lambda x, o: o["model"].residual(x),
    "drive_efforts": lambda x, o: o["model"].drive_efforts(x),
    "mass_matrix": lambda x, o: o["model"].mass_matrix(x),
    "forward_dynamics": lambda x, o: o["model"].forward_dynamics(x),
    "tangent": lambda x, o: o["model"].tangent(x),
    "idm_many q": lambda x, o: o["model"].idm_many(x, np.zeros((1, 3)), np.zeros((1, 3))),
    "idm_many v": lambda x, o: o["model"].idm_many(np.zeros((1, 3)), x, np.zeros((1, 3))),
    "idm_many t": lambda x, o: o["model"].idm_many(np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3)), x),
    "residual_many": lambda x, o: o["model"].residual_many(x, x, x),
    "pose": lambda x, o: o["model"].pose(x),
    "pose state": lambda x, o: o["model"].pose("arm.tip", x),
    "poses": lambda x, o: o["model"].poses(x),
    "twist": lambda x, o: o["model"].twist(x),
    "twist axes": lambda x, o: o["model"].twist("arm.tip", axes=x),
    "jacobian": lambda x, o: o["model"].jacobian(x),
    "jacobian axes": lambda x, o: o["model"].jacobian("arm.tip", axes=x),
    "sections rod": lambda x, o: o["model"].sections(x, [0.5]),
    "sections": lambda x, o: o["model"].sections("arm", x),
    "evaluate": lambda x, o: o["model"].evaluate(x),
    "evaluate state": lambda x, o: o["model"].evaluate("energy", x),
    "reaction": lambda x, o: o["bar"].reaction(x, o["bar"].state()),
    "reaction state": lambda x, o: o["bar"].reaction("pin", x),
    "reactions": lambda x, o: o["bar"].reactions(x),
    "energy": lambda x, o: o["model"].energy(x),
    "powers": lambda x, o: o["model"].powers(x),
    "momentum": lambda x, o: o["model"].momentum(x),
    "statics": lambda x, o: o["model"].statics(x),
    "statics state": lambda x, o: o["model"].statics(0.0, x),
    "statics_path": lambda x, o: o["model"].statics_path(x),
    "statics_path signals": lambda x, o: o["model"].statics_path([0], signals=x),
    "continuation": lambda x, o: o["model"].continuation(x, max_points=5),
    "continuation max_step": lambda x, o: o["model"].continuation([0, 1], max_step=x, max_points=5),
    "continuation max_points": lambda x, o: o["model"].continuation([0, 1], max_points=x),
    "continuation branch": lambda x, o: o["model"].continuation([0, 1], branch=x, max_points=5),
    "continuation branch_at": lambda x, o: o["model"].continuation([0, 1], branch_at=x, max_points=5),
    "close_loops": lambda x, o: o["bar"].close_loops(x),
    "stability": lambda x, o: o["model"].stability(x),
    "modes": lambda x, o: o["model"].modes(x),
    "linearize": lambda x, o: o["model"].linearize(x),
    "linearize inputs": lambda x, o: o["model"].linearize(inputs=x),
    "linearize outputs": lambda x, o: o["model"].linearize(outputs=x),
    "inverse": lambda x, o: o["bar"].inverse(x, duration=0.0),
    "inverse start": lambda x, o: o["bar"].inverse(start=x, duration=0.0),
    "inverse duration": lambda x, o: o["bar"].inverse(duration=x, every=1.0),
    "inverse every": lambda x, o: o["bar"].inverse(duration=0.0, every=x),
    "classify": lambda x, o: o["cat"].classify(x),
    "projective_torques": lambda x, o: o["cat"].projective_torques(x),
    "compatibility": lambda x, o: o["cat"].compatibility(x),
    "connection": lambda x, o: o["cat"].connection(x),
    "curvature": lambda x, o: o["cat"].curvature(x, 1),
    "gait": lambda x, o: o["cat"].gait(x),
    "gait period": lambda x, o: o["cat"].gait(period=x),
    "gait_dynamics": lambda x, o: o["cat"].gait_dynamics(x),
    "shooting solve": lambda x, o: o["shooting"].solve(x),
    "shooting hold_tip": lambda x, o: o["shooting"].hold_tip(x),
    "shooting sections": lambda x, o: o["shooting"].sections("arm", x),
    "shooting rod": lambda x, o: o["shooting"].sections(x, [0.5]),
    "state t": lambda x, o: setattr(o["model"].state(), "t", x),
    "state assign": lambda x, o: o["model"].state().assign(x),
    "sim state": lambda x, o: setattr(o["sim"], "state", x),
    "sim step": lambda x, o: o["sim"].step(x),
    "sim run": lambda x, o: o["sim"].run(x, every=1.0) if x is not GARBAGE[6] else o["sim"].run(NAN),
    "sim run every": lambda x, o: o["sim"].run(0.01, every=x),
    "sim run signals": lambda x, o: o["sim"].run(0.01, signals=x),
    "records item": lambda x, o: o["run"][x],
    "records state": lambda x, o: o["run"].state(x),
    "records unit": lambda x, o: o["run"].unit(x),
    "records save": lambda x, o: o["run"].save(x if not isinstance(x, str) else o["folder"] / "x.bad"),
    "records view": lambda x, o: o["run"].view(x),
    "records view stations": lambda x, o: o["run"].view(stations=x),
    "records evaluate": lambda x, o: o["run"].evaluate(x),
    "trajectory": lambda x, o: elver.Trajectory(x),
    "integrate q": lambda x, o: o["cat"].integrate(x, np.zeros(o["cat"].nv)),
    "integrate": lambda x, o: o["cat"].integrate(o["cat"].state().q, x),
    "difference": lambda x, o: o["cat"].difference(x, o["cat"].state().q),
    "idm_derivatives": lambda x, o: o["model"].idm_derivatives(x),
    "actuation_matrix": lambda x, o: o["model"].actuation_matrix(x),
    "actuation_matrix inputs": lambda x, o: o["model"].actuation_matrix(inputs=x),
    "acceleration": lambda x, o: o["model"].acceleration(x),
    "acceleration state": lambda x, o: o["model"].acceleration("arm.tip", x),
    "acceleration axes": lambda x, o: o["model"].acceleration("arm.tip", axes=x),
    "center_jacobian": lambda x, o: o["model"].center_jacobian(x),
    "constraint_jacobian": lambda x, o: o["bar"].constraint_jacobian(x),
    "constraint_defects": lambda x, o: o["bar"].constraint_defects(x),
    "constraint_defects order": lambda x, o: o["bar"].constraint_defects(order=x),
    "statics u": lambda x, o: o["model"].statics(u=x),
    "statics u value": lambda x, o: o["model"].statics(u={"loads[0].force.z": x}),
    "with_inputs": lambda x, o: o["model"].with_inputs(x),
    "with_inputs value": lambda x, o: o["model"].with_inputs({"loads[0].force.z": x}),
    "riccati": lambda x, o: o["model"].riccati(x),
    "riccati solve": lambda x, o: o["model"].riccati().solve(x),
    "riccati solve_imposed": lambda x, o: o["model"].riccati().solve_imposed(x),
    "riccati sections": lambda x, o: o["riccati"].sections("arm", x),
    "riccati rod": lambda x, o: o["riccati"].sections(x, [0.5]),
    "discretize": lambda x, o: o["linear"].discretize(x),
}


# what of it makes sense after all: places in GARBAGE. None stands for a default, nothing for an empty list, 7 and 1.5 are numbers,
# and of complex zeros NumPy warns
NONE = [0]
EMPTY = [7, 12, 15, 16, 19]
NUMBER = [2, 3]
TAKEN = {
    **dict.fromkeys(
        (
            "idm", "bias", "internal_efforts", "residual", "drive_efforts", "mass_matrix", "tangent", "pose state", "evaluate state",
            "reaction state", "reactions", "energy", "powers", "momentum", "statics state", "stability", "modes", "linearize",
            "inverse", "classify", "projective_torques", "connection", "gait", "gait_dynamics", "simulate method",
            "idm_derivatives", "actuation_matrix", "acceleration state", "center_jacobian", "constraint_jacobian", "constraint_defects",
        ),
        NONE,
    ),
    **dict.fromkeys(("simulate inputs", "linearize outputs"), EMPTY[1:]),
    **dict.fromkeys(("statics_path signals", "linearize inputs", "sim run signals", "actuation_matrix inputs"), NONE + EMPTY[1:]),
    "set": [16],
    "statics u": [0, 16],
    "poses": NONE + EMPTY[1:],
    "riccati": [2],
    **dict.fromkeys(("load set value", "set value", "element set", "compatibility", "sim run", "discretize"), NUMBER),
    **dict.fromkeys(
        ("simulate dt", "continuation max_step", "inverse duration", "inverse every", "gait period", "sim run every"), NONE + NUMBER
    ),
    **dict.fromkeys(("idm_many t", "statics", "inverse start", "shooting solve", "state t", "riccati solve_imposed"), [1] + NUMBER),
    **dict.fromkeys(("sections", "shooting sections", "riccati sections"), [12, 13, 15, 19, 20, 24]),
    **dict.fromkeys(("load set", "load laws"), [0, 7, 12, 15, 16]),
    "load law": [25, 26],
    "simulate controller": [0, 25, 26],
    **dict.fromkeys(("evaluate", "records evaluate"), [12, 15, 16, 19]),
    **dict.fromkeys(("statics u value", "with_inputs value"), [1] + NUMBER),
    "with_inputs": [16],
    "statics_path": [0, 1, 2, 3, 13, 20, 24],
    "continuation": [1, 2, 3, 13],
    "continuation max_points": [0, 2],
    "continuation branch": [1],
    "continuation branch_at": [2],
    "shooting hold_tip": [0, 20, 24],
    "sim step": [0, 1, 2, 3, 13, 16],
    "records state": [1],
    "records view stations": [2],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_garbage_is_refused(name, things):
    warnings.simplefilter("ignore")
    for place, item in enumerate(GARBAGE):
        # whether an array without elements is false depends on the version of NumPy
        if place == 19 and name in ("load set", "load laws", "continuation max_points"):
            continue
        if place in TAKEN.get(name, ()):
            CALLS[name](item, things)
        else:
            with pytest.raises(ALLOWED) as caught:
                CALLS[name](item, things)
            assert str(caught.value), (item, caught.type)
        # what was asked for a moment ago still works
        things["model"].set({"arm.length": 0.5})
        assert np.isfinite(things["model"].idm()).all()
    things["sim"].reset()
    things["sim"].step([0.1])


def test_attributes_that_a_model_does_not_have(arm):
    for name in ("gravity", "duraton", "duration"):
        with pytest.raises(AttributeError, match="set"):
            setattr(arm, name, 3)


def test_every_public_method_is_in_the_table():
    """A method that is added is tried with garbage too."""
    takes_nothing = {"compile", "to_yaml", "state", "shooting", "copy", "reset", "impose", "touch", "restart", "report", "keys", "mode_study", "tensions"}
    drawn = {"plot", "to_pandas", "close", "read"}
    words = {word for name in CALLS for word in name.split()}
    for kind in (elver.Model, elver.State, elver.Simulator, elver.Shooting, elver.Riccati, elver.Records):
        for name in dir(kind):
            if callable(getattr(kind, name)) and not name.startswith("_"):
                assert name in words | takes_nothing | drawn, f"{kind.__name__}.{name}"


def test_numbers_that_are_not_finite(arm):
    for part in "qvaz":
        state = elver.load("@four-bar").state() if part == "z" else arm.state()
        model = elver.load("@four-bar") if part == "z" else arm
        getattr(state, part)[0] = NAN
        for call in (model.idm, model.mass_matrix, model.modes, model.statics_path, model.energy):
            with pytest.raises(ValueError, match=rf"{part}\[0\]"):
                call(state=state)
    sim = arm.simulate()
    sim.state.q[0] = NAN
    with pytest.raises((elver.Error, ValueError)):
        sim.step()
    with pytest.raises((elver.Error, ValueError)):
        sim.run(0.1)
    sim.reset()
    sim.step()


def test_a_closed_trajectory(arm, program, tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(ARM, encoding="utf-8")
    program("run", path, "-o", tmp_path / "out.h5", "-q")
    with elver.Trajectory(tmp_path / "out.h5") as trajectory:
        for bad in (-1, 10**6, NAN, "x", None):
            with pytest.raises((IndexError, TypeError, ValueError)):
                trajectory.read(bad, 1)
            with pytest.raises((IndexError, TypeError, ValueError)):
                trajectory.read(0, 1, bad if bad != 10**6 else 0)
        assert len(trajectory.read(0, 3)) == 3
        # a model that was edited is another model, wherever it lies in memory
        trajectory.state(0)
        trajectory.model.set({"arm.strain.bend_y": 5})
        with pytest.raises(elver.Error):
            trajectory.state(0)
        trajectory.close()
        trajectory.close()
        for call in (trajectory.read, lambda: trajectory.state(0), trajectory.view, lambda: trajectory.save(tmp_path / "x.html")):
            with pytest.raises(ValueError, match="closed"):
                call()
