"""The command `languages`: its table and its CSV hold what the core computes."""

import csv
import io
import os
from pathlib import Path

import pytest

from bpe import PRESETS, train
from bpe.analysis.language_metrics import METRICS
from bpe.analysis.languages import document_curves
from bpe.analysis.parity_aware import parity_aware
from command_line.commands import main

TEXTS = {"en.txt": "low lower lowest\n" * 3, "de.txt": "tief tiefer am tiefsten\n" * 3}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Write TEXTS to files and return their paths."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in TEXTS]


def test_the_table_has_a_row_for_each_file(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["languages", *files, "--preset", "hf-bytelevel", "--merges", "9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    trace = train(list(TEXTS.values()), merges=9, **PRESETS["hf-bytelevel"].settings)
    tokens = [document.tokens[-1] for document in document_curves(trace, TEXTS)]
    assert lines[0].startswith("9 merges: ")
    rows = [line.split() for line in lines if line.endswith(".txt")]
    assert [(row[0], row[-1]) for row in rows] == [
        (str(n), file) for n, file in zip(tokens, files, strict=True)
    ]
    assert not any(metric.does_not_predict in line for metric in METRICS.values() for line in lines)
    assert main(["languages", *files, "--merges", "9", "--explain"]) == 0
    explained = capsys.readouterr().out.splitlines()
    for metric in METRICS.values():
        assert any(metric.title in line and metric.formula in line for line in lines)
        assert any(metric.does_not_predict in line and metric.source in line for line in explained)


def test_the_csv_has_a_row_for_each_merge_and_file(files: list[str], tmp_path: Path) -> None:
    output = tmp_path / "curves.csv"
    asked = ["--parity", "tokens", "--base", files[1], "--merges", "6", "--csv", "-o", str(output)]
    assert main(["languages", *files, *asked]) == 0
    rows = list(csv.DictReader(io.StringIO(output.read_text("utf-8"))))
    trace = parity_aware(TEXTS, variant="bytes-gpt2", merges=6).trace
    curves = document_curves(trace, TEXTS)
    assert [(row["merges"], row["text"], row["tokens"], row["premium"]) for row in rows] == [
        (str(k), file, str(one.tokens[k]), str(one.tokens[k] / curves[1].tokens[k]))
        for k in range(7)
        for file, one in zip(files, curves, strict=True)
    ]


def test_wrong_files_get_one_sentence(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for asked, sentence in (
        ([files[0], files[0]], "Each file must be named once."),
        ([*files, "--base", "no.txt"], "--base must be one of the files, got no.txt."),
        (["no such file.txt"], "cannot be read"),
    ):
        assert main(["languages", *asked]) == 2
        assert sentence in capsys.readouterr().err


def test_a_file_name_of_any_bytes_is_written_and_is_no_formula(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A name that is not UTF-8 reaches Python as lone surrogates, which no output can hold."""
    monkeypatch.chdir(tmp_path)
    names = ["=1+1", os.fsdecode(b"\xff.txt")]
    for name in names:
        Path(name).write_text("low lower")
    assert main(["languages", *names, "--merges", "1", "--csv", "-o", "curves.csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("curves.csv").read_text("utf-8"))))
    assert [row["text"] for row in rows[:2]] == ["'=1+1", r"\udcff.txt"]
    assert main(["languages", *names, "--merges", "1"]) == 0
    assert rb"\udcff.txt" in capsysbinary.readouterr().out
    assert main(["film", names[1], "-o", "film.html", "--merges", "1"]) == 0
    assert r"\udcff.txt" in Path("film.html").read_text("utf-8")
    Path("other.txt").write_text("wide newest")
    for name in "report.html", "report.csv", "report.json":
        asked = ["--held-out", "other.txt", "--lanes", "first,last", "--merges", "1", "--draws", "0"]
        assert main(["compare", names[1], *asked, "-o", name]) == 0
        Path(name).read_text("utf-8")
