"""Layout: the distinct words side by side in flat lists, the form the trainer works on.

Places count from 0 over all words; before, between and after the words stands a wall. A token is known from both its
ends: `head[p]` is the symbol that starts at p, `tail[p]` the one that ends just before p, so both neighbours of a
boundary are one look away and merging writes three numbers.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from bpe.pair_ids import INSIDE, MAX_SYMBOLS, WALL, compact
from bpe.symbols import BPEError, Symbol
from bpe.text.variants import Variant

MANY_PLACES = 1 << 21  # From here on arrays: a third of the memory. Below, lists: a tenth faster.

Places = MutableSequence[int]
Neighbours = defaultdict[int, list[int]]  # neighbouring symbol, or WALL -> places of the boundary with it


class Layout(NamedTuple):
    """Words laid out. Ids are internal: positions in the alphabet."""

    head: Places  # place -> id of the symbol that starts there, WALL or INSIDE
    tail: Places  # place -> id of the symbol that ends just before it, or WALL; not kept up inside a token
    weigh: Callable[[Sequence[int]], int]  # places, one or more -> the frequencies of their words added up

    def merge(
        self, boundaries: Iterable[int], left: int, right: int, left_length: int, right_length: int, new: int
    ) -> tuple[Neighbours, Neighbours]:
        """Merge (left, right) at those boundaries where the pair stands, from left to right.

        Returns the new tokens' left neighbours with the places where the tokens start, and their right neighbours with
        the places where they end. In a run of the pair, as in abab, a neighbour on the left is `new` already; one on
        the right is still `left`.
        """
        head, tail = self.head, self.tail
        before: Neighbours = defaultdict(list)
        after: Neighbours = defaultdict(list)
        for boundary in boundaries:
            if head[boundary] == right and tail[boundary] == left:
                start, end = boundary - left_length, boundary + right_length
                head[boundary] = INSIDE
                head[start] = tail[end] = new
                before[tail[start]].append(start)
                after[head[end]].append(end)
        return before, after


def spell_words(
    pre_tokens: Iterable[str], variant: Variant
) -> tuple[Sequence[Sequence[Symbol | int]], list[Symbol]]:
    """The words of the pre-tokens, and their distinct symbols in order of first appearance.

    A variant with `spell_bytes` gives `bytes`, whose elements are integers: the same symbols, much sooner.
    """
    if variant.spell_bytes is not None:
        encoded = list(map(variant.spell_bytes, pre_tokens))
        return encoded, [bytes((value,)) for value in dict.fromkeys(b"".join(encoded))]
    words = list(map(variant.spell, pre_tokens))
    return words, list(dict.fromkeys(chain.from_iterable(words)))


def build_layout(
    words: Sequence[Sequence[Symbol | int]], frequencies: Sequence[int], alphabet: Sequence[Symbol]
) -> Layout:
    """The words of one corpus side by side. Raises BPEError where there are more symbols than a pair key can hold."""
    if len(alphabet) >= MAX_SYMBOLS:
        raise BPEError(f"At most {MAX_SYMBOLS:,} different symbols can be told apart, got {len(alphabet):,}.")
    id_of: dict[Symbol | int, int] = {b"": WALL}
    for number, symbol in enumerate(alphabet):
        id_of[symbol] = number
        if len(symbol) == 1:
            id_of[symbol[0]] = number
    wall = (b"",)
    symbols = chain(wall, chain.from_iterable(chain.from_iterable(zip(words, repeat(wall), strict=False))))
    head = map(id_of.__getitem__, symbols)
    lengths = [len(word) + 1 for word in words]
    few = sum(lengths) < MANY_PLACES
    heads: Places = list(head) if few else array("i", head)
    tails = heads[:-1]
    tails.insert(0, WALL)
    if set(frequencies) == {1}:  # one long stream, say
        return Layout(heads, tails, len)
    weights = chain((0,), chain.from_iterable(map(repeat, frequencies, lengths)))
    return Layout(heads, tails, _weigher(list(weights) if few else compact(array("q", weights))))


def _weigher(weights: Sequence[int]) -> Callable[[Sequence[int]], int]:
    weight_at = weights.__getitem__

    def weigh(places: Sequence[int]) -> int:
        return weight_at(places[0]) if len(places) == 1 else sum(map(weight_at, places))

    return weigh
