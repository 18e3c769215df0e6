"""Every file here is Python 3.8, whatever Python runs the tests."""

import ast
import glob
import os
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class SyntaxTest(unittest.TestCase):
    def test_python_3_8_reads_every_file(self):
        files = glob.glob(os.path.join(ROOT, "python", "*", "*.py")) + glob.glob(os.path.join(ROOT, "examples", "*.py"))
        self.assertGreater(len(files), 8)
        for path in files:
            with open(path, encoding="utf-8") as file:
                ast.parse(file.read(), path, feature_version=(3, 8))


if __name__ == "__main__":
    unittest.main()
