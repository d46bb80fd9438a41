"""What captions of the pages claim about every text, measured on samples."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import log
from statistics import correlation, linear_regression
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe import Trace
from bpe.analysis.ties import tie_map
from tests.app import open_page, run
from ui.page_parts.languages.choices import TOKENIZERS
from ui.page_parts.vocabulary.growth import _peak_step
from ui.trainings.corpus import from_sample

MERGES = 400
TIES = ("low-lower-newest-widest", "highest-higher-lower", "aaabdaaabac", "ties")


@cache
def story(tie_break: str = "first") -> Trace:
    return bpe.train(from_sample("story").training_text, "bytes-gpt2", tie_break, merges=MERGES)


def tokens(trace: Trace) -> set[bytes]:
    return {left + right for left, right in trace.merges}


# The draws of Compare


def test_what_every_draw_learns_hardly_depends_on_the_rule() -> None:
    text = from_sample("story").training_text
    draws = [tokens(bpe.train(text, "bytes-gpt2", "random", seed=seed, merges=MERGES)) for seed in range(6)]
    studies = [set.intersection(*draws[: number + 1]) for number in range(6)]
    rules = [tokens(story(slug)) for slug, rule in bpe.TIE_BREAKS.items() if not rule.seeded]
    missing = [sum(len(always - learned) for learned in rules) for always in studies]
    assert missing == sorted(missing, reverse=True)  # the more draws, the surer
    assert 0 < missing[-1] < 0.02 * len(studies[-1]) * len(rules)  # hardly, and not: never


# Kinds of ties: a real choice, or the order only


@pytest.mark.parametrize("slug", TIES)
def test_a_choice_is_a_merge_that_used_up_occurrences_of_a_tied_pair(slug: str) -> None:
    trace = bpe.train(from_sample(slug).training_text, "char-eow", "first")
    for step, kind in zip(trace.steps, tie_map(trace).kinds, strict=True):
        if kind in ("choice", "order only"):
            counts = trace.pair_counts(step.rank + 1)
            others = [pair for pair in trace.tied_pairs(step.rank) if pair != step.pair]
            lost_some = any(counts.get(pair, 0) < step.count for pair in others)
            assert kind == ("choice" if lost_some else "order only"), step


def test_after_a_choice_another_pick_can_end_with_the_same_words() -> None:
    text = from_sample("low-lower-newest-widest").training_text
    trace = bpe.train(text, "char-eow", "first")
    kinds = tie_map(trace).kinds
    last = trace.words_at(len(trace.steps))
    others = [
        bpe.train(text, "char-eow", "first", picks={rank: pair})
        for rank, kind in enumerate(kinds)
        for pair in trace.tied_pairs(rank)[1:]
        if kind == "choice"
    ]
    assert len(others) >= 7
    assert all(other.words_at(len(other.steps)) == last for other in others)


# The curve of frequencies of Vocabulary


def slope(counts: Sequence[int], ranks: int) -> float:
    """Return the slope of the most frequent ones on logarithmic axes."""
    frequent = sorted(counts, reverse=True)[:ranks]
    across = [log(rank) for rank in range(1, len(frequent) + 1)]
    return linear_regression(across, [log(count) for count in frequent]).slope


def test_words_fall_along_a_line_and_merges_bend_the_head_of_the_tokens_curve() -> None:
    frequencies = sorted(Counter(str(from_sample("story").training_text).split()).values(), reverse=True)
    ranks = [log(rank) for rank in range(1, len(frequencies) + 1)]
    assert correlation(ranks, [log(frequency) for frequency in frequencies]) < -0.95
    heads = [slope(list(story().token_counts(step).values()), 20) for step in (0, 100, MERGES)]
    assert heads[0] < heads[1] - 0.1  # first flatter,
    assert heads[2] < heads[1] - 0.05  # then steeper again


# The curve of the tokens in use of Vocabulary


@pytest.mark.parametrize("slug", [*TIES, "the-sky-is-blue", "hug-pug-pun-bun-hugs"])
def test_after_the_peak_merges_use_up_more_tokens_than_they_add(slug: str) -> None:
    trace = bpe.train(from_sample(slug).training_text, "char-eow", "first")
    peak = _peak_step(trace.in_use_by_step())
    assert peak is not None
    before, after = (set(trace.token_counts(step)) for step in (peak, len(trace.steps)))
    merged = {left + right for left, right in trace.merges[peak:]}
    used_up = (before | merged) - after
    assert len(used_up) > len(merged)
    assert all(trace.in_use(peak) > trace.in_use(step) for step in range(peak + 1, len(trace.steps) + 1))


# The note of Watch on texts without spaces


def test_every_variant_but_the_whole_text_makes_words_of_unspaced_phrases() -> None:
    phrases = ["我奶奶打开窗户", "数港口里的船"]
    pieces = {slug: variant.split(" ".join(phrases)) for slug, variant in bpe.VARIANTS.items()}
    assert pieces.pop("bytes") == [" ".join(phrases)]
    for slug, words in pieces.items():
        assert [word.strip() for word in words] == phrases, slug


# A figure has one short caption; what else there is to say is behind its “?”.

LONGEST = 90  # characters
# Random draws of a short text are soon made.
LINKS = {"compare": {"corpus_sample": "low-lower-newest-widest"}}
# page -> session values, one set after another
VIEWS: dict[str, list[dict[str, Any]]] = {
    **{page: [{}] for page in ("encode", "bytes", "glossary", "vocabulary")},
    "tokenizers": [{TOKENIZERS: ["gpt-2"], "tokenizers_text": ""}],
    "watch": [{"details": tab} for tab in ("Merges", "Pairs", "Step log")],
    "compare": [
        {"compare_details": tab} for tab in ("Evidence", "Every way", "Vocabularies", "Encode under each")
    ],
}


def outside_popovers(app: AppTest) -> Iterator[str]:
    """Yield the captions of the page that can be read without opening a popover."""

    def walk(node: Any) -> Iterator[str]:
        if node.type == "popover":
            return
        if node.type == "caption":
            yield node.value
        for child in getattr(node, "children", {}).values():
            yield from walk(child)

    yield from walk(app.main)


@pytest.mark.usefixtures("draws")
@pytest.mark.parametrize("page", VIEWS)
def test_a_caption_is_short_and_the_rest_is_behind_its_question_mark(page: str) -> None:
    first, *others = VIEWS[page]
    app = open_page(page, LINKS.get(page), **first)
    for state in [first, *others]:
        for key, value in state.items():
            app.session_state[key] = value
        for caption in outside_popovers(run(app)):
            assert len(caption) <= LONGEST, (state, caption)


# People count merges from 1, on every page; a rank from 0 stays in files and links.

FROM_0 = re.compile(r"\b(merges?|step) (0\b|00)", re.IGNORECASE)
# page -> session values that open what shows merges there
PAGES: dict[str, dict[str, Any]] = {
    "watch": {"details": "Step log"},
    "compare": {"lanes": ["first", "first_0.1", "pair-max"], "compare_details": "Vocabularies"},
    "encode": {},
    "vocabulary": {},
    "bytes": {},
    "lessons": {},
}


def texts(app: AppTest) -> Iterator[str]:
    """Yield every string that the page sends to the browser: labels, captions, help, charts, data of components."""
    stack: list[object] = [app._tree]
    while stack:
        node = stack.pop()
        if hasattr(node, "proto") and node.proto is not None:
            yield str(node.proto)
        stack += getattr(node, "children", {}).values()


@pytest.mark.parametrize("page", PAGES)
def test_no_page_counts_merges_from_0(page: str) -> None:
    app = open_page(page, **PAGES[page])
    sent = list(texts(app))
    assert len(sent) > 10
    for text in sent:
        assert not FROM_0.search(text), text
    columns: list[tuple[str, list[Any]]] = []
    for element in app.get("bidi_component"):
        if "chooses" in (sent := json.loads(element.proto.bytes)):
            columns += [
                (title, [row[at] for row in sent["rows"] if isinstance(row[at], int)])
                for at, (title, *_) in enumerate(sent["columns"])
            ]
    for title, cells in columns:
        if title.startswith("merge") and title != "merges done":
            assert min(cells, default=1) >= 1
