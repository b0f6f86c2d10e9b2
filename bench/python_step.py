#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a step from Python costs beyond one from C.

    PYTHONPATH=build/release/python bench/python_step.py [MODEL]

The same steps, once by `sim.step(u)` and once within the library by `sim.run` (which records nothing on the way), in turns;
the smallest difference a step of all turns, and the time a step.
"""

import sys
import time

import numpy as np

import elver

N_STEP, N_TURN = 2000, 15


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "@pendulum"
    model = elver.load(name)
    inputs = [entry["name"] for entry in model.inputs if not entry["is_motion"]][:4]
    by_step = model.simulate(dt=1e-3, method="generalized-alpha", inputs=inputs)
    by_run = model.simulate(dt=1e-3, method="generalized-alpha", inputs=inputs)
    u = by_step.u.copy()
    steps, runs = [], []
    for _ in range(N_TURN):
        by_step.reset()
        by_run.reset()
        start = time.process_time()
        for _ in range(N_STEP):
            by_step.step(u)
        middle = time.process_time()
        by_run.run(N_STEP * 1e-3, every=N_STEP * 1e-3, signals=[])
        end = time.process_time()
        steps.append((middle - start) / N_STEP)
        runs.append((end - middle) / N_STEP)
    apart = np.abs(by_step.state.q - by_run.state.q).max()
    print(f"{name}: step {1e6 * min(steps):.2f} us from Python, {1e6 * min(runs):.2f} us from C", end="")
    print(f", {1e6 * (min(steps) - min(runs)):.2f} us more; coordinates apart by {apart:.1e}")


if __name__ == "__main__":
    main()
