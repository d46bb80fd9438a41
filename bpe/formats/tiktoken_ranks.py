""".tiktoken: one token per line, its bytes in base64 and its rank. The merges are derived from the tokens."""

import binascii
import hashlib
import pkgutil
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from bpe.checkpoints import with_checkpoints
from bpe.checks import check_text, shortened_repr
from bpe.encoding.merging import NOT_MADE, SHORT_WORD, MergeTable, encode_short, halves, single_merges
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.id_pairs import is_id_pairs
from bpe.formats.opened import MOST_GAPS, MOST_TOKENS, File, Opened, expect, guess, short_json, shortened
from bpe.formats.spelling import checked_length, refuse_superwords
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.display import counted, merge_name
from bpe.text.variants import VARIANTS, Variant, custom_variant, initial_symbols

# Source: openai/tiktoken, tiktoken_ext/openai_public.py, if a row names no other.
O200K_PATTERN = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
_END = "<|endoftext|>"
_MIDDLE = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")

# Takes the SHA-256 of a .tiktoken file, and returns the tokenizer of one that is shipped, whose merges need not be
# derived. A name, since what is shipped lies above the core.
SHIPPED = f"{__name__.removesuffix('bpe.formats.tiktoken_ranks')}published.packing:shipped_ranks"
_FILE = "ranks.tiktoken"
_JS_FILE = "ranks.json"  # of js-tiktoken
MOST_BYTES = 1 << 22  # of all tokens: bounds the time for recovering merges; o200k_base has 1.5 MB
_LINES = 1 << 12  # between two checkpoints

# Base64 and a rank. What ends with = is base64: no list of merges begins with such a merge.
_RANK_LINE = re.compile(
    r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==) \d+\s*(?:\n|\Z)"
    r"|[^\s=]{2,3}={1,2} \S"
)
_EMPTY = "="  # an empty token in base64, as Python reads it: the last line of Whisper's multilingual.tiktoken
_BYTES = [bytes([value]) for value in range(256)]


def open_ranks(file: File, variant: Variant | None) -> Opened:
    """Return the tokenizer of a .tiktoken file, as `read_ranks` does. Without a variant it is split as GPT-4 does."""
    if is_js_ranks(file):
        return Opened(_read_js(file.json or {}), kind="js-tiktoken's JSON")
    published = _published_encoding(file.text)
    if shipped := _shipped(file.text):
        return replace(shipped, kind=f".tiktoken ({published.name})") if published else shipped
    row = variant or VARIANTS["bytes-gpt4"]
    if published is not None:
        return Opened(read_ranks(file.text, VARIANTS["bytes-gpt4"]), kind=f".tiktoken ({published.name})")
    return Opened(read_ranks(file.text, row), guess(row, variant), ".tiktoken", says_split=False)


def read_ranks(content: str, variant: Variant, special_tokens: Sequence[str] = ()) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file. Raises BPEError, with the line, for a line that is not a token.

    The file does not say how text is split: `variant` does, unless the file is one of OpenAI's. It does not hold
    special tokens: name those that have the ids before the first rank, if that is not 0.
    """
    if variant.unit != "bytes":
        raise BPEError(f"{_FILE} holds bytes: choose a variant of bytes, got “{variant.title}”.")
    for token in special_tokens:
        check_text(token, " of a special token")
    number_of, empty = _parse(content)
    published = _published_encoding(content)
    if published is not None:
        variant = published.variant
        special = dict(published.special_tokens)
    else:
        special = {token: number for number, token in enumerate(special_tokens)}
        first = min(*number_of.values(), *empty)
        if len(special) != first:
            raise BPEError(
                f"ranks begin at {first}: name the {first} special tokens before it, got {len(special)}.",
                _FILE,
            )
    return _tokenizer(number_of, empty, special, variant)


@dataclass(frozen=True, slots=True)
class _PublishedEncoding:
    """One encoding: how it splits text, and its special tokens."""

    name: str
    sha256: str
    variant: Variant
    special_tokens: Mapping[str, int]


def _published_encoding(content: str) -> _PublishedEncoding | None:
    """Return the published encoding that a .tiktoken file is, if it is one."""
    return _BY_HASH.get(hashlib.sha256(content.encode()).hexdigest())


def check_ranks(variant: Variant) -> None:
    """Raise BPEError for a variant whose tokens the file cannot hold."""
    refuse_superwords(variant, _FILE)
    if variant.unit != "bytes":
        raise BPEError(f"{_FILE} holds bytes, and the variant “{variant.title}” has characters.")


def write_ranks(tokenizer: Tokenizer) -> str:
    """Return bytes and id of every token that is not special. Raises BPEError for a tokenizer the file cannot hold."""
    check_ranks(tokenizer.variant)
    missing = next((symbol for symbol in _BYTES if symbol not in tokenizer.ids), None)
    if missing is not None:
        raise BPEError(
            f"{_FILE} must hold all 256 bytes, and the vocabulary lacks {tokenizer.variant.label(missing)}."
        )
    merged = {left + right for left, right in tokenizer.merges}
    lone = next((symbol for symbol in tokenizer.ids if len(symbol) > 1 and symbol not in merged), None)
    if lone is not None and not tokenizer.whole_words:
        raise BPEError(
            f"{_FILE} cannot hold the token {shortened_repr(tokenizer.variant.label(lone))}, which no merge makes: "
            "tiktoken would not split such a word."
        )
    lines = [f"{b64encode(symbol).decode()} {number}\n" for symbol, number in tokenizer.ids.items()]
    last = len(tokenizer.vocabulary) - 1
    if last in tokenizer.gaps:
        lines.append(f"{_EMPTY} {last}\n")
    recovered = merges_of_ranks(list(tokenizer.ids), tokenizer.variant)
    for rank, merge in enumerate(tokenizer.merges):
        if rank >= len(recovered) or recovered[rank] != merge:
            left, right = map(tokenizer.variant.label, merge)
            raise BPEError(
                f"{_FILE} holds tokens only, and from those {left} + {right} ({merge_name(rank)}) cannot be derived: "
                "another pair makes the same token, or the merges are not in the order they were learned."
            )
    return "".join(lines)


def is_ranks(file: File) -> bool:
    """Return whether a file begins with a token in base64 and its rank, or is one of js-tiktoken's."""
    return is_js_ranks(file) or (_RANK_LINE.match(file.text) is not None and not is_id_pairs(file))


