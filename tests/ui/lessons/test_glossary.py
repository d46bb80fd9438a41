"""The glossary: every term is used, every lesson it names exists, and sentences mark each term once."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app import open_page, run
from tests.house.test_documents import screen_strings
from tests.ui.lessons.lesson_claim import trained
from ui.lessons import lessons
from ui.lessons.glossary import marked, terms, uses
from ui.lessons.glossary_page import matching
from ui.lessons.stages import BeatContent, beat_data, content_of

TERMS = terms()


def test_every_term_is_used_and_names_a_lesson_that_exists() -> None:
    lines = [text for source, text in screen_strings() if "glossary.toml" not in source]
    used = set().union(*map(uses, lines))
    assert {slug for slug in TERMS if slug not in used} == set()
    assert {term.see for term in TERMS.values()} <= lessons().keys()


def test_a_term_has_a_form_of_its_own_and_two_short_sentences() -> None:
    forms = [form.lower() for term in TERMS.values() for form in term.forms]
    assert len(forms) == len(set(forms))
    sentences = {slug: re.split(r"(?<=\.)\s", term.means) for slug, term in TERMS.items()}
    assert {slug: parts for slug, parts in sentences.items() if len(parts) != 2} == {}
    assert [
        slug for slug, parts in sentences.items() if not all(15 < len(part) <= 110 for part in parts)
    ] == []


@given(
    st.text(st.sampled_from("a -."))
    | st.lists(st.sampled_from(["pairs", "tie", "untied", " ", "pre-token", "."])).map("".join)
)
def test_marked_pieces_are_the_text_and_each_term_is_marked_once(text: str) -> None:
    pieces = list(marked(text, set()))
    assert "".join(piece for piece, _ in pieces) == text
    slugs = [slug for _, slug in pieces if slug]
    assert len(slugs) == len(set(slugs))
    assert set(slugs) <= TERMS.keys()


@pytest.mark.parametrize(
    ("text", "slugs"),
    {
        "The pairs tie.": ["pair", "tie"],
        "A tie-breaking rule.": ["tie-breaking-rule"],
        "A byte-level tokenizer.": ["byte-level", "tokenizer"],
        "Untied, repairs, bytecode.": [],
        "Pair after pair.": ["pair"],
    }.items(),
)
def test_the_longest_form_of_a_whole_word_is_marked(text: str, slugs: list[str]) -> None:
    assert [slug for _, slug in marked(text, set()) if slug] == slugs


def test_the_card_knows_every_term_that_its_sentences_mark() -> None:
    for lesson in lessons().values():
        trace = trained(lesson.slug, lesson.recipe)
        known = content_of(lesson, trace)["terms"]
        for beat in lesson.beats:
            data = beat_data(BeatContent(lesson, trace, beat))
            pieces = [*data["say"], *data["question"], *data["answer"]]
            assert {piece[2] for piece in pieces if len(piece) == 3} <= known.keys()
        assert all(row["lesson"] != lesson.slug for row in known.values())


def test_the_page_lists_finds_and_leads_to_a_lesson() -> None:
    app = open_page("glossary")
    assert len([button for button in app.button if str(button.key).startswith("term_lesson_")]) == len(TERMS)
    app.text_input(key="glossary_find").set_value("Wall")
    run(app)
    assert [button.key for button in app.button if str(button.key).startswith("term_")] == [
        "term_lesson_wall"
    ]
    app.button(key="term_lesson_wall").click()
    run(app)
    assert app.session_state["lesson"] == TERMS["wall"].see
    app.switch_page("pages/glossary.py")
    run(app)
    app.text_input(key="glossary_find").set_value("<b>no such term</b>")
    run(app)
    assert "No term contains" in app.info[0].value
    assert [term.term for term in matching("neighbours again")] == ["byte pair encoding (BPE)"]
