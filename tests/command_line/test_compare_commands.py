"""The commands `compare` and `ties`: what they write has the core's numbers; what cannot be compared is refused."""

import csv
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import bpe
from bpe.analysis.ties import tie_map, why_won
from bpe.comparison import verdict
from bpe.comparison.evidence import evidence
from bpe.comparison.held_out import TOO_SHORT, set_aside
from bpe.text.display import merge_number
from command_line.commands import main
from tests.command_line.ctrl_c import press_ctrl_c
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


def test_the_command_writes_the_tables_of_its_comparison(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(files, "--draws", "2", "-o", str(tmp_path / "tables.csv")) == 0
    rows = list(csv.reader((tmp_path / "tables.csv").read_text("utf-8-sig").splitlines()))
    assert rows[0] == ["answer", capsys.readouterr().out.replace("\n", " ").strip()]
    traces = [
        bpe.train(TRAINING, "bytes-gpt2", "first", merges=60),
        bpe.train(TRAINING, "bytes-gpt2", "random", merges=60, seed=3),
        bpe.train(TRAINING, merges=60, **bpe.PRESETS["hf-bytelevel"].settings),
    ]
    measured = evidence(traces, [HELD_OUT], TRAINING)
    begin = rows.index(["Lanes"])
    assert [int(row[5]) for row in rows[begin + 2 : begin + 5]] == [lane.tokens for lane in measured.lanes]


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
    "an ending": ({}, ("-o", "report.html"), "says HTML, but CSV would be written"),
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


def test_without_a_held_out_file_every_tenth_part_is_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = source()
    (tmp_path / "long.txt").write_bytes(text.encode())
    command = [
        "compare",
        str(tmp_path / "long.txt"),
        "--lanes",
        "first,last",
        "--merges",
        "60",
        "--draws",
        "0",
    ]
    assert main(command) == 0
    written = capsys.readouterr()
    assert "Held out: every tenth part of your text, which is set aside." in written.err
    rest, aside = set_aside([text])
    traces = [bpe.train(rest, "bytes-gpt2", rule, merges=60) for rule in ("first", "last")]
    measured = evidence(traces, aside, rest)
    titles = [bpe.TIE_BREAKS[rule].title for rule in ("first", "last")]
    assert written.out.startswith(verdict.headline(measured, titles))


def test_a_text_that_is_too_short_for_a_part_gets_an_example(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "short.txt").write_text("low lower", "utf-8")
    command = ["compare", str(tmp_path / "short.txt"), "--lanes", "first,last"]
    assert main(command) == 0
    assert f"Held out: an example sentence, because {TOO_SHORT}." in capsys.readouterr().err


def test_an_empty_held_out_file_is_refused_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("text.txt", "low lower"), ("empty.txt", " \n")):
        (tmp_path / name).write_text(text, "utf-8")
    files = [str(tmp_path / "text.txt"), "--held-out", str(tmp_path / "empty.txt")]
    assert main(["compare", *files, "--lanes", "first,last"]) == 2
    assert capsys.readouterr().err == "python -m bpe: The held-out text must hold more than white space.\n"


# The command `ties`: its figures are those of the trace and of the tie map.

TEXT = source()[:4_000]
SETTINGS = bpe.PRESETS["hf-bytelevel"].settings


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write TEXT to a file and return its path."""
    path = tmp_path / "source.txt"
    path.write_bytes(TEXT.encode())
    return str(path)


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command and return what it writes to standard output."""
    capsys.readouterr()
    assert main(["ties", *arguments]) == 0
    return capsys.readouterr().out


