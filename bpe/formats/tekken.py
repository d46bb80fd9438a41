"""tekken.json: Mistral's tokenizers since 2024. Tokens in base64 with their ranks, as tiktoken has them, and a pattern.

Source: mistralai/mistral-common, src/mistral_common/tokens/tokenizers/tekken.py.
"""

import binascii
from base64 import b64decode
from typing import Any

from bpe.checkpoints import with_checkpoints
from bpe.checks import check_text
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.opened import MOST_TOKENS, File, Opened, check_others, expect, short_json
from bpe.formats.spelling import MOST_CHARACTERS
from bpe.formats.tiktoken_ranks import MOST_BYTES, merges_of_ranks
from bpe.symbols import BPEError, Symbol
from bpe.text.display import counted
from bpe.text.variants import custom_variant

_FILE = "tekken.json"

# The special tokens of files that list none, in the order of their ids. Further ids have a name made of their number.
_USUAL = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]",
    "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)  # fmt: skip
_PARTS = {"config", "vocab", "special_tokens", "version", "type"}


def is_tekken(file: File) -> bool:
    """Return whether a file holds a JSON object with the parts of a tekken.json."""
    whole = file.json or {}
    return isinstance(whole.get("config"), dict) and isinstance(whole.get("vocab"), list)


def open_tekken(whole: dict[str, Any]) -> Opened:
    """Return the tokenizer of a file's JSON. Raises BPEError, with the field, for a wrong or missing one."""
    check_others({**whole, "vocab": None}, _FILE)
    config = expect(whole.get("config"), dict, _FILE, "config")
    listed = expect(whole.get("vocab"), list, _FILE, "vocab")
    size = _size(config, "default_vocab_size", 1, MOST_TOKENS)
    specials = _size(config, "default_num_special_tokens", 0, size)
    if size - specials > len(listed):
        raise BPEError(f"expected at least {size - specials:,} tokens, got {len(listed):,}.", _FILE, "vocab")
    symbols = _symbols(listed[: size - specials])
    special = _special_tokens(whole.get("special_tokens"), specials)
    pattern = expect(config.get("pattern"), str, _FILE, "config.pattern")
    try:
        variant = custom_variant(pattern)
    except BPEError as error:
        raise BPEError(str(error), _FILE, "config.pattern") from None
    tokenizer = Tokenizer(
        variant,
        (*(token.encode() for token in special), *symbols),
        merges_of_ranks(symbols, variant),
        special,
        one_by_one=True,
        whole_words=True,
    )
    notes = []
    if len(listed) > len(symbols):
        unused = counted(len(listed) - len(symbols), "token")
        notes.append(f"The last {unused} of the list are not used: the vocabulary has {size:,} ids.")
    notes += [
        f"{short_json(name)} is ignored: only text is encoded here." for name in sorted(whole.keys() - _PARTS)
    ]
    return Opened(tokenizer, tuple(notes), _FILE)


def _size(config: dict[str, Any], name: str, least: int, most: int) -> int:
    number = expect(config.get(name), int, _FILE, f"config.{name}")
    if not least <= number <= most:
        raise BPEError(
            f"expected a number from {least:,} to {most:,}, got {short_json(number)}.",
            _FILE,
            f"config.{name}",
        )
    return number


def _symbols(listed: list[object]) -> list[Symbol]:
    """Return the tokens in the order of their ranks, which must be their places."""
    number_of: dict[Symbol, int] = {}
    total = 0
    for number, entry in enumerate(with_checkpoints(listed, 1 << 12)):
        field = f"vocab[{number}]"
        part = expect(entry, dict, _FILE, field)
        if type(part.get("rank")) is not int or part["rank"] != number:
            raise BPEError(f"expected {number}, got {short_json(part.get('rank'))}.", _FILE, f"{field}.rank")
        text = expect(part.get("token_bytes"), str, _FILE, f"{field}.token_bytes")
        try:
            symbol = b64decode(text, validate=True) if len(text) <= MOST_CHARACTERS else b""
        except (binascii.Error, ValueError):
            symbol = b""
        if not symbol:
            raise BPEError(
                f"expected a token in base64, got {short_json(text)}.", _FILE, f"{field}.token_bytes"
            )
        if number_of.setdefault(symbol, number) != number:
            raise BPEError(f"the same token as vocab[{number_of[symbol]}].", _FILE, f"{field}.token_bytes")
        total += len(symbol)
        if total > MOST_BYTES:
            raise BPEError(f"expected tokens of at most {MOST_BYTES:,} bytes in all.", _FILE, field)
    missing = next((value for value in range(256) if bytes([value]) not in number_of), None)
    if missing is not None:
        raise BPEError(f"expected all 256 bytes, but the byte {missing} is missing.", _FILE, "vocab")
    return list(number_of)


def _special_tokens(listed: object, size: int) -> list[str]:
    """Return the special tokens by id, those included that the file only counts."""
    names = list(_USUAL)
    if listed is not None:
        names = []
        for number, entry in enumerate(expect(listed, list, _FILE, "special_tokens")):
            field = f"special_tokens[{number}]"
            part = expect(entry, dict, _FILE, field)
            if part.get("rank") != number:
                raise BPEError(
                    f"expected {number}, got {short_json(part.get('rank'))}.", _FILE, f"{field}.rank"
                )
            name = expect(part.get("token_str"), str, _FILE, f"{field}.token_str")
            check_text(name, f" of {_FILE}, {field}.token_str")
            names.append(name)
    if len(names) > size and listed is not None:
        raise BPEError(f"expected at most {size:,}, got {len(names):,}.", _FILE, "special_tokens")
    names = [*names[:size], *(f"<SPECIAL_{number}>" for number in range(len(names), size))]
    if len(set(names)) < len(names):
        raise BPEError("expected each of them once.", _FILE, "special_tokens")
    return names
