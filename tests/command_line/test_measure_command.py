"""The command `measure`: finished tokenizers on texts, as a table, CSV and JSON; and published ones by their slugs."""

import argparse
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sentencepiece
from tokenization_scorer.metrics import get_metric

import bpe
from bpe.analysis.languages import METRICS, gini, measured, values_of
from bpe.formats.hugging_face.writing import write_tokenizer
from command_line.commands import main
from command_line.terminal import number_of_workers, workers
from published.packing import open_published
from tests import ROOT
from tests.material.spm_models import trained

TEXTS = {"en.txt": "It's 12345 steps, 67 up.\nlow lower", "hi.txt": "नमस्ते दुनिया 12", "none.txt": ""}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Write TEXTS to files and return their paths."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in TEXTS]


def test_the_values_are_those_of_the_libraries(tmp_path: Path, files: list[str]) -> None:
    model = tmp_path / "own.model"
    model.write_bytes(trained("as Llama 2"))
    output = tmp_path / "measures.csv"
    arguments = ["measure", "-t", "gpt-2", "-t", str(model), *files, "--csv", "-o", str(output)]
    assert main(arguments) == 0
    rows = list(csv.DictReader(io.StringIO(output.read_text("utf-8-sig"))))
    assert [(row["text"], row["tokenizer"]) for row in rows] == [
        (file, name) for file in files for name in ("gpt-2", str(model))
    ]
    library = sentencepiece.SentencePieceProcessor(model_proto=trained("as Llama 2"))
    pieces = library.encode(TEXTS["en.txt"], out_type=str)
    own = rows[1]
    assert float(own["tokens"]) == len(pieces)
    assert float(own["bytes-per-token"]) == pytest.approx(len(TEXTS["en.txt"]) / len(pieces))
    assert float(own["renyi"]) == pytest.approx(float(get_metric("renyi_efficiency")([pieces], power=2.5)))
    assert float(own["digits-per-token"]) == 1  # this model splits digits
    assert float(rows[2]["premium"]) == float(rows[2]["tokens"]) / float(rows[0]["tokens"])
    assert rows[4]["bytes-per-token"] == ""  # of an empty text
    of_own = [float(row["tokens"]) for row in rows[1::2]]
    assert [float(row["gini"]) for row in rows[1::2]] == [gini(of_own)] * 3


# Text in which these models have no piece for some characters, alone and in runs
UNSEEN = "Das ist ein Text mit Ж und Щ, mit ԱԲԳ und noch einmal Ж. Жук! 12 ԱԲ 345.\n" * 3


def test_unknown_tokens_share_one_id_and_stand_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, text, output = tmp_path / "own.model", tmp_path / "text.txt", tmp_path / "measures.csv"
    model.write_bytes(trained("identity"))
    text.write_text(UNSEEN, encoding="utf-8")
    library = sentencepiece.SentencePieceProcessor(model_proto=trained("identity"))
    ids = library.encode(UNSEEN)
    unknown = ids.count(library.unk_id())
    assert unknown > 10
    arguments = ["measure", "-t", str(model), str(text)]
    assert main([*arguments, "--csv", "-o", str(output)]) == 0
    (row,) = csv.DictReader(io.StringIO(output.read_text("utf-8-sig")))
    assert (int(float(row["tokens"])), int(row["unknown_tokens"])) == (len(ids), unknown)
    expected = get_metric("renyi_efficiency")([[str(number) for number in ids]], power=2.5)
    assert float(row["renyi"]) == pytest.approx(float(expected))
    capsys.readouterr()
    assert main(arguments) == 0
    head, values, *_ = capsys.readouterr().out.splitlines()
    assert head.endswith("  Unknown tokens")
    assert values.split()[-1] == f"{unknown:,}"


def test_the_table_says_why_a_tokenizer_that_changes_the_text_has_no_digits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, text = tmp_path / "own.model", tmp_path / "text.txt"
    model.write_bytes(trained("as the library does by default"))
    text.write_text("ＡＢ 12", encoding="utf-8")  # NFKC makes plain letters of these
    assert main(["measure", "-t", str(model), str(text)]) == 0
    assert "If a tokenizer changes the text" in capsys.readouterr().out
    assert main(["measure", "-t", "gpt-2", str(text)]) == 0
    assert "If a tokenizer changes the text" not in capsys.readouterr().out


