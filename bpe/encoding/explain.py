"""Inspector: why the two neighbours at a boundary were merged, or were not, under the encoder `rank`."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple

from bpe.checks import shortened_repr
from bpe.encoding.encoder_input import EncoderInput, WordEncoder, WordStep
from bpe.symbols import BPEError, Symbol, Word

Kind = Literal["merged", "wall", "unknown", "no rule", "taken first", "never together", "unreachable"]

REACH = 200  # initial symbols looked at on either side
NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of a boundary, in one sentence, with the tokens and merges it is about."""

    kind: Kind
    sentence: str
    left: Symbol  # the neighbours the sentence is about
    right: Symbol
    rank: int | None  # of the merge that joins them; None where there is no such merge
    ranks: tuple[int, ...]  # of all merges the sentence names


class Stay(NamedTuple):
    """A token that stood beside the boundary, made and taken by a take of the word: its number, -1 or NEVER."""

    token: Symbol
    made: int
    taken: int


class Beside(NamedTuple):
    """The tokens that ended at the boundary, and those that started there, each in the order they were made."""

    lefts: Sequence[Stay]
    rights: Sequence[Stay]


def explain(lexicon: EncoderInput, encoder: WordEncoder, words: Sequence[Word], place: int) -> Explanation:
    """The explanation for the boundary after initial symbol `place` of the words. `encoder` must be `rank`'s.

    Raises BPEError for a boundary there is not.
    """
    starts = list(accumulate(map(len, words), initial=0))
    if starts[-1] < 2:
        raise BPEError("There is no boundary in a text of fewer than two symbols.")
    if place not in range(starts[-1] - 1):
        raise BPEError(f"The boundary must be from 0 to {starts[-1] - 2}, got {shortened_repr(place)}.")
    number = bisect_right(starts, place) - 1
    word, boundary = words[number], place - starts[number]
    if boundary == len(word) - 1:
        return _wall(lexicon, encoder.cut(word)[-1], encoder.cut(words[number + 1])[0])
    takes = list(encoder.takes(word))
    times = [-1] * (len(word) - 1)  # boundary -> number of the take that closes it
    for time, take in enumerate(takes):
        for closed in take.closes:
            times[closed] = time
    if times[boundary] >= 0:
        return _merged(lexicon, takes[times[boundary]])
    beside = Beside(list(_stays_left(word, times, boundary)), list(_stays_right(word, times, boundary)))
    return _open(lexicon, takes, beside, list(_rules(lexicon, word, boundary)))


def _stays_left(word: Word, times: Sequence[int], boundary: int) -> Iterator[Stay]:
    """The tokens that ended at the boundary, one after the other."""
    start, made = boundary, -1
    while start and times[start - 1] >= 0:
        yield Stay(b"".join(word[start : boundary + 1]), made, times[start - 1])
        made = times[start - 1]
        while start and 0 <= times[start - 1] <= made:
            start -= 1
    yield Stay(b"".join(word[start : boundary + 1]), made, NEVER)


def _stays_right(word: Word, times: Sequence[int], boundary: int) -> Iterator[Stay]:
    """The tokens that started at the boundary, one after the other."""
    end, made = boundary + 1, -1
    while end < len(times) and times[end] >= 0:
        yield Stay(b"".join(word[boundary + 1 : end + 1]), made, times[end])
        made = times[end]
        while end < len(times) and 0 <= times[end] <= made:
            end += 1
    yield Stay(b"".join(word[boundary + 1 : end + 1]), made, NEVER)


def _wall(lexicon: EncoderInput, left: Symbol, right: Symbol) -> Explanation:
    label = lexicon.variant.label
    sentence = f"{label(left)} and {label(right)} stand in two pre-tokens: no merge reaches across the wall."
    return Explanation("wall", sentence, left, right, None, ())


def _merged(lexicon: EncoderInput, take: WordStep) -> Explanation:
    label = lexicon.variant.label
    assert take.rank is not None
    left, right = lexicon.merges[take.rank]
    sentence = f"Merge {take.rank} made {label(take.token)} of {label(left)} + {label(right)} here."
    return Explanation("merged", sentence, left, right, take.rank, (take.rank,))


