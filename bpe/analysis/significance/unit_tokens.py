"""Unit tokens: how many tokens of a document each of its units has. The document is encoded as a whole."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.encoding.encode_steps import pre_token_starts, token_spans
from bpe.encoding.tokenizer import Tokenizer

PRE_TOKENS = 1 << 12  # between two checkpoints


def tokens_by_unit(tokenizer: Tokenizer, units_of: Sequence[Sequence[str]]) -> list[int]:
    r"""Return how many tokens each unit has. `units_of` holds the units of each document, which join to the document.

    A token belongs to the unit in which it begins, so the numbers of a document's units sum up to its tokens.

    >>> import bpe
    >>> tokens_by_unit(bpe.train("one two", "bytes-gpt2", merges=0).tokenizer(), [["one\n", "two"], ["one"]])
    [4, 3, 3]
    """
    cached: dict[str, int] = {}  # pre-token -> number of its tokens
    numbers: list[int] = []
    for units in units_of:
        checkpoint()
        numbers += _of_document(tokenizer, units, cached)
    return numbers


def _of_document(tokenizer: Tokenizer, units: Sequence[str], cached: dict[str, int]) -> list[int]:
    text = tokenizer.normalise("".join(units))
    pre_tokens = tokenizer.variant.split(text)
    starts = list(_unit_starts(tokenizer, units, text))
    numbers = [0] * len(units)
    unit = 0  # the one in which the pre-token begins
    positions = pre_token_starts(text, pre_tokens, tokenizer.variant)
    for pre_token, start in with_checkpoints(list(zip(pre_tokens, positions, strict=True)), PRE_TOKENS):
        while unit + 1 < len(starts) and starts[unit + 1] <= start:
            unit += 1
        if unit + 1 == len(starts) or start + len(pre_token) <= starts[unit + 1]:
            count = cached.get(pre_token)
            if count is None:
                count = cached[pre_token] = len(tokenizer.word_tokens(pre_token))
            numbers[unit] += count
        else:  # a pre-token that reaches into the next units
            for begin, end in token_spans(tokenizer.word_tokens(pre_token), start, tokenizer.variant):
                # A marker that spans nothing is a part of the word before it.
                numbers[max(bisect_right(starts, begin - (begin == end)) - 1, 0)] += 1
    return numbers


def _unit_starts(tokenizer: Tokenizer, units: Sequence[str], text: str) -> Iterator[int]:
    """Return where each unit begins in the normalised text of the document.

    Where the text is changed, each unit is normalised after the one before it, so that whatever is added at the
    beginning of a text is added once. A change that depends on text farther away can shift the starts a little, and
    then a token beside a start belongs to the neighbour. No token is lost.
    """
    lengths = list(map(len, units))
    if "".join(units) != text:
        lengths = [len(tokenizer.normalise(units[0]))]
        for before, unit in pairwise(units):
            added = len(tokenizer.normalise(before + unit)) - len(tokenizer.normalise(before))
            lengths.append(max(added, 0))
    return accumulate(lengths[:-1], initial=0)
