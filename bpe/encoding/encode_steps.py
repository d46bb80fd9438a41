"""Encoding step by step: a text's words, cut by one encoder, as a film that can be stopped anywhere.

As in a trace, a boundary between two initial symbols closes at one step at most, so one number per boundary is the
whole film; every state on the way is derived from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate

from bpe.encoding.encoder_input import WordEncoder, WordStep
from bpe.encoding.encoders import Turn
from bpe.symbols import Pair, Symbol, Word


@dataclass(frozen=True, slots=True)
class EncodingTimeline:
    """The words of a text and, per boundary between its initial symbols, the step that closes it, or -1."""

    words: Sequence[Word]  # one per pre-token, spelled in initial symbols
    starts: Sequence[int]  # number of the first initial symbol of each word
    closing: list[int]  # filled while the steps are made

    def words_at(self, step: int) -> list[Word]:
        """The words as they are cut after `step` steps."""
        return [self._cut(word, start, step) for word, start in zip(self.words, self.starts, strict=True)]

    def _cut(self, word: Word, start: int, step: int) -> Word:
        tokens: list[Symbol] = []
        for symbol, closing in zip(word, [-1, *self.closing[start : start + len(word) - 1]], strict=True):
            if 0 <= closing < step:
                tokens[-1] += symbol
            else:
                tokens.append(symbol)
        return tuple(tokens)


@dataclass(frozen=True, slots=True)
class EncodeStep:
    """One step: the merge applied or the token taken, and where. Places count the text's initial symbols from 0."""

    number: int  # from 0
    token: Symbol  # made or taken
    rank: int | None  # of the merge applied; None where a token was taken from the vocabulary
    pair: Pair | None  # what was merged
    words: Sequence[int]  # numbers of the words (pre-tokens) that changed
    places: Sequence[int]  # where the token starts
    closes: Sequence[int]  # boundaries closed; boundary b stands after initial symbol b
    film: EncodingTimeline = field(repr=False, compare=False)

    @property
    def segmentation(self) -> list[Word]:
        """The text's words as they are cut after this step."""
        return self.film.words_at(self.number + 1)


def encoding_timeline(
    words: Sequence[Word], encoder: WordEncoder, turn: Turn, merges: Sequence[Pair]
) -> tuple[EncodingTimeline, Iterator[EncodeStep]]:
    """The film, empty at first, and the steps that fill it while they are made.

    Equal words take their steps together. Of the steps that are possible next, the one whose turn is least is made, in
    every word where it is possible.
    """
    starts = list(accumulate(map(len, words), initial=0))
    film = EncodingTimeline(words, starts[:-1], [-1] * max(starts[-1] - 1, 0))
    return film, _steps(film, encoder, turn, merges)


def _steps(
    film: EncodingTimeline, encoder: WordEncoder, turn: Turn, merges: Sequence[Pair]
) -> Iterator[EncodeStep]:
    numbers_of: dict[Word, list[int]] = {}
    for number, word in enumerate(film.words):
        numbers_of.setdefault(word, []).append(number)
    occurrences = {numbers[0]: numbers for numbers in numbers_of.values()}
    going = {numbers[0]: encoder.takes(word) for word, numbers in numbers_of.items()}
    waiting: list[tuple[tuple[int, ...], int, WordStep]] = []

    def go_on(number: int) -> None:
        take = next(going[number], None)
        if take is not None:
            heappush(waiting, (turn(number, take), number, take))

    for number in going:
        go_on(number)
    step = 0
    while waiting:
        key = waiting[0][0]
        together: list[tuple[int, WordStep]] = []
        while waiting and waiting[0][0] == key:
            together.append(heappop(waiting)[1:])
        yield _step(step, together, film, occurrences, merges)
        for number, _ in together:
            go_on(number)
        step += 1


def _step(
    number: int,
    together: Sequence[tuple[int, WordStep]],
    film: EncodingTimeline,
    occurrences: dict[int, list[int]],
    merges: Sequence[Pair],
) -> EncodeStep:
    take = together[0][1]
    words: list[int] = []
    places: list[int] = []
    closes: list[int] = []
    for word, taken in together:
        for occurrence in occurrences[word]:
            start = film.starts[occurrence]
            words.append(occurrence)
            places += (start + place for place in taken.starts)
            closes += (start + boundary for boundary in taken.closes)
    for boundary in closes:
        film.closing[boundary] = number
    pair = None if take.rank is None else merges[take.rank]
    return EncodeStep(
        number, take.token, take.rank, pair, sorted(words), sorted(places), sorted(closes), film
    )
