# SPDX-License-Identifier: Apache-2.0
"""Models: reading, building, changing, writing, and what is refused."""

import json

import numpy as np
import pytest

import elver
from conftest import ARM


def test_every_example_loads_with_its_inputs():
    names = elver.shipped()
    assert len(names) > 80
    for name in names:
        model = elver.load(f"@{name}")
        state = model.state()
        assert state.q.shape == (model.nq,) and state.v.shape == (model.nv,) and state.z.shape == (model.nz,)
        for entry in model.inputs:
            assert entry["min"] <= entry["value"] <= entry["max"], (name, entry)


def test_sizes_are_those_of_the_program(program):
    for name in ("drones", "cpr", "rigid-chain", "tacr-spiral"):
        info = json.loads(program("info", f"@{name}", "--json"))
        model = elver.load(f"@{name}")
        assert model.nv == sum(node["v"][1] for node in model.nodes)
        assert model.nv == info["nv"] and model.nq == info["nq"]


def test_built_in_python_is_the_same_model(arm):
    built = elver.Model.build(
        name="arm",
        gravity=[0, 0, -9.81],
        tree=[
            elver.rod(
                "arm",
                length=0.5,
                section={"circle": {"diameter": 0.02}},
                material={"density": 1100, "young": 5e6, "damping": 0.01},
                strain={"bend_y": 3},
            ),
            elver.body("weight", parent="arm.tip", mass=0.05),
        ],
        loads=[{"at": "weight", "force": np.array([0, 0, 0.1])}],
        simulate={"duration": 0.2, "step": 0.01},
        record={"every": 0.01, "signals": ["arm.tip.position", "energy"]},
    )
    mine, theirs = built.simulate().run(0.2), arm.simulate().run(0.2)
    assert np.array_equal(mine.q, theirs.q)
    assert np.array_equal(mine["energy"], theirs["energy"])


def test_edits_recompile_and_bad_ones_change_nothing(arm):
    before = arm.modes(arm.statics()).frequency[0]
    old = arm.simulate()
    arm["arm"].young = 2e7
    assert arm.revision == 2
    assert arm["arm"].young == 2e7 and arm["arm"].material.young == 2e7
    # the first frequency about the hanging equilibrium rises with the stiffness
    assert arm.modes(arm.statics()).frequency[0] > 1.2 * before
    with pytest.raises(elver.InputError, match="length"):
        arm["arm"].length = -1
    assert arm["arm"].length == 0.5 and arm.revision == 2
    # a simulator that was there keeps its model
    assert old.run(0.05).q.shape[1] == 3


def test_parameters_and_overrides():
    model = elver.Model.from_yaml(ARM, set={"E": 2e7})
    assert model.parameters["E"] == 2e7
    with pytest.raises(elver.InputError, match="did you mean"):
        elver.Model.from_yaml(ARM, set={"arm.lenght": 1})


def test_yaml_reads_back(arm):
    again = elver.Model.from_yaml(arm.to_yaml())
    assert np.array_equal(again.simulate().run(0.1).q, arm.simulate().run(0.1).q)


def test_errors_name_the_place(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(ARM.replace("length: 0.5", "lenght: 0.5"), encoding="utf-8")
    with pytest.raises(elver.InputError) as caught:
        elver.load(path)
    error = caught.value
    assert error.element == "arm" and error.line == 8 and error.file.endswith("bad.yaml")
    assert "length" in str(error) and isinstance(error, ValueError)
    with pytest.raises(elver.FileError):
        elver.load(tmp_path / "none.yaml")
    with pytest.raises(elver.InputError, match="shipped"):
        elver.load("@no-such-example")


@pytest.mark.parametrize(
    "text, place",
    [
        ("tree:\n  - {body: base, mass: 1}\n  - {body: a, parent: b, mass: 1}\n", (4, 23)),
        ("tree:\n  - {body: a, joint: free, mass: 1}\nloads:\n  - {at: a, force: [0, 0, 1]}\n  - {at: b, force: [0, 0, 1]}\n", (6, 10)),
    ],
)
def test_errors_of_compilation_name_the_place(text, place, tmp_path):
    """Of elements, and of what a list holds; in a file as in a text."""
    path = tmp_path / "bad.yaml"
    path.write_text("elver: 1\n" + text, encoding="utf-8")
    for make in (lambda: elver.load(path), lambda: elver.Model.from_yaml("elver: 1\n" + text, name=str(path))):
        with pytest.raises(elver.InputError, match="named 'b'") as caught:
            make()
        assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), *place)


def test_unknown_names(arm):
    with pytest.raises(KeyError, match="weight"):
        arm["wieght"]
    with pytest.raises(elver.InputError, match="arm"):
        arm.pose("arn.tip")
    with pytest.raises(elver.InputError):
        arm.simulate().run(0.1, signals=["arm.tip.positon"])
    with pytest.raises(elver.InputError):
        arm.simulate(inputs=["loads[0].force.w"])
    with pytest.raises(ValueError, match="unknown method"):
        arm.simulate(method="rk5")