def is_js_ranks(file: File) -> bool:
    """Return whether a file is JSON with ranks and a pattern, as js-tiktoken has them."""
    return file.text[:200].lstrip().startswith("{") and "bpe_ranks" in (file.json or {})


def merges_of_ranks(symbols: list[Symbol], variant: Variant) -> list[Pair]:
    """Return the pair that makes each token, in the tokens' order: the one that tiktoken joins last in the token.

    tiktoken joins whatever makes a token, the leftmost pair of the lowest rank first. What it does inside a token that
    comes about is the same in every text, since nothing outside takes part. So one pair of those that join to a token
    makes it wherever it is made. A token that tiktoken leaves in several parts has none: only a whole word gives it.
    See openai/tiktoken, issue 60.
    """
    merges: list[Pair] = []
    rank_of: dict[Pair, int] = {}
    merged: list[Symbol] = []
    number_of = {symbol: number for number, symbol in enumerate(symbols)}
    table = MergeTable(merges, rank_of, merged, no_rank=len(symbols), ordered=True)
    made = dict.fromkeys(_BYTES, NOT_MADE)
    # Two tokens are found faster than merges are applied, as long as earlier merges make every token.
    learned = variant.marker is None and not variant.own_symbols

    for symbol in with_checkpoints(symbols, 1 << 6):
        if len(symbol) == 1:
            continue
        pair = None
        if len(symbol) <= SHORT_WORD:
            pair = halves(table, made, symbol) if learned else None
            if pair is None:  # earlier merges leave two tokens of most others, too
                parts = encode_short(table, initial_symbols(symbol, variant))
                pair = (parts[0], parts[1]) if len(parts) == 2 else None
        if pair is None:
            # The pair that tiktoken joins last, if it joins all of the token
            word = initial_symbols(symbol, variant)
            joined = [one for one, _, _ in single_merges(word, lambda two: number_of.get(two[0] + two[1]))]
            pair = joined[-1] if len(joined) == len(word) - 1 else None
            learned &= pair is not None and pair[0] in made and pair[1] in made
        if pair is not None:
            rank_of[pair] = made[symbol] = len(merges)
            merges.append(pair)
            merged.append(symbol)
    return merges


ENCODINGS = (
    _PublishedEncoding(
        "r50k_base",
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        VARIANTS["bytes-gpt2"],
        {_END: 50256},
    ),
    _PublishedEncoding(
        "p50k_base",
        "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
        VARIANTS["bytes-gpt2"],
        {_END: 50256},
    ),
    _PublishedEncoding(
        "cl100k_base",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        VARIANTS["bytes-gpt4"],
        {_END: 100257, **{token: 100258 + i for i, token in enumerate(_MIDDLE)}, "<|endofprompt|>": 100276},
    ),
    _PublishedEncoding(
        "o200k_base",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        custom_variant(O200K_PATTERN),
        {_END: 199999, "<|endofprompt|>": 200018},
    ),
    _PublishedEncoding(  # openai/whisper, assets: its special tokens depend on how many languages a model knows
        "multilingual, of Whisper",
        "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126",
        VARIANTS["bytes-gpt2"],
        {},
    ),
)
_BY_HASH: Mapping[str, _PublishedEncoding] = MappingProxyType({row.sha256: row for row in ENCODINGS})


def _shipped(content: str) -> Opened | None:
    try:
        find = pkgutil.resolve_name(SHIPPED)
    except ModuleNotFoundError:  # the core alone
        return None
    opened: Opened | None = find(hashlib.sha256(content.encode()).hexdigest())
    return opened


