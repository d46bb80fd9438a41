"""Pairs across words: the neighbours at the gap between two pre-tokens, which no trainer counts."""

from collections.abc import Mapping
from itertools import pairwise

from bpe.settings.request import Text
from bpe.symbols import Pair, Symbol
from bpe.trace.trace import Trace

MOST_CHARACTERS = 100_000  # of a text that is read; a mistake in counting by hand is about a short one


def pairs_across_words(trace: Trace, text: Text, step: int) -> dict[Pair, int]:
    """Return how often each pair lies across the gap between two pre-tokens after `step` merges.

    Empty for counted words, which have no neighbours, and for a long text.

    >>> import bpe
    >>> pairs_across_words(bpe.train("ab ab a", "custom", merges=0, pattern="[a-z]+"), "ab ab a", 0)
    {(b'b', b'a'): 2}
    """
    if isinstance(text, Mapping):
        return {}
    documents = [text] if isinstance(text, str) else list(text)
    if sum(map(len, documents)) > MOST_CHARACTERS:
        return {}
    segmentations = zip(trace.pre_tokens, trace.words_at(step), strict=True)
    ends: dict[str, tuple[Symbol, Symbol]] = {
        pre_token: (word[0], word[-1]) for pre_token, (word, _) in segmentations
    }
    counts: dict[Pair, int] = {}
    for document in trace.request.documents(documents):
        pre_tokens = (piece for piece in trace.variant.split(document) if piece in ends)
        for before, after in pairwise(pre_tokens):
            pair = (ends[before][1], ends[after][0])
            counts[pair] = counts.get(pair, 0) + 1
    return counts
