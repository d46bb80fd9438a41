"""How a tokenizer.json reads text: the variant that splits and spells it, and the changes made before that."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bpe.formats.hugging_face.normalizers import METASPACE, TYPED_METASPACE, read_normalizers
from bpe.formats.hugging_face.parts import FILE, Part
from bpe.formats.hugging_face.pre_tokenizers import read_pre_tokenizer
from bpe.formats.hugging_face.variants.file_variants import (
    Unknowns,
    byte_variant,
    character_variant,
    single_symbols,
    with_added_tokens,
    without_unknown,
)
from bpe.formats.hugging_face.variants.marked_variants import (
    prefixed_spelling,
    prefixed_variant,
    remapped_variant,
)
from bpe.formats.hugging_face.variants.variant_rows import PARTS
from bpe.formats.shared_patterns.shared_regex import translate
from bpe.formats.spelling import Spelling, spelling_of
from bpe.formats.vocab_json import read_token
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import BPEError, Symbol
from bpe.text.added_tokens import (
    AddedToken,
    TokenFinder,
    aligned_as_is,
    ordinary_tokens,
    unchanged,
)
from bpe.text.normalizing import Normalization, Normalizer, in_a_row
from bpe.text.variants import VARIANTS, Variant, custom_variant

BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
MOST_NESTED = 40  # levels of objects and arrays


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of the model that change how words are spelled and encoded."""

    suffix: str
    unknown: str | None
    in_bytes: bool  # byte_fallback
    together: bool  # fuse_unk
    whole_words: bool  # ignore_merges
    prefix: str = ""  # continuing_subword_prefix


@dataclass(frozen=True, slots=True)
class Reading:
    """How text becomes words: a variant, and the changes made to the text before that."""

    variant: Variant
    normalizer: Normalizer | None
    normalization: Normalization | None
    spelling: Spelling
    finder: TokenFinder | None = None


def read_reading(
    whole: Part, options: ModelOptions, learned: Mapping[int, str], added: Sequence[AddedToken]
) -> Reading:
    """Return how the file reads text. `learned` are the tokens that the model makes, by id."""
    split = whole.get("pre_tokenizer")
    _check_depth(split, "pre_tokenizer")
    _check_depth(whole.get("normalizer"), "normalizer")
    ordinary = ordinary_tokens(added)
    tokens = set(learned.values())
    before = read_normalizers(whole.get("normalizer"))
    in_bytes = options.in_bytes and any(map(BYTE_TOKEN.fullmatch, tokens))
    all_bytes = tokens.issuperset(REMAPPED.values())
    together = options.together and not all_bytes
    dropped = options.unknown is None and not in_bytes and not all_bytes
    is_plain = not (in_bytes or together or dropped or ordinary or options.prefix)
    row = _row_of(split, options.suffix) if is_plain else None
    if row is not None:
        after = [TYPED_METASPACE] if row.marker_text == METASPACE else []
        variant, spelling = row, spelling_of(row)
    else:
        pre_tokenizer = read_pre_tokenizer(split)
        after = list(pre_tokenizer.normalizers)
        if pre_tokenizer.spells_bytes:
            if options.prefix:
                raise BPEError(
                    "not supported with the pre-tokenizer ByteLevel.", FILE, "model.continuing_subword_prefix"
                )
            if in_bytes or together:
                raise BPEError("byte_fallback and fuse_unk are not supported with ByteLevel.", FILE, "model")
            variant = byte_variant(pre_tokenizer.split, options.suffix)
            spelling = spelling_of(variant)
            if dropped:
                variant = without_unknown(variant, _symbols(learned, spelling))
        else:
            spelling = _character_spelling(tokens, options, in_bytes)
            # A byte token is read as its byte, but it is no character of the vocabulary.
            known = _symbols(
                {n: text for n, text in learned.items() if not BYTE_TOKEN.fullmatch(text)}, spelling
            )
            space_added = any(normalizer.adds_space for normalizer in (*before, *after))

            def spelled(known: Collection[Symbol]) -> Variant:
                unknowns = Unknowns(known, in_bytes, together and not in_bytes)
                variant = character_variant(pre_tokenizer.split, options.suffix, unknowns, space_added)
                if options.prefix:
                    return prefixed_variant(variant, unknowns)
                return remapped_variant(variant) if pre_tokenizer.remaps else variant

            known = frozenset(single_symbols(known, spelled(known)))
            variant = without_unknown(spelled(known), known) if dropped else spelled(known)
    return _with_added(Reading(variant, None, None, spelling), before, after, added)


def _with_added(
    reading: Reading, before: list[Normalizer], after: list[Normalizer], added: Sequence[AddedToken]
) -> Reading:
    """Return the reading with the changes made before and after added tokens are searched in the text."""
    normalizer = in_a_row([*before, *after])
    form = before[0].row if len(before) == 1 and not after else None
    first, then = in_a_row(before), in_a_row(after)
    finder = (
        TokenFinder(
            added,
            first.apply if first else unchanged,
            then.apply if then else unchanged,
            first.aligned if first else aligned_as_is,
            then.aligned if then else aligned_as_is,
        )
        if added
        else None
    )
    if finder is None or not ordinary_tokens(added):
        # `normalization` is applied last.
        return replace(reading, normalizer=None if form else normalizer, normalization=form, finder=finder)
    if normalizer is not None:
        normalizer = replace(normalizer, apply=finder.change, align=finder.aligned)
    return replace(
        reading, variant=with_added_tokens(reading.variant, finder), normalizer=normalizer, finder=finder
    )


def _symbols(learned: Mapping[int, str], spelling: Spelling) -> frozenset[Symbol]:
    return frozenset(read_token(token, number, spelling, FILE) for number, token in learned.items())


def _check_depth(part: object, field: str) -> None:
    """Raise BPEError if Sequences are nested too deeply."""
    inner = [part]
    for _ in range(MOST_NESTED):
        inner = [one for outer in inner if isinstance(outer, dict | list) for one in _values(outer)]
        if not inner:
            return
    raise BPEError(f"expected parts nested at most {MOST_NESTED // 2} deep.", FILE, field)


def _values(outer: dict[str, object] | list[object]) -> Iterable[object]:
    return outer.values() if isinstance(outer, dict) else outer


def _character_spelling(tokens: Collection[str], options: ModelOptions, in_bytes: bool) -> Spelling:
    plain = spelling_of(character_variant(list, options.suffix, Unknowns((), False, False), False))
    if options.prefix:
        return prefixed_spelling(plain, options.prefix)
    if not in_bytes:
        return plain
    # A byte that is a character with a token of its own needs no other.
    missing = next(
        (
            value
            for value in range(256)
            if f"<0x{value:02X}>" not in tokens and not (value < 0x80 and chr(value) in tokens)
        ),
        None,
    )
    if missing is not None:
        raise BPEError(
            f"expected a token for every byte, but <0x{missing:02X}> is missing.", FILE, "model.byte_fallback"
        )

    def read(text: str) -> Symbol:
        match = BYTE_TOKEN.fullmatch(text)
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
            return custom_variant(translate(pattern, (FILE, "")))
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