def _rules(lexicon: EncoderInput, word: Word, boundary: int) -> Iterator[int]:
    """Ranks of the merges whose left symbol the word spells before the boundary, and whose right one after it."""
    before = {b"".join(word[start : boundary + 1]) for start in range(max(boundary - REACH, 0), boundary + 1)}
    after = {
        b"".join(word[boundary + 1 : end])
        for end in range(boundary + 2, min(boundary + 2 + REACH, len(word)) + 1)
    }
    return (rank for rank, (left, right) in enumerate(lexicon.merges) if left in before and right in after)


def _open(
    lexicon: EncoderInput, takes: Sequence[WordStep], beside: Beside, rules: Sequence[int]
) -> Explanation:
    """Why no merge closed the boundary: the rule that came closest to it tells."""
    left, right = beside.lefts[-1].token, beside.rights[-1].token
    label = lexicon.variant.label
    for symbol in (left, right):
        if symbol not in lexicon.symbols:
            sentence = f"{label(symbol)} is not in the vocabulary, so no merge can name it."
            return Explanation("unknown", sentence, left, right, None, ())
    if rules:
        return min((_unused(lexicon, takes, beside, rank) for rank in rules), key=_closeness)
    if left + right in lexicon.symbols:
        return _made_otherwise(lexicon, left, right)
    sentence = f"No merge joins {label(left)} + {label(right)}, nor any other tokens that could meet here."
    return Explanation("no rule", sentence, left, right, None, ())


def _closeness(explanation: Explanation) -> tuple[int, tuple[int, ...]]:
    kinds: tuple[Kind, ...] = ("taken first", "never together", "unreachable")
    return kinds.index(explanation.kind), explanation.ranks


def _unused(lexicon: EncoderInput, takes: Sequence[WordStep], beside: Beside, rank: int) -> Explanation:
    """Why this merge was not applied at the boundary though the text spells both its symbols there."""
    label = lexicon.variant.label
    left, right = lexicon.merges[rank]
    exists = f"There is a merge for {label(left)} + {label(right)}, merge {rank}, but "
    left_stay = next((stay for stay in beside.lefts if stay.token == left), None)
    right_stay = next((stay for stay in beside.rights if stay.token == right), None)
    if left_stay is None or right_stay is None:
        missing, is_left = (left, True) if left_stay is None else (right, False)
        side = "before" if is_left else "after"
        sentence = f"{exists}{label(missing)} never is one token {side} this boundary: this spelling cannot reach it."
        return Explanation("unreachable", sentence, left, right, rank, (rank,))
    gone, side = (left_stay, "left") if left_stay.taken <= right_stay.taken else (right_stay, "right")
    by = takes[gone.taken]
    assert by.rank is not None
    later = max(left_stay.made, right_stay.made)
    if later < gone.taken:
        if by.rank == rank:
            reason = (
                f"it took the {side} {label(gone.token)} elsewhere: it runs left to right, without overlap."
            )
        else:
            token = f"the {side} neighbour {label(gone.token)}"
            reason = f"{token} was taken first: merge {by.rank} made it part of {label(by.token)}."
        return Explanation(
            "taken first", exists + reason, left, right, rank, tuple(dict.fromkeys((rank, by.rank)))
        )
    made = takes[later]
    assert made.rank is not None
    when = "in the same step that made" if made.rank == by.rank else f"before merge {made.rank} made"
    reason = f"merge {by.rank} took {label(gone.token)} {when} {label(made.token)}."
    return Explanation(
        "never together", exists + reason, left, right, rank, tuple(dict.fromkeys((rank, by.rank, made.rank)))
    )


def _made_otherwise(lexicon: EncoderInput, left: Symbol, right: Symbol) -> Explanation:
    """The neighbours spell a known token together, which other pairs make."""
    label = lexicon.variant.label
    token = left + right
    ranks = tuple(rank for rank, pair in enumerate(lexicon.merges) if pair[0] + pair[1] == token)
    pairs = " or ".join(" + ".join(map(label, lexicon.merges[rank])) + f" (merge {rank})" for rank in ranks)
    made = f"only {pairs} makes it" if ranks else "no merge makes it"
    sentence = (
        f"The vocabulary holds {label(token)}, but {made}, and here stand {label(left)} + {label(right)}."
    )
    return Explanation("unreachable", sentence, left, right, ranks[0] if ranks else None, ranks)
