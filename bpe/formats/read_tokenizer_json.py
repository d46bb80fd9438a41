"""tokenizer.json, read: the vocabulary, the merges, and how the file says text is split and spelled.

What changes no token and is not used here is named in `Opened.ignored`. What would change tokens and is not supported
is refused with its field.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from bpe.encoding.tokenizer import Tokenizer
from bpe.formats.added_tokens import AddedTokens, read_added_tokens
from bpe.formats.file_variants import Unknowns, byte_variant, character_variant, single_symbols
from bpe.formats.hf_normalizers import METASPACE, TYPED_METASPACE, read_normalizers
from bpe.formats.hf_parts import FILE, Part, option
from bpe.formats.hf_pre_tokenizers import read_pre_tokenizer
from bpe.formats.json_fields import expect, in_id_order, read_json, short_json
from bpe.formats.opened import Opened
from bpe.formats.spelling import Spelling, checked_length, read_symbol, spelling_of
from bpe.formats.tokenizer_json import PARTS
from bpe.formats.vocab_json import assemble, read_token
from bpe.settings.alphabets import REMAPPED
from bpe.settings.request import Normalization
from bpe.symbols import BPEError, Pair, Symbol
from bpe.text.normalizer import Normalizer, in_a_row
from bpe.text.variants import VARIANTS, Variant, custom_variant

_FIELDS = {
    "version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder",
    "model",
}  # fmt: skip
_MODEL_FIELDS = {
    "type", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
    "ignore_merges", "vocab", "merges",
}  # fmt: skip
_DECODERS = {"ByteLevel", "Metaspace", "BPEDecoder", "Sequence"}
_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
MOST_MERGES = 1 << 21
MOST_NESTED = 40  # objects and arrays in one another


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of the model that change how words are spelled and encoded."""

    suffix: str
    unknown: str | None
    in_bytes: bool  # byte_fallback
    together: bool  # fuse_unk
    whole_words: bool  # ignore_merges


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the file's text becomes words: a variant, and what is changed in the text before it."""

    variant: Variant
    normalizer: Normalizer | None
    normalization: Normalization | None
    spelling: Spelling


def read_tokenizer(content: str) -> Tokenizer:
    """Return the tokenizer of the file. Raises BPEError, with the field, for a missing, wrong or unsupported one.

    Added tokens become special tokens, whatever else the file says about them.
    """
    return open_tokenizer_json(content).tokenizer


def open_tokenizer_json(content: str) -> Opened:
    """Return the tokenizer of the file, and what in the file is ignored. Raises BPEError as `read_tokenizer` does."""
    whole = read_json(content, FILE)
    model = expect(whole.get("model"), dict, FILE, "model")
    options = _read_options(model)
    vocabulary = dict(expect(model.get("vocab"), dict, FILE, "model.vocab"))
    added = read_added_tokens(whole.get("added_tokens") or [], vocabulary)
    special = dict.fromkeys(added.tokens)
    if options.unknown is not None:
        special[options.unknown] = None
    tokens = in_id_order(vocabulary, FILE, "model.vocab")
    learned = {
        number: token for number, token in enumerate(tokens) if token is not None and token not in special
    }
    reading = _read_reading(whole, options, learned)
    tokenizer = assemble(
        FILE,
        reading.variant,
        tokens,
        _merges(expect(model.get("merges"), list, FILE, "model.merges"), reading.spelling),
        list(special),
        options.unknown,
        reading.normalization,
        normalizer=reading.normalizer,
        spelling=reading.spelling,
        one_by_one=True,
        whole_words=options.whole_words,
    )
    if options.together and reading.variant.unit == "characters":
        _check_unknown_runs(tokenizer)
    return Opened(tokenizer, tuple(_ignored(whole, model, tokenizer, added)))


def _read_options(model: Part) -> _Options:
    if model.get("type", "BPE") != "BPE":
        raise BPEError(f"{FILE}, model.type: expected 'BPE', got {short_json(model['type'])}.")
    for field, plain in {"dropout": 0, "continuing_subword_prefix": ""}.items():
        if (model.get(field) or None) not in (None, plain):
            raise BPEError(
                f"{FILE}, model.{field}: expected {short_json(plain)}, got {short_json(model[field])}."
            )
    unknown = model.get("unk_token")
    options = _Options(
        suffix=option(model, "end_of_word_suffix", str, "", "model"),
        unknown=None if unknown is None else expect(unknown, str, FILE, "model.unk_token"),
        in_bytes=option(model, "byte_fallback", bool, False, "model"),
        together=option(model, "fuse_unk", bool, False, "model"),
        whole_words=option(model, "ignore_merges", bool, False, "model"),
    )
    if options.suffix and (options.in_bytes or options.whole_words):
        raise BPEError(
            f"{FILE}, model: byte_fallback and ignore_merges are not supported with end_of_word_suffix."
        )
    return options


