# SPDX-License-Identifier: Apache-2.0
"""`elver view MODEL`: a model that runs live is steered, stopped, stepped, pulled and changed from outside."""

import math
import os
import tempfile
import time
import unittest

from view_client import FAILED, HEADER, LATE, PAUSED, Live, Server

ARM = """
elver: 1
name: arm
parameters: {heavy: 0.02, modes: 2}
gravity: [0, 0, 0]
tree:
  - body: base
    joint: {revolute: {axis: z, motion: "0.1*sin(t)"}}
    mass: 1
    inertia: [0.1, 0.1, 0.1]
    shape: {box: {size: [0.1, 0.1, 0.1]}}
  - rod: rod
    parent: base
    length: 0.4
    section: {circle: {radius: 0.01}}
    material: {density: 1000, young: 2e7, poisson: 0.3, damping: 0.1}
    strain: {bend_y: modes, bend_z: modes}
  - body: tool
    parent: rod.tip
    mass: heavy
    inertia: [1e-5, 1e-5, 1e-5]
    shape: {sphere: {radius: 0.02}}
actuators:
  - tendon: left
    path: {rod: rod, y: 0.005}
    tension: 0
simulate: {method: generalized-alpha, duration: 1, step: 0.01}
record: {every: 0.01, signals: [rod.tip.position]}
"""


class Robot(unittest.TestCase):
    text = ARM

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "model.yaml")
        with open(path, "w", encoding="ascii") as file:
            file.write(self.text)
        self.server = Server(path)
        self.live = Live(self.server.port)
        self.scene = self.live.text("scene")

    def tearDown(self):
        with self.server:
            self.live.close()
            code = self.server.end()
            self.assertEqual(code, 0, self.server.errors)
        self.folder.cleanup()

    def tip(self, record):
        """Position of the last section of the rod."""
        rod = self.scene["scene"]["rods"][0]
        i = rod["pose"] + 7 * (len(rod["stations"]) - 1)
        return record.values[i : i + 3]

    def wait(self, seconds):
        """The record after so much simulated time, which a busy machine may take long for."""
        t = self.live.records(0.2)[-1].t
        return self.live.record_where(lambda record: record.t > t + seconds, timeout=60.0)

    def settled(self):
        return self.tip(self.wait(1.5))


