"""The command line: its output, its errors, and the effect of Ctrl-C."""

import json
import re
import runpy
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bpe import PRESETS, count_words, replay, train
from command_line.commands import _COMMANDS, main
from film.page import FilmOptions, film_page
from published.packing import open_published
from tests import ROOT
from tests.command_line.ctrl_c import press_ctrl_c
from tests.material.texts import source

TEXTS = ["low lower lowest\n" * 3, source()[:3_000], ""]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Write TEXTS to files and return their paths."""
    paths = [tmp_path / f"{number}.txt" for number in range(len(TEXTS))]
    for path, text in zip(paths, TEXTS, strict=True):
        path.write_bytes(text.encode())
    return paths


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


@pytest.mark.parametrize("workers", [1, 2])
def test_count_writes_the_words_as_json(
    workers: int, files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "counts.json"
    assert run("count", *files, "-o", output, "--workers", workers) == 0
    assert json.loads(output.read_text(encoding="utf-8")) == count_words(files)
    written = capsys.readouterr()
    assert written.out == ""
    assert "distinct words" in written.err


def test_counts_and_texts_are_normalized_alike(tmp_path: Path) -> None:
    text, counts, output = tmp_path / "text.txt", tmp_path / "counts.json", tmp_path / "tokenizer.json"
    text.write_text("The cat saw the Cat", "utf-8")
    lower = ("--normalization", "lower", "--merges", 9, "-o", output)
    assert run("train", text, *lower) == 0
    learned = output.read_text("utf-8")
    assert json.loads(learned)["normalizer"] == {"type": "Lowercase"}
    for normalized_before in ((), lower[:2]):
        assert run("count", text, *normalized_before, "-o", counts) == 0
        assert run("train", counts, *lower) == 0
        assert output.read_text("utf-8") == learned


def test_train_reads_the_counts_that_count_wrote(files: list[Path], tmp_path: Path) -> None:
    counts, merges, trace = tmp_path / "counts.json", tmp_path / "merges.txt", tmp_path / "trace.json"
    assert run("count", *files, "-o", counts) == 0
    assert run("train", counts, "--merges", 50, "-o", merges) == 0
    assert run("train", *files, "--merges", 50, "-o", trace) == 0
    learned = train(count_words(files), "bytes-gpt2", merges=50)
    assert len(merges.read_text(encoding="utf-8").splitlines()) == 51  # a line for the version
    content = json.loads(trace.read_text(encoding="utf-8"))
    assert [step[2:] for step in content["steps"]] == [
        [step.count, step.tied, step.replaced] for step in learned.steps
    ]
    symbols = [bytes.fromhex(symbol) for symbol, _ in content["symbols"]]
    assert [(symbols[left], symbols[right]) for left, right, *_ in content["steps"]] == learned.merges
    assert content["stopped"] == "merges"


@pytest.mark.parametrize("preset", PRESETS)
def test_train_knows_every_preset(preset: str, files: list[Path], tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    assert run("train", *files, "--preset", preset, "--merges", 20, "-o", trace) == 0
    texts = [path.read_bytes().decode("utf-8-sig") for path in files]
    learned = train(texts, merges=20, **PRESETS[preset].settings)
    content = json.loads(trace.read_text(encoding="utf-8"))
    symbols = [bytes.fromhex(symbol) for symbol, _ in content["symbols"]]
    assert [(symbols[left], symbols[right]) for left, right, *_ in content["steps"]] == learned.merges


REFUSED = {
    "no file": (["count", "nowhere.txt", "-o", "c.json"], "nowhere.txt: cannot be read"),
    "no folder": (["count", "a.txt", "-o", "nowhere/c.json"], "there is no folder"),
    "no format": (["train", "a.txt", "-o", "learned"], "choose one with --format"),
    "a film": (
        ["train", "a.txt", "-o", "film.html"],
        "film.html: the name's ending says HTML, but a tokenizer or a trace would be written; "
        "python -m bpe film FILE -o film.html makes a film.",
    ),
    "a number too small": (
        ["train", "a.txt", "-o", "t.json", "--merges", "-1"],
        "merges must be at least 0, got -1",
    ),
    "counted for another variant": (
        ["train", "c.json", "-o", "trace.json", "--preset", "paper"],
        "' b' is not a pre-token",
    ),
    "no counts": (["train", "list.json", "-o", "t.json"], "expected an object {word: frequency}, got list"),
    "no JSON": (["train", "broken.json", "-o", "t.json"], "expected JSON"),
    "no frequency": (["train", "odd.json", "-o", "t.json"], "'a' must be at least 1, got 0"),
    "no pattern": (
        ["count", "a.txt", "-o", "c.json", "--variant", "custom", "--pattern", "("],
        "does not compile",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_cannot_be_met_ends_with_exit_code_2_and_writes_nothing(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    contents = {
        "a.txt": "a b",
        "c.json": '{" b": 1}',
        "list.json": "[]",
        "broken.json": "{",
        "odd.json": '{"a": 0}',
    }
    for name, content in contents.items():
        Path(name).write_text(content, encoding="utf-8")
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == contents


@pytest.mark.parametrize(
    "arguments",
    [
        ["train"],
        *(["count", "a.txt", "-o", "c.json", "--workers", number] for number in ("0", "17", "9" * 5_000)),
        ["learn"],
    ],
    ids=["no file", "no process", "too many processes", "more than Python reads", "no command"],
)
def test_a_wrong_command_line_ends_with_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert "usage: python -m bpe" in error
    if "--workers" in arguments:
        assert "expected a number of processes from 1 to 16, got" in error
        assert len(error) < 1_000


def test_without_a_command_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2  # as git, uv and click: what was asked for was not done
    output = capsys.readouterr()
    assert output.out == ""
    listed = re.findall(r"^    (\w+) +\w", output.err, re.MULTILINE)
    assert listed == [command.name for command in _COMMANDS]


def test_a_trace_is_written_if_the_format_cannot_hold_the_merges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("a</w>b a</w>b", encoding="utf-8")
    arguments = [
        "train",
        tmp_path / "a.txt",
        "--variant",
        "char-eow",
        "--format",
        "merges-txt",
        "-o",
        tmp_path / "x",
    ]
    assert run(*arguments) == 2
    remaining = json.loads((tmp_path / "x.trace.json").read_text(encoding="utf-8"))
    assert len(remaining["steps"]) == 6
    assert not (tmp_path / "x").exists()


def test_ctrl_c_writes_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = signal.getsignal(signal.SIGINT)  # SIG_IGN if pytest was started in the background
    press_ctrl_c(monkeypatch, at="20 merges")
    (tmp_path / "a.txt").write_text(source()[:5_000], encoding="utf-8")
    assert run("train", tmp_path / "a.txt", "--merges", 100, "-o", tmp_path / "trace.json") == 130
    content = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert (len(content["steps"]), content["stopped"]) == (20, "cancelled")
    assert "20 merges learned: the training was stopped here." in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is handler


def test_the_module_runs_and_returns_its_exit_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bpe", "count", str(tmp_path / "b.txt"), "-o", str(tmp_path / "c.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("python -m bpe: ")


def test_a_text_may_come_through_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("low low lower\n", "utf-8")
    command = [sys.executable, "-m", "bpe", "train", "-", "--merges", "2", "-o"]
    for name, content in (("piped.json", b"low low lower\n"), ("broken.json", b"low\n\xff")):
        run = subprocess.run(
            [*command, str(tmp_path / name)], input=content, capture_output=True, check=False, cwd=ROOT
        )
        assert (run.returncode == 0) == (name == "piped.json"), run.stderr
    assert b"standard input: expected UTF-8" in run.stderr
    assert (
        main(["train", str(tmp_path / "text.txt"), "--merges", "2", "-o", str(tmp_path / "read.json")]) == 0
    )
    assert (tmp_path / "piped.json").read_bytes() == (tmp_path / "read.json").read_bytes()


def test_a_film_is_an_html_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.txt").write_text("low low lower\n", "utf-8")
    assert main(["film", str(tmp_path / "text.txt"), "-o", str(tmp_path / "film.txt")]) == 2
    assert "film.txt: the name of a film must end in .html." in capsys.readouterr().err
    assert not (tmp_path / "film.txt").exists()


def test_a_film_that_is_piped_on_is_said_to_be_in_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("low low lower\n", "utf-8")
    assert main(["film", str(tmp_path / "text.txt"), "--merges", "3", "-o", "-"]) == 0
    assert "3 merges in standard output: " in capsys.readouterr().err


def test_a_film_of_a_tokenizer_plays_the_merges_that_apply_to_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("the lowest tide\n", "utf-8")
    film = str(tmp_path / "film.html")
    command = ["film", str(tmp_path / "text.txt"), "-t", "gpt-2", "-o", film]
    assert main([*command, "--merges", "3"]) == 2
    assert "-t takes no options of a training" in capsys.readouterr().err
    assert not Path(film).exists()
    assert main(command) == 0
    trace = replay("the lowest tide\n", open_published("gpt-2").tokenizer)
    assert f"{len(trace.steps)} merges in {film}" in capsys.readouterr().err
    assert Path(film).read_text("utf-8") == film_page(
        trace, ["the lowest tide\n"], FilmOptions(title="text.txt")
    )


def test_a_script_learns_the_merges_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "made").mkdir()
    monkeypatch.chdir(tmp_path)
    texts = {"short.txt": "low lower lowest\r\n", "long.txt": "low lower lowest\r\n" * 1_500}
    for name, text in texts.items():
        Path(name).write_text(text, "utf-8", newline="")
        settings = ["--variant", "char-eow", "--tie-break", "pair-max", "--merges", "5"]
        assert main(["script", name, *settings, "-o", "made/script.py"]) == 0
        monkeypatch.chdir("/")
        left = runpy.run_path(str(tmp_path / "made/script.py"))
        monkeypatch.chdir(tmp_path)
        learned = train(text, "char-eow", "pair-max", merges=5).merges
        assert left["merges"] == [
            tuple(part.replace(b"\xff", b"</w>").decode() for part in pair) for pair in learned
        ]
    assert Path("made/script.py").stat().st_size < 4_000
    capsys.readouterr()
    assert main(["script", "long.txt", "--preset", "cs336"]) == 0  # nobody knows where the output will lie
    script = capsys.readouterr().out
    assert "len(merges) < 100" in script
    assert "Path" not in script


def test_counted_words_and_exercises_have_scripts_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text('{"low": 5, "lower": 2}', "utf-8")
    assert main(["script", str(counts), "--variant", "char-eow", "--merges", "3", "--gap", "choose"]) == 0
    script = capsys.readouterr().out
    assert '"low": 5,' in script
    assert "best = ..." in script


# command, name of the output -> what is wrong, or how the file begins
NAMED: dict[str, tuple[list[str], str, str]] = {
    "CSV by its name": (["measure", "-t", "gpt-2", "a.txt"], "a.csv", '"text",'),
    "JSON by its name": (["measure", "-t", "gpt-2", "a.txt"], "a.json", "{"),
    "ties as JSON": (["ties", "a.txt", "--merges", "2"], "a.JSON", "{"),
    "a table without an ending": (["measure", "-t", "gpt-2", "a.txt", "--csv"], "measures", '"text",'),
    "JSON in a .csv": (["measure", "-t", "gpt-2", "a.txt", "--json"], "a.csv", "says CSV, but JSON would be written"),
    "measures as HTML": (["measure", "-t", "gpt-2", "a.txt"], "a.html", "but text, CSV or JSON would be written"),
    "ties as CSV": (["ties", "a.txt", "--merges", "2"], "a.csv", "says CSV, but text or JSON would be written"),
    "ids as JSON": (["encode", "-t", "tokenizer.json", "a.txt"], "a.json", "says JSON, but text would be written"),
    "counts as text": (["count", "a.txt"], "c.txt", "says text, but JSON would be written"),
    "merges in a .json": (
        ["train", "a.txt", "--merges", "2", "--format", "merges-txt"], "m.json", "of merges.txt must end in .txt"
    ),
    "a trace in a .csv": (
        ["train", "a.txt", "--merges", "2", "--format", "trace"], "m.csv", "must end in .json"
    ),
    "a tokenizer in a .csv": (["export", "-t", "tokenizer.json"], "t.csv", "the name does not tell the format"),
    "ranks in a .txt": (
        ["export", "-t", "tokenizer.json", "-f", "tiktoken"], "r.txt", "must end in .tiktoken"
    ),
    "tables in a .txt": (["compare", "a.txt", "--lanes", "first,last"], "r.txt", "says text, but CSV would be written"),
    "a script in a .txt": (["script", "a.txt"], "s.txt", "the name of a script must end in .py"),
    "a film in a .json": (["film", "a.txt"], "f.json", "the name of a film must end in .html"),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_the_ending_of_the_output_s_name_decides_what_is_written_or_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("low lower lowest low low", "utf-8")
    train("low lower", "bytes-gpt2", merges=3).tokenizer().save("tokenizer.json")
    arguments, output, expected = NAMED[name]
    code = main([*arguments, "-o", output])
    if code:
        assert f"{output}: " in (said := capsys.readouterr().err)
        assert expected in said
        assert not Path(output).exists()
    else:
        assert Path(output).read_text("utf-8-sig").startswith(expected)
