"""The commands export, encode and decode: files and standard streams in and out, and clear errors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import tokenizers

import bpe
from bpe.formats import FORMATS
from command_line.commands import main
from tests import ROOT
from tests.material import texts

TEXT = texts.SENTENCES + "\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let relative names be those of files in `tmp_path`."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tokenizer(tmp_path: Path) -> bpe.Tokenizer:
    """Return a tokenizer that is also in `tmp_path`, in every format that holds it."""
    trace = bpe.train(TEXT, merges=200, **bpe.PRESETS["hf-bytelevel"].settings)
    ours = trace.tokenizer()
    for row in FORMATS.values():
        if row.writer and row.refusal(trace, 200) is None:
            (tmp_path / row.file_name).write_bytes(row.content(ours))
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    return ours


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


FILES = {
    "tokenizer.json": ["-t", "tokenizer.json"],
    "merges.txt and vocab.json": ["-t", "merges.txt", "-t", "vocab.json"],
    ".tiktoken": ["-t", "ranks.tiktoken", "--variant", "bytes-gpt2"],
}


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_a_text_comes_back_from_its_ids(files: list[str], tokenizer: bpe.Tokenizer) -> None:
    assert run("encode", *files, "text.txt", "-o", "ids.txt") == 0
    assert list(map(int, Path("ids.txt").read_text().split())) == tokenizer.encode(TEXT)
    assert run("decode", *files, "ids.txt", "-o", "back.txt") == 0
    assert Path("back.txt").read_text("utf-8") == TEXT


def test_a_tokenizer_learns_further_merges(
    tokenizer: bpe.Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("new.txt").write_text("zebra zebras zigzag " * 3, "utf-8")
    command = [
        "continue",
        "-t",
        "ranks.tiktoken",
        "--variant",
        "bytes-gpt2",
        "new.txt",
        "-o",
        "more.tiktoken",
    ]
    assert run(*command, "--merges", 5, "--tie-break", "ids-min") == 0
    assert "5 new merges learned" in capsys.readouterr().err
    old, new = (Path(name).read_text().splitlines() for name in ("ranks.tiktoken", "more.tiktoken"))
    assert new[: len(old)] == old
    assert len(new) == len(old) + 5
    assert run(*command, "--vocab-size", 3) == 2
    assert "must be at least" in capsys.readouterr().err


def test_new_tokens_say_which_old_ones_they_are_made_of(
    tokenizer: bpe.Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("new.txt").write_text("zebra zebras zigzag naïve " * 3, "utf-8")
    command = ["continue", "-t", "tokenizer.json", "new.txt", "--merges", 9, "--pieces"]
    assert run(*command, "-o", "more.json") == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "id\ttext\told ids\tcount"
    new, trace = (
        bpe.Tokenizer.from_file("more.json"),
        bpe.continue_training(Path("new.txt").read_text(), tokenizer, merges=9),
    )
    learned = [step for step in trace.steps if step.list_rank is None]
    assert len(lines) == len(learned) == 9
    theirs = tokenizers.Tokenizer.from_file("more.json")
    for line, step in zip(lines, learned, strict=True):
        number, text, pieces, count = line.split("\t")
        old_ids = list(map(int, pieces.split()))
        assert b"".join(tokenizer.vocabulary[one] for one in old_ids) == new.vocabulary[int(number)]
        assert theirs.decode(old_ids) == theirs.decode([int(number)])
        assert text == tokenizer.variant.label(new.vocabulary[int(number)])
        assert int(count) == step.count
    assert run(*command, "-o", "-", "-f", "tokenizer-json") == 2
    assert "name another file with -o" in capsys.readouterr().err


@pytest.mark.usefixtures("tokenizer")
@pytest.mark.parametrize("slug", ["merges-txt", "vocab-json", "tiktoken", "subword-nmt"])
def test_a_format_without_superwords_is_refused_before_a_text_is_read(
    slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["missing.txt", "-o", "new", "--format", slug, "--merges", 5, "--second-pattern", "superbpe"]
    preset = "subword-nmt" if slug == "subword-nmt" else "hf-bytelevel"
    assert run("train", *asked, "--preset", preset, "--second-after", 2) == 2
    assert "cannot hold superwords" in capsys.readouterr().err
    assert run("continue", "-t", "tokenizer.json", *asked) == 2
    sentence = "codes.txt ends words with </w>" if slug == "subword-nmt" else "cannot hold superwords"
    assert sentence in capsys.readouterr().err
    assert not Path("new.trace.json").exists()


@pytest.mark.usefixtures("tokenizer")
def test_what_was_learned_is_kept_if_the_format_cannot_hold_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lines.txt").write_text("a</w>b a</w>b", "utf-8")
    Path("merges.txt").write_text("< /\nw >\na b\n", "utf-8")
    asked = ["-t", "merges.txt", "--variant", "char-eow", "lines.txt", "-o", "new", "-f", "merges-txt"]
    assert run("continue", *asked, "--merges", 6) == 2
    assert "would be read as the marker" in capsys.readouterr().err
    assert json.loads(Path("new.trace.json").read_text("utf-8"))["steps"]


def test_an_encoder_takes_its_settings(tokenizer: bpe.Tokenizer) -> None:
    arguments = ["encode", "-t", "tokenizer.json", "text.txt", "-o", "ids.txt", "--encoder", "dropout"]
    assert run(*arguments, "--dropout-p", 0.5, "--dropout-seed", 7) == 0
    half = bpe.ENCODERS["dropout"].using(p=0.5, seed=7)
    assert list(map(int, Path("ids.txt").read_text().split())) == tokenizer.encode(TEXT, half)


@pytest.mark.usefixtures("tokenizer")
def test_standard_input_and_output_are_used_where_no_file_is_named(tmp_path: Path) -> None:
    def piped(content: bytes, *arguments: str) -> bytes:
        command = [sys.executable, "-m", "bpe", *arguments, "-t", str(tmp_path / "tokenizer.json")]
        return subprocess.run(command, input=content, capture_output=True, check=True, cwd=ROOT).stdout

    ids = piped("naïve\n字".encode(), "encode", "-")
    assert piped(ids, "decode") == "naïve\n字".encode()
    assert piped(b"the\nlow", "encode", "--lines", "--tokens").count(b"\n") == 2
    assert piped(b"[1, 2]\n3", "decode", "--lines").count(b"\n") == 2


def test_export_converts_between_formats(
    tokenizer: bpe.Tokenizer, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = ("-t", "vocab.json", "-t", "merges.txt")
    assert run("export", *pair, "-o", "new.json") == 0
    assert "it is split as in “Bytes, GPT-2 pattern”" in capsys.readouterr().err
    theirs = tokenizers.Tokenizer.from_str(Path("new.json").read_text("utf-8"))
    assert theirs.encode(TEXT).ids == tokenizer.encode(TEXT)
    assert run("export", "-t", "tokenizer.json", "-f", "merges-txt") == 0
    assert capsys.readouterr().out == FORMATS["merges-txt"].write(tokenizer)
    assert run("export", "-t", "tokenizer.json", "-o", "my-vocab.json") == 0
    assert Path("my-vocab.json").read_text("utf-8") == FORMATS["vocab-json"].write(tokenizer)
    assert run("export", "-t", "tokenizer.json", "--replay", "text.txt", "-o", "trace.json") == 0
    assert json.loads(Path("trace.json").read_text("utf-8"))["stopped"] == "end of list"


@pytest.mark.usefixtures("tokenizer")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["encode", "-t", "absent.json", "text.txt"], "absent.json: cannot be read: No such file"),
        (["encode", "-t", "tokenizer.json", "absent.txt"], "absent.txt: cannot be read: No such file"),
        (["encode", "-t", "vocab.json", "text.txt"], "vocab.json: expected tokenizer.json, got a vocabulary"),
        (["encode", "-t", "bytes", "text.txt"], "bytes, line 2: expected UTF-8, got the byte 0xFF"),
        (["encode", "-t", "tokenizer.json", "bytes"], "bytes, line 2: expected UTF-8, got the byte 0xFF"),
        (["encode", "-t", "tokenizer.json", "--dropout-p", "0.1"], "--dropout-p needs --encoder dropout."),
        (["encode", "-t", "no.json", "--encoder", "dropout", "--dropout-p", "2"], "p must be a number from 0 to 1"),
        (["decode", "-t", "tokenizer.json", "text.txt"], "text.txt, line 1: expected an id, got 'Byte'"),
        (["decode", "-t", "tokenizer.json", "ids"], "ids: An id must be a whole number from 0 to 455, or -1"),
        (["export", "-t", "tokenizer.json"], "standard output: the name does not tell the format; choose one"),
        (["export", "-t", "tokenizer.json", "-o", "x.bin"], "x.bin: the name does not tell the format"),
        (["export", "-t", "tokenizer.json", "-o", "trace.json"], "The format trace-json needs a text to replay"),
        (["export", "-t", "tokenizer.json", "-f", "subword-nmt"], "codes.txt ends words with </w>, and the variant"),
        (["export", "-t", "tokenizer.json", "-o", "no/merges.txt"], "no/merges.txt: cannot be written: there is no"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    Path("bytes").write_bytes(b"a b\n\xff")
    Path("ids").write_text("1 2\n9999")
    assert run(*arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("command", ["export", "encode", "decode"])
def test_help_shows_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(command, "--help")
    assert f"  python -m bpe {command} -t " in capsys.readouterr().out


def test_output_that_nobody_reads_is_no_error(tmp_path: Path, tokenizer: bpe.Tokenizer) -> None:
    (tmp_path / "long.txt").write_text(TEXT * 200, "utf-8")
    files = f"-t '{tmp_path}/tokenizer.json' '{tmp_path}/long.txt'"
    command = f"'{sys.executable}' -m bpe encode --lines {files} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stderr == ""
    assert done.stdout == " ".join(map(str, tokenizer.encode(TEXT.split("\n")[0]))) + "\n"


def test_a_file_that_cannot_hold_the_normalization_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cats.txt").write_text("The cat THE cat", "utf-8")
    sentence = "It does not say that lower-casing comes first."
    asked = ["cats.txt", "--variant", "bytes-gpt2", "--merges", 3, "--normalization", "lower"]
    for output, is_reported in {"small.json": False, "merges.txt": True}.items():
        assert run("train", *asked, "-o", output) == 0
        assert (sentence in capsys.readouterr().err) is is_reported
        assert run("export", "-t", "small.json", "-o", f"new-{output}") == 0
        assert (sentence in capsys.readouterr().err) is is_reported
