"""How often does a pair occur? The count is weighted by the frequencies of words, and overlaps usually count."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from bpe.exercises.next_pair import pairs_across_words
from bpe.exercises.verdict import Piece, Verdict, pair_pieces, times
from bpe.settings.request import Text
from bpe.symbols import Pair, Word, merge_pair
from bpe.trace.trace import Trace


@dataclass(frozen=True)
class PairCount:
    """The question how often a pair occurs after `step` merges of a training on `text`."""

    trace: Trace
    step: int
    text: Text
    pair: Pair

    @cached_property
    def words(self) -> list[tuple[Word, int]]:
        """The different words and their frequencies; none before a second stage, when the trace's words are longer."""
        after = self.trace.log.second_after
        return [] if after is not None and self.step < after else self.trace.words_at(self.step)

    @cached_property
    def right(self) -> int:
        """The right answer."""
        return self.trace.pair_counts(self.step).get(self.pair, 0)

    @cached_property
    def misconceptions(self) -> Mapping[str, frozenset[int]]:
        """The numbers that each misconception gives, without the right one."""
        gives = {name: frozenset(numbers(self)) for name, numbers in MISCONCEPTIONS.items()}
        return {name: numbers - {self.right, 0} for name, numbers in gives.items()}

    def judge(self, number: int) -> Verdict:
        """Return the verdict on a number."""
        if number == self.right:
            return Verdict(True, ("Right! ", *self.solution()))
        mistakes = tuple(name for name, numbers in self.misconceptions.items() if number in numbers)
        if mistakes:
            return Verdict(False, REASONS[mistakes[0]](self, number), mistakes)
        near = "Very close. " if abs(number - self.right) == 1 else ""
        way = (
            "Go through the words one by one, and add their frequencies."
            if isinstance(self.text, Mapping)
            else "Go through the text from left to right, and count each time the two tokens are side by side."
        )
        return Verdict(False, (f"{near}Not {number:,}. {way}",))

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        return (*pair_pieces(self.pair), f" occurs {times(self.right)}.")


def _occurrences(word: Word, pair: Pair) -> int:
    """Return how often a pair occurs in a word, overlaps included.

    >>> _occurrences((b"a", b"a", b"a"), (b"a", b"a"))
    2
    """
    return sum(neighbours == pair for neighbours in pairwise(word))


def _replaceable(word: Word, pair: Pair) -> int:
    """Return how many occurrences of a pair can be merged in a word.

    >>> _replaceable((b"a", b"a", b"a"), (b"a", b"a"))
    1
    """
    return len(word) - len(merge_pair(word, pair))


def _without_frequencies(question: PairCount) -> set[int]:
    """Return the count if every different word is counted once."""
    in_word = _occurrences if question.trace.request.overlaps else _replaceable
    return {sum(in_word(word, question.pair) for word, _ in question.words)}


def _once_a_word(question: PairCount) -> set[int]:
    """Return the count if a pair that occurs several times in a word adds the word's frequency only once."""
    return {sum(n for word, n in question.words if _occurrences(word, question.pair))}


def _without_overlaps(question: PairCount) -> set[int]:
    """Return the count if only occurrences that can be merged are counted."""
    return {sum(n * _replaceable(word, question.pair) for word, n in question.words)}


def _with_overlaps(question: PairCount) -> set[int]:
    """Return the count if overlapping occurrences count."""
    return {sum(n * _occurrences(word, question.pair) for word, n in question.words)}


def _across_words(question: PairCount) -> set[int]:
    """Return the count if the gaps between words are ignored."""
    across = pairs_across_words(question.trace, question.text, question.step)
    return {question.right + across.get(question.pair, 0)}


def _single_tokens(question: PairCount) -> set[int]:
    """Return how often each part of the pair occurs."""
    counts = question.trace.token_counts(question.step)
    return {counts.get(token, 0) for token in question.pair} - {0}


def _both_orders(question: PairCount) -> set[int]:
    """Return the count if the two parts may come in any order."""
    left, right = question.pair
    if left == right:
        return set()
    return {question.right + question.trace.pair_counts(question.step).get((right, left), 0)}


def _letters(question: PairCount) -> set[int]:
    """Return how often the letters of the pair occur, whatever tokens they are in."""
    spelled = b"".join(question.pair)
    total = 0
    for word, n in question.words:
        text = b"".join(word)
        total += n * sum(text.startswith(spelled, start) for start in range(len(text)))
    return {total}


def _before_the_last_merge(question: PairCount) -> set[int]:
    """Return the count before the last merge."""
    if question.step == 0:
        return set()
    return {question.trace.pair_counts(question.step - 1).get(question.pair, 0)} - {0}


# {misconception: the numbers that it gives}, the most telling ones first
MISCONCEPTIONS: Mapping[str, Callable[[PairCount], set[int]]] = {
    "without_frequencies": _without_frequencies,
    "without_overlaps": _without_overlaps,
    "with_overlaps": _with_overlaps,
    "once_a_word": _once_a_word,
    "across_words": _across_words,
    "both_orders": _both_orders,
    "letters": _letters,
    "before_the_last_merge": _before_the_last_merge,
    "single_tokens": _single_tokens,
}


def _part(question: PairCount, number: int) -> Piece:
    counts = question.trace.token_counts(question.step)
    return next(token for token in question.pair if counts.get(token, 0) == number)


REASONS: Mapping[str, Callable[[PairCount, int], tuple[Piece, ...]]] = {
    "without_frequencies": lambda question, number: (
        "That is the number if each different word is counted once. "
        "A word that occurs 10 times adds 10 to the count of each of its pairs.",
    ),
    "without_overlaps": lambda question, number: (
        "That is how many of them can be merged. Two occurrences may overlap, and each of them counts.",
    ),
    "with_overlaps": lambda question, number: (
        "That includes occurrences that overlap. Here only those that can be merged count.",
    ),
    "once_a_word": lambda question, number: (
        *pair_pieces(question.pair),
        " is in some word more than once, and each occurrence counts.",
    ),
    "across_words": lambda question, number: (
        "That includes neighbours in two different words. A merge never joins two words, so they are not counted.",
    ),
    "both_orders": lambda question, number: (
        "That includes ",
        *pair_pieces((question.pair[1], question.pair[0])),
        ". The order matters: they are two different pairs.",
    ),
    "letters": lambda question, number: (
        "You counted the letters ",
        b"".join(question.pair),
        ". A pair is two tokens side by side: look at where the tokens begin and end now.",
    ),
    "before_the_last_merge": lambda question, number: (
        "That was the count before the last merge, which used up some of them. Count again.",
    ),
    "single_tokens": lambda question, number: (
        "That is how often ",
        _part(question, number),
        " occurs, with any neighbour. Count only those with ",
        *pair_pieces(question.pair),
        " side by side.",
    ),
}
