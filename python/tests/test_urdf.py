# SPDX-License-Identifier: Apache-2.0
"""Robots from URDF: as files, as text, with rods attached, and written as YAML."""

import os
import xml.etree.ElementTree
from pathlib import Path

import numpy as np
import pytest

import elver

SOURCE = Path(os.environ.get("ELVER_SOURCE_DIR", Path(__file__).parents[2]))
ARM = SOURCE / "models" / "urdf-arm.urdf"
pytestmark = pytest.mark.skipif(not ARM.is_file(), reason="no robots in URDF")


def random_state(model):
    state = model.state()
    rng = np.random.default_rng(2)
    state.q[:] = rng.standard_normal(model.nq)
    state.v[:] = rng.standard_normal(model.nv)
    return state


def test_file_text_and_yaml_are_one_robot():
    arm = elver.load(ARM)
    masses = [float(mass.get("value")) for mass in xml.etree.ElementTree.parse(ARM).iter("mass")]
    assert arm.mass == pytest.approx(sum(masses), rel=1e-14)
    state = random_state(arm)
    for other in (elver.Model.from_yaml(ARM.read_text(encoding="utf-8")), elver.Model.from_yaml(arm.to_yaml())):
        assert [node["name"] for node in other.nodes] == [node["name"] for node in arm.nodes]
        assert np.allclose(other.bias(random_state(other)), arm.bias(state), rtol=1e-13, atol=1e-13)


def test_a_rod_is_attached():
    arm = elver.load(ARM)
    model = elver.Model.build(
        gravity=[0, 0, -9.81],
        urdf={"file": str(ARM), "joints": {"waist": {"kp": 400, "kd": 60, "target": 0.5}}},
        tree=[
            elver.rod(
                "finger",
                parent=arm.nodes[-1]["name"],
                length=0.2,
                section={"circle": {"diameter": 0.016}},
                material={"density": 1070, "young": 1e6, "damping": 0.02},
                strain={"bend_y": 3},
            )
        ],
    )
    assert model.nv == arm.nv + 3
    assert model.mass == pytest.approx(arm.mass + 1070 * np.pi * 0.008**2 * 0.2, rel=1e-12)
    run = model.simulate(dt=1e-3).run(0.05)
    assert np.isfinite(run.q).all() and run.q[-1, 0] > 0


def test_a_bad_robot_is_refused(tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text("<robot name='x'><link name='a'/><joint name='j' type='revolute'><parent link='a'/></joint></robot>")
    with pytest.raises(elver.InputError) as caught:
        elver.load(path)
    assert caught.value.line == 1 and caught.value.file.endswith("bad.urdf")
    with pytest.raises(elver.FileError):
        elver.load(tmp_path / "none.urdf")
