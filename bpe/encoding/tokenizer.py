"""The tokenizer: new text -> ids -> text, with merges learned, imported or typed by hand."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Self

import regex

from bpe.checks import check_text, look_up, shortened_repr
from bpe.encoding.encode_steps import EncodeStep, EncodingTimeline, encoding_timeline
from bpe.encoding.encoder_input import EncoderInput, WordEncoder
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.explain import Explanation, explain
from bpe.encoding.offsets import Span, pre_token_starts, token_spans
from bpe.settings.request import Normalization
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.initial_symbols import initial_symbols
from bpe.text.patterns import CUT_AT_LAST_SPACE, LAST_SPACE
from bpe.text.variants import VARIANTS, Variant

UNKNOWN_ID = -1  # of a character no token stands for, where there is no unknown token
CACHED_STRETCHES = 1 << 16  # per encoder
CACHED_CHARACTERS = 64  # longer ones are not worth keeping

_REPLACEMENT: Symbol = "\ufffd".encode()


@dataclass(frozen=True, slots=True, eq=False)
class Tokenizer:
    """A vocabulary with its merges. Typed text is never read as a special token unless `allow_special` asks for it."""

    variant: Variant
    vocabulary: Sequence[Symbol]  # in id order; special tokens as UTF-8
    merges: Sequence[Pair] = ()  # by rank
    special_tokens: Sequence[str] = ()
    unknown: int | None = None  # id of the unknown token
    frequencies: Mapping[Symbol, int] = field(default_factory=dict)  # token -> occurrences in the corpus
    normalization: Normalization | None = None  # applied to the text between special tokens
    special_ids: Sequence[int] = ()  # of the special tokens, in their order; by default the first ids

    _lexicon: EncoderInput = field(init=False, repr=False)
    _prepared: dict[str, WordEncoder] = field(init=False, repr=False, default_factory=dict)
    _cached: dict[str, dict[str, tuple[Symbol, ...]]] = field(init=False, repr=False, default_factory=dict)
    _words: "dict[str, _Words]" = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        for token in self.special_tokens:
            check_text(token, " of a special token")
        if not self.special_ids:
            object.__setattr__(self, "special_ids", range(len(self.special_tokens)))
        symbols = _read_vocabulary(self)
        object.__setattr__(
            self, "_lexicon", EncoderInput(self.variant, symbols, self.merges, self.frequencies)
        )

    @classmethod
    def from_vocabulary(
        cls,
        tokens: str | Iterable[str],
        variant: str | Variant = "char-eow",
        unknown_token: str | None = "<unk>",
        frequencies: Mapping[str, int] | None = None,
    ) -> Self:
        """A tokenizer of tokens typed by hand, without merges: for the encoders that go by the vocabulary alone.

        A str is read as tokens between white space, an iterable as one token each, the marker as the variant spells it.
        Repeated tokens count once. Raises BPEError for a marker in a place where the variant has none.

        >>> lesson = Tokenizer.from_vocabulary("errrr</w> tain</w> moun est</w> high the</w> a</w>")
        >>> lesson.decode(lesson.encode("the highest mountain", "longest"))
        'the highest mountain'
        """
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
                    f"Token {number} must hold at least one character beside its marker, got {token!r}."
                )
        specials = () if unknown_token is None else (unknown_token,)
        for name in (*specials, *(frequencies or {})):
            check_text(name, " of a token")
        return cls(
            variant=row,
            vocabulary=[*(token.encode() for token in specials), *symbols],
            special_tokens=specials,
            unknown=0 if specials else None,
            frequencies={row.unspelled(token): frequency for token, frequency in (frequencies or {}).items()},
        )

    @property
    def ids(self) -> Mapping[Symbol, int]:
        """Every token's id, but for the special tokens: typed text never gives one of those."""
        return self._lexicon.symbols

    @property
    def symbols(self) -> Mapping[Symbol, int]:
        """Symbol -> id, in id order, the special tokens left out."""
        return self._lexicon.symbols

    # Text -> tokens

    def encode(self, text: str, encoder: str | Encoder = "rank", allow_special: bool = False) -> list[int]:
        """The ids of the text's tokens; -1 for an unknown character where there is no unknown token."""
        unknown = UNKNOWN_ID if self.unknown is None else self.unknown
        ids: list[int] = []
        for stretch, special in self._stretches(text, allow_special):
            if special is None:
                ids += map(self._lexicon.symbols.get, self._cut(stretch, encoder), repeat(unknown))
            else:
                ids.append(special)
        return ids

    def tokens(self, text: str, encoder: str | Encoder = "rank", allow_special: bool = False) -> list[Symbol]:
        """The text's tokens; an unknown character gives its own bytes."""
        tokens: list[Symbol] = []
        for stretch, special in self._stretches(text, allow_special):
            tokens += self._cut(stretch, encoder) if special is None else (stretch.encode(),)
        return tokens

    def word_tokens(self, pre_token: str, encoder: str | Encoder = "rank") -> Sequence[Symbol]:
        """One pre-token's tokens; an unknown character gives its own bytes."""
        check_text(pre_token)
        return self._word_encoder(look_up("encoder", ENCODERS, encoder)).cut(self.variant.spell(pre_token))

    def encode_steps(self, text: str, encoder: str | Encoder = "rank") -> Iterator[EncodeStep]:
        """Every step on the way from the initial symbols to the tokens: see EncodeStep, and `segmentation` there."""
        return self._film(text, encoder)[1]

    def encode_boundaries(
        self, text: str, encoder: str | Encoder = "rank"
    ) -> tuple[list[int], list[EncodeStep]]:
        """Per boundary between the text's initial symbols the step that closes it, or -1; and the steps."""
        film, steps = self._film(text, encoder)
        made = list(steps)
        return film.closing, made

    def offsets(self, text: str, encoder: str | Encoder = "rank") -> list[Span]:
        """(start, end) in characters of `normalise(text)` for each token of `tokens`.

        A token that holds a part of a character spans the whole character, so neighbours may overlap. A marker spans
        the white space that it stands for, or nothing.
        """
        text = self.normalise(text)
        pre_tokens = self.variant.split(text)
        tokens_of = {pre_token: self.word_tokens(pre_token, encoder) for pre_token in set(pre_tokens)}
        spans: list[Span] = []
        starts = pre_token_starts(text, pre_tokens, self.variant)
        for pre_token, start in zip(pre_tokens, starts, strict=True):
            spans += token_spans(tokens_of[pre_token], start, self.variant)
        return spans

    def explain(self, text: str, place: int) -> Explanation:
        """Why the two neighbours at a boundary are, or are not, one token under the encoder `rank`.

        `place` is the boundary after initial symbol `place` of the text, from 0. Raises BPEError for one there is not.
        """
        words = list(map(self.variant.spell, self.variant.split(self.normalise(text))))
        return explain(self._lexicon, self._word_encoder(ENCODERS["rank"]), words, place)

    def normalise(self, text: str) -> str:
        """The text in the tokenizer's normalization form. Raises BPEError for a lone surrogate."""
        check_text(text)
        return unicodedata.normalize(self.normalization, text) if self.normalization else text

    # Ids -> text

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids; U+FFFD for -1 and for bytes that are no character.

        Raises BPEError for an id the vocabulary does not hold, naming it and its position.
        """
        if not isinstance(ids, Iterable):
            raise BPEError(f"The ids must be a list of whole numbers, got {ids!r}.")
        texts: list[str] = []
        symbols: list[Symbol] = []
        walls = set(self.special_ids) - {self.unknown}
        for position, number in enumerate(ids):
            symbol = self._symbol_of(number, position)
            if number in walls:
                texts += (self.variant.decode(symbols), symbol.decode())
                symbols = []
            else:
                symbols.append(symbol)
        return "".join((*texts, self.variant.decode(symbols)))

    def _symbol_of(self, number: object, position: int) -> Symbol:
        if isinstance(number, int) and not isinstance(number, bool):
            if number == UNKNOWN_ID:
                return _REPLACEMENT
            if 0 <= number < len(self.vocabulary):
                return self.vocabulary[number]
        raise BPEError(
            f"An id must be a whole number from 0 to {len(self.vocabulary) - 1}, or -1 for an unknown character; "
            f"got {shortened_repr(number)} at position {position}."
        )

    # How it is done

    def _stretches(self, text: str, allow_special: bool) -> Iterator[tuple[str, int | None]]:
        """(special token, id) as typed, (stretch, None) for the text between them, normalised."""
        if not (allow_special and self.special_tokens):
            yield self.normalise(text), None
            return
        check_text(text)
        id_of = dict(zip(self.special_tokens, self.special_ids, strict=True))
        longest_first = sorted(self.special_tokens, key=len, reverse=True)
        for stretch in regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text):
            if stretch:
                yield (stretch, id_of[stretch]) if stretch in id_of else (self.normalise(stretch), None)

    def _cut(self, text: str, encoder: str | Encoder) -> Iterator[Symbol]:
        """The text's tokens. Each distinct stretch is cut once, and short ones are kept for the next text."""
        row = look_up("encoder", ENCODERS, encoder)
        cached = self._cached.setdefault(row.slug, {})
        stretches, split = _stretches(text, self.variant)
        words = self._words.setdefault(row.slug, _Words(self._word_encoder(row), self.variant))
        tokens_of: dict[str, Sequence[Symbol]] = {}
        for stretch in dict.fromkeys(stretches):
            tokens = cached.get(stretch)
            if tokens is None:
                tokens = tuple(chain.from_iterable(map(words.__getitem__, split(stretch))))
                if len(stretch) <= CACHED_CHARACTERS and len(cached) < CACHED_STRETCHES:
                    cached[stretch] = tokens
            tokens_of[stretch] = tokens
        return chain.from_iterable(map(tokens_of.__getitem__, stretches))

    def _word_encoder(self, row: Encoder) -> WordEncoder:
        if row.slug not in self._prepared:
            self._prepared[row.slug] = row.prepare(self._lexicon)
        return self._prepared[row.slug]

    def _film(self, text: str, encoder: str | Encoder) -> tuple[EncodingTimeline, Iterator[EncodeStep]]:
        row = look_up("encoder", ENCODERS, encoder)
        words = list(map(self.variant.spell, self.variant.split(self.normalise(text))))
        return encoding_timeline(words, self._word_encoder(row), row.turn, self.merges)


