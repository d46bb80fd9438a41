"""The oracle: the textbook loop of `bpe.training.textbook`, with every rule and the pairs that tie at each step.

Deliberately slow and short, so that it is easy to check. Everything faster in `bpe/` is compared with it.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bpe.symbols import END_OF_WORD, BPEError, Pair, Symbol, Word, count_pairs, merge_pair
from bpe.text.variants import Variant

# Merged pair, its count, the tied pairs in order of first occurrence.
NaiveStep = tuple[Pair, int, list[Pair]]


@dataclass(frozen=True)
class Moment:
    """One step as a rule sees it: the words as segmented now, in order of first appearance, and the ids so far."""

    words: Sequence[tuple[Word, int]]
    ids: Mapping[Symbol, int]  # alphabet, then merges
    variant: Variant
    rank: int
    seed: int
    alphabet_size: int


def first(tied: list[Pair], moment: Moment) -> Pair:
    return tied[0]


def last(tied: list[Pair], moment: Moment) -> Pair:
    last_place = {
        pair: (number, offset)
        for number, (word, _) in enumerate(moment.words)
        for offset, pair in enumerate(pairwise(word))
    }
    return max(tied, key=lambda pair: last_place[pair])


def ids_min(tied: list[Pair], moment: Moment) -> Pair:
    return min(tied, key=lambda pair: (moment.ids[pair[0]], moment.ids[pair[1]]))


def _in_dictionary_order(pair: Pair, variant: Variant) -> tuple[bytes, bytes, Pair]:
    return variant.spelled(pair[0]), variant.spelled(pair[1]), pair


def pair_max(tied: list[Pair], moment: Moment) -> Pair:
    return max(tied, key=lambda pair: _in_dictionary_order(pair, moment.variant))


def pair_min(tied: list[Pair], moment: Moment) -> Pair:
    return min(tied, key=lambda pair: _in_dictionary_order(pair, moment.variant))


def shortest(tied: list[Pair], moment: Moment) -> Pair:
    variant = moment.variant
    return min(
        tied, key=lambda pair: (variant.length(pair[0] + pair[1]), variant.spelled(pair[0] + pair[1]), pair)
    )


def longest(tied: list[Pair], moment: Moment) -> Pair:
    variant = moment.variant
    return min(
        tied, key=lambda pair: (-variant.length(pair[0] + pair[1]), variant.spelled(pair[0] + pair[1]), pair)
    )


def random(tied: list[Pair], moment: Moment) -> Pair:
    digest = hashlib.sha256(f"{moment.seed}:{moment.rank}".encode()).digest()
    return sorted(tied)[int.from_bytes(digest, "big") % len(tied)]


def names_max(tied: list[Pair], moment: Moment) -> Pair:
    def name(symbol: Symbol) -> str:
        merge = moment.ids[symbol] - moment.alphabet_size
        return f"merge_{257 + merge}" if merge >= 0 else symbol.decode("latin-1")

    return max(tied, key=lambda pair: (name(pair[0]), name(pair[1])))


NAIVE_TIE_BREAKS: dict[str, Callable[[list[Pair], Moment], Pair]] = {
    "first": first,
    "last": last,
    "ids-min": ids_min,
    "pair-max": pair_max,
    "pair-min": pair_min,
    "shortest": shortest,
    "longest": longest,
    "random": random,
    "manual": first,
    "names-max": names_max,
}


def naive_words(text: str, variant: Variant) -> dict[Word, int]:
    """Return the words of the text and their frequencies, in order of first appearance."""
    words: dict[Word, int] = {}
    for pre_token in variant.split(text):
        word = variant.spell(pre_token)
        words[word] = words.get(word, 0) + 1
    return words


def naive_train(
    words: Mapping[Word, int],
    tie_break: str,
    merges: int | None,
    *,
    variant: Variant,
    alphabet: Sequence[Symbol] | None = None,
    seed: int = 0,
    picks: Mapping[int, Pair] | None = None,
    min_count: int = 1,
    allowed: Callable[[Pair], bool] | None = None,
    overlaps: bool = True,
) -> list[NaiveStep]:
    """Return the steps, one (pair, count, tied pairs in order of first occurrence) each.

    `alphabet` gives the initial symbols in id order; by default they are sorted, those that end a word last.
    """
    segmented = list(words.items())
    if alphabet is None:
        initial = {symbol for word, _ in segmented for symbol in word}
        alphabet = sorted(initial, key=lambda symbol: (symbol[-1:] == END_OF_WORD, symbol))
    ids = {symbol: number for number, symbol in enumerate(alphabet)}
    steps: list[NaiveStep] = []
    while merges is None or len(steps) < merges:
        counts = {
            pair: count
            for pair, count in count_pairs(segmented, overlaps=overlaps).items()
            if allowed is None or allowed(pair)
        }
        best = max(counts.values(), default=0)
        if best < max(min_count, 1):
            break
        tied = [pair for pair, count in counts.items() if count == best]
        moment = Moment(segmented, ids, variant, len(steps), seed, len(alphabet))
        pair = (picks or {}).get(len(steps)) or NAIVE_TIE_BREAKS[tie_break](tied, moment)
        if pair not in tied:
            raise BPEError(
                f"The pair picked for merge {len(steps)} must be one of the tied pairs, got {pair}."
            )
        steps.append((pair, best, tied))
        ids[pair[0] + pair[1]] = len(ids)
        segmented = [(merge_pair(word, pair), frequency) for word, frequency in segmented]
    return steps


def naive_encode(word: Word, merges: Sequence[Pair]) -> Word:
    """Return the word after applying the merge of lowest rank everywhere, until none applies."""
    ranks = {pair: rank for rank, pair in reversed(list(enumerate(merges)))}
    while applicable := [pair for pair in pairwise(word) if pair in ranks]:
        word = merge_pair(word, min(applicable, key=ranks.__getitem__))
    return word
