"""The table of tokens that a search finds, page by page, and a file with all of them."""

import hashlib
import sys
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from bpe import BPEError, Symbol, Trace
from bpe.analysis.vocabulary import (
    LONGEST_SHOWN,
    ORDERS,
    SEARCHES,
    Entry,
    Node,
    depth_of,
    entries,
    in_short,
    merge_tree,
    search,
)
from bpe.text.display import counted, merge_name
from bpe.text.sentence_label import sentence_label, spaced
from film.feed import ChipLabel
from film.labels import chip_label, short_chip_label
from ui.choices import text_link
from ui.choices.choices import Choice
from ui.shown import navigation
from ui.shown.frames import all_tokens, open_table, opening
from ui.shown.step_slider import cache_key, tokenizer
from ui.trainings.settings import MOST_VOCABULARY
from ui.view import component as message
from ui.view import visit
from ui.view.chip_table import Chips, Column, chip_table
from ui.view.component import COMPONENTS, component
from ui.view.downloads import csv_button
from ui.view.menus import menu
from ui.view.tables import bytes_text
from ui.view.text import in_markdown, shortened
from ui.view.visit import Slot, nothing

# The id of the token whose details are shown, and the one last suggested
_TOKEN: Slot[int | None] = Slot("_vocabulary_token", nothing)
_SUGGESTED_TOKEN: Slot[int | None] = Slot("_vocabulary_token_suggested", nothing)
# The search of Vocabulary and its sort order, which the link holds, too
_TEXT, _KIND, _ORDER, _UNUSED = (
    "vocabulary_find",
    "vocabulary_how",
    "vocabulary_order",
    "vocabulary_unused",
)
_MY_TEXT = "text"  # slug of ORDERS
# The order last suggested
_SUGGESTED_ORDER: Slot[str | None] = Slot("_vocabulary_order_suggested", nothing)
_MOST_CHARACTERS = 200
_LARGEST_ID = 1 << 31
_TREE = component("merge_tree", COMPONENTS / "merge_tree")
LINK = {
    "token": (_TOKEN.key, visit.whole_number(0, MOST_VOCABULARY)),
    "find": (_TEXT, visit.short_text),
    "how": (_KIND, visit.slug(*SEARCHES)),
    "order": (_ORDER, visit.slug(*ORDERS)),
    "unused": (_UNUSED, lambda text: True if text == "yes" else None),
}
_FILE_COLUMNS = ("id", "token", "bytes", "length", "rank", "left", "right", "count", "words", "state")

# state of a token -> its text in the table.
_MARKS = {
    "in use": "● in use",
    "stepping stone": "○ stepping stone",
    "used up": "○ used up",
    "never seen": "· never seen",
    "special": "◆ special",
}
_ROWS_A_PAGE = 1_000
_LONGEST_IN_CELL = 64  # bytes of a token
_MOST_IN_FILE = 4_000_000  # bytes of all tokens; a row holds its token about five times
_WHOLE = sys.maxsize  # no token is shortened
_MOST_BUILT = 60
_MOST_WORDS = 100
_WORD_COLUMNS = (
    Column("word"),
    Column("tokens now", "tokens"),
    Column("frequency", "number"),
    Column("times in the word", "number"),
)


def token_table(trace: Trace, choice: Choice, vocabulary: Sequence[Entry], step: int) -> None:
    """Draw the search, the table and the file. A click on a row shows the details of its token."""
    wanted = _search_controls(choice)
    vocabulary_key = cache_key(trace, choice, step)
    try:
        matches = _matches((vocabulary_key, wanted), vocabulary, wanted)
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return
    used = sum(entry.in_use for entry in vocabulary)
    found = f"{len(matches):,} of {len(vocabulary):,} tokens match."
    first = ", first in the table" if wanted.order == _MY_TEXT and used < len(vocabulary) else ""
    in_use = f"{used:,} of {len(vocabulary):,} tokens occur in the text now{first}. Choose a row to see its merges."
    st.caption(found if len(matches) < len(vocabulary) else in_use)
    if not matches:
        st.info(_without_match(wanted, trace, choice, step))
        return
    search_key = hashlib.sha256(repr((vocabulary_key, wanted)).encode()).hexdigest()[:12]
    above = st.container()
    on_page = _page_of(matches, f"vocabulary_page_{search_key}")
    with above:
        _draw_rows(trace, on_page, f"vocabulary_table_{search_key}_{on_page[0].id}")
    longest = _longest_in_file(matches)
    all_or_these = "all " if len(matches) == len(vocabulary) else "these " if len(matches) > 1 else ""
    with st.container(horizontal=True):
        csv_button(
            f"Download {all_or_these}{counted(len(matches), 'token')} (CSV)",
            _FILE_COLUMNS,
            lambda: map(_file_row(trace, longest), matches),
            name="vocabulary",
            key="download_vocabulary",
            explanation=None
            if longest == _WHOLE
            else f"Tokens of more than {longest:,} bytes are shortened, or the file would be too large.",
        )
        if st.button(opening(len(matches), "token"), key="whole_vocabulary"):
            open_table("Tokens", lambda: all_tokens(matches, _FILE_COLUMNS, _file_row(trace, LONGEST_SHOWN)))


