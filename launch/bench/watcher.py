"""The watcher of launch/bench/supervisor: measures the process it is beside."""
import json
import os
import signal
import sys
import time

RANKS = 8
HZ = os.sysconf("SC_CLK_TCK")


def order(**fields):
    os.write(1, (json.dumps(fields) + "\n").encode())


def lease():
    order(kind="lease", validityMillis=60_000, writtenNanos=time.monotonic_ns())


def until(kind):
    while True:
        event = json.loads(sys.stdin.readline())
        if event.get("kind") == kind:
            return event


def start(attempt):
    ranks = [
        dict(rank=i, localRank=i, command=["sleep", "1000"], environment={}, folder=f"{sys.argv[1]}/{i}",
             keep=3, show=3, prefix=f"[{i}]: ", cpus="")
        for i in range(RANKS)
    ]
    order(kind="start", attempt=attempt, ranks=ranks)
    return [until("started")["pid"] for _ in ranks]


def ticks(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def status(pid):
    lines = (line.split() for line in open(f"/proc/{pid}/status"))
    return {words[0].rstrip(":"): words[1] for words in lines if len(words) > 1}


def say(text):
    print(text, file=sys.stderr, flush=True)


supervisor = os.getppid()
say("guarantee: " + until("ready")["guarantee"])
samples = []
attempt = 0
while len(samples) < 100:
    for pid in start(attempt):
        time.sleep(0.02)
        before = time.monotonic_ns()
        os.kill(pid, signal.SIGKILL)
        until("exited")
        samples.append((time.monotonic_ns() - before) / 1000)
    order(kind="stop", attempt=attempt, graceMillis=1000)
    until("stopped")
    attempt += 1
samples.sort()
say(f"from the kill of a rank to its event, {len(samples)} times: p50 {samples[len(samples) // 2]:.0f} us,"
    f" p99 {samples[len(samples) * 99 // 100]:.0f} us, most {samples[-1]:.0f} us")

pids = start(attempt)
seconds = int(sys.argv[2])
before = ticks(supervisor)
for _ in range(seconds):
    lease()
    time.sleep(1)
alive = sum(os.path.exists(f"/proc/{pid}") for pid in pids)
used = (ticks(supervisor) - before) / HZ
told = status(supervisor)
say(f"idle with {RANKS} ranks and a lease a second for {seconds} s: {100 * used / seconds:.2f} % of a core, {alive} ranks alive")
say(f"resident {int(told['VmRSS']) // 1024} MiB, of that its own {int(told['RssAnon']) // 1024} MiB; {told['Threads']} threads")
order(kind="finish", exitCode=0)
until("stopped")
