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
    begins, ends, tied, largest, harmless, cascaded, still_open = zip(*parts, strict=True)
    assert (begins[0], ends[-1]) == ("1", "150")
    assert all(int(begin) == int(end) + 1 for end, begin in zip(ends, begins[1:], strict=False))
    assert sum(map(int, tied)) == ties.steps_tied
    assert max(map(int, largest)) == max(ties.tied)
    for kind, column in (("harmless", harmless), ("cascaded", cascaded), ("open", still_open)):
        assert sum(map(int, column)) == ties.kinds.count(kind)
    assert f"{ties.steps_tied} merges of 150 ({ties.steps_tied / 1.5:.1f}%) were tied" in text
    first = next(rank for rank, kind in enumerate(ties.kinds) if kind in ("cascaded", "open"))
    assert (
        f"first at merge {merge_number(first)}, a tied pair lost some of its count or was never merged"
        in text
    )
    listed = re.findall(r"^ *(\d+) +\d+ +\d+ +(harmless|cascaded|open) ", text, re.MULTILINE)
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
        ["1 merge of 1 (100.0%) was tied", "At merge 1, a tied pair lost some of its count"],
    ),
    "only harmless": (
        "ab ab cd cd",
        "",
        ["Every tied pair was merged in the end, while it had that count: the rule only chose the order."],
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
