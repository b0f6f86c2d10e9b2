# SPDX-License-Identifier: Apache-2.0
"""The program `elver view` as a test sees it: started, spoken to by HTTP and by WebSocket, ended by SIGINT.

Standard library alone; what is not allowed to a browser (frames without a mask, wrong lengths) can be sent too."""

import base64
import json
import os
import signal
import socket
import struct
import subprocess
import time

HEADER = struct.Struct("<dfffI")
PAUSED, LATE, FAILED = 1, 2, 4


def program():
    return os.environ.get("ELVER_BIN", "./elver")


class Server:
    """`elver view ARGUMENTS --no-open`, ready when its address has come."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [program(), "view", *arguments, "--no-open"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        line = self.process.stdout.readline().decode()
        if not line.startswith("http://127.0.0.1:"):
            self.process.kill()
            raise RuntimeError(line + self.process.stderr.read().decode())
        self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])
        self.errors = ""

    def end(self, number=signal.SIGINT, timeout=20.0):
        """The exit code after a signal."""
        self.process.send_signal(number)
        self.errors = self.process.communicate(timeout=timeout)[1].decode()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *about):
        if self.process.poll() is None:
            self.process.kill()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()


def connect(port, timeout=10.0):
    stream = socket.create_connection(("127.0.0.1", port), timeout=timeout)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return stream


def request(port, text):
    """Everything that comes back for the bytes of a request: (status, headers, body)."""
    with connect(port) as stream:
        stream.sendall(text if isinstance(text, bytes) else text.encode())
        data = b""
        try:
            while True:
                part = stream.recv(1 << 16)
                if not part:
                    break
                data += part
        except ConnectionResetError:
            pass
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split(" ")[1]) if lines[0].startswith("HTTP/") else 0
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return status, headers, body


def get(port, path="/", host=None, method="GET", extra=""):
    host = host or f"127.0.0.1:{port}"
    return request(port, f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{extra}\r\n")


class Refused(Exception):
    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class Closed(Exception):
    def __init__(self, code):
        super().__init__(f"closed, {code}")
        self.code = code


class Live:
    """A WebSocket at /live."""

    def __init__(self, port, origin="", path="/live", host=None, extra=""):
        self.stream = connect(port)
        self.buffer = b""
        origin = f"http://127.0.0.1:{port}" if origin == "" else origin
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host or f'127.0.0.1:{port}'}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(),
        ]
        if origin:
            lines.append("Origin: " + origin)
        self.stream.sendall(("\r\n".join(lines) + "\r\n" + extra + "\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.stream.recv(4096)
            if not part:
                break
            head += part
        head, _, self.buffer = head.partition(b"\r\n\r\n")
        status = int(head.split(b" ")[1]) if head.startswith(b"HTTP/") else 0
        if status != 101:
            self.stream.close()
            raise Refused(status)

    def close(self):
        self.stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *about):
        self.close()

    # ---- frames

    def take(self, n):
        while len(self.buffer) < n:
            part = self.stream.recv(1 << 16)
            if not part:
                raise Closed(None)
            self.buffer += part
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def frame(self):
        """(opcode, data); Closed at the end."""
        try:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self.take(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self.take(8))
            data = self.take(size)
        except (ConnectionResetError, BrokenPipeError):
            raise Closed(None) from None
        if first & 0x0F == 8:
            raise Closed(struct.unpack(">H", data[:2])[0] if len(data) >= 2 else None)
        return first & 0x0F, data

    def send_frame(self, opcode, data, first=0x80, mask=True, size=None):
        size = len(data) if size is None else size
        bit = 0x80 if mask else 0
        head = bytes([first | opcode])
        if size < 126:
            head += bytes([bit | size])
        elif size < 1 << 16:
            head += bytes([bit | 126]) + struct.pack(">H", size)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", size)
        key = os.urandom(4) if mask else b""
        if mask:
            data = bytes(byte ^ key[i % 4] for i, byte in enumerate(data))
        self.stream.sendall(head + key + data)

    # ---- messages

    def send(self, kind, **fields):
        self.send_frame(1, json.dumps({"type": kind, **fields}).encode())

    def text(self, kind, timeout=30.0):
        """The next text of a kind; records are answered meanwhile."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            opcode, data = self.frame()
            if opcode == 1:
                message = json.loads(data)
                if message["type"] == kind:
                    return message
            elif opcode == 2:
                self.send("ready")
        raise TimeoutError(kind)

    def record(self):
        """The next record, which is answered: t, ms, iterations, ratio, flags, values."""
        while True:
            opcode, data = self.frame()
            if opcode == 2:
                self.send("ready")
                n = (len(data) - HEADER.size) // 4
                values = struct.unpack_from(f"<{n}f", data, HEADER.size)
                return Record(*HEADER.unpack_from(data), values)

    def records(self, seconds):
        found = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found.append(self.record())
        return found

    def record_where(self, condition, timeout=30.0):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            record = self.record()
            if condition(record):
                return record
        raise TimeoutError("no record is as it should be")


class Record:
    def __init__(self, t, ms, iterations, ratio, flags, values):
        self.t, self.ms, self.iterations, self.ratio = t, ms, iterations, ratio
        self.flags, self.values = flags, values
