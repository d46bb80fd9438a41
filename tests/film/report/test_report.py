"""The report of a comparison: its numbers are the core's, its hashes hashlib's, and no text in it becomes markup."""

import base64
import csv
import hashlib
import io
import json
import platform
import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest

import bpe
from bpe.analysis.ties import tie_map
from bpe.comparison import verdict_text
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import evidence
from bpe.comparison.held_out import HeldOutText
from bpe.comparison.lanes import Lane
from bpe.comparison.learned import learned_by
from bpe.text.display import from_cell
from film.labels import chip_label
from film.page import FilmLane
from film.report import Report, SourceText, all_settings, manifest, report_csv, report_json
from film.report_page import MOST_ROWS, report_html, table_tokens
from film.training_feed import training_feed
from tests.film.report.report_reader import ReadReport, packed
from tests.material.texts import source

HOSTILE = "</script></style><img src=x onerror=alert(1)> --> & \" ' {title}"
TRAINING, HELD_OUT = source()[:3_000], source()[20_000:26_000]
LANES = ("first", "pair-max")


def compared(training: str = TRAINING, held_out: str = HELD_OUT, names: tuple[str, ...] = LANES) -> Report:
    """Return the report of a comparison of two rules."""
    traces = [bpe.train(training, "bytes-gpt2", rule, merges=150) for rule in LANES]
    measured = evidence(traces, [held_out], training, resamples=200)
    lanes = tuple(Lane(name, f"about {name}") for name in names)
    film = [
        FilmLane(training_feed(trace, training), lane.title, lane.about)
        for lane, trace in zip(lanes, traces, strict=True)
    ]
    comparison = Comparison(lanes, tuple(traces), training, HeldOutText("b", (held_out,)))
    texts = [(SourceText.of_text(name, text),) for name, text in (("a", training), ("b", held_out))]
    return Report(names[0], comparison, measured, film, texts[0], texts[1], ((), ()))


@pytest.fixture(scope="module")
def report() -> Report:
    """Return a report that the tests of this file only read."""
    return compared()


def test_every_cell_of_the_page_is_the_core_s(report: Report) -> None:
    drawn = ReadReport(report_html(report)).tables
    listed = {table.slug: table for table in report.tables}
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


def test_the_tables_are_what_the_core_measures(report: Report) -> None:
    listed = {table.slug: table for table in report.tables}
    traces = report.comparison.traces
    measured = report.evidence
    label = traces[0].variant.label
    for row, trace, lane in zip(listed["lanes"].rows, traces, measured.lanes, strict=True):
        assert row[3:10] == (
            150,
            trace.tokens_total(150),
            len(trace.tokenizer().tokens(HELD_OUT)),
            0,  # bytes know every character
            lane.compression.value,
            *(lane.compression.interval or ()),
        )
    assert listed["pairs"].rows[0][2] == measured.pairs[0].same_splits.value
    words = [(word.word, word.frequency) for word in measured.differing]
    assert [row[:2] for row in listed["words"].rows] == words != []
    assert [row[4] for row in listed["merges"].rows] == [step.count for step in traces[0].steps]
    pairs = [" + ".join(map(label, step.pair)) for step in traces[1].steps]
    assert [row[6] for row in listed["merges"].rows] == pairs
    kinds = {column.name.rpartition(": ")[2]: column.kind for column in listed["merges"].columns[2:]}
    assert {name for name, kind in kinds.items() if kind == "text"} == {"pair", "token"} < kinds.keys()
    assert [row[2:-1] for row in listed["tokens"].rows] == [token.ranks for token in learned_by(traces)]
    assert [row[2] for row in listed["ties"].rows] == [tie_map(trace).steps_tied for trace in traces]


def test_every_lane_of_a_word_has_its_tokens(report: Report) -> None:
    cell, word = table_tokens(report.comparison, report.evidence)["words"], report.evidence.differing[0]
    for number, trace in enumerate(report.comparison.traces):
        labels = [chip_label(trace.variant, symbol) for symbol in word.tokens[number]]
        assert [label for label, _ in cell(0, 2 + number)] == labels != []


def test_the_page_leads_with_the_verdict_and_people_count_merges_from_1(report: Report) -> None:
    page = report_html(report)
    names = report.comparison.titles
    headline = verdict_text.headline(report.evidence, names)
    assert page.index("<h1") < page.index("<li>") < page.index('id="table-lanes"') < page.index("film-stage")
    texts = ReadReport(page).texts
    assert headline in texts
    assert [
        sentence for sentence in verdict_text.sentences(report.evidence, names) if sentence not in texts
    ] == []
    merges = page[page.index('id="table-merges"') :]
    assert '<th scope="col" class="number">merge</th>' in merges
    assert '<data value="0">1</data>' in merges


def test_the_tables_say_which_words_they_mean(report: Report) -> None:
    between = replace(report, evidence=replace(report.evidence, words_are_pre_tokens=False))
    for measured, sentence in ((report, "the pre-tokens"), (between, "the pieces between white space")):
        about = {table.slug: table.about for table in measured.tables}
        assert all(
            f"Words are {sentence} that contain a letter or a digit." in about[slug]
            for slug in ("pairs", "words")
        )
        assert "“tokens per word”, white space separates" in about["pairs"]
        assert verdict_text.COMPRESSION in about["lanes"]


def test_json_holds_everything_and_survives_being_read(report: Report) -> None:
    content: dict[str, Any] = json.loads(report_json(report))
    assert content["manifest"] == manifest(report)
    for table in report.tables:
        assert [tuple(row) for row in content["tables"][table.slug]["rows"]] == list(table.rows)
    assert content["verdict"]["answer"] == report.evidence.verdict.answer
    assert content["verdict"]["single_token_words"] == report.evidence.whole_words
    page = report_html(report)
    assert packed(page, "comparison.json").decode() == report_json(report)
    assert packed(page, "comparison.csv") == report_csv(report)


def test_the_manifest_names_texts_versions_settings_and_seeds(report: Report) -> None:
    content = manifest(report)
    assert content["training_texts"][0]["sha256"] == hashlib.sha256(TRAINING.encode()).hexdigest()
    assert content["held_out_texts"][0]["sha256"] == hashlib.sha256(HELD_OUT.encode()).hexdigest()
    assert content["made_with"]["bpe"] == bpe.__version__
    assert content["made_with"]["python"] == platform.python_version()
    assert content["made_with"]["unicode"] == unicodedata.unidata_version
    assert (content["bootstrap"]["seed"], content["bootstrap"]["resamples"]) == (0, 200)
    for row, trace in zip(content["lanes"], report.comparison.traces, strict=True):
        again = bpe.train(TRAINING, **{k: v for k, v in row["settings"].items() if v is not None})
        assert again.merges == trace.merges


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
    hostile, plain = ReadReport(report_html(compared(*texts, names))), ReadReport(report_html(compared()))
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


def test_what_runs_in_the_page_is_named_in_its_policy(report: Report) -> None:
    page = report_html(report)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    inline = re.findall(
        r'<style[^>]*>(.*?)</style>|<script type="module"[^>]*>(.*?)</script>', page, re.DOTALL
    )
    assert len(inline) == 4
    for style, script in inline:
        digest = base64.b64encode(hashlib.sha256((style or script).encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert not re.search(r"\b(?:https?:)?//(?!www\.w3\.org)\w", re.sub(r">[^<>\s]{200,}<", "><", page))
