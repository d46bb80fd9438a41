"""The tokenizer: text -> ids -> text, with a vocabulary that was learned, imported or typed by hand."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, repeat
from pathlib import Path
from typing import NamedTuple, Self

from bpe.checks import check_text, look_up, shortened_repr
from bpe.encoding.algorithms.encoder_input import EncoderInput, WordEncoder, WordStep
from bpe.encoding.batch import encode_batch, open_files, save
from bpe.encoding.encode_steps import EncodeStep, EncodingTimeline, encoding_timeline
from bpe.encoding.encoders import DEFAULT_ENCODER, ENCODERS, Encoder
from bpe.encoding.explain import Explanation, explain
from bpe.encoding.offsets import aligned, pre_token_starts, token_spans
from bpe.encoding.source import Source, token_texts
from bpe.encoding.token_cache import TokenCache
from bpe.encoding.typed_vocabulary import typed_vocabulary
from bpe.encoding.vocabulary_ids import REPLACEMENT, UNKNOWN_ID, ids_of, symbol_of
from bpe.remake import Reduced, by_fields
from bpe.symbols import BPEError, Pair, Symbol, Word
from bpe.text.before_splitting.added_tokens import Piece, TokenFinder, ordinary_tokens, parted
from bpe.text.before_splitting.alignment import Span, through
from bpe.text.before_splitting.normalizations import Normalization, normalized
from bpe.text.before_splitting.normalizer import Normalizer
from bpe.text.before_splitting.special_tokens import split_at_special_tokens
from bpe.text.variants import Variant

__all__ = ["UNKNOWN_ID", "Tokenizer"]


class _Prepared(NamedTuple):
    """An encoder that is prepared for one vocabulary, with the words that it has encoded."""

    row: Encoder
    words: WordEncoder
    cache: TokenCache


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
    one_by_one: bool = False  # a merge is applied at one position at a time: algorithms/one_by_one.py
    whole_words: bool = False  # a pre-token that is a token is taken whole: algorithms/whole_words.py
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
        ids = ids_of(self.vocabulary, special, self.merges, self.variant, self.gaps, added)
        if self.unknown is not None and not 0 <= self.unknown < len(self.vocabulary):
            raise BPEError(f"The unknown token's id must be in the vocabulary, got {self.unknown}.")
        known = EncoderInput(
            self.variant, ids, self.merges, self.frequencies, self.one_by_one, self.whole_words
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
        return cls(**typed_vocabulary(tokens, variant, unknown_token, frequencies))

    @classmethod
    def from_file(cls, *paths: str | Path) -> "Tokenizer":
        """Return the tokenizer of a file of any format, or of vocab.json and merges.txt together."""
        tokenizer: Tokenizer = open_files(paths)
        return tokenizer

    save = save
    encode_batch = encode_batch

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
        unknown = UNKNOWN_ID if self.unknown is None else self.unknown
        ids: list[int] = []
        for part, special in self._split_specials(text, allow_special):
            if special is None:
                ids += map(self._input.ids.get, self._encoded(part, encoder), repeat(unknown))
            else:
                ids.append(special)
        return ids

    def tokens(self, text: str, encoder: str | Encoder = "rank", allow_special: bool = False) -> list[Symbol]:
        """Return the text's tokens; an unknown character gives its own bytes."""
        tokens: list[Symbol] = []
        for part, special in self._split_specials(text, allow_special):
            tokens += self._encoded(part, encoder) if special is None else (part.encode(),)
        return tokens

    def normalised_tokens(self, text: str, encoder: str | Encoder = "rank") -> list[Symbol]:
        """Return the tokens of a text that `normalise` gave: not every normalizer may be applied twice."""
        return list(self._encoded(text, encoder))

    def word_tokens(self, pre_token: str, encoder: str | Encoder = "rank") -> Sequence[Symbol]:
        """Return one pre-token's tokens; an unknown character gives its own bytes."""
        check_text(pre_token)
        return self._word_encoder(look_up("encoder", ENCODERS, encoder)).encode(self.variant.spell(pre_token))

    def spelled_word_tokens(self, word: Word, encoder: str | Encoder = "rank") -> Sequence[Symbol]:
        """Return the tokens of a word given in initial symbols."""
        return self._word_encoder(look_up("encoder", ENCODERS, encoder)).encode(word)

    def word_steps(self, pre_token: str) -> Iterator[WordStep]:
        """Return the steps in which the encoder `rank` encodes one pre-token."""
        check_text(pre_token)
        return self._word_encoder(ENCODERS[DEFAULT_ENCODER]).steps(self.variant.spell(pre_token))

    def encode_steps(self, text: str, encoder: str | Encoder = "rank") -> Iterator[EncodeStep]:
        """Yield every step from the initial symbols to the tokens; `EncodeStep.segmentation` is the text after it."""
        return self.encode_words(self._words(text), encoder)[1]

    def encode_boundaries(
        self, text: str, encoder: str | Encoder = "rank"
    ) -> tuple[list[int], list[EncodeStep]]:
        """Return the number of the step that closes each boundary between initial symbols, or -1, and all steps."""
        timeline, steps = self.encode_words(self._words(text), encoder)
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
        check_text(text)
        text, origins = aligned(text, self.normalizer, self.normalization)
        pre_tokens = self.variant.split(text)
        tokens_of = {pre_token: self.word_tokens(pre_token, encoder) for pre_token in set(pre_tokens)}
        spans: list[Span] = []
        starts = pre_token_starts(text, pre_tokens, self.variant)
        for pre_token, start in zip(pre_tokens, starts, strict=True):
            spans += token_spans(tokens_of[pre_token], start, self.variant)
        return [through(origins, span) for span in spans]

    def explain(self, text: str, boundary: int) -> Explanation:
        """Explain why the two neighbours at a boundary are, or are not, one token under the encoder `rank`.

        Boundary b is the one after initial symbol b of the text, from 0. Raises BPEError if it does not exist.
        """
        word_encoder = self._word_encoder(ENCODERS[DEFAULT_ENCODER])
        return explain(self._input, word_encoder, self._words(text), boundary)

    def normalise(self, text: str) -> str:
        """Return the text as the tokenizer changes it before splitting. Raises BPEError for a lone surrogate."""
        check_text(text)
        return self._normalised(text, True)

    def _normalised(self, text: str, begins: bool) -> str:
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
        specials = set(self.special_ids) - {self.unknown}
        for position, number in enumerate(ids):
            symbol = symbol_of(number, position, self.vocabulary, self.gaps)
            if number in specials:
                texts += (self.variant.decode(symbols), symbol.decode())
                symbols = []
            else:
                symbols.append(symbol)
        return "".join((*texts, self.variant.decode(symbols)))

    def _text_of(self, number: object, position: int) -> str:
        """Return the token of an id as the file spells it."""
        symbol_of(number, position, self.vocabulary, self.gaps)
        assert isinstance(number, int)
        if number == UNKNOWN_ID:
            return REPLACEMENT.decode()
        if not self._texts and self.source:
            self._texts.extend(token_texts(self.source, self.vocabulary, self.merges))
        return self._texts[number]

    def _split_specials(self, text: str, allow_special: bool) -> Iterator[tuple[str, int | None]]:
        """Yield (special token, its id) and, for the text between special tokens, (normalised text, None)."""
        if not (allow_special and (self.special_tokens or self.finder)):
            yield self.normalise(text), None
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
        return self._prepare(look_up("encoder", ENCODERS, encoder)).cache.tokens(text)

    def _word_encoder(self, row: Encoder) -> WordEncoder:
        return self._prepare(row).words

    def _prepare(self, row: Encoder) -> _Prepared:
        before = self._prepared.get(row.slug)
        if before is not None and before.row == row:
            return before
        words = row.prepared(self._input)
        self._prepared[row.slug] = _Prepared(row, words, TokenCache(words, self.variant))
        return self._prepared[row.slug]

    def _words(self, text: str) -> list[Word]:
        """Return the initial symbols of each pre-token of the text."""
        return list(map(self.variant.spell, self.variant.split(self.normalise(text))))
