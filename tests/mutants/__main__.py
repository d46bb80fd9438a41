"""The command: copy the repository and try mutants in the copy.

`python -m tests.mutants bpe/training 200` changes one place at a time, at 200 random places of the package. It runs the
tests that run the changed line, quickest first, and prints every mutant that survives: a test is missing, or the change
makes no difference. The same seed makes the same mutants. `--at bpe/training/word_layout.py:29`
tries all those of a line.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import ROOT


def main() -> None:
    """Try the mutants that the command asks for in a copy of the repository."""
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copied = Path(folder).resolve()
        for name in filter(None, files.split("\0")):
            (copied / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copied / name)
        done = subprocess.run(
            [sys.executable, "-m", "tests.mutants.trial", *sys.argv[1:]],
            cwd=copied,
            env=os.environ | {"PYTHONPATH": folder, "CI": "true"},  # CI: hypothesis tries the same examples
            check=False,
        )
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
