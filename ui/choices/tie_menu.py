"""What the menu Ties shows: for each rule, the pair that it would merge where the grid is."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

import bpe
from bpe import BPEError, Pair, Trace
from bpe.analysis.tie_graph import format_number, tie_graph_of, tie_sentences
from bpe.analysis.ties import picks_at
from bpe.comparison.lanes import FEWEST, MOST
from bpe.text.display import merge_name
from film.labels import short_chip_label
from ui.trainings.byte_cache import ByteCache
from ui.trainings.settings import LIKE
from ui.trainings.shown_training import shown_trainings
from ui.view.chip_table import Chips
from ui.view.choice_list import Contents, ListRow
from ui.view.visit import Slot, nothing

_LONGEST_IN_ROW = 24  # bytes of a token
_MORE = "More, for contrast: no trainer that we know of uses them"
_MOST_WORDS = 300  # different words of a text whose ways are listed
_MOST_WORK = 100_000  # for all ways to break the ties, some 30 ms; beyond that, nothing is said about them

# One rule for each pair that the rules merge where the menu was opened last
_DIFFERING: Slot[list[str]] = Slot("_differing_rules", list)
# The rules that the next Compare shows, if the menu's button asks for it
_WANTED: Slot[list[str] | None] = Slot("_wanted_rules", nothing)

_CONTENTS: ByteCache[Contents] = ByteCache(2_000_000)


def rows(slugs: Iterable[str]) -> list[ListRow]:
    """Return the rows of these rules, each with who uses it. Below them are the rules that no trainer uses."""
    rules = [bpe.TIE_BREAKS[slug] for slug in slugs]
    main = [ListRow(rule.slug, rule.title, rule.who, rule.about) for rule in rules if not rule.for_contrast]
    more = [ListRow(rule.slug, rule.title, more=rule.about) for rule in rules if rule.for_contrast]
    return main + [replace(row, section="" if number else _MORE) for number, row in enumerate(more)]


def contents(step: int) -> Contents | None:
    """Return what the menu shows at a step of the training. Without one, it tells nothing.

    The button then leads to a Compare of one rule for each pair: of those that agree, the chosen one or the first.
    """
    rule, variant = (st.session_state.get(key) for key in ("tie_break", "variant"))
    for one in shown_trainings():
        recipe, trace = one.recipe, one.trace
        if (recipe.tie_break, recipe.variant) == (rule, variant) and trace.origin.breaks_ties:
            k = min(step, len(trace.steps))
            shown = _CONTENTS.get(f"{one.name} {len(trace.steps)} {k}", partial(_contents_at, trace, k))
            offered = [
                [slug for slug in group if _is_offered(slug) or slug == rule] for group in shown.groups
            ]
            _DIFFERING.write([str(rule) if rule in group else group[0] for group in offered if group])
            used = [
                [slug for slug in group if not bpe.TIE_BREAKS[slug].for_contrast] for group in shown.groups
            ]
            return replace(shown, groups=used)
    return Contents(
        headline=("", "If several pairs share the highest count, the rule picks the one to merge.")
    )


def further_contents(step: int) -> Contents | None:
    """Return what the menu shows where training goes on after a tokenizer's own merges, which no rule decides."""
    if st.session_state.get("file_use") == LIKE:
        return Contents(headline=("All merges", "are learned from your text; this rule decides their ties."))
    return Contents(
        headline=("Further merges", "follow this rule. The tokenizer's own are replayed as they are.")
    )


def take_wanted_rules() -> list[str] | None:
    """Return the rules that the button of the menu has asked Compare to show, once; None if it was not pressed."""
    wanted = _WANTED.read()
    _WANTED.forget()
    return wanted


def compare() -> None:
    """Let Compare show the rules that differ where the menu was opened. A callback."""
    _WANTED.write(_DIFFERING.read()[:MOST])


def _contents_at(trace: Trace, k: int) -> Contents:
    """Return what the menu shows after `k` merges: the picks of the next tie, or of the last one."""
    tied = [rank for rank, number in enumerate(trace.log.tied) if number > 1]
    later = next((rank for rank in tied if rank >= k), None)
    rank = k if later is None and not tied else tied[-1] if later is None else later
    picks = picks_at(trace, rank)
    if rank in trace.request.picks and rank < len(trace.steps):
        by_hand = trace.steps[rank].pair
        picks |= {slug: by_hand for slug in picks if bpe.TIE_BREAKS[slug].by_hand}
    chips = Chips(partial(short_chip_label, trace.variant, longest=_LONGEST_IN_ROW))
    groups = _agreeing(picks)
    return Contents(
        headline=_headline(trace, k, rank, tied),
        groups=groups,
        pairs={slug: chips(left, right, left + right) for slug, (left, right) in picks.items()},
        tokens=chips.sent(),
        foot=_ways(trace),
        action="Compare them →" if sum(any(map(_is_offered, group)) for group in groups) >= FEWEST else "",
    )


def _headline(trace: Trace, k: int, rank: int, tied: list[int]) -> tuple[str, str]:
    """Return how many pairs tie where the grid is, or where the next tie is."""
    last = len(trace.steps)
    if not tied:
        same = "Every rule merges the same pairs" + (", such as:" if k < last else ".")
        return "No pairs tie in this training.", same
    at = f"{trace.steps[rank].tied:,} pairs tie at {trace.steps[rank].count:,}."
    by_hand = " You picked one by hand." if rank in trace.request.picks else ""
    if rank == k:
        return at, f"{by_hand} What each rule merges next:".strip()
    where = f"At {merge_name(rank)}, the {'next' if rank > k else 'last'} tie, {at}{by_hand}"
    if k == last:
        return "Training ends here.", f"{where} What each rule merges there:"
    return (
        f"No tie at {merge_name(k)}: all rules merge the same pair.",
        f"{where} What each rule merges there:",
    )


def _agreeing(picks: Mapping[str, Pair]) -> list[list[str]]:
    """Return the rules in groups that merge the same pair, in the order of the menu."""
    groups: dict[Pair, list[str]] = {}
    for slug, pair in picks.items():
        groups.setdefault(pair, []).append(slug)
    return list(groups.values())


def _is_offered(rule: str) -> bool:
    return bpe.TIE_BREAKS[rule].menu


def _ways(trace: Trace) -> str:
    """Return what all ways to break the ties lead to, if that is known at once; "" otherwise."""
    if len(trace.pre_tokens) > _MOST_WORDS:
        return ""
    try:
        graph = tie_graph_of(trace, most_seconds=None, most_work=_MOST_WORK)
    except BPEError:
        return ""
    if graph.results is None or graph.orders is None or graph.orders < 2:
        return ""
    if graph.results == 1:
        return f"Every one of {format_number(graph.orders)} ways to break the ties splits these words the same way."
    return tie_sentences(graph)[0]
