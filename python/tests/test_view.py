# SPDX-License-Identifier: Apache-2.0
"""Pages: how large those of long runs become, what else may go on while they are written, and equilibria in them."""

import json
import re
import threading
import time

import pytest

import elver
from conftest import ARM


@pytest.fixture(scope="module")
def long_run():
    """More numbers than a page is to have: some 20,000 records of a few hundred numbers each."""
    return elver.Model.from_yaml(ARM).simulate(dt=1e-3).run(20, every=1e-3)


def test_a_page_stays_small(long_run, tmp_path, program):
    """About one byte a number, for three million of them, and a third more in its text, beside the page itself."""
    empty = len(elver.Model.from_yaml(ARM).simulate().run(0.01).view().html)
    long_run.save(tmp_path / "page.html")
    long_run.save(tmp_path / "whole.html", is_whole=True)
    few, all_of_them = ((tmp_path / name).stat().st_size - empty for name in ("page.html", "whole.html"))
    assert 1e5 < few < 5e6 - empty and all_of_them > 1.5 * few
    # endings may be written otherwise
    long_run.save(tmp_path / "OTHER.HTML")
    assert (tmp_path / "OTHER.HTML").stat().st_size == (tmp_path / "page.html").stat().st_size
    # a page in a cell is held to the same, and so is that of a file
    assert len(long_run.view().html) - empty == pytest.approx(few, rel=1e-3)
    path = tmp_path / "model.yaml"
    path.write_text(ARM.replace("duration: 0.2, step: 0.01", "duration: 20, step: 1e-3"), encoding="utf-8")
    program("run", path, "-o", tmp_path / "out.h5", "-q", "--set", "record.every=1e-3")
    html = elver.Trajectory(tmp_path / "out.h5").view().html
    assert len(html) - empty == pytest.approx(few, rel=1e-2)


def test_the_lock_is_free_while_a_page_is_written(long_run):
    """Another thread's clock goes on; a page that held the lock would stop it from beginning to end."""
    ticks = [time.monotonic()]
    thread = threading.Thread(target=lambda: long_run.view(is_whole=True))
    thread.start()
    while thread.is_alive():
        time.sleep(1e-3)
        ticks.append(time.monotonic())
    thread.join()
    assert max(b - a for a, b in zip(ticks, ticks[1:])) < 0.5 * (ticks[-1] - ticks[0])


def test_ctrl_c_ends_a_page(long_run, interruptible, tmp_path):
    import os
    import signal

    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            long_run.save(tmp_path / "page.html", is_whole=True)
    timer.join()
    assert not list(tmp_path.glob("*.part"))


def test_equilibria_whose_loads_go_back_are_all_shown(arm, tmp_path):
    loads = [0.1, 0.2, 0.4, 0.2, 0.1]
    runs = [arm.statics_path(loads)]
    runs[0].save(tmp_path / "back.h5")
    runs.append(elver.Trajectory(tmp_path / "back.h5"))
    for run in runs:
        run.save(tmp_path / "back.glb")
        text = (tmp_path / "back.glb").read_bytes()
        head = json.loads(text[20 : 20 + int.from_bytes(text[12:16], "little")])
        assert head["accessors"][head["animations"][0]["samplers"][0]["input"]]["count"] == len(loads)
        run.save(tmp_path / "back.html")
        page = (tmp_path / "back.html").read_text(encoding="utf-8")
        scene = json.loads(re.search(r'id="elver-scene-0">(.*?)</script>', page, re.S)[1])
        assert scene["is_statics"] and scene["loads"] == loads
