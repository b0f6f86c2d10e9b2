# SPDX-License-Identifier: Apache-2.0
"""The server of `elver view`: what it answers, what it refuses, and what it survives."""

import os
import resource
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from view_client import Closed, Live, Refused, Server, connect, get, program, request


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("@pendulum")
        cls.port = cls.server.port

    @classmethod
    def tearDownClass(cls):
        with cls.server:
            assert cls.server.end() == 0, cls.server.errors

    def test_page(self):
        status, headers, body = get(self.port)
        self.assertEqual(status, 200)
        self.assertTrue(headers["content-type"].startswith("text/html"))
        self.assertIn(b'id="elver-live"', body)
        self.assertNotIn(b"<!--elver-data-->", body)
        self.assertEqual(int(headers["content-length"]), len(body))
        self.assertEqual(get(self.port, host=f"localhost:{self.port}")[0], 200)
        status, headers, body = get(self.port, method="HEAD")
        self.assertEqual((status, body), (200, b""))

    def test_nothing_else(self):
        paths = ["/index.html", "/live/", "/live/x", "//", "/../../../../etc/passwd", "/..", "/%2e%2e/%2e%2e/etc/passwd",
                 "/..%2f..%2fetc/passwd", "/.../etc", "/%00", "/live%00", "/\\..\\..", "/?", "/etc/passwd", "/web/", "*"]
        for path in paths:
            status, _, body = get(self.port, path)
            expected = (200,) if path == "/?" else (400, 404)
            self.assertIn(status, expected, path)
            self.assertNotIn(b"root:", body, path)

    def test_methods(self):
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND", "CONNECT", "TRACE", "MKCOL", "NOTHING"]:
            self.assertNotEqual(get(self.port, method=method, extra="Content-Length: 0\r\n")[0], 200, method)

    # a name that an attacker's name server points to 127.0.0.1
    def test_host(self):
        for host in ["evil.example", f"evil.example:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port}.evil.example",
                     f"127.0.0.1:{self.port + 1}", f"127.0.0.2:{self.port}", f"localhost.evil.example:{self.port}"]:
            self.assertEqual(get(self.port, host=host)[0], 403, host)
        status, _, _ = request(self.port, "GET / HTTP/1.1\r\n\r\n")
        self.assertIn(status, (400, 403))
        status, _, _ = request(self.port, "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        self.assertIn(status, (400, 403, 404))

    def test_origin(self):
        for origin in ["http://evil.example", "https://127.0.0.1", f"https://127.0.0.1:{self.port}", "null", None,
                       f"http://127.0.0.1:{self.port + 1}", f"http://127.0.0.1:{self.port}.evil.example", "file://"]:
            with self.assertRaises(Refused) as caught:
                Live(self.port, origin=origin)
            self.assertEqual(caught.exception.status, 403, origin)
        with self.assertRaises(Refused) as caught:
            Live(self.port, host="evil.example")
        self.assertEqual(caught.exception.status, 403)
        with self.assertRaises(Refused):
            Live(self.port, path="/")
        Live(self.port, origin=f"http://localhost:{self.port}").close()
        self.assertEqual(get(self.port, "/live", extra=f"Origin: http://127.0.0.1:{self.port}\r\n")[0], 426)

    def test_loopback_alone(self):
        try:
            probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            probe.connect(("192.0.2.1", 9))
            own = probe.getsockname()[0]
            probe.close()
        except OSError:
            own = None
        if own and not own.startswith("127."):
            with self.assertRaises(OSError):
                socket.create_connection((own, self.port), timeout=2.0)
        with open("/proc/net/tcp", encoding="ascii") as table:
            lines = table.readlines()[1:]
        listening = [line.split()[1].split(":") for line in lines if line.split()[3] == "0A"]
        found = [address for address, port in listening if int(port, 16) == self.port]
        self.assertEqual(found, ["0100007F"])

    def test_garbage_requests(self):
        for data in [b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", os.urandom(2000) + b"\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: " + b"a" * 20000 + b"\r\n\r\n", b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
                     b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n"]:
            self.assertNotEqual(request(self.port, data)[0], 200)
        self.assertEqual(get(self.port)[0], 200)


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("@pendulum")
        cls.port = cls.server.port

    @classmethod
    def tearDownClass(cls):
        with cls.server:
            assert cls.server.end() == 0, cls.server.errors

    def expect_close(self, live, code):
        with self.assertRaises(Closed) as caught:
            for _ in range(1000):
                live.frame()
        self.assertIn(caught.exception.code, code)

    def test_bad_json(self):
        with Live(self.port) as live:
            live.text("scene")
            for text in [b"", b"{", b"[]", b"null", b"{}", b'{"type":5}', b'{"type":"nothing"}', b'{"type":"input"}',
                         b'{"type":"input","name":5,"value":1}', b'{"type":"input","name":"x","value":"1"}',
                         b'{"type":"input","name":"x","value":1e999}', b'{"type":"input","name":"nothing","value":1}',
                         b'{"type":"parameter","name":"nothing","value":1}', b'{"type":"speed","value":-1}',
                         b'{"type":"pause"}', b'{"type":"force","element":"nothing","point":[0,0,0],"force":[0,0,1]}',
                         b'{"type":"force","element":"x","point":[0,0],"force":[0,0,1]}', b"\xff\xfe", b"\x00",
                         b"[" * 5000, b'{"type":"input","name":"' + b"x" * 5000 + b'","value":1}']:
                live.send_frame(1, text)
                message = live.text("status")
                self.assertTrue(message["is_error"], text[:60])
            live.record()

    def test_frames(self):
        with Live(self.port) as live:
            live.text("scene")
            live.send_frame(9, b"are you there")
            while True:
                opcode, data = live.frame()
                if opcode == 10:
                    self.assertEqual(data, b"are you there")
                    break
        cases = [(2, b"binary", 0x80, (1003,)), (1, b"part", 0x00, (1002,)), (3, b"reserved", 0x80, (1002,)),
                 (1, b"rsv", 0xF0, (1002,)), (0, b"continued", 0x80, (1002,))]
        for opcode, data, first, code in cases:
            with Live(self.port) as live:
                live.send_frame(opcode, data, first=first)
                self.expect_close(live, code)
        with Live(self.port) as live:
            live.send_frame(1, b" " * (1 << 17))
            self.expect_close(live, (1009, None))
        with Live(self.port) as live:
            live.send_frame(8, b"")
            self.expect_close(live, (None, 1000, 1005))
        # lengths that no message has: nothing is kept for them
        for size in [1 << 62, 1 << 40, (1 << 63) + 5]:
            with Live(self.port) as live:
                live.send_frame(1, b"x" * 100, size=size)
                self.expect_close(live, (1009,))
        # what is wrong shows in the first two bytes, or in the length: nothing more is waited for
        for head, code in [(b"\x81\x02{}", 1002), (b"\x81\x00", 1002), (b"\x82\x80", 1003), (b"\x89\xfe", 1002),
                           (b"\x81\xff" + b"\x00\x00\x00\x00\x00\x01\x00\x01", 1009)]:
            with Live(self.port) as live:
                live.stream.sendall(head)
                live.stream.settimeout(5.0)
                self.expect_close(live, (code,))
        for size in [0, 2, 100, 1000]:
            with Live(self.port) as live:
                live.send_frame(1, b" " * size, mask=False)
                self.expect_close(live, (1002,))
        for _ in range(20):
            with Live(self.port) as live:
                live.stream.sendall(os.urandom(3000))
        with Live(self.port) as live:
            live.text("scene")

    def test_bounded(self):
        """Eight pages at a time; the ninth is refused, and let in when there is room again."""
        deadline = time.monotonic() + 15.0
        lives = []
        while len(lives) < 8 and time.monotonic() < deadline:
            try:
                lives.append(Live(self.port))
            except Refused:
                time.sleep(0.1)
        self.assertEqual(len(lives), 8)
        for live in lives:
            live.text("scene")
        with self.assertRaises(Refused) as caught:
            Live(self.port)
        self.assertEqual(caught.exception.status, 503)
        self.assertEqual(get(self.port)[0], 200)
        for live in lives:
            live.close()
        while time.monotonic() < deadline:
            try:
                Live(self.port).close()
                return
            except Refused:
                time.sleep(0.1)
        self.fail("no room again")

    # one that reads nothing and says that it is ready all the time
    def test_slow_client(self):
        with Live(self.port) as slow, Live(self.port) as quick:
            end = time.monotonic() + 3.0
            found = []
            slow.stream.settimeout(0.05)
            while time.monotonic() < end:
                try:
                    for _ in range(50):
                        slow.send("ready")
                except OSError:
                    pass
                found.append(quick.record())
            self.assertGreater(len(found), 20)
            self.assertGreater(found[-1].t - found[0].t, 0.5)


class Crowd(unittest.TestCase):
    def test_thousand_connects(self):
        with Server("@pendulum") as server:
            # one after the other: nothing said, half a request, a whole one, a WebSocket
            for i in range(1000):
                if i % 4 == 3:
                    try:
                        Live(server.port).close()
                    except Refused:
                        pass
                    continue
                with connect(server.port) as stream:
                    if i % 4 == 1:
                        stream.sendall(b"GET / HT")
                    if i % 4 == 2:
                        stream.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            # and all at a time, saying nothing
            crowd = []
            for _ in range(200):
                try:
                    crowd.append(connect(server.port, timeout=1.0))
                except OSError:
                    break
            for stream in crowd:
                stream.close()
            deadline = time.monotonic() + 30.0
            status = 0
            while status != 200 and time.monotonic() < deadline:
                try:
                    status = get(server.port)[0]
                except OSError:
                    time.sleep(0.2)
            self.assertEqual(status, 200)
            with open(f"/proc/{server.process.pid}/status", encoding="ascii") as about:
                threads = [int(line.split()[1]) for line in about if line.startswith("Threads")]
            self.assertLess(threads[0], 50)
            with Live(server.port) as live:
                live.text("scene")
                live.record()
            self.assertEqual(server.end(), 0, server.errors)


class Files(unittest.TestCase):
    def test_served_page(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "p.h5")
            subprocess.run([program(), "run", "@pendulum", "-q", "-o", out, "--duration", "0.5"], check=True)
            with Server(out, "--serve") as server:
                status, _, body = get(server.port)
                self.assertEqual(status, 200)
                self.assertIn(b'id="elver-scene-0"', body)
                self.assertNotIn(b'id="elver-live"', body)
                self.assertEqual(get(server.port, "/live")[0], 404)
                with self.assertRaises(Refused) as caught:
                    Live(server.port)
                self.assertEqual(caught.exception.status, 404)
                self.assertEqual(get(server.port, "/p.h5")[0], 404)
                self.assertEqual(server.end(signal.SIGTERM), 0, server.errors)

    # one that ends its side after its request is still listening, also where the page does not go out at once
    def test_half_closed(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "long.h5")
            subprocess.run([program(), "run", "@cantilever-swing", "-q", "-o", out, "--duration", "10", "--every", "0.001"],
                           check=True)
            with Server(out, "--serve", "--all", "--stations", "257") as server, socket.socket() as stream:
                size = len(get(server.port)[2])
                # set before it connects, so that little is under way
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                stream.settimeout(10.0)
                stream.connect(("127.0.0.1", server.port))
                stream.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
                stream.shutdown(socket.SHUT_WR)
                time.sleep(0.3)
                data = b"".join(iter(lambda: stream.recv(1 << 16), b""))
                self.assertGreater(size, 1 << 22)
                self.assertEqual(len(data.partition(b"\r\n\r\n")[2]), size)
                self.assertEqual(server.end(), 0, server.errors)

    # a connection that cannot be had for lack of descriptors waits, and the server does not run in circles
    def test_no_descriptors(self):
        def seconds(pid):
            with open(f"/proc/{pid}/stat", encoding="ascii") as about:
                words = about.read().rpartition(")")[2].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "p.h5")
            subprocess.run([program(), "run", "@pendulum", "-q", "-o", out, "--duration", "0.5"], check=True)
            with Server(out, "--serve") as server:
                pid = server.process.pid
                before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
                in_use = len(os.listdir(f"/proc/{pid}/fd"))
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (in_use, before[1]))
                with connect(server.port) as stream:
                    begin = seconds(pid)
                    time.sleep(1.0)
                    # in circles it would take most of a second
                    self.assertLess(seconds(pid) - begin, 0.2)
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
                    stream.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
                    self.assertEqual(stream.recv(12), b"HTTP/1.1 200")
                self.assertEqual(server.end(), 0, server.errors)

    def test_port(self):
        with Server("@pendulum") as server:
            second = subprocess.run([program(), "view", "@pendulum", "--no-open", "--port", str(server.port)],
                                    capture_output=True, timeout=20, check=False)
            self.assertEqual(second.returncode, 2)
            self.assertIn(b"none, which takes a free one", second.stderr)
            self.assertIn(b"cannot listen", second.stderr)
            self.assertEqual(server.end(), 0, server.errors)


if __name__ == "__main__":
    unittest.main()
