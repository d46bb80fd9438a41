"""The tab “Languages”: every named text has a line and a row, and what is computed is what the core says."""

import csv
import io
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.analysis.language_metrics import METRICS
from bpe.analysis.languages import document_curves, gini
from bpe.analysis.parity_aware import parity_aware
from tests.app import LONGEST_RUN, open_page, run
from tests.waiting import LONG, until
from ui.compare.choice.lanes import MOST
from ui.language_tab.curves import MOST_DOCUMENTS, columns, compared, rows
from ui.language_tab.figures import LABEL, LABEL_HEIGHT, MOST_LABELS, Line, apart, metric_curves
from ui.language_tab.parity import ParityRun
from ui.language_tab.parity_steps import summary, ties
from ui.show.text import csv_file
from ui.sidebar.texts.corpus import from_documents, from_files, from_sample, with_names

HOSTILE = "<b>*one*</b> :red[two] $x$ a@b.c <img src=x onerror=alert(1)>"
SAMPLE: dict[str, Any] = {"corpus_source": "sample", "corpus_sample": "languages"}
SETTINGS = bpe.PRESETS["hf-bytelevel"].settings


def table(app: AppTest) -> list[dict[str, object]]:
    """Return the rows of the tab's table."""
    rows = next(one.value for one in app.dataframe if "text" in one.value.columns and "Tokens" in one.value)
    return [{str(key): value for key, value in row.items()} for row in rows.to_dict("records")]


def wait_for_parity(app: AppTest) -> None:
    """Run the app until the parity-aware training has ended."""
    until(lambda: all(button.key != "parity_stop" for button in run(app).button))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("number", [1, 14, MOST + 1, MOST_LABELS + 1])
def test_the_chart_has_a_line_for_each_text_and_names_beside_them(number: int, dark: bool) -> None:
    lines = [
        Line(f"{name}{HOSTILE}", [name, None if name % 2 else name + 1.5], name < 9) for name in range(number)
    ]
    figure = metric_curves(lines, [0, 4], 4, title="Tokens", decimals=2, dark=dark)
    go.Figure(figure)
    assert len(figure["data"]) == number
    names = figure["layout"]["annotations"][1:]
    assert len(names) == (number if number <= MOST_LABELS else 9)
    assert all("<" not in one["text"] for one in names)
    assert all("<b>" not in one["hovertemplate"] for one in figure["data"])
    assert all(len(one["text"].replace("&lt;", "<").replace("&gt;", ">")) <= LABEL for one in names)


def test_a_chart_without_any_value_is_empty() -> None:
    figure = metric_curves([Line("a", [None], True)], [0], 0, title="Rényi", decimals=3, dark=False)
    go.Figure(figure)
    assert len(figure["layout"]["annotations"]) == 1


def test_names_never_overlap_and_stay_beside_the_chart() -> None:
    for positions in ([0.0] * 14, [5, 300, 5, 301, 150], [400.0] * 20, [1.0]):
        moved = apart(positions, LABEL_HEIGHT, 366)
        ordered = sorted(moved)
        assert all(later - before > LABEL_HEIGHT - 1e-6 for before, later in pairwise(ordered))
        assert min(moved) >= LABEL_HEIGHT / 2 - 1e-6
        assert max(moved) <= 366 - LABEL_HEIGHT / 2 + 1e-6
        if len(set(positions)) == len(positions):
            assert sorted(range(len(moved)), key=moved.__getitem__) == sorted(
                range(len(positions)), key=positions.__getitem__
            )


def test_one_text_is_told_how_to_compare_several() -> None:
    app = open_page("vocabulary", vocabulary_charts="Languages")
    assert any("Upload several files" in info.value for info in app.info)
    app.button(key="languages_sample").click()
    run(app)
    assert app.session_state["corpus_sample"] == "languages"


def test_vocabulary_shows_the_figures_of_the_core_at_its_step() -> None:
    app = open_page("vocabulary", **SAMPLE, vocabulary_charts="Languages", at_step=100)
    trace = bpe.train(from_sample("languages").documents[0], merges=400, **SETTINGS)
    curves = document_curves(trace, from_sample("languages").named)
    for number, row in enumerate(table(app)):
        for metric in METRICS.values():
            if not metric.of_all:
                value = metric.value(curves, number, 0, 100)
                assert row[metric.title] == pytest.approx(value), (row["text"], metric.title)
    inequality = gini([document.tokens[100] for document in curves])
    assert any(
        f"The Gini coefficient of all texts is {inequality:.3f}" in caption.value for caption in app.caption
    )


