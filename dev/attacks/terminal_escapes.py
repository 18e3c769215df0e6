"""Text of nodes and logs tries to act on the terminal of whoever reads it.

Titles, clipboards, links, answers that terminals type, erased lines, names that read backwards: in every field a report
has, in logs for diagnose, in file names. No byte that acts may come out of a listing, in a pipe or on a terminal, and
`--format json` must say exactly what was reported.
"""

import json
import os
import pty
import re
import select
import subprocess
import time

TRICKS = {
    "title": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;cm0gLXJmIH4K\x07",
    "link": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "answer": "\x1bP$q\"p\x1b\\",
    "answerback": "\x05\x1b[c\x1b[6n\x1b[21t",
    "erase": "\x1b[2J\x1b[H\x1b[3J",
    "colour": "\x1b[31;1mfatal\x1b[0m",
    "hide": "\x1b[8mhidden\x1b[0m",
    "return": "broken\rfine  ",
    "backspace": "broken" + "\b" * 6 + "fine  ",
    "line": "one\nholdfast: all is well",
    "c1": "\u009b2J\u009d0;owned\u009c\u0090q",
    "rtl": "n1\u202egnp.exe\u202c",
    "isolates": "\u2066a\u2067b\u2068c\u2069",
    "marks": "\u200e\u200f\u061c\ufeff\u200b\u2060",
    "separators": "a\u2028b\u2029c\u0085d",
    "tags": "n1\U000e0041\U000e0042\U000e007f",
    "delete": "a\x7fb",
    "nul": "a\x00b",
    "charset": "\x1b(0\x0e\x1bc",
    "noncharacters": "\ufdd0[31m\ufdef\uffff",
}
ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufdd0-\ufdef\uffff"
    "\U000e0000-\U000e0fff]")
# What Holdfast itself writes to a terminal: its colours, a cleared line or screen.
OURS = re.compile(r"\x1b\[(0|1|2|31;1|32|33)m|\x1b\[(3[0-7]|39|21|22)m")


def attack(lab):
    server = lab.serve()
    token = server.agent_token("n1")
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    sent, sequence = [], 0
    for name, trick in TRICKS.items():
        for statement in statements(name, trick, now):
            sequence += 1
            report = {"source": "node/n1", "epoch": 1, "sequence": sequence, "at": now, **statement}
            answer = server.report(token, report)
            refused = answer.status != 200
            if refused:
                sequence -= 1
            else:
                sent.append(trick)
    # The title of an incident of its own.
    server.report(server.agent_token("n2"), {
        "source": "node/n2", "epoch": 1, "sequence": 1, "at": now, "kind": "raised", "finding": {
            "check": "site.x", "subject": "node/n2", "kind": "condition", "severity": "fatal", "class": "storage",
            "proof": "recorded", "summary": TRICKS["line"], "meaning": "m", "remedy": "r",
            "evidence": [{"source": "a", "value": "1"}]}})
    lab.figure("poisoned statements taken", sequence)
    time.sleep(1)
    log = lab.folder / "logs"
    log.mkdir()
    for name, trick in TRICKS.items():
        poison = trick.replace("\n", " ").replace("\x00", "")
        path = log / f"rank_{len(list(log.iterdir()))}_{poison.replace('/', '')[:40]}.log"
        path.write_text(
            f"[rank0]: Traceback (most recent call last):\n  File \"{poison}.py\", line 1, in {poison}\n"
            f"RuntimeError: CUDA error: {poison} uncorrectable ECC error encountered\n")
    poison = "bad\x1b]0;owned\x07\u202ename"
    where = ["--server", f"http://127.0.0.1:{server.port}"]
    # Those first whose title would begin a line.
    incidents = [it["incident"] for it in sorted(
        server.get("/api/v1/incidents").json().get("incidents", []), key=lambda it: "\n" not in it["title"])]
    decisions = [it["decision"] for it in server.get("/api/v1/decisions").json().get("decisions", [])]
    jobs = [it["job"] for it in server.get("/api/v1/jobs").json().get("jobs", [])]
    commands = [
        ["nodes", "--all", *where], ["nodes", "n1", *where], ["jobs", "--all", *where], ["incidents", "--all", *where],
        ["findings", "--all", *where], ["decisions", "--all", *where], ["status", *where], ["diagnose", log],
        *[["incidents", it, *where] for it in incidents[:lab.number(8, 3)]],
        *[["decisions", it, *where] for it in decisions[:2]], *[["jobs", it, *where] for it in jobs[:1]],
        ["audit", *where], ["token", "list", *where],
        ["nodes", poison, *where], ["diagnose", lab.folder / poison], ["explain", poison], [poison],
    ]
    acting, seen = [], ""
    for words in commands:
        text = piped(lab, words)
        seen += text
        if ACTS.search(text):
            acting.append(f"{words[0]} (pipe): {ACTS.search(text).group()!r}")
        watched = OURS.sub("", on_terminal(lab, words))
        if ACTS.search(watched.replace("\r\n", "\n")):
            acting.append(f"{words[0]} (terminal): {ACTS.search(watched.replace(chr(13) + chr(10), chr(10))).group()!r}")
    lab.figure("commands asked, each in a pipe and on a terminal", len(commands))
    lab.figure("with characters that act", len(acting))
    for line in acting[:12]:
        print(f"          {line}")
    lab.require("\\u001b]0;owned\\u0007" in seen, "what would act is shown by its number")
    lab.require(not acting, "no text of others acts on a terminal")
    lab.require(not re.search("^holdfast: all is well", seen, re.MULTILINE), "no text of others begins a line of its own")
    exact = json.loads(piped(lab, ["findings", "--all", "--format", "json", *where]))
    told = json.dumps(server.get("/api/v1/findings").json(), sort_keys=True)
    lab.require(
        json.dumps(exact["findings"], sort_keys=True) in told or covered(exact, sent),
        "--format json says exactly what was reported")


