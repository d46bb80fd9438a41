"""Where a command writes: a file, a device, a pipe, standard output; and Ctrl-C before it has begun."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from command_line.commands import main
from tests import ROOT

COMMAND = [sys.executable, "-m", "bpe"]
NO_SPACE = "python -m bpe: standard output: cannot be written: No space left on device.\n"
CLOSED = "python -m bpe: standard output: cannot be written: it is closed.\n"


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write a text into an empty folder, work there, and return its name."""
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("low lower lowest\n", "utf-8")
    return "text.txt"


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return what the command did in a shell; `line` says what becomes of its streams, "$@" is the command."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", line, "bash", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


STREAMS = {
    "full": ('"$@" > /dev/full', ["encode", "-t", "gpt-2", "text.txt"], 2, NO_SPACE),
    "closed": ('"$@" >&-', ["encode", "-t", "gpt-2", "text.txt"], 2, CLOSED),
    "help on a full one": ('"$@" > /dev/full', ["encode", "--help"], 2, NO_SPACE),
    "closed, not needed": ('"$@" >&-', ["count", "text.txt", "-o", "c.json"], 0, None),
    "no standard input": (
        '"$@" <&-',
        ["encode", "-t", "gpt-2"],
        2,
        "python -m bpe: standard input: cannot be read: it is closed.\n",
    ),
    "no standard error": ('"$@" 2>&-', ["count", "text.txt", "-o", "c.json"], 0, ""),
    "a full standard error": ('"$@" 2> /dev/full', ["count", "text.txt", "-o", "c.json"], 2, ""),
}


@pytest.mark.parametrize(("line", "arguments", "code", "error"), STREAMS.values(), ids=STREAMS)
@pytest.mark.usefixtures("text")
def test_a_stream_that_cannot_be_used_gets_one_sentence(
    line: str, arguments: list[str], code: int, error: str | None
) -> None:
    done = shell(line, *arguments)
    assert done.returncode == code
    assert done.stdout == ""
    assert error is None or done.stderr == error


@pytest.mark.parametrize("command", ["count", "film"])
def test_a_pipe_is_written_into_and_stays_a_pipe(command: str, text: str) -> None:
    os.mkfifo("pipe")
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(Path("pipe").read_bytes()))
    reader.start()
    assert main([command, text, "-o", "pipe"]) == 0
    reader.join()
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    assert main([command, text, "-o", "file.json" if command == "count" else "file.html"]) == 0
    assert read == [next(Path().glob("file.*")).read_bytes()]


TO_STANDARD_OUTPUT = {
    "count": ["count", "text.txt"],
    "train": ["train", "text.txt", "--format", "merges-txt", "--merges", "2"],
    "continue": ["continue", "-t", "gpt-2", "text.txt", "--merges", "1", "--format", "tokenizer-json"],
    "film": ["film", "text.txt", "--merges", "2"],
    "script": ["script", "text.txt", "--merges", "2"],
}


@pytest.mark.parametrize("arguments", TO_STANDARD_OUTPUT.values(), ids=TO_STANDARD_OUTPUT)
def test_a_dash_is_standard_output(
    arguments: list[str], text: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([*arguments, "-o", "-"]) == 0
    written = capfdbinary.readouterr()
    assert written.out
    assert b"Written" not in written.err
    assert [path.name for path in Path().iterdir()] == [text]
    endings = {"film": "html", "script": "py", "count": "json", "continue": "json"}
    file = f"file.{endings.get(arguments[0], 'txt')}"
    assert main([*arguments, "-o", file]) == 0
    assert Path(file).read_bytes() == written.out


def test_the_name_of_standard_output_keeps_what_was_written_there_before(text: str) -> None:
    done = shell('{ echo before; "$@"; } > all.txt', "count", text, "-o", "/dev/stdout")
    assert (done.returncode, done.stderr) == (0, "17 characters counted: 4 distinct words\n")
    assert Path("all.txt").read_text("utf-8").startswith("before\n{")


def test_what_cannot_be_written_is_said_before_the_work_begins(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    assert main(["count", text, "-o", "folder"]) == 2
    assert capsys.readouterr().err == "python -m bpe: folder: cannot be written: it is a folder.\n"


def test_one_word_is_one_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.txt").write_text("a", "utf-8")
    assert main(["count", str(tmp_path / "one.txt"), "-o", str(tmp_path / "c.json")]) == 0
    assert capsys.readouterr().err.startswith("1 character counted: 1 distinct word\n")


@pytest.mark.parametrize("module", ["bpe.symbols", "command_line.reading"])
def test_ctrl_c_while_the_command_loads_ends_it_with_a_sentence(module: str) -> None:
    command = [sys.executable, "-X", "importtime", *COMMAND[1:], "encode", "-t", "gpt-2"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # pytest may run in the background
    )
    assert process.stderr
    while not process.stderr.readline().rstrip().endswith(f" {module}"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output, error = process.communicate()
    assert (process.returncode, output) == (130, "")
    assert error.endswith("\nStopped; nothing was written.\n")
    assert "Traceback" not in error
