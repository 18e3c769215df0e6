"""Clients of the store that ask for gigabytes and do not read, or send gigabytes and do not finish.

What all of them hold is bounded, those who are cut off are named, and a rank that reads is served meanwhile.
"""

import threading
import time

from lab import Client, Stopped

VALUE = 8 << 20
# What a store may hold of unread answers by default on a machine of 4 GiB and more, and what it takes beside that and
# its keys: itself, and garbage.
BUFFERS = 1 << 30
BESIDE = 640 << 20


class Rank(threading.Thread):
    """A rank that asks for a small and a large value again and again, with PyTorch's patience at the least."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.client = Client(port, seconds=30)
        self.client.put(b"/small", b"x" * 128)
        self.client.put(b"/large", b"y" * VALUE)
        self.slowest, self.answers, self.failure = 0.0, 0, None
        self.ending = threading.Event()
        self.start()

    def run(self):
        try:
            while not self.ending.is_set():
                for key, size in ((b"/small", 128), (b"/large", VALUE)):
                    begun = time.monotonic()
                    if len(self.client.get(key)) != size:
                        raise OSError("a wrong answer")
                    self.slowest = max(self.slowest, time.monotonic() - begun)
                    self.answers += 1
                time.sleep(0.02)
        except OSError as failed:
            self.failure = failed

    def end(self):
        self.ending.set()
        self.join(60)


def attack(lab):
    waves = {
        "the same value, 20 times each": same_value,
        "a value of its own each, set and asked for 7 times": own_values,
        "requests without their end": unfinished,
        "the list of all keys, asked for again and again": lists,
    }
    for words, wave in waves.items():
        store = lab.store()
        rank = Rank(store.port)
        before = store.rss()
        try:
            wave(lab, store)
            time.sleep(3)
        except OSError as gone:
            if not store.alive():
                raise Stopped(f"the store ended: {gone}") from gone
        cut = store.dropped("buffers") + store.dropped("unread")
        state = store.ask("status")["stores"][0]
        named = [it for it in state.get("cutOff", []) if it.get("process")]
        most = state["bytes"] + BUFFERS + BESIDE
        rank.end()
        print(f"  {words}")
        lab.figure("  memory before and at most", f"{before >> 20} and {store.peak() >> 20} MiB")
        lab.figure("  cut off, of them named in the status", f"{cut}, {len(named)}")
        lab.figure("  answers of a rank meanwhile", rank.answers)
        lab.figure("  its slowest", rank.slowest * 1000, "ms")
        lab.require(store.alive() and rank.failure is None, f"a rank that reads is served: {rank.failure or 'yes'}")
        lab.require(rank.slowest < 5, "within the 5 s that ranks wait at the least")
        lab.require(store.peak() < most, f"memory stays below {most >> 20} MiB: keys, buffers and {BESIDE >> 20}")
        lab.require(not cut or named, "who is cut off is named")
        lab.release()
        store.end()


def reader(lab, store):
    client = Client(store.port, window=4096)
    lab.hold(client)
    return client


def same_value(lab, store):
    asks = Client.request(Client.GET, b"/large") * 20
    for _ in range(40):
        reader(lab, store).send(asks)


def own_values(lab, store):
    readers = [reader(lab, store) for _ in range(lab.number(80, 40))]
    for i, client in enumerate(readers):
        key, value = b"/own%d" % i, bytes([i]) * VALUE
        try:
            for _ in range(7):
                client.send(Client.request(Client.SET, key, value) + Client.request(Client.GET, key))
        except OSError:
            pass  # cut off, as it should be


def unfinished(lab, store):
    data = Client.request(Client.SET, b"/half", b"z" * VALUE)[:-1]
    for _ in range(lab.number(400, 200)):
        try:
            reader(lab, store).send(data)
        except OSError:
            pass


def lists(lab, store):
    setter = Client(store.port)
    for i in range(5_000):
        setter.send(Client.request(Client.SET, b"/%08d" % i + b"k" * 4_000, b""))
    setter.send(bytes([Client.COUNT]))
    setter.number()
    for _ in range(lab.number(200, 80)):
        reader(lab, store).send(bytes([Client.LIST]) * 3)
