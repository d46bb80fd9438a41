"""Variants: the ways to turn a text into words of initial symbols, and symbols into text again.

To add one, add a row to `VARIANTS`: every menu, link and test over the registry then includes it. `Variant`
documents the fields.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import regex

from bpe.checks import shortened_repr
from bpe.remake import row_of
from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError
from bpe.text.regexes import patterns
from bpe.text.regexes.matches import find_matches
from bpe.text.regexes.patterns import GPT2_PATTERN, GPT4_PATTERN
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
from bpe.text.variant import Unit, Variant

__all__ = ["VARIANTS", "Unit", "Variant", "custom_variant", "uncovered"]


def custom_variant(pattern: str, unit: Unit = "bytes") -> Variant:
    """Return the variant whose pre-tokens are the matches of a pattern in `regex` syntax.

    Text between the matches is dropped: `uncovered` lists it. Raises BPEError when the pattern does not compile or is
    too large, and from `split` when matching takes longer than `patterns.TIME_LIMIT`.
    """
    if unit not in ("bytes", "characters"):
        raise BPEError(
            f"The unit of a custom variant must be 'bytes' or 'characters', got {shortened_repr(unit)}."
        )
    if not isinstance(pattern, str):
        raise BPEError(f"The pattern must be a text, got {shortened_repr(pattern)}.")
    if regex.search(r"[\ud800-\udfff]", pattern):
        raise BPEError(f"The pattern must not hold lone surrogates, got {shortened_repr(pattern)}.")
    matcher = patterns.compile_typed(pattern)
    if matcher.flags & regex.REVERSE:  # pre-tokens must come in the order of the text
        raise BPEError("The pattern must not have the flag r, which searches backwards.")
    return Variant(
        slug="custom",
        title="A pattern of your own",
        brief="Your pattern says what the words are.",
        about="Every match of a pattern that you type is a pre-token. Text between the matches is left out.",
        unit=unit,
        split=lambda text: find_matches(matcher, text).texts(text),
        spell=utf8_bytes if unit == "bytes" else characters,
        spell_bytes=str.encode if unit == "bytes" else None,
        decode=join,
        lossless=False,
        loses="whatever the pattern does not match",
        pattern=pattern,
        split_pattern=pattern,
        configure=custom_variant,
        remake=lambda: (custom_variant, (pattern, unit)),
    )


def uncovered(variant: Variant, text: str) -> list[tuple[int, str]]:
    """Return the parts of the text that no pre-token covers, as (start in characters, part).

    Meant for variants made from a pattern, whose pre-tokens are parts of the text.

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
        brief="Characters; every word ends in </w>.",
        about="Splits at white space. Each word becomes its characters plus an end-of-word marker, </w>.",
        unit="characters",
        split=str.split,
        spell=characters_then_marker,
        decode=join_words_ended,
        lossless=False,
        loses="the exact white space between words, and any at the start and the end",
        words_between_spaces=True,
        marker=END_OF_WORD,
        marker_text="</w>",
        marker_is_symbol=True,
        safe_cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="char-underscore",
        title="Characters, closing underscore",
        brief="Characters; every word ends in _.",
        about="Splits at white space. Each word becomes its characters plus an end-of-word marker, _.",
        unit="characters",
        split=str.split,
        spell=characters_then_marker,
        decode=join_words_ended,
        lossless=False,
        loses="the exact white space between words, and any at the start and the end",
        words_between_spaces=True,
        marker=END_OF_WORD,
        marker_text="_",
        marker_is_symbol=True,
        safe_cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="char-eow-attached",
        title="Characters, the last one marked",
        brief="Characters; the last one carries </w>.",
        about=(
            "Splits at white space. The last character of each word carries the marker </w>, so t and t</w> are "
            "different symbols."
        ),
        unit="characters",
        split=str.split,
        spell=last_character_marked,
        decode=join_words_ended,
        lossless=False,
        loses="the exact white space between words, and any at the start and the end",
        words_between_spaces=True,
        marker=END_OF_WORD,
        marker_text="</w>",
        safe_cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="char-eow-lines",
        title="Characters, the last one marked, line by line",
        brief="The same, but line by line (subword-nmt).",
        about="Reads a file as subword-nmt does: line by line, split at plain spaces, the last character marked </w>.",
        unit="characters",
        split=lines_at_spaces,
        spell=last_character_marked,
        decode=join_words_ended,
        lossless=False,
        loses="line ends, runs of spaces, and spaces at the start and the end of a line",
        words_between_spaces=True,
        marker=END_OF_WORD,
        marker_text="</w>",
        safe_cut=patterns.BEFORE_LINE_END,
    ),
    Variant(
        slug="char-metaspace",
        title="Characters, start-of-word symbol",
        brief="Characters; every space becomes ▁.",
        about=(
            "Every space becomes the symbol ▁, which starts the next word. A text that does not begin with a space "
            "gets one."
        ),
        unit="characters",
        split=before_spaces,
        spell=marker_then_characters,
        decode=join_words_started,
        lossless=False,
        loses="whether the text began with a space",
        words_between_spaces=True,
        marker=START_OF_WORD,
        marker_text="▁",
        marker_is_symbol=True,
        safe_cut=patterns.BEFORE_SPACE,
    ),
    Variant(
        slug="bytes-whitespace",
        title="Bytes, words between white space",
        brief="The UTF-8 bytes of each word.",
        about="Splits at white space. Each word becomes its UTF-8 bytes, and nothing marks its end.",
        unit="bytes",
        split=str.split,
        spell=utf8_bytes,
        spell_bytes=str.encode,
        decode=join,
        lossless=False,
        loses="all white space: words come back glued together",
        words_between_spaces=True,
        safe_cut=patterns.BEFORE_WHITE_SPACE,
    ),
    Variant(
        slug="bytes",
        title="Bytes, the whole text as one word",
        brief="UTF-8 bytes; merges may reach across spaces.",
        about="The whole text is one long word of UTF-8 bytes, so merges can cross spaces.",
        unit="bytes",
        split=whole,
        spell=utf8_bytes,
        spell_bytes=str.encode,
        decode=join,
        lossless=True,
    ),
    Variant(
        slug="bytes-gpt2",
        title="Bytes, GPT-2 pattern",
        brief="Split by GPT-2's pattern, then UTF-8 bytes.",
        about=(
            "GPT-2's pattern splits the text into words, numbers and punctuation, each with the space before it. "
            "These are spelled in UTF-8 bytes."
        ),
        unit="bytes",
        split=patterns.splitter(GPT2_PATTERN),
        split_pattern=GPT2_PATTERN,
        spell=utf8_bytes,
        spell_bytes=str.encode,
        decode=join,
        lossless=True,
        safe_cut=patterns.GPT2_CUT,
        cut_before_spaces=True,
    ),
    Variant(
        slug="bytes-gpt4",
        title="Bytes, GPT-4 pattern",
        brief="Split by GPT-4's pattern, then UTF-8 bytes.",
        about=(
            "Like GPT-2's, but numbers are split from the left into groups of at most three digits, without the "
            "space before them. This is cl100k's pattern as minbpe writes it; today's tiktoken treats white space at "
            "the end of a text differently."
        ),
        unit="bytes",
        split=patterns.splitter(GPT4_PATTERN),
        split_pattern=GPT4_PATTERN,
        spell=utf8_bytes,
        spell_bytes=str.encode,
        decode=join,
        lossless=True,
        safe_cut=patterns.GPT4_CUT,
        cut_before_spaces=True,
    ),
    custom_variant(GPT2_PATTERN),
)


def _remade_by_slug(row: Variant) -> Variant:
    return replace(row, remake=lambda: (row_of, (__name__, "VARIANTS", row.slug)))


VARIANTS: Mapping[str, Variant] = MappingProxyType({row.slug: _remade_by_slug(row) for row in _ROWS})
