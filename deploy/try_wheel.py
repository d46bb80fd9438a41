"""Try a built package as its users do: install it into an empty environment, and use all that it installs.

`python deploy/try_wheel.py dist [-c constraints.txt]` needs nothing besides Python. It trains,
encodes and films with the core alone, then adds the app and opens all its pages, outside the repository. The first
problem ends it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

PAGES = ("watch", "compare", "encode", "vocabulary", "bytes", "lessons", "tokenizers", "glossary")

USE_THE_CORE = """
from importlib.metadata import metadata, version
from merge_by_merge import bpe

trace = bpe.train("low low low lower lower newest newest newest", merges=5)
tokenizer = trace.tokenizer()
assert tokenizer.decode(tokenizer.encode("lower")) == "lower"
assert "iframe" in trace._repr_html_()
assert bpe.__version__ == version("merge-by-merge")
assert metadata("merge-by-merge")["License-Expression"] == "MIT AND Apache-2.0 AND CC-BY-4.0"
assert not __import__("importlib.util").util.find_spec("bpe"), "a top-level bpe is installed"
"""
OPEN_A_PAGE = """
import os, sys
from pathlib import Path
import merge_by_merge

folder = Path(merge_by_merge.__file__).parent
os.chdir(folder)
from streamlit.testing.v1 import AppTest

app = AppTest.from_file(str(folder / "app.py"), default_timeout=300).run()
assert not app.exception, app.exception
if sys.argv[1] != "watch":
    app.switch_page(f"pages/{sys.argv[1]}.py").run()
    assert not app.exception, app.exception
assert app.title[0].value
"""


def run(folder: Path, *command: str) -> str:
    """Run a command in a folder, without the repository on its path. Return its output."""
    print("--", *(part if "\n" not in part else "…" for part in command), flush=True)
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**outside, "PYTHONUTF8": "1"},
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nexit code {done.returncode}")
    return done.stdout


def try_wheel(wheel: Path, options: Sequence[str]) -> None:
    """Install the wheel into an empty environment and use it. Ends the program if something fails."""
    with tempfile.TemporaryDirectory(prefix="try-wheel-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python, bpe, app = (str(programs / name) for name in ("python", "bpe", "merge-by-merge"))
        run(folder, python, "-m", "pip", "install", "--quiet", *options, str(wheel))
        installed = json.loads(run(folder, python, "-m", "pip", "list", "--format", "json"))
        names = {one["name"] for one in installed} - {"pip", "setuptools"}
        assert names == {"merge-by-merge", "regex", "rjsmin"}, installed
        (folder / "text.txt").write_text("low low low lower lower newest newest newest\n", "utf-8")
        run(folder, python, "-c", USE_THE_CORE)
        run(folder, bpe, "--version")
        assert run(folder, app, "--version")
        run(
            folder,
            bpe,
            "train",
            "text.txt",
            "-o",
            "tokenizer.json",
            "--preset",
            "hf-bytelevel",
            "--merges",
            "4",
        )
        run(folder, bpe, "encode", "--tokenizer", "tokenizer.json", "text.txt")
        run(folder, bpe, "film", "text.txt", "-o", "film.html", "--merges", "4")
        run(folder, python, "-m", "merge_by_merge.bpe", "ties", "text.txt", "--merges", "4")
        run(folder, python, "-m", "pip", "install", "--quiet", *options, f"{wheel}[app]")
        for page in PAGES:
            run(folder, python, "-c", OPEN_A_PAGE, page)
    print(f"{wheel.name} works on {sys.platform} with Python {sys.version.split()[0]}.")


def main() -> None:
    """Try the wheel that the command names."""
    parser = argparse.ArgumentParser(description="Try a built package in an empty environment.")
    parser.add_argument("wheel", type=Path, help="a wheel, or a folder with one wheel")
    parser.add_argument("-c", "--constraint", help="a file of versions for pip")
    options = parser.parse_args()
    wheels = [*options.wheel.glob("*.whl")] if options.wheel.is_dir() else [options.wheel]
    if len(wheels) != 1:
        sys.exit(f"expected one wheel in {options.wheel}, found {len(wheels)}")
    constraint = ["-c", str(Path(options.constraint).absolute())] if options.constraint else []
    try_wheel(wheels[0].absolute(), constraint)


if __name__ == "__main__":
    main()
