"""Word layout: the distinct words of the corpus side by side in flat lists, the form in which the trainer merges them.

Positions count over all words. There is a wall (a sentinel) before, between and after the words, so that no pair
reaches across two. Every token is stored at both of its ends: `starting_at[p]` is the symbol that starts at position p,
`ending_at[p]` the symbol that ends just before p. Both symbols of a pair are therefore one look-up away from the
position between them, and a merge writes three numbers.

    word            |  l   o   w  |               |  l   o   w  |        after the merge (l, o)
    position        0  1   2   3  4               0  1   2   3  4
    starting_at     |  l   o   w  |               |  lo  .   w  |        . is INSIDE, | is WALL
    ending_at          |   l   o  w                  |   ?   lo w        ? is out of date and never read
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TypeVar

from bpe.checkpoints import checkpoint, in_parts, look, with_checkpoints
from bpe.pair_ids import INSIDE, MASK, MAX_SYMBOLS, SHIFT, WALL, PairKey, compact
from bpe.symbols import BPEError, Symbol
from bpe.text.variants import Variant

_Item = TypeVar("_Item")
Ids = MutableSequence[int]
Neighbours = defaultdict[int, list[int]]  # neighbouring symbol or WALL -> positions between the token and it

# Only a doubled pair, that of a symbol with itself, can overlap itself. Without overlap it counts n // 2 times in a
# run of n symbols: as often as it can be merged.
# (old pair, new pair, positions of the new one): what a merge does to one pair of a neighbour.
_Changed = tuple[PairKey, PairKey, list[int]]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of positions from which a training stores them in another way, or stops for a look between them.

    They decide its memory and its speed, never what it learns.
    """

    # In the layout: from so many on, arrays replace the lists. They take a third of the memory and are a tenth slower.
    large_corpus: int = 1 << 21
    # A pair's list of so many is stored as an array: a quarter of the memory, and a little slower to read.
    long_list: int = 64
    # Occurrences of a pair that are merged between two checkpoints. A pair has so many only near the start of a
    # training, where little is lost by an end.
    between_checkpoints: int = 1 << 20
    # Occurrences of a pair that are merged between two looks at the memory: merging them takes 10 MB.
    between_looks: int = 1 << 17


@dataclass(slots=True)
class WordLayout:
    """The words of one corpus. Symbols are internal ids."""

    # Symbol that starts at each position, WALL or INSIDE.
    starting_at: Ids
    # Symbol that ends just before each position, or WALL. Out of date inside a token.
    ending_at: Ids
    # positions -> sum of the frequencies of the words there
    total_frequency: Callable[[Sequence[int]], int]
    # How many positions each symbol spans. Grows with every merge.
    length: list[int]
    sizes: Sizes

    def merge(
        self, positions: Sequence[int], left: int, right: int, new: int
    ) -> tuple[Neighbours, Neighbours]:
        """Replace (left, right) by `new` at each of these positions where the pair still is, from left to right.

        A pair's position is where its right symbol starts. Returns the left neighbours of the new tokens with the
        positions where the tokens start, and the right neighbours with the positions where they end. In a run of the
        pair, such as abab, a left neighbour is `new` already and a right neighbour still `left`.
        """
        starting_at, ending_at = self.starting_at, self.ending_at
        left_length, right_length = self.length[left], self.length[right]
        before: Neighbours = defaultdict(list)
        after: Neighbours = defaultdict(list)
        few = len(positions) <= self.sizes.between_looks
        for position in positions if few else _with_looks(positions, self.sizes):
            if starting_at[position] == right and ending_at[position] == left:
                start, end = position - left_length, position + right_length
                starting_at[position] = INSIDE
                starting_at[start] = ending_at[end] = new
                before[ending_at[start]].append(start)
                after[starting_at[end]].append(end)
        self.length.append(left_length + right_length)
        return before, after


def spell_words(
    pre_tokens: Iterable[str], variant: Variant
) -> tuple[Sequence[Sequence[Symbol | int]], list[Symbol]]:
    """Return the words of the pre-tokens, and their distinct symbols in order of first appearance.

    A variant with `spell_bytes` gives `bytes`, whose elements are integers: the same symbols, found much faster.
    """
    if variant.spell_bytes is not None:
        encoded = list(map(variant.spell_bytes, with_checkpoints(pre_tokens)))
        return encoded, [bytes((value,)) for value in _distinct(b"".join(encoded))]
    words = list(map(variant.spell, with_checkpoints(pre_tokens)))
    return words, list(_distinct(chain.from_iterable(words)))


SIZES = Sizes()


