"""The words of a listing of every way: their forms, what merges make of them, and the counts of their pairs."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bpe.analysis.tie_bounds import BETWEEN_LOOKS, Bounds, Size
from bpe.pair_ids import MASK, SHIFT, PairKey
from bpe.settings.pieces import any_piece
from bpe.settings.request import TrainingRequest
from bpe.symbols import Pair, Symbol
from bpe.training.word_layout import spell_words

_Tokens = tuple[int, ...]  # a word, as internal ids
Form = int  # number of a word as it is split: equal ones have the same number
Delta = dict[int, Form]  # number of a word -> its form, if it differs from that of the common words
Key = bytes  # a segmentation: the words of a delta with their forms


class WordForms:
    """The words of one training text in every form that the ways have given them so far."""

    def __init__(self, request: TrainingRequest, counted: Mapping[str, int], bounds: Bounds) -> None:
        """Take the words with their frequencies."""
        self.request, self.bounds = request, bounds
        words, symbols = spell_words(tuple(counted), request.variant)
        self.limit = request.most_merges(len(request.order_alphabet(symbols)))
        # By internal id: the symbol, and the initial symbols it consists of. Ways that make a symbol of different pairs
        # make the same symbol.
        self.symbols: list[Symbol] = list(symbols)
        self.initial: list[_Tokens] = [(number,) for number in range(len(symbols))]
        self._id_of: dict[_Tokens, int] = {initial: number for number, initial in enumerate(self.initial)}
        numbers: dict[Symbol | int, int] = {}
        for number, symbol in enumerate(symbols):
            numbers[symbol] = number
            if len(symbol) == 1:
                numbers[symbol[0]] = number
        frequencies: dict[_Tokens, int] = {}
        for word, frequency in zip(words, counted.values(), strict=True):
            tokens = tuple(map(numbers.__getitem__, word))
            frequencies[tokens] = frequencies.get(tokens, 0) + frequency
        self._count_pairs = all_pairs if request.overlaps else _pairs_apart
        # By form: its tokens, and for each pair the form that its merge makes, with the changes of pair counts.
        self.tokens: list[_Tokens] = []
        self._form_of: dict[_Tokens, Form] = {}
        self._merges: list[dict[PairKey, _Merge]] = []
        # The words where all ways last met.
        self.common = list(map(self._form, frequencies))
        self.frequencies = list(frequencies.values())
        # No pair's count is higher.
        self.first = sum(map(len, frequencies)) * max(self.frequencies, default=0)
        self._counts: dict[PairKey, int] = {}
        self._words_of = defaultdict[PairKey, list[int]](list)  # and words in which the pair no longer occurs
        self._by_count = defaultdict[int, set[PairKey]](set)  # only pairs that may be merged
        self._allowed: dict[PairKey, bool] = {}
        bounds.pairs = self._counts

    def count_text(self) -> None:
        """Count the pairs of the text. Its words do not count as stored: whoever lists the ways has them."""
        self.bounds.made = 0
        for number, form in enumerate(self.common):
            frequency, tokens = self.frequencies[number], self.tokens[form]
            pairs = self._count_pairs(tokens)
            for at in range(0, len(pairs), BETWEEN_LOOKS):
                for pair in pairs[at : at + BETWEEN_LOOKS]:
                    self._counts[pair] = self._counts.get(pair, 0) + frequency
                self.bounds.spend(min(len(pairs), BETWEEN_LOOKS))
            for pair in set(pairs):
                self._words_of[pair].append(number)
            self.bounds.spend(len(tokens))
        for pair, count in self._counts.items():
            if self.may_merge(pair):
                self._by_count[count].add(pair)
        self.first = max(self._by_count, default=0)
        self.bounds.look()

    def may_merge(self, pair: PairKey) -> bool:
        """Return whether the training may merge a pair."""
        if self.request.may_merge is any_piece:
            return True
        if pair not in self._allowed:
            self._allowed[pair] = self.request.may_merge(*self.spelled(pair))
        return self._allowed[pair]

    def symbol(self, pair: PairKey) -> int:
        """Return the symbol that a merge makes."""
        left, right = pair >> SHIFT, pair & MASK
        initial = self.initial[left] + self.initial[right]
        if initial not in self._id_of:
            self._id_of[initial] = len(self.symbols)
            self.initial.append(initial)
            self.symbols.append(self.symbols[left] + self.symbols[right])
            self.bounds.made += Size.SYMBOL + len(initial)
        return self._id_of[initial]

    def spelled(self, pair: PairKey) -> Pair:
        """Return the two symbols of a pair."""
        return self.symbols[pair >> SHIFT], self.symbols[pair & MASK]

    def _form(self, tokens: _Tokens) -> Form:
        if tokens not in self._form_of:
            self._form_of[tokens] = len(self.tokens)
            self.tokens.append(tokens)
            self._merges.append({})
            self.bounds.made += Size.FORM + len(tokens)
        return self._form_of[tokens]

    def merge(self, form: Form, pair: PairKey) -> "_Merge":
        """Return what a merge makes of a form."""
        known = self._merges[form].get(pair)
        if known is None:
            tokens, left, right = self.tokens[form], pair >> SHIFT, pair & MASK
            known = _Merge(form)
            if left in tokens and right in tokens:
                merged = _merge_word(tokens, left, right, self.symbol(pair))
                if len(merged) < len(tokens):
                    changes = self._changes(tokens, merged)
                    known = _Merge(self._form(merged), tuple(changes), tuple(changes.values()))
                self.bounds.spend(len(tokens))
            self._merges[form][pair] = known
            self.bounds.made += Size.MERGE + 8 * len(known.pairs)
        return known

    def _changes(self, before: _Tokens, after: _Tokens) -> dict[PairKey, int]:
        """Return by how much the number of each pair differs after a merge, if it does."""
        if self.request.overlaps:  # only what is not alike at both ends, and its neighbours
            begin = next(
                (at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0
            )
            end = 0
            while before[-1 - end] == after[-1 - end] and begin + end + 1 < len(after):
                end += 1
            begin, end = max(0, begin - 1), max(0, end - 1)
            before, after = before[begin : len(before) - end], after[begin : len(after) - end]
        changes: dict[PairKey, int] = {}
        for pair in self._count_pairs(before):
            changes[pair] = changes.get(pair, 0) - 1
        for pair in self._count_pairs(after):
            changes[pair] = changes.get(pair, 0) + 1
        return {pair: number for pair, number in changes.items() if number}

    def _form_after(self, form: Form, path: Iterable[PairKey]) -> Form:
        for pair in path:
            form = self.merge(form, pair).form
        return form

    def count(self, state: "State", pair: PairKey) -> int:
        """Return how often a pair occurs in a state."""
        return state.counts[pair] if pair in state.counts else self._counts.get(pair, 0)

    def find_top(self, state: "State", bound: int) -> None:
        """Find the pairs of the highest count of a state, which is at most `bound`."""
        self.bounds.spend(len(state.counts))
        top = max((count for pair, count in state.counts.items() if self.may_merge(pair)), default=0)
        tied = {pair for pair, count in state.counts.items() if count == top and self.may_merge(pair)}
        for count in sorted((count for count in self._by_count if top <= count <= bound), reverse=True):
            self.bounds.spend(len(self._by_count[count]))
            pairs = self._by_count[count] - state.counts.keys()
            if pairs:
                tied = pairs | (tied if count == top else set())
                top = count
                break
        state.top_count, state.tied = (top, frozenset(tied)) if top else (0, frozenset())

    def apply(
        self, state: "State", paths: Mapping[int, Sequence[PairKey]]
    ) -> tuple[Delta, dict[PairKey, int]]:
        """Return the words and counts of a state after further merges. `paths` has those of each word."""
        changed, counts = dict(state.words), dict(state.counts)
        for number, path in paths.items():
            old = form = changed.get(number, self.common[number])
            frequency = self.frequencies[number]
            for pair in path:
                merge = self.merge(form, pair)
                form = merge.form
                for other, times in zip(merge.pairs, merge.times, strict=True):
                    before = counts[other] if other in counts else self._counts.get(other, 0)
                    counts[other] = before + times * frequency
            if form != old:
                changed[number] = form
        self.bounds.spend(len(paths) + len(changed) + len(counts))
        return changed, counts

    def words_after(self, words: Delta, numbers: Sequence[int], path: Sequence[PairKey]) -> Delta:
        """Return words after further merges in those with some numbers."""
        after = dict(words)
        for number in numbers:
            old = words.get(number, self.common[number])
            new = self._form_after(old, path)
            if new != old:
                after[number] = new
        self.bounds.spend(len(words) + len(numbers) * len(path))
        return after

    def words_with(self, state: "State", pairs: Iterable[PairKey]) -> list[int]:
        """Return the numbers of the words in which pairs can occur, ascending."""
        numbers = set(state.words)
        for pair in pairs:
            numbers.update(self._words_of.get(pair, ()))
        self.bounds.spend(len(numbers))
        return sorted(numbers)

    def make_common(self, state: "State") -> None:
        """Make the words of a state the common ones: all ways meet there."""
        for number, new in state.words.items():
            before, after = self.tokens[self.common[number]], self.tokens[new]
            for pair in set(self._count_pairs(after)).difference(self._count_pairs(before)):
                self._words_of[pair].append(number)
            self.common[number] = new
            self.bounds.since_look += len(before)
        for pair, count in state.counts.items():
            if self.may_merge(pair):
                old = self._counts.get(pair, 0)
                self._by_count[old].discard(pair)
                if not self._by_count[old]:
                    del self._by_count[old]
                if count:
                    self._by_count[count].add(pair)
            if count:
                self._counts[pair] = count
            else:
                self._counts.pop(pair, None)
                self._words_of.pop(pair, None)
        state.words, state.counts, state.made = {}, {}, ()
        if len(self.tokens) > 4 * len(self.common) + 10_000:
            tokens = [self.tokens[form] for form in self.common]
            self.tokens.clear()
            self._form_of.clear()
            self._merges.clear()
            self.common = list(map(self._form, tokens))
            self.bounds.made = sum(Size.SYMBOL + len(initial) for initial in self.initial)


@dataclass(slots=True, eq=False)
class State:
    """A segmentation in which all pairs above some count are merged: where a level may begin."""

    merges: int
    words: Delta
    counts: dict[PairKey, int]  # of the pairs whose count differs from that in the common words
    made: tuple[int, ...]  # symbols that were learned since all ways last met, on one of the ways
    node: int
    ways: int | None
    top_count: int = 0
    tied: frozenset[PairKey] = frozenset()

    @property
    def size(self) -> int:
        """Entries that it takes."""
        return Size.STATE + Size.ITEM * (len(self.words) + len(self.counts)) + len(self.made)

    def join(self, other: "State") -> None:
        """Add the ways of another state with the same segmentation."""
        self.ways = None if self.ways is None or other.ways is None else self.ways + other.ways


def key_of(words: Delta) -> Key:
    """Return what tells a segmentation from others with the same common words."""
    return array("q", sorted([number << 32 | form for number, form in words.items()])).tobytes()


class _Merge(NamedTuple):
    """What a merge makes of a word."""

    form: Form
    pairs: tuple[PairKey, ...] = ()  # whose number in the word changes
    times: tuple[int, ...] = ()  # by how much


def _merge_word(tokens: _Tokens, left: int, right: int, new: int) -> _Tokens:
    """Return a word with a pair replaced from left to right, as `bpe.merge_pair` does."""
    merged: list[int] = []
    index, last = 0, len(tokens) - 1
    while True:
        try:
            at = tokens.index(left, index, last)
        except ValueError:
            merged += tokens[index:]
            return tuple(merged)
        merged += tokens[index:at]
        is_pair = tokens[at + 1] == right
        merged.append(new if is_pair else left)
        index = at + (2 if is_pair else 1)


def all_pairs(tokens: _Tokens) -> list[PairKey]:
    """Return the pairs of a word from left to right, those that overlap an equal one included."""
    return [left << SHIFT | right for left, right in pairwise(tokens)]


def _pairs_apart(tokens: _Tokens) -> list[PairKey]:
    """Return the pairs as `bpe.symbols.pairs_apart` does: none that overlaps an equal one before it."""
    apart: list[PairKey] = []
    before = -1
    for pair in all_pairs(tokens):
        before = -1 if pair == before else pair
        if before >= 0:
            apart.append(pair)
    return apart