class Steering(Robot):
    def test_scene(self):
        inputs = {one["name"]: one for one in self.scene["inputs"]}
        self.assertEqual(set(inputs), {"base.motion.0", "tendon.left.tension"})
        tension = inputs["tendon.left.tension"]
        self.assertEqual((tension["kind"], tension["unit"], tension["value"], tension["min"]), ("tendon", "N", 0, 0))
        self.assertGreater(tension["max"], 0)
        parameters = {one["name"]: one["value"] for one in self.scene["parameters"]}
        self.assertEqual(parameters, {"heavy": 0.02, "modes": 2})
        self.assertEqual(len(self.live.record().values), self.scene["scene"]["n_value"])

    # simulated time follows the clock, unless the machine is too busy, which the records say then
    def follow(self, speed):
        self.live.records(1.0)
        first = self.live.record()
        began = time.monotonic()
        found = self.live.records(2.0)
        elapsed = time.monotonic() - began
        self.assertGreater(len(found), 20)
        self.assertTrue(all(b.t >= a.t for a, b in zip(found, found[1:])))
        self.assertLess(found[-1].t - first.t, speed * (elapsed + 0.2))
        if not any(record.flags & LATE for record in [first, *found]):
            self.assertAlmostEqual(found[-1].t - first.t, speed * elapsed, delta=0.2 * speed)
            self.assertAlmostEqual(found[-1].ratio, speed, delta=0.3 * speed)
        return found[-1]

    def test_real_time(self):
        record = self.follow(1.0)
        self.assertGreater(record.ms, 0.0)
        self.assertGreaterEqual(record.iterations, 1)
        self.live.send("speed", value=0.25)
        self.follow(0.25)

    # the bending that a tension T at y puts on a rod: T y / (E I), so that the tip turns by T y L / (E I)
    def test_tendon(self):
        self.live.send("input", name="base.motion.0", value=0.0)
        straight = self.settled()
        self.assertAlmostEqual(straight[1], 0.0, delta=2e-3)
        self.live.send("input", name="tendon.left.tension", value=20.0)
        bent = self.settled()
        angle = 20.0 * 0.005 * 0.4 / (2e7 * math.pi / 4 * 0.01**4)
        # along an arc of that angle, but for the little that tension turns with the rod
        self.assertAlmostEqual(bent[1], 0.4 * (1 - math.cos(angle)) / angle, delta=0.05 * 0.4 * angle)
        self.assertLess(bent[0], straight[0])
        self.live.send("input", name="tendon.left.tension", value=0.0)
        self.assertAlmostEqual(self.settled()[1], 0.0, delta=2e-3)

    # what a second page, or one that is loaded again, is told of sliders and parameters
    def test_second_page(self):
        self.live.send("input", name="tendon.left.tension", value=3.0)
        self.live.send("parameter", name="heavy", value=0.05)
        self.wait(0.2)
        with Live(self.server.port) as second:
            scene = second.text("scene")
        values = {one["name"]: one["value"] for one in scene["inputs"] + scene["parameters"]}
        self.assertEqual((values["tendon.left.tension"], values["heavy"]), (3.0, 0.05))

    # commands come more often than frames: records go on right after them
    def test_flood(self):
        self.live.records(0.5)
        began = time.monotonic()
        for i in range(500):
            self.live.send("input", name="tendon.left.tension", value=0.001 * i)
            time.sleep(max(0.0, began + 0.002 * i - time.monotonic()))
        # if each command put the next frame off by a frame, there would be none for seven seconds
        began = time.monotonic()
        found = self.live.records(1.0)
        self.assertLess(time.monotonic() - began, 3.0)
        self.assertGreater(len(found), 5)
        self.assertGreater(found[-1].t, found[0].t)

    # an imposed motion comes to its slider, without leaving it
    def test_motor(self):
        self.live.send("input", name="base.motion.0", value=0.5)
        body = self.scene["scene"]["bodies"][0]
        self.wait(1.0)
        found = self.live.records(0.3)
        for record in found:
            w, _, _, z = record.values[body["pose"] + 3 : body["pose"] + 7]
            self.assertAlmostEqual(2 * math.atan2(z, w), 0.5, delta=1e-5)

    def test_pause_step_reset(self):
        self.live.record_where(lambda record: record.t > 0.3)
        self.live.send("pause", value=True)
        paused = self.live.record_where(lambda record: record.flags & PAUSED)
        time.sleep(0.3)
        self.live.send("step")
        after = self.live.record_where(lambda record: record.t > paused.t)
        self.assertLess(after.t - paused.t, 0.021)
        self.assertTrue(after.flags & PAUSED)
        self.live.send("step")
        again = self.live.record_where(lambda record: record.t > after.t)
        self.assertAlmostEqual(again.t - after.t, 0.01, delta=1e-9)
        self.live.send("reset")
        self.live.text("scene")
        start = self.live.record()
        self.assertEqual(start.t, 0.0)
        self.assertTrue(start.flags & PAUSED)
        self.live.send("pause", value=False)
        self.live.record_where(lambda record: record.t > 0.2 and not record.flags & PAUSED)

    # after a reset the laws of the file act again
    def test_reset_inputs(self):
        self.live.send("input", name="tendon.left.tension", value=3.0)
        self.wait(0.5)
        self.live.send("pause", value=True)
        self.live.record_where(lambda record: record.flags & PAUSED)
        self.live.send("reset")
        scene = self.live.text("scene")
        self.assertEqual([one["value"] for one in scene["inputs"]], [0.0, 0.0])
        self.assertAlmostEqual(self.tip(self.live.record())[1], 0.0, delta=1e-3)

    # the page is told what the law of the file gives, 0.1 sin(t), until the input is taken
    def test_values(self):
        before = self.live.record_where(lambda record: record.t > 0.3).t
        one = self.live.text("values")["inputs"][0]
        after = self.live.record().t
        self.assertEqual((one["name"], one["is_taken"]), ("base.motion.0", False))
        self.assertTrue(0.1 * math.sin(before - 0.3) < one["value"] < 0.1 * math.sin(after + 0.3))
        self.live.send("input", name="base.motion.0", value=0.25)
        end = time.monotonic() + 5.0
        while not one["is_taken"] and time.monotonic() < end:
            one = self.live.text("values")["inputs"][0]
        self.assertEqual((one["value"], one["is_taken"]), (0.25, True))

    # a tendon cannot push: less than 0 is 0, and the filter does not go below it
    def test_bounds(self):
        tendon = self.scene["inputs"][1]
        self.assertEqual((tendon["lower"], tendon["upper"]), (0.0, None))
        self.live.send("input", name="tendon.left.tension", value=3.0)
        self.wait(0.1)
        self.live.send("input", name="tendon.left.tension", value=-10.0)
        for record in self.live.records(0.5):
            self.assertFalse(record.flags & FAILED)
        self.live.send("parameter", name="heavy", value=0.03)
        told = self.live.text("values")
        self.assertEqual(told["inputs"][1]["value"], 0.0)

    # a parameter that is refused comes back as it was
    def test_refused(self):
        self.live.send("parameter", name="heavy", value=-5.0)
        self.assertTrue(self.live.text("status")["is_error"])
        told = self.live.text("values")
        while not told["parameters"]:
            told = self.live.text("values")
        self.assertIn({"name": "heavy", "value": 0.02}, told["parameters"])

    # nothing is missed while the page is being opened: time begins with its first `ready`
    def test_waits(self):
        with Live(self.server.port) as live:
            time.sleep(0.4)
            live.text("scene")
            self.assertEqual(live.frame()[0], 2)
        self.assertLess(self.live.record().t, 0.1)

    # a page that asks for many gets them all, one a sixtieth of a second
    def test_many(self):
        self.live.send("ready", n=50)
        time.sleep(1.2)
        times = []
        while len(times) < 40:
            opcode, data = self.live.frame()
            times += [HEADER.unpack_from(data)[0]] if opcode == 2 else []
        self.assertGreater(times[-1], 0.3)
        self.assertLess(max(b - a for a, b in zip(times[1:], times[2:])), 0.2)

    # the tip of a beam under a force: F L^3 / (3 E I), where that is small
    def test_mouse(self):
        self.live.send("input", name="base.motion.0", value=0.0)
        point = self.settled()
        force = 0.2
        self.live.send("force", element="rod", station=1.0, point=point, force=[0, 0, force])
        deflection = force * 0.4**3 / (3 * 2e7 * math.pi / 4 * 0.01**4)
        self.assertAlmostEqual(self.settled()[2], deflection, delta=0.05 * deflection)
        # in the middle: 5 F L^3 / (48 E I) at the tip
        self.live.send("force", element="rod", station=1.0, point=point, force=[0, 0, 0])
        self.live.send("force", element="rod", station=0.5, point=[0.2, 0, 0], force=[0, 0, force])
        self.assertAlmostEqual(self.settled()[2], 5 / 16 * deflection, delta=0.05 * deflection)
        self.live.send("force", element="rod", station=0.5, point=[0.2, 0, 0], force=[0, 0, 0])
        self.assertAlmostEqual(self.settled()[2], 0.0, delta=0.02 * deflection)
        # the same by the tool, held beside its centre: twice the lever of a moment M, M L^2 / (2 E I)
        self.live.send("force", element="tool", point=[0.4 + 0.02, 0, 0], force=[0, 0, force])
        self.assertAlmostEqual(self.settled()[2], deflection * (1 + 1.5 * 0.02 / 0.4), delta=0.05 * deflection)

    def test_parameter(self):
        before = self.live.record_where(lambda record: record.t > 0.5)
        self.live.send("parameter", name="heavy", value=0.1)
        after = self.live.record()
        self.assertGreaterEqual(after.t, before.t)
        self.assertTrue(all(record.t > before.t for record in self.live.records(0.3)))
        # other coordinates: it starts again, and says so
        self.live.send("parameter", name="modes", value=3)
        self.assertIn("starts again", self.live.text("status")["message"])
        self.assertLess(self.live.record().t, 0.5)
        # one that cannot be leaves all as it is
        t = self.live.record().t
        self.live.send("parameter", name="modes", value=-1)
        message = self.live.text("status")
        self.assertTrue(message["is_error"])
        self.assertGreaterEqual(self.live.record().t, t)
        self.live.send("parameter", name="heavy", value=0.02)
        self.live.records(0.3)

    # the newest record is sent, when the page is ready and not before
    def test_back_pressure(self):
        with Live(self.server.port) as slow:
            slow.text("scene")
            while True:
                opcode, _ = slow.frame()
                if opcode == 2:
                    break
            time.sleep(1.0)
            slow.stream.settimeout(0.2)
            with self.assertRaises(TimeoutError):
                slow.frame()
            slow.stream.settimeout(5.0)
            now = self.live.records(0.3)[-1]
            slow.send("ready")
            self.assertAlmostEqual(slow.record().t, now.t, delta=0.2)

    def test_two_pages(self):
        with Live(self.server.port) as second:
            scene = second.text("scene")
            self.assertEqual(scene["scene"], self.scene["scene"])
            self.live.send("pause", value=True)
            self.assertTrue(second.record_where(lambda record: record.flags & PAUSED))


