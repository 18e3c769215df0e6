"""A journal that an earlier version took strange reports into is read by this one.

HOLDFAST_BEFORE names the launcher of the earlier version; without it this version makes the journal itself. Times far
beyond the calendar, a decision of a job without a name, and a job of a million members are in it.
"""

import os
import pathlib


def report(sequence, kind, **more):
    return {"source": "node/n1", "epoch": 1, "sequence": sequence, "at": "2026-11-15T00:00:00Z", "kind": kind, **more}


def attack(lab):
    present = lab.holdfast
    lab.holdfast = pathlib.Path(os.environ.get("HOLDFAST_BEFORE", present)).resolve()
    earlier = lab.serve(name="poisoned")
    token = earlier.agent_token("n1")
    far = "+999999999-12-31T23:59:59Z"
    members = [{"nodes": "n1", "firstRank": 0, "processes": 1}] + [
        {"nodes": "x[1-100000]", "firstRank": 0, "processes": 1}] * lab.number(5, 2)
    earlier.report(token, report(1, "described", node={"node": "n1"}))
    taken = earlier.report(
        token, report(2, "job", job={"job": "j1", "state": "running", "attempt": 0, "begun": far, "members": members}))
    lab.figure("status of the report of the job, earlier version", taken.status)
    for sequence, more in enumerate(
            [{"kind": "lost", "count": 1, "from": far, "until": far},
             {"kind": "jobDecided", "job": "", "attempt": 0, "choice": "c", "why": "w"}], 3):
        earlier.report(token, {**report(sequence, ""), **more})
    earlier.end()

    lab.holdfast = present
    later = lab.serve(name="poisoned")
    lab.require(later.alive(), "it starts from that journal")
    lab.require(later.get("/healthz").status == 200, "it is well")
    jobs = later.get("/api/v1/jobs", later.admin)
    lab.figure("seconds to GET /jobs", jobs.seconds, "s")
    lab.figure("bytes of GET /jobs", len(jobs.body))
    lab.require(jobs.status == 200, "jobs are listed")
    for job in jobs.json().get("jobs", []) if jobs.status == 200 else []:
        lab.figure("nodes of the job that are left out", job.get("nodesLeftOut", 0))
    lab.figure("peak memory", later.peak() / 2**20, "MiB")
