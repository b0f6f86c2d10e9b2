# SPDX-License-Identifier: Apache-2.0
"""Robots from URDF against Pinocchio, which is another implementation altogether: inverse dynamics, mass matrix, forward
dynamics at random states, to 1e-10 of their size. Skipped where it is not installed (``pip install pin``): its numbers for three
robots are kept in tests/data/urdf_reference.txt, with which tests/test_urdf.c compares in any case."""

import os
from pathlib import Path

import numpy as np
import pytest

import elver

try:
    import pinocchio as pin
except ImportError:
    pin = None
pytestmark = pytest.mark.skipif(pin is None, reason="Pinocchio is not installed")

SOURCE = Path(os.environ.get("ELVER_SOURCE_DIR", Path(__file__).parents[2]))
ROBOTS = [*sorted((SOURCE / "models").glob("*.urdf")), *sorted((SOURCE / "tests" / "data").glob("*.urdf"))]
N_STATE = 20
TOLERANCE = 1e-10


def child_of(robot, joint):
    """Name of the link that a joint of Pinocchio moves."""
    return next(
        frame.name
        for frame in robot.frames
        if frame.type == pin.FrameType.BODY and frame.parentJoint == joint and frame.placement.isIdentity(1e-14)
    )


class Pair:
    """A robot in both: random states here, and their coordinates there."""

    def __init__(self, path, is_free):
        # a prefix lets a root link have the name of the fixed frame
        self.mine = elver.load(path, set={"urdf.base": "free", "urdf.prefix": "its_"} if is_free else {})
        if is_free:
            self.theirs = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
        else:
            self.theirs = pin.buildModelFromUrdf(str(path))
        self.data = self.theirs.createData()
        nodes = {node["name"]: node for node in self.mine.nodes}
        # free joints: velocities angular first here, linear first there
        self.places = []
        self.order = np.full(self.theirs.nv, -1)
        for joint in range(1, self.theirs.njoints):
            model = self.theirs.joints[joint]
            node = nodes[("its_" if is_free else "") + child_of(self.theirs, joint)]
            first, n = node["v"]
            assert model.nv == n, node["name"]
            self.order[model.idx_v : model.idx_v + n] = first + np.array([3, 4, 5, 0, 1, 2][:n] if n == 6 else range(n))
            self.places.append((model, node["q"]))
        assert sorted(self.order) == list(range(self.mine.nv))

    def random(self, rng):
        state = self.mine.state()
        state.v[:] = rng.standard_normal(self.mine.nv)
        state.a[:] = rng.standard_normal(self.mine.nv)
        q = pin.neutral(self.theirs)
        for model, (first, n) in self.places:
            mine = rng.standard_normal(n)
            if n == 7:
                # quaternion w, x, y, z and position here; position and x, y, z, w there
                mine[:4] /= np.linalg.norm(mine[:4])
                q[model.idx_q : model.idx_q + 7] = [*mine[4:], *mine[1:4], mine[0]]
            elif model.nq == 2:
                q[model.idx_q : model.idx_q + 2] = [np.cos(mine[0]), np.sin(mine[0])]
            else:
                q[model.idx_q : model.idx_q + n] = mine
            state.q[first : first + n] = mine
        return state, q


def near(mine, theirs):
    assert np.abs(mine - theirs).max() <= TOLERANCE * max(1.0, np.abs(theirs).max())


@pytest.mark.parametrize("is_free", [False, True], ids=["fixed", "free"])
@pytest.mark.parametrize("path", ROBOTS, ids=[path.stem for path in ROBOTS])
def test_dynamics_agree(path, is_free):
    pair = Pair(path, is_free)
    rng = np.random.default_rng(7)
    for _ in range(N_STATE):
        state, q = pair.random(rng)
        v, a = state.v[pair.order], state.a[pair.order]
        near(pair.mine.idm(state)[pair.order], pin.rnea(pair.theirs, pair.data, q, v, a))
        M = pin.crba(pair.theirs, pair.data, q)
        M = np.triu(M) + np.triu(M, 1).T
        near(pair.mine.mass_matrix(state)[np.ix_(pair.order, pair.order)], M)
        # a root link without mass that floats is pushed nowhere in particular by what slides on it
        if is_free and pair.mine.nodes[0]["mass"] == 0:
            continue
        # what dampers, friction and stops do is an effort like any other there
        tau = pair.mine.internal_efforts(state)[pair.order]
        mine = pair.mine.forward_dynamics(state)[pair.order]
        near(mine, pin.aba(pair.theirs, pair.data, q, v, tau))


def test_there_are_three_robots():
    """Without robots nothing would be compared, and nothing fail."""
    assert len(ROBOTS) >= 3