def token_details(trace: Trace, vocabulary: Sequence[Entry], step: int) -> None:
    """Draw the details of the token that was chosen in the table or the tree, or is in the link."""
    number = _chosen_token(_suggested(vocabulary), vocabulary[-1].id)
    st.header("One token")
    entry = _entry_of(vocabulary, number)
    if entry is None:
        st.caption(f"No token has the id {number:,}.")
        return
    st.markdown(in_markdown(_sentence(trace, entry, step), 600))
    if entry.state == "special":
        return
    tree = merge_tree(trace, entry.symbol)
    ranks = [rank for rank in trace.built_from(entry.symbol) if rank < step]
    built: list[Symbol] = [
        left + right for left, right in (trace.steps[rank].pair for rank in ranks[:_MOST_BUILT])
    ]
    left, right = st.columns(2, gap="medium")
    with left:
        depth = depth_of(trace, entry.symbol)
        levels = "one level: it is in the alphabet" if depth == 1 else f"{depth:,} levels deep"
        st.markdown(f"**Its merge tree**, {levels}")
        _draw_tree(trace, tree, built, len(ranks) - len(built), key="merge_tree", choose=_look_at)
    with right:
        _words(trace, entry, step)


def linked() -> dict[str, str | int | None]:
    """Return the link parameters of search and token, but for the text; empty for the suggested ones."""
    token = _TOKEN.read()
    kind, order = st.session_state.get(_KIND), st.session_state.get(_ORDER)
    return {
        "token": token if token != _SUGGESTED_TOKEN.read() else None,
        "how": None if kind == next(iter(SEARCHES)) else kind,
        "order": None if order == _SUGGESTED_ORDER.read() else order,
        "unused": "yes" if st.session_state.get(_UNUSED) else None,
    }


def link_search() -> None:
    """Write what is searched for into the link."""
    text_link.write_texts("vocabulary", {"find": st.session_state.get(_TEXT)})


def vocabulary_at(trace: Trace, choice: Choice, step: int) -> list[Entry]:
    """Return the vocabulary at a step. The session caches the last one."""
    return _entries(cache_key(trace, choice, step), trace)


def _sentence(trace: Trace, entry: Entry, step: int) -> str:
    """Describe the token in one or two sentences: how it was made, and where it occurs now."""
    if entry.state == "special":
        return f"{entry.label} is a special token: it has the id {entry.id:,} and is never merged."
    label = sentence_label(trace.variant)
    origin = "is in the alphabet"
    if entry.pair is not None:
        left, right = (in_short(part, label) for part in entry.pair)
        rank = trace.merge_rank(entry.symbol)
        merge = merge_name(rank) + (" of the tokenizer" if rank < trace.origin.listed else "")
        origin = f"was created by {merge}, from {left} + {right}"
    times = "once" if entry.count == 1 else f"{entry.count:,} times"
    words = counted(entry.words, "distinct word")
    where = f"It occurs {times} now, in {words}."
    if not entry.count:
        where = {
            "never seen": "It never occurred in the text.",
            "used up": "It no longer occurs: merges used up every copy.",
        }.get(entry.state, "It is a stepping stone: every copy was merged into something longer.")
    in_bytes = in_short(entry.symbol, partial(bytes_text, trace.variant))
    name = in_short(entry.symbol, label)
    subject = f"The byte token {name}" if name == in_bytes else f"{name} ({in_bytes})"
    return f"{subject} has the id {entry.id:,} and {origin}. {where}"


class _TokenSearch(NamedTuple):
    """A search, and the order of its results."""

    kind: str  # slug of SEARCHES
    text: str
    unused: bool  # only tokens that are not in use
    order: str  # slug of ORDERS


def _suggest_order(choice: Choice) -> None:
    """Begin with the tokens of the viewer's text, or of a text that a finished tokenizer splits, until they choose."""
    is_theirs = choice.source != "sample" or choice.finished is not None
    before, order = _SUGGESTED_ORDER.read(), _MY_TEXT if is_theirs else next(iter(ORDERS))
    if st.session_state.get(_ORDER, before) == before:
        st.session_state[_ORDER] = order
    _SUGGESTED_ORDER.write(order)


