"""The languages on the page Tokenizers: finished tokenizers on named texts, with one chart, a table and files."""

import csv
import io
import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.languages import METRICS, document_curves, gini, measured, values_of
from published.rows import PUBLISHED
from tests.app import LONGEST_RUN, captions, chip_rows, open_page, run
from ui.page_parts.languages.choices import _named_texts
from ui.page_parts.languages.curves import (
    _LABEL,
    _LABEL_HEIGHT,
    _MOST_LABELS,
    _apart,
    _columns,
    _Line,
    _lines_of,
    _metric_curves,
    _rows,
)
from ui.page_parts.languages.results import _WHOLE, ALL, _beside, _dot_rows, _pivot, _sentence
from ui.trainings.corpus import from_files
from ui.trainings.process_memory import MemoryFullError
from ui.trainings.tokenizer_files import TokenizerFile, published_file
from ui.view.text import csv_file

LINK = {"by": "gpt-2~mistral-7b"}
HOSTILE = "<b>*one*</b> :red[two] $x$ a@b.c <img src=x onerror=alert(1)>"
SETTINGS = bpe.PRESETS["hf-bytelevel"].settings


def open_languages(link: Mapping[str, str] | None = None, **session: object) -> AppTest:
    """Open the page without a text above, for which it would open all published tokenizers."""
    return open_page("tokenizers", link, tokenizers_text="", **session)


def test_the_page_measures_the_tokenizers_of_its_link_in_fourteen_languages() -> None:
    app = open_languages(LINK)
    texts = _named_texts(None)
    assert (len(texts), next(iter(texts))) == (14, "English")
    table = [
        measured(published_file(slug).tokenizer, PUBLISHED[slug].name, name, text)
        for name, text in texts.items()
        for slug in ("gpt-2", "mistral-7b")
    ]
    values = _pivot(table, "English", METRICS["premium"])
    answer = _sentence(values, ["GPT-2", "Mistral 7B"], METRICS["premium"], "English")
    assert answer in " ".join(header.value for header in app.header)
    assert app.query_params["by"] == LINK["by"]
    rows = chip_rows(app, "measures_table")
    assert list(rows[0]) == ["text", "GPT-2", "Mistral 7B"]
    assert [row["GPT-2"] for row in rows if row["text"] == "Hindi"] == [values["Hindi"]["GPT-2"]]


def test_every_measure_can_be_chosen() -> None:
    first, *others = METRICS
    app = open_languages(LINK | {"measure": first})
    for slug in (first, *others):
        app.selectbox(key="measured").set_value(slug)
        assert METRICS[slug].does_not_predict in " ".join(captions(run(app))), slug
        bases = [box for box in app.selectbox if str(box.key).startswith("measured_base")]
        assert bool(bases) == METRICS[slug].takes_base, slug


def test_the_viewers_training_and_text_can_be_measured() -> None:
    app = open_languages({"by": "gpt-2~trained", "texts": "own", "measure": "tokens"})
    (row,) = chip_rows(app, "measures_table")
    assert list(row) == ["text", "GPT-2", "Your tokenizer"]


def test_a_text_alone_is_counted_and_compared_with_nothing() -> None:
    """The measure that compares texts comes back with them."""
    app = open_languages({"by": "gpt-2", "texts": "own"})
    (header,) = [one.value for one in app.header if "Tokens" in one.value]
    assert re.fullmatch(r"Tokens: \d+ under GPT-2\.", header.replace("\\", ""))
    assert "measure" not in app.query_params
    offered = next(box for box in app.selectbox if box.key == "measured").options
    assert not {METRICS[slug].title for slug in ("premium", "gini")} & {*offered}
    assert not [box for box in app.selectbox if str(box.key).startswith("measured_base")]
    app.session_state["measured_texts"] = "sample"
    assert run(app).session_state["measured"] == "premium"
    assert any("times as many tokens" in one.value for one in app.header)


def test_a_tokenizer_that_does_not_fit_into_memory_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_mistral(slug: str) -> TokenizerFile:
        if slug in full:
            raise MemoryFullError("This needs about 50 MB of memory.")
        return published_file(slug)

    monkeypatch.setattr("ui.trainings.tokenizer_files.published_file", without_mistral)
    full = {"mistral-7b"}
    app = open_languages(LINK)
    assert [one.value for one in app.error] == ["Mistral 7B is left out. This needs about 50 MB of memory."]
    assert list(chip_rows(app, "measures_table")[0]) == ["text", "GPT-2"]
    full.add("gpt-2")
    app = run(app)
    assert [one.value.partition(" is ")[0] for one in app.error] == ["GPT-2", "Mistral 7B"]
    assert not [one.value for one in app.info if "tokenizer to train with" in one.value]


def test_without_a_tokenizer_the_page_asks_for_one() -> None:
    app = open_languages(LINK)
    app.session_state["measured_by"] = []
    assert "Choose at least one tokenizer" in run(app).info[0].value


