#!/usr/bin/env python3
"""The same as train.py with PyTorch: a small network under DistributedDataParallel on gloo.

    holdfast run --nproc-per-node 4 examples/train_torch.py --steps 60
    torchrun --nproc-per-node 4 examples/train_torch.py --steps 60

A run that was killed, stopped and restarted ends with the same weights as one that was not, bit for bit: compare the
sums in the last line. Works with torch 1.13 and newer.
"""

import argparse
import datetime
import hashlib
import os
import re
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from faults import Faults

try:
    import holdfast
except ImportError:  # started by another launcher
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
    import holdfast

SIZE = 16
POINTS = 32
KEEP = 2


def batch(step, rank):
    """Points that depend on step and rank alone."""
    chance = torch.Generator().manual_seed(1000003 * step + rank)
    x = torch.randn(POINTS, SIZE, generator=chance)
    return x, torch.sin(x.sum(1, keepdim=True))


def path(folder, step):
    return os.path.join(folder, "step-%08d.pt" % step)


def saved_steps(folder):
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(int(name[5:-3]) for name in names if re.fullmatch(r"step-\d+\.pt", name))


def save(folder, step, model, optimizer):
    os.makedirs(folder, exist_ok=True)
    beside = "%s.%d" % (path(folder, step), os.getpid())
    with open(beside, "wb") as file:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path(folder, step))
    for old in saved_steps(folder)[:-KEEP]:
        os.unlink(path(folder, old))


def begin_anew_after(steps, folder):
    """A run that was done is not gone on with: a new one begins, unless this is a restart."""
    saved = saved_steps(folder)
    if saved and saved[-1] >= steps and int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")) == 0:
        print("the run before this one is done: beginning anew", flush=True)
        for old in saved:
            os.unlink(path(folder, old))


def resume(folder, model, optimizer):
    """Loads the newest checkpoint that rank 0 sees; its step."""
    newest = torch.tensor([(saved_steps(folder) or [0])[-1]])
    dist.broadcast(newest, 0)
    step = int(newest)
    if step > 0:
        state = torch.load(path(folder, step))
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    return step


def gradient_norm(model):
    return float(sum(p.grad.pow(2).sum() for p in model.parameters())) ** 0.5


def train(options, rank):
    torch.manual_seed(20)
    model = torch.nn.Sequential(torch.nn.Linear(SIZE, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    if rank == 0:
        begin_anew_after(options.steps, options.checkpoint_dir)
    first = resume(options.checkpoint_dir, model, optimizer)
    parallel = DistributedDataParallel(model)
    mean_square = torch.nn.functional.mse_loss
    # DDP settles the order in which it adds up after the first pass. One pass that changes nothing lets a resumed run
    # add in the same order as one that was never interrupted.
    mean_square(parallel(batch(0, rank)[0]), batch(0, rank)[1]).backward()
    faults = Faults.of_environment()
    if rank == 0:
        world = dist.get_world_size()
        print("%d rank%s, from step %d" % (world, "s" * (world > 1), first), flush=True)
    for step in range(first + 1, options.steps + 1):
        faults.strike(step)
        time.sleep(options.step_seconds)
        x, y = batch(step, rank)
        optimizer.zero_grad()
        loss = mean_square(parallel(x), y)
        (loss * float("nan") if faults.spoils(step) else loss).backward()
        optimizer.step()
        holdfast.beat(step, loss=loss.item(), grad_norm=gradient_norm(model))
        if rank == 0:
            print("step %d loss %.6f" % (step, loss.item()), flush=True)
            if step % options.checkpoint_every == 0 or step == options.steps:
                with holdfast.phase("checkpoint"):
                    save(options.checkpoint_dir, step, model, optimizer)
    if rank == 0:
        total = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in model.parameters())).hexdigest()
        print("done: step %d, weights sha256 %s" % (options.steps, total), flush=True)
    dist.barrier()


def main():
    parser = argparse.ArgumentParser(description="Trains a small network with any number of ranks.")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--step-seconds", type=float, default=0.1, help="how long a step takes at least")
    parser.add_argument("--checkpoint-every", type=int, default=10, metavar="STEPS")
    parser.add_argument("--checkpoint-dir", default=os.environ.get("HOLDFAST_CHECKPOINT_DIR") or "checkpoints")
    parser.add_argument("--timeout", type=float, default=300, help="seconds to wait for the other ranks")
    options = parser.parse_args()
    holdfast.bind()
    torch.set_num_threads(1)
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=options.timeout))
    train(options, dist.get_rank())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
