#!/usr/bin/env python3
"""Measures launchers side by side: torchrun as it is, torchrun that looks ten times a second, and holdfast run, also
with --warm.

    /usr/bin/python3 bench/launch/compare.py restart            a rank is killed with SIGKILL
    /usr/bin/python3 bench/launch/compare.py steps              nothing happens

restart: the time from the kill to the moment all new ranks run, and to the moment all have done a first step.
steps:   the length of a step under each launcher, taken in pairs.

The launchers take turns, so that what else the machine does hits all alike. Run it with a Python that has PyTorch;
the same Python runs the ranks. torchrun 1.13 on Python 3.11 starts only with -r and -t both given.
"""

import argparse
import contextlib
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RANK = os.path.join(HERE, "rank.py")
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--max_restarts", "3", "-r", "1", "-t", "2"]
HOLDFAST = [os.environ.get("HOLDFAST", os.path.join(ROOT, "holdfast")), "run", "--standalone", "--max-restarts", "3"]
WARM = "holdfast --warm"


def commands(ranks):
    return {
        "torchrun": TORCHRUN + ["--nproc_per_node", str(ranks), RANK],
        "torchrun 0.1 s": TORCHRUN + ["--monitor_interval", "0.1", "--nproc_per_node", str(ranks), RANK],
        "holdfast run": HOLDFAST + ["--nproc-per-node", str(ranks), RANK],
        WARM: HOLDFAST + ["--warm", "--nproc-per-node", str(ranks), RANK],
    }


class Run:
    """One start of a launcher; what its ranks told."""

    def __init__(self, command, ranks, steps, floats):
        self.ranks = ranks
        self.folder = tempfile.mkdtemp(prefix="compare-")
        self._output = open(os.path.join(self.folder, "output"), "w")
        self.launcher = subprocess.Popen(
            command,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=dict(
                os.environ,
                COMPARE_DIR=self.folder,
                COMPARE_STEPS=str(steps),
                COMPARE_FLOATS=str(floats),
                PYTHON_EXEC=sys.executable,
                OMP_NUM_THREADS="1",
                GLOO_SOCKET_IFNAME="lo",
            ),
        )

    def told(self, attempt, word):
        """What each rank told of this kind in that attempt: number and time; fewer entries while some did not yet."""
        found = []
        for rank in range(self.ranks):
            with contextlib.suppress(OSError):
                with open(os.path.join(self.folder, "rank-%d-attempt-%d" % (rank, attempt))) as file:
                    lines = [line.split() for line in file if line.endswith("\n")]
                found.append([(int(n), float(t)) for w, n, t in lines if w == word])
        return found

    def said(self, words, seconds=120):
        """Waits until the launcher has said so."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with open(os.path.join(self.folder, "output")) as file:
                if words in file.read():
                    return
            time.sleep(0.1)
        sys.exit("the launcher did not say: " + words)

    def wait(self, attempt, word, count, seconds=120):
        """Waits until all ranks told that often; what they told."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            told = self.told(attempt, word)
            if len(told) == self.ranks and all(len(lines) >= count for lines in told):
                return told
            if self.launcher.poll() is not None and self.launcher.returncode != 0:
                break
            time.sleep(0.02)
        with open(os.path.join(self.folder, "output")) as file:
            sys.exit("%s of attempt %d did not come:\n%s" % (word, attempt, file.read()[-4000:]))

    def close(self):
        if self.launcher.poll() is None:
            self.launcher.terminate()
            try:
                self.launcher.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(self.launcher.pid, signal.SIGKILL)
                self.launcher.wait()
        self._output.close()
        shutil.rmtree(self.folder)


def restart(command, options):
    """Seconds from a kill to all new ranks running, and to the first step all of them have done. With --warm the kill
    comes when the standbys are ready."""
    with contextlib.closing(Run(command, options.ranks, 1000000, options.floats)) as run:
        run.wait(0, "step", 20)
        if "--warm" in command:
            run.said("standbys are ready")
        time.sleep(0.5)
        victim = run.told(0, "began")[options.ranks // 2][0][0]
        killed = time.time()
        os.kill(victim, signal.SIGKILL)
        began = max(lines[0][1] for lines in run.wait(1, "began", 1)) - killed
        stepped = max(lines[0][1] for lines in run.wait(1, "step", 1)) - killed
        return began, stepped


def steps(command, options):
    """The median length of a step of rank 0 and the 99th percentile, the first fifty left out."""
    with contextlib.closing(Run(command, options.ranks, options.steps, options.floats)) as run:
        times = [t for _, t in run.wait(0, "step", options.steps)[0]][50:]
        lengths = sorted(b - a for a, b in zip(times, times[1:]))
        return statistics.median(lengths), lengths[len(lengths) * 99 // 100]


def measure(kind, options):
    results = {name: [] for name in commands(options.ranks) if not options.only or name in options.only}
    for turn in range(options.runs):
        for name in results:
            results[name].append(kind(commands(options.ranks)[name], options))
            print("%2d  %-16s %s" % (turn + 1, name, "  ".join("%.4f s" % s for s in results[name][-1])), flush=True)
    return results


def table(results, titles):
    print()
    for i, title in enumerate(titles):
        print(title)
        ours = [r[i] for r in results.get("holdfast run", ())]
        for name, runs in results.items():
            values = [r[i] for r in runs]
            line = "  %-16s median %.5f s  (%.5f to %.5f)" % (name, statistics.median(values), min(values), max(values))
            if ours and name != "holdfast run":
                pairs = [theirs / mine for theirs, mine in zip(values, ours)]
                line += "  %.3f times holdfast's, median of pairs" % statistics.median(pairs)
            print(line)


def main():
    parser = argparse.ArgumentParser(description="Measures launchers side by side; see the top of this file.")
    parser.add_argument("what", choices=("restart", "steps"))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--floats", type=int, default=10000, help="numbers the ranks add up each step")
    parser.add_argument("--only", action="append", metavar="LAUNCHER", help="for example 'torchrun 0.1 s'; repeatable")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # not without ending what was started
    if options.what == "restart":
        table(measure(restart, options), ("from the kill until all new ranks run", "until all have done a step"))
    else:
        table(measure(steps, options), ("length of a step, median", "99th percentile"))


if __name__ == "__main__":
    main()
