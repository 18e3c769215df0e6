"""The sitecustomize that the launcher puts before all others: stacks on a signal, and nobody notices else."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SHIM = os.path.join(os.path.dirname(HERE), "sitecustomize")
PATIENCE = 60

HOLDS_THE_LOCK = """
import ctypes, threading, time
def lurk():
    time.sleep(1000)
threading.Thread(target=lurk, daemon=True).start()
def stuck_in_c():
    libc = ctypes.PyDLL(None)       # calls without letting go of the interpreter lock
    print("ready", flush=True)
    while True:
        libc.usleep(500000)
stuck_in_c()
"""


class ShimTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.stacks = os.path.join(self.folder, "stacks")

    def environment(self, *path, **more):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "PYTHON"))}
        return dict(clean, PYTHONPATH=os.pathsep.join((SHIM,) + path), **more)

    def python(self, code, *path, **more):
        return subprocess.run(
            [sys.executable, "-c", code],
            env=self.environment(*path, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=PATIENCE,
        )

    def start(self, code, **more):
        child = subprocess.Popen(
            [sys.executable, "-c", code], env=self.environment(**more), stdout=subprocess.PIPE, cwd=self.folder
        )
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.addCleanup(child.stdout.close)
        self.assertEqual(child.stdout.readline().strip(), b"ready")
        return child

    def module(self, folder, text):
        path = os.path.join(self.folder, folder)
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "sitecustomize.py"), "w") as file:
            file.write(text)
        return path

    def read_stacks(self, pattern):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with open(self.stacks) as file:
                text = file.read()
            if re.search(pattern, text):
                return text
            time.sleep(0.02)
        self.fail("no %s in %s" % (pattern, text))

    def test_the_old_name_of_the_flight_recorder_is_kept_only_for_versions_that_need_it(self):
        names = (
            "TORCH_NCCL_TRACE_BUFFER_SIZE",
            "TORCH_NCCL_DEBUG_INFO_TEMP_FILE",
            "TORCH_FR_BUFFER_SIZE",
            "TORCH_FR_DUMP_TEMP_FILE",
        )
        os.mkdir(os.path.join(self.folder, "torch"))
        open(os.path.join(self.folder, "torch", "__init__.py"), "w").close()

        def seen(version, **chosen):
            with open(os.path.join(self.folder, "torch", "version.py"), "w") as file:
                file.write("__all__ = ['__version__']\n__version__ = '%s'\n" % version)
            program = "import os, sys; print([os.environ.get(n) for n in %r], 'torch' in sys.modules)" % (names,)
            sizes = chosen or dict.fromkeys(names, "2000")
            found = self.environment(self.folder, **sizes)
            return subprocess.check_output([sys.executable, "-c", program], env=found, timeout=PATIENCE).decode().strip()

        dropped = "[None, None, '2000', '2000'] False"
        kept = "['2000', '2000', '2000', '2000'] False"
        for version, expected in {
            "2.11.0+cu128": dropped,
            "3.0.0": dropped,
            "2.10.1": kept,
            "1.13.0a0": kept,
            "strange": kept,
        }.items():
            self.assertEqual(seen(version), expected, version)
        self.assertEqual(seen("2.11.0", TORCH_NCCL_TRACE_BUFFER_SIZE="9"), "['9', None, None, None] False")

    def test_writes_the_stacks_of_all_threads_while_the_interpreter_lock_is_held(self):
        child = self.start(HOLDS_THE_LOCK, HOLDFAST_STACK_FILE=self.stacks)
        os.kill(child.pid, signal.SIGUSR2)
        text = self.read_stacks("in <module>")
        self.assertIn("in stuck_in_c", text)
        self.assertIn("in lurk", text)
        self.assertIsNone(child.poll())

    def test_says_first_which_process_can_be_asked_by_which_signal(self):
        child = self.start(HOLDS_THE_LOCK, HOLDFAST_STACK_FILE=self.stacks)
        with open(self.stacks) as file:
            self.assertEqual(
                file.read(), "# process %d writes its stacks here on signal %d\n" % (child.pid, signal.SIGUSR2)
            )

    def test_the_launcher_may_choose_another_signal(self):
        number = signal.SIGRTMIN + 5
        child = self.start(HOLDS_THE_LOCK, HOLDFAST_STACK_FILE=self.stacks, HOLDFAST_STACK_SIGNAL=str(int(number)))
        os.kill(child.pid, number)
        self.assertIn("in stuck_in_c", self.read_stacks("in <module>"))

    def test_leaves_a_signal_alone_that_is_already_dealt_with(self):
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # children inherit this
        try:
            code = "import signal; print(signal.getsignal(signal.SIGUSR2) == signal.SIG_IGN)"
            done = subprocess.run(
                [sys.executable, "-c", code],
                env=self.environment(HOLDFAST_STACK_FILE=self.stacks),
                stdout=subprocess.PIPE,
                timeout=PATIENCE,
                restore_signals=False,
            )
        finally:
            signal.signal(signal.SIGUSR2, signal.SIG_DFL)
        self.assertEqual(done.stdout.strip(), b"True")
        self.assertFalse(os.path.exists(self.stacks))

    def test_a_handler_of_the_program_wins(self):
        code = (
            "import os, signal\n"
            "signal.signal(signal.SIGUSR2, lambda *_: print('mine', flush=True))\n"
            "os.kill(os.getpid(), signal.SIGUSR2)\n"
        )
        done = self.python(code, HOLDFAST_STACK_FILE=self.stacks)
        self.assertEqual(done.stdout.strip(), "mine")

    def test_programs_can_import_the_package(self):
        done = self.python("import holdfast; holdfast.beat(1); print('fine')")
        self.assertEqual(done.stdout.strip(), "fine")

    def test_a_package_of_the_same_name_that_the_user_brought_comes_first(self):
        os.makedirs(os.path.join(self.folder, "own", "holdfast"))
        with open(os.path.join(self.folder, "own", "holdfast", "__init__.py"), "w") as file:
            file.write("whose = 'user'\n")
        done = self.python("import holdfast; print(holdfast.whose)", os.path.join(self.folder, "own"))
        self.assertEqual(done.stdout.strip(), "user")

    def test_runs_the_next_sitecustomize_in_its_own_name(self):
        other = self.module("other", "import sys\nsys.told = __file__\nname = __name__\n")
        code = "import sys, sitecustomize; print(sys.told == sitecustomize.__file__, sitecustomize.name)"
        self.assertEqual(self.python(code, other).stdout.strip(), "True sitecustomize")

    def test_runs_a_chain_of_its_own_kind_once_each(self):
        copy = os.path.join(self.folder, "copy")
        shutil.copytree(SHIM, copy)
        last = self.module("last", "import sys\nsys.told = getattr(sys, 'told', 0) + 1\n")
        self.assertEqual(self.python("import sys; print(sys.told)", copy, last).stdout.strip(), "1")

    def test_an_error_in_the_next_one_is_told_as_without_us(self):
        other = self.module("other", "raise RuntimeError('theirs')\n")
        with_shim = self.python("print('runs')", other)
        without = subprocess.run(
            [sys.executable, "-c", "print('runs')"],
            env=dict(self.environment(), PYTHONPATH=other),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=PATIENCE,
        )
        self.assertIn("theirs", without.stdout)
        self.assertEqual((with_shim.returncode, with_shim.stdout), (without.returncode, without.stdout))

    def test_a_folder_named_sitecustomize_is_no_module(self):
        os.makedirs(os.path.join(self.folder, "below", "sitecustomize"))
        done = self.python("import sitecustomize; print('fine')", os.path.join(self.folder, "below"))
        self.assertEqual(done.stdout.strip(), "fine")

    def test_nothing_that_is_wrong_keeps_python_from_starting(self):
        for wrong in ({"HOLDFAST_STACK_FILE": "/nowhere/at/all"}, {"HOLDFAST_STACK_FILE": self.folder},
                      {"HOLDFAST_STACK_FILE": self.stacks, "HOLDFAST_STACK_SIGNAL": "nine"},
                      {"HOLDFAST_STACK_FILE": self.stacks, "HOLDFAST_STACK_SIGNAL": "9"},
                      {"HOLDFAST_STACK_FILE": self.stacks, "HOLDFAST_STACK_SIGNAL": "11"},
                      {"HOLDFAST_STACK_FILE": ""}):  # fmt: skip
            done = self.python("print('fine')", **wrong)
            self.assertEqual((done.returncode, done.stdout.strip()), (0, "fine"), wrong)

    def test_pythons_started_by_the_program_are_prepared_too(self):
        code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import holdfast, os; print(os.getpid())'])"
        done = self.python(code, HOLDFAST_STACK_FILE=self.stacks)
        with open(self.stacks) as file:
            self.assertIn("# process %s writes" % done.stdout.strip(), file.read())

    def test_says_who_can_be_asked_only_while_the_file_is_small(self):
        with open(self.stacks, "w") as file:
            file.write("x" * 70000)
        self.python("pass", HOLDFAST_STACK_FILE=self.stacks)
        self.assertEqual(os.path.getsize(self.stacks), 70000)

    def test_isolated_pythons_are_left_alone(self):
        done = subprocess.run(
            [sys.executable, "-I", "-c", "print('fine')"],
            env=self.environment(HOLDFAST_STACK_FILE=self.stacks),
            stdout=subprocess.PIPE,
            timeout=PATIENCE,
        )
        self.assertEqual(done.stdout.strip(), b"fine")
        self.assertFalse(os.path.exists(self.stacks))


if __name__ == "__main__":
    unittest.main()
