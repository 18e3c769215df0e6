"""What a training program can tell Holdfast, and what it can take from it.

    import holdfast

    holdfast.bind()                           # the cores and the memory the launcher chose for this rank
    for step in range(steps):
        loss = train(step)
        holdfast.beat(step, loss=loss)        # "I am alive, and this is how far I am"
        if step % 1000 == 0:
            with holdfast.phase("checkpoint"):
                save()

Everything here does nothing when no Holdfast is around, never raises into the program and never
waits for anybody. Python 3.8 or newer, Linux, no dependencies.
"""

import os as _os

from holdfast._beats import Beats as _Beats
from holdfast._bind import bind

__all__ = ["beat", "bind", "phase"]

_own = _Beats(_os.environ.get("HOLDFAST_BEAT_FILE"))
beat = _own.beat
phase = _own.phase
