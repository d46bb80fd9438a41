"""The report of a comparison: its numbers are the core's, its hashes hashlib's, and no text in it becomes markup."""

import base64
import csv
import gzip
import hashlib
import io
import json
import platform
import re
import unicodedata
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import bpe
from bpe.analysis import verdict_text
from bpe.analysis.comparison import learned_by
from bpe.analysis.evidence import evidence
from bpe.analysis.held_out import set_aside
from bpe.analysis.ties import tie_map
from bpe.cli.commands import main
from bpe.text.spreadsheet import from_cell
from film.page import Lane
from film.report.comparison import ComparedLane, Comparison, SourceText
from film.report.files import report_csv, report_json
from film.report.manifest import all_settings, manifest
from film.report.page import MOST_ROWS, report_html
from film.report.tables import tables
from film.training_feed import training_feed
from tests.texts import source

HOSTILE = "</script></style><img src=x onerror=alert(1)> --> & \" ' {title}"
TRAINING, HELD_OUT = source()[:3_000], source()[20_000:26_000]
LANES = ("first", "pair-max")


def compared(
    training: str = TRAINING, held_out: str = HELD_OUT, names: tuple[str, ...] = LANES
) -> Comparison:
    """Return a comparison of two rules."""
    traces = [bpe.train(training, "bytes-gpt2", rule, merges=150) for rule in LANES]
    measured = evidence(traces, [held_out], training, resamples=200)
    lanes = [ComparedLane(name, f"about {name}", trace) for name, trace in zip(names, traces, strict=True)]
    film = [Lane(training_feed(lane.trace, training), lane.title, lane.about) for lane in lanes]
    texts = [(SourceText.of_text(name, text),) for name, text in (("a", training), ("b", held_out))]
    return Comparison(names[0], tuple(lanes), texts[0], texts[1], measured, film)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Return a comparison that the tests of this file only read."""
    return compared()


class Report(HTMLParser):
    """The tags of a report, and its tables: {id: rows of cells}, a number as the value that the page holds exactly."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.texts: list[str] = []
        self._table = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        attributes = dict(attrs)
        if (name := attributes.get("id") or "").startswith("table-"):
            self._table = name.removeprefix("table-")
            self.tables[self._table] = []
        elif tag == "section":
            self._table = ""
        if self._table and tag == "tr":
            self.tables[self._table].append([])
        elif self._table and tag in ("td", "th"):
            self.tables[self._table][-1].append("")
        elif self._table and tag == "data":
            self.tables[self._table][-1][-1] = f"={attributes['value']}"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        rows = self.tables.get(self._table)
        if rows and self.tags[-1] in ("td", "th") and rows[-1]:
            rows[-1][-1] += data


def packed(page: str, name: str) -> bytes:
    """Return a file that the page holds."""
    match = re.search(rf'data-name="{re.escape(name)}" data-kind="[^"]+">([^<]*)<', page)
    assert match
    return gzip.decompress(base64.b64decode(match[1]))


def test_every_cell_of_the_page_is_the_core_s(comparison: Comparison) -> None:
    drawn = Report(report_html(comparison)).tables
    listed = {table.slug: table for table in tables(comparison)}
    assert drawn.keys() == listed.keys()
    for slug, table in listed.items():
        rows = [row for row in drawn[slug] if row][1:]  # without the headings
        for cells, row in zip(rows, table.rows[:MOST_ROWS], strict=True):
            for cell, value, column in zip(cells, row, table.columns, strict=True):
                if value is None:
                    assert cell.strip() == ""
                elif isinstance(value, str):
                    assert cell.strip() == value.strip(), column
                elif isinstance(value, bool):
                    assert cell == ("yes" if value else "no")
                else:
                    assert cell.startswith(f"={value!r}"), column


