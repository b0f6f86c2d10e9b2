#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LQR of a tendon arm about an equilibrium.

    python3 examples/python/lqr_tendon_arm.py [--quick] [--plot FILE]

A soft arm hangs out from a wall, held by two tendons. It is linearised about its equilibrium, the Riccati equation is
solved with NumPy, and the state feedback u = u0 - K x sets both tensions at every step of the full, nonlinear simulation. A push at
the tip dies out several times faster than without control.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import elver

Array = NDArray[np.float64]

TENSIONS = ["tendon.upper.tension", "tendon.lower.tension"]
PUSH = "loads[0].force.z"
DT = 2e-3


def build_arm() -> elver.Model:
    """An arm of silicone, 0.4 m along x, with tendons 8 mm above and below its axis."""
    return elver.Model.build(
        name="tendon arm",
        gravity=[0, 0, -9.81],
        tree=[
            elver.rod(
                "arm",
                length=0.4,
                section={"circle": {"diameter": 0.02}},
                material={"density": 1000, "young": 1e6, "damping": 0.005},
                strain={"bend_y": 4},
            )
        ],
        actuators=[
            {"tendon": "upper", "path": {"rod": "arm", "z": 0.008}, "tension": 12},
            {"tendon": "lower", "path": {"rod": "arm", "z": -0.008}, "tension": 4},
        ],
        loads=[{"at": "arm.tip", "force": [0, 0, 0]}],
    )


def solve_riccati(A: Array, B: Array, Q: Array, R: Array) -> Array:
    """P of A'P + P A - P B inv(R) B'P + Q = 0, from the stable eigenvectors of the Hamiltonian matrix."""
    n = len(A)
    hamiltonian = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    value, vector = np.linalg.eig(hamiltonian)
    stable = vector[:, np.argsort(value.real)[:n]]
    P = np.linalg.solve(stable[:n].T, stable[n:].T).T.real
    return np.asarray((P + P.T) / 2)


@dataclass
class Design:
    """The equilibrium, the linear model about it, the weights and what follows from them."""

    rest: elver.State
    linear: elver.LinearModel
    Q: Array
    R: Array
    P: Array
    K: Array


def design(arm: elver.Model) -> Design:
    """Feedback that weighs 1 cm at the tip like 0.2 m/s there, and like 1 N in a tendon."""
    rest = arm.statics()
    linear = arm.linearize(rest, inputs=TENSIONS, outputs=["arm.tip.position", "arm.tip.velocity"])
    weight = np.diag(np.repeat([1 / 0.01**2, 1 / 0.2**2], 3))
    Q = linear.C.T @ weight @ linear.C
    R = np.eye(2)
    P = solve_riccati(linear.A, linear.B, Q, R)
    K = np.asarray(np.linalg.solve(R, linear.B.T @ P), dtype=np.float64)
    return Design(rest, linear, Q, R, P, K)


@dataclass
class Run:
    """What a run recorded: times, tip deviations, states, changes of the tensions."""

    t: Array
    tip: Array
    x: Array
    u: Array


def simulate(arm: elver.Model, plan: Design, *, is_controlled: bool, push: float = 0.05, duration: float = 3.0) -> Run:
    """Push the tip upwards for 0.1 s, with the feedback or with constant tensions."""
    sim = arm.simulate(dt=DT, inputs=[*TENSIONS, PUSH])
    sim.state = plan.rest
    rest_tension = np.array([arm["upper"].tension, arm["lower"].tension], dtype=float)
    rest_tip = arm.pose("arm.tip", plan.rest)[:3, 3]
    n = round(duration / DT)
    run = Run(np.empty(n), np.empty((n, 3)), np.empty((n, 2 * arm.nv)), np.zeros((n, 2)))
    u = np.empty(3)
    for i in range(n):
        # deviation from the equilibrium: coordinates, then velocities
        x = np.concatenate([sim.state.q - plan.rest.q, sim.state.v])
        change = -plan.K @ x if is_controlled else np.zeros(2)
        u[:2] = np.maximum(rest_tension + change, 0.0)  # a tendon cannot push
        u[2] = push if sim.t < 0.1 - DT / 2 else 0.0
        run.t[i], run.x[i], run.u[i] = sim.t, x, u[:2] - rest_tension
        run.tip[i] = arm.pose("arm.tip", sim.state)[:3, 3] - rest_tip
        sim.step(u)
    return run


def settling_time(run: Run, part: float = 0.05) -> float:
    """When the tip is at last within a part of its largest deviation, s after the push."""
    away = np.linalg.norm(run.tip, axis=1)
    return float(run.t[np.nonzero(away > part * away.max())[0][-1]]) - 0.1


def plot(free: Run, held: Run, path: str) -> None:
    """Height of the tip with and without control, and the tensions."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7.5, 4.6), layout="constrained")
    axes[0].plot(free.t, 1e3 * free.tip[:, 2], "--", color="C7", label="constant tensions")
    axes[0].plot(held.t, 1e3 * held.tip[:, 2], color="C0", label="LQR")
    axes[0].set_ylabel("tip, up (mm)")
    axes[1].plot(held.t, held.u[:, 0], label="upper")
    axes[1].plot(held.t, held.u[:, 1], "--", label="lower")
    axes[1].set_ylabel("change of tension (N)")
    axes[1].set_xlabel("t (s)")
    for axis in axes:
        axis.grid(alpha=0.3)
        axis.legend(loc="upper right", fontsize="small")
    figure.savefig(path)


def main() -> None:
    """Design, simulate twice, tell, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="3 s instead of 10 s")
    parser.add_argument("--plot", metavar="FILE", help="draw both runs (needs matplotlib)")
    args = parser.parse_args()
    arm = build_arm()
    plan = design(arm)
    A, B = plan.linear.A, plan.linear.B
    duration = 3.0 if args.quick else 10.0
    free = simulate(arm, plan, is_controlled=False, duration=duration)
    held = simulate(arm, plan, is_controlled=True, duration=duration)
    print(f"slowest decay: {-np.linalg.eigvals(A).real.max():.3f} 1/s without control")
    print(f"               {-np.linalg.eigvals(A - B @ plan.K).real.max():.3f} 1/s with control")
    print(f"settled to 5 % {settling_time(free):.2f} s after the push without control (or not yet)")
    print(f"               {settling_time(held):.2f} s after it with control")
    if args.plot:
        plot(free, held, args.plot)


if __name__ == "__main__":
    main()
