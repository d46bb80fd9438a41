"""The menus Tokenizer and Text: each row spells the first words as its trainer begins with them."""

import time
from collections.abc import Mapping, Sequence
from functools import partial

import pytest

import bpe
from film.feed import ChipLabel
from film.labels import chip_label
from published.rows import PUBLISHED
from tests.app import component_id, open_app, row_titles, take_row, without_tabs
from ui.choices import text_menu, tokenizer_menu
from ui.choices.tokenizer_menu import preset_rows, published_rows, spelled
from ui.trainings import tokenizer_files
from ui.trainings.corpus import Corpus, from_documents, from_sample, from_text, from_words, samples
from ui.trainings.settings import FREE


def spellings(corpus: Corpus | str) -> Mapping[str, str]:
    """Return {preset: the words as it spells them at the start, a space between symbols, a bar between words}."""
    text = from_text(corpus) if isinstance(corpus, str) else corpus
    rows = {slug: (text, row.settings) for slug, row in bpe.PRESETS.items()}
    shown, tokens = spelled(rows)
    return {slug: _joined(of_row, tokens) for slug, of_row in shown.items()}


def _joined(words: Sequence[Sequence[int]], tokens: Sequence[ChipLabel]) -> str:
    labels = [without_tabs(label) for label in tokens]
    return " | ".join(" ".join(labels[at] for at in word) for word in words)


def test_each_trainer_spells_the_first_words_as_it_begins_with_them() -> None:
    shown = spellings("lower newest")
    assert shown.keys() == bpe.PRESETS.keys()
    assert shown["paper"] == "l o w e r </w> | n e w e s t </w>"
    assert shown["subword-nmt"] == "l o w e r</w> | n e w e s t</w>"
    assert shown["sentencepiece"] == "▁ l o w e r | ▁ n e w e s t"
    assert shown["hf-bytelevel"] == "l o w e r | · n e w e s t"
    assert shown["minbpe-basic"] == "l o w e r · n e w e s t"
    assert shown["lecture-notes"] == "l o w e r _ | n e w e s t _"
    assert spellings("é")["hf-bytelevel"] == "C3 A9"


@pytest.mark.parametrize("words", ["</w> ▁", "<|endoftext|>", "😀", "<b>", "\u200b", "a\u0301"])
def test_words_that_look_like_markers_are_spelled_too(words: str) -> None:
    assert spellings(words)


