"""Numbers in a sentence that follow the picture beside it, as in “after {merges merge} the text has {tokens token}”.

The name in braces is a row of NUMBERS; a noun may follow it, which gets its plural. `{merges}` can be dragged.
Everything is computed from one training, for each number of merges.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from bpe import BPEError, Symbol, Trace
from bpe.checks import look_up
from bpe.text.display import counted
from film.labels import chip_label

_Value = int | float | Symbol
_MARK = re.compile(r"\{([a-z_]+)(?: ([a-z ]+))?\}")
_HANDLE = "merges"


def sentence_pieces(text: str, trace: Trace, step: int) -> list[list[Any]]:
    """Return a sentence without tokens and terms in pieces, as the browser draws it."""
    pieces: list[list[Any]] = []
    for plain, mark in marked_numbers(text):
        pieces += moving_pieces(mark, trace, step) if mark else [[plain, None]]
    return pieces


def marked_numbers(text: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield the text in pieces: (text, None), or ("", the match of a mark).

    >>> [(text, mark and mark[1]) for text, mark in marked_numbers("After {merges merge}.")]
    [('After ', None), ('', 'merges'), ('.', None)]
    """
    start = 0
    for mark in _MARK.finditer(text):
        if mark.start() > start:
            yield text[start : mark.start()], None
        yield "", mark
        start = mark.end()
    if start < len(text):
        yield text[start:], None


def has_numbers(text: str) -> bool:
    """Return whether a sentence has a number that follows the picture. Raises BPEError for one that is no row."""
    names = [mark[1] for mark in _MARK.finditer(text)]
    for name in names:
        look_up("number", NUMBERS, name)
    return bool(names)


def _values_of(mark: re.Match[str], trace: Trace) -> Sequence[_Value]:
    """Return the values of a mark after 0, 1, 2, … merges. Raises BPEError for a name that is no row of NUMBERS."""
    number: Callable[[Trace], Sequence[_Value]] = look_up("number", NUMBERS, mark[1])
    return number(trace)


def _written(value: _Value, noun: str | None = None) -> str:
    """Return a value as a sentence writes it.

    >>> _written(1234, "token"), _written(1, "tie"), _written(2.456)
    ('1,234 tokens', '1 tie', '2.5')
    """
    if isinstance(value, bytes):
        raise BPEError("A token is drawn, not written.")
    if isinstance(value, float):
        return f"{value:.1f}"
    return counted(value, noun) if noun else f"{value:,}"


def moving_pieces(mark: re.Match[str], trace: Trace, step: int) -> Iterator[list[Any]]:
    """Yield the pieces of a mark as a sentence draws them: a number, and its noun behind it if it can be dragged.

    step: the merges done in the picture at first.
    """
    values, noun = _values_of(mark, trace), mark[2]
    if mark[1] == _HANDLE:
        yield _moving([_written(value) for value in values], step, drag=True)
        if noun:
            yield _moving([f" {_written(value, noun).partition(' ')[2]}" for value in values], step)
    else:
        yield _moving(
            [
                [chip_label(trace.variant, one), trace.id_of(one)]
                if isinstance(one, bytes)
                else _written(one, noun)
                for one in values
            ],
            step,
        )


def _moving(values: Sequence[Any], step: int, *, drag: bool = False) -> list[Any]:
    first = values[step]
    label, number = (first, None) if isinstance(first, str) else first
    return [label, number, "", {"at": step, "values": list(values), "drag": drag}]


def with_first_numbers(text: str, trace: Callable[[], Trace], step: int) -> str:
    """Return a sentence as it is printed: with the numbers after `step` merges, and tokens between backticks."""
    if not has_numbers(text):
        return text
    trained = trace()

    def first(mark: re.Match[str]) -> str:
        value = _values_of(mark, trained)[step]
        return f"`{trained.variant.label(value)}`" if isinstance(value, bytes) else _written(value, mark[2])

    return _MARK.sub(first, text)


def _longest(trace: Trace) -> list[Symbol]:
    made = (left + right for left, right in trace.merges)
    first = trace.words_at(0)[0][0][0]
    return list(accumulate(made, lambda one, other: max(one, other, key=len), initial=first))


def _characters(trace: Trace) -> list[float]:
    characters = sum(
        len(word) * frequency for word, frequency in zip(trace.pre_tokens, trace.frequencies, strict=True)
    )
    return [characters / tokens for tokens in trace.tokens_by_step()]


# Name of a number -> its values after 0, 1, 2, … merges
NUMBERS: Mapping[str, Callable[[Trace], Sequence[_Value]]] = {
    _HANDLE: lambda trace: range(len(trace.steps) + 1),
    "tokens": lambda trace: trace.tokens_by_step(),
    "alphabet": lambda trace: [trace.vocabulary_size(0)] * (len(trace.steps) + 1),
    "vocabulary": lambda trace: [trace.vocabulary_size(k) for k in range(len(trace.steps) + 1)],
    "in_use": lambda trace: trace.in_use_by_step(),
    "ties": lambda trace: list(accumulate((tied > 1 for tied in trace.log.tied), initial=0)),
    "characters": _characters,  # a token
    "longest_token": _longest,  # token that was made so far
}