def covered(document, sent):
    """Whether each text that was taken is in the document, letter by letter."""
    text = json.dumps(document, ensure_ascii=False)
    return all(json.dumps(it, ensure_ascii=False)[1:-1] in text for it in sent)


def statements(name, trick, now):
    """Everything a node can say, with the trick wherever text goes."""
    finding = {
        "check": "gpu.ecc.uncorrected", "subject": f"node/n1/gpu/{name}", "kind": "condition", "severity": "fatal",
        "class": "hardware", "proof": "hardware", "summary": trick, "meaning": trick, "remedy": trick,
        "evidence": [{"source": trick, "value": trick}]}
    yield {"kind": "raised", "finding": finding}
    yield {"kind": "raised", "finding": {**finding, "check": f"x.{trick}"}}
    yield {"kind": "raised", "finding": {**finding, "subject": f"node/n1/gpu/{trick}"}}
    yield {"kind": "described", "node": {
        "node": "n1", "agent": trick, "place": {"rack": trick}, "versions": {"driver": trick, trick: "1"}, "devices": []}}
    yield {"kind": "job", "job": {
        "job": f"slurm-{name}", "user": trick, "state": "running", "attempt": 0, "restarts": 0, "begun": now,
        "members": [{"nodes": "n1", "ranks": 8}], "step": 1, "stepSeconds": 1.0, "checkpointSeconds": 0,
        "losses": [{"phase": trick, "cause": trick, "seconds": 1}]}}
    yield {"kind": "jobDecided", "job": f"slurm-{name}", "attempt": 0, "choice": trick, "without": "n1", "why": trick}


def words_of(lab, words):
    return [str(lab.holdfast), *[str(it) for it in words]]


def piped(lab, words):
    done = subprocess.run(
        words_of(lab, words), stdin=subprocess.DEVNULL, capture_output=True, env=lab.environment, cwd=lab.folder,
        timeout=120)
    return (done.stdout + done.stderr).decode("utf-8", "surrogateescape")


def on_terminal(lab, words):
    leader, follower = pty.openpty()
    environment = {**lab.environment, "TERM": "xterm-256color"}
    child = subprocess.Popen(
        words_of(lab, words), stdin=follower, stdout=follower, stderr=follower, env=environment, cwd=lab.folder,
        start_new_session=True)
    os.close(follower)
    out, until = b"", time.monotonic() + 120
    while time.monotonic() < until:
        ready, _, _ = select.select([leader], [], [], 0.2)
        try:
            piece = os.read(leader, 65536) if ready else b""
        except OSError:
            break
        out += piece
        if not piece and child.poll() is not None:
            break
    if child.poll() is None:
        child.kill()
    child.wait()
    os.close(leader)
    return out.decode("utf-8", "surrogateescape")