def _search_controls(choice: Choice) -> _TokenSearch:
    """Draw the controls and return the search."""
    _suggest_order(choice)
    with navigation.page_field(), st.container(key="vocabulary_choices"):
        columns = st.columns([2, 3, 2, 2], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        kind = menu("Find tokens that …", {slug: row.title.lower() for slug, row in SEARCHES.items()}, _KIND)
    text = columns[1].text_input(
        "Text, pattern or length",
        key=_TEXT,
        max_chars=_MOST_CHARACTERS,
        placeholder=f"for example {SEARCHES[kind].example}{', or #10 for an id' if kind == 'contains' else ''}",
        persist_state="session",
    )
    with columns[2]:
        order = menu("Order", {slug: title for slug, (title, _) in ORDERS.items()}, _ORDER)
    unused = columns[3].toggle("Only unused", key=_UNUSED, persist_state="session")
    return _TokenSearch(kind, text or "", unused, order)


def _without_match(wanted: _TokenSearch, trace: Trace, choice: Choice, step: int) -> str:
    """Return, in Markdown, that no token matches, how a text that was searched for is split, and what to try."""
    split = ""
    if SEARCHES[wanted.kind].is_text and wanted.text.strip():
        tokens = tokenizer(trace, choice, step).tokens(wanted.text)
        labels = spaced(map(sentence_label(trace.variant), tokens))
        text = shortened(wanted.text)
        split = (
            f" These merges split “{text}” into {counted(len(tokens), 'token')}: {shortened(labels, 200)}."
        )
    tries = "Try fewer characters. Markers are written </w> or ▁, and a space is written ·."
    return in_markdown(f"No token matches.{split} {tries}", most=600)


def _look_at(number: int) -> None:
    """Show the details of the token with this id. A callback, so that the link has it, too."""
    _TOKEN.write(number)


def _chosen_token(offered: int, last: int) -> int:
    """Return the id that the viewer has chosen, one of 0 to `last`; until then, the offered one."""
    token = _TOKEN.read()
    if token is None or token == _SUGGESTED_TOKEN.read() or not 0 <= token <= last:
        token = offered
    _TOKEN.write(token)
    _SUGGESTED_TOKEN.write(offered)
    return token


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _entries(key: tuple[str, int, int], _trace: Trace) -> list[Entry]:
    return entries(_trace, key[-1])


def _draw_rows(trace: Trace, on_page: Sequence[Entry], key: str) -> None:
    chips = Chips(partial(short_chip_label, trace.variant, longest=_LONGEST_IN_CELL))
    chip_table(
        _columns(trace),
        [_table_row(trace, entry, chips) for entry in on_page],
        chips,
        key=key,
        label="Matching tokens, one per row",
        pale=[not entry.in_use for entry in on_page],
        choose=lambda row: _look_at(on_page[row].id),
    )


def _table_row(trace: Trace, entry: Entry, chips: Chips) -> tuple[object, ...]:
    """Return the cells of a token, in the order of the columns on the page. Merges count from 1."""
    left, right = (chips(entry.pair[0]), chips(entry.pair[1])) if entry.pair else (None, None)
    return (
        entry.id,
        chips(entry.symbol) if entry.state != "special" else entry.label,
        _MARKS[entry.state],
        entry.count,
        entry.words,
        None if entry.pair is None else trace.merge_rank(entry.symbol) + 1,
        left,
        right,
        entry.length,
        in_short(entry.symbol, partial(bytes_text, trace.variant), _LONGEST_IN_CELL),
    )


def _page_of(matches: Sequence[Entry], key: str) -> Sequence[Entry]:
    """Draw the page control below the table and return the page's entries. Only these are sent to the browser."""
    pages = -(-len(matches) // _ROWS_A_PAGE)
    if pages == 1:
        return matches
    first = (st.pagination(pages, width="stretch", key=key) - 1) * _ROWS_A_PAGE
    last = min(first + _ROWS_A_PAGE, len(matches))
    st.caption(
        f"Rows {first + 1:,} to {last:,} of {len(matches):,}. A column header sorts these rows; “Order” sorts all."
    )
    return matches[first:last]


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _matches(key: object, _vocabulary: Sequence[Entry], _wanted: _TokenSearch) -> list[Entry]:
    """Return the entries that the search finds, in its order. Raises BPEError for a pattern that cannot be read."""
    matches = search(_vocabulary, _wanted.kind, _wanted.text, _wanted.unused)
    return sorted(matches, key=ORDERS[_wanted.order][1])


def _longest_in_file(matches: Sequence[Entry]) -> int:
    """Return the bytes above which the file shortens a token: WHOLE unless the file would be too large."""
    return _WHOLE if sum(len(entry.symbol) for entry in matches) <= _MOST_IN_FILE else LONGEST_SHOWN


def _file_row(trace: Trace, longest: int = _WHOLE) -> Callable[[Entry], tuple[Any, ...]]:
    """Return how an entry becomes a row of _FILE_COLUMNS.

    The middle of a token of more than `longest` bytes is left out.
    """

    def label(symbol: Symbol) -> str:
        return in_short(symbol, trace.variant.label, longest)

    in_bytes = partial(bytes_text, trace.variant)

    def row(entry: Entry) -> tuple[Any, ...]:
        left, right = map(label, entry.pair) if entry.pair else ("", "")
        own = entry.label if len(entry.symbol) <= min(longest, LONGEST_SHOWN) else label(entry.symbol)
        return (
            entry.id,
            own,
            in_short(entry.symbol, in_bytes, longest),
            entry.length,
            None if entry.pair is None else trace.merge_rank(entry.symbol),
            left,
            right,
            entry.count,
            entry.words,
            _MARKS[entry.state],
        )

    return row


def _columns(trace: Trace) -> tuple[Column, ...]:
    return (
        Column("id", "number"),
        Column("token", "tokens"),
        Column(
            "state",
            meaning="Later merges used up every copy of a stepping stone, but it stays in the vocabulary",
        ),
        Column("count", "number", "How often it occurs in the text now"),
        Column("words", "number", "How many distinct words contain it now"),
        Column("merge", "number", "The merge that created it; empty for the alphabet"),
        Column("left", "tokens", "Left token of the pair that was merged"),
        Column("right", "tokens", "Right token of the pair that was merged"),
        Column("length", "number", f"In {trace.variant.unit}. A marker has length 1"),
        Column("bytes"),
    )


def _entry_of(vocabulary: Sequence[Entry], number: int) -> Entry | None:
    """Return the token with this id; None if no token has it, as happens in tokenizers from files."""
    position = bisect_left(vocabulary, number, key=lambda entry: entry.id)
    entry = vocabulary[position] if position < len(vocabulary) else None
    return entry if entry is not None and entry.id == number else None


def _draw_tree(
    trace: Trace, tree: Node, built: Sequence[Symbol], more: int, *, key: str, choose: Callable[[int], None]
) -> None:
    """Draw a merge tree as an icicle, and tokens built from it; `more` are not drawn. `choose` gets a click's id."""

    def label(symbol: Symbol) -> ChipLabel:
        return short_chip_label(trace.variant, symbol)

    def nested(node: Node) -> list[Any]:
        return [
            trace.id_of(node.symbol),
            label(node.symbol),
            None if node.rank is None else trace.merge_rank(node.symbol),
            [nested(part) for part in node.parts],
        ]

    def chosen() -> None:
        number = message.read(st.session_state.get(key), "chosen", message.whole_number(0, _LARGEST_ID))
        if number is not None:
            choose(number)

    _TREE(
        key=key,
        data={
            "tree": nested(tree),
            "built": [[trace.id_of(symbol), label(symbol), trace.merge_rank(symbol)] for symbol in built],
            "more": more,
        },
        on_chosen_change=chosen,
        height="content",
    )


def _suggested(vocabulary: Sequence[Entry]) -> int:
    """Return the id to begin with: the first of the longest tokens in use, which have the largest trees."""
    used = [entry for entry in vocabulary if entry.in_use] or list(vocabulary)
    return max(used, key=lambda entry: (entry.length, -entry.id)).id


def _words(trace: Trace, entry: Entry, step: int) -> None:
    st.markdown("**Words that contain it**")
    if not entry.count:
        st.caption("None after these merges. Move the slider back to see it in use.")
        return
    label = sentence_label(trace.variant)
    chips = Chips(partial(chip_label, trace.variant))
    uses = sorted(trace.uses(entry.symbol, step), key=lambda use: -use[1])
    rows = []
    for word, frequency, times in uses[:_MOST_WORDS]:
        segmentation = chips(*trace.segment_word(word, step)) if len(word) <= 200 else "…"
        title = label(trace.variant.bytes_of(word))
        rows.append((title if len(title) <= 80 else title[:79] + "…", segmentation, frequency, times))
    chip_table(
        _WORD_COLUMNS, rows, chips, key="vocabulary_words", label="Words that contain the token", height=328
    )
    if len(uses) > len(rows):
        st.caption(f"The {len(rows):,} most frequent of {len(uses):,} words.")
