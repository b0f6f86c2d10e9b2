# SPDX-License-Identifier: Apache-2.0
"""Results: signals that were not recorded, units, plots on axes that are there."""

import pickle

import numpy as np
import pytest

import elver


def test_signals_that_were_not_recorded(arm, tmp_path):
    """Computed from the states they have the bits of a run that records them."""
    names = ["arm.tip.velocity", "weight.acceleration", "arm.q"]
    whole = arm.simulate().run(0.1, signals=names)
    run = arm.simulate().run(0.1)
    run.save(tmp_path / "run.h5")
    for records in (run, pickle.loads(pickle.dumps(run)), elver.Trajectory(tmp_path / "run.h5")):
        for name in names:
            assert np.array_equal(records[name], whole[name]), name
        assert np.array_equal(records["arm.tip.velocity.z"], whole["arm.tip.velocity.z"]) and records["arm.tip.velocity.z"].ndim == 1
        assert np.array_equal(records.evaluate(names), np.hstack([whole[name] for name in names]))
        assert records.evaluate("arm.tip.position").shape == (len(run), 3)
        assert "arm.tip.velocity" not in records and records.keys() == ["t", *run.names]
        with pytest.raises(KeyError, match="did you mean 'arm.tip.velocity'"):
            records["arm.tip.velocty"]
        with pytest.raises(KeyError, match="record them"):
            records["work.error"]


def test_inputs_count_in_computed_signals(arm):
    sim = arm.simulate(inputs="loads[0].force.z")
    sim.step([0.7])
    run = sim.run(0.05)
    sim.step([0.0])
    powers = [run.model.powers(run.state(i))["loads"] for i in range(len(run))]
    assert np.allclose(run["power.loads"], powers, atol=1e-15) and np.abs(run["power.loads"]).max() > 0


def test_methods_without_modes_have_no_states_to_compute_from():
    run = elver.load("@cantilever-swing").simulate(method="rkmk").run(0.02)
    with pytest.raises(ValueError, match="rkmk"):
        run.evaluate("rod.tip.velocity")
    with pytest.raises(KeyError, match="rkmk"):
        run["rod.tip.velocity"]


def test_frames_have_units(arm, tmp_path):
    pytest.importorskip("pandas")
    run = arm.simulate().run(0.05)
    run.save(tmp_path / "run.h5")
    for records in (run, elver.Trajectory(tmp_path / "run.h5")):
        units = records.to_pandas().attrs["units"]
        assert units["t"] == "s" and units["arm.tip.position.x"] == "m" and units["energy.total"] == "J"


def test_plots_on_given_axes(arm):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    run = arm.simulate().run(0.05)
    figure, axes = plt.subplots(2, 1)
    assert run.plot("arm.tip.position", "energy", ax=axes) is figure
    assert [len(axis.lines) for axis in axes] == [3, 4]
    assert run.plot("arm.tip.position.z", ax=axes[0], color="black", linewidth=3) is figure
    line = axes[0].lines[-1]
    assert line.get_color() == "black" and line.get_linewidth() == 3 and axes[0].get_ylabel() == "m"
    # what was not recorded is drawn as well
    shown = run.plot("arm.tip.velocity", title="a swing", figsize=(4, 3))
    assert len(shown.axes[0].lines) == 3 and shown._suptitle.get_text() == "a swing" and shown.get_size_inches().tolist() == [4, 3]
    with pytest.raises(ValueError, match="2 panels"):
        run.plot("arm.tip.position", "energy", ax=[])
    with pytest.raises(ValueError, match="labels"):
        run.plot("energy", labels=["a", "b"])
    plt.close("all")
