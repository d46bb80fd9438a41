"""What if: a tied pair picked instead, or another choice, and what it changed at the end, before and now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from inspect import signature as signature_of
from typing import Any

import streamlit as st

from bpe import BPEError, Symbol, Trace
from bpe.analysis.tie_graph import format_number, tie_graph
from bpe.settings.request import read_request
from bpe.text.display import counted, merge_name
from ui.choices.choices import Choice
from ui.trainings import picks
from ui.trainings.byte_cache import ByteCache
from ui.trainings.recipe import Recipe, signature
from ui.view.tables import pair_text
from ui.view.text import shortened
from ui.view.token_grid import Pick
from ui.view.visit import Slot, large, nothing

NOTHING: dict[str, object] = {"sentences": [], "picks": []}  # has changed
_MOST_NAMED = 4  # tokens that differ
_MOST_SAID = 400  # characters of a sentence
_MOST_WORDS = 300  # different words of a text whose ties are listed
_MOST_WORK = 1_000_000  # for that list, some 0.3 s


_CHANGE: Slot[_Change | None] = large(Slot("_what_if", nothing))

# {name of text and settings: number of ways to break the ties, if all end in one segmentation; else 0}
_WAYS: ByteCache[int] = ByteCache(200_000)


def take(trace: Trace, choice: Choice, pick: Pick | None) -> None:
    """Train again with the tied pair that the viewer picked in the grid or the pair table, if any."""
    if pick is None or pick.rank >= len(trace.steps) or not trace.origin.breaks_ties:
        return
    tied, pair = trace.tied_pairs(pick.rank), (pick.left, pick.right)
    if pair in tied and pair != trace.steps[pick.rank].pair:
        picks.pick(choice.base, pick.rank, tied.index(pair))
        st.rerun()


def undo(choice: Choice, rank: int) -> None:
    """Let the rule decide this merge and all later ones again, if the viewer picked its pair."""
    if any(rank == picked for picked, _ in choice.recipe.picks):
        picks.undo(choice.base, rank)
        st.rerun()


def change(trace: Trace, choice: Choice) -> dict[str, object]:
    """Return what the last change of a choice changed, in sentences, and the picks, for the stage."""
    last = _note(trace, choice)
    said: tuple[tuple[str, str], ...] = ()
    if last and last.before and last.before.rule and last.now.rule:
        before, now = _sentences(last, choice)
        said = ("before", before), ("now", now)
    return {
        "sentences": [[word, shortened(sentence, _MOST_SAID)] for word, sentence in said],
        "picks": [
            {"rank": rank, "name": f"{merge_name(rank)}: {pair_text(trace, trace.steps[rank].pair)}"}
            for rank, _ in choice.recipe.picks
            if rank < len(trace.steps)
        ],
    }


@dataclass(frozen=True, slots=True)
class _End:
    """How a training ended."""

    text: str  # a name of the text
    name: str  # of text and recipe
    recipe: Recipe
    rule: str  # "" for a replay: nothing is compared with a tokenizer that learned nothing from the text
    picked: tuple[str, ...]  # the pairs that the viewer picked, as they are shown
    steps: int
    tokens: dict[str, int]  # those of the text, as they are shown, and how often each occurs
    learned: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Change:
    """The training that is shown, and the one of the same text that was shown before; None if there was none."""

    before: _End | None
    now: _End


def _note(trace: Trace, choice: Choice) -> _Change | None:
    """Note how the training ends; None while it is not complete."""
    change = _CHANGE.read()
    name = signature(choice.corpus, choice.recipe)
    if trace.stopped == "cancelled" or (change and change.now.name == name):
        return change
    now = _end(trace, choice, name)
    before = change.now if change and change.now.text == now.text else None
    _CHANGE.write(_Change(before, now))
    return _CHANGE.read()


def _end(trace: Trace, choice: Choice, name: str) -> _End:
    label = trace.variant.label
    tokens: Counter[str] = Counter()
    for symbol, count in trace.token_counts(len(trace.steps)).items():
        tokens[label(symbol)] += count
    learned: Iterable[Symbol] = (left + right for left, right in trace.merges)
    picked = [rank for rank, _ in choice.recipe.picks if rank < len(trace.steps)]
    return _End(
        choice.corpus.digest,
        name,
        choice.recipe,
        trace.tie_break.title if trace.origin.breaks_ties else "",
        tuple(pair_text(trace, trace.steps[rank].pair) for rank in picked),
        len(trace.steps),
        dict(tokens),
        frozenset(map(label, learned)),
    )


def _sentences(change: _Change, choice: Choice) -> tuple[str, str]:
    """Return what the training before had at the end, and what the one now has: the same tokens, or which differ."""
    before, now = change.before, change.now
    assert before
    names = [_named(one, other) for one, other in ((before, now), (now, before))]
    size = [counted(sum(one.tokens.values()), "token") for one in (before, now)]
    gone, new = _without(before.tokens, now.tokens), _without(now.tokens, before.tokens)
    if before.tokens == now.tokens:
        here = "the same tokens at the end, each just as often"
        gone, new = _without(before.learned, now.learned), _without(now.learned, before.learned)
        by_way = f", by way of {_list(new)} instead of {_list(gone)}" if gone and new else ""
        only_ties = not (before.recipe.file or now.recipe.file) and _settings(before.recipe) == _settings(
            now.recipe
        )
        ways = _ways(choice) if only_ties else 0
        many = format_number(ways)
        all_ways = f" Every one of {many} ways to break the ties leads there." if ways > 1 else ""
        return f"{names[0]}: {size[0]} in the text.", f"{names[1]}: {here}{by_way}.{all_ways}"
    # A list of some of many tokens would tell nothing.
    only = [
        f" Only here: {_list(tokens)}." if 0 < len(tokens) <= _MOST_NAMED else "" for tokens in (gone, new)
    ]
    if not gone and not new:
        only = ["", " The same tokens, but with different counts."]
    return (f"{names[0]}: {size[0]} at the end.{only[0]}", f"{names[1]}: {size[1]} at the end.{only[1]}")


def _named(one: _End, other: _End) -> str:
    """Return what is chosen in one training and not in the other."""
    recipe = one.recipe
    former = other.recipe
    same = (recipe.file, recipe.words, recipe.further) == (former.file, former.words, former.further)
    names = [] if same else [recipe.title]
    if not names and one.rule != other.rule:
        names.append(one.rule)
    if one.steps != other.steps:
        names.append(counted(one.steps, "merge"))
    if one.picked and one.picked != other.picked:
        names.append(f"your pick {one.picked[0]}" if len(one.picked) == 1 else "your picks")
    return ", ".join(names) or one.rule or recipe.title


# What a training does if it is not told otherwise: a preset leaves it out, and settings chosen one by one name it.
_USUAL = {name: parameter.default for name, parameter in signature_of(read_request).parameters.items()}


def _settings(recipe: Recipe) -> dict[str, Any]:
    """Return the settings besides those that break ties. Equal settings train alike but for that."""
    return {
        key: value
        for key, value in recipe.settings.items()
        if key not in ("tie_break", "seed", "picks") and value != _USUAL.get(key)
    }


def _without(tokens: Iterable[str], others: Iterable[str]) -> list[str]:
    others = set(others)
    return [token for token in tokens if token not in others]


def _list(tokens: list[str]) -> str:
    names = ", ".join(
        shortened(token, 20) for token in sorted(tokens, key=lambda token: (-len(token), token))[:_MOST_NAMED]
    )
    return names if len(tokens) <= _MOST_NAMED else f"{names} and {len(tokens) - _MOST_NAMED:,} more"


def _ways(choice: Choice) -> int:
    """Return how many ways there are to break the ties, if all of them are listed and end in one segmentation."""
    settings = _settings(choice.recipe)
    return _WAYS.get(
        f"{choice.corpus.digest} {sorted(settings.items())}", lambda: _count_ways(choice, settings)
    )


def _count_ways(choice: Choice, settings: dict[str, Any]) -> int:
    try:
        graph = tie_graph(choice.corpus.training_text, most_seconds=None, most_work=_MOST_WORK, **settings)
    except BPEError:
        return 0
    return graph.orders or 0 if graph.results == 1 else 0
