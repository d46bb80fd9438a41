"""Encoders: the ways to encode new text with a learned vocabulary. To add one, add a row."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import accumulate, count, repeat
from random import Random
from types import MappingProxyType
from typing import Self

from bpe.checkpoints import checkpoint, with_checkpoints
from bpe.checks import shortened_repr
from bpe.encoding import textbook
from bpe.encoding.merging import (
    EncoderInput,
    MergeTable,
    WordEncoder,
    WordStep,
    apply_steps,
    by_rank,
    by_rules,
    merge_table,
    out_of_order,
    positions_by_rank,
)
from bpe.symbols import BPEError, Pair, Symbol, Word
from bpe.text.variants import initial_symbols

# Words and tokens are rewritten with one character per initial symbol, so that looking a token up is slicing a
# string.
_TOKENS = 1 << 12  # between two checkpoints
_POSITIONS = 1 << 8  # at which tokens of all lengths are looked up, between two checkpoints
_UNKNOWN = "\x01"  # replaces every initial symbol that is part of no token

# In initial symbols. Longer tokens are found by a rolling hash, since the cost of a slice is its length.
_LONG_TOKEN = 64

# A Mersenne prime: two different slices share a hash about once in 10**38 tries.
_PRIME = (1 << 127) - 1
_BASE = 0x9E3779B97F4A7C15F39CC0605CEDC835

# (start, length), in initial symbols -> the token there, if any
_FindToken = Callable[[int, int], Symbol | None]

# (number of a word in the text, its next step) -> sort key. The least comes first; steps with equal keys are one step.
OrderKey = Callable[[int, WordStep], tuple[int, ...]]
DEFAULT_ENCODER = "rank"  # the standard for learned merges; `Tokenizer.explain` explains its result


@dataclass(frozen=True, slots=True)
class EncoderSetting:
    """One number that an encoder needs."""

    name: str
    title: str
    about: str  # one sentence
    default: float  # a whole number if `step` is one
    least: float
    most: float
    step: float

    def checked(self, value: object) -> float:
        """Return the value. Raises BPEError unless it is a number within the bounds, whole if `step` is whole."""
        kinds = (int,) if isinstance(self.step, int) else (int, float)
        if isinstance(value, kinds) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        kind = "whole number" if isinstance(self.step, int) else "number"
        raise BPEError(
            f"{self.name} must be a {kind} from {self.least:g} to {self.most:,g}; got {shortened_repr(value)}."
        )


@dataclass(frozen=True, slots=True)
class Encoder:
    """One encoder."""

    slug: str
    title: str
    about: str  # one sentence: what it does
    who: str  # who uses it
    # (the vocabulary, a value for each setting) -> the encoder of words under it.
    prepare: Callable[..., WordEncoder]
    needs_merges: bool  # False: looks the vocabulary up, in the worst case for every length at every position
    repeats_training: bool  # with learned merges, gives words of the corpus the tokens of training
    order_key: OrderKey  # orders the steps of a text's words
    # Functions of `bpe.encoding.textbook`, the first of which gives a word the same tokens; it calls the others.
    textbook: tuple[Callable[..., Word], ...]
    # The same under merges of a file with `whole_words`; () if no function there does it.
    textbook_of_whole_words: tuple[Callable[..., Word], ...] = ()
    needs_counts: bool = False  # leaves out rare tokens; of a tokenizer without counts in a corpus, none
    settings: tuple[EncoderSetting, ...] = ()
    values: tuple[tuple[str, float], ...] = ()  # (name, value) of each setting that `using` changed

    def using(self, **values: float) -> Self:
        """Return this encoder with other values of its settings. Raises BPEError for unknown names and bad values.

        >>> ENCODERS["dropout"].using(p=0.5, seed=3).value_of["p"]
        0.5
        """
        known = {setting.name: setting for setting in self.settings}
        for name in values.keys() - known.keys():
            raise BPEError(f"The encoder {self.slug} has no setting {shortened_repr(name)}.")
        checked = {name: known[name].checked(value) for name, value in values.items()}
        return replace(self, values=tuple(sorted({**dict(self.values), **checked}.items())))

    @property
    def value_of(self) -> dict[str, float]:
        """Setting -> its value."""
        return {setting.name: setting.default for setting in self.settings} | dict(self.values)

    def prepared(self, known: EncoderInput) -> WordEncoder:
        """Return the encoder of words under a vocabulary."""
        return self.prepare(known, **self.value_of)


def textbook_of(encoder: Encoder, known: EncoderInput) -> tuple[Callable[..., Word], ...]:
    """Return the functions of the textbook that encode a word as an encoder does; () if none do.

    The first one is called, with a word and what its other parameters name.
    """
    if encoder.needs_counts and not known.frequencies:
        return ()
    if encoder.needs_merges and (
        known.equal_ranks or (known.one_by_one and out_of_order(enumerate(known.merges)) is not None)
    ):
        return ()
    return encoder.textbook_of_whole_words if known.whole_words else encoder.textbook


def _by_length(known: EncoderInput) -> WordEncoder:
    """Return the encoder `longest`."""
    return _word_encoder(partial(_longest, _token_table(known)))


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


@dataclass(frozen=True, slots=True)
class _TokenTable:
    """The tokens in the form of look-up tables. Lengths are in initial symbols unless stated otherwise."""

    character_of: Mapping[Symbol, str]  # initial symbol -> the character that stands for it
    short: Mapping[str, Symbol]  # rewritten token -> token
    long: Mapping[int, Symbol]  # hash of a rewritten token -> token
    lengths: Sequence[int]  # of all tokens, ascending
    # the lengths grouped by the tokens' length in the variant's unit, longest first
    tiers: Sequence[Sequence[int]]
    # longest first, then the most frequent, then the lowest id
    order_key_of: Mapping[Symbol, tuple[int, ...]]


def _by_length_in_use(known: EncoderInput) -> WordEncoder:
    """Return the encoder `longest-in-use`. For a tokenizer without counts it is `longest`."""
    if not known.frequencies:
        return _by_length(known)
    in_use = {token: number for token, number in known.ids.items() if known.frequencies.get(token, 0)}
    return _by_length(replace(known, ids=in_use))


def _by_prefix(known: EncoderInput) -> WordEncoder:
    """Return the encoder `prefix`."""
    return _word_encoder(partial(_prefix, _token_table(known)))


def _fewest_tokens(known: EncoderInput) -> WordEncoder:
    """Return the encoder `fewest`."""
    return _word_encoder(partial(_fewest, _token_table(known)))


def _word_encoder(steps: Callable[[Word], Iterator[WordStep]]) -> WordEncoder:
    return WordEncoder(lambda word: apply_steps(word, steps(word)), steps)


def _token_table(known: EncoderInput) -> _TokenTable:
    variant, frequencies = known.variant, known.frequencies
    spelled = {token: initial_symbols(token, variant) for token in with_checkpoints(known.ids, _TOKENS)}
    code_points = count(ord(_UNKNOWN) + 1)
    character_of = {
        symbol: chr(next(code_points))
        for symbol in dict.fromkeys(s for word in spelled.values() for s in word)
    }
    short: dict[str, Symbol] = {}
    long: dict[int, Symbol] = {}
    tiers: dict[int, set[int]] = {}
    for token, word in with_checkpoints(spelled.items(), _TOKENS):
        if not word:
            continue
        text = "".join(map(character_of.__getitem__, word))
        if len(text) <= _LONG_TOKEN:
            short[text] = token
        else:
            long[_prefix_hashes(text)[-1]] = token
        tiers.setdefault(variant.length(token), set()).add(len(text))
    return _TokenTable(
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
    return list(
        accumulate(map(ord, text), lambda value, letter: (value * _BASE + letter) % _PRIME, initial=0)
    )


def _finder(table: _TokenTable, text: str) -> _FindToken:
    """Return the function that finds the token of a given length at a given position of the text."""
    short = table.short.get
    if not table.long or len(text) <= _LONG_TOKEN:
        return lambda start, length: short(text[start : start + length])
    long, hashes = table.long.get, _prefix_hashes(text)
    powers = {length: pow(_BASE, length, _PRIME) for length in table.lengths}

    def find(start: int, length: int) -> Symbol | None:
        if length <= _LONG_TOKEN:
            return short(text[start : start + length])
        return long((hashes[start + length] - hashes[start] * powers[length]) % _PRIME)

    return find


def _rewrite(table: _TokenTable, word: Word) -> str:
    return "".join(map(table.character_of.get, word, repeat(_UNKNOWN)))


def _step(token: Symbol, starts: Iterable[int], length: int, order_key: tuple[int, ...]) -> WordStep:
    starts = list(starts)
    closes = [boundary for start in starts for boundary in range(start, start + length - 1)]
    return WordStep(token, None, starts, closes, order_key)


def _longest(table: _TokenTable, word: Word) -> Iterator[WordStep]:
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
        for token in with_checkpoints(sorted(slices, key=table.order_key_of.__getitem__), _TOKENS):
            starts: list[int] = []
            for start, length in slices[token]:
                if not (covered[start] or covered[start + length - 1]):
                    covered[start : start + length] = b"\1" * length
                    starts.append(start)
            if starts:
                yield _step(token, starts, length, table.order_key_of[token])


def _prefix(table: _TokenTable, word: Word) -> Iterator[WordStep]:
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


def _fewest(table: _TokenTable, word: Word) -> Iterator[WordStep]:
    """Yield the fewest tokens: first as few unknown symbols as possible, then as few tokens, then longer ones first."""
    text = _rewrite(table, word)
    find, lengths, end = _finder(table, text), table.lengths, len(text)
    unknown_cost = end + 1  # more than any number of known tokens
    costs = [0] * (end + 1)  # costs[i]: cost of the word from i on
    best: list[tuple[int, Symbol | None]] = [
        (1, None)
    ] * end  # best[i]: (length, token) with which to go on at i
    for start in with_checkpoints(range(end - 1, -1, -1), _POSITIONS):
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


def _by_dropout(known: EncoderInput, p: float, seed: int) -> WordEncoder:
    """Return the encoder `dropout`. With p = 0 it is `rank`, and with p = 1 no merge is ever applied.

    Ivan Provilkov, Dmitrii Emelianenko, Elena Voita, 2020: BPE-Dropout: Simple and Effective Subword Regularization. A
    model that is trained on many segmentations of the same word learns more about its parts. Only training uses it.

    Before each step, every position at which a merge fits is dropped with probability p. The merge of lowest rank
    among those that remain is applied at all its positions, as subword-nmt does. A word is complete when a draw drops
    every position.

    The draws of a word depend on the seed and on the word alone, so equal words get equal tokens under one seed.
    """
    if p == 0:
        return by_rank(known)
    table = merge_table(known.merges)

    def steps(word: Word) -> Iterator[WordStep]:
        # The numbers are the same in every version of Python.
        return _steps(table, p, Random(b"%d:" % seed + b"".join(word)), word)

    return WordEncoder(lambda word: apply_steps(word, steps(word)), steps)


def _steps(table: MergeTable, p: float, draw: Random, word: Word) -> Iterator[WordStep]:
    """Yield the merges in order, each with the positions that were not dropped.

    Ranks are drawn from the lowest on, and only until a position remains: what is drawn after that changes nothing.
    Positions are filed under their rank, as in `by_merges`, and stay there when they are dropped.
    """
    rank_of = table.rank_of.get
    symbols = list(word)  # symbols[i]: the token that starts at i; b"" inside a token
    end = len(word)
    following, preceding = array("i", range(1, end + 1)), array("i", range(-1, end - 1))
    positions = positions_by_rank(table, word)
    queue = list(positions)
    heapify(queue)
    dropped: list[int] = []  # ranks of which this step has dropped every position

    def fits(rank: int, start: int) -> bool:
        left, right = table.merges[rank]
        return symbols[start] == left and following[start] < end and symbols[following[start]] == right

    def file_position(start: int) -> None:
        rank = rank_of((symbols[start], symbols[following[start]]))
        if rank is None:
            return
        if rank in positions:
            positions[rank].append(start)
        else:
            positions[rank] = [start]
            heappush(queue, rank)

    while queue:
        checkpoint()
        rank = heappop(queue)
        starts = [start for start in sorted(positions.pop(rank)) if fits(rank, start)]
        if not starts:
            continue
        remaining = [start for start in starts if draw.random() >= p]
        positions[rank] = starts
        if not remaining:
            dropped.append(rank)
            continue
        merged: list[int] = []
        closes: list[int] = []
        for start in remaining:
            if not fits(rank, start):
                continue  # overlaps the token before it
            middle = following[start]
            after = following[middle]
            symbols[start], symbols[middle] = table.symbols[rank], b""
            following[start] = after
            merged.append(start)
            closes.append(middle - 1)
            if after < end:
                preceding[after] = start
                file_position(start)
            if preceding[start] >= 0:
                file_position(preceding[start])
        for waiting in (rank, *dropped):
            heappush(queue, waiting)
        dropped.clear()
        yield WordStep(table.symbols[rank], rank, merged, closes, (rank,))


def _by_trimming(known: EncoderInput, threshold: int) -> WordEncoder:
    """Return the encoder `trimmed`. With a threshold of 0, or for a tokenizer without counts, it is `rank`.

    A token that the corpus contains fewer than `threshold` times is split into the two tokens that were merged into it,
    and these in turn, until every token is frequent enough or an initial symbol. subword-nmt does this with its option
    --vocabulary-threshold (Rico Sennrich et al., 2017). Marco Cognetta et al., 2024, An Analysis of BPE Vocabulary
    Trimming in Neural Machine Translation, measured that it does not improve translations.
    """
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


def _all_words_at_once(word: int, step: WordStep) -> tuple[int, ...]:
    return step.order_key


def _word_after_word(word: int, step: WordStep) -> tuple[int, ...]:
    return word, *step.order_key


_ROWS = (
    Encoder(
        slug="rank",
        title="Lowest rank first",
        about="Finds the earliest-learned merge that fits, applies it everywhere, and repeats until none fits.",
        who="subword-nmt, Hugging Face tokenizers, minbpe, tiktoken, SentencePiece",
        prepare=by_rank,
        needs_merges=True,
        repeats_training=True,
        order_key=_all_words_at_once,
        textbook=(textbook.lowest_rank_first,),
        textbook_of_whole_words=(textbook.whole_word_first, textbook.lowest_rank_first),
    ),
    Encoder(
        slug="rules",
        title="Rules in order",
        about="Goes through all merges once, in the order they were learned, and applies each.",
        who="the listings of “BPE Tokenization Demystified” and of the CS336 study notes",
        prepare=by_rules,
        needs_merges=True,
        repeats_training=True,
        order_key=_all_words_at_once,
        textbook=(textbook.rules_in_order,),
        textbook_of_whole_words=(textbook.rules_in_order,),
    ),
    Encoder(
        slug="longest",
        title="Longest token first",
        about="Finds the longest known token in the word, then does the same to the left and to the right of it.",
        who="LBPE",
        prepare=_by_length,
        needs_merges=False,
        repeats_training=False,
        order_key=_all_words_at_once,
        textbook=(textbook.longest_first,),
        textbook_of_whole_words=(textbook.longest_first,),
    ),
    Encoder(
        slug="longest-in-use",
        title="Longest token first, tokens in use",
        about="Works like “Longest token first”, but looks only for tokens that are in use in the training text.",
        who="Lei Mao's article, which collects its tokens at the end of training",
        prepare=_by_length_in_use,
        needs_merges=False,
        repeats_training=False,
        order_key=_all_words_at_once,
        textbook=(textbook.longest_in_use, textbook.longest_first),
        textbook_of_whole_words=(textbook.longest_in_use, textbook.longest_first),
        needs_counts=True,
    ),
    Encoder(
        slug="prefix",
        title="Longest prefix",
        about="Goes from left to right and always chooses the longest known token that starts here.",
        who="WordPiece, which marks inner pieces with ## and gives up a whole word if it cannot spell it",
        prepare=_by_prefix,
        needs_merges=False,
        repeats_training=False,
        order_key=_word_after_word,
        textbook=(textbook.longest_prefix,),
        textbook_of_whole_words=(textbook.longest_prefix,),
    ),
    Encoder(
        slug="fewest",
        title="Fewest tokens",
        about="Splits the word into as few known tokens as possible; among equals, longer ones come first.",
        who="PathPiece (2024)",
        prepare=_fewest_tokens,
        needs_merges=False,
        repeats_training=False,
        order_key=_word_after_word,
        textbook=(textbook.fewest_tokens,),
        textbook_of_whole_words=(textbook.fewest_tokens,),
    ),
    Encoder(
        slug="dropout",
        title="Lowest rank first, with dropout",
        about="Works like “Lowest rank first”, but every step drops some of the merges that fit, at random.",
        who="subword-nmt, Hugging Face tokenizers and SentencePiece, while a model is trained",
        prepare=_by_dropout,
        needs_merges=True,
        repeats_training=False,
        order_key=_all_words_at_once,
        textbook=(textbook.lowest_rank_with_dropout,),
        settings=(
            EncoderSetting(
                name="p",
                title="Dropout",
                about="Probability of a drop: 0 drops nothing, which is “Lowest rank first”; 1 drops every merge.",
                default=0.1,
                least=0.0,
                most=1.0,
                step=0.05,
            ),
            EncoderSetting(
                name="seed",
                title="Seed",
                about="The same seed always gives the same tokens, so try several.",
                default=0,
                least=0,
                most=999_999,
                step=1,
            ),
        ),
    ),
    Encoder(
        slug="trimmed",
        title="Lowest rank first, rare tokens undone",
        about="Works like “Lowest rank first”, and then splits every rare token into the tokens it was merged from.",
        who="subword-nmt with a vocabulary threshold",
        prepare=_by_trimming,
        needs_merges=True,
        repeats_training=False,
        order_key=_all_words_at_once,
        textbook=(textbook.rare_tokens_undone, textbook.lowest_rank_first),
        needs_counts=True,
        settings=(
            EncoderSetting(
                name="threshold",
                title="Minimum count",
                about="Tokens that occur fewer times in the training text are split. 0 splits none.",
                default=2,
                least=0,
                most=1_000_000,
                step=1,
            ),
        ),
    ),
)
ENCODERS: Mapping[str, Encoder] = MappingProxyType({row.slug: row for row in _ROWS})
