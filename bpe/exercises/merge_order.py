"""In which order are these merges learned? Every order that ties allow is right."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from bpe.analysis.ties import why_won
from bpe.exercises.verdict import Piece, Verdict, pair_pieces, times
from bpe.symbols import BPEError, Pair, Word, count_pairs, merge_pair
from bpe.trace.trace import Trace

_Order = tuple[Pair, ...]
_BY_LENGTH = frozenset({"by_length", "shortest_first"})  # say nothing about tokens of equal length
_REASONS: Mapping[str, str] = {
    "counted_once": "That is the order of the counts at the start, but a merge changes the counts of its neighbours. ",
    "by_length": "That is the order by length, longest first. The count decides, not the length. ",
    "shortest_first": "That is the order by length, shortest first. The count decides, not the length. ",
    "backwards": "That is the right order backwards: the most frequent pair comes first. ",
    "in_dictionary_order": "That is dictionary order. The count decides, not the spelling. ",
}


@dataclass(frozen=True)
class MergeOrder:
    """The question in which order the next `number` merges are learned, after `step` merges."""

    trace: Trace
    step: int
    number: int

    def __post_init__(self) -> None:
        if not (self.number >= 2 and 0 <= self.step <= len(self.trace.steps) - self.number):
            raise BPEError(
                f"There must be at least 2 merges to order, and {self.number} after step {self.step}; "
                f"there are {len(self.trace.steps)} in all."
            )

    @property
    def learned(self) -> _Order:
        """The order in which the training learned them."""
        return tuple(self.trace.merges[self.step : self.step + self.number])

    @cached_property
    def items(self) -> _Order:
        """The merges in the order in which they are shown: shuffled, the same way every time, and not right."""
        items = tuple(sorted(self.learned, key=lambda pair: (crc32(pair[0] + pair[1]), pair)))
        return items[::-1] if self._first_fault(items) is None else items

    @cached_property
    def misconceptions(self) -> Mapping[str, _Order]:
        """The order that each misconception gives, without right ones."""
        gives = {name: order(self) for name, order in _MISCONCEPTIONS.items() if self._tells(name)}
        return {name: order for name, order in gives.items() if self._first_fault(order) is not None}

    def judge(self, order: Sequence[Pair]) -> Verdict:
        """Return the verdict on an order of the items."""
        if sorted(order) != sorted(self.learned):
            raise BPEError("An order must hold each of the merges once.")
        fault = self._first_fault(order)
        if fault is None:
            return Verdict(True, self._praise(tuple(order)))
        mistakes = tuple(name for name, wrong in self.misconceptions.items() if wrong == tuple(order))
        why: tuple[Piece, ...] = (_REASONS[mistakes[0]],) if mistakes else ()
        return Verdict(False, (*why, *self._fault_pieces(order, fault)), mistakes)

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        return ("The order is ", *_in_order(self.learned), ".")

    def _praise(self, order: _Order) -> tuple[Piece, ...]:
        if order == self.learned:
            return ("Right! The counts never rise, and each merge comes after those that make its parts.",)
        rule = self.trace.tie_break.title
        first = next(at for at, pair in enumerate(self.learned) if order[at] != pair)
        why = why_won(self.trace, self.step + first)
        return (
            f"Right! Some of them tie, so more than one order is right. The rule “{rule}” gives ",
            *_in_order(self.learned),
            *((". It begins with ", *pair_pieces(self.learned[first]), f": {why}") if why else ()),
            ".",
        )

    def _tells(self, name: str) -> bool:
        length = self.trace.variant.length
        lengths = {length(left + right) for left, right in self.learned}
        return name not in _BY_LENGTH or len(lengths) > 1

    def _first_fault(self, order: Sequence[Pair]) -> tuple[int, int, int] | None:
        """Return (position, count, highest count) of the first merge that is not the most frequent; None if all are."""
        words: list[tuple[Word, int]] = self.trace.words_at(self.step)
        may_merge = self.trace.may_merge_at(self.step)
        for position, pair in enumerate(order):
            counts = count_pairs(words, overlaps=self.trace.request.overlaps)
            highest = max((count for other, count in counts.items() if may_merge(*other)), default=0)
            count = counts.get(pair, 0)
            if count < highest or count == 0:
                return position, count, highest
            words = [(merge_pair(word, pair), frequency) for word, frequency in words]
        return None

    def _fault_pieces(self, order: Sequence[Pair], fault: tuple[int, int, int]) -> tuple[Piece, ...]:
        position, count, highest = fault
        pair = order[position]
        when = f"Look at number {position + 1}. "
        if count == 0:
            return (when, *pair_pieces(pair), " is not a pair yet: one of its parts must be made first.")
        another = f" then occurs {times(count)}, but another pair occurs {times(highest)}."
        return (when, *pair_pieces(pair), another)


def _by_length(question: MergeOrder) -> _Order:
    """Return the merges with the longest token first."""
    length = question.trace.variant.length
    return tuple(sorted(question.items, key=lambda pair: -length(pair[0] + pair[1])))


def _shortest_first(question: MergeOrder) -> _Order:
    """Return the merges with the shortest token first."""
    length = question.trace.variant.length
    return tuple(sorted(question.items, key=lambda pair: length(pair[0] + pair[1])))


def _counted_once(question: MergeOrder) -> _Order:
    """Return the merges by the counts at the start, as if no merge changed them."""
    counts = question.trace.pair_counts(question.step)
    return tuple(sorted(question.items, key=lambda pair: -counts.get(pair, 0)))


def _in_dictionary_order(question: MergeOrder) -> _Order:
    """Return the merges in dictionary order of their tokens."""
    spelled = question.trace.variant.spelled
    return tuple(sorted(question.items, key=lambda pair: spelled(pair[0] + pair[1])))


def _backwards(question: MergeOrder) -> _Order:
    """Return the merges with the last one first."""
    return question.learned[::-1]


# {misconception: the order that it gives}, the most telling ones first
_MISCONCEPTIONS: Mapping[str, Callable[[MergeOrder], _Order]] = {
    "counted_once": _counted_once,
    "by_length": _by_length,
    "shortest_first": _shortest_first,
    "backwards": _backwards,
    "in_dictionary_order": _in_dictionary_order,
}


def _in_order(order: _Order) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for number, pair in enumerate(order):
        pieces += ((", then " if number else ""), *pair_pieces(pair))
    return tuple(piece for piece in pieces if piece)
