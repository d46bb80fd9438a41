"""Variants: how a text becomes words of initial symbols, and how symbols become text again.

A variant is a row: two functions (`split`: text -> pre-tokens, `spell`: pre-token -> word) and what is to be known
about them. To add one, add a row to `VARIANTS`; every test over the registry then covers it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import regex

from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError, Symbol, Word
from bpe.text import patterns
from bpe.text.display import visible_text
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN
from bpe.text.spelling import (
    before_spaces,
    characters,
    characters_then_marker,
    join,
    join_words_ended,
    join_words_started,
    last_character_marked,
    lines_at_spaces,
    marker_then_characters,
    utf8_bytes,
    whole,
)

Unit = Literal["bytes", "characters"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to cut and spell text. `lossless`: decode(all symbols of x) == x for every x without lone surrogates."""

    slug: str
    title: str
    about: str  # one sentence for whoever chooses
    unit: Unit  # what an initial symbol is made of
    split: Callable[[str], list[str]]  # text -> pre-tokens
    spell: Callable[[str], Word]  # pre-token -> initial symbols
    decode: Callable[[Iterable[Symbol]], str]  # symbols -> text; broken UTF-8 becomes U+FFFD
    lossless: bool
    loses: str = ""  # what decode cannot give back, in words
    marker: Symbol | None = None  # the byte that marks a word's end or start
    marker_text: str = ""  # how the marker is spelled
    cut: re.Pattern[str] | None = None  # where a long text may be cut, exactly; None: nowhere
    pattern: str = ""  # of the custom variant
    configure: Callable[[str, Unit], "Variant"] | None = None  # (pattern, unit) -> the variant itself

    def label(self, symbol: Symbol) -> str:
        r"""The symbol as shown: marker spelled, bytes that are no whole character as <0xE2>, white space visible.

        >>> VARIANTS["bytes"].label(b" \xe2\x82")
        '·<0xE2><0x82>'
        """
        if self.marker is None:
            return visible_text(symbol)
        parts = (visible_text(part) for part in symbol.split(self.marker))
        return self.marker_text.join(parts)

    def spelled(self, symbol: Symbol) -> bytes:
        """The symbol with its marker written out, as files hold it and as rules that compare spelled text see it.

        >>> VARIANTS["char-eow"].spelled(b"t" + END_OF_WORD)
        b't</w>'
        """
        return symbol if self.marker is None else symbol.replace(self.marker, self.marker_text.encode())

    def length(self, symbol: Symbol) -> int:
        """Length in the variant's unit: bytes, or characters, the marker counting as one.

        >>> VARIANTS["char-eow"].length("né".encode() + END_OF_WORD)
        3
        """
        if self.unit == "bytes":
            return len(symbol)
        return sum((byte & 0xC0) != 0x80 for byte in symbol)

    def symbols(self, text: str) -> list[Symbol]:
        """The text's initial symbols, one pre-token after the other."""
        return [symbol for pre_token in self.split(text) for symbol in self.spell(pre_token)]

    def normalise(self, text: str) -> str:
        """The text as this variant keeps it: what any segmentation of it joins back to."""
        return self.decode(self.symbols(text))

    def unspelled(self, text: str) -> Symbol:
        r"""The symbol a text spells, a marker at its place read as one: the inverse of `spelled` for one symbol.

        >>> VARIANTS["char-eow"].unspelled("t</w>")
        b't\xff'
        """
        if self.marker == END_OF_WORD and text.endswith(self.marker_text):
            return text.removesuffix(self.marker_text).encode() + END_OF_WORD
        if self.marker == START_OF_WORD and text.startswith(self.marker_text):
            return START_OF_WORD + text.removeprefix(self.marker_text).encode()
        return text.encode()


def custom_variant(pattern: str, unit: Unit = "bytes") -> Variant:
    """The variant whose pre-tokens are the matches of a pattern in `regex` syntax.

    Text between the matches is dropped: `uncovered` says what. Raises BPEError when the pattern does not compile,
    and from `split` when matching takes longer than `patterns.SECONDS`.
    """
    if unit not in ("bytes", "characters"):
        raise BPEError(f"The unit of a custom variant must be 'bytes' or 'characters', got {unit!r}.")
    if not isinstance(pattern, str):
        raise BPEError(f"The pattern must be a text, got {pattern!r}.")
    if regex.search(r"[\ud800-\udfff]", pattern):
        raise BPEError(f"The pattern must not hold lone surrogates, got {pattern!r}.")
    try:
        matcher = regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError) as error:
        raise BPEError(f"The pattern does not compile: {error}. Correct it, or start from GPT-2's.") from None
    return Variant(
        slug="custom",
        title="A pattern of your own",
        about="Pre-tokens are the matches of a pattern you type; what it does not match is left out.",
        unit=unit,
        split=lambda text: [match.group() for match in patterns.matches(matcher, text) if match.group()],
        spell=utf8_bytes if unit == "bytes" else characters,
        decode=join,
        lossless=False,
        loses="whatever the pattern does not match",
        pattern=pattern,
        configure=custom_variant,
    )


