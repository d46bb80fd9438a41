"""How a tokenizer.json reads text: the variant that splits and spells it, and the changes made before that."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bpe.formats.file_variants import Unknowns, byte_variant, character_variant, single_symbols
from bpe.formats.hf_normalizers import METASPACE, TYPED_METASPACE, read_normalizers
from bpe.formats.hf_parts import FILE, Part
from bpe.formats.hf_pre_tokenizers import read_pre_tokenizer
from bpe.formats.spelling import Spelling, spelling_of
from bpe.formats.tokenizer_json import PARTS
from bpe.formats.vocab_json import read_token
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import BPEError, Symbol
from bpe.text.normalizations import NORMALIZATIONS, Normalization
from bpe.text.normalizer import Normalizer, in_a_row
from bpe.text.variants import VARIANTS, Variant, custom_variant

_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
MOST_NESTED = 40  # levels of objects and arrays


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of the model that change how words are spelled and encoded."""

    suffix: str
    unknown: str | None
    in_bytes: bool  # byte_fallback
    together: bool  # fuse_unk
    whole_words: bool  # ignore_merges


@dataclass(frozen=True, slots=True)
class Reading:
    """How text becomes words: a variant, and the changes made to the text before that."""

    variant: Variant
    normalizer: Normalizer | None
    normalization: Normalization | None
    spelling: Spelling


def read_reading(whole: Part, options: ModelOptions, learned: Mapping[int, str]) -> Reading:
    """Return how the file reads text. `learned` are the tokens that are not special, by id."""
    split = whole.get("pre_tokenizer")
    _check_depth(split, "pre_tokenizer")
    _check_depth(whole.get("normalizer"), "normalizer")
    tokens = set(learned.values())
    normalizers = read_normalizers(whole.get("normalizer"))
    form = _only_row(normalizers)
    if form:
        normalizers = []
    in_bytes = options.in_bytes and any(map(_BYTE_TOKEN.fullmatch, tokens))
    together = options.together and not tokens.issuperset(REMAPPED.values())
    row = None if in_bytes or together else _row_of(split, options.suffix)
    if row is not None:
        if row.marker_text == METASPACE:
            normalizers.append(TYPED_METASPACE)
        return Reading(row, in_a_row(normalizers), form, spelling_of(row))
    pre_tokenizer = read_pre_tokenizer(split)
    normalizers += pre_tokenizer.normalizers
    if form and pre_tokenizer.normalizers:  # `normalization` is applied last, and the file's form comes first
        normalizers, form = [*read_normalizers(whole.get("normalizer")), *pre_tokenizer.normalizers], None
    if pre_tokenizer.spells_bytes:
        if in_bytes or together:
            raise BPEError(f"{FILE}, model: byte_fallback and fuse_unk are not supported with ByteLevel.")
        variant = byte_variant(pre_tokenizer.split, options.suffix)
        return Reading(variant, in_a_row(normalizers), form, spelling_of(variant))
    space_added = any("in front" in normalizer.about for normalizer in normalizers)
    spelling = _character_spelling(tokens, options, in_bytes)
    known = frozenset(read_token(token, number, spelling, FILE) for number, token in learned.items())
    unknowns = Unknowns(known, in_bytes, options.together and not in_bytes)
    variant = character_variant(pre_tokenizer.split, options.suffix, unknowns, space_added)
    known = frozenset(single_symbols(known, variant))
    variant = character_variant(
        pre_tokenizer.split, options.suffix, Unknowns(known, in_bytes, unknowns.together), space_added
    )
    return Reading(variant, in_a_row(normalizers), form, spelling)


def _only_row(normalizers: Sequence[Normalizer]) -> Normalization | None:
    """Return the slug of the normalization that is the only change of a text; None if there is no such row."""
    if len(normalizers) != 1:
        return None
    return next((row.slug for row in NORMALIZATIONS.values() if row.name == normalizers[0].about), None)


def _check_depth(part: object, field: str) -> None:
    """Raise BPEError if Sequences are nested too deeply."""
    inner = [part]
    for _ in range(MOST_NESTED):
        inner = [one for outer in inner if isinstance(outer, dict | list) for one in _values(outer)]
        if not inner:
            return
    raise BPEError(f"{FILE}, {field}: expected parts nested at most {MOST_NESTED // 2} deep.")


def _values(outer: dict[str, object] | list[object]) -> Iterable[object]:
    return outer.values() if isinstance(outer, dict) else outer


def _character_spelling(tokens: Collection[str], options: ModelOptions, in_bytes: bool) -> Spelling:
    plain = spelling_of(character_variant(list, options.suffix, Unknowns((), False, False), False))
    if not in_bytes:
        return plain
    missing = next((value for value in range(256) if f"<0x{value:02X}>" not in tokens), None)
    if missing is not None:
        raise BPEError(
            f"{FILE}, model.byte_fallback: expected a token for every byte, but <0x{missing:02X}> is missing."
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


# Options that older files lack get the library's default. `trim_offsets` is left out: it does not affect splitting.
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