def _tokenizer(
    number_of: Mapping[Symbol, int], empty: Sequence[int], special: Mapping[str, int], variant: Variant
) -> Tokenizer:
    vocabulary: list[Symbol] = [b""] * (max(*number_of.values(), *special.values(), *empty) + 1)
    for symbol, number in number_of.items():
        vocabulary[number] = symbol
    for token, number in special.items():
        vocabulary[number] = token.encode()
    symbols = sorted(number_of, key=number_of.__getitem__)
    return Tokenizer(
        variant,
        tuple(vocabulary),
        tuple(merges_of_ranks(symbols, variant)),
        tuple(special),
        special_ids=tuple(special.values()),
        gaps=frozenset(number for number, symbol in enumerate(vocabulary) if not symbol),
        one_by_one=True,
        whole_words=True,
    )


def _read_js(whole: Mapping[str, Any]) -> Tokenizer:
    """Return the tokenizer of js-tiktoken's JSON. Each of its lines has "!", the first rank, and tokens in base64.

    Source: dqbd/tiktoken, js/src/core.ts.
    """
    lines: list[str] = []
    for number, line in enumerate(
        expect(whole.get("bpe_ranks"), str, _JS_FILE, "bpe_ranks").split("\n"), start=1
    ):
        if not line:
            continue
        _, _, rest = line.partition(" ")
        first, *tokens = rest.split(" ")
        if not (first.isascii() and first.isdigit() and len(first) < 10):
            raise BPEError(
                f"expected the first rank, got {shortened(first)!r}.", _JS_FILE, f"bpe_ranks, line {number}"
            )
        lines += [f"{token} {int(first) + place}" for place, token in enumerate(tokens)]
    number_of, empty = _parse("\n".join(lines))
    try:
        variant = custom_variant(expect(whole.get("pat_str"), str, _JS_FILE, "pat_str"))
    except BPEError as error:
        raise BPEError(error.what, _JS_FILE, "pat_str") from None
    special = expect(whole.get("special_tokens", {}), dict, _JS_FILE, "special_tokens")
    taken = {*number_of.values(), *empty}
    for token, number in special.items():
        check_text(token, " of a special token")
        is_id = type(number) is int and 0 <= number < max(taken) + MOST_GAPS
        if not token or not is_id or number in taken:
            raise BPEError(f"expected an id of its own for {short_json(token)}.", _JS_FILE, "special_tokens")
        taken.add(number)
    return _tokenizer(number_of, empty, special, variant)


def _parse(content: str) -> tuple[dict[Symbol, int], list[int]]:
    """Return symbol -> rank, and the ranks of empty tokens, which no text contains."""
    number_of: dict[Symbol, int] = {}
    empty: list[int] = []
    line_of: dict[int, int] = {}
    total = 0
    for line_number, line in enumerate(
        with_checkpoints(content.removeprefix("\ufeff").split("\n"), _LINES), start=1
    ):
        if not line or line.isspace():
            continue
        place = (_FILE, f"line {line_number}")
        parts = line.split(maxsplit=2)
        if len(parts) != 2:
            raise BPEError(
                f"expected a token and its rank, got {counted(len(line.split()), 'field')}.", *place
            )
        try:
            is_empty = parts[0] == _EMPTY
            symbol = b"" if is_empty else b64decode(checked_length(parts[0], place), validate=True)
        except (binascii.Error, ValueError) as error:
            if isinstance(error, BPEError):
                raise
            raise BPEError(f"expected a token in base64, got {shortened(parts[0])!r}.", *place) from None
        if not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 10):
            raise BPEError(f"expected a rank, a whole number; got {shortened(parts[1])!r}.", *place)
        number = int(parts[1])
        if symbol in number_of or not (symbol or is_empty):
            raise BPEError(
                f"expected a new token, got {shortened(parts[0])!r}, which is empty or listed above.", *place
            )
        if line_of.setdefault(number, line_number) != line_number:
            raise BPEError(f"the rank {number} is already on line {line_of[number]}.", *place)
        if is_empty:
            empty.append(number)
            continue
        number_of[symbol] = number
        total += len(symbol)
        if total > MOST_BYTES:
            raise BPEError(f"expected tokens of at most {MOST_BYTES:,} bytes in all.", *place)
    if not number_of:
        raise BPEError("expected tokens and their ranks, got nothing.", _FILE)
    missing = next((symbol for symbol in _BYTES if symbol not in number_of), None)
    if missing is not None:
        raise BPEError(f"expected all 256 bytes, but the byte {missing[0]} is missing.", _FILE)
    first, last = min(line_of), max(line_of)
    if last - first - len(line_of) >= MOST_GAPS or len(line_of) > MOST_TOKENS:
        gap = next((number for number in range(first, last) if number not in line_of), last)
        raise BPEError(f"ranks must run without large gaps, but the rank {gap} is missing.", _FILE)
    return number_of, empty
