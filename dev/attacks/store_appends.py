"""Ranks of the store that ask for much work with few bytes: appends to a large value, long lists, values unread.

Others of the same store and of another job's are served meanwhile, whoever manages it too, and it ends when asked.
"""

import json
import signal
import socket
import threading
import time

from lab import Client, Stopped

VALUE = 8 << 20
APPEND, ADD, MULTI_GET, BARRIER = 9, 4, 10, 19
# What a store may hold of unread answers by default on a machine of 4 GiB and more, and what it takes beside that and
# its keys: itself, and garbage.
BUFFERS = 1 << 30
BESIDE = 640 << 20


class Rank(threading.Thread):
    """A rank that sets and reads a small value again and again."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.client = Client(port)
        self.client.put(b"/probe", b"value")
        self.slowest, self.answers, self.failure = 0.0, 0, None
        self.ending = threading.Event()
        self.start()

    def run(self):
        try:
            while not self.ending.is_set():
                begun = time.monotonic()
                self.client.send(Client.request(Client.SET, b"/probe", b"%d" % self.answers))
                if self.client.get(b"/probe") != b"%d" % self.answers:
                    raise OSError("a wrong answer")
                self.slowest = max(self.slowest, time.monotonic() - begun)
                self.answers += 1
                time.sleep(0.02)
        except OSError as failed:
            self.failure = failed

    def end(self):
        self.ending.set()
        self.join(40)


class Managed:
    """A managed store with two jobs, and how long its managers wait."""

    def __init__(self, lab):
        self.socket = lab.folder / "managed.sock"
        self.process = lab.start(
            "store", "--port-range", "28700-28799", "--state", lab.folder / "managed", "--socket", self.socket,
            "--address", "127.0.0.1")
        self.process.await_line(r"holdfast\.store-ready")
        self.ports = [
            self.ask("open", job=job, attempt=0, term=0, world=2, allowed=[])["port"] for job in ("large", "other")]

    def ask(self, request, seconds=30, **fields):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps({"request": request, **fields}).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                part = connection.recv(1 << 20)
                if not part:
                    raise OSError("it closed the connection")
                answer += part
            return json.loads(answer)


def attack(lab):
    waves = {
        "one byte appended again and again to a value of 8 MB": appends,
        "the list of all keys, asked for again and again and read": lists,
        "64 MB of answers to one request of 36 KB, unread": many,
        "a counter that a thousand wait at": barrier,
        "8 MB asked for 200 times each, unread": unread,
        "waits for one key, listed 131,072 times each": waits,
    }
    for words, wave in waves.items():
        store = lab.store()
        rank = Rank(store.port)
        try:
            wave(lab, store.port)
            time.sleep(1)
        except OSError as gone:
            if not store.alive():
                raise Stopped(f"the store ended: {gone}") from gone
        rank.end()
        most = BUFFERS + BESIDE + (store.ask("status")["stores"][0]["bytes"] if store.alive() else 0)
        print(f"  {words}")
        lab.figure("  a rank's slowest SET and GET", rank.slowest * 1000, "ms")
        lab.figure("  memory at most", f"{store.peak() >> 20} MiB")
        lab.require(store.alive() and rank.failure is None, f"a rank is served: {rank.failure or 'yes'}")
        lab.require(rank.slowest < 2, "within 2 s, a processor that is shared included")
        lab.require(store.peak() < most, f"memory stays below {most >> 20} MiB")
        lab.release()
        store.end()
    managers(lab)


def managers(lab):
    print("  appends to a value of one job, with another job beside it")
    managed = Managed(lab)
    rank = Rank(managed.ports[1])
    busy = threading.Thread(target=quietly, args=(appends, lab, managed.ports[0]), daemon=True)
    busy.start()
    time.sleep(0.3)
    slowest = 0.0
    for request, fields in (
            ("jobs", {}), ("status", {"brief": True}), ("metrics", {}),
            ("close", {"job": "large", "attempt": 0, "term": 0})):
        begun = time.monotonic()
        try:
            answered = managed.ask(request, **fields)["ok"]
        except OSError:
            answered = False
        slowest = max(slowest, time.monotonic() - begun)
        lab.require(answered, f"'{request}' is answered")
    rank.end()
    peak = managed.process.peak()
    begun = time.monotonic()
    managed.process.signal(signal.SIGTERM)
    ended = managed.process.wait() is not None
    lab.figure("  slowest answer to who manages", slowest * 1000, "ms")
    lab.figure("  slowest SET and GET of the other job", rank.slowest * 1000, "ms")
    lab.figure("  memory at most", f"{peak >> 20} MiB")
    lab.require(slowest < 2 and rank.slowest < 2 and rank.failure is None, "both within 2 s")
    lab.require(peak < BUFFERS + BESIDE, "memory stays below what is documented")
    lab.require(ended and time.monotonic() - begun < 2, "it ends within 2 s of TERM")


def quietly(wave, lab, port):
    try:
        wave(lab, port)
    except OSError:
        pass  # it is closed with its job


def appends(lab, port):
    count = lab.number(20_000, 3_000)
    client = Client(port)
    client.put(b"/grows", b"y" * (8_000_000 - 60_000))
    client.send(Client.request(APPEND, b"/grows", b"y") * count + bytes([Client.COUNT]))
    client.number()


def fill(port, count, name):
    client = Client(port)
    client.send(b"".join(Client.request(Client.SET, name % i, b"") for i in range(count)) + bytes([Client.COUNT]))
    return client.number()


def lists(lab, port):
    fill(port, 50_000, b"/a/key/of/a/job/%08d")
    client = Client(port)
    count = lab.number(300, 60)
    client.send(bytes([Client.LIST]) * count)
    for _ in range(count):
        client.take(8 + 50_000 * (8 + 24) + 8 + len(b"/probe"))


def many(lab, port):
    Client(port).put(b"/k", b"v" * 16_000)
    for _ in range(lab.number(100, 20)):
        client = Client(port, window=4096)
        client.send(bytes([MULTI_GET]) + (4_000).to_bytes(8, "little") + Client.request(0, b"/k")[1:] * 4_000)
        lab.hold(client)


def barrier(lab, port):
    for _ in range(lab.number(1_000, 300)):
        client = Client(port)
        client.send(Client.request(BARRIER, b"/b") + (1 << 40).to_bytes(8, "little"))
        lab.hold(client)
    client = Client(port)
    client.send((Client.request(ADD, b"/b") + (1).to_bytes(8, "little")) * 20_000 + bytes([Client.COUNT]))
    client.take(20_001 * 8)


def unread(lab, port):
    Client(port).put(b"/large", b"x" * VALUE)
    for _ in range(lab.number(300, 100)):
        client = Client(port, window=4096)
        client.send(Client.request(Client.GET, b"/large") * 200)
        lab.hold(client)


def waits(lab, port):
    data = bytes([6]) + (131_072).to_bytes(8, "little") + Client.request(0, b"w")[1:] * 131_072
    for _ in range(lab.number(60, 20)):
        client = Client(port)
        client.send(data)
        lab.hold(client)
