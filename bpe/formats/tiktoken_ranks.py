""".tiktoken: one token per line, its bytes in base64 and its rank. The merges are derived from the tokens."""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Sequence

from bpe.checks import check_text
from bpe.encoding.by_merges import encode_by_rank
from bpe.encoding.merge_table import MergeTable
from bpe.encoding.tokenizer import Tokenizer
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.initial_symbols import initial_symbols
from bpe.text.variants import Variant

FILE = "ranks.tiktoken"
_BYTES = [bytes([value]) for value in range(256)]


def write_ranks(tokenizer: Tokenizer) -> str:
    """Return bytes and id of every token that is not special. Raises BPEError for a tokenizer the file cannot hold."""
    if tokenizer.variant.unit != "bytes":
        raise BPEError(f"{FILE} holds bytes, and the variant {tokenizer.variant.slug!r} has characters.")
    missing = next((symbol for symbol in _BYTES if symbol not in tokenizer.ids), None)
    if missing is not None:
        raise BPEError(
            f"{FILE} must hold all 256 bytes, and the vocabulary lacks {tokenizer.variant.label(missing)}."
        )
    lines = [f"{b64encode(symbol).decode()} {number}\n" for symbol, number in tokenizer.ids.items()]
    recovered = _merges_of(list(tokenizer.ids), tokenizer.variant)
    for rank, merge in enumerate(tokenizer.merges):
        if rank >= len(recovered) or recovered[rank] != merge:
            left, right = map(tokenizer.variant.label, merge)
            raise BPEError(
                f"{FILE} holds tokens only, and from those the merge {left} + {right} (merge {rank}) cannot be told: "
                "another pair makes the same token, or the merges are not in the order they were learned."
            )
    return "".join(lines)


def read_ranks(content: str, variant: Variant, special_tokens: Sequence[str] = ()) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file. Raises BPEError, with the line, for a line that is not a token.

    The file does not say how text is split: `variant` does. It does not hold special tokens: name those that have the
    ids before the first rank, if that is not 0.
    """
    if variant.unit != "bytes":
        raise BPEError(f"{FILE} holds bytes: choose a variant of bytes, got {variant.slug!r}.")
    for token in special_tokens:
        check_text(token, " of a special token")
    number_of: dict[Symbol, int] = {}
    line_of: dict[int, int] = {}
    for line_number, line in enumerate(content.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{FILE}, line {line_number}"
        parts = line.split()
        if len(parts) != 2:
            raise BPEError(f"{where}: expected a token and its rank, got {len(parts)} fields.")
        try:
            symbol = b64decode(parts[0], validate=True)
        except (binascii.Error, ValueError):
            raise BPEError(f"{where}: expected a token in base64, got {parts[0]!r}.") from None
        if not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 10):
            raise BPEError(f"{where}: expected a rank, a whole number; got {parts[1]!r}.")
        number = int(parts[1])
        if not symbol or symbol in number_of:
            raise BPEError(
                f"{where}: expected a new token, got {parts[0]!r}, which is empty or stands above."
            )
        if line_of.setdefault(number, line_number) != line_number:
            raise BPEError(f"{where}: the rank {number} already stands in line {line_of[number]}.")
        number_of[symbol] = number
    symbols = sorted(number_of, key=number_of.__getitem__)
    if not symbols:
        raise BPEError(f"{FILE}: expected tokens and their ranks, got nothing.")
    missing = next((symbol for symbol in _BYTES if symbol not in number_of), None)
    if missing is not None:
        raise BPEError(f"{FILE}: expected all 256 bytes, the byte {missing[0]} is missing.")
    first = number_of[symbols[0]]
    if number_of[symbols[-1]] - first != len(symbols) - 1:
        gap = next(number for number in range(first, first + len(symbols)) if number not in line_of)
        raise BPEError(f"{FILE}: ranks must run without gaps, got none of number {gap}.")
    if len(special_tokens) != first:
        named = len(special_tokens)
        raise BPEError(
            f"{FILE}: ranks begin at {first}: name the {first} special tokens before it, got {named}."
        )
    vocabulary = (*(token.encode() for token in special_tokens), *symbols)
    return Tokenizer(variant, vocabulary, tuple(_merges_of(symbols, variant)), tuple(special_tokens))


def _merges_of(symbols: list[Symbol], variant: Variant) -> list[Pair]:
    """Return the pair that makes each token, in the tokens' order: the two tokens to which earlier merges lead.

    See openai/tiktoken, issue 60. If earlier merges leave more or fewer than two tokens, the token has no merge.
    """
    merges: list[Pair] = []
    rank_of: dict[Pair, int] = {}
    merged: list[Symbol] = []
    table = MergeTable(merges, rank_of, merged, no_rank=len(symbols), ordered=True)
    for symbol in symbols:
        parts = encode_by_rank(table, initial_symbols(symbol, variant))
        if len(parts) == 2:
            left, right = parts
            rank_of[left, right] = len(merges)
            merges.append((left, right))
            merged.append(symbol)
    return merges
