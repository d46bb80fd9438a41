r"""Pre-tokenizers of a tokenizer.json: how Hugging Face's tokenizers splits a normalized text.

Sequence[Split(\d), ByteLevel]    "ab12 c"  ->  ["ab", "1", "2", " c"], spelled in bytes
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import regex

from bpe.formats.hugging_face.normalizers import (
    METASPACE,
    PUNCTUATION,
    SPACE_IN_FRONT,
    WHITE_SPACE,
    bert_words,
    metaspaces,
)
from bpe.formats.hugging_face.parts import FILE, Part, option, parts_of, pattern_of, type_of, unsupported
from bpe.formats.hugging_face.variants import remapped, unmapped
from bpe.formats.opened import expect, short_json
from bpe.formats.regexes import compile_literal, shared_matches
from bpe.symbols import BPEError
from bpe.text.added_tokens import PartedText, walled
from bpe.text.normalizing import Aligned, Normalizer, Span, composed, same
from bpe.text.patterns import GPT2_PATTERN, splitter

_Cut = Callable[[str], list[str]]  # text -> pieces
Piece = tuple[str, bool]  # text, whether the pattern matched it


def read_pre_tokenizer(part: object) -> _PreTokenizer:
    """Return the pre-tokenizer of the file. Raises BPEError, with the field, for one that is not supported."""
    read = [_PRE_TOKENIZERS[kind](one, field) for kind, one, field in _flat(part, "pre_tokenizer")]
    levels = [number for number, one in enumerate(read) if one.spells_bytes]
    if len(levels) > 1:
        raise BPEError(f"expected one ByteLevel in a Sequence, got {len(levels)}.", FILE, "pre_tokenizer")
    end = levels[0] + 1 if levels else len(read)
    before, behind = read[:end], read[end:]
    if any(one.normalizers for one in behind):
        raise BPEError("Metaspace is not supported after ByteLevel.", FILE, "pre_tokenizer")
    last_change = max((number for number, one in enumerate(before) if one.normalizers), default=0)
    normalizers = list(before[0].normalizers) if before else []
    if last_change:
        steps: list[Normalizer | _Cut] = []
        for one in before[:last_change]:
            steps += [*one.normalizers, *one.cuts]
        normalizers = [_in_pieces([*steps, *before[last_change].normalizers])]
    return _PreTokenizer(
        normalizers,
        [cut for one in before[last_change:] for cut in one.cuts],
        spells_bytes=bool(levels),
        cuts_bytes=[cut for one in behind for cut in one.cuts],
        keeps_text=all(one.keeps_text for one in read),
    )


def _merge_with_previous(pieces: Sequence[Piece]) -> list[str]:
    merged: list[str] = []
    after_match = False
    for text, matched in pieces:
        if matched and not after_match and merged:
            merged[-1] += text
        else:
            merged.append(text)
        after_match = matched
    return merged


def _merge_with_next(pieces: Sequence[Piece]) -> list[str]:
    backwards = [(text[::-1], matched) for text, matched in reversed(pieces)]
    return [text[::-1] for text in reversed(_merge_with_previous(backwards))]


# tokenizers, tokenizer/pattern.rs and normalizer.rs, SplitDelimiterBehavior
_BEHAVIORS: Mapping[str, Callable[[Sequence[Piece]], list[str]]] = {
    "Isolated": lambda pieces: [text for text, _ in pieces],
    "Removed": lambda pieces: ["" if matched else text for text, matched in pieces],
    "MergedWithPrevious": _merge_with_previous,
    "MergedWithNext": _merge_with_next,
    "Contiguous": lambda pieces: [
        "".join(text for text, _ in run) for _, run in groupby(pieces, key=lambda piece: piece[1])
    ],
}


def _byte_level(part: Part, field: str) -> _PreTokenizer:
    prefix = option(part, "add_prefix_space", bool, True, field)
    pattern = option(part, "use_regex", bool, True, field)
    return _PreTokenizer(
        normalizers=[SPACE_IN_FRONT] if prefix else [],
        cuts=[splitter(GPT2_PATTERN)] if pattern else [],
        spells_bytes=True,
    )


def _metaspace(part: Part, field: str) -> _PreTokenizer:
    if part.get("replacement", METASPACE) != METASPACE:
        raise BPEError(f"expected ▁, got {short_json(part['replacement'])}.", FILE, f"{field}.replacement")
    older = "always" if option(part, "add_prefix_space", bool, True, field) else "never"
    scheme = option(part, "prepend_scheme", str, older, field)
    if scheme not in ("always", "first", "never"):
        raise BPEError(
            f"expected always, first or never, got {short_json(scheme)}.", FILE, f"{field}.prepend_scheme"
        )
    # Only before every ▁.
    cut = partial(regex.findall, rf"{METASPACE}[^{METASPACE}]*|[^{METASPACE}]+")
    splits = option(part, "split", bool, True, field)
    return _PreTokenizer(normalizers=[metaspaces(scheme)], cuts=[cut] if splits else [])


def _split(part: Part, field: str) -> _PreTokenizer:
    behavior = _behavior(part, field)
    return _cutting(pattern_of(part, field), behavior, option(part, "invert", bool, False, field))


def _white_space_split(part: Part, field: str) -> _PreTokenizer:
    cut = partial(regex.findall, rf"\P{WHITE_SPACE[2:]}+")
    return _PreTokenizer(normalizers=[], cuts=[cut], keeps_text=False)


def _words_and_signs(part: Part, field: str) -> _PreTokenizer:
    word = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"  # Rust's \w
    cut = partial(regex.findall, rf"[{word}]+|[^{word}\p{{White_Space}}]+")
    return _PreTokenizer(normalizers=[], cuts=[cut], keeps_text=False)


def _digits(part: Part, field: str) -> _PreTokenizer:
    alone = option(part, "individual_digits", bool, False, field)
    return _cutting(regex.compile(r"\p{N}"), "Isolated" if alone else "Contiguous")


def _punctuation(part: Part, field: str) -> _PreTokenizer:
    return _cutting(regex.compile(PUNCTUATION), _behavior(part, field, "Isolated"))


def _bert(part: Part, field: str) -> _PreTokenizer:
    return _PreTokenizer(normalizers=[], cuts=[bert_words], keeps_text=False)


def _delimiter(part: Part, field: str) -> _PreTokenizer:
    delimiter = expect(part.get("delimiter"), str, FILE, f"{field}.delimiter")
    if len(delimiter) != 1:
        raise BPEError(f"expected one character, got {short_json(delimiter)}.", FILE, f"{field}.delimiter")
    return _cutting(compile_literal(delimiter), "Removed")


# Those inside a Sequence are read one by one.
_PRE_TOKENIZERS: Mapping[str, Callable[[Part, str], _PreTokenizer]] = {
    "ByteLevel": _byte_level,
    "Metaspace": _metaspace,
    "Split": _split,
    "WhitespaceSplit": _white_space_split,
    "Whitespace": _words_and_signs,
    "Digits": _digits,
    "Punctuation": _punctuation,
    "BertPreTokenizer": _bert,
    "CharDelimiterSplit": _delimiter,
}


@dataclass(frozen=True, slots=True)
class _PreTokenizer:
    """A pre-tokenizer: the changes it makes to the text, and how it then splits the text."""

    normalizers: Sequence[Normalizer]
    cuts: Sequence[_Cut]
    spells_bytes: bool = False
    cuts_bytes: Sequence[_Cut] = ()  # come after ByteLevel: they work on bytes as GPT-2's files write them
    keeps_text: bool = True  # no cut leaves a part of the text out

    def split(self, text: str) -> list[str]:
        """Return the pre-tokens of a text to which the normalizers have been applied.

        One that begins or ends inside a character is written as `unmapped` does.
        """
        pieces = _pieces_after(walled(text), self.cuts)
        if self.cuts_bytes:
            return list(map(unmapped, _pieces_after(map(remapped, pieces), self.cuts_bytes)))
        return pieces


def _pieces_after(pieces: Iterable[str], cuts: Sequence[_Cut]) -> list[str]:
    """Return the pieces after several cuts, without empty ones."""
    for cut in cuts:
        pieces = [part for piece in pieces for part in cut(piece)]
    return [piece for piece in pieces if piece]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a text: where its characters come from, if that is asked for, and how many from the first one.

    All up to the last change is then a normalization. Its text knows its pieces, since no pre-token crosses two of
    them.
    """

    text: str
    origins: list[Span] | None
    begins: int


