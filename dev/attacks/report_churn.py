"""A node describes itself anew as fast as it may, and fills the disk of the control plane.

Each description is of 24 KB and differs from the one before. The journal may grow by ten of them and one a second;
what the node says of itself besides is heard.
"""

import os
import time


def attack(lab):
    server = lab.serve()
    token = server.agent_token("n1")
    sequence = 0
    seconds = lab.number(10, 5)

    def size():
        return sum(it.stat().st_size for it in server.state.iterdir() if it.is_file())

    def report(statement):
        nonlocal sequence
        sequence += 1
        return {"source": "node/n1", "epoch": 1, "sequence": sequence, "at": "2026-11-19T00:00:00.000Z", **statement}

    def described():
        return report({"kind": "described", "node": {
            "node": "n1", "agent": "0.1", "place": {}, "devices": [],
            "versions": {f"v{i}": os.urandom(400).hex() for i in range(30)}}})

    server.report(token, described())
    before, begun, said, refused = size(), time.monotonic(), 0, 0
    while time.monotonic() - begun < seconds:
        answer = server.report(token, *(described() for _ in range(20)))
        if answer.status == 200:
            said += 20
            sequence = answer.json()["sequence"]
            refused += len(answer.json().get("refused", []))
        else:
            sequence -= 20
            time.sleep(0.1)
    grown = (size() - before) / (1 << 20)
    lab.figure(f"descriptions said in {seconds} s", said)
    lab.figure("of them named as refused in receipts", refused)
    lab.figure("the state folder has grown by", grown, "MiB")
    lab.require(grown < 0.05 * (seconds + 20) + 2, "the journal has one a second")
    answer = server.report(token, report({"kind": "raised", "finding": {
        "check": "site.x", "subject": "node/n1", "kind": "condition", "severity": "degraded", "class": "storage",
        "proof": "recorded", "summary": "s", "meaning": "m", "remedy": "r",
        "evidence": [{"source": "a", "value": "1"}]}}))
    lab.require(answer.status == 200 and not answer.json().get("refused"), "what it finds is heard meanwhile")
    limits = server.get("/api/v1/findings", server.admin).json()["findings"]
    lab.require(any(it["check"] == "source.limit" for it in limits), "that it reached a limit is a finding")