def test_the_table_explains_its_figures(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "-t", "gpt-2", *files[:2], "--base", files[1], "--explain"]) == 0
    out = capsys.readouterr().out
    assert f"The base text is {files[1]}" in out
    for row in METRICS.values():
        assert row.title in out
        assert f"{row.does_not_predict} ({row.source}.)" in out


def test_a_sentence_says_what_comes_on_top(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "-t", "gpt-2", files[0], "--explain"]) == 0
    assert (
        "tokens for the beginning of the text and those of a chat template come on top"
        in capsys.readouterr().out
    )


def test_special_tokens_are_recognised_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text("<|im_start|>user\nHow many tokens?<|im_end|>\n", "utf-8")
    settings = {**bpe.PRESETS["hf-bytelevel"].settings, "special_tokens": ["<|im_start|>", "<|im_end|>"]}
    tokenizer, tokens = bpe.train("how many tokens", merges=3, **settings).tokenizer(), []
    file = tmp_path / "own.json"
    file.write_text(write_tokenizer(tokenizer), "utf-8")
    for option, allow_special in ((["--allow-special"], True), ([], False)):
        assert main(["measure", "-t", str(file), str(chat), "--json", *option]) == 0
        (row,) = json.loads(capsys.readouterr().out)["values"]
        tokens.append(len(tokenizer.encode(chat.read_text("utf-8"), allow_special=allow_special)))
        assert (row["tokens"], row["unknown_tokens"]) == (tokens[-1], 0)
    assert tokens[0] < tokens[1]


def test_the_json_has_hashes_and_formulas(tmp_path: Path, files: list[str]) -> None:
    output = tmp_path / "measures.json"
    assert main(["measure", "-t", "gpt-2", *files, "--json", "-o", str(output)]) == 0
    content = json.loads(output.read_text("utf-8"))
    assert list(content["texts"]) == files
    assert content["tokenizers"] == {"gpt-2": "OpenAI, 2019–2020; 50,000 merges, 50,257 tokens"}
    assert content["measures"].keys() == METRICS.keys()
    assert len(content["values"]) == len(files)


def test_ends_of_words_and_digits_are_counted_in_the_typed_text() -> None:
    tokenizer = open_published("mistral-7b").tokenizer
    one = measured(tokenizer, "mistral-7b", "a", "f(x) = 2024 it's")
    assert (one.digits, one.digit_tokens) == (4, 4)
    assert one.word_ends == 3  # f, x and it: the last one is the end of the text
    lossy = measured(tokenizer, "mistral-7b", "a", "typed \u2581 12")
    assert lossy.digits is None
    assert values_of([lossy], "a")[0]["digits-per-token"] is None


