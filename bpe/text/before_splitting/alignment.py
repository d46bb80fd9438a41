"""Alignment: which characters of a text the characters of the changed text come from.

Where a change is one of Hugging Face's, it is aligned as there (tokenizers, tokenizer/normalizer.rs): a character that
is put in comes from its neighbour, and what several characters become comes from the first of them.
"""

from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher

import regex

Span = tuple[int, int]  # (start, end) in characters
Aligned = tuple[str, list[Span]]  # a changed text, and where each of its characters comes from

# Characters that Unicode's forms may join or reorder, but for some rare ones
_JOINED = regex.compile(r"[\u1100-\u11FF\uAC00-\uD7A3][\u1100-\u11FF]*|\P{M}\p{M}*|\p{M}+", regex.DOTALL)


def same(text: str) -> list[Span]:
    """Return the alignment of a text that is not changed."""
    return [(at, at + 1) for at in range(len(text))]


def composed(first: list[Span], then: list[Span]) -> list[Span]:
    """Return the alignment of two changes, one after the other."""
    return [through(first, span) for span in then]


def through(origins: list[Span], span: Span) -> Span:
    """Return where a span of a changed text comes from."""
    start, end = span
    if start < end:
        return origins[start][0], origins[end - 1][1]
    at = origins[start][0] if start < len(origins) else origins[-1][1] if origins else 0
    return at, at


def each(text: str, change: Callable[[str], str]) -> Aligned:
    """Return the text with each character changed by itself.

    >>> each("aßb", str.upper)
    ('ASSB', [(0, 1), (1, 2), (1, 2), (2, 3)])
    """
    parts = list(map(change, text))
    return "".join(parts), [(at, at + 1) for at, part in enumerate(parts) for _ in part]


def form(text: str, change: Callable[[str], str]) -> Aligned:
    r"""Return the text in a form of Unicode, which may join characters to one, or split one.

    >>> import unicodedata
    >>> form("e\u0301a", lambda text: unicodedata.normalize("NFC", text))
    ('éa', [(0, 1), (2, 3)])
    """
    changed, origins = "", list[Span]()
    for part in _JOINED.finditer(text):
        piece = change(part.group())
        changed += piece
        origins += _within(part.start(), part.end() - part.start(), len(piece))
    whole = change(text)
    return (whole, origins) if changed == whole else unknown(text, whole)


def _within(start: int, size: int, new_size: int) -> Iterator[Span]:
    """Yield the origins of the new characters: the first comes from the first, the last ones from the last ones."""
    for number in range(new_size):
        at = number if number == 0 or new_size >= size else size - new_size + number
        at = start + min(at, size - 1)
        yield at, at + 1


def replaced(text: str, matches: Iterable[Span], content: str) -> Aligned:
    """Return the text with a content in the place of each match: it comes from the last character there.

    >>> replaced("a--b", [(1, 3)], "~~~")
    ('a~~~b', [(0, 1), (2, 3), (2, 3), (2, 3), (3, 4)])
    """
    changed: list[str] = []
    origins: list[Span] = []
    end = 0
    for start, next_end in matches:
        changed += [text[end:start], content]
        origins += [(at, at + 1) for at in range(end, start)]
        origins += [(max(next_end - 1, 0), next_end)] * len(content)
        end = next_end
    origins += [(at, at + 1) for at in range(end, len(text))]
    return "".join([*changed, text[end:]]), origins


def in_front(text: str, added: str) -> Aligned:
    """Return the text with another one in front, which comes from the first character."""
    return added + text, [(0, 1)] * len(added) + same(text)


def unknown(text: str, changed: str) -> Aligned:
    """Return the alignment of a change that nothing more is known of: characters that stay are found again."""
    if len(text) == len(changed):
        return changed, same(text)
    origins: list[Span] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, text, changed, False).get_opcodes():
        if kind == "equal":
            origins += [(at, at + 1) for at in range(start, end)]
        elif new_end > new_start:
            origins += [(start, end) if end > start else (max(start - 1, 0), start)] * (new_end - new_start)
    return changed, origins
