"""The cores and the memory of a rank, applied from inside.

A launcher that starts ranks itself binds them before they run. This is for programs that were started by something
else (a wrapper that resets affinity, a pool of processes): the launcher says in HOLDFAST_CPUS (`0-3,8`) and
HOLDFAST_MEMORY (`0,1`, the same as `preferred:0,1`, or `bind:0,1`) what it chose, and bind() makes it so.
"""

import os
import platform

_SET_MEMPOLICY = {
    "x86_64": 238,
    "aarch64": 237,
    "riscv64": 237,
    "loongarch64": 237,
    "ppc64le": 261,
    "s390x": 269,
}
_PREFERRED, _BIND, _PREFERRED_MANY = 1, 2, 5
_LARGEST = 1 << 16  # numbers of processors and NUMA nodes beyond this are a mistake


def bind(cpus=None, memory=None):
    """Binds all threads of this process to its cores, and what this thread allocates to its memory.

    Without arguments takes what the launcher chose; does nothing when it chose nothing. Returns whether all that was
    asked for is in effect: False is no reason to stop, the program only runs where it happens to be.
    """
    try:
        cpus = os.environ.get("HOLDFAST_CPUS") if cpus is None else cpus
        memory = os.environ.get("HOLDFAST_MEMORY") if memory is None else memory
        bound = not cpus or _bind_cpus(_numbers(cpus))
        return (not memory or memory == "none" or _bind_memory(memory)) and bound
    except Exception:
        return False


def _bind_cpus(cpus):
    for task in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(task), cpus)
        except ProcessLookupError:
            pass  # a thread that ended meanwhile
    return os.sched_getaffinity(0) == cpus


def _bind_memory(memory):
    import ctypes

    mode, _, nodes = memory.rpartition(":")
    numbers = _numbers(nodes)
    if mode == "bind":
        modes = (_BIND,)
    elif mode in ("", "preferred"):
        # Kernels before 5.15 prefer one node only.
        modes = (_PREFERRED,) if len(numbers) == 1 else (_PREFERRED_MANY, _PREFERRED)
    else:
        return False
    width = 8 * ctypes.sizeof(ctypes.c_ulong)
    words = max(numbers) // width + 1
    mask = (ctypes.c_ulong * words)()
    for number in numbers:
        mask[number // width] |= 1 << (number % width)
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    number = ctypes.c_long(_SET_MEMPOLICY[platform.machine()])
    # The kernel takes one bit less than it is told of.
    return any(
        call(number, ctypes.c_long(mode), mask, ctypes.c_ulong(words * width + 1)) == 0
        for mode in modes
    )


def _numbers(text):
    """The numbers of a list as the kernel writes it: 0-3,8."""
    found = set()
    for part in text.strip().split(","):
        first, dash, last = part.partition("-")
        numbers = range(int(first), int(last if dash else first) + 1)
        if not numbers or numbers[0] < 0 or numbers[-1] >= _LARGEST:
            raise ValueError(text)
        found.update(numbers)
    return found