FIRST = {  # text -> its first words under Paper and under Hugging Face's byte level
    "two blanks": (
        from_text("  low   lower newest"),
        "l o w </w> | l o w e r </w>",
        "· | · l o w | · · | · l o w e r",
    ),
    "a line each": (from_text("low\nlower\nlowest"), "l o w </w> | l o w e r </w>", "l o w | ↵ | l o w e r"),
    "a tab": (from_text("low\tlower"), "l o w </w> | l o w e r </w>", "l o w | → | l o w e r"),
    "one long word": (from_text("x" * 100), " ".join("x" * 20), " ".join("x" * 20)),
    "a long second word": (from_text("a " + "x" * 100), "a </w>", "a"),
    "a word of 20": (from_text("x" * 20 + " y"), " ".join(["x"] * 20 + ["</w>"]), " ".join("x" * 20)),
    "counted words": (
        from_words("newest 6\nlow 5\nwide 1"),
        "n e w e s t </w> | l o w </w>",
        "n e w e s t | l o w",
    ),
    "documents": (
        from_documents(["low", "lower"], "Files"),
        "l o w </w> | l o w e r </w>",
        "l o w | l o w e r",
    ),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_words_are_the_first_of_the_text_and_short(name: str) -> None:
    corpus, paper, byte_level = FIRST[name]
    shown = spellings(corpus)
    assert (shown["paper"], shown["hf-bytelevel"]) == (paper, byte_level)


def is_beginning(word: str, whole: str) -> bool:
    return f"{whole} ".startswith(f"{word} ")


SHORT = [slug for slug in samples() if from_sample(slug).characters < 4_000]


@pytest.mark.parametrize("sample", SHORT)
def test_the_words_of_a_row_are_those_with_which_its_training_begins(sample: str) -> None:
    corpus = from_sample(sample)
    for slug, shown in spellings(corpus).items():
        settings = {name: value for name, value in bpe.PRESETS[slug].settings.items() if name != "word_order"}
        trace = bpe.train(corpus.training_text, **{**settings, "merges": 0})  # in the order of the text
        label = partial(chip_label, trace.variant)
        words = [" ".join(without_tabs(label(symbol)) for symbol in word) for word, _ in trace.words_at(0)]
        *complete, last = shown.split(" | ")
        assert words[: len(complete)] == list(dict.fromkeys(complete)), slug
        assert any(is_beginning(last, word) for word in words), slug


def test_every_preset_has_a_row_in_one_of_two_groups_and_the_last_is_one_s_own() -> None:
    rows = preset_rows([*bpe.PRESETS, FREE])
    assert sorted(row.slug for row in rows) == sorted([*bpe.PRESETS, FREE])
    assert [row.section for row in rows if row.section] == [*tokenizer_menu._SECTIONS.values(), "Your own"]
    assert rows[-1].slug == FREE
    assert row_titles(open_app(), "preset") == [row.title for row in rows]


@pytest.mark.parametrize("slug", [slug for slug in samples() if slug not in SHORT])
def test_the_rows_are_spelled_within_60_milliseconds(slug: str) -> None:
    """Of the server's processor, whatever the other tests do."""
    spent = []
    for _ in range(3):
        begun = time.thread_time()
        spellings(from_sample(slug))
        spent.append(time.thread_time() - begun)
    assert min(spent) < 0.06


def test_a_sample_shows_how_its_own_training_begins() -> None:
    contents = text_menu.contents(0)
    assert contents
    assert contents.words.keys() == samples().keys()
    assert _joined(contents.words["low-lower-newest-widest"], contents.tokens) == (
        "l o w </w> | l o w e r </w>"
    )
    about = {row.slug: row.about for row in text_menu.rows(samples())}
    assert about["ties"] == samples()["ties"].about


def test_the_six_texts_for_somebody_without_an_idea_stand_together_below_the_first_screen_s() -> None:
    rows = text_menu.rows(samples())
    at = {row.section: number for number, row in enumerate(rows) if row.section}
    assert at == {text_menu._FIRST: 1, text_menu._MORE: 7}
    assert all(samples()[row.slug].first for row in rows[1:7])


def test_what_a_text_costs_is_counted_for_open_tokenizers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = from_text("strawberry unbelievable naïveté")
    monkeypatch.setattr(tokenizer_menu, "shown_corpus", lambda: corpus)
    closed = [slug for slug in PUBLISHED if tokenizer_files.tokenizer_if_open(slug) is None]
    tokenizer = tokenizer_files.published_file("gpt-2").tokenizer
    contents = tokenizer_menu.published(0)
    assert contents
    assert contents.figures["gpt-2"] == f"{len(tokenizer.encode(corpus.reading_text))} tokens"
    still_closed = [slug for slug in PUBLISHED if tokenizer_files.tokenizer_if_open(slug) is None]
    assert still_closed == [slug for slug in closed if slug != "gpt-2"]
    assert contents.figures.keys().isdisjoint(still_closed)
    assert [row.slug for row in published_rows(PUBLISHED)] == list(PUBLISHED)


@pytest.mark.slow
def test_a_row_trains_like_its_trainer() -> None:
    app = open_app()
    take_row(app, "preset", "minbpe-regex")
    assert app.session_state["variant"] == "bytes-gpt4"
    assert app.query_params["preset"] == "minbpe-regex"
    app.session_state["recipe_source"] = "published"
    app.run()
    assert component_id(app, "published_list")
