# SPDX-License-Identifier: Apache-2.0
"""Plots of signals over time, or over the load, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elver.records import Columns


def _groups(columns: Columns, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Title and columns of each panel: a name that was given, or columns that differ in their last word alone."""
    if names:
        return [(name, [columns.names[i] for i in columns._place(name)]) for name in names]
    panels: dict[tuple[str, str], list[str]] = {}
    for name, unit in zip(columns.names, columns.units):
        panels.setdefault((name.rpartition(".")[0] or name, unit), []).append(name)
    return [(title, members) for (title, _), members in panels.items()]


def plot(runs: Sequence[Any], names: Sequence[str] = (), *, labels: Sequence[str] | None = None, axes: Any = None) -> Any:
    """One panel a signal or group, one line a column and run; returns the figure."""
    import matplotlib.pyplot as plt

    panels = _groups(runs[0], names)
    if not panels:
        raise ValueError("nothing to plot: no signals were recorded")
    if axes is None:
        figure, grid = plt.subplots(
            len(panels), 1, sharex=True, squeeze=False, figsize=(7.5, 2.2 * len(panels)), layout="constrained"
        )
        axes = grid[:, 0]
    else:
        axes = [axes] if len(panels) == 1 and not hasattr(axes, "__len__") else axes
        figure = axes[0].figure
    styles = ["-", "--", "-.", ":"]
    for axis, (title, members) in zip(axes, panels):
        for i_run, run in enumerate(runs):
            for i, name in enumerate(members):
                word = name[len(title) :].lstrip(".") or title
                label = f"{labels[i_run]} {word}" if labels else word
                axis.plot(run["t"], run[name], styles[i_run % len(styles)], color=f"C{i}", label=label)
        axis.set_title(title, loc="left", fontsize="medium")
        axis.set_ylabel(runs[0].unit(members[0]))
        axis.grid(alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel("load" if runs[0].is_statics else "t (s)")
    return figure
