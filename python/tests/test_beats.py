"""Beats: what is written, what is left out, and that nothing of it ever hurts the program."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
sys.path.insert(0, PACKAGE)

from holdfast import _beats  # noqa: E402
from holdfast._beats import Beats  # noqa: E402


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class Device:
    type = "cuda"


class DeviceTensor:
    device = Device()

    def __float__(self):
        raise AssertionError("this would wait for the device")

    __index__ = __float__


class BeatsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "beats.jsonl")
        self.clock = Clock()
        self.beats = Beats(self.path, monotonic=self.clock, wall=lambda: 1234.5)

    def lines(self):
        with open(self.path) as file:
            return [json.loads(line, parse_constant=self.fail) for line in file]

    def test_tells_time_step_and_numbers(self):
        self.beats.beat(7, loss=0.25, grad_norm=2, lr=1e-4, note='a "b"')
        self.assertEqual(
            self.lines(),
            [{"t": 1234.5, "step": 7, "loss": 0.25, "grad_norm": 2.0, "lr": 1e-4, "note": 'a "b"'}],
        )

    def test_without_arguments_is_a_sign_of_life(self):
        self.beats.beat()
        self.assertEqual(self.lines(), [{"t": 1234.5}])

    def test_numbers_that_are_none_become_words(self):
        self.beats.beat(1, loss=float("nan"), grad_norm=float("inf"), low=float("-inf"))
        self.assertEqual(self.lines()[0]["loss"], "nan")
        self.assertEqual(self.lines()[0]["grad_norm"], "inf")
        self.assertEqual(self.lines()[0]["low"], "-inf")

    def test_what_is_no_number_is_left_out(self):
        self.beats.beat("seven", loss=object(), grad_norm=[1], what={}, t=5, event="end")
        self.beats.beat(1.5)
        self.beats.beat(1 << 70)
        self.assertEqual(self.lines(), [{"t": 1234.5}] * 3)

    def test_never_waits_for_a_device(self):
        self.beats.beat(DeviceTensor(), loss=DeviceTensor(), more=DeviceTensor())
        self.assertEqual(self.lines(), [{"t": 1234.5}])

    def test_what_raises_when_read_is_left_out(self):
        class Evil:
            def __getattr__(self, name):
                raise RuntimeError(name)

            def __str__(self):
                raise RuntimeError("str")

        self.beats.beat(1, loss=Evil())
        with self.beats.phase(Evil()):
            pass
        self.beats.beat(2)
        self.assertEqual(self.lines()[-1]["step"], 2)

    def test_tells_no_more_than_twenty_a_second(self):
        for step in range(1000):  # ten seconds, a hundred a second
            self.clock.now += 0.01
            self.beats.beat(step)
        steps = [line["step"] for line in self.lines()]
        self.assertLessEqual(len(steps), 10 * _beats.LINES_PER_SECOND + _beats.BURST + 1)
        self.assertGreaterEqual(len(steps), 10 * _beats.LINES_PER_SECOND)
        self.assertGreater(steps[-1], 990)

    def test_tells_every_step_of_ordinary_training(self):
        for step in range(500):
            self.clock.now += 0.06
            self.beats.beat(step)
        self.assertEqual([line["step"] for line in self.lines()], list(range(500)))

    def test_tells_at_once_when_numbers_stop_being_finite_and_once_only(self):
        for step in range(100):
            self.beats.beat(step, loss=1.0)
        for step in range(100, 200):
            self.beats.beat(step, loss=float("nan"))
        told = [line["step"] for line in self.lines() if line["loss"] == "nan"]
        self.assertEqual(told, [100])

    def test_phases_have_a_beginning_and_an_end(self):
        with self.beats.phase("checkpoint"):
            with self.beats.phase("upload"):
                pass
        events = [(line["phase"], line["event"]) for line in self.lines()]
        self.assertEqual(
            events,
            [("checkpoint", "begin"), ("upload", "begin"), ("upload", "end"), ("checkpoint", "end")],
        )

    def test_a_phase_has_failed_when_its_body_raises_and_hands_the_error_on(self):
        with self.assertRaises(KeyError):
            with self.beats.phase("checkpoint"):
                raise KeyError("mine")
        self.assertEqual(self.lines()[-1]["event"], "failed")

    def test_a_phase_told_is_a_phase_ended_however_many_there_are(self):
        for _ in range(500):
            with self.beats.phase("tiny"):
                pass
        events = [line["event"] for line in self.lines()]
        self.assertEqual(events, ["begin", "end"] * (len(events) // 2))
        self.assertLess(len(events), 50)

    def test_the_file_starts_over_when_it_is_large(self):
        with open(self.path, "wb") as file:
            file.write(b"x" * _beats.LARGEST + b"\n")
        self.beats.beat(1)
        self.beats.beat(2)
        self.assertEqual([line["step"] for line in self.lines()], [1, 2])

    def test_long_extras_do_not_cost_the_step(self):
        self.beats.beat(3, **{"k%d" % i: "\u20ac" * 1000 for i in range(16)})
        self.assertEqual(self.lines()[0]["step"], 3)
        self.assertLess(os.path.getsize(self.path), _beats.LONGEST_LINE + 1)

    def test_off_without_a_file(self):
        for path in (None, ""):
            off = Beats(path, monotonic=self.fail)
            off.beat(1, loss=object())
            with off.phase("checkpoint"):
                pass

    def test_a_file_that_cannot_be_written_is_tried_once_a_second(self):
        blocked = os.path.join(self.folder, "missing", "beats.jsonl")
        beats = Beats(blocked, monotonic=self.clock)
        for step in range(100):
            beats.beat(step)
        os.mkdir(os.path.dirname(blocked))
        beats.beat(100)
        self.assertFalse(os.path.exists(blocked))
        self.clock.now += 1.1
        beats.beat(101)
        with open(blocked) as file:
            self.assertIn('"step":101', file.read())

    def test_a_full_disk_and_odd_files_are_no_error(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        for path in ("/dev/full", pipe, self.folder, "/proc/self/nothing", "\0"):
            beats = Beats(path, monotonic=self.clock)
            beats.beat(1)
            with beats.phase("checkpoint"):
                pass
            self.clock.now += 2
            beats.beat(2)

    def test_a_pipe_nobody_empties_does_not_block(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        beats = Beats(pipe, monotonic=self.clock)
        for step in range(5000):
            self.clock.now += 1
            beats.beat(step, note="x" * 200)

    def test_a_descriptor_that_became_another_file_is_not_written_to(self):
        self.beats.beat(1)
        other = os.path.join(self.folder, "precious")
        descriptor = self.beats._fd
        replacement = os.open(other, os.O_WRONLY | os.O_CREAT)
        os.dup2(replacement, descriptor)  # what a program does that closes all and opens its own
        os.close(replacement)
        self.beats.beat(2)
        os.close(descriptor)
        self.assertEqual(os.path.getsize(other), 0)
        self.assertEqual([line["step"] for line in self.lines()], [1, 2])

    def test_threads_write_whole_lines(self):
        beats = Beats(self.path, monotonic=Ticking())

        def work(thread):
            for step in range(300):
                beats.beat(step, thread=thread)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(self.lines()), 8 * 300)

    def test_forked_children_write_whole_lines(self):
        beats = Beats(self.path, monotonic=Ticking())
        beats.beat(0)
        children = []
        for child in range(4):
            pid = os.fork()
            if pid == 0:
                for step in range(200):
                    beats.beat(step, child=child)
                os._exit(0)
            children.append(pid)
        for pid in children:
            self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertEqual(len(self.lines()), 1 + 4 * 200)

    def test_the_descriptor_is_not_handed_to_programs(self):
        self.beats.beat(1)
        self.assertFalse(os.get_inheritable(self.beats._fd))

    def test_others_may_read_the_file(self):
        self.beats.beat(1)
        self.assertTrue(os.stat(self.path).st_mode & stat.S_IRUSR)


class Ticking:
    """A clock that is always late enough."""

    def __init__(self):
        self._now = 0.0

    def __call__(self):
        self._now += 1.0
        return self._now


class PackageTest(unittest.TestCase):
    def run_python(self, code, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HOLDFAST_")}
        return subprocess.run(
            [sys.executable, "-c", code],
            env=dict(clean, PYTHONPATH=PACKAGE, **environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=60,
        )

    def test_does_nothing_without_a_launcher(self):
        code = (
            "import holdfast, os\n"
            "before = os.sched_getaffinity(0), sorted(os.listdir('/proc/self/fd'))\n"
            "holdfast.beat(1, loss=2.0)\n"
            "with holdfast.phase('checkpoint'): pass\n"
            "assert holdfast.bind() is True\n"
            "assert before == (os.sched_getaffinity(0), sorted(os.listdir('/proc/self/fd')))\n"
        )
        done = self.run_python(code)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_offers_three_names_and_no_more(self):
        done = self.run_python("import holdfast; print(sorted(n for n in dir(holdfast) if n[0] != '_'))")
        self.assertEqual(done.stdout.strip(), "['beat', 'bind', 'phase']")

    def test_beats_go_to_the_launchers_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "beats")
            done = self.run_python("import holdfast; holdfast.beat(9)", HOLDFAST_BEAT_FILE=path)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            with open(path) as file:
                self.assertEqual(json.load(file)["step"], 9)


if __name__ == "__main__":
    unittest.main()
