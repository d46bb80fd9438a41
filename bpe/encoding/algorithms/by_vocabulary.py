"""Encoding by vocabulary: split a word into known tokens, whatever merges made them.

Words and tokens are rewritten with one character per initial symbol, so that looking a token up is slicing a string.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, count, repeat

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.encoding.algorithms.encoder_input import EncoderInput, WordEncoder, WordStep, apply_steps
from bpe.symbols import Symbol, Word
from bpe.text.initial_symbols import initial_symbols

TOKENS = 1 << 12  # between two checkpoints
POSITIONS = 1 << 8  # at which tokens of all lengths are looked up, between two checkpoints
UNKNOWN = "\x01"  # replaces every initial symbol that is part of no token
# In initial symbols. Longer tokens are found by a rolling hash, since the cost of a slice is its length.
LONG_TOKEN = 64
# A Mersenne prime: two different slices share a hash about once in 10**38 tries.
PRIME = (1 << 127) - 1
BASE = 0x9E3779B97F4A7C15F39CC0605CEDC835

# (start, length), in initial symbols -> the token there, if any
FindToken = Callable[[int, int], Symbol | None]


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The tokens in the form of look-up tables. Lengths are in initial symbols unless stated otherwise."""

    character_of: Mapping[Symbol, str]  # initial symbol -> the character that stands for it
    short: Mapping[str, Symbol]  # rewritten token -> token
    long: Mapping[int, Symbol]  # hash of a rewritten token -> token
    lengths: Sequence[int]  # of all tokens, ascending
    # the lengths grouped by the tokens' length in the variant's unit, longest first
    tiers: Sequence[Sequence[int]]
    # longest first, then the most frequent, then the lowest id
    order_key_of: Mapping[Symbol, tuple[int, ...]]


def by_length(known: EncoderInput) -> WordEncoder:
    """Return the encoder `longest`."""
    return _word_encoder(partial(_longest, _token_table(known)))


def by_length_in_use(known: EncoderInput) -> WordEncoder:
    """Return the encoder `longest-in-use`. For a tokenizer without counts it is `longest`."""
    if not known.frequencies:
        return by_length(known)
    in_use = {token: number for token, number in known.ids.items() if known.frequencies.get(token, 0)}
    return by_length(replace(known, ids=in_use))


def by_prefix(known: EncoderInput) -> WordEncoder:
    """Return the encoder `prefix`."""
    return _word_encoder(partial(_prefix, _token_table(known)))


def fewest_tokens(known: EncoderInput) -> WordEncoder:
    """Return the encoder `fewest`."""
    return _word_encoder(partial(_fewest, _token_table(known)))


def _word_encoder(steps: Callable[[Word], Iterator[WordStep]]) -> WordEncoder:
    return WordEncoder(lambda word: apply_steps(word, steps(word)), steps)


def _token_table(known: EncoderInput) -> TokenTable:
    variant, frequencies = known.variant, known.frequencies
    spelled = {token: initial_symbols(token, variant) for token in with_checkpoints(known.ids, TOKENS)}
    code_points = count(ord(UNKNOWN) + 1)
    character_of = {
        symbol: chr(next(code_points))
        for symbol in dict.fromkeys(s for word in spelled.values() for s in word)
    }
    short: dict[str, Symbol] = {}
    long: dict[int, Symbol] = {}
    tiers: dict[int, set[int]] = {}
    for token, word in with_checkpoints(spelled.items(), TOKENS):
        if not word:
            continue
        text = "".join(map(character_of.__getitem__, word))
        if len(text) <= LONG_TOKEN:
            short[text] = token
        else:
            long[_prefix_hashes(text)[-1]] = token
        tiers.setdefault(variant.length(token), set()).add(len(text))
    return TokenTable(
        character_of,
        short,
        long,
        sorted(set().union(*tiers.values())),
        [sorted(tiers[length]) for length in sorted(tiers, reverse=True)],
        {
            token: (-variant.length(token), -frequencies.get(token, 0), number)
            for token, number in known.ids.items()
        },
    )


