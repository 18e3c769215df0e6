"""Strangers send half a request each and wait.

Bodies one byte short, headers without an end, a byte a second. Others must be served as if nothing happened, and
whoever sends no whole request in ten seconds loses the connection.
"""

import socket
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
    open_ones = [half(lab, server) for _ in range(halves)]
    lab.figure("half requests sent", halves)
    lab.figure("first answer after they came, all at once", server.get("/api/v1/nodes").seconds * 1000, "ms")
    times = []
    for _ in range(lab.number(100, 20)):
        open_ones += [half(lab, server) for _ in range(5)]  # whoever was sent away comes again
        times += [server.get("/api/v1/nodes").seconds, server.get("/").seconds]
    times.sort()
    lab.figure("answers of GET /nodes and of the page meanwhile: median", times[len(times) // 2] * 1000, "ms")
    lab.figure("slowest of them", times[-1] * 1000, "ms")
    lab.require(times[-1] < lab.number(0.1, 2), "others are answered at once under half requests")
    time.sleep(max(0.0, begun + 15 - time.monotonic()))
    left = sum(1 for it in open_ones[:halves] if still_open(it))
    lab.figure("of the first, open after 15 s", left)
    lab.require(left == 0, "half a request is closed after 10 s")
    lab.require(server.get("/healthz").status == 200, "it answers afterwards")
    lab.release()
    half_bodies(lab, server)


def half_bodies(lab, server):
    """Halves of small bodies, again and again and from several addresses, while others come in."""
    head = b'POST /api/v1/enrol HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\n\r\n{"token":"'
    tries, shut_out = 0, 0
    slowest = 0.0
    for round_of in range(lab.number(10, 3)):
        for i in range(lab.number(1_100, 300)):
            try:
                connection = socket.create_connection(("127.0.0.1", server.port), 2, (f"127.0.0.{1 + i % 2}", 0))
                lab.hold(connection)
                connection.sendall(head)
            except OSError:
                pass  # sent away, as it should be
            if i % 50 == 0:
                answer = server.get("/api/v1/overview", server.admin)
                tries += 1
                shut_out += answer.status != 200
                slowest = max(slowest, answer.seconds)
        if round_of % 4 == 3:
            lab.release()
    lab.figure("others who came under half bodies", tries)
    lab.figure("of them shut out", shut_out)
    lab.figure("slowest answer", slowest * 1000, "ms")
    lab.require(shut_out == 0, "half bodies make room as half heads do")


def half(lab, server):
    connection = lab.connect(server.port, b"GET /api/v1/nodes HTTP/1.1\r\nHost: 127.0", 5)
    connection.setblocking(False)
    lab.hold(connection)
    return connection


def still_open(connection):
    try:
        while connection.recv(65536):
            pass
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
