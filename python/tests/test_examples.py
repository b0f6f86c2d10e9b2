# SPDX-License-Identifier: Apache-2.0
"""Every shipped example runs from Python with the bits of the command line."""

import numpy as np
import pytest

import elver

# a few records of each are enough to compare bits
N_RECORD = 4


@pytest.mark.parametrize("name", elver.shipped())
def test_bits_of_the_program(name, program, tmp_path):
    model = elver.load(f"@{name}")
    every = model.every
    duration = min(model.duration, N_RECORD * every)
    if duration <= 0:
        pytest.skip("an example of statics")
    # modes of imposed strains are chosen for the whole of the run
    model.set({"simulate.duration": duration})
    path = tmp_path / "out.h5"
    try:
        mine = model.simulate().run(duration)
    except elver.Error:
        # what Python refuses the program refuses too
        assert program("run", f"@{name}", "--duration", repr(duration), "-o", path, "-q", code=None) != 0
        return
    program("run", f"@{name}", "--duration", repr(duration), "-o", path, "-q")
    theirs = elver.Trajectory(path)
    assert np.array_equal(mine.t, theirs["t"])
    assert mine.names == theirs.names
    for column in mine.names:
        assert np.array_equal(mine[column], theirs[column]), column
    last = theirs.state(-1)
    assert np.array_equal(mine.q[-1], last.q) and np.array_equal(mine.v[-1], last.v)
    assert np.array_equal(mine.a[-1], last.a) and np.array_equal(mine.z[-1], last.z)
