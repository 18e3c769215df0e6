"""Strangers at the port of the store and at its management socket: half a greeting, half a request, full listeners.

Whoever has not greeted takes next to no memory and has ten seconds to finish what it begins. When all places are
taken those who never greeted make room, so that ranks come in and the store can be managed.
"""

import json
import socket
import time

from lab import Client, Stopped

# A store that may open so many files is full soon.
FILES = 1024


def attack(lab):
    half_greetings(lab)
    full(lab)
    managers(lab)


def half_greetings(lab):
    store = lab.store()
    rank = Client(store.port)
    before = store.rss()
    many = lab.number(5_000, 500)
    half = Client.request(0, b"/k", b"v" * (1 << 20))[:16 << 10]
    silent = [lab.connect(store.port) for _ in range(100)]
    begun = [lab.connect(store.port, b"\0\xce\xf7") for _ in range(many)]
    large = []
    for _ in range(many // 5):
        try:
            large.append(lab.connect(store.port, half))
        except OSError:
            pass  # refused, as it should be
    for connection in silent + begun + large:
        lab.hold(connection)
    rank.put(b"/k", b"v")
    half_request = Client(store.port).send(Client.request(Client.SET, b"/r", b"v" * 100)[:-1])
    lab.figure("half greetings", len(begun) + len(large))
    lab.figure("memory for each", (store.peak() - before) / (len(begun) + len(large)) / 1024, "KiB")
    time.sleep(15)
    left = sum(1 for it in begun + large if still_open(it))
    lab.figure("half greetings open after 15 s", left)
    lab.require(left == 0, "half a greeting is closed after 10 s")
    lab.require(all(map(still_open, silent)), "who is silent and in nobody's way stays")
    lab.require(rank.get(b"/k") == b"v", "a rank is served")
    half_request.send(b"v" + bytes([Client.COUNT]))
    lab.require(half_request.number() == 2, "a rank that hesitates in the middle of a request is waited for")
    lab.release()
    store.end()


def full(lab):
    few = lab.folder / "few-files"
    few.write_text(f"#!/bin/sh\nulimit -n {FILES}\nexec {lab.holdfast} \"$@\"\n")
    few.chmod(0o755)
    real, lab.holdfast = lab.holdfast, few
    store = lab.store()
    lab.holdfast = real
    rank = Client(store.port)
    for _ in range(FILES * 2):
        lab.hold(lab.connect(store.port))
    time.sleep(1)
    rank.put(b"/k", b"v")
    lab.require(rank.get(b"/k") == b"v", "a rank that is in stays in")
    served, failure = 0, None
    for _ in range(100):
        try:
            late = Client(store.port, seconds=5)
            lab.hold(late)
            served += late.get(b"/k") == b"v"
        except OSError as failed:
            failure = failed
            break
    lab.figure("ranks that came in after the port was full", served)
    lab.require(served == 100, f"a full port locks no rank out: {failure or 'yes'}")
    try:
        state = store.ask("status", seconds=5)
        lab.require(state["ok"], "the management socket answers")
    except OSError as failed:
        lab.require(False, f"the management socket answers: {failed}")
    lab.release()
    store.end()


def managers(lab):
    token = "0123456789abcdef0123456789abcdef"
    socket_file = lab.folder / "managed.sock"
    store = lab.start(
        "store", "--port-range", "29000-29099", "--state", lab.folder / "remembered", "--socket", socket_file,
        "--manage", "127.0.0.1:0", environment={"HOLDFAST_STORE_TOKEN": token})
    port = int(store.await_line(r'"manage":"127\.0\.0\.1:(\d+)"').group(1))
    before = store.rss()
    idle = lab.number(10_000, 2_000)
    for _ in range(idle):
        try:
            lab.hold(lab.connect(port, b'{"request":"he', 5))
        except OSError:
            pass
    local = []
    for _ in range(200):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(5)
        try:
            connection.connect(str(socket_file))
            connection.sendall(b'{"request":')
            local.append(connection)
        except OSError:
            pass
        lab.hold(connection)
    answer = {}
    try:
        answer = ask_over_tcp(port, token)
    except (OSError, ValueError) as failed:
        answer = {"why": str(failed)}
    lab.require(answer.get("ok"), f"who has the token is answered among {idle} who do not: {answer.get('why', 'yes')}")
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(socket_file))
            connection.sendall(b'{"request":"jobs"}\n')
            line = connection.makefile().readline()
            lab.require(line and json.loads(line)["ok"], "the owner is answered beside 200 half requests of his")
    except OSError as failed:
        lab.require(False, f"the owner is answered beside 200 half requests of his: {failed}")
    lab.figure("memory for all of them", (store.peak() - before) / 2**20, "MiB")
    time.sleep(15)
    left = sum(1 for it in local if still_open(it))
    lab.figure("half requests at the management socket after 15 s", left)
    lab.require(left == 0, "half a request to manage is closed after 10 s")
    if not store.alive():
        raise Stopped("the managed store ended")


def ask_over_tcp(port, token):
    import hashlib
    import hmac

    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        lines = connection.makefile("rw")
        challenge = json.loads(lines.readline())["challenge"]
        proof = hmac.new(token.encode(), f"holdfast store {challenge}".encode(), hashlib.sha256).hexdigest()
        lines.write(json.dumps({"request": "hello", "proof": proof}) + "\n")
        lines.flush()
        if not json.loads(lines.readline())["ok"]:
            raise OSError("it does not accept the token")
        lines.write('{"request":"jobs"}\n')
        lines.flush()
        return json.loads(lines.readline())


def still_open(connection):
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
