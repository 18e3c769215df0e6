"""bind(): the cores and the memory the launcher chose, from inside the program."""

import os
import subprocess
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
sys.path.insert(0, PACKAGE)

from holdfast._bind import _numbers, bind  # noqa: E402


class NumbersTest(unittest.TestCase):
    def test_reads_lists_as_the_kernel_writes_them(self):
        self.assertEqual(_numbers("0-3,8"), {0, 1, 2, 3, 8})
        self.assertEqual(_numbers("5\n"), {5})

    def test_refuses_what_is_no_list(self):
        for text in ("", "a", "3-1", "-1", "1,", "0-99999999999", "1-2-3"):
            with self.assertRaises(ValueError, msg=text):
                _numbers(text)


class BindTest(unittest.TestCase):
    def setUp(self):
        self.allowed = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, self.allowed)

    def test_binds_every_thread(self):
        one = min(self.allowed)
        done = threading.Event()
        thread = threading.Thread(target=done.wait)
        thread.start()
        try:
            self.assertTrue(bind(cpus=str(one)))
            for task in os.listdir("/proc/self/task"):
                self.assertEqual(os.sched_getaffinity(int(task)), {one})
        finally:
            done.set()
            thread.join()

    def test_what_cannot_be_is_false_and_no_error(self):
        self.assertFalse(bind(cpus="65000"))
        self.assertFalse(bind(cpus="nonsense"))
        self.assertFalse(bind(memory="interleave:0"))
        self.assertFalse(bind(memory="bind:60000"))
        self.assertEqual(os.sched_getaffinity(0), self.allowed)

    def test_cores_that_are_only_partly_there_are_false_but_taken(self):
        one = min(self.allowed)
        self.assertFalse(bind(cpus="%d,65000" % one))
        self.assertEqual(os.sched_getaffinity(0), {one})

    def test_takes_what_the_launcher_says(self):
        one = max(self.allowed)
        code = "import holdfast, os; print(holdfast.bind(), os.sched_getaffinity(0))"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=dict(os.environ, PYTHONPATH=PACKAGE, HOLDFAST_CPUS=str(one), HOLDFAST_MEMORY="none"),
            stdout=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
        )
        self.assertEqual(done.stdout.strip(), "True {%d}" % one)

    def test_sets_the_memory_policy(self):
        code = (
            "import holdfast, sys\n"
            "print(holdfast.bind(memory=sys.argv[1]))\n"
            "with open('/proc/thread-self/numa_maps') as file: print(file.readline().split()[1])\n"
        )
        for asked, expected in (("bind:0", "bind:0"), ("preferred:0", r"prefer(\(many\))?:0"), ("0", r"prefer.*:0")):
            done = subprocess.run(
                [sys.executable, "-c", code, asked],
                env=dict(os.environ, PYTHONPATH=PACKAGE),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                timeout=60,
            )
            if "False" in done.stdout or "numa_maps" in done.stdout:
                self.skipTest("set_mempolicy is not permitted here, or the kernel has no NUMA: " + done.stdout.strip())
            self.assertRegex(done.stdout.split()[1], "^%s$" % expected)


if __name__ == "__main__":
    unittest.main()