def test_the_tables_are_what_the_core_measures(comparison: Comparison) -> None:
    listed = {table.slug: table for table in tables(comparison)}
    traces = [lane.trace for lane in comparison.lanes]
    measured = comparison.evidence
    label = traces[0].variant.label
    for row, trace, lane in zip(listed["lanes"].rows, traces, measured.lanes, strict=True):
        assert row[3:9] == (
            150,
            trace.tokens_total(150),
            len(trace.tokenizer().tokens(HELD_OUT)),
            lane.compression.value,
            *(lane.compression.interval or ()),
        )
    assert listed["pairs"].rows[0][2] == measured.pairs[0].same_splits.value
    words = [(word.word, word.frequency) for word in measured.differing]
    assert [row[:2] for row in listed["words"].rows] == words != []
    assert [row[4] for row in listed["merges"].rows] == [step.count for step in traces[0].steps]
    pairs = [" + ".join(map(label, step.pair)) for step in traces[1].steps]
    assert [row[6] for row in listed["merges"].rows] == pairs
    assert [row[2:] for row in listed["tokens"].rows] == [token.ranks for token in learned_by(traces)]
    assert [row[2] for row in listed["ties"].rows] == [tie_map(trace).steps_tied for trace in traces]


def test_the_page_leads_with_the_verdict_and_people_count_merges_from_1(comparison: Comparison) -> None:
    page = report_html(comparison)
    names = comparison.names
    headline = verdict_text.headline(comparison.evidence, names)
    assert page.index("<h1") < page.index("<li>") < page.index('id="table-lanes"') < page.index("film-stage")
    texts = Report(page).texts
    assert headline in texts
    assert [
        sentence for sentence in verdict_text.sentences(comparison.evidence, names) if sentence not in texts
    ] == []
    merges = page[page.index('id="table-merges"') :]
    assert '<th scope="col">merge</th>' in merges
    assert '<data value="0">1</data>' in merges


def test_the_tables_say_which_words_they_mean(comparison: Comparison) -> None:
    between = replace(comparison, evidence=replace(comparison.evidence, words_are_pre_tokens=False))
    for measured, sentence in ((comparison, "are pre-tokens"), (between, "are those between white space")):
        about = {table.slug: table.about for table in tables(measured)}
        assert all(f"The words that are split {sentence}" in about[slug] for slug in ("pairs", "words"))
        assert all("“tokens per word”, white space separates" in about[slug] for slug in ("lanes", "pairs"))


def test_json_holds_everything_and_survives_being_read(comparison: Comparison) -> None:
    report: dict[str, Any] = json.loads(report_json(comparison))
    assert report["manifest"] == manifest(comparison)
    for table in tables(comparison):
        assert [tuple(row) for row in report["tables"][table.slug]["rows"]] == list(table.rows)
    assert report["verdict"]["answer"] == comparison.evidence.verdict.answer
    page = report_html(comparison)
    assert packed(page, "comparison.json").decode() == report_json(comparison)
    assert packed(page, "comparison.csv") == report_csv(comparison)


def test_the_manifest_names_texts_versions_settings_and_seeds(comparison: Comparison) -> None:
    made = manifest(comparison)
    assert made["training_texts"][0]["sha256"] == hashlib.sha256(TRAINING.encode()).hexdigest()
    assert made["held_out_texts"][0]["sha256"] == hashlib.sha256(HELD_OUT.encode()).hexdigest()
    assert made["made_with"]["bpe"] == bpe.__version__
    assert made["made_with"]["python"] == platform.python_version()
    assert made["made_with"]["unicode"] == unicodedata.unidata_version
    assert (made["bootstrap"]["seed"], made["bootstrap"]["resamples"]) == (0, 200)
    for row, lane in zip(made["lanes"], comparison.lanes, strict=True):
        again = bpe.train(TRAINING, **{k: v for k, v in row["settings"].items() if v is not None})
        assert again.merges == lane.trace.merges


@pytest.mark.parametrize("preset", bpe.PRESETS)
def test_the_settings_of_a_manifest_are_json_and_train_the_same(preset: str) -> None:
    trace = bpe.train("low lower lowest", merges=3, **bpe.PRESETS[preset].settings)
    settings = json.loads(json.dumps(all_settings(trace)))
    again = bpe.train(
        "low lower lowest", **{name: value for name, value in settings.items() if value is not None}
    )
    assert again.merges == trace.merges


