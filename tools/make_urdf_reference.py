#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reference dynamics of robots in URDF, computed by Pinocchio (https://github.com/stack-of-tasks/pinocchio).

For each robot and some random states: joint efforts of given accelerations (rnea), the mass matrix (crba), and the
accelerations under damping and friction of the joints alone (aba). Joints are named by the link that they carry, in
the order of the file from the root outwards; coordinates are those of Elver: angles for continuous joints,
quaternions (w, x, y, z) before positions, angular before linear velocities.

    python3 -m venv venv && venv/bin/pip install pin
    venv/bin/python tools/make_urdf_reference.py > tests/data/urdf_reference.txt

Lines of the file: "robot FILE BASE", "joint LINK NQ NV" (all joints of a robot, then its states), "state", then
"q", "v", "a", "tau", "fd" with a value for each coordinate or velocity, and NV lines "M" with the rows of the matrix.
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import numpy
import pinocchio

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROBOTS = [("models/urdf-arm.urdf", "fixed"), ("tests/data/humanoid.urdf", "free"), ("tests/data/gripper.urdf", "fixed")]
STATES = 6
FRICTION_SPEED = 1e-3  # m/s, rad/s: friction is -F tanh(v / speed)


def read_joints(path):
    """Joints that move, parents first, branches in the order of the file: (name, link, damping, friction)."""
    robot = ElementTree.parse(path).getroot()
    joints = robot.findall("joint")
    children = {j.find("child").get("link") for j in joints}
    stack = [l.get("name") for l in robot.findall("link") if l.get("name") not in children]
    order = []
    while stack:
        link = stack.pop()
        order += [j for j in joints if j.find("child").get("link") == link]
        below = [j.find("child").get("link") for j in joints if j.find("parent").get("link") == link]
        stack += reversed(below)
    moving = []
    for joint in order:
        dynamics = joint.find("dynamics")
        terms = [float(dynamics.get(k, 0)) if dynamics is not None else 0.0 for k in ("damping", "friction")]
        if joint.get("type") != "fixed":
            moving.append((joint.get("name"), joint.find("child").get("link"), *terms))
    return moving, [l.get("name") for l in robot.findall("link") if l.get("name") not in children][0]


class Map:
    """Coordinates of Pinocchio and of Elver."""

    def __init__(self, model, joints):
        self.model = model
        self.joints = [model.joints[model.getJointId(j[0])] for j in joints]
        self.links = [j[1] for j in joints]
        self.v = []  # index in Pinocchio of each velocity of Elver
        for joint in self.joints:
            index = list(range(joint.idx_v, joint.idx_v + joint.nv))
            self.v += index[3:] + index[:3] if joint.nv == 6 else index

    def q(self, q):
        out = []
        for joint in self.joints:
            own = q[joint.idx_q : joint.idx_q + joint.nq]
            if joint.nq == 7:
                out += [own[6], own[3], own[4], own[5], own[0], own[1], own[2]]
            elif joint.nq == 2:  # cosine and sine
                out.append(numpy.arctan2(own[1], own[0]))
            else:
                out += list(own)
        return out


def draw(model, rng):
    q = pinocchio.neutral(model)
    v = rng.uniform(-2, 2, model.nv)
    q = pinocchio.integrate(model, q, rng.uniform(-1.5, 1.5, model.nv))
    return q, v, rng.uniform(-5, 5, model.nv)


def line(word, values):
    print(word, *(repr(float(x)) for x in values))


def write_robot(name, base, rng):
    path = ROOT / name
    joints, root = read_joints(path)
    if base == "free":
        model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
        joints.insert(0, ("root_joint", root, 0.0, 0.0))
    else:
        model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    order = Map(model, joints)
    damping = numpy.zeros(model.nv)
    friction = numpy.zeros(model.nv)
    print("robot", name, base)
    for (_, link, d, f), joint in zip(joints, order.joints):
        print("joint", link, 1 if joint.nq == 2 else joint.nq, joint.nv)
        damping[joint.idx_v : joint.idx_v + joint.nv] = d
        friction[joint.idx_v : joint.idx_v + joint.nv] = f
    for _ in range(STATES):
        q, v, a = draw(model, rng)
        tau = pinocchio.rnea(model, data, q, v, a)
        mass = pinocchio.crba(model, data, q)
        mass = numpy.triu(mass) + numpy.triu(mass, 1).T
        passive = -damping * v - friction * numpy.tanh(v / FRICTION_SPEED)
        free = pinocchio.aba(model, data, q, v, passive)
        print("state")
        line("q", order.q(q))
        line("v", v[order.v])
        line("a", a[order.v])
        line("tau", tau[order.v])
        line("fd", free[order.v])
        for i in order.v:
            line("M", mass[i, order.v])


def main():
    rng = numpy.random.default_rng(10)
    print("# Made by tools/make_urdf_reference.py with Pinocchio", pinocchio.__version__, "and NumPy", numpy.__version__)
    print("# Python", sys.version.split()[0], "seed 10")
    for name, base in ROBOTS:
        write_robot(name, base, rng)


if __name__ == "__main__":
    main()
