"""The page Languages: finished tokenizers on named texts, with one chart, a table and files."""

import pytest

from bpe.analysis.measuring.measured import measured
from bpe.analysis.measuring.measures import MEASURES, values_of
from published.rows import PUBLISHED
from tests.app import open_app, open_page, run
from ui.languages.choices import named_texts
from ui.languages.dots import dot_rows
from ui.languages.results import pivot, sentence
from ui.sidebar.tokenizers.published_files import published_file

LINK = {"by": "gpt-2~mistral-7b"}


def test_the_page_measures_the_tokenizers_of_its_link_in_fourteen_languages() -> None:
    app = open_page("languages", LINK)
    texts = named_texts(None)
    assert (len(texts), next(iter(texts))) == (14, "English")
    table = [
        measured(published_file(slug).tokenizer, PUBLISHED[slug].name, name, text)
        for name, text in texts.items()
        for slug in ("gpt-2", "mistral-7b")
    ]
    values = pivot(table, "English", MEASURES["premium"])
    answer = sentence(values, ["GPT-2", "Mistral 7B"], MEASURES["premium"], "English")
    assert answer in " ".join(header.value for header in app.header)
    assert app.query_params["by"] == LINK["by"]
    frame = app.dataframe[0].value
    assert list(frame.columns) == ["text", "GPT-2", "Mistral 7B"]
    hindi = frame[frame["text"] == "Hindi"]["GPT-2"].iloc[0]
    assert hindi == pytest.approx(values["Hindi"]["GPT-2"])


@pytest.mark.parametrize("slug", MEASURES)
def test_every_measure_can_be_chosen(slug: str) -> None:
    app = open_page("languages", LINK | {"measure": slug})
    captions = " ".join(caption.value for caption in app.caption)
    assert MEASURES[slug].does_not_predict in captions
    assert (
        bool([box for box in app.selectbox if str(box.key).startswith("measured_base")])
        == MEASURES[slug].same_content
    )


def test_the_sidebars_training_and_text_can_be_measured() -> None:
    app = open_page("languages", {"by": "gpt-2~trained", "texts": "own", "measure": "tokens"})
    frame = app.dataframe[0].value
    assert list(frame.columns) == ["text", "GPT-2", "Trained in the sidebar"]
    assert len(frame) == 1


def test_without_a_tokenizer_the_page_asks_for_one() -> None:
    app = open_page("languages", LINK)
    app.session_state["measured_by"] = []
    assert "Choose at least one tokenizer" in run(app).info[0].value


def test_a_forged_choice_is_the_usual_one() -> None:
    app = open_app()
    app.session_state["measured_by"] = ["gpt-99", 5, ["gpt-2"]]
    app.switch_page("pages/languages.py")
    assert run(app).session_state["measured_by"] == ["gpt-4o", "gpt-4", "gpt-2", "qwen"]


def test_a_text_without_a_value_has_no_dot() -> None:
    values: dict[str, dict[str, float | None]] = {"a": {"A": 2.0, "B": None}, "b": {"A": None, "B": None}}
    figure = dot_rows(values, ["A", "B"], title="t", number_format=",.2f", dark=False)
    assert [trace["x"] for trace in figure["data"]] == [[2.0, None], [None, None]]
    assert len(figure["layout"]["shapes"]) == 1
    assert "None of these" in sentence({"b": {"A": None}}, ["A"], MEASURES["digits-per-token"], "b")


def test_values_compare_with_the_base_text_under_the_same_tokenizer() -> None:
    tokenizer = published_file("gpt-2").tokenizer
    table = [
        measured(tokenizer, "one", name, text) for name, text in {"a": "low", "b": "low low low"}.items()
    ]
    assert [values["premium"] for values in values_of(table, "a")] == [1, 3]


def test_a_file_of_word_pieces_is_opened_and_measured() -> None:
    content = "[UNK]\n" + "".join(f"{one}\n##{one}\n" for one in "abcdefghijklmnopqrstuvwxyz.,")
    app = open_page("languages", None, measured_popover=True)
    app.file_uploader(key="measured_upload").upload("vocab.txt", content.encode())
    run(app)
    assert "vocab.txt" in app.button_group(key="measured_by").options
    table = next(frame.value for frame in app.dataframe if "vocab.txt" in frame.value.columns)
    assert table["vocab.txt"].notna().any()
    app.file_uploader(key="measured_upload").upload(
        "broken.json", b'{"model": {"type": "Unigram", "vocab": 3}}'
    )
    run(app)
    assert any("broken.json" in error.value and "model.vocab" in error.value for error in app.error)
    assert "vocab.txt" in app.button_group(key="measured_by").options  # what was there stays
