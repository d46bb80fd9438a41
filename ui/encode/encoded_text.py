"""The result of an encoding: tokens, ids, measures, and what a round trip through ids loses."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bpe import Symbol, Variant
from bpe.analysis.compression import Measure, measure
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.text.counting import next_safe_cut
from bpe.text.display import counted
from bpe.text.normalizing import NORMALIZATIONS
from ui.encode.controls import Setting

MOST_IN_ROWS = 240  # characters


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens and ids of the whole text; of its beginning if the encoding was stopped."""

    cache_key: object  # equal for the same text, tokenizer and encoder
    typed: str  # the text as it was typed; if the encoding was stopped, the beginning in normal form
    text: str  # in the tokenizer's normal form
    tokens: Sequence[Symbol]
    ids: Sequence[int]
    unknown: int  # number of characters without a token
    measure: Measure
    returns: bool  # whether the ids decode to the typed text


def encoded_text(
    tokenizer: Tokenizer, typed: str, text: str, tokens: Sequence[Symbol], cache_key: object
) -> Encoded:
    """Return the result for a text whose normal form has these tokens."""
    ids = ids_of(tokenizer, tokens)
    unknown = sum(token not in tokenizer.ids for token in tokens)
    returns = tokenizer.decode(ids) == typed
    return Encoded(cache_key, typed, text, tokens, ids, unknown, measure(text, len(tokens)), returns)


def ids_of(tokenizer: Tokenizer, tokens: Sequence[Symbol]) -> list[int]:
    """Return the ids of the tokens. A symbol without an id gets that of the unknown token, or −1 if there is none."""
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    known = tokenizer.ids
    return [known.get(token, unknown) for token in tokens]


def segmentations(
    pre_tokens: Iterable[str], encoded: Encoded, variant: Variant
) -> Iterator[Sequence[Symbol]]:
    """Yield the tokens of each pre-token. They are derived from the result, since encoding a long word is slow."""
    position = 0
    for pre_token in pre_tokens:
        size, first = sum(map(len, variant.spell(pre_token))), position
        while size > 0:
            size -= len(encoded.tokens[position])
            position += 1
        yield encoded.tokens[first:position]


def plain_measures(encoded: Encoded) -> tuple[Measure, Measure]:
    """Return the measures of two plain tokenizations: one token per character, and one per word between white space."""
    now = encoded.measure
    return replace(now, tokens=now.characters), replace(now, tokens=now.words)


def losses(tokenizer: Tokenizer, encoded: Encoded) -> str:
    """Return what a round trip through ids loses of this text, as far as the tokenizer can tell."""
    reasons = []
    if encoded.unknown:
        reasons.append(counted(encoded.unknown, "unknown character"))
    if encoded.text != encoded.typed:
        form = tokenizer.normalization
        name = NORMALIZATIONS[form].name if form else "the tokenizer's normalizer"
        reasons.append(f"what {name} changed before encoding")
    if tokenizer.variant.loses:
        reasons.append(tokenizer.variant.loses)
    return "; and ".join(reasons)


def beginning(text: str, setting: Setting) -> str:
    """Return the part of the text that is drawn in rows. It ends between two pre-tokens unless these are too long."""
    end = next_safe_cut(text, setting.tokenizer.variant, MOST_IN_ROWS)
    return text[: end if end <= 2 * MOST_IN_ROWS else MOST_IN_ROWS]