def test_compare_draws_every_metric_and_trains_parity_aware() -> None:
    app = open_page("compare", **SAMPLE, compare_details="Languages")
    for slug in METRICS:
        app.selectbox(key="languages_metric").set_value(slug)
        run(app)
        assert any(METRICS[slug].does_not_predict in caption.value for caption in app.caption)
    lanes = app.selectbox(key="languages_lane").options
    app.button(key="parity_start").click()
    wait_for_parity(app)
    assert app.selectbox(key="languages_lane").options == [*lanes, "Parity-aware BPE"]
    named = from_sample("languages").named
    result = parity_aware(named, merges=400, **SETTINGS)
    plain = document_curves(bpe.train(from_sample("languages").documents[0], merges=400, **SETTINGS), named)
    expected = summary("Hugging Face, byte level (GPT-2)", plain, document_curves(result.trace, named))
    assert any(expected in text.value.replace("\\", "") for text in app.markdown)
    assert any(ties(result) in caption.value for caption in app.caption)
    app.toggle(key="parity_film").set_value(True)
    run(app)
    app.selectbox(key="parity_cost").set_value("compression")  # another cost: that result is not there yet
    run(app)
    app.button(key="parity_start").click()
    run(app)


def test_compare_says_where_parity_aware_bpe_is_if_there_are_several_texts() -> None:
    def pointer(app: AppTest) -> list[str]:
        return [caption.value for caption in app.caption if "parity-aware BPE" in caption.value]

    app = open_page("compare", {}, **SAMPLE)
    assert len(pointer(app)) == 1
    assert pointer(open_page("compare", {}, **SAMPLE | {"corpus_sample": "ties"})) == []


def test_parity_aware_refuses_the_superwords_of_its_lane_in_a_sentence() -> None:
    named = {"a": "low lower", "b": "tief tiefer"}
    asked = {**SETTINGS, "merges": 9, "second_pattern": "lines", "second_after": 2}
    refused = ParityRun("lane", named, "tokens", asked, "Superwords")
    refused.start()
    assert refused.job.ended.wait(LONG)
    assert refused.job.problem == "Parity-aware BPE learns no superwords: train without a second stage."
    assert refused.lane is None
    session: dict[str, Any] = {**SAMPLE, "second_stage": "lines", "merges": 30}
    app = open_page("vocabulary", **session, vocabulary_charts="Languages")
    app.button(key="parity_start").click()
    wait_for_parity(app)
    assert any(refused.job.problem in error.value.replace("\\", "") for error in app.error)


def test_files_are_compared_by_name_and_names_are_no_markup() -> None:
    files = [(HOSTILE, b"low lower lowest"), ("=1+1", b"tief tiefer"), ("empty.txt", b"")]
    corpus = from_files(files)
    app = open_page("vocabulary", corpus_source="upload", _uploaded=corpus, vocabulary_charts="Languages")
    assert [row["text"] for row in table(app)] == list(corpus.named)
    assert [row["Tokens"] for row in table(app)][2] == 0
    for markdown in [*app.markdown, *app.caption]:
        assert "<img" not in markdown.value.replace("\\<", "")
    app.selectbox(key="languages_metric").set_value("premium")
    run(app)


def test_names_that_are_alike_in_one_row_are_kept_apart() -> None:
    """No character separates names: a file's or a share file's may hold any."""
    texts = from_documents(["low lower lowest", "tief tiefer"], "Shared")
    for names in ["a\0b", "c"], ["a", "b\0c"]:
        shared: dict[str, object] = {"corpus_source": "upload", "_uploaded": with_names(names, texts)}
        app = open_page("vocabulary", None, vocabulary_charts="Languages", **shared)
        assert [row["text"] for row in table(app)] == names


def test_many_texts_are_compared_in_part() -> None:
    many = from_files([(f"{number}.txt", b"low") for number in range(MOST_DOCUMENTS + 5)])
    assert len(compared(many)) == MOST_DOCUMENTS
    assert compared(from_sample("languages")) == from_sample("languages").named


def test_the_file_has_the_curves_of_every_text() -> None:
    trace = bpe.train(["low lower", "tief"], merges=3)
    curves = document_curves(trace, {"=en": "low lower", "de": "tief"})
    content = csv_file(columns(), rows(curves, 0, [0, 3])).decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(content)))
    assert [(line["merges done"], line["text"], line["Tokens"]) for line in lines] == [
        ("0", "'=en", "10"),
        ("0", "de", "5"),
        ("3", "'=en", "5"),
        ("3", "de", "5"),
    ]


def _highlights(*texts: str) -> None:
    import bpe
    from bpe.analysis.languages import document_curves
    from ui.language_tab import controls

    documents = {str(number): text for number, text in enumerate(texts)}
    controls.choose_highlighted(document_curves(bpe.train(texts, merges=1), documents), 0)


@pytest.mark.parametrize("texts", [("low", "low"), ("low", "lower")])
def test_two_texts_are_both_coloured_at_first(texts: tuple[str, str]) -> None:
    """Also two that need the same number of tokens: then one is both the shortest and the longest."""
    app = AppTest.from_function(_highlights, args=texts, default_timeout=LONGEST_RUN).run()
    assert app.multiselect[0].value == ["0", "1"]
