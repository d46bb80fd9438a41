"""Recipe: everything a training is asked to do besides the text, read once and checked."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from bpe.checks import check_text, look_up, shortened_repr
from bpe.pair_ids import MAX_SYMBOLS, PairKey
from bpe.settings.alphabets import order_alphabet
from bpe.settings.piece_rules import PIECE_RULES, MergeFilter
from bpe.settings.tie_breaking import TIE_BREAKS, TieBreak
from bpe.symbols import END_OF_WORD, BPEError, Pair, Symbol
from bpe.text.counting import Counts, count_documents
from bpe.text.special_tokens import split_at_special_tokens
from bpe.text.variants import VARIANTS, Unit, Variant

Text = str | Iterable[str] | Mapping[str, int]  # a text | documents | pre-token -> frequency, already counted
Normalization = Literal["NFC", "NFD", "NFKC", "NFKD"]
WordOrder = Callable[[tuple[str, int]], Any]  # (pre-token, frequency) -> sort key


class Settings(TypedDict, total=False):
    """Settings of a training besides variant and tie_break."""

    merges: int | None  # most merges to learn
    vocab_size: int | None  # stop at this size, special tokens and alphabet counted
    min_count: int  # stop when the best pair is rarer; 1
    special_tokens: Sequence[str]  # take the first ids, never merged
    unknown_token: str | None  # the special token that stands for unknown characters when encoding
    cut_special_tokens: bool  # cut the text at its special tokens first, as CS336 does; False
    lines: bool  # every line is a document, as SentencePiece reads files; False
    alphabet: str | Sequence[Symbol | str] | None  # order of the initial ids: a slug of ALPHABETS, or symbols
    normalization: Normalization | None  # applied to the text between special tokens
    pieces: str  # slug of PIECE_RULES: which symbols may be made; "any"
    word_order: str  # slug of WORD_ORDERS: what "first" means; "appearance"
    seed: int  # for the rule "random"; 0
    picks: Mapping[int, Pair] | None  # rank -> pair taken by hand from those tied; the rule decides the rest
    pattern: str  # for the variant "custom", in `regex` syntax
    unit: Unit  # for the variant "custom"; "bytes"


WORD_ORDERS: Mapping[str, WordOrder | None] = {
    "appearance": None,
    "frequency": lambda item: (-item[1], item[0].encode()),  # SentencePiece: count down, then bytes
}


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """A training's settings, checked. `given` are the settings as they were given, for a trace to tell."""

    variant: Variant
    tie_break: TieBreak
    merges: int | None
    vocab_size: int | None
    min_count: int
    special_tokens: tuple[str, ...]
    unknown_token: str | None
    cut_special_tokens: bool
    lines: bool
    alphabet: str | Sequence[Symbol | str] | None
    normalization: Normalization | None
    may_merge: MergeFilter
    word_order: WordOrder | None
    seed: int
    picks: Mapping[int, Pair]
    given: Mapping[str, Any]

    def count(self, text: Text) -> Counts:
        """Frequencies of the text's pre-tokens, in the recipe's word order."""
        counts = (
            _read_counts(text)
            if isinstance(text, Mapping)
            else count_documents(self.documents(text), self.variant)
        )
        return counts if self.word_order is None else dict(sorted(counts.items(), key=self.word_order))

    def documents(self, text: str | Iterable[str]) -> Iterator[str]:
        """The text's documents, cut at special tokens where the recipe asks for it, normalised, and cut into lines."""
        if not isinstance(text, Iterable):
            raise BPEError(f"The text must be a str, documents or counted words, got {type(text).__name__}.")
        for number, document in enumerate([text] if isinstance(text, str) else text, start=1):
            check_text(document, "" if isinstance(text, str) else f" of document {number}")
            for part in self._cut(document):
                if self.normalization:
                    part = unicodedata.normalize(self.normalization, part)
                yield from (line.removesuffix("\r") for line in part.split("\n")) if self.lines else (part,)

    def _cut(self, document: str) -> list[str]:
        return (
            split_at_special_tokens(document, self.special_tokens)[::2]
            if self.cut_special_tokens
            else [document]
        )

    def order_alphabet(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """The initial symbols in id order; `symbols` are the corpus's, by first appearance."""
        return order_alphabet(symbols, self.variant, self.alphabet)

    def most_merges(self, alphabet_size: int) -> int:
        """The most merges there can be. Raises BPEError for a vocabulary size that the alphabet alone exceeds."""
        most = [MAX_SYMBOLS - alphabet_size]
        if self.merges is not None:
            most.append(self.merges)
        if self.vocab_size is not None:
            specials = len(self.special_tokens)
            if self.vocab_size < specials + alphabet_size:
                raise BPEError(
                    f"The vocabulary size must be at least {specials + alphabet_size:,} "
                    f"({specials} special tokens and {alphabet_size:,} initial symbols), got {self.vocab_size:,}."
                )
            most.append(self.vocab_size - specials - alphabet_size)
        return min(most)

    def why_most(self, alphabet_size: int) -> str:
        """Which setting made `most_merges` what it is."""
        return "merges" if self.merges == self.most_merges(alphabet_size) else "vocab_size"

    def picked(self, rank: int, tied: Mapping[Pair, PairKey], count: int) -> PairKey:
        """The tied pair picked for a rank. Raises BPEError when the pick is not one of them."""
        pair = self.picks[rank]
        if pair not in tied:
            shown = ", ".join(sorted(map(self._show, tied))[:5])
            raise BPEError(
                f"The pick for merge {rank} must be one of the {len(tied):,} pairs tied at {count:,} ({shown}"
                f"{', …' if len(tied) > 5 else ''}), got {self._show(pair)}."
            )
        return tied[pair]

    def _show(self, pair: Pair) -> str:
        return " + ".join(map(self.variant.label, pair))


def read_request(variant: str | Variant, tie_break: str | TieBreak, **given: Any) -> TrainingRequest:
    """The recipe the settings describe. Raises BPEError with the setting's name for what cannot be done."""
    unknown = given.keys() - Settings.__annotations__.keys()
    if unknown:
        raise BPEError(
            f"There is no setting {min(unknown)!r}; settings are {', '.join(Settings.__annotations__)}."
        )
    row = look_up("variant", VARIANTS, variant)
    if "pattern" in given or "unit" in given:
        if row.configure is None:
            raise BPEError(
                f"Only the variant 'custom' takes a pattern and a unit, got the variant {row.slug!r}."
            )
        row = row.configure(given.get("pattern", row.pattern), given.get("unit", "bytes"))
    own = {"pattern": row.pattern, "unit": row.unit} if row.configure else {}
    special_tokens = given.get("special_tokens", ())
    if isinstance(special_tokens, str) or not isinstance(special_tokens, Iterable):
        raise BPEError(f"The special tokens must be a list of texts, got {special_tokens!r}.")
    special_tokens = tuple(special_tokens)
    if not all(isinstance(token, str) and token for token in special_tokens):
        raise BPEError("Every special token must be a text that is not empty.")
    if len(set(special_tokens)) < len(special_tokens):
        raise BPEError("Special tokens must differ from one another.")
    for token in special_tokens:
        check_text(token, " of a special token")
    unknown_token = given.get("unknown_token")
    if unknown_token is not None and unknown_token not in special_tokens:
        raise BPEError(f"The unknown token must be one of the special tokens, got {unknown_token!r}.")
    normalization = given.get("normalization")
    if normalization not in (None, "NFC", "NFD", "NFKC", "NFKD"):
        raise BPEError(f"The normalization must be NFC, NFD, NFKC or NFKD, got {normalization!r}.")
    pieces = look_up("pieces", PIECE_RULES, given.get("pieces", "any"))
    if pieces.needs_start_of_word and (row.unit == "bytes" or row.marker == END_OF_WORD):
        raise BPEError(
            f"The piece rule {pieces.slug!r} reads characters with a start of word, which the variant {row.slug!r} "
            "has not; take 'char-metaspace'."
        )
    return TrainingRequest(
        variant=row,
        tie_break=look_up("tie_break", TIE_BREAKS, tie_break),
        merges=_at_least_or_none("merges", given.get("merges")),
        vocab_size=_at_least_or_none("vocab_size", given.get("vocab_size")),
        min_count=_at_least("min_count", given.get("min_count", 1), 1),
        special_tokens=special_tokens,
        unknown_token=unknown_token,
        cut_special_tokens=bool(given.get("cut_special_tokens", False)),
        lines=bool(given.get("lines", False)),
        alphabet=_read_alphabet(given.get("alphabet")),
        normalization=normalization,
        may_merge=pieces.may_merge,
        word_order=look_up("word_order", WORD_ORDERS, given.get("word_order", "appearance")),
        seed=_whole_number("seed", given.get("seed", 0)),
        picks=_read_picks(given.get("picks") or {}),
        given={
            "variant": row.slug,
            **own,
            "tie_break": look_up("tie_break", TIE_BREAKS, tie_break).slug,
            **given,
        },
    )


def _read_counts(words: Mapping[str, int]) -> Counts:
    for word, frequency in words.items():
        check_text(word, " of a word")
        if not word:
            raise BPEError("A word must not be empty.")
        _at_least(f"The frequency of {word!r}", frequency, 1)
    if sum(frequency * (len(word) + 1) * 4 for word, frequency in words.items()) >= 1 << 62:
        raise BPEError("The frequencies are too large to add up: keep the corpus under 2**60 characters.")
    return dict(words)


def _whole_number(setting: str, number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise BPEError(f"{setting} must be a whole number, got {number!r}.")
    if abs(number) >= 1 << 63:
        raise BPEError(f"{setting} must be below 2**63.")
    return number


def _at_least(setting: str, number: object, least: int) -> int:
    whole = _whole_number(setting, number)
    if whole < least:
        raise BPEError(f"{setting} must be at least {least}, got {number}.")
    return whole


def _at_least_or_none(setting: str, number: object, least: int = 0) -> int | None:
    return None if number is None else _at_least(setting, number, least)


def _read_alphabet(alphabet: Any) -> str | Sequence[Symbol | str] | None:
    if alphabet is None or isinstance(alphabet, str):
        return alphabet  # order_alphabet knows the slugs
    if not isinstance(alphabet, Sequence) or not all(isinstance(symbol, bytes | str) for symbol in alphabet):
        raise BPEError(
            f"The alphabet must be a slug, or a list of symbols as texts or bytes; got {shortened_repr(alphabet)}."
        )
    for symbol in alphabet:
        if isinstance(symbol, str):
            check_text(symbol, " of the alphabet")
    return alphabet


def _read_picks(picks: object) -> Mapping[int, Pair]:
    if not isinstance(picks, Mapping):
        raise BPEError(f"picks must map ranks to pairs, got {type(picks).__name__}.")
    for rank, pair in picks.items():
        _at_least("A pick's rank", rank, 0)
        if not (
            isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(symbol, bytes) for symbol in pair)
        ):
            raise BPEError(f"The pick for merge {rank} must be a pair of symbols (bytes), got {pair!r}.")
    return dict(picks)