class _Words(dict[str, Sequence[Symbol]]):
    """Pre-token -> its tokens, cut the first time they are asked for; short ones are kept."""

    def __init__(self, encoder: WordEncoder, variant: Variant) -> None:
        self._cut, self._spell = encoder.cut, variant.spell

    def __missing__(self, pre_token: str) -> Sequence[Symbol]:
        tokens = self._cut(self._spell(pre_token))
        if len(pre_token) <= CACHED_CHARACTERS and len(self) < CACHED_STRETCHES:
            self[pre_token] = tokens
        return tokens


def _stretches(text: str, variant: Variant) -> tuple[list[str], Callable[[str], list[str]]]:
    """Stretches of the text that can be cut one by one, and what splits one of them into pre-tokens.

    Where a last space begins a pre-token, stretches from space to space: looking up " end." spares the pattern.
    """
    if variant.cut in CUT_AT_LAST_SPACE:
        first, *others = LAST_SPACE.split(text)
        return [first, *(" " + other for other in others)], variant.split
    return variant.split(text), lambda pre_token: [pre_token]


def _read_vocabulary(tokenizer: Tokenizer) -> dict[Symbol, int]:
    """Symbol -> id without the special tokens. Raises BPEError for a vocabulary that its merges do not fit."""
    vocabulary = tokenizer.vocabulary
    if len(tokenizer.special_ids) != len(tokenizer.special_tokens):
        raise BPEError("There must be as many ids of special tokens as special tokens.")
    special = dict(zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True))
    for number, token in special.items():
        if not 0 <= number < len(vocabulary) or vocabulary[number] != token.encode():
            raise BPEError(f"The vocabulary must hold the special token {token!r} as id {number}.")
    if tokenizer.unknown is not None and not 0 <= tokenizer.unknown < len(vocabulary):
        raise BPEError(f"The unknown token's id must be in the vocabulary, got {tokenizer.unknown}.")
    label = tokenizer.variant.label
    symbols: dict[Symbol, int] = {}
    for number, symbol in enumerate(vocabulary):
        if not symbol:
            raise BPEError(f"A token must not be empty, got an empty one as id {number}.")
        if number not in special and symbols.setdefault(symbol, number) != number:
            raise BPEError(
                f"A token must stand once in the vocabulary, got {label(symbol)!r} "
                f"as id {symbols[symbol]} and id {number}."
            )
    seen: dict[Pair, int] = {}
    for rank, (left, right) in enumerate(tokenizer.merges):
        for symbol in (left, right, left + right):
            if symbol not in symbols:
                raise BPEError(f"Merge {rank}: the vocabulary must hold {label(symbol)!r}, and does not.")
        if seen.setdefault((left, right), rank) != rank:
            pair = f"{label(left)} + {label(right)}"
            raise BPEError(
                f"A merge must be listed once, got {pair} as merge {seen[left, right]} and merge {rank}."
            )
    return symbols
