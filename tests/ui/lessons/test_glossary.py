"""The glossary: every term is used, every lesson it names exists, and sentences mark each term once."""

import itertools
import json
import re
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import bpe
from tests import ROOT
from tests.app import open_page, run, send_event
from tests.ui.lessons.lesson_checks import trained
from ui.page_parts.lessons.card import _beat_data, page_content
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.glossary import TOPICS, marked, terms, uses
from ui.page_parts.lessons.glossary_page import _KEY as GLOSSARY
from ui.page_parts.lessons.glossary_page import _matching
from ui.page_parts.lessons.glossary_pictures import (
    _MERGES,
    _MOVING,
    _PICTURES,
    _WORDS,
    moving_picture,
    picture_of,
)
from ui.page_parts.lessons.stages import BeatContent

TERMS = terms()


def test_every_term_is_used_and_names_a_lesson_that_exists() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "ui/page_parts/lessons/course").glob("*.toml")]
    sources = [path.read_text("utf-8") for path in (ROOT / "ui").rglob("*.py")]
    lines = [line for source in sources for line in re.findall(r'"([^"\n]* [^"\n]*)"', source)]
    used = set().union(*map(uses, texts + lines))
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
        known = page_content(lesson, trace)["terms"]
        for beat in lesson.beats:
            data = _beat_data(BeatContent(lesson, trace, beat))
            pieces = [*data["say"], *data["question"], *data["answer"]]
            assert {piece[2] for piece in pieces if len(piece) == 3} <= known.keys()
        assert all(row["lesson"] != lesson.slug for row in known.values())


def listed(app: AppTest) -> list[str]:
    """Return the slugs of the terms that the page lists."""
    (data,) = (one.proto.bytes for one in app.get("bidi_component") if GLOSSARY in one.proto.id)
    return [term["slug"] for term in json.loads(data)["terms"]]


def test_the_page_lists_finds_and_leads_to_a_lesson() -> None:
    app = open_page("glossary")
    pages = []
    for topic in TOPICS:
        app.segmented_control(key="glossary_topic").set_value(topic)
        run(app)
        pages.append(listed(app))
        assert pages[-1] == sorted(pages[-1], key=[*TERMS].index)
    assert sorted(itertools.chain(*pages), key=[*TERMS].index) == [*TERMS]
    app.text_input(key="glossary_find").set_value("Wall")
    run(app)
    assert listed(app) == ["wall"]
    send_event(app, GLOSSARY, "opened", '"no such term"')
    assert listed(app) == ["wall"]
    send_event(app, GLOSSARY, "opened", '"wall"')
    assert app.session_state["lesson"] == TERMS["wall"].see
    app.switch_page("pages/glossary.py")
    run(app)
    app.text_input(key="glossary_find").set_value("<b>no such term</b>")
    run(app)
    assert "No term contains" in app.info[0].value
    assert [term.term for term in _matching("neighbours again")] == ["byte pair encoding (BPE)"]


def test_every_term_has_a_picture_whose_tokens_spell_what_its_rows_say() -> None:
    assert [slug for slug in TERMS if slug not in _MOVING] == list(_PICTURES)
    assert {slug for slug, term in TERMS.items() if term.moves} == _MOVING.keys()
    for slug in TERMS:
        rows = picture_of(TERMS[slug])
        assert rows, slug
        assert all(row["items"] for row in rows), slug
        chips = [item for row in rows for item in row["items"] if not isinstance(item, str)]
        assert {kind for _, kind in chips} <= {"", "plain", "unused", "unknown"}, slug


def test_a_picture_that_moves_is_that_of_a_training_of_so_many_merges() -> None:
    for slug in _MOVING:
        moving = moving_picture(TERMS[slug])
        assert moving is not None
        assert moving["frames"][moving["at"]] == picture_of(TERMS[slug])
        assert len(moving["frames"]) == _MERGES + 1
        assert [value[3]["drag"] for value in moving["sentence"] if len(value) > 3].count(True) >= 1
    for step in range(_MERGES + 1):
        alone = bpe.train(_WORDS, merges=step)
        rows = _MOVING["byte-pair-encoding-bpe"](step)
        assert sum(len(row["items"]) * int(row["name"][:-2]) for row in rows) == alone.tokens_total(step)
        assert sum(len(row["items"]) for row in _MOVING["vocabulary"](step)) == alone.vocabulary_size(step)
        used, *_ = _MOVING["in-use"](step)
        assert len(used["items"]) == alone.in_use(step)
        assert {len(row["items"]) for row in _MOVING["tie"](step)} == {2}
        assert len(_MOVING["tie"](step)) == len(alone.tied_pairs(step))


def labels(slug: str) -> list[list[str]]:
    """Return the texts of a picture's chips, row by row."""
    return [
        ["".join(item[0]) for item in row["items"] if not isinstance(item, str)]
        for row in picture_of(TERMS[slug])
    ]


def test_pictures_show_what_their_terms_say() -> None:
    count, *others = (row["remark"] for row in picture_of(TERMS["tie"]))
    assert others == [count] * 2  # three pairs with one count
    assert labels("tie-breaking-rule")[0] != labels("tie-breaking-rule")[1]
    assert labels("preset")[0] != labels("preset")[1]
    assert labels("encoder")[0] != labels("encoder")[1]
    assert labels("lane")[0] != labels("lane")[1]
    assert labels("real-choice") == [["no", "w", "here"], ["now", "here"], ["no", "where"]]
    assert labels("pattern")[0] != labels("pattern")[1]
    one, other, again = labels("seed")
    assert one == again != other
    tokens, text = (row["remark"] for row in picture_of(TERMS["bits-per-byte"]))
    assert (tokens, text) == ("2 tokens of 4.52 bits", "6 bytes: 1.51 bits per byte")  # 2 × log2(23) / 6
    assert [len(row) - 1 for row in labels("utf-8")] == [1, 2, 3, 4]
    assert [len(row) - 1 for row in labels("code-point")] == [1, 2]
    assert "by·the·way" in labels("superword")[1]
    assert "by·the·way" not in labels("superword")[0]
    assert len(labels("special-token")[0]) == 1 < len(labels("special-token")[1])
    chosen = [row for row in picture_of(TERMS["unigram"]) if "more probable" in row["remark"]]
    products = [
        prod(map(float, row["remark"].split(" ←")[0].split(" × "))) for row in picture_of(TERMS["unigram"])
    ]
    assert picture_of(TERMS["unigram"])[products.index(max(products))] == chosen[0]
