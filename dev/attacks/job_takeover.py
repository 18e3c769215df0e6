"""A node joins another node's job, ends it, and finds others ill.

Node w3 tells of the job of w1 and w2 in every way it can while w2 waits to be drained. The job must stay what w1 says,
w2 must not be drained under it, and what w3 says of itself must be heard all the same.
"""

import time


def job(attempt, state, *nodes, user="ann"):
    return {
        "kind": "job",
        "job": {
            "job": "local-train", "user": user, "state": state, "attempt": attempt, "restarts": attempt,
            "begun": "2026-11-15T00:00:00.000Z", "step": 10, "stepSeconds": 1, "checkpointSeconds": 600, "losses": [],
            "members": [{"node": it, "firstRank": i * 8, "processes": 8} for i, it in enumerate(nodes)],
        },
    }


def raised(subject, severity="fatal"):
    return {
        "kind": "raised",
        "finding": {
            "check": "gpu.reachable", "subject": subject, "kind": "condition", "severity": severity, "class": "hardware",
            "proof": "hardware", "summary": "gone", "meaning": "it hurts", "remedy": "mend it",
            "evidence": [{"source": "attack", "value": "1"}],
        },
    }


def described(node):
    return {"kind": "described", "node": {
        "node": node, "agent": "0.1", "place": {"leaf": "l1"}, "versions": {},
        "devices": [{"kind": "gpu", "name": str(i), "model": "H200"} for i in range(8)]}}


class Agent:
    def __init__(self, server, node):
        self.server, self.node, self.sequence = server, node, 0
        self.token = server.agent_token(node)
        self.refused = 0

    def says(self, *statements):
        reports = []
        for it in statements:
            self.sequence += 1
            reports.append({
                "source": f"node/{self.node}", "epoch": 1, "sequence": self.sequence, "at": "2026-11-15T00:00:00.000Z",
                **it})
        answer = self.server.report(self.token, *reports)
        if answer.status == 200:
            self.refused += len(answer.json().get("refused", []))
        return answer


def attack(lab):
    server = lab.serve()
    w1, w2, w3 = (Agent(server, it) for it in ("w1", "w2", "w3"))
    for it in (w1, w2, w3):
        it.says(described(it.node))
    w1.says(job(0, "running", "w1", "w2"))
    server.post("/api/v1/nodes/w2/drain", {"why": "smells of smoke"}, server.admin)
    time.sleep(1.5)

    lies = [
        job(0, "running", "w1", "w2", "w3"), job(0, "finished", "w1", "w2", "w3"), job(9, "running", "w3"),
        job(10, "finished", "w3"), job(0, "failed", "w1", "w2"), job(1, "running", "w3", user="root"),
        {"kind": "jobDecided", "job": "local-train", "attempt": 0, "choice": "stop", "why": "I say so"},
        raised("node/w1"), raised("node/w2/gpu/1"), raised("switch/l1"), raised("volume/scratch"),
        raised("job/local-train"),
        {"kind": "cleared", "check": "gpu.reachable", "subject": "node/w1", "why": "no"},
        *({"kind": "answered", "request": f"a-{i}", "answer": "done", "detail": "for him"} for i in range(1, 4)),
    ]
    answer = w3.says(*lies)
    time.sleep(1.5)
    seen = server.get("/api/v1/jobs/local-train", server.admin).json()
    drained = server.get("/api/v1/nodes/w2", server.admin).json()
    lab.figure("lies told", len(lies))
    lab.figure("of them named as refused in the receipt", w3.refused)
    lab.figure("the job belongs to", seen.get("source"))
    lab.figure("the job is", seen.get("state"))
    lab.figure("w2, to be drained when the job is over, is", drained.get("service"))
    lab.require(answer.status == 200, "the lies are acknowledged")
    lab.require(seen.get("source") == "node/w1" and seen.get("state") == "running", "the job stays its owner's")
    lab.require(drained.get("service") == "draining", "no node is drained under a running job")
    ill = sum(len(server.get(f"/api/v1/nodes/{it}", server.admin).json()["findingList"]) for it in ("w1", "w2"))
    own = "job/local-train@root"  # its job of that name is kept apart by its user
    shared = [
        it for it in server.get("/api/v1/findings", server.admin).json()["findings"]
        if it["subject"].split("/")[0] in ("switch", "volume", "job")
        and it["subject"] != own and not it["subject"].startswith(own + "/")]
    lab.figure("found ill of others", [it["subject"] for it in shared])
    lab.require(ill == 0 and not shared, "it finds nobody ill but itself")
    lab.require(w3.says(raised("node/w3/gpu/0")).status == 200, "it is heard")
    own = server.get("/api/v1/nodes/w3", server.admin).json()
    lab.require(any(it["subject"] == "node/w3/gpu/0" for it in own["findingList"]), "what it says of itself counts")
    lab.require(own.get("refused", 0) >= 12, "what was refused is counted at the node")
    w1.says(job(0, "finished", "w1", "w2"))
    lab.require(
        server.get("/api/v1/jobs/local-train", server.admin).json()["state"] == "finished", "its owner ends the job")
