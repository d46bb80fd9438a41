"""The tokenizer: text -> ids -> text, with a vocabulary that was learned, imported or typed by hand."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, groupby, pairwise, repeat
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar, cast

from bpe.checkpoints import in_parts, with_checkpoints
from bpe.checks import check_text, look_up, shortened_repr
from bpe.encoding.encode_steps import (
    EncodeStep,
    EncodingTimeline,
    aligned,
    encoding_timeline,
    pre_token_starts,
    token_spans,
)
from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS, Encoder, textbook_of
from bpe.encoding.explain import Explanation, explain
from bpe.encoding.merging import EncoderInput, WordEncoder, WordStep
from bpe.remake import Reduced, by_fields
from bpe.symbols import BPEError, Pair, Symbol, Word
from bpe.text.added_tokens import Piece, TokenFinder, ordinary_tokens, parted, split_at_special_tokens
from bpe.text.display import merge_name
from bpe.text.normalizing import Normalised, Normalization, Normalizer, Span, normalized, through
from bpe.text.patterns import LAST_SPACE
from bpe.text.variants import VARIANTS, Variant, initial_symbols

__all__ = ["UNKNOWN_ID", "Tokenizer"]

# Most words of natural text recur.
_MOST_CACHED_CHARACTERS = 64  # of one word or chunk; a longer one rarely recurs
_ENTRY = 240  # bytes of an entry besides its characters and its tokens
_TOGETHER = 1 << 10  # chunks or words that are encoded between two checkpoints
_Item = TypeVar("_Item")  # a token: its symbol or its id
_TOKENS = 1 << 13  # between two checkpoints
UNKNOWN_ID = -1  # of a character that the vocabulary lacks, if it has no unknown token
_REPLACEMENT: Symbol = "\ufffd".encode()

# By name: formats import tokenizers, so tokenizers cannot import formats.
_FORMATS = f"{__name__.removesuffix('encoding.tokenizer')}formats"


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Tokenizer:
    """A vocabulary with its merges.

    Text is never read as a special token unless `allow_special` asks for it. It is always split at the ordinary added
    tokens of a file, such as runs of spaces.
    """

    variant: Variant
    vocabulary: Sequence[Symbol]  # in id order; special tokens as UTF-8
    merges: Sequence[Pair] = ()  # by rank
    special_tokens: Sequence[str] = ()
    unknown: int | None = None  # id of the unknown token, if there is one
    frequencies: Mapping[Symbol, int] = field(default_factory=dict)  # token -> occurrences in the corpus
    normalization: Normalization | None = None  # applied to the text between special tokens
    special_ids: Sequence[int] = ()  # of the special tokens, in their order; by default the first ids
    normalizer: Normalizer | None = None  # applied before `normalization`; of a tokenizer read from a file
    gaps: Collection[int] = frozenset()  # ids that no token has; the vocabulary holds b"" there
    one_by_one: bool = False  # a merge is applied at one position at a time: `bpe.encoding.merging`
    whole_words: bool = False  # a pre-token that is a token is taken whole: `bpe.encoding.merging`
    # Token -> the number of its group: the merges that make the tokens of one group have equal ranks.
    equal_ranks: Mapping[Symbol, int] = field(default_factory=dict)
    finder: TokenFinder | None = None  # of a file: finds its added tokens, special and ordinary ones
    source: Source | None = None  # the file's other parts: how it spells and joins tokens

    _input: EncoderInput = field(init=False)
    # By slug. Other values of an encoder's settings replace what was prepared for the last ones.
    _prepared: dict[str, _Prepared] = field(init=False, default_factory=dict)
    _texts: list[str] = field(init=False, default_factory=list)  # as the file spells the tokens

    def __post_init__(self) -> None:
        for token in self.special_tokens:
            check_text(token, " of a special token")
        if not self.special_ids:
            object.__setattr__(self, "special_ids", range(len(self.special_tokens)))
        if len(self.special_ids) != len(self.special_tokens):
            raise BPEError("There must be as many ids of special tokens as special tokens.")
        special = dict(zip(self.special_ids, self.special_tokens, strict=True))
        ordinary = ordinary_tokens(self.finder.tokens) if self.finder else ()
        added = {token.text.encode(): token.id for token in ordinary}
        ids = _ids_of(self.vocabulary, special, self.merges, self.variant, self.gaps, added)
        if self.unknown is not None and not 0 <= self.unknown < len(self.vocabulary):
            raise BPEError(f"The unknown token's id must be in the vocabulary, got {self.unknown}.")
        known = EncoderInput(
            self.variant,
            ids,
            self.merges,
            self.frequencies,
            self.one_by_one,
            self.whole_words,
            self.equal_ranks,
        )
        object.__setattr__(self, "_input", known)

    @classmethod
    def from_vocabulary(
        cls,
        tokens: str | Iterable[str],
        variant: str | Variant = "char-eow",
        unknown_token: str | None = "<unk>",
        frequencies: Mapping[str, int] | None = None,
    ) -> Self:
        """Return a tokenizer of tokens typed by hand, without merges: for encoders that need none.

        A str is split at white space; an iterable holds one token per item. Markers are written as the variant spells
        them. Repeated tokens count once. Raises BPEError for a marker at a position where the variant has none.

        >>> lesson = Tokenizer.from_vocabulary("errrr</w> tain</w> moun est</w> high the</w> a</w>")
        >>> lesson.decode(lesson.encode("the highest mountain", "longest"))
        'the highest mountain'
        """
        return cls(**_typed_vocabulary(tokens, variant, unknown_token, frequencies))

    @classmethod
    def from_file(cls, *paths: str | Path) -> Tokenizer:
        """Return the tokenizer of a file of any format, or of vocab.json and merges.txt together."""
        if not paths or not all(isinstance(path, str | Path) for path in paths):
            raise BPEError(f"A tokenizer needs the paths of its files, got {shortened_repr(paths)}.")
        opened: Any = pkgutil.resolve_name(f"{_FORMATS}.opening:open_tokenizer")
        tokenizer: Tokenizer = opened({str(path): _content(Path(path)) for path in paths}).tokenizer
        return tokenizer

    def save(self, path: str | Path, format: str | None = None) -> None:
        """Write the tokenizer to a file. The name tells the format (tokenizer.json, .tiktoken, .model, merges.txt,
        vocab.json).

        format: a slug of the format, if the name does not tell it. Raises BPEError for what the file cannot hold; then
            nothing is written.
        """
        row: Any = pkgutil.resolve_name(f"{_FORMATS}:format_named")(str(path), format)
        content: bytes = row.content(self)
        try:
            Path(path).write_bytes(content)
        except OSError as error:
            raise BPEError(f"{path}: cannot be written: {error.strerror or error}.") from None

    def encode_batch(
        self,
        texts: Iterable[str],
        encoder: str | Encoder = DEFAULT_ENCODER,
        allow_special: bool = False,
    ) -> list[list[int]]:
        """Return the ids of each text, in order, as `encode` gives them."""
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise BPEError(f"texts must be a list of texts, got {shortened_repr(texts)}.")
        given = list(texts)
        for number, text in enumerate(given, start=1):
            check_text(text, f" number {number} of the batch")
        return [self.encode(text, encoder, allow_special) for text in given]

    def extended(self, merges: Sequence[Pair]) -> Self:
        """Return the tokenizer with further merges: they rank after its own, and their tokens take the next ids.

        Raises BPEError for a merge that makes a token which exists already, or whose parts do not exist.
        """
        tokens = [left + right for left, right in merges]
        return replace(self, vocabulary=[*self.vocabulary, *tokens], merges=[*self.merges, *merges])

    def __repr__(self) -> str:
        tokens, merges = len(self.vocabulary) - len(self.gaps), len(self.merges)
        return f"<Tokenizer: {tokens:,} tokens, {merges:,} merges, {self.variant.slug}>"

    def __reduce__(self) -> Reduced:
        return by_fields(self, frequencies=dict(self.frequencies))

    @property
    def ids(self) -> Mapping[Symbol, int]:
        """Symbol -> id, in id order, without the special tokens."""
        return self._input.ids

    # Text -> tokens

    def encode(self, text: str, encoder: str | Encoder = "rank", allow_special: bool = False) -> list[int]:
        """Return the ids of the text's tokens; -1 for an unknown character if there is no unknown token."""
        cache = self._prepare(look_up("encoder", ENCODERS, encoder)).ids
        ids: list[int] = []
        for part, special in self._split_specials(text, allow_special):
            ids += cache.tokens(part) if special is None else (special,)
        return ids

    def tokens(self, text: str, encoder: str | Encoder = "rank", allow_special: bool = False) -> list[Symbol]:
        """Return the text's tokens; an unknown character gives its own bytes."""
        tokens: list[Symbol] = []
        for part, special in self._split_specials(text, allow_special):
            tokens += self._encoded(part, encoder) if special is None else (part.encode(),)
        return tokens

    def normalised_tokens(self, text: Normalised, encoder: str | Encoder = "rank") -> list[Symbol]:
        """Return the tokens of a text that `normalise` gave."""
        return list(self._encoded(text.text, encoder))

    def word_tokens(self, pre_token: str, encoder: str | Encoder = "rank") -> Sequence[Symbol]:
        """Return one pre-token's tokens; an unknown character gives its own bytes."""
        check_text(pre_token)
        return self._word_encoder(look_up("encoder", ENCODERS, encoder)).encode(self.variant.spell(pre_token))

    def word_steps(self, pre_token: str) -> Iterator[WordStep]:
        """Return the steps in which the encoder `rank` encodes one pre-token."""
        check_text(pre_token)
        return self._word_encoder(ENCODERS[DEFAULT_ENCODER]).steps(self.variant.spell(pre_token))

    def encode_steps(self, text: str, encoder: str | Encoder = "rank") -> Iterator[EncodeStep]:
        """Yield every step from the initial symbols to the tokens; `EncodeStep.segmentation` is the text after it."""
        return self.encode_words(self.words(self.normalise(text)), encoder)[1]

    def encode_boundaries(
        self, text: str, encoder: str | Encoder = "rank"
    ) -> tuple[list[int], list[EncodeStep]]:
        """Return the number of the step that closes each boundary between initial symbols, or -1, and all steps."""
        timeline, steps = self.encode_words(self.words(self.normalise(text)), encoder)
        all_steps = list(steps)  # consuming them fills the timeline in
        return timeline.closing_steps, all_steps

    def encode_words(
        self, words: Sequence[Word], encoder: str | Encoder = "rank"
    ) -> tuple[EncodingTimeline, Iterator[EncodeStep]]:
        """Return the timeline of words given in initial symbols, and the steps, which fill it in when consumed."""
        row = look_up("encoder", ENCODERS, encoder)
        return encoding_timeline(words, self._word_encoder(row), row.order_key, self.merges)

    def offsets(self, text: str, encoder: str | Encoder = "rank") -> list[Span]:
        """Return (start, end) for each token of `tokens`, in characters of the text.

        A token that holds part of a character spans the whole character, so neighbours may overlap. A marker spans the
        white space that it represents, or nothing. What a normalizer puts in spans its neighbour.
        """
        normalised, origins = self.aligned(text)
        pre_tokens = self.variant.split(normalised.text)
        tokens_of = {pre_token: self.word_tokens(pre_token, encoder) for pre_token in set(pre_tokens)}
        spans: list[Span] = []
        starts = pre_token_starts(normalised.text, pre_tokens, self.variant)
        for pre_token, start in zip(pre_tokens, starts, strict=True):
            spans += token_spans(tokens_of[pre_token], start, self.variant)
        return [through(origins, span) for span in spans]

    def textbook(self, encoder: str | Encoder = "rank") -> tuple[Callable[..., Word], ...]:
        """Return the textbook's functions that encode a word as an encoder does: see `textbook_of`."""
        row: Encoder = look_up("encoder", ENCODERS, encoder)
        return textbook_of(row, self._input)

    def explain(self, text: str, boundary: int) -> Explanation:
        """Explain why the two neighbours at a boundary are, or are not, one token under the encoder `rank`.

        Boundary b is the one after initial symbol b of the text, from 0. Raises BPEError if it does not exist.
        """
        return self.explain_words(self.words(self.normalise(text)), boundary)

    def explain_words(self, words: Sequence[Word], boundary: int) -> Explanation:
        """Explain a boundary, as `explain` does, in words given in initial symbols."""
        return explain(self._input, self._word_encoder(ENCODERS[DEFAULT_ENCODER]), words, boundary)

    def normalise(self, text: str) -> Normalised:
        """Return the text as the tokenizer changes it before splitting. Raises BPEError for a lone surrogate."""
        check_text(text)
        return Normalised(self._normalised(text, True))

    def aligned(self, text: str) -> tuple[Normalised, list[Span]]:
        """Return what `normalise` does, and for each of its characters the characters [start, end) it comes from."""
        check_text(text)
        changed, origins = aligned(text, self.normalizer, self.normalization)
        return Normalised(changed), origins

    def words(self, text: Normalised) -> list[Word]:
        """Return the initial symbols of each pre-token of a text that `normalise` gave."""
        return list(map(self.variant.spell, self.variant.split(text.text)))

    def _normalised(self, text: str, begins: int) -> str:
        if self.normalizer:
            text = self.normalizer.apply(text, begins)
        return normalized(text, self.normalization)

    # Ids -> text

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids; U+FFFD for -1 and for bytes that are no character.

        Raises BPEError for an id that the vocabulary lacks, with its position.
        """
        if not isinstance(ids, Iterable):
            raise BPEError(f"The ids must be a list of whole numbers, got {shortened_repr(ids)}.")
        if self.source and self.source.decode:
            return self.source.decode([self._text_of(number, i) for i, number in enumerate(ids)])
        texts: list[str] = []
        symbols: list[Symbol] = []
        specials = frozenset[int]() if self.variant.decodes_special else {*self.special_ids} - {self.unknown}
        for position, number in enumerate(ids):
            symbol = _symbol_of(number, position, self.vocabulary, self.gaps)
            if number in specials:
                texts += (self.variant.decode(symbols), symbol.decode())
                symbols = []
            else:
                symbols.append(symbol)
        return "".join((*texts, self.variant.decode(symbols)))

    def _text_of(self, number: object, position: int) -> str:
        """Return the token of an id as the file spells it."""
        _symbol_of(number, position, self.vocabulary, self.gaps)
        assert isinstance(number, int)
        if number == UNKNOWN_ID:
            return _REPLACEMENT.decode()
        if not self._texts and self.source:
            self._texts.extend(token_texts(self.source, self.vocabulary, self.merges))
            for renamed, text in self.source.renamed.items():
                self._texts[renamed] = text
        return self._texts[number]

    def _split_specials(self, text: str, allow_special: bool) -> Iterator[tuple[str, int | None]]:
        """Yield (special token, its id) and, for the text between special tokens, (normalised text, None)."""
        if not (allow_special and (self.special_tokens or self.finder)):
            yield self.normalise(text).text, None
            return
        check_text(text)
        if self.finder:
            yield from self._found_specials(self.finder.pieces(text, allow_special=True))
            return
        id_of = dict(zip(self.special_tokens, self.special_ids, strict=True))
        for position, part in enumerate(split_at_special_tokens(text, self.special_tokens)):
            if position % 2:
                yield part, id_of[part]
            elif part:
                yield self._normalised(part, position == 0), None

    def _found_specials(self, pieces: Iterable[Piece]) -> Iterator[tuple[str, int | None]]:
        for is_special, run in groupby(pieces, key=lambda piece: piece[1] is not None and piece[1].special):
            if is_special:
                yield from ((piece, token.id) for piece, token in run if token)
            else:
                yield parted(run), None

    def _encoded(self, text: str, encoder: str | Encoder) -> Iterator[Symbol]:
        """Return the tokens of a text that is normalised and holds no special token."""
        return self._prepare(look_up("encoder", ENCODERS, encoder)).tokens.tokens(text)

    def _word_encoder(self, row: Encoder) -> WordEncoder:
        return self._prepare(row).words

    def _prepare(self, row: Encoder) -> _Prepared:
        before = self._prepared.get(row.slug)
        if before is not None and before.row == row:
            return before
        words = row.prepared(self._input)
        spell, spell_bytes, others = self.variant.spell, self.variant.spell_bytes, words.encode
        whole: Mapping[Symbol, int] = {}
        if words.whole and spell_bytes:
            whole, others = words.whole, words.others or others
        joined = spell_bytes or str.encode
        id_of, unknown = self._input.ids.get, repeat(UNKNOWN_ID if self.unknown is None else self.unknown)

        def tokens(pre_tokens: Sequence[str]) -> list[tuple[Symbol, ...]]:
            symbols = map(joined, pre_tokens)
            return [
                (symbol,) if symbol in whole else tuple(others(spell(pre_token)))
                for pre_token, symbol in zip(pre_tokens, symbols, strict=True)
            ]

        def ids(pre_tokens: Sequence[str]) -> list[tuple[int, ...]]:
            numbers = map(whole.get, map(joined, pre_tokens))
            return [
                tuple(map(id_of, others(spell(pre_token)), unknown)) if number is None else (number,)
                for pre_token, number in zip(pre_tokens, numbers, strict=True)
            ]

        prepared = _Prepared(row, words, _TokenCache(tokens, self.variant), _TokenCache(ids, self.variant))
        self._prepared[row.slug] = prepared
        return prepared


class Source(Protocol):
    """The part of a file that a tokenizer needs."""

    @property
    def texts(self) -> Sequence[str | None]:
        """The tokens as the file spells them, by id; None for an id that no token has."""

    @property
    def prefix(self) -> str:
        """What every token but the first of a word begins with in the file; "" for most files."""

    @property
    def lone(self) -> Collection[str]:
        """The added tokens that are no symbols of the model."""

    @property
    def renamed(self) -> Mapping[int, str]:
        """What the library decodes an id to, of the added tokens whose own text it changes."""

    @property
    def decode(self) -> Callable[[Sequence[str]], str] | None:
        """The function that joins tokens, as the file spells them, to a text; None if the file has no such part."""


def token_texts(source: Source, vocabulary: Sequence[Symbol], merges: Sequence[Pair]) -> list[str]:
    """Return the tokens of a vocabulary as the file spells them, by id; "" for an id that no token has.

    A token that was learned after the file was opened is spelled as its two parts.
    """
    texts = [text or "" for text in source.texts[: len(vocabulary)]]
    if len(vocabulary) > len(texts):
        text_of = symbol_texts(source, vocabulary)
        for left, right in merges:
            if left + right not in text_of and left in text_of and right in text_of:
                text_of[left + right] = text_of[left] + text_of[right].removeprefix(source.prefix)
        texts += [text_of.get(symbol, "") for symbol in vocabulary[len(texts) :]]
    return [text if symbol else "" for text, symbol in zip(texts, vocabulary, strict=True)]


def symbol_texts(source: Source, vocabulary: Sequence[Symbol]) -> dict[Symbol, str]:
    """Return how the file spells the symbols that its merges may name."""
    text_of: dict[Symbol, str] = {}
    for symbol, text in zip(vocabulary, source.texts, strict=False):
        # An added token may be the same text as a learned one, spelled in another way.
        if symbol and text and (symbol not in text_of or text not in source.lone):
            text_of[symbol] = text
    return text_of


class _TokenCache(Generic[_Item]):
    """A function from pre-tokens to their tokens, with bounded caches of the tokens of short words and chunks.

    When a cache is full, it is emptied: the words of the present text recur sooner than those of an earlier one.
    """

    def __init__(
        self,
        encoded: Callable[[Sequence[str]], list[tuple[_Item, ...]]],
        variant: Variant,
        most: int = 12 << 20,  # of the words that one encoder has encoded, and as many of chunks
    ) -> None:
        """Begin with empty caches, which will take at most so many bytes each."""
        self._encoded, self._variant = encoded, variant
        # A character may be a symbol that nothing else holds.
        token_size = 8 if variant.spell_bytes else 48
        self._words, self._chunks = _Cache[_Item](token_size, most), _Cache[_Item](token_size, most)

    def tokens(self, text: str) -> Iterator[_Item]:
        """Return the tokens of a normalised text. Each distinct pre-token is encoded once.

        If the variant can be cut before spaces, so is the text, into chunks such as " end.". A chunk found in the cache
        is not split into pre-tokens, which saves the time of the variant's pattern. Other chunks are split together.
        """
        if not self._variant.cut_before_spaces:
            return chain.from_iterable(self._words_of(self._variant.split(text)))
        first, *chunks = LAST_SPACE.split(text)  # without the space in front of each
        tokens_of, missing = self._chunks.look_up(chunks)
        for part in in_parts(missing, _TOGETHER):
            tokens_of |= self._chunks.keep(part, self._tokens_of_chunks(part))
        return chain(
            chain.from_iterable(self._words_of(self._variant.split(first))),
            chain.from_iterable(map(tokens_of.__getitem__, chunks)),
        )

    def _words_of(self, pre_tokens: Sequence[str]) -> Iterator[tuple[_Item, ...]]:
        tokens_of, missing = self._words.look_up(pre_tokens)
        for part in in_parts(missing, _TOGETHER):
            tokens_of |= self._words.keep(part, self._encoded(part))
        return map(tokens_of.__getitem__, pre_tokens)

    def _tokens_of_chunks(self, chunks: Sequence[str]) -> list[tuple[_Item, ...]]:
        """Return the tokens of each chunk. No pre-token reaches across the end of one, and none is left out."""
        pre_tokens = self._variant.split(" " + " ".join(chunks))
        words = list(self._words_of(pre_tokens))
        tokens = tuple(chain.from_iterable(words))
        token_ends = accumulate(map(len, words))
        token_end_at = dict(zip(accumulate(map(len, pre_tokens)), token_ends, strict=True))
        chunk_ends = accumulate(1 + len(chunk) for chunk in chunks)
        ends = map(token_end_at.__getitem__, chunk_ends)
        return [tokens[start:end] for start, end in pairwise((0, *ends))]


class _Prepared(NamedTuple):
    """An encoder that is prepared for one vocabulary, with the words that it has encoded."""

    row: Encoder
    words: WordEncoder
    tokens: _TokenCache[Symbol]
    ids: _TokenCache[int]


class _Cache(dict[str, tuple[_Item, ...]]):
    """The tokens of short texts, which take at most so many bytes."""

    def __init__(self, token_size: int, most: int) -> None:
        self._token_size = token_size
        self._most = self._room = most

    def look_up(self, texts: Iterable[str]) -> tuple[dict[str, tuple[_Item, ...]], list[str]]:
        """Return the tokens of the texts that are stored, and the others, each text once."""
        distinct = dict.fromkeys(texts)
        tokens_of = dict(zip(distinct, map(self.get, distinct), strict=True))
        missing = [text for text, tokens in tokens_of.items() if tokens is None]
        return cast("dict[str, tuple[_Item, ...]]", tokens_of), missing

    def keep(self, texts: Sequence[str], tokens: Sequence[tuple[_Item, ...]]) -> dict[str, tuple[_Item, ...]]:
        """Store the tokens of the short ones among the texts, and return those of all.

        If there is no room, all others are forgotten first.
        """
        tokens_of = dict(zip(texts, tokens, strict=True))
        short = tokens_of
        if max(map(len, texts), default=0) > _MOST_CACHED_CHARACTERS:
            short = {text: own for text, own in short.items() if len(text) <= _MOST_CACHED_CHARACTERS}
        size = _ENTRY * len(short) + 4 * sum(map(len, short))
        size += self._token_size * sum(map(len, short.values()))
        self._room -= size
        if self._room < 0:
            self.clear()
            self._room = self._most - size
        if self._room >= 0:
            self.update(short)
        return tokens_of


def _ids_of(
    vocabulary: Sequence[Symbol],
    special: Mapping[int, str],
    merges: Sequence[Pair],
    variant: Variant,
    gaps: Container[int] = (),
    added: Mapping[Symbol, int] = MappingProxyType({}),
) -> dict[Symbol, int]:
    """Return symbol -> id, in id order, without the special tokens. `special` maps an id to its special token,
    `gaps` holds the ids that no token has. `added` are ordinary added tokens, which a text is always split at: one that
    reads like a learned token takes its place, since no text leads to the learned one.

    Raises BPEError for a vocabulary with an empty or a repeated token, without one of the special tokens, or without a
    symbol that a merge names; and for a merge listed twice.
    """
    for number, token in special.items():
        if not 0 <= number < len(vocabulary) or vocabulary[number] != token.encode():
            raise BPEError(
                f"The vocabulary must contain the special token {shortened_repr(token)} as id {number}."
            )
    label = variant.label
    ids: dict[Symbol, int] = {}
    for number, symbol in enumerate(with_checkpoints(vocabulary, _TOKENS)):
        if number in gaps:
            continue
        if not symbol:
            raise BPEError(f"A token must not be empty, got an empty one as id {number}.")
        if number not in special and symbol not in added and ids.setdefault(symbol, number) != number:
            raise BPEError(
                f"A token must be listed once, got {shortened_repr(label(symbol))} as id {ids[symbol]} and id {number}."
            )
    if added:
        ids = dict(sorted({**ids, **added}.items(), key=itemgetter(1)))
    rank_of: dict[Pair, int] = {}
    for rank, (left, right) in enumerate(with_checkpoints(merges, _TOKENS)):
        if left not in ids or right not in ids or left + right not in ids:
            symbol = next(one for one in (left, right, left + right) if one not in ids)
            name = merge_name(rank).capitalize()
            raise BPEError(
                f"{name}: the vocabulary must contain {shortened_repr(label(symbol))}, but it does not."
            )
        if rank_of.setdefault((left, right), rank) != rank:
            pair = f"{label(left)} + {label(right)}"
            raise BPEError(
                f"A merge must be listed once, got {pair} as {merge_name(rank_of[left, right])} and {merge_name(rank)}."
            )
    return ids


def _symbol_of(
    number: object, position: int, vocabulary: Sequence[Symbol], gaps: Container[object]
) -> Symbol:
    """Return the symbol of an id; U+FFFD for UNKNOWN_ID. Raises BPEError, with the position, for other ids."""
    if isinstance(number, int) and not isinstance(number, bool):
        if number == UNKNOWN_ID:
            return _REPLACEMENT
        if 0 <= number < len(vocabulary) and vocabulary[number]:
            return vocabulary[number]
        if number in gaps:
            raise BPEError(f"No token has the id {number}, at position {position}.")
    raise BPEError(
        f"An id must be a whole number from 0 to {len(vocabulary) - 1}, or -1 for an unknown character; "
        f"got {shortened_repr(number)} at position {position}."
    )


def _typed_vocabulary(
    tokens: str | Iterable[str],
    variant: str | Variant,
    unknown_token: str | None,
    frequencies: Mapping[str, int] | None,
) -> dict[str, Any]:
    """Return the fields of the tokenizer. Raises BPEError for a marker at a position where the variant has none."""
    row = look_up("variant", VARIANTS, variant)
    for given, kind in ((tokens, Iterable), ({} if frequencies is None else frequencies, Mapping)):
        if not isinstance(given, kind):
            raise BPEError(f"Expected tokens, and token -> count; got {shortened_repr(given)}.")
    spelled = tokens.split() if isinstance(tokens, str) else list(tokens)
    for number, token in enumerate(spelled, start=1):
        check_text(token, f" of token {number}")
    symbols: list[Symbol] = []
    for number, token in enumerate(dict.fromkeys(spelled), start=1):
        symbols.append(row.unspelled(token))
        if not initial_symbols(symbols[-1], row):
            raise BPEError(
                f"Token {number} must hold at least one character besides its marker, got {shortened_repr(token)}."
            )
    specials = () if unknown_token is None else (unknown_token,)
    for name in (*specials, *(frequencies or {})):
        check_text(name, " of a token")
    return {
        "variant": row,
        "vocabulary": [*(token.encode() for token in specials), *symbols],
        "special_tokens": specials,
        "unknown": 0 if specials else None,
        "frequencies": {row.unspelled(token): frequency for token, frequency in (frequencies or {}).items()},
    }


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BPEError(f"{path}: cannot be read: {error.strerror or error}.") from None
