"""Explanation: why the two neighbours at a boundary were merged, or were not, under the encoder `rank`."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple

from bpe.checks import shortened_repr
from bpe.encoding.merging import EncoderInput, WordEncoder, WordStep
from bpe.symbols import BPEError, Symbol, Word
from bpe.text.display import merge_name
from bpe.text.sentence_label import sentence_label

_Kind = Literal["merged", "wall", "unknown", "no rule", "taken first", "never together", "unreachable"]
_REACH = 200  # initial symbols considered on either side of the boundary
_NEVER = 1 << 62  # greater than the number of any step


@dataclass(frozen=True, slots=True)
class Explanation:
    """One sentence on what happened at a boundary, with the tokens and merges that it names."""

    kind: _Kind
    sentence: str
    left: Symbol  # the neighbours the sentence is about
    right: Symbol
    rank: int | None  # of the merge that joins them; None if there is no such merge
    ranks: tuple[int, ...]  # of all merges the sentence names


def explain(known: EncoderInput, encoder: WordEncoder, words: Sequence[Word], boundary: int) -> Explanation:
    """Return the explanation for the boundary after an initial symbol of the words, counted from 0 over all words.

    `encoder` must be that of `rank`. Raises BPEError for a boundary that does not exist.
    """
    starts = list(accumulate(map(len, words), initial=0))
    if starts[-1] < 2:
        raise BPEError("A text of fewer than two symbols has no boundary.")
    if boundary not in range(starts[-1] - 1):
        raise BPEError(f"The boundary must be from 0 to {starts[-1] - 2}, got {shortened_repr(boundary)}.")
    number = bisect_right(starts, boundary) - 1
    word, boundary = words[number], boundary - starts[number]  # from here on numbers within the word
    if boundary == len(word) - 1:
        return _between_words(known, encoder.encode(word)[-1], encoder.encode(words[number + 1])[0])
    steps = list(encoder.steps(word))
    closed_at = [-1] * (len(word) - 1)  # boundary -> number of the step that closes it
    for step_number, step in enumerate(steps):
        for closed in step.closes:
            closed_at[closed] = step_number
    if closed_at[boundary] >= 0:
        step = steps[closed_at[boundary]]
        return _looked_up(known, word, boundary) if step.rank is None else _merged(known, step)
    neighbours = _Neighbours(
        list(_left_neighbours(word, closed_at, boundary)), list(_right_neighbours(word, closed_at, boundary))
    )
    return _stayed_open(known, steps, neighbours, list(_ranks_across(known, word, boundary)))


class _Neighbour(NamedTuple):
    """A token next to the boundary during some of the word's steps."""

    token: Symbol
    made_at: int  # number of the step that made it; -1 for an initial symbol
    merged_at: int  # number of the step that merged it away from the boundary; NEVER if it stayed


class _Neighbours(NamedTuple):
    """All tokens that ever ended at the boundary, and all that started there, in the order in which they were made."""

    lefts: Sequence[_Neighbour]
    rights: Sequence[_Neighbour]


def _left_neighbours(word: Word, closed_at: Sequence[int], boundary: int) -> Iterator[_Neighbour]:
    """Yield the tokens that ended at the boundary, one after the other."""
    start, made_at = boundary, -1
    while start and closed_at[start - 1] >= 0:
        yield _Neighbour(b"".join(word[start : boundary + 1]), made_at, closed_at[start - 1])
        made_at = closed_at[start - 1]
        while start and 0 <= closed_at[start - 1] <= made_at:
            start -= 1
    yield _Neighbour(b"".join(word[start : boundary + 1]), made_at, _NEVER)


def _right_neighbours(word: Word, closed_at: Sequence[int], boundary: int) -> Iterator[_Neighbour]:
    """Yield the tokens that started at the boundary, one after the other."""
    end, made_at = boundary + 1, -1
    while end < len(closed_at) and closed_at[end] >= 0:
        yield _Neighbour(b"".join(word[boundary + 1 : end + 1]), made_at, closed_at[end])
        made_at = closed_at[end]
        while end < len(closed_at) and 0 <= closed_at[end] <= made_at:
            end += 1
    yield _Neighbour(b"".join(word[boundary + 1 : end + 1]), made_at, _NEVER)


def _ranks_across(known: EncoderInput, word: Word, boundary: int) -> Iterator[int]:
    """Return the ranks of the merges whose symbols the word spells left and right of the boundary."""
    before = {
        b"".join(word[start : boundary + 1]) for start in range(max(boundary - _REACH, 0), boundary + 1)
    }
    after = {
        b"".join(word[boundary + 1 : end])
        for end in range(boundary + 2, min(boundary + 2 + _REACH, len(word)) + 1)
    }
    return (rank for rank, (left, right) in enumerate(known.merges) if left in before and right in after)


def _name(rank: int) -> str:
    return merge_name(rank).capitalize()


