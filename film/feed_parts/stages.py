"""The second stage in a feed: where it begins, and where the words of the first stage end."""

from collections.abc import Iterable, Iterator
from itertools import accumulate, starmap

from bpe import Pair, Symbol, Trace
from bpe.settings.pieces import any_piece
from bpe.text.superwords import first_lengths
from film.feed import Packed, Stage
from film.feed_parts.packing import packed
from film.feed_parts.token_numbers import ids_of
from film.feed_parts.window_words import positions_in
from film.feed_parts.windows import PreTokenSlice


def stage(trace: Trace, after: int, slices: Iterable[PreTokenSlice]) -> Stage:
    """Return the second stage of a trace, which begins after `after` merges. `slices` are the feed's words."""
    superwords = trace.variant.first is not None
    changed = _changed_counts(trace, after)
    return {
        "after": after,
        "superwords": superwords,
        "tokens": trace.tokens_total(after),
        "ids": packed(list(changed)),
        "counts": packed(list(changed.values())),
        "ends": _ends(trace, slices) if trace.log.second_after else Packed(""),
    }


def _changed_counts(trace: Trace, after: int) -> dict[int, int]:
    """Return {id: occurrences} of the tokens that occur more or less often at once when the second stage begins."""
    if trace.log.second_after is None or not after:
        return {}
    now = dict(enumerate(trace.log.symbol_counts_at(after)))
    before = dict(enumerate(trace.log.symbol_counts_at(after - 1)))
    left, right = trace.log.lefts[after - 1], trace.log.rights[after - 1]
    replaced = trace.log.replaced[after - 1]
    before[len(trace.alphabet) + after - 1] = replaced
    before[left] -= replaced
    before[right] -= replaced
    ids = ids_of(trace)
    return {
        ids[trace.symbols[number]]: count for number, count in now.items() if count != before.get(number, 0)
    }


def _ends(trace: Trace, slices: Iterable[PreTokenSlice]) -> Packed:
    ends: list[int] = []
    for piece in slices:
        last = set(_last_symbols(trace, piece.pre_token))
        ends += [int(position in last) for position in positions_in(trace.variant, piece)]
    return packed(ends)


def _last_symbols(trace: Trace, pre_token: str) -> Iterator[int]:
    """Yield the position of the last initial symbol of each word of the first stage, except the last word."""
    ends = list(accumulate(first_lengths(trace.variant, pre_token)))
    return (end - 1 for end in ends[:-1])


def can_be_counted(trace: Trace) -> bool:
    """Return whether the browser can count the pairs of both stages from the words of the second one.

    The words of the first stage are parts of these. Counting them fails if the looser pattern splits such a word, or if
    a merge of the first stage joins two of them. After a replay, counting fails if some pairs may not be merged. It
    also fails if the limit of words in the second stage forbids a pair of the first.
    """
    limit = trace.request.second_limit
    if limit is not any_piece and not all(starmap(limit, _earlier_pairs(trace, trace.second_stage or 0))):
        return False
    if trace.replayed and trace.replayed.learned:
        return not _has_barred_pairs(trace, len(trace.replayed.replayed_ranks))
    after = trace.log.second_after
    return not after or all(_counts_at(trace, k) == trace.pair_counts(k) for k in (0, after - 1))


def _earlier_pairs(trace: Trace, after: int) -> set[Pair]:
    """Return the pairs that occur before one of the first `after` merges."""
    return set(trace.pair_counts(0)).union(*(trace.counts_changed(k) for k in range(1, after)))


def _has_barred_pairs(trace: Trace, after: int) -> bool:
    """Return whether a pair that may not be merged after a replay occurs then, because its token exists already."""
    assert trace.replayed
    may_learn = trace.replayed.may_learn(trace.alphabet)
    pairs = set(trace.pair_counts(after))
    for k in range(after + 1, len(trace.steps) + 1):
        pairs.update(trace.counts_changed(k))
    return not all(may_learn(*pair) for pair in pairs)


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
