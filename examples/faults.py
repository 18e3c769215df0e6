"""Faults on purpose, so that what a launcher does about them can be tried on a real program.

HOLDFAST_INJECT holds one or more faults, separated by semicolons; `holdfast run --inject` sets it:

    hang:rank=2,step=30             rank 2 reads from a pipe that nobody writes to, for ever
    stop:rank=2,step=30             sends itself SIGSTOP
    kill:rank=2,step=30             sends itself SIGKILL
    exit=3:rank=2,step=30           exits with code 3
    slow=0.2:rank=2,step=30         takes 0.2 s longer for this step and each after it
    nan:rank=2,step=30              its gradient stops being a number

Each happens in the first attempt only, so that the restarted job gets through; `attempt=2` chooses another one,
`attempt=any` all of them.
"""

import os
import signal
import time

KINDS = ("hang", "stop", "kill", "exit", "slow", "nan")


class Fault:
    """One fault: what, and where and when it happens."""

    def __init__(self, text):
        kind, _, place = text.strip().partition(":")
        self.kind, _, argument = kind.partition("=")
        if self.kind not in KINDS:
            raise ValueError("%r: expected one of %s before the colon" % (text, ", ".join(KINDS)))
        self.rank, self.step, self.attempt = 0, 0, 0
        try:
            self.argument = float(argument) if argument else {"slow": 0.2, "exit": 1}.get(self.kind, 0)
            for pair in place.split(",") if place else ():
                name, _, value = pair.partition("=")
                if name not in ("rank", "step", "attempt"):
                    raise ValueError(pair)
                setattr(self, name, None if (name, value) == ("attempt", "any") else int(value))
        except ValueError:
            raise ValueError("%r: expected for example %s:rank=2,step=30,attempt=0" % (text, kind)) from None


class Faults:
    """The faults of this rank in this attempt."""

    def __init__(self, text, rank, attempt):
        faults = [Fault(part) for part in text.split(";") if part.strip()]
        self._mine = [f for f in faults if f.rank == rank and f.attempt in (None, attempt)]

    @staticmethod
    def of_environment(environment=os.environ):
        attempt = environment.get("HOLDFAST_ATTEMPT") or environment.get("TORCHELASTIC_RESTART_COUNT") or "0"
        return Faults(environment.get("HOLDFAST_INJECT", ""), int(environment.get("RANK", "0")), int(attempt))

    def strike(self, step):
        """Lets happen what is due at this step; may not return."""
        for fault in self._mine:
            if fault.kind == "slow" and step >= fault.step:
                time.sleep(fault.argument)
            elif step == fault.step:
                _happen(fault)

    def spoils(self, step):
        """Whether the gradient of this step is to be spoiled."""
        return any(f.kind == "nan" and f.step == step for f in self._mine)


def _happen(fault):
    if fault.kind == "hang":
        os.read(os.pipe()[0], 1)
    elif fault.kind == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif fault.kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault.kind == "exit":
        os._exit(int(fault.argument))
