"""A client of PyTorch's rendezvous store in a hundred lines, for programs that have no PyTorch.

Speaks what torch 2.5 and newer speak: each request is one byte that names it, then texts with their length before
them; the store answers some requests and not others.
"""

import os
import socket
import struct
import time

VALIDATE, SET, GET, ADD, WAIT, DELETE, MULTI_GET, PING = 0, 1, 3, 4, 6, 8, 10, 13
MAGIC = 0x3C85F7CE
LONGEST_VALUE = 8 << 20


class Store:
    """One connection. Every call ends within the timeout: with an answer, or with an OSError."""

    def __init__(self, host, port, timeout=300.0):
        self._socket = _connect(host, port, timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        nonce = struct.pack("<I", os.getpid())
        self._send(struct.pack("<BI", VALIDATE, MAGIC) + bytes([PING]) + nonce)
        if self._receive(4) != nonce:
            raise ConnectionError("%s:%d does not answer like a store of torch 2.5 or newer" % (host, port))

    def set(self, key, value):
        self._send(bytes([SET]) + _key(key) + _bytes(value))

    def get(self, key):
        """The value of a key; waits until somebody sets it."""
        self.wait([key])
        self._send(bytes([GET]) + _key(key))
        return self._value()

    def get_all(self, keys):
        """The values of all keys; waits until all are set."""
        self.wait(keys)
        self._send(bytes([MULTI_GET]) + _keys(keys))
        return [self._value() for _ in keys]

    def add(self, key, amount):
        """Adds to a number that starts at zero; its new value."""
        self._send(bytes([ADD]) + _key(key) + struct.pack("<q", amount))
        return struct.unpack("<q", self._receive(8))[0]

    def wait(self, keys):
        self._send(bytes([WAIT]) + _keys(keys))
        if self._receive(1) != b"\0":
            raise ConnectionError("the store gave up waiting")

    def delete(self, key):
        self._send(bytes([DELETE]) + _key(key))
        return struct.unpack("<q", self._receive(8))[0] == 1

    def barrier(self, name, world):
        """Returns when as many as the world came here."""
        if self.add(name + "/count", 1) == world:
            self.set(name + "/all", b"")
        self.wait([name + "/all"])

    def close(self):
        self._socket.close()

    def _send(self, request):
        self._socket.sendall(request)

    def _value(self):
        length = struct.unpack("<Q", self._receive(8))[0]
        if length > LONGEST_VALUE:
            raise ConnectionError("a value of %d bytes: this is no store" % length)
        return self._receive(length)

    def _receive(self, length):
        received = bytearray()
        while len(received) < length:
            part = self._socket.recv(length - len(received))
            if not part:
                raise ConnectionError("the store closed the connection")
            received += part
        return bytes(received)


def _connect(host, port, timeout):
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=max(0.1, deadline - time.monotonic()))
            connection.settimeout(timeout)
            return connection
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _bytes(value):
    return struct.pack("<Q", len(value)) + value


def _key(key):
    return _bytes(("/" + key).encode())


def _keys(keys):
    return struct.pack("<Q", len(keys)) + b"".join(_key(key) for key in keys)
