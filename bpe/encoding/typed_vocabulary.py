"""A typed vocabulary: the tokens that somebody wrote down, as the fields of a tokenizer without merges."""

from collections.abc import Iterable, Mapping
from typing import Any

from bpe.checks import check_text, look_up, shortened_repr
from bpe.symbols import BPEError, Symbol
from bpe.text.initial_symbols import initial_symbols
from bpe.text.variants import VARIANTS, Variant


def typed_vocabulary(
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
