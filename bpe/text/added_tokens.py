"""Added tokens: texts that a tokenizer takes out of a text before it splits the rest into pre-tokens.

There are two kinds. Special ones, such as <|endoftext|>, are read in a text only where the caller allows it. Ordinary
ones, such as the runs of spaces that GPT-NeoX adds for source code, are always read. A pre-token never reaches across
one, and no merge changes it.

Source: huggingface/tokenizers, tokenizer/added_vocabulary.rs.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Self, SupportsIndex

import regex

from bpe.remake import Reduced, Remake, reduced
from bpe.text.normalizing import Aligned, Change, Span, begun_by_first, composed, same, through

# Rust's \w and \s
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"
_IN_WORD = regex.compile(rf"[{_WORD}]")
_SPACES = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
_Align = Callable[[str, int], Aligned]


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One added token."""

    text: str
    id: int
    special: bool = True  # read only where special tokens are allowed
    single_word: bool = False  # not read inside a word
    lstrip: bool = False  # takes the white space before it
    rstrip: bool = False  # takes the white space after it
    normalized: bool = False  # searched in the normalized text


Piece = tuple[str, AddedToken | None]  # a part of a text; the added token that it is


class PartedText(str):
    """A normalised text that knows its parts: (text, whether it is an ordinary added token)."""

    __slots__ = ("parts",)
    parts: tuple[tuple[str, bool], ...]

    @classmethod
    def of(cls, parts: Iterable[tuple[str, bool]]) -> Self:
        """Return the parts as one text. A part may know its own parts."""
        known = tuple(parts)
        text = cls("".join(part for part, _ in known))
        text.parts = known
        return text

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        """Return a part of the text; it knows its parts as well."""
        if not isinstance(key, slice) or key.step not in (None, 1):
            return super().__getitem__(key)
        start, stop, _ = key.indices(len(self))
        parts: list[tuple[str, bool]] = []
        begin = 0
        for part, is_added in self.parts:
            inside = part[max(start - begin, 0) : max(stop - begin, 0)]
            if inside:
                parts.append((inside, is_added))
            begin += len(part)
        return self.of(parts)


def aligned_as_is(text: str, begins: int) -> Aligned:
    """Return the text as it is, with its alignment."""
    return text, same(text)


def unchanged(text: str, begins: int) -> str:
    """Return the text as it is: the change of a file without a normalizer."""
    return text


@dataclass(frozen=True)
class TokenFinder:
    """Finds added tokens in a text, and changes the text between them.

    Where several begin at one character, the longest wins.

    >>> finder = TokenFinder((AddedToken("  ", 7, special=False), AddedToken("<s>", 8)))
    >>> [(piece, token and token.id) for piece, token in finder.pieces("<s>a  b")]
    [('<s>a', None), ('  ', 7), ('b', None)]
    """

    tokens: Sequence[AddedToken]
    # the normalizer: between it and `after`, tokens are searched that are `normalized`
    before: Change = unchanged
    after: Change = unchanged  # what the pre-tokenizer changes
    align_before: _Align = aligned_as_is  # `before` and `after`, with where each character comes from
    align_after: _Align = aligned_as_is
    # (text, what `before` makes of it) -> how many of its first characters come from the first one; None: `after` does
    # not ask.
    first_characters: Callable[[str, str], int] | None = None
    remake: Remake | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> Reduced:
        return reduced(self, self.remake)

    def pieces(self, text: str, begins: int = True, allow_special: bool = False) -> list[Piece]:
        """Return the parts of a text, in order, without empty ones. Text between added tokens is normalised."""
        pieces: list[Piece] = []
        for number, (part, token) in enumerate(self._plain.split(text, allow_special)):
            if token is not None:
                pieces.append((part, token))
                continue
            first = begins if number == 0 else 0
            changed = self.before(part, first)
            if first and self.first_characters:
                first = self.first_characters(part, changed)
            for start, end, inner in self._normalized.ranges(changed, allow_special):
                if inner is None:
                    pieces.append((self.after(changed[start:end], max(first - start, 0)), None))
                else:
                    pieces.append((inner.text, inner))
        return [(piece, token) for piece, token in pieces if piece]

    def change(self, text: str, begins: int) -> PartedText:
        """Return the text, normalised between its ordinary added tokens: the `apply` of a Normalizer."""
        return parted(self.pieces(text, begins))

    def aligned(self, text: str, begins: int) -> Aligned:
        """Return what `change` does, and where each character comes from; those of a token from all of it."""
        parts: list[tuple[str, bool]] = []
        origins: list[Span] = []
        for start, end, token in self._plain.ranges(text, False):
            if token is not None:
                parts.append((token.text, True))
                origins += [(start, end)] * len(token.text)
                continue
            whole = same(text)[start:end]
            changed, spans = self.align_before(text[start:end], begins and not parts)
            before = composed(whole, spans)
            for inner_start, inner_end, inner in self._normalized.ranges(changed, False):
                if inner is not None:
                    parts.append((inner.text, True))
                    origins += [through(before, (inner_start, inner_end))] * len(inner.text)
                    continue
                first = begun_by_first(before[inner_start:inner_end]) if begins else 0
                piece, spans = self.align_after(changed[inner_start:inner_end], first)
                parts.append((piece, False))
                origins += composed(before[inner_start:inner_end], spans)
        return PartedText.of(part for part in parts if part[0]), origins

    def parts(self, text: str) -> Sequence[tuple[str, bool]]:
        """Return the parts of a normalised text."""
        if isinstance(text, PartedText):
            return text.parts
        return parted(self._unnormalized.pieces(text)).parts

    @cached_property
    def _unnormalized(self) -> "TokenFinder":
        return TokenFinder(self.tokens)

    @cached_property
    def _plain(self) -> "_Search":
        return _Search([token for token in self.tokens if not token.normalized])

    @cached_property
    def _normalized(self) -> "_Search":
        return _Search(
            [token for token in self.tokens if token.normalized], lambda text: self.before(text, True)
        )


