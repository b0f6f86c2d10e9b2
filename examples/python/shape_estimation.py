#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads and shape of a tendon arm from a few measured poses, by statics.

    python3 examples/python/shape_estimation.py [--quick] [--plot FILE]

Four markers on an arm are seen to half a millimetre and five milliradians. Unknown are the force at the tip and the tension of a tendon.
Gauss-Newton finds those whose equilibrium comes nearest to the poses; sensitivities of the equilibrium come from the tangent
stiffness, none by differences: K dq = (dQ/dp) dp, and a marker moves by J dq. The covariance of the fit tells how well
the loads can be known.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import elver

Array = NDArray[np.float64]

INPUTS = ["loads[0].force.x", "loads[0].force.y", "loads[0].force.z", "tendon.upper.tension"]
STATIONS = [0.25, 0.5, 0.75, 1.0]
MARKERS = [f"marker{i}" for i in range(len(STATIONS))]
TRUTH = np.array([0.2, 0.15, -0.2, 10.0])
GUESS = np.array([0.0, 0.0, 0.0, 5.0])
NOISE = (5e-3, 0.5e-3)  # of angles, rad, and of positions, m


def build_arm() -> elver.Model:
    """A rubber arm, 0.3 m along x, that bends and twists; loads are put over it later."""
    return elver.Model.build(
        name="measured arm",
        gravity=[0, 0, -9.81],
        tree=[
            elver.rod(
                "arm",
                length=0.3,
                section={"circle": {"diameter": 0.02}},
                material={"density": 1000, "young": 2e6, "poisson": 0.45},
                strain={"kirchhoff": 4},
            )
        ],
        frames=[{"name": name, "on": f"arm.at({s})"} for name, s in zip(MARKERS, STATIONS)],
        actuators=[{"tendon": "upper", "path": {"rod": "arm", "z": 0.008}, "tension": 0}],
        loads=[{"at": "arm.tip", "force": [0, 0, 0]}],
    )


def equilibrium(arm: elver.Model, loads: Array) -> elver.State:
    """The arm at rest under a tip force (x, y, z) and a tension."""
    arm.set({"loads[0].force": loads[:3], "upper.tension": loads[3]})
    return arm.statics()


def rotation_vector(R: Array) -> Array:
    """The rotation vector of a small rotation, rad."""
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2


def misfit(arm: elver.Model, state: elver.State, seen: Array) -> Array:
    """What measured poses are away from those of a state, turn and shift, in units of the noise."""
    rows = []
    for frame, pose in zip(MARKERS, seen):
        g = arm.pose(frame, state)
        rows += [rotation_vector(g[:3, :3].T @ pose[:3, :3]) / NOISE[0], (pose - g)[:3, 3] / NOISE[1]]
    return np.concatenate(rows)


def sensitivity(arm: elver.Model, state: elver.State) -> Array:
    """Derivatives of the poses by the loads, in the same units: (6 markers, loads)."""
    linear = arm.linearize(state, inputs=INPUTS)
    mass, _, stiffness = arm.tangent(state)
    # the linear model has accelerations per load; M times them are efforts
    dq = np.linalg.solve(stiffness, mass @ linear.B[arm.nv :])
    rows = []
    for frame in MARKERS:
        J, R = arm.jacobian(frame, state), arm.pose(frame, state)[:3, :3]
        rows += [J[:3] @ dq / NOISE[0], R @ J[3:] @ dq / NOISE[1]]
    return np.concatenate(rows)


@dataclass
class Estimate:
    """What was found: loads, their covariance, the equilibrium, and how far the poses are from it in units of the noise."""

    loads: Array
    covariance: Array
    state: elver.State
    misfit: Array
    iterations: int


