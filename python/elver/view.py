# SPDX-License-Identifier: Apache-2.0
"""Moving pictures of runs: in a notebook cell, as a page of its own, or for other programs."""

from __future__ import annotations

import base64
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from elver import _elver


class Visible(Protocol):
    """What can be shown: records of a run, or a trajectory."""

    def _picture(self) -> tuple[_elver.Model, str, _elver.Trajectory | bytes, int, bool]: ...


class Page:
    """The viewer with its data; a notebook shows it in the cell."""

    def __init__(self, html: str, height: int) -> None:
        self.html = html
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page as a file that opens anywhere."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.html.encode()).decode()
        return (
            f'<iframe src="data:text/html;base64,{data}" width="100%" height="{self.height}" '
            f'style="border:0" allow="fullscreen"></iframe>'
        )


def write(path: str | os.PathLike[str], runs: Sequence[Visible], *, stations: int = 0, is_whole: bool = False) -> None:
    """Write runs as ``.html`` (the viewer; later runs are ghosts of the first), ``.glb`` (glTF) or ``.pvd`` (ParaView).

    A page stays small enough to send: of long runs records are left out evenly, unless ``is_whole``; the others have all.
    """
    for run in runs:
        if not hasattr(run, "_picture"):
            raise TypeError(f"records or trajectories can be shown, not {type(run).__name__}")
    if not runs:
        raise ValueError("there is nothing to show")
    name = os.fspath(path)
    # endings of any case, as the library has them
    has_all = is_whole or not str(name).lower().endswith(".html")
    _elver.view_write(name, [run._picture() for run in runs], stations, has_all)


def view(runs: Sequence[Visible], *, height: int = 480, stations: int = 0, is_whole: bool = False) -> Page:
    """The viewer's page for runs; see :func:`write`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.html"
        write(path, runs, stations=stations, is_whole=is_whole)
        return Page(path.read_text(encoding="utf-8"), height)
