#!/usr/bin/env python3
"""A training program small enough to read at once, with everything a launcher has to deal with.

Any number of ranks fit a line to random points. Each computes a gradient on points of its own, the ranks exchange
gradients through the rendezvous store (MASTER_ADDR, MASTER_PORT) and take the same step; rank 0 writes checkpoints, and a
restarted job goes on from the newest. Points depend on step and rank alone, so a run that was disturbed ends with
the same weights as one that was not: compare the sum in the last line.

    python3 examples/train.py                               one rank, no launcher
    holdfast run --nproc-per-node 4 examples/train.py --steps 60

Standard library only. Faults on purpose: see faults.py.
"""

import argparse
import hashlib
import json
import os
import random
import re
import struct
import sys
import time

from faults import Faults
from tcpstore import Store

try:
    import holdfast
except ImportError:  # started without a launcher
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
    import holdfast

SIZE = 8
POINTS = 16
RATE = 0.05
SEED = 20
KEEP = 2
NOTHING = (0, [0.0] * SIZE)


class Ranks:
    """Who else trains, and how gradients get there and back."""

    def __init__(self, timeout):
        self.rank = int(os.environ.get("RANK", "0"))
        self.world = int(os.environ.get("WORLD_SIZE", "1"))
        self._store = None
        if self.world > 1:
            self._store = Store(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), timeout)

    def from_first(self, text):
        """What rank 0 says, on every rank."""
        if self._store is None:
            return text
        if self.rank == 0:
            self._store.set("start", text.encode())
        return self._store.get("start").decode()

    def mean(self, step, numbers):
        """The mean over all ranks, added up in the order of ranks so that all get the same bits."""
        if self._store is None:
            return numbers
        form = "<%dd" % len(numbers)
        self._store.set("step/%d/%d" % (step, self.rank), struct.pack(form, *numbers))
        packed = self._store.get_all(["step/%d/%d" % (step, rank) for rank in range(self.world)])
        # Whoever wrote something for this step has read all of the one before it.
        self._store.delete("step/%d/%d" % (step - 1, self.rank))
        return [sum(column) / self.world for column in zip(*(struct.unpack(form, p) for p in packed))]

    def leave(self):
        """Keeps the store in use until all have what they need from it."""
        if self._store is not None:
            self._store.barrier("end", self.world)
            self._store.close()


class Checkpoints:
    """Files step-N.json in a folder: written beside, then renamed, so that each one is whole."""

    def __init__(self, folder):
        self._folder = folder

    def newest(self):
        """Step and weights of the newest that can be read; step 0 and zeros when there is none."""
        for step in sorted(self._steps(), reverse=True):
            try:
                with open(self._path(step)) as file:
                    weights = [float.fromhex(text) for text in json.load(file)["weights"]]
                if len(weights) == SIZE:
                    return step, weights
            except (OSError, ValueError, KeyError, TypeError) as problem:
                print("skipping checkpoint %d: %s" % (step, problem), file=sys.stderr)
        return NOTHING

    def begin(self, steps):
        """What to go on from. A run that was done is not gone on with: a new one begins, unless this is a restart."""
        step, weights = self.newest()
        if step >= steps and int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) == 0:
            print("the run before this one is done: beginning anew", flush=True)
            for old in self._steps():
                os.unlink(self._path(old))
            return NOTHING
        return step, weights

    def save(self, step, weights):
        os.makedirs(self._folder, exist_ok=True)
        beside = "%s.%d" % (self._path(step), os.getpid())
        with open(beside, "w") as file:
            json.dump({"step": step, "weights": [w.hex() for w in weights]}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path(step))
        for old in sorted(self._steps())[:-KEEP]:
            os.unlink(self._path(old))

    def _steps(self):
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        return [int(name[5:-5]) for name in names if re.fullmatch(r"step-\d+\.json", name)]

    def _path(self, step):
        return os.path.join(self._folder, "step-%08d.json" % step)


def gradient(weights, step, rank):
    """Mean squared error of this rank's points at this step, and its gradient."""
    chance = random.Random("%d/%d/%d" % (SEED, step, rank))
    slope, loss = [0.0] * SIZE, 0.0
    for _ in range(POINTS):
        x = [chance.uniform(-1, 1) for _ in range(SIZE)]
        truth = sum((i + 1) * xi for i, xi in enumerate(x)) + chance.gauss(0, 0.01)
        error = sum(w * xi for w, xi in zip(weights, x)) - truth
        loss += error * error / POINTS
        slope = [s + 2 * error * xi / POINTS for s, xi in zip(slope, x)]
    return loss, slope


def train(options):
    ranks = Ranks(options.timeout)
    faults = Faults.of_environment()
    checkpoints = Checkpoints(options.checkpoint_dir)
    found = checkpoints.begin(options.steps) if ranks.rank == 0 else None
    first, weights = json.loads(ranks.from_first(json.dumps(found)))
    if ranks.rank == 0:
        print("%d rank%s, from step %d" % (ranks.world, "s" * (ranks.world > 1), first), flush=True)
    loss = float("nan")
    for step in range(first + 1, options.steps + 1):
        faults.strike(step)
        time.sleep(options.step_seconds)
        mine, slope = gradient(weights, step, ranks.rank)
        if faults.spoils(step):
            mine, slope = float("nan"), [float("nan")] * SIZE
        loss, *slope = ranks.mean(step, [mine, *slope])
        weights = [w - RATE * s for w, s in zip(weights, slope)]
        holdfast.beat(step, loss=loss, grad_norm=sum(s * s for s in slope) ** 0.5)
        if ranks.rank == 0:
            print("step %d loss %.6f" % (step, loss), flush=True)
            if step % options.checkpoint_every == 0 or step == options.steps:
                with holdfast.phase("checkpoint"):
                    checkpoints.save(step, weights)
    if ranks.rank == 0:
        total = hashlib.sha256(struct.pack("<%dd" % SIZE, *weights)).hexdigest()
        print("done: step %d, weights sha256 %s" % (options.steps, total), flush=True)
    ranks.leave()


def main():
    parser = argparse.ArgumentParser(description="Fits a line with any number of ranks; see the top of this file.")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--step-seconds", type=float, default=0.1, help="how long a step takes at least")
    parser.add_argument("--checkpoint-every", type=int, default=10, metavar="STEPS")
    parser.add_argument("--checkpoint-dir", default=os.environ.get("HOLDFAST_CHECKPOINT_DIR") or "checkpoints")
    parser.add_argument("--timeout", type=float, default=300, help="seconds to wait for the other ranks")
    options = parser.parse_args()
    holdfast.bind()
    try:
        train(options)
    except OSError as problem:
        sys.exit("rank %s: %s" % (os.environ.get("RANK", "0"), problem))


if __name__ == "__main__":
    main()