def test_json_holds_every_tie_with_its_outcome(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    trace = bpe.train(TEXT, merges=150, **SETTINGS)
    ties = tie_map(trace)
    report = json.loads(output(capsys, file, "--preset", "hf-bytelevel", "--merges", "150", "--json"))
    label = trace.variant.label
    assert report["ties"] == [
        {
            "rank": step.rank,
            "tied": step.tied,
            "count": step.count,
            "left": label(step.pair[0]),
            "right": label(step.pair[1]),
            "reason": why_won(trace, step.rank),
            "outcome": kind,
        }
        for step, kind in zip(trace.steps, ties.kinds, strict=True)
        if step.tied > 1
    ]
    assert report["tied_merges"] == len(report["ties"]) > 50
    assert report["largest"] == {"rank": ties.largest, "tied": max(ties.tied)}
    assert sum(report["outcomes"].values()) == report["tied_merges"]
    assert report["settings"] == trace.settings
    assert (report["merges"], report["stopped"], report["bpe"]) == (150, "merges", bpe.__version__)


def test_the_table_adds_up_to_the_sentences(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    trace = bpe.train(TEXT, merges=150, **SETTINGS)
    ties = tie_map(trace)
    text = output(capsys, file, "--preset", "hf-bytelevel", "--merges", "150", "--list")
    parts = re.findall(r"^ *([\d,]+)–([\d,]+) +(\d+) +(\d*) +(\d+) +(\d+) +(\d+)$", text, re.MULTILINE)
    begins, ends, tied, largest, order_only, choices, still_open = zip(*parts, strict=True)
    assert (begins[0], ends[-1]) == ("1", "150")
    assert all(int(begin) == int(end) + 1 for end, begin in zip(ends, begins[1:], strict=False))
    assert sum(map(int, tied)) == ties.steps_tied
    assert max(map(int, largest)) == max(ties.tied)
    for kind, column in (("order only", order_only), ("choice", choices), ("open", still_open)):
        assert sum(map(int, column)) == ties.kinds.count(kind)
    assert f"{ties.steps_tied} merges of 150 ({ties.steps_tied / 1.5:.1f}%) were tied" in text
    first = next(rank for rank, kind in enumerate(ties.kinds) if kind == "choice")
    assert (
        f"first at merge {merge_number(first)}: the merged pair shared a token with another tied pair" in text
    )
    listed = re.findall(r"^ *(\d+) +\d+ +\d+ +(order only|choice|open) ", text, re.MULTILINE)
    assert listed == [(merge_number(rank), kind) for rank, kind in enumerate(ties.kinds) if kind != "none"]


CASES = {
    "nothing to merge": ("", "", ["0 merges: no pairs are left"]),
    "no tie": (
        "ab ab",
        "1",
        ["1 merge: that was the limit.", "No merge was tied, so every rule learns these merges"],
    ),
    "one tie": (
        "abc abc",
        "1",
        [
            "1 merge of 1 (100.0%) was tied",
            "Pairs in a tie: 2. The largest",
            "training ended inside the last tie",
        ],
    ),
    "one choice": (
        "abc abc",
        "",
        ["A real choice at merge 1: the merged pair shared a token with another tied pair."],
    ),
    "only the order": (
        "ab ab cd cd",
        "",
        ["No merged pair shared a token with another tied pair: the ties only decided the order."],
    ),
}


@pytest.mark.parametrize(("text", "merges", "sentences"), CASES.values(), ids=CASES)
def test_every_outcome_has_its_sentence(
    text: str, merges: str, sentences: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(text, "utf-8")
    stop = ["--merges", merges] if merges else []
    written = output(capsys, str(tmp_path / "a.txt"), "--variant", "bytes-whitespace", *stop)
    assert [sentence for sentence in sentences if sentence not in written] == []
    assert ("No merge was tied" in written) == ("No merge was tied" in " ".join(sentences))


def test_counted_words_and_a_file_to_write(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts, written = tmp_path / "counts.json", tmp_path / "ties.json"
    assert main(["count", file, "-o", str(counts)]) == 0
    from_counts = output(capsys, str(counts), "--merges", "40", "--json")
    assert from_counts == output(capsys, file, "--merges", "40", "--json")
    assert output(capsys, file, "--merges", "40", "--json", "-o", str(written)) == ""
    assert written.read_text("utf-8") == from_counts


def test_a_part_is_never_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("abcd abcd", "utf-8")
    text = output(capsys, str(tmp_path / "a.txt"), "--variant", "bytes-whitespace")
    rows = re.findall(r"^ *(\d+)  +\d", text, re.MULTILINE)
    assert rows
    assert all(int(later) == int(earlier) + 1 for earlier, later in pairwise(rows))


def test_ctrl_c_reports_the_merges_so_far(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    press_ctrl_c(monkeypatch, at="20 merges")
    assert main(["ties", file, "--merges", "100"]) == 130
    assert "20 merges: the training was stopped here." in capsys.readouterr().out


WAYS = {
    "they meet": (
        "low low low low low lower lower newest newest newest newest newest newest widest widest widest",
        ["--merges", "12"],
        ["432 ways "],
    ),
    "they part": (
        "hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5,
        ["--merges", "6"],
        ["4 ways ", "From merge 4 on, "],
    ),
    "too many to compare": (
        "The Lane\n\nTwelve neighbours live in a lane. Before the fair ",
        ["--merges", "8"],
        ["We stopped listing after 4 merges."],
    ),
    "inside a tie": ("ab cd ef", ["--merges", "2"], ["Training ends inside a tie, with "]),
    "no tie": ("a", ["--merges", "1"], ["so every rule learns these merges in this order."]),
}


@pytest.mark.parametrize(("text", "options", "sentences"), WAYS.values(), ids=WAYS)
def test_all_ways_are_said_in_sentences(
    text: str, options: list[str], sentences: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(text, "utf-8")
    arguments = [str(tmp_path / "a.txt"), "--variant", "char-eow", *options, "--all-ways"]
    written = output(capsys, *arguments)
    assert [sentence for sentence in sentences if sentence not in written] == []
    report = json.loads(output(capsys, *arguments, "--json"))
    graph = bpe.tie_graph(text, merges=int(options[1]))
    assert report["all_ways"]["splits"] == graph.splits
    assert (report["all_ways"]["complete"], report["all_ways"]["stopped"]) == (graph.complete, graph.stopped)
    assert sum(report["outcomes"].values()) == report["tied_merges"]
