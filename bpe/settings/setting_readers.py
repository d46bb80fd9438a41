"""Readers of single settings: each checks what was given and returns what a request holds, or raises BPEError."""

from collections.abc import Iterable, Mapping, Sequence

from bpe.checks import at_least, check_text, look_up, shortened_repr
from bpe.settings.piece_rules import PIECE_RULES, PieceRule
from bpe.settings.request import Alphabet, Picks
from bpe.symbols import END_OF_WORD, BPEError
from bpe.text.before_splitting.normalizations import NORMALIZATIONS, Normalization
from bpe.text.variants import Variant


def read_special_tokens(special_tokens: object) -> tuple[str, ...]:
    """Return the special tokens."""
    if isinstance(special_tokens, str) or not isinstance(special_tokens, Iterable):
        raise BPEError(f"The special tokens must be a list of texts, got {shortened_repr(special_tokens)}.")
    texts = tuple(special_tokens)
    if not all(isinstance(token, str) and token for token in texts):
        raise BPEError("Every special token must be a text that is not empty.")
    if len(set(texts)) < len(texts):
        raise BPEError("Special tokens must differ from one another.")
    for token in texts:
        check_text(token, " of a special token")
    return texts


def read_unknown_token(unknown_token: str | None, special_tokens: Sequence[str]) -> str | None:
    """Return the unknown token, which is one of the special tokens; None if there is none."""
    if unknown_token is not None and unknown_token not in special_tokens:
        raise BPEError(
            f"The unknown token must be one of the special tokens, got {shortened_repr(unknown_token)}."
        )
    return unknown_token


def read_normalization(normalization: object) -> Normalization | None:
    """Return the slug of a normalization; None for none."""
    if normalization is None:
        return None
    row = NORMALIZATIONS.get(normalization) if isinstance(normalization, str) else None
    if row is None:
        raise BPEError(
            f"The normalization must be one of {', '.join(NORMALIZATIONS)}, got {shortened_repr(normalization)}."
        )
    return row.slug


def read_pieces(slug: str, variant: Variant) -> PieceRule:
    """Return the piece rule of a slug."""
    pieces = look_up("pieces", PIECE_RULES, slug)
    if pieces.needs_start_of_word and (variant.unit == "bytes" or variant.marker == END_OF_WORD):
        raise BPEError(
            f"The piece rule {pieces.slug!r} reads characters with a start of word, which the variant "
            f"{variant.slug!r} does not have; use 'char-metaspace'."
        )
    return pieces


def read_alphabet(alphabet: object) -> Alphabet | None:
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


def read_picks(picks: object) -> Picks:
    """Return the picks by rank."""
    if not isinstance(picks, Mapping):
        raise BPEError(f"picks must map ranks to pairs, got {type(picks).__name__}.")
    for rank, pick in picks.items():
        at_least(0, "A pick's rank", rank)
        if isinstance(pick, int):
            at_least(0, f"The pick of rank {rank}", pick)
        elif not _is_pair(pick):
            raise BPEError(
                f"The pick of rank {rank} must be a pair of symbols (bytes) or the number of a tied pair, "
                f"got {shortened_repr(pick)}."
            )
    return dict(picks)


def read_limit(limit: object, variant: Variant, coverage: object) -> int | None:
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


def read_coverage(coverage: object, variant: Variant) -> float:
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


def _is_pair(pick: object) -> bool:
    return isinstance(pick, tuple) and len(pick) == 2 and all(isinstance(symbol, bytes) for symbol in pick)
