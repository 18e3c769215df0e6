"""One key on two machines, and a second machine with an enrolled name.

Both must be noticed and named, and the older one must keep its place until a person decides.
"""

import json
import time
import urllib.error
import urllib.request

from job_takeover import Agent, described, raised


def ask(server, token, run, machine, epoch, sequence, *statements):
    body = b"".join(
        json.dumps({
            "source": "node/w1", "epoch": epoch, "sequence": sequence + i, "at": "2026-11-15T00:00:00.000Z",
            **it}).encode() + b"\n"
        for i, it in enumerate(statements))
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/api/v1/reports?source=node/w1", body, method="POST", headers={
            "Authorization": f"Bearer {token}", "Holdfast-Run": run, "Holdfast-Machine": machine})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


def noticed(server):
    listed = server.get("/api/v1/nodes/w1", server.admin).json().get("findingList", [])
    return next((it["summary"] for it in listed if it["check"] == "agent.identity" and it["holds"]), "")


def attack(lab):
    server = lab.serve()
    token = Agent(server, "w1").token
    older = ask(server, token, "a1", "aa", 1, 1, described("w1"))
    second = []
    for turn in range(3):
        second.append(ask(server, token, "b1", "bb", 100 + turn, 1, raised("node/w1/gpu/0")))
        older = ask(server, token, "a1", "aa", 1, 2 + turn, raised(f"node/w1/gpu/{turn + 1}"))
        time.sleep(0.2)
    time.sleep(1)
    found = {it["subject"] for it in server.get("/api/v1/nodes/w1", server.admin).json().get("findingList", [])}
    lab.figure("answers to the second machine", second)
    lab.figure("noticed", noticed(server) or "no")
    lab.require(older == 200 and "node/w1/gpu/3" in found, "the older machine is heard all the time")
    lab.require("node/w1/gpu/0" not in found, "what the second machine says does not count")
    lab.require(bool(noticed(server)), "two machines with one key are noticed and named")

    server.post("/api/v1/nodes/w1/reset", {}, server.admin)
    invitation = server.post("/api/v1/enrolments", {"nodes": "w1", "uses": 2}, server.admin).json()["token"]
    for sha in ("1" * 64, "2" * 64):
        answer = server.post("/api/v1/enrol", {"token": invitation, "node": "w1", "sha256": sha})
    time.sleep(1)
    lab.figure("answer to the second that asks for the name", answer.status)
    lab.require(answer.status == 409 and bool(noticed(server)), "a second machine with the name is refused and named")