def _prefix_hashes(text: str) -> list[int]:
    """Return the hash of every prefix of the text, the empty one first."""
    return list(accumulate(map(ord, text), lambda value, letter: (value * BASE + letter) % PRIME, initial=0))


def _finder(table: TokenTable, text: str) -> FindToken:
    """Return the function that finds the token of a given length at a given position of the text."""
    short = table.short.get
    if not table.long or len(text) <= LONG_TOKEN:
        return lambda start, length: short(text[start : start + length])
    long, hashes = table.long.get, _prefix_hashes(text)
    powers = {length: pow(BASE, length, PRIME) for length in table.lengths}

    def find(start: int, length: int) -> Symbol | None:
        if length <= LONG_TOKEN:
            return short(text[start : start + length])
        return long((hashes[start + length] - hashes[start] * powers[length]) % PRIME)

    return find


def _rewrite(table: TokenTable, word: Word) -> str:
    return "".join(map(table.character_of.get, word, repeat(UNKNOWN)))


def _step(token: Symbol, starts: Iterable[int], length: int, order_key: tuple[int, ...]) -> WordStep:
    starts = list(starts)
    closes = [boundary for start in starts for boundary in range(start, start + length - 1)]
    return WordStep(token, None, starts, closes, order_key)


def _longest(table: TokenTable, word: Word) -> Iterator[WordStep]:
    """Yield the longest token anywhere in the word, then the longest in what remains left and right of it, and so on.

    A token found later is never longer. So one pass from the longest tokens to the shortest is enough, and a slice is
    free if both its ends are.
    """
    text = _rewrite(table, word)
    find = _finder(table, text)
    covered = bytearray(len(text))
    for lengths in table.tiers:
        slices: dict[Symbol, list[tuple[int, int]]] = {}  # token -> (start, length)
        for length in lengths:
            for start in with_checkpoints(range(len(text) - length + 1)):
                if not covered[start] and (token := find(start, length)) is not None:
                    slices.setdefault(token, []).append((start, length))
        for token in with_checkpoints(sorted(slices, key=table.order_key_of.__getitem__), TOKENS):
            starts: list[int] = []
            for start, length in slices[token]:
                if not (covered[start] or covered[start + length - 1]):
                    covered[start : start + length] = b"\1" * length
                    starts.append(start)
            if starts:
                yield _step(token, starts, length, table.order_key_of[token])


def _prefix(table: TokenTable, word: Word) -> Iterator[WordStep]:
    """Yield the longest token at the start of what remains. A symbol with which no token starts is skipped."""
    text = _rewrite(table, word)
    find, lengths = _finder(table, text), table.lengths
    start = 0
    while start < len(text):
        checkpoint()
        for length in reversed(lengths[: bisect_right(lengths, len(text) - start)]):
            if (token := find(start, length)) is not None:
                yield _step(token, (start,), length, (start,))
                start += length
                break
        else:
            start += 1


def _fewest(table: TokenTable, word: Word) -> Iterator[WordStep]:
    """Yield the fewest tokens: first as few unknown symbols as possible, then as few tokens, then longer ones first."""
    text = _rewrite(table, word)
    find, lengths, end = _finder(table, text), table.lengths, len(text)
    unknown_cost = end + 1  # more than any number of known tokens
    costs = [0] * (end + 1)  # costs[i]: cost of the word from i on
    best: list[tuple[int, Symbol | None]] = [
        (1, None)
    ] * end  # best[i]: (length, token) with which to go on at i
    for start in with_checkpoints(range(end - 1, -1, -1), POSITIONS):
        costs[start] = costs[start + 1] + unknown_cost
        for length in lengths[: bisect_right(lengths, end - start)]:
            if (token := find(start, length)) is not None and costs[start + length] < costs[start]:
                costs[start] = costs[start + length] + 1
                best[start] = length, token
    start = 0
    while start < end:
        length, token = best[start]
        if token is not None:
            yield _step(token, (start,), length, (start,))
        start += length