def build_layout(
    words: Sequence[Sequence[Symbol | int]],
    frequencies: Sequence[int],
    alphabet: Sequence[Symbol],
    sizes: Sizes = SIZES,
) -> WordLayout:
    """Return the layout of one corpus's words. Raises BPEError if there are more symbols than a pair key can hold."""
    if len(alphabet) >= MAX_SYMBOLS:
        raise BPEError(f"At most {MAX_SYMBOLS:,} different symbols can be told apart, got {len(alphabet):,}.")
    id_of: dict[Symbol | int, int] = {b"": WALL}
    for number, symbol in enumerate(alphabet):
        id_of[symbol] = number
        if len(symbol) == 1:
            id_of[symbol[0]] = number
    wall = (b"",)
    symbols = chain(wall, chain.from_iterable(chain.from_iterable(zip(words, repeat(wall), strict=False))))
    ids = map(id_of.__getitem__, symbols)
    lengths = [len(word) + 1 for word in words]
    large = sum(lengths) >= sizes.large_corpus
    starting_at: Ids = array("i") if large else []
    for part in in_parts(ids):
        starting_at.extend(part)
    ending_at = starting_at[:-1]
    ending_at.insert(0, WALL)
    spans = [1] * len(alphabet)
    if set(frequencies) == {1}:  # The whole text as one word, for example: nothing to look up.
        return WordLayout(starting_at, ending_at, len, spans, sizes)
    frequency_at = chain((0,), chain.from_iterable(map(repeat, frequencies, lengths)))
    stored: Ids = array("q") if large else []
    for part in in_parts(frequency_at):
        stored.extend(part)
    total_frequency = _adder(compact(stored) if isinstance(stored, array) else stored)
    return WordLayout(starting_at, ending_at, total_frequency, spans, sizes)


def _without_overlaps(positions: Sequence[int], length: int) -> list[int]:
    """Return the ascending positions of a doubled pair without those that overlap one before them.

    `length` is that of the symbol.

    >>> _without_overlaps([1, 2, 3, 4, 8], length=1)
    [1, 3, 8]
    """
    apart: list[int] = []
    overlapping = -1  # where a pair would overlap the last one of the result
    for position in positions:
        if position != overlapping:
            apart.append(position)
            overlapping = position + length
    return apart


def count_apart(layout: WordLayout, pair: PairKey, positions: Sequence[int]) -> int:
    """Return the count of a doubled pair at these positions, which ascend, without overlap."""
    return layout.total_frequency(_without_overlaps(positions, layout.length[pair >> SHIFT]))


def apart_changes(
    layout: WordLayout, changed: Sequence[_Changed], moved: Sequence[int], after: Neighbours
) -> tuple[list[int], list[int]]:
    """Return how much each old pair loses and each new pair gains if overlaps do not count.

    `moved` is how often each old pair became the new one. The first of the changes are those of the neighbours `after`
    the merged pair.
    """
    total, lost, gained = layout.total_frequency, list(moved), list(moved)
    for number, (old, new, positions) in enumerate(changed):
        if _is_doubled(old):
            lost[number] = total(_shortened(layout, old, positions, at_start=number < len(after)))
        if _is_doubled(new):
            gained[number] = count_apart(layout, new, positions)
    return lost, gained


def _with_looks(positions: Sequence[int], sizes: Sizes) -> Iterator[int]:
    """Yield the positions, with the looks at the memory and the checkpoints that the sizes ask for."""
    some, many = sizes.between_looks, sizes.between_checkpoints
    for begin in range(0, len(positions), some):
        (look if begin % many or len(positions) <= many else checkpoint)()
        yield from positions[begin : begin + some]


def _distinct(items: Iterable[_Item]) -> dict[_Item, None]:
    distinct: dict[_Item, None] = {}
    for part in in_parts(items):
        distinct.update(dict.fromkeys(part))
    return distinct


def _adder(frequency_at: Sequence[int]) -> Callable[[Sequence[int]], int]:
    """Return a function that adds up the frequencies at some positions."""
    look_up = frequency_at.__getitem__

    def total_frequency(positions: Sequence[int]) -> int:
        return look_up(positions[0]) if len(positions) == 1 else sum(map(look_up, positions))

    return total_frequency


def _is_doubled(pair: PairKey) -> bool:
    """Return whether a pair is a symbol beside itself."""
    return pair >> SHIFT == pair & MASK


def _shortened(layout: WordLayout, pair: PairKey, positions: Sequence[int], *, at_start: bool) -> list[int]:
    """Return the positions at which a doubled pair lost an occurrence when a merge took the end of a run.

    The merge took the first symbol of each run, `at_start`, or its last one. The rest of the run begins, or ends, at
    the position. If the rest is odd, the run had one occurrence more.
    """
    symbol = pair & MASK
    length = layout.length[symbol]
    symbols, step = (layout.starting_at, length) if at_start else (layout.ending_at, -length)
    lost: list[int] = []
    for position in positions:
        end = position
        while symbols[end] == symbol:
            end += step
        if (end - position) // step % 2:
            lost.append(position)
    return lost
