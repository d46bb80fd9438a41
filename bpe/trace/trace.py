"""Trace: every decision of a training, from which any step can be derived.

A final token contains its history: undo the merges of rank k and later, and the segmentation after k merges is left.
"After k merges" counts from the initial symbols: k = 0 is before the first merge.
"""

import pkgutil
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Any

from bpe.checks import shortened_repr
from bpe.encoding.tokenizer import Tokenizer
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.pieces import MergeFilter, any_piece, both
from bpe.settings.request import TrainingRequest
from bpe.settings.tie_breaking import Candidates, TieBreak
from bpe.symbols import BPEError, Pair, Symbol, Word
from bpe.text.variants import Variant
from bpe.trace.merge_log import MergeLog, Step, Steps
from bpe.trace.origin import Origin
from bpe.trace.pair_counts import FrequentPairs, PairCounts, Tie, TiedPairs, TwoStageCounts, counts_of
from bpe.trace.unmerge import FinalWords, LazyByToken, OutsideToken, closing_ranks, symbols_at_step
from bpe.trace.vocabulary import Replayed, ReplayedVocabulary, TrainedVocabulary, Vocabulary, look_up

# Takes a trace and returns HTML, or None for a trace that it cannot draw. A name, so that the core imports no layer
# above it: a notebook calls a method of the trace itself, and nobody else could tell the trace who draws it.
PICTURE = f"{__name__.removesuffix('bpe.trace.trace')}film.page:trace_frame"