def walled(text: str) -> Iterator[str]:
    """Yield the innermost parts of a text, the text itself if it knows none. No pre-token crosses two of them."""
    if not isinstance(text, PartedText):
        yield text
        return
    for part, _ in text.parts:
        yield from walled(part)


def parted(pieces: Iterable[Piece]) -> PartedText:
    """Return pieces, none of which is a special token, as one text."""
    return PartedText.of((piece, token is not None) for piece, token in pieces)


def ordinary_tokens(tokens: Iterable[AddedToken]) -> tuple[AddedToken, ...]:
    """Return the ordinary ones, by id."""
    return tuple(sorted((token for token in tokens if not token.special), key=attrgetter("id")))


def split_at_special_tokens(text: str, special_tokens: Iterable[str]) -> list[str]:
    """Return the text between special tokens at even indices and the special tokens at odd indices.

    If several special tokens begin at one character, the longest wins.

    >>> split_at_special_tokens("<a>b<ab>", ["<a", "<a>", "<ab>"])
    ['', '<a>', 'b', '<ab>', '']
    """
    longest_first = sorted(special_tokens, key=len, reverse=True)
    if not longest_first:
        return [text]
    return regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)


class _Search:
    """A search for some added tokens."""

    def __init__(self, tokens: Iterable[AddedToken], spell: Callable[[str], str] = str) -> None:
        """Take the tokens and how their texts are spelled in the text that is searched."""
        self._token_of = {spell(token.text): token for token in tokens}
        self._token_of.pop("", None)
        self._ordinary = any(not token.special for token in self._token_of.values())
        longest_first = sorted(self._token_of, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def split(self, text: str, allow_special: bool) -> Iterator[Piece]:
        """Yield the parts of the text, in order. An added token's part is its own text, whatever it takes besides."""
        for start, end, token in self.ranges(text, allow_special):
            yield text[start:end] if token is None else token.text, token

    def ranges(self, text: str, allow_special: bool) -> Iterator[tuple[int, int, AddedToken | None]]:
        """Yield (start, end, the added token there or None) of the parts of the text, in order."""
        if not self._token_of or not (allow_special or self._ordinary):
            yield 0, len(text), None
            return
        end = 0
        for match in self._pattern.finditer(text):
            token = self._token_of[match.group()]
            if token.special and not allow_special:
                continue
            start, stop = match.span()
            if token.single_word and (
                (start and _IN_WORD.match(text, start - 1)) or _IN_WORD.match(text, stop)
            ):
                continue
            if token.lstrip:
                while start > end and text[start - 1] in _SPACES:
                    start -= 1
                start = max(start, end)
            while token.rstrip and stop < len(text) and text[stop] in _SPACES:
                stop += 1
            # A token before may have taken the white space with which this one begins. The library then gives this
            # one, too, unless nothing is left of one that takes the white space before it.
            if start >= stop:
                continue
            if end < start:
                yield end, start, None
            yield start, stop, token
            end = stop
        if end < len(text):
            yield end, len(text), None
