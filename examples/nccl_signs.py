#!/usr/bin/env python3
"""Steps with NCCL on as many GPUs as there are ranks; then the last rank leaves the others waiting in a collective.

With one rank it just stops. For trying what a launcher sees of GPUs and of the flight recorder: nccl_signs.sh.
"""

import os
import time

import torch
import torch.distributed as dist

import holdfast

STEPS = 30

device = int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count()
torch.cuda.set_device(device)
dist.init_process_group("nccl")
rank, world = dist.get_rank(), dist.get_world_size()
if rank == 0:
    print("torch", torch.__version__, "NCCL", torch.cuda.nccl.version(), "ranks", world, flush=True)
numbers = torch.ones(4096, 4096, device="cuda")
for step in range(1, STEPS + 1):
    for _ in range(200):
        numbers = torch.nn.functional.normalize(numbers @ numbers)
    dist.all_reduce(numbers)
    holdfast.beat(step, loss=float(numbers.mean()))
if rank < world - 1:
    dist.all_reduce(numbers)
    torch.cuda.synchronize()
time.sleep(1000)
