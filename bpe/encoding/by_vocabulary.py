"""Encoding by vocabulary: cutting a word into known tokens, whatever merges made them.

Words and tokens are rewritten with one character per initial symbol, so that looking for a token is slicing a string.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, count, repeat

from bpe.encoding.encoder_input import EncoderInput, WordEncoder, WordStep, apply_steps
from bpe.symbols import Symbol, Word
from bpe.text.initial_symbols import initial_symbols

UNKNOWN = "\x01"  # stands for every initial symbol that is part of no token
LONG_TOKEN = 64  # initial symbols; longer ones are found by a rolling hash, since slicing costs their length
# A Mersenne prime: two different slices share a hash about once in 10**38 tries.
PRIME = (1 << 127) - 1
BASE = 0x9E3779B97F4A7C15F39CC0605CEDC835

Find = Callable[[int, int], Symbol | None]  # (start, length in initial symbols) -> the known token there


@dataclass(frozen=True, slots=True)
class Known:
    """The known tokens, ready to be looked up."""

    character_of: Mapping[Symbol, str]  # initial symbol -> the character that stands for it
    short: Mapping[str, Symbol]  # rewritten token -> token
    long: Mapping[int, Symbol]  # hash of a rewritten token -> token
    lengths: Sequence[int]  # of tokens, in initial symbols, ascending
    tiers: Sequence[
        Sequence[int]
    ]  # the same lengths, those of the longest tokens (in the variant's unit) first
    turn_of: Mapping[Symbol, tuple[int, ...]]  # longest first, then the most frequent, then the oldest


def _read(lexicon: EncoderInput) -> Known:
    variant, frequencies = lexicon.variant, lexicon.frequencies
    spelled = {token: initial_symbols(token, variant) for token in lexicon.symbols}
    numbers = count(ord(UNKNOWN) + 1)
    character_of = {
        symbol: chr(next(numbers)) for symbol in dict.fromkeys(s for word in spelled.values() for s in word)
    }
    short: dict[str, Symbol] = {}
    long: dict[int, Symbol] = {}
    tiers: dict[int, set[int]] = {}
    for token, word in spelled.items():
        if not word:
            continue
        text = "".join(map(character_of.__getitem__, word))
        if len(text) <= LONG_TOKEN:
            short[text] = token
        else:
            long[_hashes(text)[-1]] = token
        tiers.setdefault(variant.length(token), set()).add(len(text))
    return Known(
        character_of,
        short,
        long,
        sorted(set().union(*tiers.values())),
        [sorted(tiers[length]) for length in sorted(tiers, reverse=True)],
        {
            token: (-variant.length(token), -frequencies.get(token, 0), lexicon.symbols[token])
            for token in spelled
        },
    )


def _hashes(text: str) -> list[int]:
    """The hash of every prefix of the text, from the empty one on."""
    return list(accumulate(map(ord, text), lambda value, letter: (value * BASE + letter) % PRIME, initial=0))


def _finder(known: Known, text: str) -> Find:
    """What tells which known token of a given length starts at a place of the text."""
    short = known.short.get
    if not known.long or len(text) <= LONG_TOKEN:
        return lambda start, length: short(text[start : start + length])
    long, hashes = known.long.get, _hashes(text)
    powers = {length: pow(BASE, length, PRIME) for length in known.lengths}

    def find(start: int, length: int) -> Symbol | None:
        if length <= LONG_TOKEN:
            return short(text[start : start + length])
        return long((hashes[start + length] - hashes[start] * powers[length]) % PRIME)

    return find


def _rewrite(known: Known, word: Word) -> str:
    return "".join(map(known.character_of.get, word, repeat(UNKNOWN)))


def _taken(token: Symbol, starts: Iterable[int], length: int, turn: tuple[int, ...]) -> WordStep:
    starts = list(starts)
    closes = [boundary for start in starts for boundary in range(start, start + length - 1)]
    return WordStep(token, None, starts, closes, turn)


def by_length(lexicon: EncoderInput) -> WordEncoder:
    """The encoder `longest`."""
    return _matching(partial(_longest, _read(lexicon)))


def by_prefix(lexicon: EncoderInput) -> WordEncoder:
    """The encoder `prefix`."""
    return _matching(partial(_prefix, _read(lexicon)))


def fewest_tokens(lexicon: EncoderInput) -> WordEncoder:
    """The encoder `fewest`."""
    return _matching(partial(_fewest, _read(lexicon)))


def _matching(takes: Callable[[Word], Iterator[WordStep]]) -> WordEncoder:
    return WordEncoder(lambda word: apply_steps(word, takes(word)), takes)


def _longest(known: Known, word: Word) -> Iterator[WordStep]:
    """The longest token anywhere, then what is left and right of it: a token found later is never longer.

    So one pass from the longest tokens to the shortest will do, and a place is free if both its ends are.
    """
    text = _rewrite(known, word)
    find = _finder(known, text)
    taken = bytearray(len(text))
    for lengths in known.tiers:
        found: dict[Symbol, list[tuple[int, int]]] = {}
        for length in lengths:
            for start in range(len(text) - length + 1):
                if not taken[start] and (token := find(start, length)) is not None:
                    found.setdefault(token, []).append((start, length))
        for token in sorted(found, key=known.turn_of.__getitem__):
            starts: list[int] = []
            for start, length in found[token]:
                if not (taken[start] or taken[start + length - 1]):
                    taken[start : start + length] = b"\1" * length
                    starts.append(start)
            if starts:
                yield _taken(token, starts, length, known.turn_of[token])


def _prefix(known: Known, word: Word) -> Iterator[WordStep]:
    """The longest token at the start of what is left; a symbol that starts none is passed over as unknown."""
    text = _rewrite(known, word)
    find, lengths = _finder(known, text), known.lengths
    start = 0
    while start < len(text):
        for length in reversed(lengths[: bisect_right(lengths, len(text) - start)]):
            if (token := find(start, length)) is not None:
                yield _taken(token, (start,), length, (start,))
                start += length
                break
        else:
            start += 1


def _fewest(known: Known, word: Word) -> Iterator[WordStep]:
    """The fewest tokens: as few unknown symbols as can be, then as few tokens, then the longest token first."""
    text = _rewrite(known, word)
    find, lengths, end = _finder(known, text), known.lengths, len(text)
    unknown = end + 1  # costs more than any number of known tokens
    costs = [0] * (end + 1)  # of the rest of the word from each place on
    chosen: list[tuple[int, Symbol | None]] = [(1, None)] * end  # (length, token) to take at each place
    for start in reversed(range(end)):
        costs[start] = costs[start + 1] + unknown
        for length in lengths[: bisect_right(lengths, end - start)]:
            if (token := find(start, length)) is not None and costs[start + length] < costs[start]:
                costs[start] = costs[start + length] + 1
                chosen[start] = length, token
    start = 0
    while start < end:
        length, token = chosen[start]
        if token is not None:
            yield _taken(token, (start,), length, (start,))
        start += length
