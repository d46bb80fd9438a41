"""The page Tokenizers: one's own text as each published tokenizer splits it, a row for each, while one types.

Rows of tokenizers that are open are there at once. The others are opened in a thread, and their rows appear one by one.
The text outlives page changes and reloads, and is part of the link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpe import BPEError
from bpe.checkpoints import checkpoints
from film.split_rows import SplitRow, framed, row_feed, split_row, split_sentence
from published.rows import PUBLISHED
from ui.choices import corpus_controls, recipe_source, text_link
from ui.choices.choices import Choice
from ui.page_parts.compare import lanes
from ui.shown import navigation
from ui.trainings import shown_training, tokenizer_files
from ui.trainings.byte_cache import ByteCache, digest_of
from ui.trainings.corpus import MOST_PASTED, MOST_TYPED, refuse_too_long
from ui.trainings.long_work import Says, SharedWork, asked, draw_state
from ui.view import component as message
from ui.view import visit
from ui.view.component import browser_component
from ui.view.text import in_markdown, shortened
from ui.view.text_field import page_field, put, suggest, suggested, typed

_TEXT = "tokenizers_text"
_ROWS_KEY = "split_rows"
_COMPONENT = browser_component("splits")
_MOST_COUNTED = 500_000  # characters of a text that all published tokenizers split: some seconds
_MOST_OWN = 50_000  # characters of a text that own tokenizers split
_LONGEST_NAME = 40  # characters of a file's name
_OWN = "own"  # slug of the row of the own training, beside those of tokenizers
_AT_ONCE = 4_000  # characters that the page splits itself, if a tokenizer is open: some milliseconds
_WAIT = 0.3  # seconds for which the page waits for more rows before it shows those that it has
_FIRST_TEXT = "strawberry for Priyanka and Łukasz 😊"

# What an example shows -> its text.
_EXAMPLES = {
    "A name": "Priyanka Chandrasekhar",
    "Digits": "3.14159 and 1234567890",
    "Code": 'for i in range(10):\n    print(f"{i:>3}")',
    "Emoji": "😊 👍🏽 👩‍🔬 🏳️‍🌈",
    "Five scripts": "Hello Привет नमस्ते 你好 مرحبا",
    "Spaces": "one two  three   four\n\tfive",
    "Spelling": "How many r are in strawberry? s t r a w b e r r y",
}
TEXT_LINK = {"text": (_TEXT, visit.short_text)}

# Rows by a hash of text and tokenizer, so that only a session that has the text gets its rows.
_ROWS: ByteCache[SplitRow] = ByteCache(6_000_000)


def text_field(choice: Choice | None) -> str:
    """Draw the field with its examples, and return the typed text."""
    own = choice.corpus.reading_text if choice and choice.source in corpus_controls.TYPED else ""
    suggest(_TEXT, own if own.strip() and len(own) <= MOST_PASTED else _FIRST_TEXT)
    text = page_field(
        "How a language model reads your words",
        key=_TEXT,
        most=MOST_TYPED,
        placeholder="Type anything: your name, a sentence, another language",
        says="Type anything: your name, a sentence, another language. The rows follow while you type.",
        suggestion=suggested(_TEXT),
        is_large=True,
    )
    with st.container(horizontal=True, key="split_examples"):
        for title, example in _EXAMPLES.items():
            st.button(title, key=f"split_example_{title}", on_click=put, args=(_TEXT, example))
    text_link.write_texts("tokenizers", {"text": typed(_TEXT) or None})
    return text


def draw_rows(text: str, choice: Choice | None) -> bool:
    """Draw a row for each published tokenizer, and for the viewer's own.

    Return whether all of them are there, or nobody waits for more.
    """
    try:
        refuse_too_long(text, "Shorten it.")
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return True
    part = text[:_MOST_COUNTED]
    name = digest_of(part)
    rows = _rows_at_hand(part, name)
    missing = [slug for slug in PUBLISHED if slug not in rows]
    work = None
    if part and missing:
        compute = partial(_split_all, part, name)
        work = asked("split_rows", digest_of("split rows", name), compute, wait=_WAIT, in_parts=True)
        rows |= work.result or {}
    own = _own_rows(part, name, choice) if part else []
    with st.container(key="splits"):
        _COMPONENT(
            key=_ROWS_KEY,
            data=feed(text, part, rows, own),
            on_learn_change=partial(_learn, text),
            on_merge_change=partial(_open_watch, text),
            on_beside_change=partial(_open_compare, text, rows),
            height="content",
        )
    if work is None:
        return True
    says = Says(partial(_progress, work.work), "Stopped before all tokenizers were open.")
    draw_state("split_rows", work, says)
    return not work.is_running


def _rows_at_hand(text: str, name: str) -> dict[str, SplitRow]:
    """Return the rows that are known, and of a short text those of the tokenizers that are open."""
    rows: dict[str, SplitRow] = {}
    for slug in PUBLISHED if text else ():
        row = _ROWS.find(f"{name} {slug}")
        if row is None and len(text) <= _AT_ONCE and (tokenizer := tokenizer_files.tokenizer_if_open(slug)):
            row = split_row(text, tokenizer)
            _ROWS.put(f"{name} {slug}", row)
        if row is not None:
            rows[slug] = row
    return rows


def _split_all(text: str, name: str, work: SharedWork[dict[str, SplitRow]]) -> None:
    """Split the text with each published tokenizer whose row is not known, and report each row."""
    rows = dict(work.result or {})
    for slug in PUBLISHED:
        if slug not in rows:
            rows[slug] = _ROWS.get(f"{name} {slug}", partial(_split, text, slug, work))
            work.report(len(rows) / len(PUBLISHED), dict(rows))


def _split(text: str, slug: str, work: SharedWork[Any]) -> SplitRow:
    with checkpoints(lambda: None):  # another letter was typed: for the longer text, it must be open, too
        tokenizer = tokenizer_files.tokenizer_for_now(slug)
    work.job.check()
    return split_row(text, tokenizer)


@dataclass(frozen=True, slots=True)
class _OwnRow:
    """A row of a tokenizer that is not a published one. It is not ranked: one trained on this text would always win."""

    slug: str
    title: str
    about: str
    note: str
    row: SplitRow


def _own_rows(text: str, name: str, choice: Choice | None) -> list[_OwnRow]:
    """Return a row for each file that the viewer has opened, and for the training on the viewer's own text."""
    if len(text) > _MOST_OWN:
        return []
    rows = []
    for file in tokenizer_files.remembered().values():
        row = _ROWS.get(f"{name} {file.id}", partial(split_row, text, file.tokenizer))
        title = shortened(file.name, _LONGEST_NAME)
        rows.append(_OwnRow(file.id, title, file.opened.about, "your file", row))
    corpus, shown = shown_training.shown_corpus(), shown_training.shown_trainings()
    if choice and choice.source != "sample" and shown and corpus and shown[0].trace.origin.is_own:
        trained = "this very text" if corpus.reading_text.strip() == text.strip() else corpus.name_elsewhere
        tokenizer = shown[0].trace.tokenizer()
        row = _ROWS.get(f"{name} {shown[0].name}", partial(split_row, text, tokenizer))
        note = f"trained on {shortened(trained, 40)}"
        rows.append(_OwnRow(_OWN, "Your training", shown[0].recipe.title, note, row))
    return rows


