"""The command `merge-by-merge`: open the app in the browser, wherever the command is started."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from bpe import BPEError, __version__

HERE = Path(__file__).parent
# An installed package holds the app itself; in a clone the app lies beside this folder.
INSTALLED = (HERE / "app.py").exists()
APP = HERE if INSTALLED else HERE.parent
# What the app needs besides the core, by the names of the modules; a test compares it with pyproject.toml.
NEEDED = ("charset_normalizer", "pandas", "plotly", "psutil", "starlette", "streamlit")
# No name of a package: until there is a release, whoever registers that name decides what it installs.
INSTALL = (
    'pip install ".[app]" in the cloned folder'
    if INSTALLED
    else "pip install -r requirements.txt -c constraints.txt"
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the app until Ctrl-C ends it."""
    options = _parser().parse_args(arguments)
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        lacks = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        _parser().exit(2, f"merge-by-merge: The app needs {lacks}: {INSTALL} installs what it needs.\n")
    from ui.trainings import limits  # of the app, which may not be installed

    if problems := limits.problems():
        sys.exit("\n".join(problems))
    flags = ["--server.port", str(options.port)] if options.port else []
    flags += ["--server.headless", "true"] if options.no_browser else []
    file = Path(options.file).absolute() if options.file else None
    # Streamlit reads .streamlit/config.toml in the folder where it is started. Without it, it would listen on every
    # address of the machine.
    os.chdir(APP)
    if file:
        _start_with(file)
    from streamlit.web import cli  # takes a second, which --help and --version need not wait

    cli.main(["run", "app.py", *flags])


def _start_with(path: Path) -> None:
    """Make every session begin with this file. If it cannot be opened, end the command with 2 and a sentence."""
    from ui.choices import read_start_file, start_file

    try:
        start_file.start_with(read_start_file.read_start_file(path))
    except BPEError as error:
        _parser().exit(2, f"merge-by-merge: {error}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="merge-by-merge",
        description="Watch byte pair encoding, one merge at a time, in your browser. Nothing leaves this machine.",
    )
    parser.add_argument(
        "--port", type=_port, metavar="N", help="the port to use (8501, or the next free one)"
    )
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="a text to begin with, a share file, or a tokenizer's file"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    parser.add_argument("--version", action="version", version=f"merge-by-merge {__version__}")
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 65,535, got {text!r}")
    return int(text)


if __name__ == "__main__":
    main()