def _between_words(known: EncoderInput, left: Symbol, right: Symbol) -> Explanation:
    label = sentence_label(known.variant)
    sentence = (
        f"{label(left)} and {label(right)} are in different pre-tokens, and no merge crosses that wall."
    )
    return Explanation("wall", sentence, left, right, None, ())


def _looked_up(known: EncoderInput, word: Word, boundary: int) -> Explanation:
    label = sentence_label(known.variant)
    whole = label(b"".join(word))
    sentence = (
        f"{whole} is in the vocabulary as a whole word, so it is one token, whatever the merges would give."
    )
    return Explanation("merged", sentence, word[boundary], word[boundary + 1], None, ())


def _merged(known: EncoderInput, step: WordStep) -> Explanation:
    label = sentence_label(known.variant)
    assert step.rank is not None
    left, right = known.merges[step.rank]
    sentence = f"{_name(step.rank)} joined {label(left)} and {label(right)} into {label(step.token)} here."
    return Explanation("merged", sentence, left, right, step.rank, (step.rank,))


def _stayed_open(
    known: EncoderInput, steps: Sequence[WordStep], neighbours: _Neighbours, ranks: Sequence[int]
) -> Explanation:
    """Explain why no merge closed the boundary, by the merge that came closest to it."""
    left, right = neighbours.lefts[-1].token, neighbours.rights[-1].token
    label = sentence_label(known.variant)
    for symbol in (left, right):
        if symbol not in known.ids:
            sentence = f"{label(symbol)} is not in the vocabulary, so no merge can use it."
            return Explanation("unknown", sentence, left, right, None, ())
    if ranks:
        return min((_not_applied(known, steps, neighbours, rank) for rank in ranks), key=_closeness)
    if left + right in known.ids:
        return _made_otherwise(known, left, right)
    sentence = f"No learned merge joins {label(left)} and {label(right)}."
    return Explanation("no rule", sentence, left, right, None, ())


def _closeness(explanation: Explanation) -> tuple[int, tuple[int, ...]]:
    kinds: tuple[_Kind, ...] = ("taken first", "never together", "unreachable")
    return kinds.index(explanation.kind), explanation.ranks


def _not_applied(
    known: EncoderInput, steps: Sequence[WordStep], neighbours: _Neighbours, rank: int
) -> Explanation:
    """Explain why this merge was not applied at the boundary although the text spells both its symbols there."""
    label = sentence_label(known.variant)
    left, right = known.merges[rank]
    exists = f"{_name(rank)} joins {label(left)} and {label(right)}, but "
    on_left = next((neighbour for neighbour in neighbours.lefts if neighbour.token == left), None)
    on_right = next((neighbour for neighbour in neighbours.rights if neighbour.token == right), None)
    if on_left is None or on_right is None:
        missing, side = (left, "before") if on_left is None else (right, "after")
        never = f"{label(missing)} is never a single token {side} this boundary"
        sentence = f"{exists}{never}, so the merge cannot be used."
        return Explanation("unreachable", sentence, left, right, rank, (rank,))
    lost, side = (on_left, "left") if on_left.merged_at <= on_right.merged_at else (on_right, "right")
    by = steps[lost.merged_at]
    assert by.rank is not None
    later = max(on_left.made_at, on_right.made_at)
    if later < lost.merged_at:
        if by.rank == rank:
            reason = f"it had already used the {side} {label(lost.token)}: merges run left to right, without overlap."
        else:
            token = f"the {side} neighbour {label(lost.token)}"
            reason = f"{merge_name(by.rank)} came first and made {token} part of {label(by.token)}."
        return Explanation(
            "taken first", exists + reason, left, right, rank, tuple(dict.fromkeys((rank, by.rank)))
        )
    maker = steps[later]
    assert maker.rank is not None
    loss = f"{merge_name(by.rank)} used up {label(lost.token)}"
    maker_text = f"in the step that made {label(maker.token)}"
    if maker.rank != by.rank:
        maker_text = f"before {merge_name(maker.rank)} made {label(maker.token)}"
    reason = f"{loss} {maker_text}."
    return Explanation(
        "never together",
        exists + reason,
        left,
        right,
        rank,
        tuple(dict.fromkeys((rank, by.rank, maker.rank))),
    )


def _made_otherwise(known: EncoderInput, left: Symbol, right: Symbol) -> Explanation:
    """Explain that the neighbours together spell a known token, which however is made from other pairs."""
    label = sentence_label(known.variant)
    token = left + right
    ranks = tuple(rank for rank, pair in enumerate(known.merges) if pair[0] + pair[1] == token)
    pairs = " or ".join(
        " + ".join(map(label, known.merges[rank])) + f" ({merge_name(rank)})" for rank in ranks
    )
    makers = f"only {pairs} makes it" if ranks else "no merge makes it"
    sentence = (
        f"{label(token)} is in the vocabulary, but {makers}, and here we have {label(left)} + {label(right)}."
    )
    return Explanation("unreachable", sentence, left, right, ranks[0] if ranks else None, ranks)
