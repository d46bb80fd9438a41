"""Normalizers of a tokenizer.json: what Hugging Face's tokenizers does to a text before it splits it.

Characters that Unicode assigned or recased lately may differ: every library has its own tables.
"""

import binascii
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial

import regex

from bpe.formats.charsmap import by_graphemes
from bpe.formats.hugging_face.bert import bert_normalizers
from bpe.formats.hugging_face.parts import FILE, Part, option, parts_of, pattern_of, type_of, unsupported
from bpe.formats.json_fields import expect
from bpe.formats.shared_patterns.shared_regex import shared_matches
from bpe.settings.alphabets import REMAPPED
from bpe.symbols import BPEError
from bpe.text.normalizing import (
    NORMALIZATIONS,
    Aligned,
    NormalizationRow,
    Normalizer,
    each,
    in_front,
    replaced,
    same,
)

WHITE_SPACE = r"\p{White_Space}"  # Rust's char::is_whitespace; str.strip() takes U+001C to U+001F too
_STRIPPED = {
    (True, True): rf"^{WHITE_SPACE}+|{WHITE_SPACE}+\Z",
    (True, False): rf"^{WHITE_SPACE}+",
    (False, True): rf"{WHITE_SPACE}+\Z",
}
METASPACE = "▁"
MOST_ADDED = 100  # characters that a file may put in front of a text, or in the place of a match
MOST_TIMES = 10  # as long as before, and MOST_ADDED more: no text grows more than that by replacing


def read_normalizers(part: object, field: str = "normalizer") -> list[Normalizer]:
    """Return the normalizers of a part of the file. Raises BPEError, with the field, if one is not supported."""
    if part is None:
        return []
    kind = type_of(part, field)
    if kind not in _READ:
        raise unsupported(field, kind, _READ)
    assert isinstance(part, dict)
    return _READ[kind](part, field)


def _sequence(part: Part, field: str) -> list[Normalizer]:
    inner = parts_of(part, "normalizers", field)
    return [
        normalizer
        for number, one in enumerate(inner)
        for normalizer in read_normalizers(one, f"{field}.normalizers[{number}]")
    ]


def _row(row: NormalizationRow, part: Part, field: str) -> list[Normalizer]:
    return [
        Normalizer(
            row.name,
            lambda text, begins: row.apply(text),
            lambda text, begins: row.align(text),
            row=row.slug,
        )
    ]


def _strip_accents(part: Part, field: str) -> list[Normalizer]:
    def apply(text: str, begins: bool) -> str:
        return "".join(letter for letter in text if not unicodedata.category(letter).startswith("M"))

    return [
        Normalizer("without accents", apply, lambda text, begins: each(text, lambda one: apply(one, True)))
    ]


def _strip(part: Part, field: str) -> list[Normalizer]:
    sides = option(part, "strip_left", bool, True, field), option(part, "strip_right", bool, True, field)
    if sides not in _STRIPPED:
        return []
    pattern = regex.compile(_STRIPPED[sides])

    def align(text: str, begins: bool) -> Aligned:
        return replaced(text, (match.span() for match in pattern.finditer(text)), "")

    return [Normalizer("without white space around it", lambda text, begins: pattern.sub("", text), align)]


def _replace(part: Part, field: str) -> list[Normalizer]:
    pattern = pattern_of(part, field)
    content = _added_text(part, "content", field)

    def apply(text: str, begins: bool) -> str:
        rest: list[str] = []
        end = 0
        for start, next_start in shared_matches(pattern, text):
            rest.append(text[end:start])
            end = next_start
        rest.append(text[end:])
        if sum(map(len, rest)) + len(content) * (len(rest) - 1) > MOST_TIMES * len(text) + MOST_ADDED:
            raise BPEError(f"The normalizer would make this text more than {MOST_TIMES} times as long.")
        return content.join(rest)

    def align(text: str, begins: bool) -> Aligned:
        return replaced(text, shared_matches(pattern, text), content)

    return [Normalizer(f"{pattern.pattern} replaced by {content!r}", apply, align)]


def _prepend(part: Part, field: str) -> list[Normalizer]:
    start = _added_text(part, "prepend", field)
    return [
        Normalizer(
            f"{start!r} in front",
            lambda text, begins: start + text if text else text,
            lambda text, begins: in_front(text, start if text else ""),
            adds_space=start in (" ", METASPACE),
        )
    ]


def _precompiled(part: Part, field: str) -> list[Normalizer]:
    name = f"{field}.precompiled_charsmap"
    try:
        charsmap = binascii.a2b_base64(
            expect(part.get("precompiled_charsmap"), str, FILE, name), strict_mode=True
        )
    except ValueError:
        raise BPEError("expected base64.", FILE, name) from None
    return [by_graphemes(charsmap, (FILE, name))]


def _added_text(part: Part, name: str, field: str) -> str:
    """Return a text that the file adds to others. Raises BPEError for a long one, which could fill the memory."""
    added = expect(part.get(name), str, FILE, f"{field}.{name}")
    if len(added) > MOST_ADDED:
        raise BPEError(
            f"expected at most {MOST_ADDED} characters, got {len(added):,}.", FILE, f"{field}.{name}"
        )
    return added


_READ: Mapping[str, Callable[[Part, str], list[Normalizer]]] = {
    **{row.hugging_face: partial(_row, row) for row in NORMALIZATIONS.values()},
    "StripAccents": _strip_accents,
    "Strip": _strip,
    "Replace": _replace,
    "Prepend": _prepend,
    "BertNormalizer": bert_normalizers,
    "Precompiled": _precompiled,
    "Sequence": _sequence,
}


# What some pre-tokenizers do first is a normalization too.

TYPED_METASPACE = Normalizer("▁ read as a space", lambda text, begins: text.replace(METASPACE, " "))


SPACE_IN_FRONT = Normalizer(  # ByteLevel's add_prefix_space
    "a space in front",
    lambda text, begins: text if not text or text.startswith(" ") else " " + text,
    lambda text, begins: in_front(text, "" if not text or text.startswith(" ") else " "),
    adds_space=True,
)


def _remap(text: str) -> str:
    return "".join(map(REMAPPED.__getitem__, text.encode()))


REMAPPED_BYTES = Normalizer(  # ByteLevel, if other pre-tokenizers follow
    "bytes as GPT-2's files write them",
    lambda text, begins: _remap(text),
    lambda text, begins: each(text, _remap),
)


def metaspaces(scheme: str) -> Normalizer:
    """Return the normalizer of Metaspace: ▁ for every space, and in front "always", "never" or "first" of all."""

    def apply(text: str, begins: bool) -> str:
        text = text.replace(" ", METASPACE)
        prepended = scheme == "always" or (scheme == "first" and begins)
        return METASPACE + text if text and prepended and not text.startswith(METASPACE) else text

    def align(text: str, begins: bool) -> Aligned:
        changed = apply(text, begins)
        return in_front(changed[1:], METASPACE) if len(changed) > len(text) else (changed, same(changed))

    adds_space = scheme != "never"
    return Normalizer(
        "▁ for every space" + (" and in front" if adds_space else ""), apply, align, adds_space=adds_space
    )
