"""all_reduce of PyTorch over gloo, in place, float32: prints 'BYTES SECONDS' (median of calls of rank 0) a line.

Usage: gloo_all_reduce.py RANK RANKS PORT BYTES,BYTES,...
As `holdfast bench net` measures itself: warm-up for a tenth of a second, then as many calls as fit into a third.
"""

import os
import sys
import time

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")

import torch
import torch.distributed as dist


def agreed(count):
    """Every rank does as many calls as rank 0 says."""
    number = torch.tensor([count], dtype=torch.int64)
    dist.broadcast(number, 0)
    return int(number.item())


def calls(data, count):
    dist.barrier()
    times = []
    for _ in range(count):
        before = time.perf_counter()
        dist.all_reduce(data)
        times.append(time.perf_counter() - before)
    times.sort()
    return times[len(times) // 2]


def main():
    rank, ranks, port = (int(word) for word in sys.argv[1:4])
    sizes = [int(word) for word in sys.argv[4].split(",")]
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=ranks)
    for size in sizes:
        data = torch.zeros(size // 4, dtype=torch.float32)
        each = calls(data, 5)
        each = calls(data, agreed(max(1, min(2000, int(0.1 / each)))))
        median = calls(data, agreed(max(5, min(2000, int(0.33 / each)))))
        data.fill_(1.0)
        dist.all_reduce(data)
        if not bool((data == ranks).all()):
            raise SystemExit(f"wrong values at {size} bytes")
        if rank == 0:
            print(size, f"{median:.9f}", flush=True)
    dist.barrier()


main()
