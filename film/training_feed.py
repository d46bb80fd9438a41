"""The feed of a training: the words of a window, the merge that closes each of their boundaries, and all merges.

A feed depends on the corpus, the settings and the window. It holds no current step and no time, so an unchanged grid
is not sent again when the page is run again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, starmap

from bpe import Pair, Symbol, Trace
from bpe.analysis.best_pairs import best_pairs
from bpe.analysis.compression import ending
from bpe.analysis.ties import later_terms, reasons_of, rival_losses
from bpe.pair_ids import MASK, SHIFT
from bpe.settings.pieces import any_piece
from bpe.settings.tie_breaking import Reason, TieBreak
from bpe.text.superwords import first_lengths
from bpe.trace.vocabulary import Replayed
from film.feed import (
    Hex,
    Packed,
    Replay,
    Stage,
    Ties,
    TrainingFeed,
    TrainingSteps,
    TrainingSymbols,
    TrainingText,
    Words,
)
from film.labels import ids_of, symbol_numbers
from film.packing import feed_digest, packed
from film.textbook_code import training_code
from film.windows import (
    WINDOW,
    PreTokenSlice,
    Window,
    cut_window,
    positions_in,
    special_characters,
    window_words,
)

__all__ = ["ShownText", "training_feed"]
ShownText = str | Sequence[str] | Mapping[str, int]

# Tied pairs in a feed. Those of later steps are sent when the grid rests there.
MOST_TIES = 400

# Tied pairs that are compared to say why one of them won: about half a second's work.
_MOST_COMPARED = 500_000

# For each of these steps all pairs are counted.
MOST_TIED_STEPS = 24

# Distinct words of a corpus whose pairs the browser can count at every step while it plays.
MOST_COUNTED = 20_000

# Characters of the words outside a window that its feed can hold besides, so that the browser has all words.
MOST_FURTHER = 20_000

# Distinct words that can be shown instead of the running text.
MOST_ROWS = 1_500


def training_feed(
    trace: Trace,
    text: ShownText,
    *,
    start: int = 0,
    size: int = WINDOW,
    picks: bool = False,
    ties: bool = True,
    further: int = 0,
    reasons: bool = False,
) -> TrainingFeed:
    """Return the feed of a training.

    text: the text, documents or counted words to show: those trained on, or others.
    start, size: the window in characters. A corpus of counted words is shown completely.
    picks: whether the viewer may pick another of the tied pairs.
    ties: whether the feed names the pairs that tied at the first steps, unless it is whole: then the browser counts
        them. It always says how many tied.
    further: adds the words outside the window, if they have at most so many characters together.
    reasons: whether the feed says which term of the rule's order decided each tie, unless it is whole.
    """
    ids = ids_of(trace)
    names = _Names(
        ids, dict(zip(trace.symbols, symbol_numbers(trace), strict=True)) if trace.replayed else ids
    )
    if isinstance(text, Mapping):
        slices = tuple(PreTokenSlice(word, 0, len(word)) for word in text)
        window = Window(slices, breaks=(), start=0, end=0, total=0, letters=0)  # of no place in a text
    else:
        window = cut_window(trace.request.documents(text), trace.variant, start, size)
    number_of: dict[PreTokenSlice, int] = {}
    reading = [number_of.setdefault(piece, len(number_of)) for piece in window.slices]
    in_window = list(number_of)
    uncut = {piece.pre_token for piece in in_window if piece.whole}
    few = len(trace.pre_tokens) <= MOST_COUNTED
    others = [word for word in trace.pre_tokens if word not in uncut] if few else []
    holds_all = few and sum(map(len, others)) <= further
    further_words = [PreTokenSlice(word, 0, len(word)) for word in others] if holds_all else []
    distinct = in_window + further_words
    in_words = window_words(trace, distinct)
    whole = holds_all and _can_be_counted(trace)  # whether the browser can count the pairs of the corpus
    order: list[
        int
    ] = []  # numbers of the corpus's words in the trainer's order, unless they are in this order already
    if whole:
        position_of = {piece.pre_token: number for number, piece in enumerate(distinct) if piece.whole}
        order = [position_of[word] for word in trace.pre_tokens]
        order = [] if order == list(range(len(distinct))) else order
    words: Words = {
        "lengths": packed(in_words.lengths),
        "symbols": packed(in_words.symbols),
        "closes": packed(in_words.closes),
        "frequencies": packed(in_words.frequencies),
    }
    running: TrainingText = {
        "words": packed([] if isinstance(text, Mapping) else reading),
        "breaks": packed(window.breaks),
        "start": window.start,
        "end": window.end,
        "total": window.total,
        "letters": window.letters,
    }
    family = _family(trace, names)
    cells = feed_digest(words["lengths"], words["symbols"], in_words.initial, running)
    feed: TrainingFeed = {
        "training": True,
        "family": family,
        "cells": cells,
        "id": feed_digest(family, cells, picks),
        "unit": trace.variant.unit,
        "marker": Hex((trace.variant.marker or b"").hex()),
        "marker_text": trace.variant.marker_text,
        "characters": special_characters({piece.pre_token for piece in distinct}, trace.symbols),
        "last": len(trace.log),
        "ending": ending(trace),
        "rows": len(in_window) <= MOST_ROWS and all(piece.whole for piece in in_window),
        "words": words,
        "text": running,
        "symbols": _symbols(trace, in_words.initial, names),
        "steps": _steps(trace, names),
        "tokens": trace.tokens_total(0),
        "rule": trace.tie_break.title if trace.origin.counts else "",
        "reasons": reason_rows(trace.tie_break, reasons_of(trace.request))
        if trace.origin.breaks_ties
        else [],
        "seed": trace.request.seed,
        "code": training_code(trace, isinstance(text, Mapping)),
        "spent": trace.stopped in ("no pairs", "min_count"),
        "ties": _ties(trace, names) if ties and not whole else None,
        "picked": sorted(trace.request.picks),
        "picks": picks,
        "overlaps": trace.request.overlaps,
        "whole": whole,
        "further": len(further_words),
        "order": packed(order) if order else Packed(""),
        "barred": packed(_barred(trace, names)) if whole else Packed(""),
    }
    if reasons and not whole and len(trace.tie_break.order) > 1 and trace.origin.breaks_ties:
        later = later_terms(trace, _MOST_COMPARED)
        feed["later"] = {
            "until": later.until,
            "steps": packed(list(later.decided)),
            "terms": packed([term for term, _ in later.decided.values()]),
            "compared": packed([compared for _, compared in later.decided.values()]),
        }
    if trace.replayed:
        feed["replay"] = _replay(trace, trace.replayed, names)
    if trace.second_stage is not None:
        feed["stage"] = _stage(trace, trace.second_stage, distinct, names)
    return feed


def reason_rows(rule: TieBreak, reasons: Iterable[Reason]) -> list[list[str]]:
    """Return the rows of a rule's reasons: (term, words, of_all, of_some)."""
    terms = rule.order or ("",)
    return [
        [term, reason.words, reason.of_all, reason.of_some]
        for term, reason in zip(terms, reasons, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Names:
    """What the feed calls the tokens of a trace."""

    ids: Mapping[Symbol, int]  # as `ids_of` returns them
    number_of: Mapping[Symbol, int]  # the ids; in a replay also numbers of the tokens without an id

    def of_pairs(self, pairs: Iterable[Pair]) -> list[int]:
        """Return the numbers of the pairs' tokens, the left one of each pair first."""
        return [self.number_of[symbol] for pair in pairs for symbol in pair]


def _symbols(trace: Trace, initial: Sequence[Symbol], names: _Names) -> TrainingSymbols:
    """Return the words' initial symbols, then the others that some merge uses, since headlines show those too."""
    merged = sorted({*trace.log.lefts, *trace.log.rights})
    named = (trace.alphabet[number] for number in merged if number < len(trace.alphabet))
    symbols = list(dict.fromkeys([*initial, *named]))
    counts = trace.token_counts(0)
    return {
        "hex": " ".join(symbol.hex() for symbol in symbols),
        "ids": packed([names.ids.get(symbol, -1) + 1 for symbol in symbols]),
        "counts": packed([counts.get(symbol, 0) for symbol in symbols]),
    }


def _steps(trace: Trace, names: _Names) -> TrainingSteps:
    log, symbols = trace.log, trace.symbols
    overlapping = [
        rank
        for rank, (count, replaced) in enumerate(zip(log.counts, log.replaced, strict=True))
        if count != replaced
    ]
    losses = {rank: rival_losses(trace, rank) for rank in dict.fromkeys(log.rival_ranks)}
    return {
        "left": packed([names.ids[symbols[number]] for number in log.lefts]),
        "right": packed([names.ids[symbols[number]] for number in log.rights]),
        "count": packed(log.counts),
        "first": len(trace.special_tokens) + len(trace.alphabet),
        "tied": packed(log.tied),
        "differs": packed(overlapping),
        "replaced": packed([log.replaced[rank] for rank in overlapping]),
        "choices": packed(list(losses)),
        "rivals": packed([len(rivals) for rivals in losses.values()]),
        "rival_ids": packed(names.of_pairs(pair for rivals in losses.values() for pair in rivals)),
        "rival_losses": packed([lost for rivals in losses.values() for lost in rivals.values()]),
    }


def _replay(trace: Trace, replayed: Replayed, names: _Names) -> Replay:
    best = best_pairs(trace)
    return {
        "steps": trace.origin.applied,
        "ids": packed([names.ids[left + right] for left, right in trace.merges]),
        "ranks": packed(replayed.list_ranks),
        "merges": trace.origin.listed,
        "best": packed(names.of_pairs(row.pair for row in best)),
        "highest": packed([row.count for row in best]),
        "vocabulary": packed([trace.vocabulary_size(k) for k in range(len(trace.log) + 1)]),
    }


def _ties(trace: Trace, names: _Names) -> Ties:
    sizes: list[int] = []
    ids: list[int] = []
    for step in trace.steps[:MOST_TIED_STEPS]:
        if len(ids) // 2 + step.tied > MOST_TIES:
            break
        pairs = trace.tied_pairs(step.rank) if step.tied > 1 else (step.pair,) * step.tied
        sizes.append(len(pairs))
        ids += names.of_pairs(pairs)
    return {"steps": len(sizes), "sizes": packed(sizes), "ids": packed(ids)}


def _stage(trace: Trace, after: int, slices: Iterable[PreTokenSlice], names: _Names) -> Stage:
    """Return the second stage of a trace, which begins after `after` merges. `slices` are the feed's words."""
    changed = _changed_counts(trace, after)
    ends: list[
        int
    ] = []  # for each initial symbol, whether it ends a word of the first stage, except the last word
    for piece in slices if trace.log.second_after else ():
        last = set(_last_symbols(trace, piece.pre_token))
        ends += [int(position in last) for position in positions_in(trace.variant, piece)]
    return {
        "after": after,
        "superwords": trace.variant.first is not None,
        "tokens": trace.tokens_total(after),
        "ids": packed([names.ids[trace.symbols[number]] for number in changed]),
        "counts": packed(list(changed.values())),
        "ends": packed(ends) if trace.log.second_after else Packed(""),
    }


def _changed_counts(trace: Trace, after: int) -> dict[int, int]:
    """Return {position in `trace.symbols`: occurrences} of the tokens whose number the second stage itself changes."""
    if trace.log.second_after is None or not after:
        return {}
    now = dict(enumerate(trace.log.symbol_counts_at(after)))
    before = dict(enumerate(trace.log.symbol_counts_at(after - 1)))
    left, right = trace.log.lefts[after - 1], trace.log.rights[after - 1]
    replaced = trace.log.replaced[after - 1]
    before[len(trace.alphabet) + after - 1] = replaced
    before[left] -= replaced
    before[right] -= replaced
    return {number: count for number, count in now.items() if count != before.get(number, 0)}


def _last_symbols(trace: Trace, pre_token: str) -> Iterator[int]:
    """Yield the position of the last initial symbol of each word of the first stage, except the last word."""
    ends = list(accumulate(first_lengths(trace.variant, pre_token)))
    return (end - 1 for end in ends[:-1])


def _can_be_counted(trace: Trace) -> bool:
    """Return whether the browser can count the pairs of both stages from the words of the second one.

    The words of the first stage are parts of these. Counting them fails if the looser pattern splits such a word, or if
    a merge of the first stage joins two of them. After a replay, counting fails if some pairs may not be merged. It
    also fails if the limit of words in the second stage forbids a pair of the first.
    """
    limit = trace.request.second_limit
    if limit is not any_piece and not all(
        starmap(limit, _occurring_pairs(trace, 0, (trace.second_stage or 0) - 1))
    ):
        return False
    if trace.replayed and trace.replayed.learned:
        may_learn = trace.replayed.may_learn(trace.alphabet)
        pairs = _occurring_pairs(trace, len(trace.replayed.replayed_ranks), len(trace.steps))
        return all(starmap(may_learn, pairs))
    after = trace.log.second_after
    return not after or all(_counts_at(trace, k) == trace.pair_counts(k) for k in (0, after - 1))


def _occurring_pairs(trace: Trace, first: int, last: int) -> set[Pair]:
    """Return the pairs that occur after `first`, …, or after `last` merges."""
    changed = (trace.counts_changed(k) for k in range(first + 1, last + 1))
    return set(trace.pair_counts(first)).union(*changed)


def _counts_at(trace: Trace, k: int) -> dict[Pair, int] | None:
    """Return the counts after `k` merges within the words of the first stage; None if a token reaches across two."""
    counts: dict[Pair, int] = {}
    for pre_token, (word, frequency) in zip(trace.pre_tokens, trace.words_at(k), strict=True):
        last = set(_last_symbols(trace, pre_token))
        position = -1
        before: Symbol | None = None
        last_pair: Pair | None = None  # if it was counted
        for token, length in zip(word, _lengths(trace, pre_token, k), strict=True):
            pair = None if before is None else (before, token)
            # Only in a run of one symbol does a pair equal the one before it.
            last_pair = None if pair == last_pair and not trace.request.overlaps else pair
            if last_pair:
                counts[last_pair] = counts.get(last_pair, 0) + frequency
            if not last.isdisjoint(range(position + 1, position + length)):
                return None
            position += length
            before = None if position in last else token
    return counts


def _lengths(trace: Trace, pre_token: str, k: int) -> Iterator[int]:
    """Yield how many initial symbols each token of a pre-token has after `k` merges."""
    length = 0
    for rank in trace.closing_ranks(pre_token):
        length += 1
        if not 0 <= rank < k:
            yield length
            length = 0


def _barred(trace: Trace, names: _Names) -> list[int]:
    """Return the ids of the pairs that occur at some step and that the trainer may not merge."""
    may_merge, symbols = trace.request.may_merge_in(second=True), trace.symbols
    if may_merge is any_piece:
        return []
    pairs = dict.fromkeys([*trace.log.pairs, *trace.log.second_pairs])
    for rank in range(len(trace.log)):
        pairs |= dict.fromkeys(new for _, new, _, _ in trace.log.changes_of(rank))
    spelled = [(symbols[pair >> SHIFT], symbols[pair & MASK]) for pair in pairs]
    return names.of_pairs(pair for pair in spelled if not may_merge(*pair))


def _family(trace: Trace, names: _Names) -> str:
    """Return a name of the corpus and the settings; it is the same for every pick that leads to the same merges.

    A replay's name also depends on its tokenizer: on the ids of the tokens, and on the list.
    """
    settings = {name: value for name, value in trace.settings.items() if name != "picks"}
    merges = (trace.alphabet, list(trace.log.lefts), list(trace.log.rights))
    parts = (settings, merges, trace.pre_tokens, list(trace.frequencies))
    if not trace.replayed:
        return feed_digest(*parts)
    listed = (
        list(names.ids.values()),
        list(trace.replayed.list_ranks),
        len(trace.replayed.tokenizer.merges),
    )
    return feed_digest(*parts, *listed)
