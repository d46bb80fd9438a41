"""What a training is asked for: its settings, read from a caller's arguments, checked, and applied to a text."""

import re
import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, getdoc, signature
from typing import Any, Literal, ParamSpec, Protocol, TypeVar

from bpe.checks import at_least, check_text, look_up, shortened_repr, whole_number
from bpe.pair_ids import MAX_SYMBOLS, PairKey
from bpe.settings.alphabets import order_alphabet
from bpe.settings.pieces import PIECE_RULES, MergeFilter, PieceRule, any_piece, both, shorter_than
from bpe.settings.tie_breaking import TIE_BREAKS, TieBreak
from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError, Pair, Symbol
from bpe.text.added_tokens import split_at_special_tokens
from bpe.text.counting import Counts, count_documents
from bpe.text.display import merge_name
from bpe.text.normalizing import NORMALIZATIONS, Normalization, Normalizer, normalized
from bpe.text.superwords import superword_variant, words_limit
from bpe.text.variants import VARIANTS, Unit, Variant, unknowns_together

# Hugging Face's trainer takes them out of the words, so that their neighbours meet. SentencePiece's trainer writes a
# sign in their place that is never merged, so they cut words.
_LeaveOut = Callable[[Mapping[str, int]], Counts]  # words with their frequencies, as a training gets them

# One text | documents | pre-token -> frequency, already counted.
Text = str | Iterable[str] | Mapping[str, int]
_Alphabet = str | Sequence[Symbol | str]  # slug of ALPHABETS | symbols in id order

# Rank -> pair | its number among the tied pairs, from 0, in order of first occurrence.
_Picks = Mapping[int, Pair | int]

# A page that trains by itself says the same.
VOCABULARY_TOO_SMALL = (
    "The vocabulary size must be at least {least} ({specials} special tokens and {alphabet} initial symbols), "
    "got {size}."
)

# Whether each line is a document, with or without its end.
_Lines = Literal["", "ended", "bare"]
_WordOrder = Callable[[tuple[str, int]], Any]  # (pre-token, frequency) -> sort key
_ENDED_LINE = re.compile(r"[^\n]*\n|[^\n]+")

# slug -> whether overlapping occurrences of a pair count
OVERLAPS: Mapping[str, bool] = {"count": True, "skip": False}

