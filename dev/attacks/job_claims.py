"""Local users and hostile nodes claim other nodes for their jobs, squat names of jobs, and use up room for jobs.

The nodes n2 and n3 have agents that say themselves which jobs are there. A user of this machine, through the agent's
socket alone, and the node n4 claim them; both must be drained at once, and the names and the room for jobs be there for
their owners. Needs root, to speak as another user.
"""

import json
import os
import socket
import subprocess
import time

SPEAK = """
import collections, json, socket, sys, time
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rw"); answers = collections.Counter()
for line in sys.stdin:
    while True:
        f.write(line); f.flush(); answer = f.readline().strip()
        if "too many lines" not in answer: break
        time.sleep(0.1)
    answers[answer] += 1
print(json.dumps(answers))
"""


def job(name, user, *nodes, state="running"):
    return {"kind": "job", "job": {
        "job": name, "user": user, "state": state, "attempt": 0, "restarts": 0, "begun": "2026-11-19T00:00:00.000Z",
        "step": 1, "stepSeconds": 1.0, "checkpointSeconds": 0.0, "losses": [],
        "members": [{"node": it, "firstRank": i, "processes": 1} for i, it in enumerate(nodes)]}}


class Node:
    def __init__(self, server, name):
        self.server, self.name, self.sequence = server, name, 0
        self.token = server.agent_token(name)
        self.says({"kind": "described", "node": {
            "node": name, "agent": "0.1", "place": {}, "versions": {}, "devices": [], "confirms": True}})

    def says(self, statement):
        self.sequence += 1
        answer = self.server.report(self.token, {
            "source": f"node/{self.name}", "epoch": 1, "sequence": self.sequence, "at": "2026-11-19T00:00:00.000Z",
            **statement})
        return answer.json().get("refused", []) if answer.status == 200 else [answer.status]

    def now(self):
        return self.server.get(f"/api/v1/nodes/{self.name}", self.server.admin).json()


def speak(path, lines, user=None):
    words = ["setpriv", f"--reuid={user}", "--clear-groups"] if user else []
    said = subprocess.run(
        [*words, "python3", "-c", SPEAK, path], input="".join(json.dumps(it) + "\n" for it in lines),
        capture_output=True, text=True, timeout=120)
    return json.loads(said.stdout) if said.returncode == 0 else {said.stderr[-200:]: 1}


def attack(lab):
    if os.getuid() != 0:
        lab.figure("skipped", "only root can speak as another user")
        return
    server = lab.serve()
    here = socket.gethostname().split(".")[0]
    n2, n3, n4 = (Node(server, it) for it in ("n2", "n3", "n4"))
    lab.folder.chmod(0o755)
    path = f"/tmp/holdfast-attack-{os.getpid()}.sock"
    token = lab.folder / "agent.token"
    token.write_text(server.agent_token(here))
    token.chmod(0o600)
    agent = lab.start(
        "agent", "--server", f"http://127.0.0.1:{server.port}", "--token-file", token, "--metrics-port", "0",
        "--socket", path, "--state", lab.folder / "agent-state")
    agent.await_line("watching")
    until = time.monotonic() + 20
    while not os.path.exists(path) and time.monotonic() < until:
        time.sleep(0.1)
    try:
        claims(lab, server, here, path, n2, n3, n4)
        names(lab, server, here, path, n3)
        room(lab, server, here, path)
    finally:
        agent.end()
        if os.path.exists(path):
            os.unlink(path)


def drained(node):
    node.server.post(f"/api/v1/nodes/{node.name}/drain", {"why": "maintenance"}, node.server.admin)
    until = time.monotonic() + 6
    while time.monotonic() < until and node.now()["service"] != "drained":
        time.sleep(0.2)
    return node.now()["service"] == "drained"


def claims(lab, server, here, path, n2, n3, n4):
    speak(path, [job("mine", "nobody", here, "n2")], 65534)
    n3.says(job("real", "ann", "n3"))
    n4.says(job("evil", "eve", "n3", "n4"))
    time.sleep(1.5)
    lab.require(not n2.now().get("job"), "a local user's job is not shown on a node that does not have it")
    lab.require(n3.now().get("job") == "real", "another's claim does not displace what a node says of itself")
    lab.require(n3.now().get("claimed") == ["node/n4 evil"], "it is shown as claimed, with who claims it")
    lab.require(drained(n2), "the claim of a local user holds up no drain")
    n3.says(job("real", "ann", "n3", state="finished"))
    lab.require(drained(n3), "nor does that of another node")
    n5 = Node(server, "n5")
    n5.says({"kind": "jobHere", "job": "evil", "user": "eve"})
    n4.says(job("evil", "eve", "n4", "n5"))
    lab.require(not drained(n5), "a launcher on the node itself does hold it up")
    n5.says({"kind": "jobHere", "job": "evil", "user": "eve", "gone": True})
    lab.require(drained(n5), "until it is gone")


def names(lab, server, here, path, n3):
    answers = speak(path, [job("slurm-4711", "nobody", here), job("train", "nobody", here)], 65534)
    lab.figure("a local user who says slurm-4711 and train hears", json.dumps(answers))
    lab.require(any('"as":"slurm-4711@nobody"' in it for it in answers), "a scheduler's name needs a proof")
    time.sleep(1.5)
    refused = [*n3.says(job("slurm-4711", "ann", "n3")), *n3.says(job("train", "ann", "n3"))]
    root = speak(path, [job("slurm-4711", "root", here), job("train", "root", here)])
    time.sleep(1.5)
    jobs = {it["job"]: it["user"] for it in server.get("/api/v1/jobs", server.admin).json()["jobs"]}
    lab.figure("jobs known", json.dumps(jobs))
    lab.require(not refused and jobs.get("slurm-4711") == "ann", "its owner has the name")
    lab.require(jobs.get("train@ann") == "ann", "any other name is kept apart by its user")
    lab.require(not any("error" in it for it in root) and jobs.get("train@root") == "root", "on the same node, too")


def room(lab, server, here, path):
    many = lab.number(1_100, 300)
    answers = speak(path, [job(f"q{i}", "nobody", here) for i in range(many)], 65534)
    taken = sum(count for it, count in answers.items() if "taken" in it)
    lab.figure(f"of {many} jobs of one user taken", taken)
    lab.require(taken <= 50 and any("jobs open" in it for it in answers), "one user has at most 50, and is told so")
    root = speak(path, [job("training-7b", "root", here)])
    lab.require(any("taken" in it for it in root), "root's job is taken")
    until = time.monotonic() + 10
    while time.monotonic() < until and server.get("/api/v1/jobs/training-7b", server.admin).status != 200:
        time.sleep(0.2)
    lab.require(
        server.get("/api/v1/jobs/training-7b", server.admin).status == 200, "and known to the control plane")
