"""Normalizing as SentencePiece does: its table of characters, spaces, and a space in front.

Source: google/sentencepiece, src/normalizer.cc (Normalizer::Normalize).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import regex

from bpe.checkpoints import with_checkpoints
from bpe.formats.charsmap import plain_characters, replacements
from bpe.formats.hugging_face.normalizers import METASPACE
from bpe.formats.sentencepiece.model_file import FILE, Normalizing
from bpe.text.normalizing import Aligned, Normalizer

Piece = tuple[str, int]  # text after the change, number of characters before it
_SPACES = re.compile("  +")


def normalizer_of(rules: Normalizing, space_behind: bool, user_defined: Iterable[str]) -> Normalizer:
    """Return the normalizer of a model. Texts in `user_defined` are not changed, wherever they occur."""
    pieces = _pieces_of(rules.charsmap, list(user_defined))
    space = METASPACE if rules.escapes_spaces else " "

    def apply(text: str, begins: bool) -> str:
        before = list(with_checkpoints(list(pieces(text))))
        if not before or (rules.strips_spaces and all(piece and not piece.strip(" ") for piece, _ in before)):
            return ""
        changed = "".join(piece for piece, _ in _stripped(before, rules.strips_spaces))
        changed = changed.replace(" ", space)
        if rules.dummy_prefix and not space_behind:
            changed = space + changed
        if rules.strips_spaces:
            while changed.endswith(space):
                changed = changed.removesuffix(space)
        return changed + space if rules.dummy_prefix and space_behind else changed

    def align(text: str, begins: bool) -> Aligned:
        changed = apply(text, begins)
        if not changed:
            return "", []
        starts: list[int] = []
        at = 0
        before = list(pieces(text))
        for (piece, size), (rest, _) in zip(before, _stripped(before, rules.strips_spaces), strict=True):
            starts += _starts(at, piece if len(piece) == size else "", rest)
            at += size
        behind = rules.dummy_prefix and space_behind
        if rules.dummy_prefix and not space_behind:
            starts = [*starts[:1], *starts] or [0]
        size = len(changed) - behind
        end = starts[size] if size < len(starts) else len(text)
        return changed, list(pairwise([*starts[:size], *[end] * behind, end]))

    changes = [f"the characters of {rules.name or 'its own table'}"] if rules.charsmap else []
    changes += ["no space doubled, none around the text"] if rules.strips_spaces else []
    changes += ["▁ for every space"] if rules.escapes_spaces else []
    if rules.dummy_prefix:
        changes.append("a space behind" if space_behind else "a space in front")
    arguments = (rules, space_behind, tuple(user_defined))
    return Normalizer(", ".join(changes) or "none", apply, align, remake=lambda: (normalizer_of, arguments))


def _starts(at: int, piece: str, rest: str) -> list[int]:
    """Return where the characters that are left of a piece begin; all at its beginning if it was replaced."""
    starts: list[int] = []
    position = 0
    for character in rest:
        position = piece.index(character, position) if piece else 0
        starts.append(at + position)
        position += 1
    return starts


def _pieces_of(charsmap: bytes, user_defined: list[str]) -> Callable[[str], Iterator[Piece]]:
    """Return the function that cuts a text into the pieces that are changed, with what each becomes."""
    longest = replacements(charsmap, FILE) if charsmap else None
    plain = (
        regex.compile(f"[{regex.escape(plain_characters(charsmap), special_only=False)}]+")
        if charsmap
        else None
    )
    own = _any_of(user_defined)

    def pieces(text: str) -> Iterator[Piece]:
        at = 0
        while at < len(text):
            next_own = own.search(text, at) if own else None
            if next_own and next_own.start() == at:
                end = next_own.end()
            else:
                end = next_own.start() if next_own else len(text)
                if longest is not None and plain is not None:
                    run = plain.match(text, at, end)
                    # The last character of a run may form a key with what follows.
                    end = run.end() - (run.end() < len(text)) if run else at
            if end > at:
                yield text[at:end], end - at
                at = end
                continue
            replaced = longest(text, at) if longest else None
            yield replaced or (text[at], 1)
            at += replaced[1] if replaced else 1

    return pieces


def _any_of(texts: list[str]) -> "regex.Pattern[str] | None":
    """Return a pattern that finds the longest of these texts; None if there are none."""
    longest_first = sorted(texts, key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None


def _stripped(pieces: Iterable[Piece], strips: bool) -> Iterator[Piece]:
    """Yield the pieces without spaces at the beginning and after another space, if spaces are stripped."""
    after_space = strips
    for text, size in pieces:
        if strips and len(text) > 1 and size == len(text):
            text = _SPACES.sub(" ", text)  # a run of characters, each a piece of its own
        if after_space:
            text = text.lstrip(" ")
        yield text, size
        if text and strips:
            after_space = text.endswith(" ")
