"""The command `compare`: the report that it writes has the core's numbers, and what cannot be compared is refused."""

import hashlib
import json
from pathlib import Path

import pytest

import bpe
from bpe.comparison import verdict_text
from bpe.comparison.evidence import evidence
from bpe.comparison.held_out import EXAMPLE, TOO_SHORT, set_aside
from command_line.commands import main
from tests.film.report_reader import packed
from tests.material.texts import source

TRAINING, HELD_OUT = source()[:3_000], source()[20_000:26_000]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Write a text to train on and one to hold out; return their paths."""
    for name, text in (("training.txt", TRAINING), ("held_out.txt", HELD_OUT)):
        (tmp_path / name).write_bytes(text.encode())
    return str(tmp_path / "training.txt"), str(tmp_path / "held_out.txt")


def compare(files: tuple[str, str], *more: str, lanes: str = "first,random_s3,hf-bytelevel") -> int:
    return main(["compare", files[0], "--lanes", lanes, "--held-out", files[1], "--merges", "60", *more])


def test_the_command_writes_the_report_that_its_output_names(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in ("html", "json", "csv"):
        assert compare(files, "--draws", "2", "-o", str(tmp_path / f"report.{ending}")) == 0
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    spoken = [report["verdict"]["headline"], *report["verdict"]["sentences"]]
    assert capsys.readouterr().out == "".join(f"{sentence}\n" for sentence in spoken) * 3
    content = report["manifest"]
    assert content["training_texts"][0]["sha256"] == hashlib.sha256(Path(files[0]).read_bytes()).hexdigest()
    assert [lane["settings"]["tie_break"] for lane in content["lanes"]] == ["first", "random", "ids-min"]
    assert content["lanes"][1]["settings"]["seed"] == 3
    assert content["random_draws"]["seeds"] == [0, 1]
    traces = [
        bpe.train(TRAINING, "bytes-gpt2", "first", merges=60),
        bpe.train(TRAINING, "bytes-gpt2", "random", merges=60, seed=3),
        bpe.train(TRAINING, merges=60, **bpe.PRESETS["hf-bytelevel"].settings),
    ]
    measured = evidence(traces, [HELD_OUT], TRAINING)
    assert report["verdict"]["answer"] == measured.verdict.answer
    assert [row[2] for row in report["tables"]["pairs"]["rows"]] == [
        pair.same_splits.value for pair in measured.pairs
    ]
    page = (tmp_path / "report.html").read_text("utf-8")
    assert packed(page, "comparison.json").decode() == (tmp_path / "report.json").read_text("utf-8")
    assert packed(page, "comparison.csv") == (tmp_path / "report.csv").read_bytes()


REFUSED = {
    "an unknown lane": ({"lanes": "first,forst"}, (), "there is no rule, preset, tokenizer or file 'forst'"),
    "one lane": ({"lanes": "first"}, (), "--lanes needs 2 to 8 different lanes"),
    "a lane twice": ({"lanes": "first,first"}, (), "--lanes needs 2 to 8 different lanes"),
    "a seed twice": ({"lanes": "random,random_s0"}, (), "'random' and 'random_s0' are the same lane"),
    "a seed for nothing": ({"lanes": "first,last_s3"}, (), "is not random"),
    "a seed that is none": ({"lanes": "first,random_sx"}, (), "must be a whole number"),
    "picking by hand": (
        {"lanes": "first,manual"},
        (),
        "there is no rule, preset, tokenizer or file 'manual'",
    ),
    "an ending": ({}, ("-o", "report.pdf"), "must end in .html, .json, .csv"),
    "one draw": ({}, ("--draws", "1"), "--draws must be 0, or at least 2"),
}


@pytest.mark.parametrize(("named", "more", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_comparison_that_cannot_be_made_is_refused_in_a_sentence(
    named: dict[str, str],
    more: tuple[str, ...],
    sentence: str,
    files: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert compare(files, *more, **named) == 2
    written = capsys.readouterr()
    assert sentence in written.err
    assert written.out == ""


def test_a_training_text_cannot_be_held_out(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare((files[0], files[0])) == 2
    assert "a text that lanes are trained on cannot be held out" in capsys.readouterr().err


def test_a_copy_of_the_training_text_gets_no_answer(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(Path(files[0]).read_bytes() + b"\n")
    assert compare((files[0], str(copy)), "--draws", "0") == 0
    spoken = capsys.readouterr().out
    assert spoken.startswith(
        "The text is not held out: all of its sequences of 8 words occur in the training"
    )
    assert "A text that was trained on cannot tell how new text is split." in spoken


def test_without_a_held_out_file_every_tenth_part_is_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = source()
    (tmp_path / "long.txt").write_bytes(text.encode())
    report = tmp_path / "report.json"
    command = [
        "compare",
        str(tmp_path / "long.txt"),
        "--lanes",
        "first,last",
        "--merges",
        "60",
        "--draws",
        "0",
        "-o",
        str(report),
    ]
    assert main(command) == 0
    assert "Held out: every tenth part of your text, which is set aside." in capsys.readouterr().err
    written = json.loads(report.read_text("utf-8"))
    rest, aside = set_aside([text])
    traces = [bpe.train(rest, "bytes-gpt2", rule, merges=60) for rule in ("first", "last")]
    measured = evidence(traces, aside, rest)
    assert written["verdict"]["headline"] == verdict_text.headline(
        measured, [lane["title"] for lane in written["manifest"]["lanes"]]
    )
    assert written["tables"]["pairs"]["rows"][0][2] == measured.pairs[0].same_splits.value
    assert written["manifest"]["trained_characters"] == sum(map(len, rest))
    assert main([*command[:-1], str(tmp_path / "report.html")]) == 0
    trained = f"The lanes were trained on {sum(map(len, rest)):,} of {len(text):,} characters"
    assert trained in (tmp_path / "report.html").read_text("utf-8")
    (of_part,) = written["manifest"]["held_out_texts"]
    assert of_part["sha256"] == hashlib.sha256("".join(aside).encode()).hexdigest()


def test_a_text_that_is_too_short_for_a_part_gets_an_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    (tmp_path / "short.txt").write_text("low lower", "utf-8")
    command = ["compare", str(tmp_path / "short.txt"), "--lanes", "first,last", "-o", str(report)]
    assert main(command) == 0
    assert f"Held out: an example sentence, because {TOO_SHORT}." in capsys.readouterr().err
    written = json.loads(report.read_text("utf-8"))["manifest"]
    assert written["trained_characters"] == len("low lower")
    (text,) = written["held_out_texts"]
    assert text["sha256"] == hashlib.sha256(EXAMPLE.encode()).hexdigest()


def test_an_empty_held_out_file_is_refused_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("text.txt", "low lower"), ("empty.txt", " \n")):
        (tmp_path / name).write_text(text, "utf-8")
    files = [str(tmp_path / "text.txt"), "--held-out", str(tmp_path / "empty.txt")]
    assert main(["compare", *files, "--lanes", "first,last"]) == 2
    assert capsys.readouterr().err == "python -m bpe: The held-out text must hold more than white space.\n"


def test_a_report_is_the_same_from_any_number_of_processes(files: tuple[str, str], tmp_path: Path) -> None:
    for number in ("1", "2"):
        assert (
            compare(files, "--draws", "3", "--workers", number, "-o", str(tmp_path / f"{number}.json")) == 0
        )
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
