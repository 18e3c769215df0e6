"""A node tells of a job whose 52 KB mean ninety million members.

It is refused with its reason, the source goes on, the page and the commands are answered, and so it is after a restart.
A job of 10,000 nodes, which is real, is taken at once.
"""

import time


def job(sequence, members, name="j1"):
    return {
        "source": "node/n1", "epoch": 1, "sequence": sequence, "at": "2026-11-15T00:00:00Z", "kind": "job",
        "job": {"job": name, "user": "u", "state": "running", "attempt": 0, "begun": "2026-11-15T00:00:00Z",
                "members": members, "step": 1}}


def attack(lab):
    server = lab.serve()
    token = server.agent_token("n1")
    quiet = server.peak()
    many = [{"nodes": "x[1-100000]", "firstRank": 0, "processes": 1}] * 900
    answer = server.report(token, job(1, [{"nodes": "n1", "firstRank": 0, "processes": 8}] + many, "bad"))
    lab.figure("status of the report of 52 KB", answer.status)
    lab.figure("seconds to its answer", answer.seconds, "s")
    lab.figure("memory it took", (server.peak() - quiet) / 2**20, "MiB")
    lab.require(server.alive(), "a report that means much does not end the control plane")
    lab.require((server.peak() - quiet) < 256 * 2**20, "a report takes no more memory than its bytes deserve")

    begun = time.monotonic()
    answer = server.report(token, job(2, [{"nodes": "n[1-10000]", "firstRank": 0, "processes": 8}]))
    lab.figure("seconds to take a job of 10,000 nodes", time.monotonic() - begun, "s")
    lab.require(answer.status == 200 and answer.json()["sequence"] == 2, "what comes after it is taken")
    whole = server.get("/api/v1/jobs/j1", server.admin)
    lab.require(whole.status == 200 and whole.json()["nodes"] == 10_000, "a job of 10,000 nodes is taken and shown")
    decided = {**job(3, []), "kind": "jobDecided", "job": "", "attempt": 0, "choice": "go", "why": "w"}
    half = server.report(token, {**decided, "choice": "\ud800"})
    lab.require(half.status == 400, "half a character is refused at once")
    strange = server.report(token, decided)
    lab.require(
        strange.status == 200 and strange.json()["sequence"] == 3, "a job without a name does not hold up its source")
    listed = server.get("/api/v1/jobs", server.admin)
    lab.figure("seconds to GET /jobs", listed.seconds, "s")
    lab.require(listed.status == 200, "jobs are listed")
    lab.require(server.get("/healthz").status == 200, "it says that it is well, and is")