def test_a_file_name_of_any_bytes_is_written_and_is_no_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A name that is not UTF-8 reaches Python as lone surrogates, which no output can hold."""
    monkeypatch.chdir(tmp_path)
    names = ["=1+1", os.fsdecode(b"\xff.txt")]
    for name in names:
        Path(name).write_text("low lower")
    assert main(["measure", "-t", "gpt-2", *names, "--csv", "-o", "measures.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("measures.csv").read_text("utf-8-sig"))))
    assert [row["text"] for row in rows] == ["'=1+1", r"\udcff.txt"]
    assert main(["measure", "-t", "gpt-2", *names]) == 0
    assert rb"\udcff.txt" in capsysbinary.readouterr().out
    assert main(["film", names[1], "-o", "film.html", "--merges", "1"]) == 0
    assert r"\udcff.txt" in Path("film.html").read_text("utf-8")
    Path("other.txt").write_text("wide newest")
    asked = ["--held-out", "other.txt", "--lanes", "first,last", "--merges", "1", "--draws", "0"]
    assert main(["compare", names[1], *asked, "-o", "tables.csv"]) == 0
    Path("tables.csv").read_text("utf-8")


RETIRED = {
    "languages": (["languages", "en.txt", "--parity", "tokens"], "The command measure replaces languages"),
    "audit": (["audit", "-t", "gpt-2", "en.txt"], "There is no command audit any more"),
    "compare --workers": (
        ["compare", "en.txt", "--lanes", "first,last", "--workers", "2"],
        "compare needs no --workers any more",
    ),
    "compare --workers=": (
        ["compare", "en.txt", "--lanes", "first,last", "--workers=2"],
        "compare needs no --workers any more",
    ),
}


@pytest.mark.parametrize(("arguments", "sentence"), RETIRED.values(), ids=RETIRED)
def test_what_an_earlier_version_had_is_answered_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1


REFUSED = {
    "no such tokenizer": (
        ["-t", "gpt-99"],
        "no file or published tokenizer 'gpt-99'; the published ones are gpt-4o",
    ),
    "mistyped": (["-t", "gpt2"], "gpt2: there is no such file. Did you mean gpt-2?"),
    "one letter of four": (["-t", "quen"], "quen: there is no such file. Did you mean qwen?"),
    "mistyped, of two files": (
        ["-t", "merges.txt+GPT4o"],
        "GPT4o: there is no such file. Did you mean gpt-4o?",
    ),
    "a version with a dot": (
        ["-t", "gpt-3.9"],
        "no file or published tokenizer 'gpt-3.9'; the published ones are gpt-4o",
    ),
    "a model": (
        ["-t", "gpt-3.5"],
        "gpt-3.5: there is no such file. Did you mean gpt-4, the tokenizer of GPT-3.5?",
    ),
    "a model like another": (["-t", "gpt-4.1"], "Did you mean gpt-4o, the tokenizer of GPT-4.1?"),
    "tiktoken's name": (["-t", "o200k_base"], "o200k_base: there is no such file. Did you mean gpt-4o?"),
    "no such file": (["-t", "none.json"], "none.json: cannot be read"),
    "twice": (["-t", "gpt-2", "-t", "gpt-2"], "must be named once"),
    "base": (["-t", "gpt-2", "--base", "x"], "--base must be one of the texts"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_measured_gets_a_sentence(
    name: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, sentence = REFUSED[name]
    assert main(["measure", *arguments, *files]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["encode", "-t", "gpt2"], "gpt2: there is no such file. Did you mean gpt-2?"),
        (["decode", "-t", "qwenn"], "qwenn: there is no such file. Did you mean qwen?"),
        # Its tokenizer is another one, which is not shipped.
        (
            ["decode", "-t", "qwen2.5"],
            "no file or published tokenizer 'qwen2.5'; the published ones are gpt-4o,",
        ),
        (["export", "-t", "mistral7b", "-o", "x.json"], "Did you mean mistral-7b?"),
        (["compare", "en.txt", "--lanes", "gpt2,first"], "file 'gpt2'. Did you mean gpt-2?"),
        (["compare", "en.txt", "--lanes", "hf-bytelvel,first"], "'hf-bytelvel'. Did you mean hf-bytelevel?"),
        (["compare", "en.txt", "--lanes", "zebra,first"], "'zebra'; choose from first"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_near_ones(
    command: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_encode_and_compare_take_a_slug(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "-t", "gpt-2", files[0]]) == 0
    ids = list(map(int, capsys.readouterr().out.split()))
    assert open_published("gpt-2").tokenizer.decode(ids) == TEXTS["en.txt"]
    lanes = ["--lanes", "gpt-2,gpt-4", "--held-out", files[1]]
    assert main(["compare", files[0], *lanes]) == 0
    assert "GPT-2 (r50k_base)" in capsys.readouterr().out


# Work in other processes.


def test_one_worker_is_this_process() -> None:
    with workers(1) as executor:
        assert executor is None


@pytest.mark.parametrize("text", ["0", "-1", "two", "65", "9" * 5000, ""])
def test_a_number_of_workers_is_a_small_whole_number(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="from 1 to 64"):
        number_of_workers(text)


# A job in the background of a shell without a terminal ignores Ctrl-C, and so would this process and its workers.
LONG = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from command_line.commands import main
sys.exit(main(["count", sys.argv[1], "-o", sys.argv[1] + ".json", "--workers", "2"]))
"""


def test_ctrl_c_ends_the_workers_in_the_middle_of_their_counting(tmp_path: Path) -> None:
    """Ctrl-C in a terminal reaches the command and its workers alike."""
    text = tmp_path / "text.txt"
    lines = "".join(f"{number * 7919:x}z{number * 104729:o}\n" for number in range(20_000))
    text.write_text(100 * lines, "utf-8")
    command = subprocess.Popen(
        [sys.executable, "-c", LONG, str(text)],
        cwd=ROOT,
        start_new_session=True,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    while len(children(command.pid)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    started = children(command.pid)
    time.sleep(0.5)
    os.killpg(command.pid, signal.SIGINT)
    _, errors = command.communicate(timeout=30)
    assert len(started) >= 2
    assert command.returncode != 0
    assert b"Traceback" not in errors
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return list(map(int, path.read_text("ascii").split())) if path.exists() else []
