# SPDX-License-Identifier: Apache-2.0
"""Locomotion: contacts that would have to pull, preloads, groups, and the two kinds of torques."""

import pytest

import elver

SNAKE = """
elver: 1
parameters: {l: 0.1, m: 0.25, J: "m*l^2/3"}
tree:
  - {body: b0, joint: planar, mass: m, inertia: [1e-4, J, J]}
  - {body: b1, parent: b0, joint: {revolute: {axis: z, motion: "0.2*sin(t + pi/16)"}}, mass: 0.05, inertia: [1e-4, 1e-4, 1e-4]}
  - {body: b2, parent: b0, pose: {xyz: [l, 0, 0]}, joint: {revolute: {axis: z, motion: "0.6*sin(t + 9*pi/16)"}},
     mass: m, center: [l, 0, 0], inertia: [1e-4, J, J]}
  - {body: b3, parent: b2, pose: {xyz: [l, 0, 0]}, joint: {revolute: {axis: z, motion: "-0.2*sin(t)"}}, mass: 0.05,
     inertia: [1e-4, 1e-4, 1e-4]}
  - {body: b4, parent: b2, pose: {xyz: ["2*l", 0, 0]}, joint: {revolute: {axis: z, motion: "0.6*sin(t + 7*pi/16)"}},
     mass: m, center: [l, 0, 0], inertia: [1e-4, J, J]}
  - {body: b5, parent: b4, pose: {xyz: [l, 0, 0]}, joint: {revolute: {axis: z, motion: "0.2*sin(t - pi/16)"}}, mass: 0.05,
     inertia: [1e-4, 1e-4, 1e-4]}
constraints:
  - {wheel: w1, at: b1, radius: 0.02}
  - {wheel: w3, at: b3, radius: 0.02}
  - {wheel: w5, at: b5, radius: 0.02}
simulate: {method: explicit, duration: 1}
"""


def test_projective_torques():
    """Numbers of docs/theory/locomotion.md, which were computed by other means; what is left of the power is on the head."""
    model = elver.Model.from_yaml(SNAKE)
    sim = model.simulate()
    sim.state = model.state(t=1.0)
    run = sim.run(1e-3, every=1e-3, signals=["b2.effort", "b2.effort_projective", "b4.effort_projective"])
    assert run["b2.effort"][0] == pytest.approx(44.85e-5, abs=5e-8)
    tau, left = model.projective_torques(run.state(0))
    assert tau[[4, 6]] == pytest.approx([464.5e-5, 121.2e-5], abs=5e-7)
    assert left[[3, 4, 2]] == pytest.approx([-2.168e-3, 5.887e-3, 6.980e-3], abs=5e-7)
    assert run["b2.effort_projective"][0] == pytest.approx(tau[4], abs=1e-12)


def test_projective_torques_refuse_rods(arm):
    with pytest.raises(elver.errors.InputError, match="rod"):
        arm.projective_torques()


def test_pulls_and_preloads():
    """As `elver run` reports them."""
    model = elver.load("@snake-2d", set={"ring2.pushes": "y"})
    sim = model.simulate()
    assert sim.report()["pulls"] == [] and sim.report()["preload_share"] is None
    sim.run(1.7, signals=["energy"])
    (pull,) = sim.report()["pulls"]
    assert pull["contact"] == "ring2" and 0 <= pull["t"] <= pull["t_worst"] <= 1.7
    # -0.2547563 N at 1.7 s, found by other means
    assert pull["worst"] > 0.254755 and sim.report()["preload_share"] is None
    pressed = elver.load("@snake-2d", set={"ring2.preload": "[0, 2, 0]"}).simulate()
    pressed.run(0.5, signals=["energy"])
    assert 0 < pressed.report()["preload_share"] < 1 and pressed.report()["pulls"] == []


def test_group_of_a_chain():
    """Two slides and a hinge are the plane, as a planar joint is."""
    arms = """
  - {body: d, parent: c, joint: {revolute: {axis: z, motion: "sin(2*pi*t)"}}, mass: 1, center: [0.3, 0, 0], inertia: [1, 1, 1]}
  - {body: e, parent: c, joint: {revolute: {axis: z, motion: "cos(2*pi*t)"}}, mass: 1, center: [0.3, 0.1, 0], inertia: [1, 1, 1]}
"""
    planar = "elver: 1\ngravity: [0, 0, 0]\ntree:\n  - {body: c, joint: planar, mass: 3, inertia: [1, 1, 1]}" + arms
    chain = (
        "elver: 1\ngravity: [0, 0, 0]\ntree:\n  - {body: a, joint: {prismatic: {axis: x}}}\n"
        "  - {body: b, parent: a, joint: {prismatic: {axis: y}}}\n"
        "  - {body: c, parent: b, joint: {revolute: {axis: z}}, mass: 3, inertia: [1, 1, 1]}" + arms
    )
    one, other = elver.Model.from_yaml(chain), elver.Model.from_yaml(planar)
    assert one.classify()["group"] == other.classify()["group"] == "SE(2)" and one.classify()["root"] == "c"
    assert one.gait(period=1.0)[0] == pytest.approx(other.gait(period=1.0)[0], abs=1e-10)


def test_the_snakeboard_moves_by_its_dynamics():
    """Displacement and gain of speed of docs/theory/locomotion.md; by the connection it stays."""
    board = elver.load("@snakeboard")
    net, change, period = board.gait_dynamics()
    assert period == pytest.approx(2.0943951, abs=1e-7)
    assert net[:2, 3] == pytest.approx([-0.142379046, 0.003966074], abs=1e-8)
    assert (change[1] ** 2 + change[2] ** 2) ** 0.5 == pytest.approx(0.15503559, abs=1e-8)
    assert abs(board.gait()[0][:3, 3]).max() < 1e-12