def estimate(arm: elver.Model, seen: Array, guess: Array = GUESS) -> Estimate:
    """Loads whose equilibrium comes nearest to the measured poses: Gauss-Newton with steps that are cut where need be."""
    loads = guess
    state = equilibrium(arm, loads)
    away = misfit(arm, state, seen)
    for iteration in range(1, 31):
        step = np.linalg.lstsq(sensitivity(arm, state), away, rcond=None)[0]
        while True:
            # half a step where the full one would make the tendon push, finds no equilibrium, or fits worse
            trial = loads + step
            try:
                new_state = equilibrium(arm, trial)
                new_away = misfit(arm, new_state, seen)
                if np.sum(new_away**2) <= np.sum(away**2) or np.linalg.norm(step) < 1e-9:
                    break
            except elver.Error:
                if np.linalg.norm(step) < 1e-9:
                    raise
            step = step / 2
        loads, state, away = trial, new_state, new_away
        if np.linalg.norm(step) < 1e-6:
            break
    J = sensitivity(arm, state)
    return Estimate(loads, np.asarray(np.linalg.inv(J.T @ J), dtype=np.float64), state, away, iteration)


def turn(vector: Array) -> Array:
    """The rotation matrix of a rotation vector (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def measure(arm: elver.Model, seed: int) -> tuple[elver.State, Array]:
    """The true equilibrium, and what is seen of it: poses of the markers with noise (markers, 4, 4)."""
    random = np.random.default_rng(seed)
    state = equilibrium(arm, TRUTH)
    seen = np.array([arm.pose(frame, state) for frame in MARKERS])
    for pose in seen:
        pose[:3, :3] = pose[:3, :3] @ turn(NOISE[0] * random.standard_normal(3))
        pose[:3, 3] += NOISE[1] * random.standard_normal(3)
    return state, seen


def centreline(arm: elver.Model, state: elver.State, n: int = 31) -> Array:
    """Points of the arm from root to tip: (n, 3)."""
    return np.asarray(arm.sections("arm", np.linspace(0, 1, n), state)[0][:, :3, 3])


def plot(lines: list[tuple[str, Array]], seen: Array, path: str) -> None:
    """The arm from the side and from above, true and estimated, with the markers."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(7.5, 3.4), layout="constrained")
    points = seen[:, :3, 3]
    for axis, k, name in zip(axes, (2, 1), "zy"):
        for (label, line), style in zip(lines, ("-", "--", ":")):
            axis.plot(line[:, 0], line[:, k], style, label=label)
        axis.plot(points[:, 0], points[:, k], "k+", label="markers")
        axis.set_xlabel("x (m)")
        axis.set_ylabel(f"{name} (m)")
        axis.set_aspect("equal", adjustable="datalim")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize="small")
    figure.savefig(path)


def main() -> None:
    """Measure, estimate, tell, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one measurement instead of twenty")
    parser.add_argument("--plot", metavar="FILE", help="draw the arm, true and estimated (needs matplotlib)")
    args = parser.parse_args()
    arm = build_arm()
    n_seed = 1 if args.quick else 20
    found = []
    for seed in range(n_seed):
        truth, seen = measure(arm, seed)
        found.append(estimate(arm, seen))
        if seed == 0:
            lines = [("true", centreline(arm, truth)), ("estimated", centreline(arm, found[0].state))]
            first = seen
    sigma = np.sqrt(np.diag(found[0].covariance))
    print(f"{'load':22} {'true':>8} {'found':>8} {'+-':>7}")
    for name, true, value, error in zip(INPUTS, TRUTH, found[0].loads, sigma):
        print(f"{name:22} {true:8.3f} {value:8.3f} {error:7.3f}")
    print(f"shape within {1e3 * np.abs(lines[1][1] - lines[0][1]).max():.2f} mm; {found[0].iterations} iterations")
    if n_seed > 1:
        scatter = np.std([estimate.loads for estimate in found], axis=0)
        print("scatter over 20 measurements:", " ".join(f"{value:.3f}" for value in scatter))
    if args.plot:
        plot(lines, first, args.plot)


if __name__ == "__main__":
    main()
