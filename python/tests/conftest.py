# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the program beside the package, and a small arm."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

import elver

ARM = """
elver: 1
name: arm
gravity: [0, 0, -9.81]
parameters: {E: 5e6}
tree:
  - rod: arm
    length: 0.5
    section: {circle: {diameter: 0.02}}
    material: {density: 1100, young: E, damping: 0.01}
    strain: {bend_y: 3}
  - {body: weight, parent: arm.tip, mass: 0.05}
loads:
  - {at: weight, force: [0, 0, 0.1]}
simulate: {duration: 0.2, step: 0.01}
record: {every: 0.01, signals: [arm.tip.position, energy]}
"""


@pytest.fixture
def arm() -> elver.Model:
    return elver.Model.from_yaml(ARM)


@pytest.fixture
def interruptible():
    """Ctrl-C raises, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def program():
    """Run the command line; returns what it prints, or its exit code where any will do (code=None)."""
    path = Path(os.environ.get("ELVER_BIN", ""))
    if not path.is_file():
        pytest.skip("the program elver is not built (ELVER_BIN)")

    def run(*words, code=0):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, check=False)
        if code is None:
            return done.returncode
        assert done.returncode == code, done.stderr
        return done.stdout

    return run
