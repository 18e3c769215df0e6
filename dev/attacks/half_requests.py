"""Strangers send half a request each and wait.

Bodies one byte short, headers without an end, a byte a second. Others must be served as if nothing happened, and
whoever sends no whole request in ten seconds loses the connection.
"""

import time


def attack(lab):
    server = lab.serve()
    size = 5_000_000
    many = lab.number(291, 60)
    body = b"x" * (size - 1)
    head = f"POST /api/v1/enrol HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {size}\r\n\r\n".encode()
    for _ in range(many):
        connection = lab.connect(server.port)
        connection.settimeout(0.2)
        lab.hold(connection)
        try:
            connection.sendall(head + body)
        except OSError:
            pass  # refused, as it should be
    lab.figure("bodies of 5 MB, one byte short", many)
    lab.figure("peak memory", server.peak() / 2**20, "MiB")
    lab.require(server.alive(), "bodies of strangers do not end the control plane")
    lab.require(server.peak() < 600 * 2**20, "bodies of strangers are not kept")
    lab.release()

    halves = lab.number(5_000, 500)
    begun = time.monotonic()
    open_ones = []
    for i in range(halves):
        try:
            connection = lab.connect(server.port, b"GET /api/v1/nodes HTTP/1.1\r\nHost: 127.0", 5)
        except OSError:
            continue
        connection.setblocking(False)
        open_ones.append(connection)
        lab.hold(connection)
    lab.figure("half requests open", len(open_ones))
    slowest = max(server.get("/api/v1/nodes", seconds=10).seconds for _ in range(lab.number(50, 10)))
    lab.figure("slowest answer of GET /nodes meanwhile", slowest * 1000, "ms")
    lab.require(slowest < lab.number(0.1, 2), "others are answered under half requests")
    time.sleep(max(0, begun + 15 - time.monotonic()))
    left = sum(1 for it in open_ones if still_open(it))
    lab.figure("half requests open after 15 s", left)
    lab.require(left == 0, "half a request is closed after 10 s")
    lab.require(server.get("/healthz").status == 200, "it answers afterwards")


def still_open(connection):
    try:
        while connection.recv(65536):
            pass
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