# What `lines` may be -> how a text is read: as one document, or each line as one, with or without its end.
LINES: Mapping[bool | str, _Lines] = {False: "", "whole": "", True: "bare", "bare": "bare", "ended": "ended"}
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Returned = TypeVar("_Returned", covariant=True)


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """The settings of one training, already checked. `read_request` documents each."""

    variant: Variant
    tie_break: TieBreak
    merges: int | None
    vocab_size: int | None
    min_count: int
    special_tokens: tuple[str, ...]
    unknown_token: str | None
    cut_special_tokens: bool
    lines: _Lines
    alphabet: _Alphabet | None
    normalization: Normalization | None
    may_merge: MergeFilter
    word_order: _WordOrder | None
    seed: int
    picks: _Picks
    # Variant and tie_break as slugs, and the settings that differ from their defaults.
    given: Mapping[str, Any]
    # The normalizer of a tokenizer that is replayed; applied before `normalization`.
    normalizer: Normalizer | None = None
    # The variant of a second stage, and the number of merges after which it begins.
    second: Variant | None = None
    second_after: int = 0
    second_limit: MergeFilter = any_piece  # which merges the second stage allows, besides `may_merge`
    overlaps: bool = True  # whether overlapping occurrences of a pair count
    limit_alphabet: int | None = None
    character_coverage: float = 1.0
    joins_unknown: bool = False  # neighbouring characters that the alphabet lacks are one unknown token

    def encoding_variant(self, alphabet: Collection[Symbol], *, superwords: bool = True) -> Variant:
        """Return the variant for texts, once the alphabet is known: of the second stage, if there is one."""
        variant = self.second if self.second and superwords else self.variant
        return unknowns_together(variant, alphabet) if self.joins_unknown else variant

    def count(self, text: Text) -> Counts:
        """Return the frequency of each pre-token of the text, in the requested word order."""
        counts = self._all_words(text)
        return self._in_word_order(self._leave_out(counts)(counts))

    def _all_words(self, text: Text) -> Counts:
        if isinstance(text, Mapping):
            for word, frequency in text.items():
                check_text(word, " of a word")
                if not word:
                    raise BPEError("A word must not be empty.")
                at_least(1, f"The frequency of {shortened_repr(word)}", frequency)
            # Counts are summed in 64 bits, up to 4 bytes per character and a marker.
            if sum(frequency * (len(word) + 1) * 4 for word, frequency in text.items()) >= 1 << 62:
                raise BPEError(
                    "The frequencies are too large: a corpus must have fewer than 2**60 characters."
                )
            return self._normalized_counts(dict(text))
        return count_documents(self.documents(text), self.variant)

    def _leave_out(self, counts: Counts) -> _LeaveOut:
        """Return the function that leaves rare characters out of words, for the frequencies of the text."""
        if self.limit_alphabet is not None:
            return _most_frequent(counts, self.limit_alphabet, self._listed_characters, self.variant)
        return (
            dict if self.character_coverage == 1 else _covering(counts, self.character_coverage, self.variant)
        )

    @property
    def _listed_characters(self) -> frozenset[str]:
        """Characters of a list of initial symbols."""
        if self.alphabet is None or isinstance(self.alphabet, str):
            return frozenset()
        marker = self.variant.marker or b""
        symbols = (self.variant.unspelled(one) if isinstance(one, str) else one for one in self.alphabet)
        return frozenset(symbol.replace(marker, b"").decode("utf-8", "replace") for symbol in symbols) - {""}

    def _normalized_counts(self, words: Counts) -> Counts:
        """Return the counts of the normalized words: some of them may have become the same word."""
        if self.normalization is None:
            return words
        counts: Counter[str] = Counter()
        for word, frequency in words.items():
            counts[normalized(word, self.normalization)] += frequency
        return counts

    def counts_of_stages(self, text: Text) -> tuple[Counts, Counts | None]:
        """Return the frequencies of the pre-tokens, and of those of the second stage; None if there is none.

        Raises BPEError for counted words with a second stage, since nobody knows which words were neighbours.
        """
        if self.second is None:
            return self.count(text), None
        if isinstance(text, Mapping):
            raise BPEError("A second stage must read the text itself, got counted words.")
        # It is read twice.
        documents = text if isinstance(text, str) or not isinstance(text, Iterable) else list(text)
        counts = self._all_words(documents)
        leave_out = self._leave_out(counts)
        second = count_documents(self.documents(documents), self.second)
        return self._in_word_order(leave_out(counts)), self._in_word_order(leave_out(second))

    def _in_word_order(self, counts: Counts) -> Counts:
        return counts if self.word_order is None else dict(sorted(counts.items(), key=self.word_order))

    def may_merge_in(self, *, second: bool) -> MergeFilter:
        """Return which pairs may be merged in the first or in the second stage."""
        return both(self.may_merge, self.second_limit) if second else self.may_merge

    def documents(self, text: str | Iterable[str]) -> Iterator[str]:
        """Yield the documents of the text: split at special tokens if requested, normalized, and split into lines."""
        if isinstance(text, bytes | bytearray | memoryview) or not isinstance(text, Iterable):
            raise BPEError(f"The text must be a str, documents or counted words, got {type(text).__name__}.")
        for number, document in enumerate([text] if isinstance(text, str) else text, start=1):
            check_text(document, "" if isinstance(text, str) else f" of document {number}")
            for position, chunk in enumerate(self._between_special_tokens(document)):
                if self.normalizer:
                    chunk = self.normalizer.apply(chunk, position == 0)
                chunk = normalized(chunk, self.normalization)
                if self.lines == "bare":
                    yield from (line.removesuffix("\r") for line in chunk.split("\n"))
                elif self.lines == "ended":
                    yield from _ENDED_LINE.findall(chunk)
                else:
                    yield chunk

    def _between_special_tokens(self, document: str) -> list[str]:
        if not self.cut_special_tokens:
            return [document]
        return split_at_special_tokens(document, self.special_tokens)[::2]

    def order_alphabet(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Return the initial symbols in id order. `symbols` are those of the corpus, in order of first appearance."""
        return order_alphabet(symbols, self.variant, self.alphabet)

    def most_merges(self, alphabet_size: int) -> int:
        """Return how many merges `merges` and `vocab_size` allow.

        Raises BPEError if the special tokens and the alphabet alone exceed `vocab_size`.
        """
        limits = [MAX_SYMBOLS - alphabet_size]
        if self.merges is not None:
            limits.append(self.merges)
        if self.vocab_size is not None:
            specials = len(self.special_tokens)
            if self.vocab_size < specials + alphabet_size:
                least, size = specials + alphabet_size, self.vocab_size
                raise BPEError(
                    VOCABULARY_TOO_SMALL.format(
                        least=f"{least:,}", specials=specials, alphabet=f"{alphabet_size:,}", size=f"{size:,}"
                    )
                )
            limits.append(self.vocab_size - specials - alphabet_size)
        return min(limits)

    def picked(self, rank: int, tied: Mapping[Pair, PairKey], count: int) -> PairKey:
        """Return the pair picked for a rank. `tied` holds the tied pairs, in order of first occurrence.

        Raises BPEError if the pick is none of them.
        """
        pick = self.picks[rank]
        if isinstance(pick, int):
            if pick >= len(tied):
                raise BPEError(
                    f"The pick for {merge_name(rank)} is number {pick + 1} of the tied pairs, "
                    f"but only {len(tied)} tie: undo it."
                )
            return list(tied.values())[pick]
        if pick not in tied:
            some = ", ".join(sorted(map(self._label, tied))[:5])
            raise BPEError(
                f"The pick for {merge_name(rank)} must be one of the {len(tied):,} pairs tied at {count:,} ({some}"
                f"{', …' if len(tied) > 5 else ''}), got {self._label(pick)}."
            )
        return tied[pick]

    def _label(self, pair: Pair) -> str:
        return " + ".join(map(self.variant.label, pair))


def read_request(
    variant: str | Variant = "char-eow",
    tie_break: str | TieBreak = "first",
    *,
    merges: int | None = None,
    vocab_size: int | None = None,
    min_count: int = 1,
    special_tokens: Sequence[str] = (),
    unknown_token: str | None = None,
    cut_special_tokens: bool = False,
    lines: bool | str = False,
    alphabet: _Alphabet | None = None,
    normalization: Normalization | None = None,
    pieces: str = "any",
    word_order: str = "appearance",
    seed: int = 0,
    picks: _Picks | None = None,
    pattern: str | None = None,
    unit: Unit | None = None,
    second_pattern: str | None = None,
    second_after: int | None = None,
    second_words: int | None = None,
    overlaps: str = "count",
    max_token_length: int | None = None,
    limit_alphabet: int | None = None,
    character_coverage: float = 1.0,
) -> TrainingRequest:
    """Check the settings of a training and return them. Raises BPEError, which names the setting, for an invalid one.

    Settings:
        variant: how text becomes words of symbols; a slug of VARIANTS, or a Variant.
        tie_break: which of the pairs with the highest count is merged; a slug of TIE_BREAKS, or a TieBreak.
        merges: stop after so many merges.
        vocab_size: stop at this vocabulary size; special tokens and alphabet count.
        min_count: stop when the highest count is below this.
        special_tokens: texts that take the first ids and are never merged.
        unknown_token: the special token that stands for unknown characters when encoding.
        cut_special_tokens: split the text at its special tokens before training, as CS336 does.
        lines: every line is a document. "ended": with its end, as Hugging Face's trainers read files; "bare" or True:
            without, as SentencePiece does; "whole" or False: the text is one document.
        alphabet: order of the initial ids; a slug of ALPHABETS, or the symbols. None: the variant's own order.
        normalization: how text between special tokens is changed: a Unicode form or "lower"; a slug of NORMALIZATIONS.
        pieces: which symbols may be made: "any" or "sentencepiece".
        word_order: order in which words are searched for the first occurrence: "appearance" or "frequency".
        seed: seed of the rule "random".
        picks: {rank: pair or number} decided by hand; numbers count the tied pairs from 0 by first occurrence.
        pattern: pattern of the variant "custom", in the syntax of the package regex.
        unit: unit of the variant "custom", "bytes" or "characters". None: bytes.
        second_pattern: a looser pattern for a second stage, which learns superwords as SuperBPE does; a slug of
            SECOND_PATTERNS, or a pattern that splits the text into its matches and what is between them.
        second_after: number of merges after which the second stage begins.
        second_words: most words in a token of the second stage; SuperBPE's trainer allows four. A word is what is
            between spaces. None: any number.
        overlaps: whether occurrences of a pair that overlap count: "count", so that aaaa holds (a, a) three times, or
            "skip", twice, which is how often it can be merged.
        max_token_length: tokens must be shorter than this, in initial symbols; two of them may always be merged. So
            does Hugging Face's trainer. None: any length.
        limit_alphabet: the most characters that initial symbols may have. Rarer ones are taken out of the words, as
            Hugging Face's trainer does; the library chooses at random among equally rare ones, we take out those with
            the greatest code points. None: all.
        character_coverage: the share of the text that initial symbols must cover. Rarer characters split words, as in
            SentencePiece: nothing is merged across them. At most one of this and `limit_alphabet`.

    The first of the stop rules `merges`, `vocab_size` and `min_count` that holds ends the training.
    """
    given = locals().copy()
    variant = _read_variant(variant, pattern, unit)
    tie_break = look_up("tie_break", TIE_BREAKS, tie_break)
    special_tokens = _read_special_tokens(special_tokens)
    second, after = _read_second(variant, second_pattern, second_after)
    return TrainingRequest(
        variant=variant,
        tie_break=tie_break,
        merges=None if merges is None else at_least(0, "merges", merges),
        vocab_size=None if vocab_size is None else at_least(0, "vocab_size", vocab_size),
        min_count=at_least(1, "min_count", min_count),
        special_tokens=special_tokens,
        unknown_token=_read_unknown_token(unknown_token, special_tokens),
        cut_special_tokens=bool(cut_special_tokens),
        lines=_read_lines(lines),
        alphabet=_read_alphabet(alphabet),
        normalization=_read_normalization(normalization),
        may_merge=both(_read_pieces(pieces, variant).may_merge, _read_length(variant, max_token_length)),
        word_order=look_up("word_order", _WORD_ORDERS, word_order),
        seed=whole_number("seed", seed),
        picks=_read_picks({} if picks is None else picks),
        given=_differing(given, variant, tie_break),
        second=second,
        second_after=after,
        second_limit=read_second_words(second or variant, second_pattern, second_words),
        overlaps=look_up("overlaps", OVERLAPS, overlaps),
        limit_alphabet=_read_limit(limit_alphabet, variant, character_coverage),
        character_coverage=_read_coverage(character_coverage, variant),
        joins_unknown=PIECE_RULES[pieces].joins_unknown,
    )


def read_second_words(variant: Variant, second_pattern: str | None, second_words: int | None) -> MergeFilter:
    """Return which merges a second stage allows. Raises BPEError if there is no such stage."""
    if second_words is None:
        return any_piece
    if second_pattern is None:
        raise BPEError("second_words limits the words of a second stage, which needs second_pattern.")
    return words_limit(variant, at_least(1, "second_words", second_words))


def read_settings(settings: Mapping[str, Any]) -> TrainingRequest:
    """Return the request of settings given by name. Raises BPEError for an invalid one, and for a name that is none."""
    _check_names(settings.keys())
    return read_request(**settings)


# `train`, `train_steps` and `read_request` take the same settings: `with_settings` gives them the same signature.
def _by_frequency(item: tuple[str, int]) -> tuple[int, bytes]:
    return -item[1], item[0].encode()  # SentencePiece: count down, then bytes


_WORD_ORDERS: Mapping[str, _WordOrder | None] = {"appearance": None, "frequency": _by_frequency}


def _most_frequent(
    words: Mapping[str, int], limit: int, listed: Collection[str], variant: Variant
) -> _LeaveOut:
    """Return the function that takes all but the most frequent characters out of words.

    Among equally rare characters, those with the smaller code points stay. `listed` ones stay before all others.

    >>> from bpe import VARIANTS
    >>> _most_frequent({"low": 2, "lot": 1}, 3, (), VARIANTS["char-eow"])({"low": 2, "lot": 1})
    {'low': 2, 'lo': 1}
    """
    counts = _character_counts(words)
    counts.update(dict.fromkeys(listed, 0))
    order = _code_point(variant)
    stay = sorted(counts, key=lambda one: (one not in listed, -counts[one], order(one)))[:limit]
    rare = str.maketrans(dict.fromkeys(counts.keys() - set(stay)))
    return lambda words: _added_up((word.translate(rare), frequency) for word, frequency in words.items())


def _covering(words: Mapping[str, int], coverage: float, variant: Variant) -> _LeaveOut:
    """Return the function that cuts words at the characters beyond a share of the text.

    The most frequent characters are taken until they cover the share; of equally frequent ones, those with the smaller
    code points come first. As in the library, extra spaces do not count, and numbers have 32 bits.

    >>> from bpe import VARIANTS
    >>> _covering({" lot": 1, " low": 2}, 0.7, VARIANTS["char-metaspace"])({" lot": 1, " low": 2})
    {' lo': 3}
    """
    extra = " " if variant.marker == START_OF_WORD else ""
    counts = _character_counts({word: frequency for word, frequency in words.items() if word != extra})
    order = _code_point(variant)
    total, covered, least = sum(counts.values()), 0, _in_32_bits(coverage)
    stay: set[str] = set()
    for character in sorted(counts, key=lambda one: (-counts[one], order(one))):
        if _in_32_bits(covered / total) >= least:
            break
        covered += counts[character]
        stay.add(character)
    rare = str.maketrans(dict.fromkeys(counts.keys() - stay, "\0"))
    return lambda words: _added_up(
        (part, frequency) for word, frequency in words.items() for part in word.translate(rare).split("\0")
    )


def _character_counts(words: Mapping[str, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word, frequency in words.items():
        for character, times in Counter(word).items():
            counts[character] += times * frequency
    return counts


def _code_point(variant: Variant) -> Callable[[str], int]:
    """Return the order of characters. A space that stands for the start-of-word marker counts as that."""
    space = ord(variant.marker_text) if variant.marker == START_OF_WORD else ord(" ")
    return lambda character: space if character == " " else ord(character)


def _in_32_bits(number: float) -> float:
    value: float = struct.unpack("f", struct.pack("f", number))[0]
    return value


def _added_up(parts: Iterable[tuple[str, int]]) -> Counts:
    counts: Counts = {}
    for part, frequency in parts:
        if part:
            counts[part] = counts.get(part, 0) + frequency
    return counts


def _read_special_tokens(special_tokens: object) -> tuple[str, ...]:
    """Return the special tokens."""
    if isinstance(special_tokens, str) or not isinstance(special_tokens, Iterable):
        raise BPEError(f"The special tokens must be a list of texts, got {shortened_repr(special_tokens)}.")
    texts = tuple(special_tokens)
    if not all(isinstance(token, str) and token for token in texts):
        raise BPEError("Every special token must be a string that is not empty.")
    if len(set(texts)) < len(texts):
        raise BPEError("Special tokens must differ from one another.")
    for token in texts:
        check_text(token, " of a special token")
    return texts


def _read_unknown_token(unknown_token: str | None, special_tokens: Sequence[str]) -> str | None:
    """Return the unknown token, which is one of the special tokens; None if there is none."""
    if unknown_token is not None and unknown_token not in special_tokens:
        raise BPEError(
            f"The unknown token must be one of the special tokens, got {shortened_repr(unknown_token)}."
        )
    return unknown_token


def _read_normalization(normalization: object) -> Normalization | None:
    """Return the slug of a normalization; None for none."""
    if normalization is None:
        return None
    row = NORMALIZATIONS.get(normalization) if isinstance(normalization, str) else None
    if row is None:
        raise BPEError(
            f"The normalization must be one of {', '.join(NORMALIZATIONS)}, got {shortened_repr(normalization)}."
        )
    return row.slug


def _read_pieces(slug: str, variant: Variant) -> PieceRule:
    """Return the piece rule of a slug."""
    pieces = look_up("pieces", PIECE_RULES, slug)
    if pieces.needs_start_of_word and (variant.unit == "bytes" or variant.marker == END_OF_WORD):
        raise BPEError(
            f"The piece rule {pieces.slug!r} reads characters with a start of word, which the variant "
            f"{variant.slug!r} does not have; use 'char-metaspace'."
        )
    return pieces


def _read_alphabet(alphabet: object) -> _Alphabet | None:
    """Return the order of the initial ids; None for the variant's own."""
    if alphabet is None or isinstance(alphabet, str):
        return alphabet  # order_alphabet checks the slugs
    if not isinstance(alphabet, Sequence) or not all(isinstance(symbol, bytes | str) for symbol in alphabet):
        raise BPEError(
            f"The alphabet must be a slug, or a list of symbols as texts or bytes; got {shortened_repr(alphabet)}."
        )
    for symbol in alphabet:
        if isinstance(symbol, str):
            check_text(symbol, " of the alphabet")
    return alphabet


def _read_picks(picks: object) -> _Picks:
    """Return the picks by rank."""
    if not isinstance(picks, Mapping):
        raise BPEError(f"picks must map ranks to pairs, got {type(picks).__name__}.")
    for rank, pick in picks.items():
        at_least(0, "A pick's rank", rank)
        if isinstance(pick, int):
            at_least(0, f"The pick of rank {rank}", pick)
        elif not (isinstance(pick, tuple) and len(pick) == 2 and all(isinstance(one, bytes) for one in pick)):
            raise BPEError(
                f"The pick of rank {rank} must be a pair of symbols (bytes) or the number of a tied pair, "
                f"got {shortened_repr(pick)}."
            )
    return dict(picks)


def _read_limit(limit: object, variant: Variant, coverage: object) -> int | None:
    """Return the number of characters that a training may use; None for all."""
    if limit is None:
        return None
    if variant.unit == "bytes":
        raise BPEError(
            f"limit_alphabet counts characters, and the variant {variant.slug!r} begins with all 256 bytes: leave it "
            "out."
        )
    if coverage != 1:
        raise BPEError(
            "limit_alphabet and character_coverage both leave out rare characters: give one of them."
        )
    return at_least(1, "limit_alphabet", limit)


def _read_coverage(coverage: object, variant: Variant) -> float:
    """Return the share of the text that the characters of a training must cover."""
    if isinstance(coverage, bool) or not isinstance(coverage, int | float) or not 0 < coverage <= 1:
        raise BPEError(
            f"character_coverage must be a number above 0 and at most 1, got {shortened_repr(coverage)}."
        )
    if coverage < 1 and (variant.unit == "bytes" or variant.marker == END_OF_WORD):
        raise BPEError(
            f"character_coverage splits words at rare characters, which the variant {variant.slug!r} cannot show; use "
            "'char-metaspace', or 'custom' with characters."
        )
    return float(coverage)


def _differing(given: Mapping[str, Any], variant: Variant, tie_break: TieBreak) -> dict[str, Any]:
    """Return variant and tie_break as slugs, then the settings that differ from their defaults."""
    own = {"pattern": variant.pattern, "unit": variant.unit} if variant.configure else {}
    settings = {
        name: given[name]
        for name, parameter in signature(read_request).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY and given[name] != parameter.default
    }
    return {"variant": variant.slug, **own, "tie_break": tie_break.slug, **settings}


def _read_variant(variant: str | Variant, pattern: str | None, unit: Unit | None) -> Variant:
    row = look_up("variant", VARIANTS, variant)
    if pattern is None and unit is None:
        return row
    if row.configure is None:
        raise BPEError(f"Only the variant 'custom' has a pattern and a unit, got the variant {row.slug!r}.")
    return row.configure(row.pattern if pattern is None else pattern, "bytes" if unit is None else unit)


def _read_second(
    variant: Variant, second_pattern: str | None, second_after: int | None
) -> tuple[Variant | None, int]:
    """Return the variant of the second stage, and the number of merges before it; None and 0 if there is none."""
    if second_pattern is None and second_after is None:
        return None, 0
    if second_pattern is None or second_after is None:
        raise BPEError("A second stage needs both settings, second_pattern and second_after.")
    return superword_variant(variant, second_pattern), at_least(0, "second_after", second_after)


def _read_length(variant: Variant, max_token_length: int | None) -> MergeFilter:
    """Return which merges make tokens that are short enough."""
    if max_token_length is None:
        return any_piece
    return shorter_than(at_least(1, "max_token_length", max_token_length), variant)


def _read_lines(lines: object) -> _Lines:
    if not isinstance(lines, bool | str) or lines not in LINES:
        raise BPEError(f"lines must be True, False, 'whole', 'ended' or 'bare', got {shortened_repr(lines)}.")
    return LINES[lines]


def _check_names(given: Iterable[str]) -> None:
    settings = signature(read_request).parameters
    unknown = set(given) - settings.keys()
    if unknown:
        names = [name for name in settings if settings[name].kind is Parameter.KEYWORD_ONLY]
        raise BPEError(
            f"There is no setting {shortened_repr(min(unknown))}; settings are {', '.join(names)}."
        )


class _TakesSettings(Protocol[_Parameters, _Returned]):
    """A function of a text and of the settings of a training."""

    def __call__(self, text: Text, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Returned: ...


def _settings_of(
    read: Callable[_Parameters, TrainingRequest],
) -> Callable[[Callable[[Text, TrainingRequest], _Result]], _TakesSettings[_Parameters, _Result]]:
    settings = signature(read).parameters
    meanings = (getdoc(read) or "").partition("Settings:")[2]

    def decorate(
        function: Callable[[Text, TrainingRequest], _Result],
    ) -> _TakesSettings[_Parameters, _Result]:
        @wraps(function)
        def with_request(text: Text, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
            _check_names(kwargs.keys())
            return function(text, read(*args, **kwargs))

        own = signature(function)
        public = Signature(
            [own.parameters["text"], *settings.values()], return_annotation=own.return_annotation
        )
        vars(with_request)["__signature__"] = public
        with_request.__doc__ = f"{getdoc(function) or ''}\n\nSettings:{meanings}"
        return with_request

    return decorate


# Turns a function of (text, request) into one of (text, variant, tie_break, *, merges, …), with the settings explained
# in its help. Unknown settings raise BPEError.
with_settings = _settings_of(read_request)
