# SPDX-License-Identifier: Apache-2.0
"""Plots of signals over time, or over the load, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elver.records import Rows
from elver.state import Array


def _groups(run: Rows, names: Sequence[str]) -> list[tuple[str, str, list[str]]]:
    """Title, unit and columns of each panel: a name that was given, or columns that differ in their last word alone."""
    if names:
        found = [(name, run._labels(name)) for name in names]
        return [(name, columns[0][1], [column for column, _ in columns]) for name, columns in found]
    panels: dict[tuple[str, str], list[str]] = {}
    for name, unit in zip(run.names, run.units):
        panels.setdefault((name.rpartition(".")[0] or name, unit), []).append(name)
    return [(title, unit, members) for (title, unit), members in panels.items()]


def _lines(run: Rows, heading: str, members: Sequence[str]) -> list[Array]:
    """Values of the columns of a panel; of a group that was not recorded computed at once."""
    if all(name in run for name in members):
        return [run[name] for name in members]
    return list(run.evaluate(heading).T)


def _axes(ax: Any, n_panel: int, figsize: tuple[float, float] | None) -> tuple[Any, Sequence[Any]]:
    """The figure, and one axes a panel: those that are given, or new ones."""
    if ax is None:
        import matplotlib.pyplot as plt

        size = figsize or (7.5, 2.2 * n_panel)
        figure, grid = plt.subplots(n_panel, 1, sharex=True, squeeze=False, figsize=size, layout="constrained")
        return figure, list(grid[:, 0])
    axes = list(ax.flat) if hasattr(ax, "flat") else list(ax) if isinstance(ax, (list, tuple)) else [ax]
    if len(axes) == 1:
        axes = axes * n_panel
    if len(axes) < n_panel:
        raise ValueError(f"there are {n_panel} panels to draw, and {len(axes)} axes: give one, or as many as there are signals")
    return axes[0].figure, axes[:n_panel]


def plot(
    runs: Sequence[Rows],
    names: Sequence[str] = (),
    *,
    ax: Any = None,
    labels: Sequence[str] | None = None,
    title: str | None = None,
    figsize: tuple[float, float] | None = None,
    **lines: Any,
) -> Any:
    """One panel a signal or group, one line a column and run; returns the figure.

    ``ax``: axes to draw on, one for all panels or one each; ``labels`` of runs; ``title`` of the figure; ``figsize`` in inches;
    further options go to ``Axes.plot`` (``color``, ``linewidth``, ``linestyle`` ...).
    """
    panels = _groups(runs[0], names)
    if not panels:
        raise ValueError("nothing to plot: no signals were recorded")
    if labels is not None and len(labels) != len(runs):
        raise ValueError(f"labels are for runs: there are {len(runs)}, and {len(labels)} labels")
    figure, axes = _axes(ax, len(panels), figsize)
    if title:
        figure.suptitle(title)
    styles = ["-", "--", "-.", ":"]
    for axis, (heading, unit, members) in zip(axes, panels):
        for i_run, run in enumerate(runs):
            for i, (name, values) in enumerate(zip(members, _lines(run, heading, members))):
                word = name[len(heading) :].lstrip(".") or heading
                label = f"{labels[i_run]} {word}" if labels else word
                look = {"linestyle": styles[i_run % len(styles)], "color": f"C{i}", "label": label, **lines}
                axis.plot(run["t"], values, **look)
        axis.set_title(heading, loc="left", fontsize="medium")
        axis.set_ylabel(unit)
        axis.grid(alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel("load" if runs[0].is_statics else "t (s)")
    return figure
