"""Runs of one character whose pieces have equal scores, as the runs of spaces of Llama 2 and Mistral.

Among equal scores the library joins the leftmost pair first, so that such a run grows from its left end: two, three,
four spaces, and so on. A merge list applies one pair after the other. The merges here lead to the same tokens by
another way: they make the longest pieces by doubling, and then join what is left of the run, the longest part first.
"""

from collections.abc import Sequence, Set
from itertools import pairwise

Pair = tuple[str, str]
Sizes = tuple[int, int]

MOST = 128  # characters of the longest piece


def runs_of_one(texts: Sequence[str], all_texts: Sequence[str]) -> list[Pair]:
    """Return the merges for pieces of equal score that are all runs of one character.

    Returns none for other pieces, if another piece has two of these characters side by side, or if the merges would not
    lead to the tokens of the library.

    >>> runs_of_one(["--", "----", "---"], ["--", "----", "---", "a-"])
    [('-', '-'), ('--', '--'), ('--', '-')]
    """
    character, longest = texts[0][0], max(map(len, texts))
    others = len(all_texts) - len(texts)
    if len(texts) < 2 or longest > MOST or any(text.strip(character) for text in texts):
        return []
    if others and sum(character * 2 in text for text in all_texts) > len(texts):
        return []
    lengths = {len(text) for text in texts}
    pairs = _pairs(lengths, longest)
    if any(_merged(pairs, size) != _grown(lengths, size) for size in range(4 * longest)):
        return []
    return [(character * left, character * right) for left, right in pairs]


def _pairs(lengths: Set[int], longest: int) -> list[Sizes]:
    doubled = [1 << power for power in range(longest.bit_length() - 1)]
    # What is left of a run is a sum of powers of two, in falling order: 13 = 8 + 4 + 1 = 12 + 1.
    rest = sorted(lengths, key=lambda length: (-(length & -length), -length))
    low = [(length - (length & -length), length & -length) for length in rest if length & (length - 1)]
    return [(size, size) for size in doubled if 2 * size in lengths] + low


def _grown(lengths: Set[int], size: int) -> list[int]:
    """Return the lengths of the pieces into which the library splits a run: the leftmost pair first."""
    run = [1] * size
    while True:
        at = next((at for at, pair in enumerate(pairwise(run)) if sum(pair) in lengths), None)
        if at is None:
            return run
        run[at : at + 2] = [run[at] + run[at + 1]]


def _merged(pairs: Sequence[Sizes], size: int) -> list[int]:
    """Return the lengths into which the merges split a run, each applied everywhere from left to right."""
    run = [1] * size
    for left, right in pairs:
        at = 0
        while at < len(run) - 1:
            if (run[at], run[at + 1]) == (left, right):
                run[at : at + 2] = [left + right]
            at += 1
    return run