def _in_pieces(steps: Sequence[Normalizer | _Cut]) -> Normalizer:
    """Return the normalizer that changes the pieces of a text, with the splits between the changes."""

    def pieces_of(text: str, begins: int, is_aligned: bool) -> list[_Piece]:
        pieces = [_Piece(text, same(text) if is_aligned else None, begins)]
        for step in steps:
            parts = (
                partial(_changed, change=step) if isinstance(step, Normalizer) else partial(_cut, cut=step)
            )
            pieces = [part for piece in pieces for part in parts(piece)]
        return pieces

    changes = [step for step in steps if isinstance(step, Normalizer)]

    def apply(text: str, begins: int) -> str:
        return PartedText.of((piece.text, False) for piece in pieces_of(text, begins, False))

    def align(text: str, begins: int) -> Aligned:
        pieces = pieces_of(text, begins, True)
        origins = [span for piece in pieces for span in piece.origins or ()]
        return PartedText.of((piece.text, False) for piece in pieces), origins

    return Normalizer(
        ", ".join(f"{change.about} of every piece" for change in changes),
        apply,
        align,
        any(change.adds_space for change in changes),
        any(change.asks_beginning for change in changes),
    )


def _changed(piece: _Piece, change: Normalizer) -> Iterator[_Piece]:
    if piece.origins is None:
        text = change.apply(piece.text, piece.begins)
        # What is put in front comes from the first character as well.
        yield _Piece(text, None, piece.begins and piece.begins + len(text) - len(piece.text))
    else:
        text, spans = change.aligned(piece.text, piece.begins)
        begins = piece.begins and piece.begins + len(text) - len(piece.text)
        yield _Piece(text, composed(piece.origins, spans), begins)


