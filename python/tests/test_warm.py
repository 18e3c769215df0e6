"""What `holdfast run --warm` does inside Python: ranks that learn what they import, standbys that wait with it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SHIM = os.path.join(os.path.dirname(HERE), "sitecustomize")
PATIENCE = 60

TELLS_ALL = """
import sys
loaded = [name for name in ("heavy", "heavy.part", "own", "json") if name in sys.modules]
import ctypes, os
getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
import heavy
print(loaded)
print(os.environ["RANK"], getenv(b"RANK").decode(), os.environb[b"ODD"], "HOLDFAST_STANDBY" in os.environ)
print(sys.argv, __name__, __file__ == sys.argv[0], type(os.environ).__name__, sorted(os.listdir("/proc/self/fd"))[:3])
print(os.getpriority(os.PRIO_PROCESS, 0), open("/proc/self/oom_score_adj").read().strip(), sys.stdin.read() == "")
print([type(finder).__name__ for finder in sys.meta_path], "holdfast_warm" in sys.modules)
"""


class WarmTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.modules = os.path.join(self.folder, "modules.txt")
        self.file("site-packages/heavy/__init__.py", "print('heavy comes')\nfrom . import part\n")
        self.file("site-packages/heavy/part.py", "")
        self.module("last")

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def module(self, name, text=""):
        return self.file("site-packages/%s.py" % name, text)

    def program(self, text):
        return self.file("program/train.py", text)

    def environment(self, **more):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "PYTHON", "RANK"))}
        path = os.pathsep.join((SHIM, os.path.join(self.folder, "site-packages")))
        return dict(clean, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1", **more)

    def run_program(self, program, **more):
        return subprocess.run(
            [sys.executable, "-u", program, "an argument"],
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=PATIENCE,
        )

    def learn(self, program):
        """Runs it as a rank that learns; what it wrote and what was learned."""
        held_by = "%d-1" % os.getpid()
        done = self.run_program(program, HOLDFAST_LEARN=self.modules, HOLDFAST_HELD_BY=held_by, RANK="3", ODD="\udcff")
        with open(self.modules) as file:
            return done, [line.split("\t")[0] for line in file.read().splitlines()]

    def standby(self, program, leave=(), settings=None):
        """Starts it as a standby: the process, the end to write orders to, the answers."""
        settings = settings or json.dumps({"modules": self.modules, "names": ["RANK", "ODD"], "leave": list(leave)})
        orders, ours = os.pipe()
        answers, theirs = os.pipe()
        process = subprocess.Popen(
            ["bash", "-c", 'exec 3<&%d 4>&%d; exec "$@"' % (orders, theirs), "bash"]
            + [sys.executable, "-u", program, "an argument"],
            env=self.environment(HOLDFAST_STANDBY=settings),
            pass_fds=(orders, theirs),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
        )
        os.close(orders)
        os.close(theirs)
        orders, answers = os.fdopen(ours, "w"), os.fdopen(answers)
        for close in (process.stdout.close, process.wait, process.kill, answers.close, orders.close):
            self.addCleanup(close)
        return process, orders, answers

    def unfit(self, program, leave=()):
        """Why a standby ends itself, having run nothing of the program."""
        self.learn(program)
        process, _, answers = self.standby(program, leave)
        said = answers.readline()
        self.assertTrue(said.startswith("unfit\t"), said)
        process.wait(PATIENCE)
        self.assertNotIn("program runs", process.stdout.read())
        return said.rstrip("\n").split("\t")[1:]

    def ready(self, program, leave=()):
        process, orders, answers = self.standby(program, leave)
        said = answers.readline()
        self.assertTrue(said.startswith("ready"), said)
        return process, orders, answers

    def go(self, process, orders, answers):
        orders.write(json.dumps({"RANK": "3", "ODD": "\xff"}) + "\n")
        orders.flush()
        self.assertEqual(answers.readline(), "set\n")
        orders.write("go\n")
        orders.flush()
        self.assertEqual(answers.read(), "")
        text = process.stdout.read()
        self.assertEqual(process.wait(PATIENCE), 0, text)
        return text

    def test_a_standby_becomes_what_a_new_process_would_be_but_its_modules_are_there(self):
        program = self.program(TELLS_ALL)
        cold, _ = self.learn(program)
        warm = self.go(*self.ready(program)).splitlines()
        lines = cold.stdout.splitlines()
        self.assertEqual(lines[:2], ["heavy comes", "[]"])
        self.assertEqual(warm[:2], ["heavy comes", "['heavy', 'heavy.part', 'json']"])
        self.assertEqual(warm[2:5], lines[2:5])
        self.assertEqual(lines[2], "3 3 b'\\xff' False")
        self.assertEqual(warm[5], lines[5].replace("'_Learner', ", ""))

    def test_it_waits_until_it_is_told_to_go(self):
        program = self.program("import heavy\nprint('program runs')")
        self.learn(program)
        process, orders, answers = self.ready(program)
        orders.write('{"RANK": "1"}\n')
        orders.flush()
        self.assertEqual(answers.readline(), "set\n")
        orders.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(process.stdout.read(), "heavy comes\n")

    def test_without_its_launcher_it_ends_silently(self):
        program = self.program("import heavy\nprint('program runs')")
        self.learn(program)
        process, orders, _ = self.ready(program)
        orders.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(process.stdout.read(), "heavy comes\n")

    def test_variables_it_did_not_watch_are_refused(self):
        program = self.program("import heavy\nprint('program runs')")
        self.learn(program)
        process, orders, answers = self.ready(program)
        orders.write('{"HOME": "/elsewhere"}\n')
        orders.flush()
        self.assertIn("HOME", answers.read())
        self.assertNotIn("program runs", process.stdout.read())

    def test_what_cannot_be_understood_does_not_run_the_program(self):
        program = self.program("print('program runs')")
        for wrong in ("nonsense", "{}", '{"modules": "/none", "names": [], "leave": []}'):
            process, _, answers = self.standby(program, settings=wrong)
            self.assertIn("unfit\t\tcannot wait", answers.read())
            self.assertEqual(process.stdout.read(), "")

    def test_learns_what_is_imported_in_order_and_nothing_else(self):
        self.module("only_looked_for")
        self.module("breaks", "import before_it_breaks\nraise ImportError('no')\n")
        self.module("before_it_breaks")
        program = self.program("""
            import importlib.util
            importlib.util.find_spec("only_looked_for")
            import heavy
            try:
                import breaks
            except ImportError:
                pass
            import last
            try:
                import not_there
            except ImportError:
                pass
        """)
        _, learned = self.learn(program)
        names = ("heavy", "heavy.part", "breaks", "!breaks", "before_it_breaks", "last", "only_looked_for", "not_there")
        self.assertEqual(
            [name for name in learned if name in names],
            ["heavy", "heavy.part", "breaks", "before_it_breaks", "!breaks", "last"],
        )
        self.go(*self.ready(program))

    def test_pythons_that_a_rank_starts_do_not_learn(self):
        program = self.program("""
            import subprocess, sys
            subprocess.run([sys.executable, "-c", "import heavy, os; assert 'HOLDFAST_LEARN' not in os.environ"], check=True)
        """)
        done, learned = self.learn(program)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("heavy", learned)

    def test_only_a_process_of_the_launcher_itself_learns(self):
        program = self.program("import heavy")
        done = self.run_program(program, HOLDFAST_LEARN=self.modules, HOLDFAST_HELD_BY="1-1")
        self.assertEqual((done.returncode, os.path.exists(self.modules)), (0, False))

    def test_a_rank_that_cannot_write_what_it_learns_runs_all_the_same(self):
        program = self.program("import heavy; print('program runs')")
        held_by = "%d-1" % os.getpid()
        for path in ("/nowhere/at/all", self.folder, "/dev/full"):
            done = self.run_program(program, HOLDFAST_LEARN=path, HOLDFAST_HELD_BY=held_by)
            self.assertEqual((done.returncode, done.stdout), (0, "heavy comes\nprogram runs\n"))

    def test_modules_of_the_program_are_not_imported_ahead(self):
        self.file("program/own.py", "print('own code')\nimport heavy\n")
        program = self.program("import own\n" + TELLS_ALL)
        self.learn(program)
        process, orders, answers = self.ready(program)
        text = self.go(process, orders, answers).splitlines()
        self.assertEqual(text[:2], ["heavy comes", "own code"])

    def test_who_reads_what_only_a_rank_has_is_named(self):
        for how, said in (
            ("os.environ.get('RANK')", "reads RANK"),
            ("os.getenv('RANK')", "reads RANK"),
            ("'RANK' in os.environ", "reads RANK"),
            ("os.environb.get(b'RANK')", "reads RANK"),
            ("os.environ.setdefault('RANK', '0')", "reads RANK"),
            ("os.environ.copy()", "copies all variables"),
            ("dict(os.environb)", "copies all variables"),
            ("kept = {**os.environ}", "copies all variables"),
        ):
            self.module("curious", "import os\n%s\n" % how)
            self.module("friend", "import curious\n")
            module, why = self.unfit(self.program("import heavy, friend\nprint('program runs')"))
            self.assertEqual((module, why), ("friend", said + " (in curious)"))

    def test_a_module_that_is_left_out_is_imported_by_the_program(self):
        self.module("curious", "import os\nprint('as rank', os.environ.get('RANK'))\n")
        program = self.program("import curious, heavy\n")
        self.learn(program)
        text = self.go(*self.ready(program, leave=["curious"]))
        self.assertEqual(text, "heavy comes\nas rank 3\n")

    def test_what_needs_a_module_that_is_left_out_is_named(self):
        self.module("curious", "")
        self.module("friend", "import curious\n")
        module, why = self.unfit(self.program("import friend\nprint('program runs')"), leave=["curious"])
        self.assertEqual((module, why), ("friend", "imports curious, which is left out"))

    def test_other_variables_may_be_read(self):
        self.module("harmless", "import os, ctypes.util\nos.getenv('HOME')\nctypes.util.find_library('no such thing')\n"
                    "mine = {k: v for k, v in os.environ.items() if k.startswith('TQDM_')}\n"
                    "more = [os.environ[k] for k in os.environ.keys() if k.startswith('PYTHON')]\n")
        program = self.program("import harmless")
        self.learn(program)
        self.go(*self.ready(program))

    def test_what_touches_more_than_memory_is_named(self):
        for text, said in (
            ("import socket\nkept = socket.socket()\n", "opens a socket"),
            ("import subprocess\nkept = subprocess.Popen(['sleep', '20'], stdout=-3, stderr=-3)\n", "starts a process"),
            ("import os\nos.environ = dict(os.environb)\n", "copies all variables (in greedy)"),
            ("import os\nos.environ = {}\n", "replaces os.environ"),
        ):
            self.module("greedy", text)
            module, why = self.unfit(self.program("import greedy, last\nprint('program runs')"))
            self.assertEqual((module, why), ("greedy", said))

    def test_a_module_that_went_away_is_named(self):
        gone = self.module("gone")
        program = self.program("import gone, heavy\nprint('program runs')")
        self.learn(program)
        os.unlink(gone)
        _, _, answers = self.standby(program)
        self.assertEqual(answers.read(), "unfit\tgone\tcannot be imported: ModuleNotFoundError: No module named 'gone'\n")

    def test_a_module_that_now_comes_from_elsewhere_is_named(self):
        program = self.program("import heavy, last\nprint('program runs')")
        self.learn(program)
        with open(self.modules) as file:
            text = file.read()
        with open(self.modules, "w") as file:
            file.write(text.replace("site-packages/heavy/part", "site-packages/other/part"))
        _, _, answers = self.standby(program)
        self.assertIn("unfit\theavy.part\tis found at", answers.read())

    def test_who_would_import_a_module_of_the_program_by_another_name_is_named(self):
        self.module("plugin_host", "try:\n    import settings\nexcept ImportError:\n    pass\n")
        self.file("program/settings.py", "print('own code')\n")
        module, why = self.unfit(self.program("import plugin_host, heavy\nprint('program runs')"))
        self.assertEqual((module, why), ("plugin_host", "imports settings, which is the program's own"))


if __name__ == "__main__":
    unittest.main()
