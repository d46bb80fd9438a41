"""Pairs of ids: minbpe's .model, and lists of merges that name their parts by number. The bytes have the ids 0 to 255.

Source: karpathy/minbpe, Tokenizer.save.
"""

import re
from collections.abc import Mapping, Sequence

from bpe.checkpoints import with_checkpoints
from bpe.checks import check_text
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.opened import MOST_GAPS, MOST_TOKENS, File, Opened, guess, shortened
from bpe.formats.spelling import MOST_CHARACTERS
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.variants import VARIANTS, Variant, custom_variant

MINBPE = "minbpe.model"
PAIRS = "a list of pairs of ids"
_LINES = 1 << 12  # between two checkpoints
_FIRST_LINES = 20  # which tell such a list
_MOST_BYTES = 1 << 22  # of all tokens
_BYTES = 256
_PAIR = re.compile(r"([0-9]{1,9}) ([0-9]{1,9})(?: ([0-9]{1,18}))?\s*")


def is_minbpe(file: File) -> bool:
    """Return whether a file begins as minbpe's models do."""
    return file.content.startswith(b"minbpe v1")


def open_minbpe(file: File) -> Opened:
    """Return the tokenizer of minbpe's .model. Raises BPEError, with the line, for a wrong one."""
    lines = file.text.rstrip("\r\n").split("\n")
    if len(lines) < 3 or not re.fullmatch(r"[0-9]{1,6}\s*", lines[2]):
        raise BPEError(
            "expected the number of special tokens in line 3, behind the pattern.", MINBPE, "line 3"
        )
    first = 3 + int(lines[2])
    special: dict[str, int] = {}
    for number, line in enumerate(lines[3:first], start=4):
        token, _, numeral = line.strip().rpartition(" ")
        if not token or not re.fullmatch("[0-9]{1,9}", numeral) or token in special:
            raise BPEError(
                f"expected a special token and its id, got {shortened(line)!r}.", MINBPE, f"line {number}"
            )
        check_text(token, f" of {MINBPE}, line {number}")
        special[token] = int(numeral)
    merges = _merges(lines[first:], MINBPE, first + 1, _BYTES)
    return Opened(_tokenizer(_variant(lines[1].strip()), merges, _BYTES, special), kind="minbpe's .model")


def _variant(pattern: str) -> Variant:
    if not pattern:
        return VARIANTS["bytes"]
    known = (row for row in VARIANTS.values() if row.split_pattern == pattern and row.unit == "bytes")
    try:
        return next(known, None) or custom_variant(pattern)
    except BPEError as error:
        raise BPEError(error.what, MINBPE, "line 2") from None


def is_id_pairs(file: File) -> bool:
    """Return whether the first lines of a file are two or three numbers each, and no merges of digits.

    A merge of two digits could be two ids as well, but those would be of control characters.
    """
    if not file.content[:1].isdigit():
        return False
    lines = file.text.rstrip("\r\n").split("\n", _FIRST_LINES)[:_FIRST_LINES]
    matches = list(map(_PAIR.fullmatch, lines))
    first = matches[0]
    return all(matches) and first is not None and max(map(len, first.groups("")[:2])) > 1


def open_id_pairs(file: File, variant: Variant | None) -> Opened:
    """Return the tokenizer of a list of pairs of ids. Raises BPEError, with the line, for a wrong one.

    A third number may be the id of the new token. Other third numbers, such as counts, are not used.
    """
    row = variant or VARIANTS["bytes-gpt4"]
    if row.unit != "bytes":
        raise BPEError(f"{PAIRS} joins bytes: choose a variant of bytes, got “{row.title}”.")
    lines = file.text.rstrip("\r\n").split("\n")
    thirds = [match[3] if (match := _PAIR.fullmatch(line)) else None for line in lines]
    notes = list(guess(row, variant))
    first = _BYTES
    if thirds[0] is not None:
        own = int(thirds[0])
        are_ids = own >= _BYTES and thirds == [str(own + number) for number in range(len(thirds))]
        first = own if are_ids else _BYTES
        if not are_ids:
            notes.append("The third number of a line is not used: it is not the id of the new token.")
    if first - _BYTES > MOST_GAPS:
        raise BPEError(f"expected the first new id to be at most {_BYTES + MOST_GAPS:,}, got {first:,}.")
    merges = _merges(lines, PAIRS, 1, first)
    return Opened(_tokenizer(row, merges, first, {}), tuple(notes), PAIRS, says_split=False)


def _merges(lines: Sequence[str], file: str, first_line: int, first_id: int) -> list[Pair]:
    """Return the merges of lines with two ids. The new tokens have the ids from `first_id` on."""
    if len(lines) > MOST_TOKENS:
        raise BPEError(f"expected at most {MOST_TOKENS:,} merges, got {len(lines):,}.", file)
    symbol_of: dict[int, Symbol] = {value: bytes([value]) for value in range(_BYTES)}
    line_of: dict[Symbol, int] = {}
    merges: list[Pair] = []
    total = 0
    for number, line in enumerate(with_checkpoints(lines, _LINES), start=first_line):
        place = (file, f"line {number}")
        match = _PAIR.fullmatch(line)
        if match is None:
            raise BPEError(f"expected two ids, got {shortened(line)!r}.", *place)
        for one in (int(match[1]), int(match[2])):
            if one not in symbol_of:
                raise BPEError(
                    f"expected ids of bytes, 0 to 255, or of tokens that earlier lines make; got {one:,}.",
                    *place,
                )
        left, right = symbol_of[int(match[1])], symbol_of[int(match[2])]
        symbol = left + right
        total += len(symbol)
        if len(symbol) > MOST_CHARACTERS or total > _MOST_BYTES:
            raise BPEError(f"expected tokens of at most {_MOST_BYTES:,} bytes in all.", *place)
        if line_of.setdefault(symbol, number) != number:
            raise BPEError(f"makes the same token as line {line_of[symbol]}.", *place)
        symbol_of[first_id + len(merges)] = symbol
        merges.append((left, right))
    if not merges:
        raise BPEError("expected at least one merge, got none.", file)
    return merges


def _tokenizer(
    variant: Variant, merges: Sequence[Pair], first_id: int, special: Mapping[str, int]
) -> Tokenizer:
    own = {number: token.encode() for token, number in special.items()}
    learned = {first_id + rank: left + right for rank, (left, right) in enumerate(merges)}
    taken = {value: bytes([value]) for value in range(_BYTES)} | learned
    for token, number in special.items():
        if number in taken or len(own) < len(special) or number - len(taken) > MOST_GAPS:
            raise BPEError(
                f"expected an id of its own for the special token {shortened(token)!r}, got {number:,}.",
                MINBPE,
            )
    taken |= own
    vocabulary = [taken.get(number, b"") for number in range(max(taken) + 1)]
    return Tokenizer(
        variant,
        tuple(vocabulary),
        tuple(merges),
        tuple(special),
        special_ids=tuple(special.values()),
        gaps=frozenset(number for number, symbol in enumerate(vocabulary) if not symbol),
    )