def test_no_text_becomes_markup() -> None:
    names = (HOSTILE, f"second {HOSTILE}")
    texts = (f"{HOSTILE} {TRAINING}", f"{HOSTILE} " * 40)
    hostile, plain = Report(report_html(compared(*texts, names))), Report(report_html(compared()))
    for tag in ("script", "style", "img", "main", "h1", "meta"):
        assert hostile.tags.count(tag) == plain.tags.count(tag), tag
    assert any(HOSTILE in text for text in hostile.texts)


def test_no_cell_of_the_csv_file_is_a_formula() -> None:
    formula = "=HYPERLINK(1)"
    text = report_csv(compared(names=(formula, "+second"))).decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert {from_cell(cell) for cell in cells} >= {formula, "+second"}
    starts = {cell[:1] for cell in cells if not re.fullmatch(r"-?[\d.e-]+", cell)}
    assert starts.isdisjoint(set("=+-@"))


def test_what_runs_in_the_page_is_named_in_its_policy(comparison: Comparison) -> None:
    page = report_html(comparison)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    inline = re.findall(r'<style>(.*?)</style>|<script type="module">(.*?)</script>', page, re.DOTALL)
    assert len(inline) == 4
    for style, script in inline:
        digest = base64.b64encode(hashlib.sha256((style or script).encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert not re.search(r"\b(?:https?:)?//(?!www\.w3\.org)\w", re.sub(r">[A-Za-z0-9+/=]{200,}<", "><", page))


# The command


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
    made = report["manifest"]
    assert made["training_texts"][0]["sha256"] == hashlib.sha256(Path(files[0]).read_bytes()).hexdigest()
    assert [lane["settings"]["tie_break"] for lane in made["lanes"]] == ["first", "random", "ids-min"]
    assert made["lanes"][1]["settings"]["seed"] == 3
    assert made["random_draws"]["seeds"] == [0, 1]
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
    "an unknown lane": ({"lanes": "first,forst"}, (), "there is no rule, preset or file 'forst'"),
    "one lane": ({"lanes": "first"}, (), "--lanes needs 2 to 8 different lanes"),
    "a lane twice": ({"lanes": "first,first"}, (), "--lanes needs 2 to 8 different lanes"),
    "a seed twice": ({"lanes": "random,random_s0"}, (), "'random' and 'random_s0' are the same lane"),
    "a seed for nothing": ({"lanes": "first,last_s3"}, (), "is not random"),
    "a seed that is none": ({"lanes": "first,random_sx"}, (), "must be a whole number"),
    "picking by hand": ({"lanes": "first,manual"}, (), "there is no rule, preset or file 'manual'"),
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
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.out == ""


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
    assert "so do all sequences of 8 words, so none of the text is held out." in spoken


def test_without_a_held_out_file_every_tenth_part_is_set_aside(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    command = [
        "compare",
        files[1],
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
    made = json.loads(report.read_text("utf-8"))
    rest, aside = set_aside([HELD_OUT])
    traces = [bpe.train(rest, "bytes-gpt2", rule, merges=60) for rule in ("first", "last")]
    measured = evidence(traces, aside, rest)
    assert made["verdict"]["headline"] == verdict_text.headline(
        measured, [lane["title"] for lane in made["manifest"]["lanes"]]
    )
    assert made["tables"]["pairs"]["rows"][0][2] == measured.pairs[0].same_splits.value
    assert made["manifest"]["trained_characters"] == sum(map(len, rest))
    assert main([*command[:-1], str(tmp_path / "report.html")]) == 0
    trained = f"The lanes were trained on {sum(map(len, rest)):,} of {len(HELD_OUT):,} characters"
    assert trained in (tmp_path / "report.html").read_text("utf-8")
    (text,) = made["manifest"]["held_out_texts"]
    assert text["sha256"] == hashlib.sha256("".join(aside).encode()).hexdigest()
    (tmp_path / "short.txt").write_text("low lower", "utf-8")
    assert main(["compare", str(tmp_path / "short.txt"), "--lanes", "first,last"]) == 2
    assert "it must have at least" in capsys.readouterr().err
