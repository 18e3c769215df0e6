"""One node tells a million findings, each about another part.

The control plane must not remember them all, must say which source it is, and must answer others meanwhile.
"""

import json
import time

from job_takeover import Agent, described

AT_ONCE = 2_000


def flood(node, sequence, subject, kind):
    return {
        "source": f"node/{node}", "epoch": 1, "sequence": sequence, "at": "2026-11-15T00:00:00.000Z", "kind": "raised",
        "finding": {
            "check": "site.flood", "subject": f"node/{node}/thing/t{subject}", "kind": kind, "severity": "warning",
            "class": "software", "proof": "hardware", "summary": "x" * 1_000, "meaning": "m",
            "remedy": "r", "evidence": [{"source": "attack", "value": "1"}]}}


def attack(lab):
    server = lab.serve()
    liar, honest = Agent(server, "w1"), Agent(server, "w2")
    liar.says(described("w1"))
    honest.says(described("w2"))
    wanted = lab.number(200_000, 12_000)
    sent = refused = slowed = 0
    slowest = 0.0
    begun = time.monotonic()
    until = begun + lab.number(240, 60)
    sequence = 1
    while sent < wanted and time.monotonic() < until:
        batch = [flood("w1", sequence + 1 + i, sent + i, "condition") for i in range(AT_ONCE)]
        answer = server.post(
            "/api/v1/reports", b"".join(json.dumps(it).encode() + b"\n" for it in batch), liar.token, 60)
        if answer.status == 429:
            slowed += 1
            if slowed >= 3 and sent >= 12_000:
                break  # it is held back, and would be for hours
            time.sleep(min(5, float(answer.headers.get("Retry-After", 1))))
            continue
        if answer.status != 200:
            break
        sequence += AT_ONCE
        sent += AT_ONCE
        refused += len(answer.json().get("refused", []))
        slowest = max(slowest, server.get("/api/v1/nodes/w2", server.admin, 30).seconds)
    took = time.monotonic() - begun
    lab.figure("findings told", sent)
    lab.figure("in", took, "s")
    lab.figure("named as refused (20 at most each time)", refused)
    lab.figure("times it was told to slow down", slowed)
    lab.figure("peak memory", server.peak() / 2**20, "MiB")
    node = server.get("/api/v1/nodes/w1", server.admin, 60)
    lab.figure("GET /nodes/w1", node.seconds, "s")
    lab.figure("its answer", len(node.body) / 2**20, "MiB")
    listed = node.json().get("findingList", []) if node.status == 200 else []
    floods = [it for it in listed if it["check"] == "site.flood"]
    lab.figure("findings remembered", len(floods))
    lab.figure("slowest answer about another node meanwhile", slowest, "s")
    lab.require(node.status == 200 and len(floods) <= 5_000, "what is remembered of one source is bounded")
    metrics = server.get("/metrics", server.admin).body.decode()
    total = [line for line in metrics.splitlines() if line.startswith("holdfast_reports_refused_total{")
             and not line.endswith(" 0")]
    lab.figure("metrics", "; ".join(total) or "nothing")
    lab.require(bool(total), "metrics say that statements were refused")
    lab.require(any(it["check"] == "source.limit" for it in listed), "the page names the source that reached its limit")
    lab.require(honest.says(described("w2")).status == 200, "others are heard")
