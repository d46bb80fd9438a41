"""The text that Encode begins with: it shows something with its sample, and a line explains it."""

import pytest

import bpe
from bpe.encoding.tokenizer import Tokenizer
from tests.app import open_app, open_page, run
from ui.encode.controls import example_note
from ui.sidebar.corpus import from_sample, samples


def test_a_line_explains_the_example_until_something_is_typed() -> None:
    app = open_page("encode")
    note = "do not occur in the training text; the other word does. Type your own words here."
    assert [caption.value for caption in app.caption if "An example to begin with" in caption.value] == [
        f"An example to begin with: “lowest” and “newer” {note}"
    ]
    app.text_area(key="encode_text").set_value("low lowest")
    run(app)
    assert not any("An example" in caption.value for caption in app.caption)
    typed = open_page("encode", encode_source="typed")
    assert any("from the article that lists these tokens" in caption.value for caption in typed.caption)


def test_the_example_of_a_sample_shows_a_word_of_the_text_and_most_show_a_new_one() -> None:
    examples = {slug: sample.encode for slug, sample in samples().items() if sample.encode}
    assert len(examples) >= 12
    texts = {slug: from_sample(slug).reading_text for slug in examples}
    assert all(any(word in texts[slug] for word in text.split()) for slug, text in examples.items())
    new = [slug for slug, text in examples.items() if any(word not in texts[slug] for word in text.split())]
    assert len(new) > len(examples) / 2
    for slug, text in examples.items():
        tokens = trained_on(slug).tokens(text)
        assert any(len(token) > 1 for token in tokens), slug


def trained_on(slug: str) -> Tokenizer:
    sample = samples()[slug]
    settings = {"merges": sample.merges, **bpe.PRESETS[sample.preset].settings}
    return bpe.train(from_sample(slug).training_text, **settings).tokenizer()


NOTES = {
    "all known": ("low lowest", "low lowest", "all of its words occur in the training text"),
    "none known": ("low", "new old", "none of its words occurs in the training text"),
    "many new": (
        "low",
        "low a1 b2 c3",
        "“a1” and 2 other words do not occur in the training text; the rest do",
    ),
    "two known": ("low new", "low new old", "“old” does not occur in the training text; the other words do"),
}


@pytest.mark.parametrize(("trained", "text", "about"), NOTES.values(), ids=NOTES)
def test_the_line_says_which_words_are_new(trained: str, text: str, about: str) -> None:
    assert example_note(trained, text) == f"An example to begin with: {about}. Type your own words here."


def test_the_example_is_read_as_the_training_reads_it() -> None:
    """The text has “The” only, which lower-casing makes the example's word."""
    app = open_app({"corpus_source": "paste", "preset": "none", "normalization": "lower"}, corpus_text="The")
    app.switch_page("pages/encode.py")
    run(app)
    note = "“thethe” does not occur in the training text; the other word does."
    assert any(note in caption.value for caption in app.caption)
