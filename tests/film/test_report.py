"""The report of a comparison: its numbers are the core's, its hashes hashlib's, and no text in it becomes markup."""

import base64
import csv
import hashlib
import io
import json
import platform
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bpe
from bpe.analysis.ties import tie_map
from bpe.comparison import verdict_text
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import evidence
from bpe.comparison.evidence_text import percent
from bpe.comparison.held_out import HeldOutText
from bpe.comparison.lanes import Lane
from bpe.comparison.learned import learned_by
from bpe.comparison.tables import INTERVAL
from bpe.formats import FORMATS
from bpe.formats.opening import open_tokenizer
from bpe.text.display import from_cell
from command_line.commands import main
from film.labels import chip_label
from film.page import FilmLane
from film.report import Report, SourceText, _all_settings, manifest, report_csv, report_json
from film.report_page import MOST_ROWS, _table_tokens, report_html
from film.training_feed import training_feed
from tests.film.readers import ReadReport, packed
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
            figures, cell = iter(cells), ""
            for value, column in zip(row, table.columns, strict=True):
                if column.name.endswith(INTERVAL):  # in the cell of its figure
                    assert value is None or f"={value!r}" in cell, column
                    continue
                cell = next(figures)
                if value is None:
                    assert cell.strip() == ""
                elif isinstance(value, str):
                    assert cell.strip() == value.strip(), column
                elif isinstance(value, bool):
                    assert cell == ("yes" if value else "no")
                else:
                    assert cell.startswith(f"={value!r}"), column
            assert next(figures, None) is None


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


def test_the_answer_is_a_picture_first(report: Report) -> None:
    page = report_html(report)
    picture = page[page.index("</h1>") : page.index("<ul>")]
    figure = verdict_text.answered_figure(report.evidence)
    assert figure is not None
    assert f'<tspan class="bold">{percent(figure.value)}</tspan>' in picture
    assert f"matters from {percent(figure.limit)}" in picture
    numbers = re.findall(r'text-anchor="middle" x="([0-9.]+)" y="[0-9]+">([0-9.]+)%<', picture)
    at, share = map(float, numbers[-1])
    (width,) = re.findall(r'class="value" x="[0-9.]+" y="[0-9.]+" width="([0-9.]+)"', picture)
    assert float(width) == pytest.approx(at / share * 100 * figure.value, abs=0.5)


def test_every_lane_of_a_word_has_its_tokens(report: Report) -> None:
    cell, word = _table_tokens(report.comparison, report.evidence)["words"], report.evidence.differing[0]
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
    settings = json.loads(json.dumps(_all_settings(trace)))
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
    # A digest may have two slashes, and so may the data.
    rest = re.sub(r">[^<>\s]{200,}<|'sha256-[^']+'", "><", page)
    assert not re.search(r"\b(?:https?:)?//(?!www\.w3\.org)\w", rest)


# `python -m bpe compare` with tokenizers from files: the replay is measured, and a bad file gets a sentence.

FILE_LANES_TRAINING, FILE_LANES_HELD_OUT = source()[:3_000], source()[20_000:26_000]

# Writes a tokenizer into a folder, and returns the lane that names it.
Write = Callable[[Path, bpe.Trace], str]


def one_file(slug: str, name: str) -> Write:
    def write(folder: Path, trace: bpe.Trace) -> str:
        (folder / name).write_text(FORMATS[slug].trace_text(trace, len(trace.steps)), "utf-8", newline="")
        return str(folder / name)

    return write


def two_files(folder: Path, trace: bpe.Trace) -> str:
    merges = one_file("merges-txt", "merges.txt")(folder, trace)
    return f"{one_file('vocab-json', 'vocab.json')(folder, trace)}+{merges}"


FILE_LANES: dict[str, tuple[str, Write, list[str]]] = {  # variant, writer, names of the files
    "tokenizer.json": ("bytes-gpt2", one_file("tokenizer-json", "tokenizer.json"), ["tokenizer.json"]),
    "ranks": ("bytes-gpt4", one_file("tiktoken", "my.tiktoken"), ["my.tiktoken"]),
    "codes": ("char-eow", one_file("merges-txt", "codes.txt"), ["codes.txt"]),
    "two files": ("bytes-gpt2", two_files, ["vocab.json", "merges.txt"]),
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Write the texts, and return the command that compares lanes on them, but for the lanes."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in (("training.txt", FILE_LANES_TRAINING), ("held_out.txt", FILE_LANES_HELD_OUT)):
        (folder / name).write_bytes(text.encode())
    files = (str(folder / "training.txt"), "--held-out", str(folder / "held_out.txt"))
    return ("compare", *files, "--merges", "60", "--draws", "0")


def report_of(texts: tuple[str, ...], lanes: str, folder: Path, ending: str = "json") -> Any:
    path = folder / f"report.{ending}"
    assert main([*texts, "--lanes", lanes, "-o", str(path)]) == 0
    return json.loads(path.read_text("utf-8")) if ending == "json" else path.read_text("utf-8")


@pytest.mark.parametrize(("variant", "write", "names"), FILE_LANES.values(), ids=FILE_LANES)
def test_a_tokenizer_from_a_file_is_a_lane(
    variant: str, write: Write, names: list[str], texts: tuple[str, ...], tmp_path: Path
) -> None:
    learned = bpe.train(FILE_LANES_HELD_OUT[::-1] + FILE_LANES_TRAINING, variant, "pair-max", merges=90)
    lane = write(tmp_path, learned)
    report = report_of(texts, f"{lane},hf-bytelevel", tmp_path)
    contents = {path: Path(path).read_bytes() for path in lane.split("+")}
    opened = open_tokenizer(contents)
    preset = bpe.PRESETS["hf-bytelevel"].settings
    traces = [
        bpe.replay(FILE_LANES_TRAINING, opened.tokenizer),
        bpe.train(FILE_LANES_TRAINING, merges=60, **preset),
    ]
    measured = evidence(traces, [FILE_LANES_HELD_OUT], FILE_LANES_TRAINING)
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
        trace = bpe.train(FILE_LANES_TRAINING, "bytes-gpt2", rule, merges=40)
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
    trace = bpe.train(FILE_LANES_TRAINING, "bytes-gpt2", merges=60)
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
        trace = bpe.train(FILE_LANES_HELD_OUT, "bytes-gpt2", merges=merges)
        lanes.append(one_file("tokenizer-json", f"{merges}.json")(tmp_path, trace))
    default = tuple(word for word in texts if word not in ("--merges", "60"))
    report = report_of(default, ",".join([*lanes, "first"]), tmp_path)
    assert report["manifest"]["lanes"][2]["merges"] == 45
    sentence = "Each training may learn 45 merges, as many as “45.json” has."
    assert report["manifest"]["note"].startswith(sentence)
    assert "; after 30 merges each, " in report["verdict"]["headline"]
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
