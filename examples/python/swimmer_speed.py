#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A swimmer's mean speed over its gait, on all cores.

    python3 examples/python/swimmer_speed.py [--quick] [--plot FILE]

A slender elastic body in a viscous fluid, with a muscle along each side. Activations are waves that run to the tail, with a
frequency and a number of waves on the body; the muscles bend the body as far as its stiffness and the fluid let them. The map of
the speed over both has a best gait. Every gait is a model and a simulator of its own; the lock of the interpreter is
released while the library works, so that threads are enough to use all cores.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
from numpy.typing import NDArray

import elver

Array = NDArray[np.float64]

LENGTH = 0.3
SWIMMER = """
elver: 1
name: swimmer
parameters: {f: 1, k: 1, d: 0.006, c: 2}        # frequency, waves on the body, place of the muscles, resistance
tree:
  - rod: body
    joint: free
    length: 0.3
    section: {circle: {radius: 0.008}}
    material: {density: 1000, young: 1e5, poisson: 0.45, damping: 0.02}
    strain: {bend_z: 6}
    resistance: [0, 0, 1e-4, "c", "2*c", "2*c"]
actuators:
  - {muscle: left, rod: body, y: "d", force: 1, activation: "0.5 + 0.5*sin(2*pi*(f*t - k*s))"}
  - {muscle: right, rod: body, y: "-d", force: 1, activation: "0.5 - 0.5*sin(2*pi*(f*t - k*s))"}
simulate: {step: 0.02, duration: 6}
record: {every: 0.02, signals: [com]}
"""


def mean_speed(frequency: float, waves: float, periods: int = 3, steps: int = 40) -> float:
    """Speed of the centre of mass along the body, m/s: over whole periods, after two that the start may take.

    The body heads towards -x; positive is ahead, away from where the wave runs.
    """
    model = elver.Model.from_yaml(SWIMMER, set={"f": frequency, "k": waves})
    period = 1 / frequency
    sim = model.simulate(dt=period / steps)
    sim.run(2 * period, every=period, signals=["com"])
    start = sim.state.t
    run = sim.run(periods * period, every=period, signals=["com"])
    x = run["com.x"]
    return float(-(x[-1] - x[0]) / (run.t[-1] - start))


def speed_map(frequencies: Array, waves: Array, threads: int | None = None) -> Array:
    """Mean speeds (waves, frequencies), by as many threads as there are cores."""
    gaits = list(product(waves, frequencies))
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        speeds = list(pool.map(lambda gait: mean_speed(gait[1], gait[0]), gaits))
    return np.array(speeds).reshape(len(waves), len(frequencies))


def plot(frequencies: Array, waves: Array, speeds: Array, path: str) -> None:
    """The map, with its best gait."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.0, 4.2), layout="constrained")
    colours = axis.contourf(frequencies, waves, 1e3 * speeds, levels=20)
    i, j = np.unravel_index(np.argmax(speeds), speeds.shape)
    axis.plot(frequencies[j], waves[i], "w*", markersize=12)
    axis.set_xlabel("frequency (Hz)")
    axis.set_ylabel("waves on the body")
    figure.colorbar(colours, label="speed (mm/s)")
    figure.savefig(path)


def main() -> None:
    """Sweep, tell, draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="3 x 3 gaits instead of 12 x 12")
    parser.add_argument("--threads", type=int, help="default: one a core")
    parser.add_argument("--plot", metavar="FILE", help="draw the map (needs matplotlib)")
    args = parser.parse_args()
    n = 3 if args.quick else 12
    frequencies, waves = np.linspace(0.5, 8, n), np.linspace(0.25, 2.5, n)
    begin = time.perf_counter()
    speeds = speed_map(frequencies, waves, args.threads)
    taken = time.perf_counter() - begin
    i, j = np.unravel_index(np.argmax(speeds), speeds.shape)
    print(f"{speeds.size} gaits in {taken:.2f} s")
    print(f"best: {1e3 * speeds[i, j]:.2f} mm/s at {frequencies[j]:.2f} Hz, {waves[i]:.2f} waves on the body")
    if args.plot:
        plot(frequencies, waves, speeds, args.plot)


if __name__ == "__main__":
    main()
