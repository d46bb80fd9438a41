"""The command `ties`: its figures are those of the trace and of the tie map."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import bpe
from bpe.analysis.ties import tie_map
from bpe.text.display import merge_number
from command_line.commands import main
from tests.command_line.ctrl_c import press_ctrl_c
from tests.material.texts import source

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
    assert f"first at merge {merge_number(first)}: the merge used up occurrences of another tied pair" in text
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
        ["1 merge of 1 (100.0%) was tied", "training ended inside the last one"],
    ),
    "one choice": (
        "abc abc",
        "",
        ["A real choice at merge 1: the merge used up occurrences of another tied pair."],
    ),
    "only the order": (
        "ab ab cd cd",
        "",
        ["No merged pair shared a token with another tied pair: the ties decided the order alone."],
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
        ["432 ways to break the ties, 250 vocabularies, and every one splits the text the same way."],
    ),
    "they part": (
        "hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5,
        ["--merges", "6"],
        ["4 ways to break the ties, 4 vocabularies.", "From merge 4 on two splits remain"],
    ),
    "inside a tie": ("ab cd ef", ["--merges", "2"], ["the training ends inside a tie, with "]),
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
    assert sum(report["outcomes"].values()) == report["tied_merges"]
