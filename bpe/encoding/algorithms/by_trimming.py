"""Trimming: encoding by merges, after which rare tokens are undone.

A token that the corpus contains fewer than `threshold` times is split into the two tokens that were merged into it,
and these in turn, until every token is frequent enough or an initial symbol. subword-nmt does this with its option
--vocabulary-threshold (Rico Sennrich et al., 2017). Marco Cognetta et al., 2024, An Analysis of BPE Vocabulary Trimming
in Neural Machine Translation, measured that it does not improve translations.
"""

from collections.abc import Iterator, Mapping, Sequence

from bpe.encoding.algorithms.by_merges import by_rank
from bpe.encoding.algorithms.encoder_input import EncoderInput, WordEncoder, WordStep
from bpe.symbols import Pair, Symbol, Word


def by_trimming(known: EncoderInput, threshold: int) -> WordEncoder:
    """Return the encoder `trimmed`. With a threshold of 0, or for a tokenizer without counts, it is `rank`."""
    full = by_rank(known)
    if not known.frequencies:
        return full
    parts = parts_of(known.merges, known.frequencies, threshold)
    if not parts:
        return full

    def encode(word: Word) -> list[Symbol]:
        tokens: list[Symbol] = []
        for token in full.encode(word):
            tokens += parts.get(token, (token,))
        return tokens

    def steps(word: Word) -> Iterator[WordStep]:
        return _remaining(list(full.steps(word)), word, encode(word))

    return WordEncoder(encode, steps)


def parts_of(
    merges: Sequence[Pair], frequencies: Mapping[Symbol, int], threshold: int
) -> dict[Symbol, tuple[Symbol, ...]]:
    """Return {merged token that occurs fewer than `threshold` times: the tokens that replace it}.

    >>> parts_of([(b"a", b"b"), (b"ab", b"c"), (b"abc", b"d")], {b"abc": 5, b"abcd": 1}, 2)
    {b'ab': (b'a', b'b'), b'abcd': (b'abc', b'd')}
    """
    pair_of: dict[Symbol, Pair] = {}
    for left, right in merges:
        pair_of.setdefault(left + right, (left, right))
    rare = {token for token in pair_of if frequencies.get(token, 0) < threshold}
    parts: dict[Symbol, tuple[Symbol, ...]] = {}
    # A part is shorter than its token, so it comes first.
    for token in sorted(rare, key=len):
        left, right = pair_of[token]
        parts[token] = (*parts.get(left, (left,)), *parts.get(right, (right,)))
    return {token: parts[token] for token in pair_of if token in rare}


def _remaining(steps: Sequence[WordStep], word: Word, tokens: Sequence[Symbol]) -> Iterator[WordStep]:
    """Yield the merges that are not undone, each at the positions where its token remains or is part of one."""
    if any(step.rank is None for step in steps):  # a whole word was looked up
        yield from _looked_up(word, tokens)
        return
    open_boundaries = set(_ends(word, tokens))
    for step in steps:
        remaining = [
            (start, boundary)
            for start, boundary in zip(step.starts, step.closes, strict=True)
            if boundary not in open_boundaries
        ]
        if remaining:
            starts, closes = map(list, zip(*remaining, strict=True))
            yield step._replace(starts=starts, closes=closes)


def _looked_up(word: Word, tokens: Sequence[Symbol]) -> Iterator[WordStep]:
    start = 0
    for number, (token, end) in enumerate(zip(tokens, _ends(word, tokens), strict=True)):
        if end > start:
            yield WordStep(token, None, [start], range(start, end), (0, number))
        start = end + 1


def _ends(word: Word, tokens: Sequence[Symbol]) -> Iterator[int]:
    """Yield the position of the last initial symbol of each token."""
    position = -1
    for token in tokens:
        length = 0
        while length < len(token):
            position += 1
            length += len(word[position])
        yield position
