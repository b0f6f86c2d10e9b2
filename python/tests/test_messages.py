# SPDX-License-Identifier: Apache-2.0
"""What is wrong is said in the words of Python, with the name that was meant; elements tell their keys."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import elver
from conftest import ARM

TENDON = ARM.replace("loads:", "actuators:\n  - {tendon: yp, path: {rod: arm, y: 0.008}, tension: 1}\nloads:")


@pytest.fixture
def puller():
    return elver.Model.from_yaml(TENDON)


def said(function, kind=elver.InputError):
    with pytest.raises(kind) as caught:
        function()
    text = str(caught.value)
    assert "--set" not in text, text
    return text


def test_values_put_over_a_model(puller):
    assert said(lambda: setattr(puller["arm"], "young", "soft")).startswith("{'arm.material.young': 'soft'}: arm: 'young': unknown name")
    assert "wants a value" in said(lambda: setattr(puller["arm"], "young", None), ValueError)
    assert said(lambda: setattr(puller["arm"], "yong", 3)).endswith("unknown key 'yong', did you mean 'young'?")
    assert "did you mean 'gravity'" in said(lambda: puller.set(gravty=[0, 0, 0]))
    assert "{'rod.length': 'x'}" in said(lambda: elver.load("@cantilever-swing", set={"rod.length": "x"}))
    try:
        puller["arm"].length = -1
    except elver.InputError as error:
        assert (error.element, error.field, error.file) == ("arm", "length", "") and error.message.startswith("length must be")


def test_names_of_inputs_and_of_values(puller):
    assert said(lambda: puller.set({"tendon.yp.tension": 3})).endswith("set 'yp.tension'")
    for name in ("yp", "yp.tension", "tendon.yp.tensio"):
        for ask in (
            lambda: puller.simulate(inputs=name),
            lambda: puller.linearize(inputs=name),
            lambda: puller.statics(u={name: 1}),
        ):
            assert "did you mean 'tendon.yp.tension'?" in said(ask)
    assert "there are: loads[0].force.z, tendon.yp.tension" in said(lambda: puller.simulate(inputs="qqq"))


def test_parameters_by_keyword(arm):
    arm.set(E=2e6, gravity=[0, 0, -1])
    assert arm.parameters["E"] == 2e6 and arm.gravity.tolist() == [0, 0, -1]
    arm.set({"arm.length": 0.6}, E=3e6)
    assert (arm["arm"].length, arm.parameters["E"]) == (0.6, 3e6)


def test_frames_and_examples(arm):
    assert "from 0 to 1" in said(lambda: arm.pose("arm.at(2)"))
    assert "model.sections('arm', [0.3])" in said(lambda: arm.jacobian("arm.at(0.3)"))
    assert "did you mean 'arm.tip'?" in said(lambda: arm.twist("arm.tp"))
    assert "did you mean 'arm.tip'?" in said(lambda: arm.poses(["arm.root", "arm.tp"]))
    assert "comes first" in said(lambda: arm.pose(arm.state(), "arm.tip"), TypeError)
    assert "did you mean '@pendulum'?" in said(lambda: elver.load("@pendulm"))
    assert "did you mean 'arm'?" in said(lambda: arm["amr"], KeyError)
    assert said(lambda: arm.evaluate("arm.tip.positon")).startswith("unknown signal")


def test_wrong_kinds_of_things(arm):
    assert "text" in said(lambda: elver.Model(None), TypeError) and "text" in said(lambda: elver.Model(123), TypeError)
    assert "model.state()" in said(lambda: elver.State(None), TypeError)
    assert "path" in said(lambda: elver.load(3), TypeError)


def test_models_of_values_have_no_lines():
    text = said(lambda: elver.Model.build(tree=[elver.rod("a", length=1)]))
    assert text.startswith("a: missing key 'section'")
    assert "lenght" in said(lambda: elver.rod("a", lenght=1), TypeError)
    assert said(lambda: elver.Model.build(tre=[])).startswith("unknown key 'tre', did you mean 'tree'?")
    # files have
    assert re.match(r"model:\d+:\d+: ", said(lambda: elver.Model.from_yaml("elver: 1\ntre: []\n")))


@pytest.mark.parametrize("kind", ["rod", "body"])
def test_keys_are_those_of_the_format(arm, kind):
    """What the functions take, and elements complete, is what the library says it expects."""
    name = {"rod": "arm", "body": "weight"}[kind]
    text = said(lambda: arm.set({f"{name}.zzzz": 1}))
    expected = set(re.split(r", | or ", text.partition("expected ")[2]))
    assert set(inspect.signature(getattr(elver, kind)).parameters) - {"name"} == expected - {kind}
    assert expected - {kind} <= set(dir(arm[name]))
    documented = getattr(elver, kind).__doc__
    assert all(f"``{key}``" in documented for key in expected - {kind}), documented


def test_elements_are_like_mappings(arm):
    element = arm["arm"]
    assert {"length", "section", "material", "strain"} <= set(element.keys()) and list(element) == element.keys()
    assert "length" in element and "joint" not in element and "young" in dir(element) and "density" in dir(element.material)
    assert element.material.keys() == list(element.material)
    with pytest.raises(AttributeError, match="default"):
        element.joint
    with pytest.raises(AttributeError, match="did you mean 'material'"):
        element.materil


def test_the_program_from_the_package(program, tmp_path):
    """``python -m elver COMMAND`` is the program; without it a message says how to get it."""

    def call(*words, **env):
        env = {**os.environ, "PYTHONPATH": str(Path(elver.__file__).parents[1]), **env}
        done = subprocess.run([sys.executable, "-m", "elver", *words], capture_output=True, text=True, check=False, env=env, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    assert call("list")[1] == program("list")
    assert call("run", "@pendulum", "-q", "--duration", "0.01", "-o", "x.csv")[0] == 0 and (tmp_path / "x.csv").is_file()
    assert call("nonsense")[0] == 2
    assert call()[1].startswith(f"elver {elver.__version__}, ")
    code, out, err = call("run", "@pendulum", ELVER_BIN="", PATH=str(tmp_path))
    assert code == 2 and out.startswith("elver ") and "ELVER_BIN" in err


def test_files_of_another_version(arm, tmp_path):
    """A model that this version does not read is said to be of another one; signals are there all the same."""
    run = arm.simulate().run(0.02)
    path = tmp_path / "other.h5"
    run.save(path)
    data = path.read_bytes()
    assert data.count(b"gravity:") == 1
    path.write_bytes(data.replace(b"gravity:", b"gravitx:"))
    with elver.Trajectory(path) as other:
        assert other["energy.total"].tolist() == run["energy.total"].tolist()
        for ask in (lambda: other.model, lambda: elver.load(path)):
            text = said(ask)
            assert "another version" in text and "gravitx" in text