def _progress(work: SharedWork[dict[str, SplitRow]]) -> str:
    done = len(work.result or {})
    name = list(PUBLISHED.values())[min(done, len(PUBLISHED) - 1)].name
    return f"Opening {name}: {done} of {len(PUBLISHED)} tokenizers are open."


def feed(
    text: str, part: str, rows: Mapping[str, SplitRow], own: Sequence[_OwnRow] = ()
) -> dict[str, object]:
    """Return what the component draws: the rows that are there, fewest tokens first, those to come, and own ones.

    part: of the text, its beginning, which the rows count.
    """
    order = sorted(rows, key=lambda slug: (rows[slug].count, list(PUBLISHED).index(slug)))
    marks = dict(zip(order, framed([rows[slug] for slug in order]), strict=True))
    waits = [slug for slug in PUBLISHED if slug not in rows] if part else []
    sent = [_row(slug, rows[slug], marks[slug], _beside(slug, rows)) for slug in order]
    counts = [(PUBLISHED[slug].name, rows[slug].count) for slug in PUBLISHED if slug in rows]
    some = any(any(own) for own in marks.values())
    return {
        "text": part[:2_000],
        "sentence": split_sentence(counts) if counts else "",
        "rest": _rest(rows, some=some) if len(rows) > 1 else "",
        "rows": [*sent, *({"slug": slug, **_named(slug)} for slug in waits), *map(_own_row, own)],
        "learn": "Why these pieces? Watch a tokenizer learn from your words" if text.strip() else "",
        "note": _note(text, part, rows),
    }