class Slow(Robot):
    """More steps than there is time for."""

    text = ARM.replace("step: 0.01", "step: 1e-6")

    def test_late(self):
        record = self.live.record_where(lambda record: record.flags & LATE)
        self.assertLess(record.ratio, 0.9)
        found = self.live.records(2.0)
        self.assertGreater(len(found), 10)
        self.live.send("pause", value=True)
        self.live.record_where(lambda record: record.flags & PAUSED, timeout=10.0)


class Failing(Robot):
    """A law that is not finite from t = 0.3 on."""

    text = ARM.replace("tension: 0", 'tension: "if(t < 0.3, 1, 1/(t - t))"')

    def test_failure(self):
        message = self.live.text("status")
        self.assertTrue(message["is_error"])
        record = self.live.record_where(lambda record: record.flags & FAILED)
        self.assertTrue(record.flags & PAUSED)
        self.assertLess(record.t, 0.32)
        self.assertTrue(all(math.isfinite(value) for value in record.values))
        self.live.send("reset")
        self.live.text("scene")
        self.live.send("input", name="tendon.left.tension", value=1.0)
        self.live.send("pause", value=False)
        self.live.record_where(lambda record: record.t > 0.6 and not record.flags & FAILED)


class Methods(unittest.TestCase):
    # one model of every method, and those with loops, wheels, muscles and water
    names = ["pendulum", "tacr-release", "rkmk-1", "knife-edge", "four-bar", "muscle-wave", "swimmer-pattern",
             "falling-cat", "gripper", "stewart-gough", "snake-2d", "rollup", "satellite", "unicycle", "cantilever-soft"]

    def test_models(self):
        for name in self.names:
            with self.subTest(name), Server("@" + name) as server:
                with Live(server.port) as live:
                    scene = live.text("scene")
                    t = live.record().t
                    record = live.record_where(lambda record, t=t: record.t > t)
                    self.assertEqual(len(record.values), scene["scene"]["n_value"])
                    self.assertTrue(all(math.isfinite(value) for value in record.values))
                    self.assertFalse(record.flags & FAILED)
                    # every slider a little further: explicit methods must not stumble over it
                    for one in scene["inputs"]:
                        live.send("input", name=one["name"], value=0.99 * one["value"] + 0.01 * one["max"])
                    live.records(0.3)
                    t = live.record().t
                    live.record_where(lambda record, t=t: record.t > t and not record.flags & FAILED)
                self.assertEqual(server.end(), 0, server.errors)
                self.assertEqual(name in ("tacr-release", "rkmk-1"), "generalized-alpha" in server.errors)


if __name__ == "__main__":
    unittest.main()