def _cut(piece: _Piece, cut: _Cut) -> Iterator[_Piece]:
    end = gap = 0
    for part in cut(piece.text):
        if not part:
            gap = 1  # a match that is removed has a character at least
            continue
        start = piece.text.find(part, end + gap)
        end, gap = start + len(part), 0
        origins = None if piece.origins is None else piece.origins[start:end]
        yield _Piece(part, origins, max(piece.begins - start, 0))


def _flat(part: object, field: str) -> Iterable[tuple[str, Part, str]]:
    """Yield (type, part, field) of every part that is no Sequence."""
    if part is None:
        return
    kind = type_of(part, field)
    assert isinstance(part, dict)
    if kind == "Sequence":
        for number, inner in enumerate(parts_of(part, "pretokenizers", field)):
            yield from _flat(inner, f"{field}.pretokenizers[{number}]")
    elif kind in _PRE_TOKENIZERS:
        yield kind, part, field
    else:
        raise unsupported(field, kind, ["Sequence", *_PRE_TOKENIZERS])


def _behavior(part: Part, field: str, default: str | None = None) -> str:
    """Return what happens to the matches. Raises BPEError, with the field, for an unknown behavior."""
    behavior = expect(part.get("behavior", default), str, FILE, f"{field}.behavior")
    if behavior not in _BEHAVIORS:
        raise BPEError(
            f"expected one of {', '.join(_BEHAVIORS)}, got {short_json(behavior)}.", FILE, f"{field}.behavior"
        )
    return behavior


def _cutting(pattern: regex.Pattern[str], behavior: str, invert: bool = False) -> _PreTokenizer:
    combine = _BEHAVIORS[behavior]

    def cut(text: str) -> list[str]:
        pieces: list[Piece] = []
        end = 0
        for start, next_end in shared_matches(pattern, text):
            if start > end:
                pieces.append((text[end:start], invert))
            if start < next_end:
                pieces.append((text[start:next_end], not invert))
            end = next_end
        if end < len(text):
            pieces.append((text[end:], invert))
        return combine(pieces)

    return _PreTokenizer(normalizers=[], cuts=[cut], keeps_text=behavior != "Removed")