@pytest.mark.slow
def test_a_forged_choice_is_the_usual_one() -> None:
    app = open_languages(measured_by=["gpt-99", 5, ["gpt-2"]])
    assert app.session_state["measured_by"] == ["gpt-4o", "gpt-4", "gpt-2", "qwen"]


def test_a_text_without_a_value_has_no_dot() -> None:
    values: dict[str, dict[str, float | None]] = {"a": {"A": 2.0, "B": None}, "b": {"A": None, "B": None}}
    figure = _dot_rows(values, ["A", "B"], title="t", number_format=",.2f", dark=False)
    assert [trace["x"] for trace in figure["data"]] == [[2.0, None], [None, None]]
    assert len(figure["layout"]["shapes"]) == 1
    rounded = _sentence(
        {"en": {"A": 1, "B": 1}, "hi": {"A": 4, "B": 1.52}}, ["A", "B"], METRICS["premium"], "en"
    )
    assert rounded.endswith("under B, no text needs more than 1.6 times as many.")
    assert "None of these" in _sentence({"b": {"A": None}}, ["A"], METRICS["digits-per-token"], "b")


def test_multiples_have_a_strong_line_at_1_and_equal_values_hide_no_mark() -> None:
    values: dict[str, dict[str, float | None]] = {"a": {"A": 1.0, "B": 1.0}, "b": {"A": 2.0, "B": 1.0}}
    figure = _dot_rows(values, ["A", "B"], title="t", number_format=".2~f", dark=False, times=True)
    assert figure["layout"]["xaxis"]["ticksuffix"] == "×"
    assert (figure["layout"]["shapes"][-1]["x0"], figure["layout"]["shapes"][-1]["x1"]) == (1, 1)
    one, other = (trace["y"] for trace in figure["data"])
    assert [round(y) for y in one] == [round(y) for y in other] == [0, 1]
    assert one[1] < other[1]
    assert one[0] == other[0]


def test_an_axis_of_few_whole_numbers_names_each_of_them_once() -> None:
    for tokens, step in ((2.0, 1), (200.0, None)):
        figure = _dot_rows({"a": {"A": tokens}}, ["A"], title="t", number_format=_WHOLE, dark=False)
        assert figure["layout"]["xaxis"].get("dtick") == step


@pytest.mark.parametrize("tokenizers", [2, 9])
def test_all_rows_and_the_names_above_them_have_room_whatever_was_drawn_before(tokenizers: int) -> None:
    """Nine names do not fit above the first row: a legend has them."""
    names = [f"a tokenizer of number {number}" for number in range(tokenizers)]
    values = {text: {name: at + 1.0 for at, name in enumerate(names)} for text in ("en", "hi", "th")}
    layout = (figure := _dot_rows(values, names, title="t", number_format=".2~f", dark=False))["layout"]
    foot, top = layout["yaxis"]["range"]
    assert layout["yaxis"]["autorange"] is False
    ys = [y for trace in figure["data"] for y in trace["y"]]
    assert top <= min(ys) - 0.5 < max(ys) + 0.5 <= foot
    plot = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    assert plot / (foot - top) > 20  # px for each row
    assert layout["showlegend"] == (tokenizers == 9)
    assert [(name["yref"], name["y"]) for name in layout["annotations"]] == [("paper", 1)] * (tokenizers % 9)
    assert all(name["yshift"] + 15 <= layout["margin"]["t"] for name in layout["annotations"])


def test_values_compare_with_the_base_text_under_the_same_tokenizer() -> None:
    tokenizer = published_file("gpt-2").tokenizer
    table = [
        measured(tokenizer, "one", name, text) for name, text in {"a": "low", "b": "low low low"}.items()
    ]
    assert [values["premium"] for values in values_of(table, "a")] == [1, 3]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("number", [1, 14, 9, _MOST_LABELS + 1])
def test_the_chart_has_a_line_for_each_text_and_names_beside_them(number: int, dark: bool) -> None:
    lines = [
        _Line(f"{name}{HOSTILE}", [name, None if name % 2 else name + 1.5], name < 9)
        for name in range(number)
    ]
    figure = _metric_curves(lines, [0, 4], title="Tokens", decimals=2, dark=dark)
    go.Figure(figure)
    assert len(figure["data"]) == number
    names = figure["layout"]["annotations"][1:]
    assert len(names) == (number if number <= _MOST_LABELS else 9)
    assert all("<" not in one["text"] for one in names)
    assert all("<b>" not in one["hovertemplate"] for one in figure["data"])
    assert all(len(one["text"].replace("&lt;", "<").replace("&gt;", ">")) <= _LABEL for one in names)


def test_a_chart_without_any_value_is_empty() -> None:
    figure = _metric_curves([_Line("a", [None], True)], [0], title="Rényi", decimals=3, dark=False)
    go.Figure(figure)
    assert len(figure["layout"]["annotations"]) == 1