def uncovered(variant: Variant, text: str) -> list[tuple[int, str]]:
    """The stretches of the text that no pre-token covers, as (start in characters, stretch).

    Meant for variants made from a pattern, whose pre-tokens stand in the text as they are.

    >>> uncovered(custom_variant("[a-z]+"), "ab, cd")
    [(2, ', ')]
    """
    if not isinstance(text, str):
        raise BPEError(f"The text must be a str, got {type(text).__name__}.")
    gaps: list[tuple[int, str]] = []
    end = 0
    for pre_token in variant.split(text):
        start = text.find(pre_token, end)
        if start > end:
            gaps.append((end, text[end:start]))
        end = start + len(pre_token)
    return [*gaps, (end, text[end:])] if end < len(text) else gaps


_ROWS = (
    Variant(
        slug="char-eow",
        title="Characters, end-of-word symbol",
        about="Words stand between white space; each is spelled in characters and closed by the symbol </w>.",
        unit="characters",
        split=str.split,
        spell=characters_then_marker,
        decode=join_words_ended,
        lossless=False,
        loses="which white space stood between two words, and any at the start and the end",
        marker=END_OF_WORD,
        marker_text="</w>",
        cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="char-underscore",
        title="Characters, closing underscore",
        about="Words stand between white space; each is spelled in characters and closed by the symbol _.",
        unit="characters",
        split=str.split,
        spell=characters_then_marker,
        decode=join_words_ended,
        lossless=False,
        loses="which white space stood between two words, and any at the start and the end",
        marker=END_OF_WORD,
        marker_text="_",
        cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="char-eow-attached",
        title="Characters, the last one marked",
        about=(
            "Words stand between white space; the last character of each carries the mark </w>, so t and "
            "t</w> differ."
        ),
        unit="characters",
        split=str.split,
        spell=last_character_marked,
        decode=join_words_ended,
        lossless=False,
        loses="which white space stood between two words, and any at the start and the end",
        marker=END_OF_WORD,
        marker_text="</w>",
        cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="char-eow-lines",
        title="Characters, the last one marked, line by line",
        about="As subword-nmt reads a file: line by line, cut at plain spaces only, the last character marked </w>.",
        unit="characters",
        split=lines_at_spaces,
        spell=last_character_marked,
        decode=join_words_ended,
        lossless=False,
        loses="line ends, runs of spaces, and spaces at the start and the end of a line",
        marker=END_OF_WORD,
        marker_text="</w>",
        cut=patterns.BEFORE_LINE_END,
    ),
    Variant(
        slug="char-metaspace",
        title="Characters, start-of-word symbol",
        about="Every space becomes the symbol ▁ and starts a word; one is put in front of the text if none is there.",
        unit="characters",
        split=before_spaces,
        spell=marker_then_characters,
        decode=join_words_started,
        lossless=False,
        loses="whether the text began with a space",
        marker=START_OF_WORD,
        marker_text="▁",
        cut=patterns.BEFORE_SPACE,
    ),
    Variant(
        slug="bytes-whitespace",
        title="Bytes, words between white space",
        about="Words stand between white space; each is spelled in UTF-8 bytes, with no mark for its end.",
        unit="bytes",
        split=str.split,
        spell=utf8_bytes,
        decode=join,
        lossless=False,
        loses="all white space: words come back joined",
        cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="bytes",
        title="Bytes, the whole text as one word",
        about="The whole text is one word of UTF-8 bytes, so merges may reach across spaces.",
        unit="bytes",
        split=whole,
        spell=utf8_bytes,
        decode=join,
        lossless=True,
    ),
    Variant(
        slug="bytes-gpt2",
        title="Bytes, GPT-2 pattern",
        about=(
            "GPT-2's pattern cuts the text into words, numbers and punctuation, each with its space in "
            "front; spelled in UTF-8 bytes."
        ),
        unit="bytes",
        split=patterns.splitter(GPT2_PATTERN),
        spell=utf8_bytes,
        decode=join,
        lossless=True,
        cut=patterns.GPT2_CUT,
    ),
    Variant(
        slug="bytes-gpt4",
        title="Bytes, GPT-4 pattern",
        about="GPT-4's pattern (cl100k) also cuts numbers into groups of three digits; spelled in UTF-8 bytes.",
        unit="bytes",
        split=patterns.splitter(GPT4_PATTERN),
        spell=utf8_bytes,
        decode=join,
        lossless=True,
        cut=patterns.GPT4_CUT,
    ),
    custom_variant(GPT2_PATTERN),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.slug: row for row in _ROWS})
