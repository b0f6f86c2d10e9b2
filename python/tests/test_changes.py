# SPDX-License-Identifier: Apache-2.0
"""Changes of elements, states of other models, laws that are not finite, and numbers that are not real."""

import copy

import numpy as np
import pytest

import elver
from conftest import ARM

NAN = float("nan")


def one_joint(joint, name="link"):
    return elver.Model.build(tree=[elver.body(name, joint=joint, mass=1, inertia=[1, 1, 1])])


# ---- materials with a name


def test_a_rod_of_a_named_material_is_changed_alone():
    model = elver.load("@cpr")
    before = model.simulate().state.q.copy()
    model["leg1"].young = 1e11
    assert (model["leg1"].young, model["leg2"].young) == (1e11, 2.1e11)
    model["leg1"].material.density = 5000
    model["leg1"]["poisson"] = 0.3
    assert (model["leg1"].density, model["leg2"].density, model["leg1"].poisson) == (5000, 7800, 0.3)
    # what the material has from parameters follows them still
    model.set(mu=1e-4)
    assert model["leg1"].material.damping == model["leg2"].material.damping == 1e-4
    # the stiffness that the dynamics see is that of a model written by hand
    by_hand = elver.load("@cpr", set={"leg1.material": {"density": 5000, "young": 1e11, "poisson": 0.3, "damping": 1e-4}, "mu": 1e-4})
    assert np.array_equal(model.tangent()[2], by_hand.tangent()[2]) and model.mass == by_hand.mass
    assert before.size == model.nq


def test_a_material_is_changed_for_all_its_rods_by_its_name():
    model = elver.load("@cpr")
    model.set({"materials.steel.young": 1e10})
    assert model["leg1"].young == model["leg2"].young == 1e10
    # a copy is one of the material as it is
    model["leg1"].density = 5000
    assert (model["leg1"].young, model["leg1"].density) == (1e10, 5000)
    model.set({"leg1.material.young": 1e9, "leg2.material.young": 2e9})
    assert (model["leg1"].young, model["leg2"].young) == (1e9, 2e9)
    model.set({"leg1.material": "steel"})
    assert model["leg1"].young == 1e10


def test_bad_values_of_a_named_material_name_the_rod_and_change_nothing():
    model = elver.load("@cpr")
    for name, value in (("young", -1), ("young", "x"), ("yuong", 1)):
        with pytest.raises((elver.InputError, AttributeError)) as caught:
            model["leg1"].material[name] = value
        assert caught.value.element == "leg1", str(caught.value)
        assert "--set" not in str(caught.value)
    assert model["leg1"].young == 2.1e11 and model["leg1"].material.keys() == model["leg2"].material.keys()
    with pytest.raises(elver.InputError) as caught:
        model.set({"leg7.length": 1})
    assert caught.value.element == "leg7"


@pytest.mark.parametrize("name", ["cantilever-swing", "stewart-gough", "swimmer-tendon", "rollup", "gripper"])
def test_young_of_shipped_models(name):
    model = elver.load(f"@{name}")
    rods = [node["name"] for node in model.nodes if node["is_rod"] and "young" in model[node["name"]].material.keys()]
    others = {rod: model[rod].young for rod in rods[1:]}
    for rod in rods[:1]:
        model[rod].young = 2e6
        assert model[rod].young == 2e6
    assert others == {rod: model[rod].young for rod in rods[1:]}


def test_density_of_a_body():
    model = elver.Model.build(tree=[elver.body("ball", shape={"sphere": {"radius": 0.1}}, density=1000, joint="free")])
    assert model["ball"].density == 1000
    mass = model.mass
    model["ball"].density = 500
    assert model["ball"].density == 500 and abs(model.mass - 0.5 * mass) < 1e-12 * mass


# ---- states of other models


def test_a_state_of_another_model_is_refused():
    hinge, slide, other = one_joint({"revolute": {"axis": "y"}}), one_joint({"prismatic": {"axis": "y"}}), one_joint({"revolute": {"axis": "y"}}, "arm")
    rod = elver.Model.from_yaml(ARM)
    bent = elver.Model.from_yaml(ARM.replace("bend_y: 3", "bend_z: 3"))
    for model, foreign in ((slide, hinge), (hinge, other), (rod, bent), (rod, hinge)):
        state = foreign.state()
        for call in (model.idm, model.mass_matrix, model.energy, model.statics_path, model.state().assign):
            with pytest.raises(ValueError, match="another model"):
                call(state=state) if "state" in call.__code__.co_varnames else call(state)
        with pytest.raises(ValueError, match="another model"):
            model.simulate().state = state


def test_states_outlive_changes_of_numbers():
    model = elver.Model.from_yaml(ARM)
    state = model.state(q=[0.1, 0.2, 0.3])
    model.set(E=1e6)
    assert np.isfinite(model.idm(state)).all()
    assert np.isfinite(copy.copy(model).idm(state)).all()
    assert np.isfinite(model.simulate(inputs=["loads[0].force.z"]).model.idm(state)).all()
    model.set({"arm.strain": {"bend_z": 3}})
    with pytest.raises(ValueError, match="another model"):
        model.idm(state)


# ---- numbers


@pytest.mark.parametrize("bad", [(NAN, 0, 0), (0, NAN, 0), (0, 0, float("inf"))])
def test_a_law_that_is_not_finite_is_named(bad):
    law = "left.motion.0"
    late = elver.load("@three-link-swimmer", laws={law: lambda t: bad if t > 0.3 else (0.1, 0, 0)})
    for call in (late.gait, lambda: late.simulate().run(0.5), lambda: late.statics(1.0), lambda: late.simulate(method="explicit").run(0.5)):
        with pytest.raises(elver.NumericalError, match="not a finite number at t = ") as caught:
            call()
        assert caught.value.element == law
    with pytest.raises(elver.NumericalError) as caught:
        elver.load("@three-link-swimmer", laws={law: lambda t: bad}).gait()
    assert caught.value.element == law


def test_a_formula_of_a_motion_that_is_not_finite_is_named():
    model = elver.load("@three-link-swimmer", set={"left.joint.revolute.motion": "sqrt(0.3 - t)"})
    for call in (model.gait, lambda: model.simulate().run(0.5)):
        with pytest.raises(elver.NumericalError, match="'left'") as caught:
            call()
        assert caught.value.element == "left" and not isinstance(caught.value, elver.SingularError)


def test_complex_numbers_are_refused():
    state = elver.Model.from_yaml(ARM).state()
    for part in "qva":
        with pytest.raises(TypeError, match="complex"):
            setattr(state, part, np.zeros(3, dtype=complex))
    state.q = [1, 2, 3]
    state.q = np.array([1, 2, 3], dtype=np.float32)
    assert state.q.tolist() == [1, 2, 3]
