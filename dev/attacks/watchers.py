"""Thousands watch, rest or ask without reading, with and without a token.

Strangers take every place to watch, a node opens thousands of connections under its own token, and others ask for
long answers and never read them. People with a token, other nodes and /healthz must be answered meanwhile.
"""

import socket
import time


def attack(lab):
    server = lab.serve()
    tokens = [server.agent_token(f"w{i}") for i in range(3)]
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    for i in range(3):
        server.report(tokens[i], described(f"w{i}", now))

    watching = sum(opens(lab, server, "/api/v1/events", None) for _ in range(lab.number(600, 150)))
    lab.figure("places to watch taken without a token", watching)
    lab.require(opens(lab, server, "/api/v1/events", server.admin), "who brings a token finds a place to watch")

    viewer = server.post("/api/v1/tokens", {"name": "ada", "role": "viewer"}, server.admin).json()["token"]
    watching = sum(opens(lab, server, "/api/v1/events", viewer) for _ in range(lab.number(600, 50)))
    lab.figure("places to watch taken by one token", watching)
    lab.require(watching <= 16, "one token does not take all places to watch")
    lab.require(opens(lab, server, "/api/v1/events", server.admin), "another token finds one")

    idle = lab.number(10_000, 500)
    for _ in range(idle):
        opens(lab, server, "/api/v1/requests?source=node/w0&wait=30", tokens[0], read=False)
    open_now = int(metric(server, "holdfast_control_connections"))
    lab.figure("connections of one node tried", idle)
    lab.figure("connections open", open_now)
    lab.require(open_now < 1_500, "one token does not take all connections")

    deaf = lab.number(2_000, 200)
    for _ in range(deaf):
        opens(lab, server, "/api/v1/openapi.json", None, read=False, window=2_048)
    lab.figure("connections that ask and do not read", deaf)
    times = []
    for _ in range(lab.number(50, 10)):
        times += [server.get("/healthz").seconds, server.get("/api/v1/nodes", server.admin).seconds]
        answer = server.report(tokens[1], {**described("w1", now), "sequence": 1})
        times.append(answer.seconds)
        if answer.status != 200:
            lab.require(False, f"another node is heard: {answer.status}")
    lab.figure("slowest answer to /healthz, a person, another node", max(times) * 1000, "ms")
    lab.require(max(times) < lab.number(0.5, 5), "the others are answered")
    lab.figure("peak memory", server.peak() / 2**20, "MiB")
    lab.require(server.peak() < 900 * 2**20, "memory stays bounded")
    lab.release()


def described(node, now):
    return {"source": f"node/{node}", "epoch": 1, "sequence": 1, "at": now, "kind": "described", "node": {"node": node}}


def opens(lab, server, path, token, read=True, window=0):
    """Asks on a connection of its own and keeps it; whether the answer began well."""
    connection = socket.socket()
    lab.hold(connection)
    if window:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    connection.settimeout(10)
    try:
        connection.connect(("127.0.0.1", server.port))
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}\r\n".encode())
        return read and connection.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


def metric(server, name):
    for line in server.get("/metrics", server.admin).body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    return -1
