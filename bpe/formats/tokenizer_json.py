"""tokenizer.json: everything that Hugging Face's `tokenizers` needs, including how text is split."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, cast, get_args

from bpe.encoding.by_merges import by_rank
from bpe.encoding.encoder_input import EncoderInput
from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.json_fields import expect, in_id_order, read_json, short_json
from bpe.formats.spelling import read_symbol, spell_vocabulary, spelling_of
from bpe.formats.vocab_json import assemble
from bpe.settings.request import Normalization
from bpe.symbols import BPEError, Pair
from bpe.text.initial_symbols import initial_symbols
from bpe.text.patterns import GPT4_PATTERN
from bpe.text.variants import VARIANTS, Variant, custom_variant

FILE = "tokenizer.json"

Part = dict[str, Any]  # an object with a "type", as the file describes a pre-tokenizer or a decoder

_BYTE_LEVEL: Part = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
_GPT2: Part = {**_BYTE_LEVEL, "use_regex": True}
_WHITE_SPACE: Part = {"type": "WhitespaceSplit"}
_GPT4: Part = {"type": "Split", "pattern": {"Regex": GPT4_PATTERN}, "behavior": "Isolated", "invert": False}
_METASPACE: Part = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
_SUFFIX = "</w>"


def _sequence(*parts: Part) -> Part:
    return {"type": "Sequence", "pretokenizers": list(parts)}


# Variant -> (pre-tokenizer, decoder, end-of-word suffix). The library does not support the other variants.
_PARTS: Mapping[str, tuple[Part, Part, str | None]] = MappingProxyType(
    {
        "bytes": (_BYTE_LEVEL, _BYTE_LEVEL, None),
        "bytes-gpt2": (_GPT2, _GPT2, None),
        "bytes-gpt4": (_sequence(_GPT4, _BYTE_LEVEL), _BYTE_LEVEL, None),
        "bytes-whitespace": (_sequence(_WHITE_SPACE, _BYTE_LEVEL), _BYTE_LEVEL, None),
        "char-metaspace": (_METASPACE, _METASPACE, None),
        "char-eow-attached": (_WHITE_SPACE, {"type": "BPEDecoder", "suffix": _SUFFIX}, _SUFFIX),
    }
)


def write_tokenizer(tokenizer: Tokenizer) -> str:
    """Return the tokenizer as the library loads it. Raises BPEError for a variant or a token the file cannot hold.

    The library treats text differently in two ways: it reads special tokens in any text, and it drops unknown
    characters if there is no unknown token.
    """
    if tokenizer.variant.slug not in _PARTS:
        raise BPEError(
            f"{FILE} cannot describe the variant {tokenizer.variant.slug!r}; it can describe {', '.join(_PARTS)}."
        )
    split, join, suffix = _PARTS[tokenizer.variant.slug]
    spelled = spell_vocabulary(tokenizer, FILE)
    text_of = {symbol: spelled[number] for symbol, number in tokenizer.ids.items()}
    special = zip(tokenizer.special_ids, tokenizer.special_tokens, strict=True)
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": number, "content": token, **flags} for number, token in special],
        "normalizer": {"type": tokenizer.normalization} if tokenizer.normalization else None,
        "pre_tokenizer": split,
        "post_processor": None,
        "decoder": join,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None if tokenizer.unknown is None else spelled[tokenizer.unknown],
            "continuing_subword_prefix": None,
            "end_of_word_suffix": suffix,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: number for number, token in enumerate(spelled)},
            "merges": [[text_of[left], text_of[right]] for left, right in tokenizer.merges],
        },
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_tokenizer(content: str) -> Tokenizer:
    """Return the tokenizer of the file. Raises BPEError, with the field, for a missing, wrong or unsupported one.

    Added tokens become special tokens, whatever else the file says about them.
    """
    whole = read_json(content, FILE)
    model = expect(whole.get("model"), dict, FILE, "model")
    if model.get("type", "BPE") != "BPE":
        raise BPEError(f"{FILE}, model.type: expected 'BPE', got {short_json(model['type'])}.")
    for field, plain in _PLAIN_MODEL.items():
        if (model.get(field) or None) not in (None, plain):
            raise BPEError(
                f"{FILE}, model.{field}: expected {short_json(plain)}, got {short_json(model[field])}."
            )
    variant = _variant_of(whole.get("pre_tokenizer"), model.get("end_of_word_suffix") or None)
    vocabulary = dict(expect(model.get("vocab"), dict, FILE, "model.vocab"))
    special = _added_tokens(whole.get("added_tokens") or [], vocabulary)
    unknown = model.get("unk_token")
    if unknown is not None:
        special.append(expect(unknown, str, FILE, "model.unk_token"))
    tokenizer = assemble(
        FILE,
        variant,
        in_id_order(vocabulary, FILE, "model.vocab"),
        _merges(expect(model.get("merges"), list, FILE, "model.merges"), variant),
        list(dict.fromkeys(special)),
        unknown,
        _normalization(whole.get("normalizer")),
    )
    if model.get("ignore_merges"):
        _check_ignore_merges(tokenizer)
    return tokenizer


_PLAIN_MODEL = {"dropout": 0, "continuing_subword_prefix": "", "fuse_unk": False, "byte_fallback": False}


def _variant_of(part: object, suffix: str | None) -> Variant:
    """Return the variant that splits text as a pre-tokenizer does."""
    plain = _plain(part)
    for slug, (split, _, suffix_here) in _PARTS.items():
        if plain == _plain(split) and suffix == suffix_here:
            return VARIANTS[slug]
    pattern = _own_pattern(part)
    if pattern is not None and suffix is None:
        return custom_variant(pattern)
    raise BPEError(
        f"{FILE}, pre_tokenizer (with the end-of-word suffix {short_json(suffix)}): "
        f"expected one that splits as a variant does, got {short_json(part)}."
    )


def _own_pattern(part: object) -> str | None:
    """Return the pattern of a pre-tokenizer that splits by a pattern and then spells bytes, else None."""
    match _plain(part):
        case [("Split", {"Regex": str(pattern)}, behavior, invert), ("ByteLevel", False, False)]:
            return pattern if (behavior, invert) in (("Isolated", False), ("Removed", True)) else None
    return None


def _plain(part: object) -> object:
    """Return a pre-tokenizer with every option that splits text written out, so that two can be compared."""
    if not isinstance(part, dict):
        return part
    kind = str(part.get("type"))
    if kind == "Sequence":
        inner = part.get("pretokenizers")
        return [_plain(one) for one in inner] if isinstance(inner, list) else part
    return _READ[kind](part) if kind in _READ else part


# Options that older files lack get the library's default. `trim_offsets` is left out: it does not affect splitting.
_READ: Mapping[str, Callable[[Part], object]] = {
    "ByteLevel": lambda part: ("ByteLevel", part.get("add_prefix_space", True), part.get("use_regex", True)),
    "WhitespaceSplit": lambda part: "WhitespaceSplit",
    "Split": lambda part: ("Split", part.get("pattern"), part.get("behavior"), part.get("invert", False)),
    "Metaspace": lambda part: (
        "Metaspace",
        part.get("replacement"),
        part.get("prepend_scheme", "always" if part.get("add_prefix_space", True) else "never"),
        part.get("split", True),
    ),
}


def _added_tokens(added: object, vocabulary: dict[str, Any]) -> list[str]:
    """Return the added tokens. Inserts those that are missing into the vocabulary."""
    special: list[str] = []
    for number, entry in enumerate(expect(added, list, FILE, "added_tokens")):
        field = f"added_tokens[{number}]"
        token = expect(expect(entry, dict, FILE, field).get("content"), str, FILE, f"{field}.content")
        own = expect(entry.get("id"), int, FILE, f"{field}.id")
        if vocabulary.setdefault(token, own) != own:
            raise BPEError(f"{FILE}, {field}.id: expected {vocabulary[token]}, as in model.vocab, got {own}.")
        special.append(token)
    return special


def _merges(merges: list[object], variant: Variant) -> list[Pair]:
    """Return the merges. Each is an array of two texts or, in older versions, one text with a space between."""
    spelling = spelling_of(variant)
    pairs: list[Pair] = []
    for rank, merge in enumerate(merges):
        parts = merge.split(" ") if isinstance(merge, str) else merge
        where = f"{FILE}, model.merges[{rank}]"
        if not (isinstance(parts, list) and len(parts) == 2 and all(isinstance(part, str) for part in parts)):
            raise BPEError(f"{where}: expected two symbols, got {short_json(merge)}.")
        left, right = (read_symbol(part, spelling, where) for part in parts)
        pairs.append((left, right))
    return pairs


def _normalization(part: object) -> Normalization | None:
    if part is None:
        return None
    kind = part.get("type") if isinstance(part, dict) else part
    for form in get_args(Normalization):
        if kind == form:
            return cast(Normalization, form)
    raise BPEError(f"{FILE}, normalizer: expected none, NFC, NFD, NFKC or NFKD, got {short_json(part)}.")


def _check_ignore_merges(tokenizer: Tokenizer) -> None:
    """Raise BPEError unless the merges make every token from its characters: only then has the option no effect."""
    variant = tokenizer.variant
    encode = by_rank(EncoderInput(variant, tokenizer.ids, tokenizer.merges, {})).encode
    for symbol in tokenizer.ids:
        if len(encode(initial_symbols(symbol, variant))) != 1:
            label = variant.label(symbol)
            raise BPEError(
                f"{FILE}, model.ignore_merges: expected false, since no merges make the token {label!r}."
            )
