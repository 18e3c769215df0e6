"""Lines of JSON that tell whoever watches this rank how far it is.

One line is one write to a file opened for appending, so threads and forked children need no lock.
The file holds only what the watcher has not read yet plus some history: when it is larger than
LARGEST it starts over, and the watcher, which sees it shrink, reads it from the beginning.
"""

import json
import operator
import os
import time

LINES_PER_SECOND = 20
BURST = 20
LARGEST = 1 << 20
LONGEST_LINE = 4000
LONGEST_TEXT = 200
MOST_EXTRAS = 16
RETRY_SECONDS = 1.0

_INTERVAL = 1.0 / LINES_PER_SECOND
_AHEAD = BURST * _INTERVAL
_FLAGS = (
    os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
)
_RESERVED = frozenset(("t", "step", "loss", "grad_norm", "phase", "event"))


class Beats:
    """The beats of one process. State is plain numbers; a race between threads costs a line more or less."""

    def __init__(self, path, monotonic=time.monotonic, wall=time.time):
        self._path = path or None
        self._monotonic = monotonic
        self._wall = wall
        self._budget = float("-inf")  # when the lines written so far are paid for, in monotonic seconds
        self._healthy = True  # whether the last numbers were finite
        self._fd = None
        self._identity = None
        self._size = 0
        self._torn = False  # whether the last line lacks its end
        self._retry = float("-inf")

    def beat(self, step=None, loss=None, grad_norm=None, **more):
        """Says that this rank makes progress. At most LINES_PER_SECOND of the calls are told; the others cost nothing.

        Numbers that stop being finite are told at once. A tensor on a device is left out, because to read it
        is to wait for the device: give `loss.item()` where the program has it anyway.
        """
        if self._path is None:
            return
        try:
            healthy = _is_finite(loss) and _is_finite(grad_norm)
            now = self._monotonic()
            if self._budget - now > _AHEAD and (healthy or not self._healthy):
                return
            self._budget = max(self._budget, now) + _INTERVAL
            self._healthy = healthy
            self._write(_line(self._wall(), step, loss, grad_norm, more), now)
        except Exception:  # whatever was handed in, training goes on
            pass

    def phase(self, name):
        """`with phase("checkpoint"):` says what takes long now, so that it is not taken for a hang."""
        return Phase(self, name)

    def _event(self, name, event, always):
        """Writes the beginning or the end of a phase; says whether it did."""
        if self._path is None:
            return False
        try:
            now = self._monotonic()
            if self._budget - now > _AHEAD and not always:
                return False
            self._budget = max(self._budget, now) + _INTERVAL
            text = '{"t":%.6f,"phase":%s,"event":"%s"}\n' % (self._wall(), _text(name), event)
            self._write(text.encode(), now)
            return True
        except Exception:
            return False

    def _write(self, line, now):
        if self._torn:
            line = b"\n" + line
        try:
            if self._fd is None or not self._is_ours():
                self._open(now)
            if self._fd is None:
                return
            if self._size > LARGEST:
                self._start_over()
            written = os.write(self._fd, line)
            self._size += written
            self._torn = written < len(line)
        except OSError:
            self._forget(now)

    def _is_ours(self):
        """Programs close descriptors they did not open, and open others in their place: those are not ours to write to."""
        try:
            found = os.fstat(self._fd)
        except OSError:
            found = None
        if found is not None and (found.st_dev, found.st_ino) == self._identity:
            return True
        self._fd = None
        self._retry = float("-inf")
        return False

    def _open(self, now):
        if now < self._retry:
            return
        self._retry = now + RETRY_SECONDS
        fd = os.open(self._path, _FLAGS, 0o644)
        found = os.fstat(fd)
        self._identity = (found.st_dev, found.st_ino)
        self._size = found.st_size
        self._fd = fd

    def _start_over(self):
        self._size = os.fstat(self._fd).st_size
        if self._size > LARGEST:  # another process of the rank may have done it already
            os.ftruncate(self._fd, 0)
            self._size = 0

    def _forget(self, now):
        fd, self._fd = self._fd, None
        self._retry = now + RETRY_SECONDS
        if fd is not None:
            try:
                os.close(fd)
            except OSError:
                pass


class Phase:
    """One phase of a program: tells its beginning and, if that was told, its end or that it failed."""

    __slots__ = ("_beats", "_name", "_told")

    def __init__(self, beats, name):
        self._beats = beats
        self._name = name
        self._told = False

    def __enter__(self):
        self._told = self._beats._event(self._name, "begin", False)

    def __exit__(self, *failure):
        if self._told:
            self._beats._event(self._name, "end" if failure[0] is None else "failed", True)
        return False


def _is_finite(value):
    """Whether a plain number is one; what is no plain number is looked at only when a line is written."""
    return type(value) is not float or value - value == 0.0


def _line(wall, step, loss, grad_norm, more):
    parts = ['{"t":%.6f' % wall]
    for name, text in (("step", _step(step)), ("loss", _value(loss)), ("grad_norm", _value(grad_norm))):
        if text is not None:
            parts.append('"%s":%s' % (name, text))
    short = len(parts)
    for name, value in list(more.items())[:MOST_EXTRAS] if more else ():
        text = _value(value)
        if text is not None and name not in _RESERVED:
            parts.append("%s:%s" % (_text(name), text))
    line = ",".join(parts) + "}\n"
    if len(line) > LONGEST_LINE:
        line = ",".join(parts[:short]) + "}\n"
    return line.encode()


def _step(value):
    """JSON of a whole number of at most 64 bits, None for all else."""
    if value is None or _is_elsewhere(value):
        return None
    try:
        number = operator.index(value)
    except Exception:
        return None
    return str(number) if -(1 << 63) <= number < 1 << 63 else None


def _value(value):
    """JSON of a number or a short text, None for all else. Numbers that are not finite become words."""
    if type(value) is str:
        return _text(value)
    if value is None or _is_elsewhere(value):
        return None
    try:
        number = float(value)
    except Exception:
        return None
    if number - number == 0.0:
        return repr(number)
    return '"nan"' if number != number else '"inf"' if number > 0 else '"-inf"'


def _is_elsewhere(value):
    """Whether this is a tensor in the memory of a device."""
    return getattr(getattr(value, "device", None), "type", "cpu") != "cpu"


def _text(value):
    return json.dumps(str(value)[:LONGEST_TEXT])