@pytest.mark.parametrize(
    "values", [dict.fromkeys("AB", 1.0), {"A": 1, "B": 1.05, "C": 1.1}, dict.fromkeys("ABCDEFGH", 1.0)]
)
def test_marks_that_would_meet_do_not_cover_each_other_and_stay_in_their_row(
    values: dict[str, float],
) -> None:
    places = [(24 * shift, size) for shift, size in _beside(values, 6).values()]
    for (above, size), (below, _) in pairwise(places):
        assert below - above >= 0.95 * size
    assert all(abs(middle) + size / 2 <= 12.5 for middle, size in places)
    assert set(_beside({"A": 1.0, "B": 5.0}, 6).values()) == {(0.0, 10)}


def test_names_never_overlap_and_stay_beside_the_chart() -> None:
    for positions in ([0.0] * 14, [5, 300, 5, 301, 150], [400.0] * 20, [1.0]):
        moved = _apart(positions, _LABEL_HEIGHT, 366)
        ordered = sorted(moved)
        assert all(later - before > _LABEL_HEIGHT - 1e-6 for before, later in pairwise(ordered))
        assert min(moved) >= _LABEL_HEIGHT / 2 - 1e-6
        assert max(moved) <= 366 - _LABEL_HEIGHT / 2 + 1e-6
        if len(set(positions)) == len(positions):
            assert sorted(range(len(moved)), key=moved.__getitem__) == sorted(
                range(len(positions)), key=positions.__getitem__
            )


def test_the_file_has_the_curves_of_every_text() -> None:
    trace = bpe.train(["low lower", "tief"], merges=3)
    curves = document_curves(trace, {"=en": "low lower", "de": "tief"})
    content = csv_file(_columns(), _rows(curves, 0, [0, 3])).decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(content)))
    assert [(line["merges done"], line["text"], line["Tokens"]) for line in lines] == [
        ("0", "'=en", "10"),
        ("0", "de", "5"),
        ("3", "'=en", "5"),
        ("3", "de", "5"),
    ]
    assert [line["Premium"] for line in lines[2:]] == ["1.0", "1.0"]


def test_a_measure_of_all_texts_has_one_line_and_any_other_one_for_each_text() -> None:
    texts = {"en": "low lower lowest", "de": "tief tiefer"}
    trace = bpe.train(list(texts.values()), merges=6)
    curves = document_curves(trace, texts)
    at = [[len(trace.segment(text, k)) for text in texts.values()] for k in (0, 6)]
    assert _lines_of(METRICS["tokens"], curves, 0, [0, 6]) == {
        "en": [at[0][0], at[1][0]],
        "de": [at[0][1], at[1][1]],
    }
    assert _lines_of(METRICS["gini"], curves, 0, [0, 6]) == {ALL: [gini(at[0]), gini(at[1])]}
    assert _lines_of(METRICS["premium"], curves, 1, [6])["en"] == [at[1][0] / at[1][1]]


def curves_chart(app: AppTest) -> dict[str, Any] | None:
    """Return the chart of the curves, as the browser gets it."""
    charts = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    curves = [chart for chart in charts if chart["data"][0]["mode"] == "lines"]
    return curves[0] if curves else None


def test_the_viewers_training_is_measured_merge_by_merge_on_several_files() -> None:
    corpus = from_files([(HOSTILE, b"low lower lowest"), ("de.txt", b"tief tiefer"), ("empty.txt", b"")])
    link = {"by": "gpt-2~trained", "measure": "tokens"}
    session: dict[str, Any] = {"corpus_source": "upload", "_uploaded": corpus, "preset": "hf-bytelevel"}
    app = open_languages(link, merges=5, **session)
    trace = bpe.train(corpus.documents, merges=5, **SETTINGS)
    expected = [list(curves.tokens) for curves in document_curves(trace, corpus.named)]
    chart = curves_chart(app)
    assert chart
    assert sorted(line["y"] for line in chart["data"]) == sorted(expected)
    for markdown in [*app.markdown, *app.caption]:
        assert "<img" not in markdown.value.replace("\\<", "")
    for slug, metric in METRICS.items():
        app.selectbox(key="measured").set_value(slug)
        run(app)
        assert (curves_chart(app) is not None) == metric.each_merge
        assert any("not counted after every merge" in one.value for one in app.caption) != metric.each_merge


def test_without_the_viewers_training_nothing_is_said_of_every_merge() -> None:
    app = open_languages(LINK)
    assert "Merge by merge" not in [header.value for header in app.header]
    assert curves_chart(app) is None


def _highlights(*texts: str) -> None:
    import bpe
    from bpe.analysis.languages import document_curves
    from ui.page_parts.languages import curves

    documents = {str(number): text for number, text in enumerate(texts)}
    curves._choose_highlighted(document_curves(bpe.train(texts, merges=1), documents), 0)


@pytest.mark.parametrize("texts", [("low", "low"), ("low", "lower")])
def test_two_texts_are_both_coloured_at_first(texts: tuple[str, str]) -> None:
    """Also two that need the same number of tokens: then one is both the shortest and the longest."""
    app = AppTest.from_function(_highlights, args=texts, default_timeout=LONGEST_RUN).run()
    assert app.multiselect[0].value == ["0", "1"]