def _row(slug: str, row: SplitRow, marks: Sequence[bool], beside: str) -> dict[str, object]:
    own = {} if row.is_typed else {"text": row.text, "note": "changes the text first"}
    return {
        "slug": slug,
        **_named(slug),
        "count": row.count,
        "cells": row_feed(row, marks),
        "beside": beside,
        **own,
    }


def _own_row(own: _OwnRow) -> dict[str, object]:
    changed = {} if own.row.is_typed else {"text": own.row.text}
    return {
        "slug": own.slug,
        "title": own.title,
        "about": own.about,
        "note": own.note,
        "count": own.row.count,
        "cells": row_feed(own.row, [False] * len(own.row.cells)),
        "beside": "" if own.slug == _OWN else next(iter(PUBLISHED)),
        **changed,
    }


def _named(slug: str) -> dict[str, str]:
    row = PUBLISHED[slug]
    return {"title": row.name, "about": f"{row.maker}, {row.years}: {row.models}"}


def _beside(slug: str, rows: Mapping[str, SplitRow]) -> str:
    """Return the row with which Compare shows another one: the first published one, or beside that one the dearest."""
    first, *others = [one for one in PUBLISHED if one in rows]
    if slug != first:
        return first
    return max(others, key=lambda one: rows[one].count, default="")


def _rest(rows: Mapping[str, SplitRow], *, some: bool) -> str:
    if some:
        return "Framed: where most of the others cut elsewhere."
    spans = {tuple((cell.start, cell.end) for cell in row.cells) for row in rows.values() if row.is_typed}
    return "All cut it alike." if len(spans) == 1 else ""


def _note(text: str, part: str, rows: Mapping[str, SplitRow]) -> str:
    """Return what of a long text the rows show and count; "" if that is all."""
    if not any(len(row.cells) < row.count for row in rows.values()) and len(part) == len(text):
        return ""
    counted = "all" if len(part) == len(text) else f"the first {len(part):,}"
    return (
        f"The rows show the beginning of the text. The numbers count {counted} of {len(text):,} characters."
    )


def _open_watch(text: str) -> None:
    """Open Watch, where a row's tokenizer merges the text. A callback."""
    slug = _asked("merge")
    if slug is not None:
        _use(slug, text)
        navigation.go_to("watch")


def _asked(way: str) -> str | None:
    """Return the row whose way the viewer has pressed; None if there is no such row."""
    slugs = [one.slug for one in tokenizer_files.known()]
    return message.read(st.session_state.get(_ROWS_KEY), way, message.one_of([*slugs, _OWN]))


def _open_compare(text: str, rows: Mapping[str, SplitRow]) -> None:
    """Open Compare with a row's tokenizer and the one beside it. A callback."""
    slug = _asked("beside")
    known = {one.slug: one for one in tokenizer_files.known()}
    if slug not in known:
        return
    other = _beside(slug, rows) if slug in rows else next(iter(rows), "")
    if other:
        _use(slug, text)
        lanes.request_lanes([known[slug].id, known[other].id])
        navigation.go_to("compare")


def _use(slug: str, text: str) -> None:
    """Take the merges from the tokenizer of a row on all pages, and this text. An own training learns from the text."""
    corpus_controls.put_text("paste", text)
    chosen = next((one.choose for one in tokenizer_files.known() if one.slug == slug), None)
    (chosen or recipe_source.train_instead)()


def _learn(text: str) -> None:
    """Open Watch, which learns merges from the text. A callback."""
    if not message.read(st.session_state.get(_ROWS_KEY), "learn", lambda value: value is True):
        return
    corpus_controls.put_text("paste", text)
    recipe_source.train_instead()
    navigation.go_to("watch")
