"""`python -m bpe compare` with tokenizers from files: the replay is measured, and a bad file gets a sentence."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bpe
from bpe.comparison.evidence import evidence
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer
from command_line.commands import main
from tests.material.texts import source

TRAINING, HELD_OUT = source()[:3_000], source()[20_000:26_000]

# Writes a tokenizer into a folder, and returns the lane that names it.
Write = Callable[[Path, bpe.Trace], str]


def one_file(slug: str, name: str) -> Write:
    def write(folder: Path, trace: bpe.Trace) -> str:
        (folder / name).write_text(FORMATS[slug].export(trace, len(trace.steps)), "utf-8", newline="")
        return str(folder / name)

    return write


def two_files(folder: Path, trace: bpe.Trace) -> str:
    merges = one_file("merges-txt", "merges.txt")(folder, trace)
    return f"{one_file('vocab-json', 'vocab.json')(folder, trace)}+{merges}"


LANES: dict[str, tuple[str, Write, list[str]]] = {  # variant, writer, names of the files
    "tokenizer.json": ("bytes-gpt2", one_file("tokenizer-json", "tokenizer.json"), ["tokenizer.json"]),
    "ranks": ("bytes-gpt4", one_file("tiktoken", "my.tiktoken"), ["my.tiktoken"]),
    "codes": ("char-eow", one_file("merges-txt", "codes.txt"), ["codes.txt"]),
    "two files": ("bytes-gpt2", two_files, ["vocab.json", "merges.txt"]),
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Write the texts, and return the command that compares lanes on them, but for the lanes."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in (("training.txt", TRAINING), ("held_out.txt", HELD_OUT)):
        (folder / name).write_bytes(text.encode())
    files = (str(folder / "training.txt"), "--held-out", str(folder / "held_out.txt"))
    return ("compare", *files, "--merges", "60", "--draws", "0")


def report_of(texts: tuple[str, ...], lanes: str, folder: Path, ending: str = "json") -> Any:
    path = folder / f"report.{ending}"
    assert main([*texts, "--lanes", lanes, "-o", str(path)]) == 0
    return json.loads(path.read_text("utf-8")) if ending == "json" else path.read_text("utf-8")


@pytest.mark.parametrize(("variant", "write", "names"), LANES.values(), ids=LANES)
def test_a_tokenizer_from_a_file_is_a_lane(
    variant: str, write: Write, names: list[str], texts: tuple[str, ...], tmp_path: Path
) -> None:
    learned = bpe.train(HELD_OUT[::-1] + TRAINING, variant, "pair-max", merges=90)
    lane = write(tmp_path, learned)
    report = report_of(texts, f"{lane},hf-bytelevel", tmp_path)
    contents = {path: Path(path).read_bytes() for path in lane.split("+")}
    opened = open_tokenizer(contents)
    preset = bpe.PRESETS["hf-bytelevel"].settings
    traces = [bpe.replay(TRAINING, opened.tokenizer), bpe.train(TRAINING, merges=60, **preset)]
    measured = evidence(traces, [HELD_OUT], TRAINING)
    (pair,) = report["tables"]["pairs"]["rows"]
    assert pair[2] == measured.pairs[0].same_splits.value
    of_file, of_preset = report["manifest"]["lanes"]
    assert of_file["title"] == " and ".join(names)
    assert of_file["about"].endswith(f"90 merges, {len(opened.tokenizer.vocabulary)} tokens")
    assert of_file["merges"] == len(traces[0].steps)
    assert [(file["name"], file["sha256"]) for file in of_file["tokenizer_files"]] == [
        (name, hashlib.sha256(content).hexdigest())
        for name, content in zip(names, contents.values(), strict=True)
    ]
    assert of_preset["tokenizer_files"] == []


def test_files_of_one_name_are_told_apart_and_a_report_is_made_of_files_alone(
    texts: tuple[str, ...], tmp_path: Path
) -> None:
    lanes = []
    for name, rule in (("old", "first"), ("new", "pair-max")):
        (tmp_path / name).mkdir()
        trace = bpe.train(TRAINING, "bytes-gpt2", rule, merges=40)
        lanes.append(one_file("tokenizer-json", "tokenizer.json")(tmp_path / name, trace))
    report = report_of(texts, ",".join(lanes), tmp_path)
    described = report["manifest"]["lanes"]
    assert [lane["title"] for lane in described] == lanes
    assert {lane["trained_on"] for lane in described} == {"unknown: the merges come from a file"}
    assert report["manifest"]["random_draws"] is None
    page = report_of(texts, ",".join(lanes), tmp_path, "html")
    assert "tokenizer.json; 40 merges, 296 tokens" in page
    assert hashlib.sha256(Path(lanes[0]).read_bytes()).hexdigest() in page


def test_a_variant_that_is_given_splits_the_text_of_a_file_that_does_not_say_it(
    texts: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = bpe.train(TRAINING, "bytes-gpt2", merges=60)
    ranks = one_file("tiktoken", "my.tiktoken")(tmp_path, trace)
    report = report_of(texts, f"{ranks},first", tmp_path)
    assert "my.tiktoken: The file does not say how text is split" in capsys.readouterr().err
    assert report["manifest"]["lanes"][0]["settings"] == {"variant": "bytes-gpt4"}
    report = report_of((*texts, "--variant", "bytes-gpt2"), f"{ranks},first", tmp_path)
    assert report["verdict"]["answer"] == "no"
    assert "does not say" not in capsys.readouterr().err


def test_a_training_has_as_many_merges_as_the_largest_file_unless_another_number_is_given(
    texts: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lanes = []
    for merges in (30, 45):
        trace = bpe.train(HELD_OUT, "bytes-gpt2", merges=merges)
        lanes.append(one_file("tokenizer-json", f"{merges}.json")(tmp_path, trace))
    default = tuple(word for word in texts if word not in ("--merges", "60"))
    report = report_of(default, ",".join([*lanes, "first"]), tmp_path)
    assert report["manifest"]["lanes"][2]["merges"] == 45
    sentence = "Each training may learn 45 merges, as many as “45.json” has."
    assert report["manifest"]["note"].startswith(sentence)
    assert "The lanes have 30 to 45 merges" in report["verdict"]["headline"]
    assert sentence in capsys.readouterr().out
    assert sentence in report_of(default, ",".join([*lanes, "first"]), tmp_path, "html")
    assert sentence in report_of(default, ",".join([*lanes, "first"]), tmp_path, "csv")
    chosen = report_of(texts, ",".join([*lanes, "first"]), tmp_path)
    assert (chosen["manifest"]["lanes"][2]["merges"], chosen["manifest"]["note"]) == (60, "")


REFUSED = {
    "no such file": ("{folder}/none.json", "none.json: cannot be read: No such file"),
    "a folder": ("{folder}", "cannot be read: Is a directory"),
    "a picture": ("{folder}/cat.json", "cat.json: expected the file of a tokenizer, got a PNG picture"),
    "a share file": (
        "{folder}/share.json",
        "share.json: expected a tokenizer, got a share file, which holds a text and settings",
    ),
    "a text": (
        "{folder}/text.txt",
        "text.txt: expected tokenizer.json, a list of merges or a .tiktoken file, got a text",
    ),
    "half of two files": ("{folder}/cat.json+{folder}/none.txt", "none.txt: cannot be read"),
    "no name": ("+", "must name different files"),
    "an endless seed": (f"random_s{'1' * 5_000}", "must be a whole number of at most 1,000 digits"),
    "one file twice": ("{folder}/codes.txt,{folder}/copy.txt", "copy.txt' are the same lane"),
    "no file and no slug": ("forst", "there is no rule, preset, tokenizer or file 'forst'"),
    "a long name": ("x" * 5_000, "there is no rule, preset, tokenizer or file 'xxx"),
}


@pytest.mark.parametrize(("lane", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_a_lane_gets_one_sentence(
    lane: str, sentence: str, texts: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cat.json").write_bytes(b"\x89PNG")
    (tmp_path / "share.json").write_text(
        '{"format": "merge-by-merge share file, version 1", "corpus": {"documents": ["\\"model\\""]}}'
    )
    (tmp_path / "text.txt").write_text("not a tokenizer\n")
    for name in ("codes", "copy"):
        (tmp_path / f"{name}.txt").write_text("#version: 0.2\na b</w>\n")
    assert main([*texts, "--lanes", f"first,{lane.format(folder=tmp_path)}"]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    *_, last = written.err.strip().splitlines()
    assert sentence in last
    assert len(last) < 1_000