@dataclass(frozen=True, eq=False)
class Trace:
    """What one training learned. It does not change; threads may share it."""

    request: TrainingRequest
    alphabet: tuple[Symbol, ...]  # the initial symbols, in id order
    pre_tokens: tuple[str, ...]  # distinct, in the requested word order
    frequencies: "array[int]"  # of the pre-tokens, in the same order
    # The words after the last merge, in internal ids, with WALL before, between and after them.
    final_tokens: "array[int]"
    log: MergeLog
    # "merges" | "vocab_size" | "no pairs" | "min_count" | "cancelled"; of a mere replay "end of list"
    stopped: str
    replayed: Replayed | None = None  # the merge list, if this is or begins with a replay
    first_words: FinalWords | None = None  # of the first of two stages, after its merges

    @cached_property
    def variant(self) -> Variant:
        """The variant: how a text becomes words of symbols, those of the second stage if there is one."""
        return self.request.encoding_variant(self.alphabet)

    @cached_property
    def origin(self) -> Origin:
        """Where the merges come from, and what one may do with them."""
        replayed = self.replayed
        if replayed is None:
            return Origin(len(self.log))
        ranks = replayed.replayed_ranks
        return Origin(
            replayed.learned,
            len(replayed.tokenizer.merges) - replayed.learned,
            len(ranks),
            max(ranks, default=-1) + 1,
            replayed.reordered,
            replayed.complete,
            is_own=False,
        )

    @property
    def second_stage(self) -> int | None:
        """Number of merges before a second stage: superwords, or what is learned after a replay."""
        return self.replayed.second_stage if self.replayed else self.log.second_after

    @property
    def tie_break(self) -> TieBreak:
        """The tie-breaking rule."""
        return self.request.tie_break

    @property
    def settings(self) -> dict[str, Any]:
        """Variant and tie_break as slugs, and the other settings that differ from their defaults."""
        return dict(self.request.given)

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The special tokens, in id order."""
        return self.request.special_tokens

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """All symbols by internal id: the alphabet, then one for each merge."""
        symbols = list(self.alphabet)
        for left, right in zip(self.log.lefts, self.log.rights, strict=True):
            symbols.append(symbols[left] + symbols[right])
        return tuple(symbols)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The steps, by rank."""
        return Steps(self.log, self.symbols, self.replayed.replayed_ranks if self.replayed else ())

    @property
    def merges(self) -> list[Pair]:
        """The merges as (left, right), by rank."""
        spell = self.symbols.__getitem__
        return list(zip(map(spell, self.log.lefts), map(spell, self.log.rights), strict=True))

    # Segmentations

    def words_at(self, k: int) -> list[tuple[Word, int]]:
        """Return (word after `k` merges, frequency) of every distinct word, in the requested word order."""
        return list(zip(map(tuple, self._words_at(k)), self.frequencies, strict=True))

    def word_with(self, pair: Pair, k: int, *, last: bool = False) -> Word | None:
        """Return the first distinct word, as it is after `k` merges, in which the pair occurs; None without one.

        last: the last such word instead.
        """
        symbols_of, words = self._symbols_at(k).__getitem__, self._final_words
        for number in reversed(range(len(self.frequencies))) if last else range(len(self.frequencies)):
            word = tuple(chain.from_iterable(map(symbols_of, words[number])))
            if pair in pairwise(word):
                return word
        return None

    def segment(self, text: str, k: int) -> list[Symbol]:
        """Return the symbols of the text after `k` merges, pre-token after pre-token, markers included.

        The text may be new. A character that the training did not see is a symbol of its own, or
        one with its unknown neighbours if the training joins them.
        """
        symbols_of, symbols = self._symbols_at(k), list[Symbol]()
        words: dict[str, list[Symbol]] = {}
        for pre_token in self._split(text):
            if pre_token not in words:
                tokens = map(symbols_of.__getitem__, self._tokens(pre_token))
                words[pre_token] = list(chain.from_iterable(tokens))
            symbols += words[pre_token]
        return symbols

    def segment_word(self, pre_token: str, k: int) -> list[Symbol]:
        """Return the symbols of one pre-token after `k` merges, which may be new: see `segment`."""
        return list(chain.from_iterable(map(self._symbols_at(k).__getitem__, self._tokens(pre_token))))

    def boundaries(self, text: str) -> list[int]:
        """Return, for each boundary between the initial symbols of the text, the rank that closes it, or -1.

        These numbers, one fewer than initial symbols, give the segmentation at every step.
        """
        ranks: list[int] = []
        for pre_token in self._split(text):
            ranks += self.closing_ranks(pre_token)
        return ranks[:-1]

    def closing_ranks(self, pre_token: str) -> list[int]:
        """Return, for each initial symbol of a pre-token, the rank that closes the boundary after it, or -1.

        The last one is -1: no merge reaches beyond a pre-token.
        """
        ranks: list[int] = []
        for token in self._tokens(pre_token):
            ranks += self._closing_ranks[token]
            ranks.append(-1)
        return ranks

    def frequency(self, pre_token: str) -> int:
        """Return how often the pre-token occurs in the corpus."""
        number = self._word_of.get(pre_token)
        return 0 if number is None else self.frequencies[number]

    # Counts

    def pair_counts(self, k: int) -> dict[Pair, int]:
        """Return the count of every pair after `k` merges."""
        self._check(k)
        return self._pair_counts.at(k)

    def counts_changed(self, k: int) -> dict[Pair, int]:
        """Return the change of each pair's count in the last of `k` merges, where it is not 0. Empty for k = 0."""
        self._check(k)
        changes = self.log.pair_changes(k - 1) if k else {}
        return {self._spell(key): change for key, change in changes.items()}

    def may_merge_at(self, k: int) -> MergeFilter:
        """Return which pairs the counts may choose for merge `k`."""
        second = self.second_stage is not None and k >= self.second_stage
        may_learn = self.replayed.may_learn(self.alphabet) if self.replayed and second else any_piece
        return both(self.request.may_merge_in(second=second), may_learn)

    def tied_pairs(self, k: int) -> tuple[Pair, ...]:
        """Return the pairs that tie (or, after the last merge, would tie) for merge `k`, by first occurrence."""
        return self.tie(k).pairs

    def tie(self, k: int, most: int | None = None) -> Tie:
        """Return the tie for merge `k`. With `most`, only its first so many pairs: faster if thousands are tied."""
        self._check(k)
        return self._tied_pairs.at(k, most)

    def candidates(self, k: int) -> Candidates:
        """Return what a rule may read when it picks the pair of merge `k`: the pairs that tie, as pair keys.

        The positions tell only which pair occurs first (0, the others 1) and which one last (1, the others 0).
        """
        self._check(k)
        ends = self._tied_pairs.ends(k)
        key_of = {pair: pair[0] << SHIFT | pair[1] for pair in ends.pairs}
        first, last = ({key_of[pair] for pair in one} for one in (ends.first, ends.last))
        return candidates_of(
            self, set(key_of.values()), lambda pair: int(pair not in first), lambda pair: int(pair in last)
        )

    def rivals(self, k: int) -> tuple[Pair, ...]:
        """Return the tied pairs that overlap the pair of merge `k`, by first occurrence.

        They share a token with it somewhere in the corpus: in `x L R y` the merge of (L, R) uses up an occurrence of
        (x, L) and one of (R, y). Only in a run of one symbol can a rival keep them all: `a a a x` becomes `aa a x`. A
        pair is no rival of itself. () if only the order was decided, if nothing tied with
        the pair, and after the last merge.
        """
        self._check(k)
        return tuple(map(self._spell, self.log.rivals_of(k)))

    def all_rivals(self) -> dict[int, tuple[Pair, ...]]:
        """Return the rivals of each merge that has some, by rank: the merges at which the tie was a real choice."""
        return {rank: self.rivals(rank) for rank in dict.fromkeys(self.log.rival_ranks)}

    def frequent_pairs(self, k: int, most: int, order: Sequence[int] | None = None) -> FrequentPairs:
        """Return the `most` most frequent pairs after `k` merges.

        If counts are equal, the pair first in `order` is first: a number for each of `symbols`, by default their index.
        """
        self._check(k)
        return self._pair_counts.most_frequent(k, most, order or range(len(self.symbols)))

    def token_counts(self, k: int) -> dict[Symbol, int]:
        """Return how often each token in use after `k` merges occurs in the corpus, in id order."""
        self._check(k)
        in_use: dict[Symbol, int] = {}
        for symbol, number in zip(self.symbols, self.log.symbol_counts_at(k), strict=False):
            if number:  # In a replay, a token that is a whole word here may be made by merges elsewhere.
                in_use[symbol] = in_use.get(symbol, 0) + number
        return dict(sorted(in_use.items(), key=lambda item: self.id_of(item[0]))) if self.replayed else in_use

    def tokens_by_step(self) -> list[int]:
        """Return how many tokens the corpus has after 0, 1, 2, … merges."""
        return self.log.tokens_by_step()

    def in_use_by_step(self) -> list[int]:
        """Return how many different tokens the corpus has after 0, 1, 2, … merges."""
        numbers = self.log.in_use_by_step()
        if self.replayed and len(set(self.symbols)) < len(self.symbols):
            numbers = [len(self.token_counts(k)) for k in range(len(numbers))]
        return numbers

    def tokens_total(self, k: int) -> int:
        """Return how many tokens the corpus has after `k` merges."""
        self._check(k)
        return self.log.tokens_at(k)

    def in_use(self, k: int) -> int:
        """Return how many different tokens the corpus has after `k` merges."""
        return len(self.token_counts(k))

    # Vocabulary and provenance

    def vocabulary(self, k: int) -> list[Symbol]:
        """Return the tokens after `k` merges, in id order, special tokens as UTF-8. For a replay's ids see `id_of`."""
        self._check(k)
        return self._vocabulary.at(k)

    def vocabulary_size(self, k: int) -> int:
        """Return the number of tokens after `k` merges."""
        self._check(k)
        return self._vocabulary.size(k)

    def id_of(self, symbol: Symbol) -> int:
        """Return the symbol's id in the vocabulary. Raises BPEError if the vocabulary does not hold it."""
        return look_up(self._vocabulary.id_of, symbol, self.variant)

    def born(self, symbol: Symbol) -> int:
        """Return the rank of the step that made the symbol; -1 for an initial symbol."""
        return look_up(self._vocabulary.born, symbol, self.variant)

    def merge_rank(self, symbol: Symbol) -> int:
        """Return the rank of the symbol's merge; of a replay, in the tokenizer's list. -1 for an initial symbol."""
        return look_up(self._vocabulary.merge_rank, symbol, self.variant)

    def parents(self, symbol: Symbol) -> Pair | None:
        """Return the pair that was merged into the symbol; None for an initial symbol."""
        return look_up(self._vocabulary.parents, symbol, self.variant)

    def built_from(self, symbol: Symbol) -> list[int]:
        """Return the ranks of the merges that used the symbol as their left or right part."""
        self.id_of(symbol)  # raises BPEError for an unknown symbol
        own, sides_of = self._internal_id.get(symbol, -1), zip(self.log.lefts, self.log.rights, strict=True)
        return [rank for rank, sides in enumerate(sides_of) if own in sides]

    def uses(self, symbol: Symbol, k: int) -> list[tuple[str, int, int]]:
        """Return (pre-token, its frequency, occurrences in it after `k` merges) for each that contains it."""
        numbers = (list(word).count(symbol) for word in self._words_at(k))
        return [use for use in zip(self.pre_tokens, self.frequencies, numbers, strict=True) if use[2]]

    def tokenizer(self, k: int | None = None) -> Tokenizer:
        """Return the tokenizer of the first `k` merges (all of them by default)."""
        k = len(self.log) if k is None else k
        return self._vocabulary.tokenizer(k, self.token_counts(k))

    def __repr__(self) -> str:
        return f"<Trace: {len(self.log)} merges, {self.variant.slug}, {self.tie_break.slug}, {self.stopped}>"

    def _repr_html_(self) -> str | None:
        return _notebook_html(self)

    def _check(self, k: object) -> None:
        if isinstance(k, bool) or not (isinstance(k, int) and 0 <= k <= len(self.log)):
            learned = f"{len(self.log)}, the number of merges learned"
            raise BPEError(f"k must be from 0 to {learned}; got {shortened_repr(k)}.")

    @cached_property
    def _internal_id(self) -> Mapping[Symbol, int]:
        return {symbol: number for number, symbol in enumerate(self.symbols)}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        if self.replayed:
            return ReplayedVocabulary(self.replayed, frozenset(self.alphabet))
        return TrainedVocabulary(self.request, self.symbols, self.merges)

    def _spell(self, pair: PairKey) -> Pair:
        return self.symbols[pair >> SHIFT], self.symbols[pair & MASK]

    def _symbols_at(self, k: int) -> LazyByToken[Symbol]:
        self._check(k)
        return symbols_at_step(self.log, self.symbols, k)

    @cached_property
    def _closing_ranks(self) -> LazyByToken[int]:
        return closing_ranks(self.log)

    @cached_property
    def _final_words(self) -> FinalWords:
        return FinalWords(self.final_tokens)

    def _words_at(self, k: int) -> Iterator[Iterator[Symbol]]:
        symbols_of = self._symbols_at(k).__getitem__
        return (chain.from_iterable(map(symbols_of, tokens)) for tokens in self._final_words)

    @cached_property
    def _word_of(self) -> Mapping[str, int]:
        return {pre_token: number for number, pre_token in enumerate(self.pre_tokens)}

    def _split(self, text: str) -> Iterable[str]:
        return chain.from_iterable(map(self.variant.split, self.request.documents(text)))

    def _tokens(self, pre_token: str) -> Sequence[int | OutsideToken]:
        """Return the pre-token's final tokens: internal ids, and tokens that have none."""
        word = self._word_of.get(pre_token)
        return self._new_tokens(pre_token) if word is None else self._final_words[word]

    @cached_property
    def _new_tokens(self) -> Callable[[str], Sequence[int | OutsideToken]]:
        """The function `_tokens` for new pre-tokens, with a cache: callers ask for a text at one step after another."""
        return lru_cache(maxsize=1 << 10)(self._vocabulary.new_tokens)

    @cached_property
    def _pair_counts(self) -> PairCounts | TwoStageCounts:
        return counts_of(self.log, self.symbols)

    @cached_property
    def _tied_pairs(self) -> TiedPairs:
        words = (self.first_words, self._final_words)
        return TiedPairs(self.log, self.symbols, self._pair_counts, words, self.may_merge_at)


def candidates_of(
    trace: Trace,
    tied: set[PairKey],
    first_position: Callable[[PairKey], int],
    last_position: Callable[[PairKey], int],
) -> Candidates:
    """Return what a rule may read of some tied pairs of a trace when it compares them."""
    return Candidates(
        tied=tied,
        symbols=trace.symbols,
        alphabet_size=trace.log.alphabet_size,
        variant=trace.request.variant,
        first_position=first_position,
        last_position=last_position,
        seed=trace.request.seed,
    )


def _notebook_html(trace: object) -> str | None:
    """Return the picture of a trace as HTML; None if nobody can draw it or it would be too large."""
    try:
        draw = pkgutil.resolve_name(PICTURE)
    except ModuleNotFoundError as error:
        if error.name not in _packages(PICTURE):
            raise
        return None
    html: str | None = draw(trace)
    return html


def _packages(name: str) -> set[str]:
    """Return the module of an object's name, and the packages around it.

    >>> sorted(_packages("a.b:c"))
    ['a', 'a.b']
    """
    parts = name.partition(":")[0].split(".")
    return {".".join(parts[: n + 1]) for n in range(len(parts))}
