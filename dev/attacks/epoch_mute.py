"""A report of the last epoch there is mutes its node for ever.

Whoever had the token of a node for a moment names the epoch 2^63-1. The node's own agent must be heard afterwards,
by itself, or after `holdfast token reset-node` where that is what a reset is for.
"""

from job_takeover import Agent, described, raised

LAST = 2**63 - 1


def report(node, epoch, statement):
    return {
        "source": f"node/{node}", "epoch": epoch, "sequence": 1, "at": "2026-11-15T00:00:00.000Z", **statement}


def seen(server, node):
    answer = server.get(f"/api/v1/nodes/{node}", server.admin)
    return [it["subject"] for it in answer.json().get("findingList", [])] if answer.status == 200 else []


def attack(lab):
    server = lab.serve()
    agent = Agent(server, "w1")
    agent.says(described("w1"))
    for epoch in (LAST, LAST - 1, 2**62):
        server.report(agent.token, report("w1", epoch, raised("node/w1/gpu/7")))
    answer = server.ask("POST", "/api/v1/reports?source=node/w1", b"", agent.token).json()
    lab.figure("epoch the control plane stands at", answer["epoch"])
    epoch = min(answer["epoch"] + 1, LAST)  # what an agent does that is behind
    server.report(agent.token, report("w1", epoch, raised("node/w1/gpu/1")))
    lab.require("node/w1/gpu/1" in seen(server, "w1"), "the agent is heard after somebody named the last epoch")

    far = 10**15  # one that may be named, by the clock
    server.report(agent.token, report("w1", far, raised("node/w1/gpu/2")))
    server.post("/api/v1/nodes/w1/reset", {}, server.admin)
    other = server.post(
        "/api/v1/tokens", {"name": "again", "role": "agent", "source": "node/w1"}, server.admin).json()["token"]
    server.report(other, report("w1", 2, raised("node/w1/gpu/3")))
    lab.require("node/w1/gpu/3" in seen(server, "w1"), "after a reset a new machine begins at its own epoch")