def _read_reading(whole: Part, options: _Options, learned: Mapping[int, str]) -> _Reading:
    """Return how the file reads text. `learned` are the tokens that are not special, by id."""
    split = whole.get("pre_tokenizer")
    _check_depth(split, "pre_tokenizer")
    _check_depth(whole.get("normalizer"), "normalizer")
    tokens = set(learned.values())
    normalizers = read_normalizers(whole.get("normalizer"))
    form = None
    if len(normalizers) == 1 and normalizers[0].about in get_args(Normalization):
        form, normalizers = cast(Normalization, normalizers[0].about), []
    in_bytes = options.in_bytes and any(map(_BYTE_TOKEN.fullmatch, tokens))
    together = options.together and not tokens.issuperset(REMAPPED.values())
    row = None if in_bytes or together else _row_of(split, options.suffix)
    if row is not None:
        if row.marker_text == METASPACE:
            normalizers.append(TYPED_METASPACE)
        return _Reading(row, in_a_row(normalizers), form, spelling_of(row))
    pre_tokenizer = read_pre_tokenizer(split)
    normalizers += pre_tokenizer.normalizers
    if form and pre_tokenizer.normalizers:  # `normalization` is applied last, and the file's form comes first
        normalizers, form = [*read_normalizers(whole.get("normalizer")), *pre_tokenizer.normalizers], None
    if pre_tokenizer.spells_bytes:
        if in_bytes or together:
            raise BPEError(f"{FILE}, model: byte_fallback and fuse_unk are not supported with ByteLevel.")
        variant = byte_variant(pre_tokenizer.split, options.suffix)
        return _Reading(variant, in_a_row(normalizers), form, spelling_of(variant))
    space_added = any("in front" in normalizer.about for normalizer in normalizers)
    spelling = _character_spelling(tokens, options, in_bytes)
    known = frozenset(read_token(token, number, spelling, FILE) for number, token in learned.items())
    unknowns = Unknowns(known, in_bytes, options.together and not in_bytes)
    variant = character_variant(pre_tokenizer.split, options.suffix, unknowns, space_added)
    known = frozenset(single_symbols(known, variant))
    variant = character_variant(
        pre_tokenizer.split, options.suffix, Unknowns(known, in_bytes, unknowns.together), space_added
    )
    return _Reading(variant, in_a_row(normalizers), form, spelling)


def _check_depth(part: object, field: str) -> None:
    """Raise BPEError for a Sequence in a Sequence, and so on, that is nested too deeply."""
    inner = [part]
    for _ in range(MOST_NESTED):
        inner = [one for outer in inner if isinstance(outer, dict | list) for one in _values(outer)]
        if not inner:
            return
    raise BPEError(f"{FILE}, {field}: expected parts nested at most {MOST_NESTED // 2} deep.")


def _values(outer: dict[str, object] | list[object]) -> Iterable[object]:
    return outer.values() if isinstance(outer, dict) else outer


def _character_spelling(tokens: Collection[str], options: _Options, in_bytes: bool) -> Spelling:
    plain = spelling_of(character_variant(list, options.suffix, Unknowns((), False, False), False))
    if not in_bytes:
        return plain
    missing = next((value for value in range(256) if f"<0x{value:02X}>" not in tokens), None)
    if missing is not None:
        raise BPEError(
            f"{FILE}, model.byte_fallback: expected a token for every byte, <0x{missing:02X}> is missing."
        )

    def read(text: str) -> Symbol:
        match = _BYTE_TOKEN.fullmatch(text)
        if match is None:
            return plain.read(text)
        value = int(match[1], 16)
        # The token of a byte that is a character with a token of its own is never used.
        return text.encode() if chr(value) in tokens and value < 0x80 else bytes([value])

    return Spelling(plain.write, read)


