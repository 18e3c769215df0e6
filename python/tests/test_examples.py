"""The example programs: faults happen where they were asked for, and a resumed run ends like one never interrupted."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EXAMPLES = os.path.join(ROOT, "examples")
sys.path.insert(0, EXAMPLES)

from faults import Fault, Faults  # noqa: E402


class FaultsTest(unittest.TestCase):
    def test_reads_what_the_launcher_hands_on(self):
        fault = Fault("exit=3:rank=2,step=30,attempt=1")
        self.assertEqual((fault.kind, fault.argument, fault.rank, fault.step, fault.attempt), ("exit", 3, 2, 30, 1))
        self.assertIsNone(Fault("hang:attempt=any").attempt)

    def test_refuses_what_it_does_not_know(self):
        for text in ("burn:rank=1", "hang:rank=x", "hang:place=1", "exit=many:rank=1", "hang:rank"):
            with self.assertRaisesRegex(ValueError, "expected", msg=text):
                Fault(text)

    def test_happens_to_the_rank_and_in_the_attempt_asked_for(self):
        text = "nan:rank=1,step=5;nan:rank=0,step=7,attempt=any"
        self.assertTrue(Faults(text, 1, 0).spoils(5))
        self.assertFalse(Faults(text, 1, 0).spoils(6))
        self.assertFalse(Faults(text, 1, 1).spoils(5))
        self.assertFalse(Faults(text, 2, 0).spoils(5))
        self.assertTrue(Faults(text, 0, 9).spoils(7))


class TrainTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def train(self, where, inject="", **more):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HOLDFAST_")}
        return subprocess.run(
            [sys.executable, os.path.join(EXAMPLES, "train.py"), "--steps", "30", "--step-seconds", "0"],
            env=dict(clean, HOLDFAST_CHECKPOINT_DIR=os.path.join(self.folder, where), HOLDFAST_INJECT=inject, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=60,
        )

    def sum_of(self, done):
        found = re.search(r"weights sha256 (\w{64})", done.stdout)
        self.assertTrue(found, done.stdout)
        return found.group(1)

    def test_a_killed_run_goes_on_and_ends_the_same(self):
        expected = self.sum_of(self.train("undisturbed"))
        killed = self.train("killed", "kill:step=25")
        self.assertEqual(killed.returncode, -signal.SIGKILL)
        resumed = self.train("killed", "kill:step=25", TORCHELASTIC_RESTART_COUNT="1")
        self.assertIn("from step 20", resumed.stdout)
        self.assertEqual(self.sum_of(resumed), expected)

    def test_a_broken_checkpoint_is_passed_over(self):
        expected = self.sum_of(self.train("broken"))
        folder = os.path.join(self.folder, "broken")
        with open(os.path.join(folder, "step-00000030.json"), "w") as file:
            file.write('{"step": 30, "wei')
        resumed = self.train("broken")
        self.assertIn("skipping checkpoint 30", resumed.stdout)
        self.assertEqual(self.sum_of(resumed), expected)

    def test_keeps_two_checkpoints_and_no_leftovers(self):
        self.train("kept")
        names = sorted(os.listdir(os.path.join(self.folder, "kept")))
        self.assertEqual(names, ["step-00000020.json", "step-00000030.json"])

    def test_exits_and_numbers_that_are_none(self):
        self.assertEqual(self.train("exits", "exit=7:step=3").returncode, 7)
        self.assertIn("step 4 loss nan", self.train("nan", "nan:step=4").stdout)


if __name__ == "__main__":
    unittest.main()
