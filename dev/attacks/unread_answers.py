"""Somebody asks for the longest answers there are on hundreds of connections and reads none of them.

Under a viewer's token, then without one. Nothing may end the process, whoever reads is answered meanwhile, and those who do
not read are cut off when room is needed.
"""

import socket
import threading
import time

PATHS = ["/api/v1/journal?after=0&limit=100000", "/api/v1/findings?all=1&after=&limit=100000"]


def attack(lab):
    server = lab.serve()
    filled(lab, server)
    viewer = server.post("/api/v1/tokens", {"name": "ada", "role": "viewer"}, server.admin).json()["token"]
    longest = max(len(server.get(path, viewer).body) for path in PATHS)
    lab.figure("longest answer", longest / 2**20, "MiB")
    lab.require(longest < 3 * 2**20, "long lists come in pages")
    for who, token in (("a viewer", viewer), ("nobody", None)):
        refused = unread(lab, server, token)
        if not server.alive():
            lab.require(False, f"{who} who does not read does not end the control plane")
            return
        times = measured(lab, server)
        lab.figure(f"slowest answer to others under unread answers of {who}", times[-1] * 1000, "ms")
        lab.require(times[-1] < lab.number(1, 5), "the others are answered")
        lab.figure("connections that could not be opened", refused)
        lab.release()
    lab.figure("peak memory", server.peak() / 2**20, "MiB")
    lab.require(server.peak() < 1_000 * 2**20, "unread answers have a budget")
    lab.figure("cut off", metric(server, "holdfast_control_answers_cut_off_total"))
    until = time.monotonic() + 40
    while metric(server, "holdfast_control_answer_bytes") > 1_000_000 and time.monotonic() < until:
        time.sleep(0.5)
    lab.require(metric(server, "holdfast_control_answer_bytes") < 1_000_000, "room is given back when they leave")
    many_questions(lab, server, viewer)


def filled(lab, server):
    """Findings with long texts on some nodes, so that answers are long."""
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    for i in range(lab.number(60, 20)):
        node = f"w{i}"
        token = server.agent_token(node)
        reports = [
            {"source": f"node/{node}", "epoch": 1, "sequence": n + 1, "at": now, "kind": "raised", "finding": {
                "check": f"site.c{n}", "subject": f"node/{node}", "kind": "condition", "severity": "degraded",
                "class": "storage", "proof": "recorded", "summary": "a" * 2_000,
                "evidence": [{"source": "dd", "value": "v"}], "meaning": "m", "remedy": "r"}} for n in range(60)]
        server.report(token, *reports)


def unread(lab, server, token):
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    refused = 0
    for i in range(lab.number(400, 150)):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        lab.hold(connection)
        try:
            connection.settimeout(5)
            connection.connect(("127.0.0.1", server.port))
            # Several at once, or the kernel takes the one answer off the hands of the process.
            connection.sendall(f"GET {PATHS[i % 2]} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}\r\n".encode() * 5)
        except OSError:
            refused += 1
    return refused


def measured(lab, server):
    times = []
    until = time.monotonic() + lab.number(8, 3)
    while time.monotonic() < until:
        times.append(server.get("/api/v1/overview", server.admin).seconds)
        times.append(server.get(PATHS[0], server.admin).seconds)
        time.sleep(0.05)
    return sorted(times)


def many_questions(lab, server, viewer):
    """A viewer sends hundreds of questions at once on a few connections; a person and an agent ask meanwhile."""
    token = server.agent_token("x1")
    head = f"GET /api/v1/policy HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {viewer}\r\n\r\n".encode()
    for _ in range(60):
        connection = lab.connect(server.port)
        lab.hold(connection)
        thread = threading.Thread(target=drained, args=(connection, head * lab.number(200, 40)), daemon=True)
        thread.start()
    times = []
    until = time.monotonic() + lab.number(8, 3)
    while time.monotonic() < until:
        times.append(server.get("/api/v1/overview", server.admin).seconds)
        times.append(server.post("/api/v1/reports?source=node/x1", b"\n", token).seconds)
        time.sleep(0.05)
    times.sort()
    lab.figure("slowest answer to a person and an agent under 60 times 200 questions", times[-1] * 1000, "ms")
    lab.require(times[-1] < lab.number(0.5, 5), "one who asks much does not hold the others up")


def drained(connection, questions):
    try:
        connection.sendall(questions)
        while connection.recv(1 << 20):
            pass
    except OSError:
        pass  # closed at the end


def metric(server, name):
    for line in server.get("/metrics", server.admin).body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    return -1