def _row_of(part: object, suffix: str) -> Variant | None:
    """Return the row of `VARIANTS` that splits text as a pre-tokenizer does, if there is one."""
    plain = _plain(part)
    for slug, (split, _, suffix_here) in PARTS.items():
        if plain == _plain(split) and (suffix or None) == suffix_here:
            return VARIANTS[slug]
    match plain:
        case [("Split", {"Regex": str(pattern)}, "Removed", True), ("ByteLevel", False, False)] if not suffix:
            read_pre_tokenizer(part)  # raises BPEError for a pattern that the library reads differently
            return custom_variant(pattern)
    return None


def _plain(part: object) -> object:
    """Return a pre-tokenizer with every option that splits text written out, so that two can be compared."""
    if not isinstance(part, dict):
        return part
    kind = str(part.get("type"))
    if kind == "Sequence":
        inner = part.get("pretokenizers")
        return [_plain(one) for one in inner] if isinstance(inner, list) else part
    return _WITH_DEFAULTS[kind](part) if kind in _WITH_DEFAULTS else part


# With the library's own default for an option that is not given: older files lack some. trim_offsets splits nothing.
_WITH_DEFAULTS: Mapping[str, Callable[[Part], object]] = {
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


def _merges(merges: list[object], spelling: Spelling) -> list[Pair]:
    """Return the merges. Each is an array of two texts or, in older versions, one text with a space between."""
    if len(merges) > MOST_MERGES:
        raise BPEError(f"{FILE}, model.merges: expected at most {MOST_MERGES:,} merges, got {len(merges):,}.")
    symbol_of: dict[str, Symbol] = {}
    pairs: dict[Pair, int] = {}
    for rank, merge in enumerate(merges):
        parts = merge.split(" ") if isinstance(merge, str) else merge
        if not (isinstance(parts, list) and len(parts) == 2 and all(isinstance(part, str) for part in parts)):
            raise BPEError(f"{FILE}, model.merges[{rank}]: expected two symbols, got {short_json(merge)}.")
        for part in parts:
            if part not in symbol_of:
                where = f"{FILE}, model.merges[{rank}]"
                symbol_of[part] = read_symbol(checked_length(part, where), spelling, where)
        pair = symbol_of[parts[0]], symbol_of[parts[1]]
        if pairs.setdefault(pair, rank) != rank:
            raise BPEError(
                f"{FILE}, model.merges[{rank}]: the merge {short_json(merge)} already stands as merge {pairs[pair]}."
            )
    return list(pairs)


def _check_unknown_runs(tokenizer: Tokenizer) -> None:
    """Raise BPEError if a run of unknown characters could be taken for a token."""
    known = single_symbols(tokenizer.ids, tokenizer.variant)
    for token in tokenizer.ids:
        if token not in known and not any(
            character.encode() in known for character in token.decode("utf-8", "replace")
        ):
            label = tokenizer.variant.label(token)
            raise BPEError(
                f"{FILE}, model.fuse_unk: not supported with the token {label!r}, whose characters are unknown."
            )


def _ignored(whole: Part, model: Part, tokenizer: Tokenizer, added: AddedTokens) -> Iterator[str]:
    """Yield a sentence for each part of the file that is not used."""
    for field in ("truncation", "padding"):
        if whole.get(field) is not None:
            yield f"{field} is ignored: a text is encoded whole."
    post_processor = whole.get("post_processor")
    if post_processor is not None and _type(post_processor) != "ByteLevel":
        yield f"post_processor {_type(post_processor)} is ignored: no special tokens are added around a text."
    decoder = whole.get("decoder")
    if decoder is not None and _type(decoder) not in _DECODERS:
        yield f"decoder {_type(decoder)} is ignored: text is joined from the tokens."
    yield from added.ignored(tokenizer)
    for name in sorted(whole.keys() - _FIELDS):
        yield f"{short_json(name)} is ignored: no part of a tokenizer.json that we know."
    for name in sorted(model.keys() - _MODEL_FIELDS):
        yield f"model.{short_json(name)} is ignored: no option of a model that we know."
    if tokenizer.unknown is None and not (tokenizer.variant.unit == "bytes" and _has_all_bytes(tokenizer)):
        yield (
            "The file names no unknown token: what its vocabulary lacks has the id -1 here; the library drops it, and "
            "may merge its neighbours."
        )
    if tokenizer.variant.words_between_spaces and tokenizer.variant.split is str.split:
        yield "The characters U+001C to U+001F separate words here; in the library they do not."


def _type(part: object) -> str:
    return short_json(part.get("type")) if isinstance(part, dict) else short_json(part)


def _has_all_bytes(tokenizer: Tokenizer) -> bool:
    return all(bytes([value]) in tokenizer.ids for value in range(256))
