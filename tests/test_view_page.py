# SPDX-License-Identifier: Apache-2.0
"""Pages that `elver view` writes: from trajectories and from models, their size, their ghosts, and what is refused."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

from view_client import program

MEGABYTE = 1 << 20


def run(*arguments, **options):
    return subprocess.run([program(), *arguments], capture_output=True, text=True, timeout=120, check=False, **options)


def scenes(path):
    """The descriptions in a page."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r'<script type="application/json" id="elver-scene-\d+">(.*?)</script>', text, re.S)
    return [json.loads(one) for one in found]


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def record(self, name, model, *options):
        done = run("run", model, "-q", "-o", self.path(name), *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path(name)

    def view(self, *arguments, code=0):
        done = run("view", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_trajectory(self):
        out = self.record("swing.h5", "@cantilever-swing", "--duration", "0.5")
        self.view(out, "-o", self.path("swing.html"), "--title", "a <b> title")
        (scene,) = scenes(self.path("swing.html"))
        self.assertEqual(scene["n_frame"], sum(scene["chunks"]))
        self.assertEqual((scene["t_begin"], scene["t_end"]), (0.0, 0.5))
        self.assertEqual(scene["title"], "a <b> title")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["swing.h5", "swing.html"])

    # the same numbers, whether the run was recorded or is made for the page
    def test_model(self):
        out = self.record("swing.h5", "@cantilever-swing", "--duration", "0.5")
        self.view(out, "-o", self.path("one.html"))
        self.view("@cantilever-swing", "--set", "simulate.duration=0.5", "-o", self.path("two.html"))
        with open(self.path("one.html"), "rb") as one, open(self.path("two.html"), "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_folder_and_ghost(self):
        first = self.record("first/", "@pendulum", "--duration", "0.3")
        second = self.record("second.h5", "@pendulum", "--duration", "0.2", "--set", "gravity=[0, 0, -5]")
        self.view(first, second, "-o", self.path("both.html"))
        self.assertEqual([scene["t_end"] for scene in scenes(self.path("both.html"))], [0.3, 0.2])

    # variants are no other model; what was written is told, unless -q
    def test_notes(self):
        soft = self.record("soft.h5", "@cantilever-swing", "--duration", "0.1")
        stiff = self.record("stiff.h5", "@cantilever-swing", "--duration", "0.1", "--set", "gravity=[0,0,0]")
        other = self.record("other.h5", "@rigid-chain", "--duration", "0.1")
        page = self.path("page.html")
        done = self.view(soft, stiff, "-o", page)
        self.assertRegex(done.stderr, r"page\.html: [0-9.]+ MB, \d+ pictures, 2 runs\n")
        self.assertNotIn("another model", done.stderr)
        done = self.view(soft, other, "-o", page)
        self.assertIn("note: '" + other + "' is another model ('", done.stderr)
        self.assertEqual(self.view(soft, other, "-q", "-o", page).stderr, "")

    def test_no_desktop(self):
        out = self.record("swing.h5", "@cantilever-swing", "--duration", "0.1")
        bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        bare["TMPDIR"] = self.folder.name
        self.assertIn("no desktop", run("view", out, env=bare).stderr)
        self.assertNotIn("no desktop", run("view", out, "--no-open", env=bare).stderr)

    def test_signals_and_stations(self):
        self.view("@cantilever-swing", "--set", "simulate.duration=0.1", "--stations", "5", "--signal", "energy.total",
                  "-o", self.path("a.html"))
        (scene,) = scenes(self.path("a.html"))
        self.assertEqual([one["name"] for one in scene["signals"]], ["energy.total"])
        self.assertEqual(len(scene["rods"][0]["stations"]), 5)

    # t is the load
    def test_statics(self):
        done = run("statics", "@rollup", "-o", self.path("roll.h5"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.view(self.path("roll.h5"), "-o", self.path("one.html"))
        self.view("@rollup", "-o", self.path("two.html"))
        for name in ["one.html", "two.html"]:
            (scene,) = scenes(self.path(name))
            self.assertGreater(scene["n_frame"], 2)
            self.assertTrue(scene["is_statics"])
            self.assertEqual(len(scene["loads"]), scene["n_frame"])
        self.assertEqual(scenes(self.path("one.html")), scenes(self.path("two.html")))

    # loads that go back: every equilibrium is a picture, in pages, glTF and series, of a file and of a model
    def test_returning_loads(self):
        loads = "statics.loads=[0.1, 0.2, 0.4, 0.2, 0.1]"
        done = run("statics", "@rollup", "--set", loads, "-q", "-o", self.path("back.h5"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for source in [[self.path("back.h5")], ["@rollup", "--set", loads]]:
            for ending in ["html", "glb", "pvd"]:
                done = self.view(*source, "-o", self.path("back." + ending))
                self.assertIn(" 5 pictures, 1 run", done.stderr)
            (scene,) = scenes(self.path("back.html"))
            self.assertEqual(scene["loads"], [0.1, 0.2, 0.4, 0.2, 0.1])
            self.assertEqual((scene["n_frame"], scene["t_begin"], scene["t_end"]), (5, 0.0, 0.4))
            with open(self.path("back.glb"), "rb") as file:
                text = file.read()
            # all key frames of the one animation
            head = json.loads(text[20 : 20 + int.from_bytes(text[12:16], "little")])
            times = head["accessors"][head["animations"][0]["samplers"][0]["input"]]
            self.assertEqual(times["count"], 5)
            with open(self.path("back.pvd"), encoding="utf-8") as file:
                self.assertEqual(len(set(re.findall(r'timestep="([^"]*)"', file.read()))), 5)

    # ten seconds of one robot, recorded a thousand times a second
    def test_size(self):
        out = self.record("long.h5", "@cantilever-swing", "--duration", "10", "--every", "0.001")
        self.view(out, "-o", self.path("long.html"))
        self.assertLess(os.path.getsize(self.path("long.html")), 5 * MEGABYTE)
        (scene,) = scenes(self.path("long.html"))
        self.assertGreaterEqual(scene["n_frame"], 600)
        self.assertEqual(scene["t_end"], 10.0)
        self.view(out, "--all", "-o", self.path("all.html"))
        (scene,) = scenes(self.path("all.html"))
        self.assertEqual(scene["n_frame"], 10001)

    def test_other_endings(self):
        for name in ["a.glb", "a.pvd"]:
            self.view("@pendulum", "--set", "simulate.duration=0.1", "-o", self.path(name))
            self.assertTrue(os.path.getsize(self.path(name)) > 0)

    def test_temporary(self):
        out = self.record("p.h5", "@pendulum", "--duration", "0.1")
        environment = {**os.environ, "TMPDIR": self.folder.name}
        done = run("view", out, "--no-open", env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = done.stdout.strip()
        self.assertTrue(path.startswith(self.folder.name))
        self.assertEqual(len(scenes(path)), 1)

    # without a page nothing is named, and nothing left behind
    def test_temporary_refused(self):
        place = self.path("temporary")
        os.mkdir(place)
        for arguments in [["nothing.h5"], ["nothing.h5", "--serve"]]:
            done = run("view", *arguments, "--no-open", env={**os.environ, "TMPDIR": place})
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertEqual(os.listdir(place), [])

    def test_refused(self):
        out = self.record("p.csv", "@pendulum", "--duration", "0.1")
        self.assertIn("no states", self.view(out, "-o", self.path("a.html"), code=2).stderr)
        self.assertFalse(os.path.exists(self.path("a.html")))
        self.view(code=2)
        self.view("@pendulun", "-o", self.path("a.html"), code=2)
        self.view("nothing.h5", "-o", self.path("a.html"), code=2)
        self.view("@pendulum", "-o", self.path("a.txt"), code=2)
        self.view("@pendulum", "--port", "70000", code=2)
        self.view("@pendulum", "--stations", "1", "-o", self.path("a.html"), code=2)
        self.view("@pendulum", "--signal", "nothing.at.all", "-o", self.path("a.html"), code=2)
        self.view("@pendulum", "--serve", "-o", self.path("a.html"), code=2)
        with open(self.path("bad.h5"), "wb") as file:
            file.write(b"not HDF5")
        self.view(self.path("bad.h5"), "-o", self.path("a.html"), code=2)
        self.assertFalse(os.path.exists(self.path("a.html")))

    # equilibria at loads below zero, of which the last is not found, are kept all the same
    def test_failed_statics(self):
        with open(self.path("pole.yaml"), "w", encoding="ascii") as file:
            file.write("""
elver: 1
name: pole
tree:
  - {body: pole, mass: 1, inertia: [1, 1, 1], joint: {revolute: {axis: z, stiffness: 1, force: "if(t < -0.5, t, 1/(t - t))"}}}
statics: {loads: [-2, -1, 0]}
""")
        self.view(self.path("pole.yaml"), "--statics", "-o", self.path("pole.html"), code=1)
        (scene,) = scenes(self.path("pole.html"))
        self.assertEqual((scene["n_frame"], scene["loads"]), (2, [-2.0, -1.0]))

    # what was reached is in the page
    def test_interrupted(self):
        path = self.path("long.html")
        process = subprocess.Popen([program(), "view", "@cantilever-swing", "--set", "simulate.duration=1000", "-o", path],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 1, errors)
        (scene,) = scenes(path)
        self.assertGreater(scene["n_frame"], 1)
        self.assertLess(scene["t_end"], 1000)


if __name__ == "__main__":
    unittest.main()
