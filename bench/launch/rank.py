"""What compare.py starts as a rank: tells when it began and when each step was done, in a file of its own.

Nothing is imported before the first line is written, so that line is when the launcher had the rank running.
"""

import os
import time

began = time.time()
folder = os.environ["COMPARE_DIR"]
rank = int(os.environ["RANK"])
attempt = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
told = open(os.path.join(folder, "rank-%d-attempt-%d" % (rank, attempt)), "w", buffering=1)
told.write("began %d %.6f\n" % (os.getpid(), began))

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

torch.set_num_threads(1)
dist.init_process_group("gloo")
numbers = torch.ones(int(os.environ["COMPARE_FLOATS"]))
matrix = torch.ones(96, 96)
for step in range(int(os.environ["COMPARE_STEPS"])):
    for _ in range(20):
        matrix = torch.tanh(matrix @ matrix)
    dist.all_reduce(numbers)
    numbers /= dist.get_world_size()
    told.write("step %d %.6f\n" % (step, time.time()))
dist.barrier()
