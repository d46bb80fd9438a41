"""Variants: the ways to turn a text into words of initial symbols, and symbols into text again.

To add one, add a row to `VARIANTS`: every menu, link and test over the registry then includes it. `Variant`
documents the fields.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import regex

from bpe.checkpoints import PART, with_checkpoints
from bpe.checks import shortened_repr
from bpe.remake import row_of
from bpe.symbols import END_OF_WORD, FIRST_OF_WORD, START_OF_WORD, BPEError, Symbol, Word
from bpe.text import patterns
from bpe.text.patterns import GPT2_PATTERN, GPT4_PATTERN, find_matches
from bpe.text.variant import Unit, Variant

__all__ = ["VARIANTS", "Unit", "Variant", "custom_variant", "uncovered"]

# Text -> pre-tokens, pre-token -> word, symbols -> text.
_EVERY_BYTE: tuple[Symbol, ...] = tuple(bytes([value]) for value in range(256))
_CHARACTER = rb"[\x00-\x7f\xc2-\xf4][\x80-\xbf]*"
_MARKER_ALONE = re.compile(_CHARACTER + rb"|[\xfe\xff]")
_OR_BYTE = re.compile(_CHARACTER + rb"|[\x80-\xff]")
_MARKER_IN_FRONT = re.compile(rb"\xfd?(?:" + _CHARACTER + rb")")
_BYTES_CODE = "tuple(bytes([byte]) for byte in word.encode())"
_MARKER_ATTACHED = re.compile(rb"(?:" + _CHARACTER + rb")\xff?")


def characters(pre_token: str) -> Word:
    """Return each character as a symbol."""
    short = len(pre_token) <= PART
    return tuple(map(str.encode, pre_token if short else with_checkpoints(pre_token)))


def characters_then_marker(pre_token: str) -> Word:
    """Return each character as a symbol, then the end-of-word marker as a symbol of its own."""
    return (*characters(pre_token), END_OF_WORD)


def last_character_marked(pre_token: str) -> Word:
    """Return each character as a symbol, the last one with the end-of-word marker attached."""
    symbols = characters(pre_token)
    return (*symbols[:-1], symbols[-1] + END_OF_WORD) if symbols else ()


def marker_then_characters(pre_token: str) -> Word:
    """Return a leading space as the start-of-word marker, then each character as a symbol."""
    if pre_token.startswith(" "):
        return (START_OF_WORD, *characters(pre_token[1:]))
    return characters(pre_token)


def utf8_bytes(pre_token: str) -> Word:
    """Return each UTF-8 byte as a symbol."""
    return each_byte(pre_token.encode())


def each_byte(encoded: bytes) -> Word:
    """Return each byte as a symbol."""
    short = len(encoded) <= PART
    return tuple(map(_EVERY_BYTE.__getitem__, encoded if short else with_checkpoints(encoded)))


def lines_at_spaces(text: str) -> list[str]:
    """Split at plain spaces, line by line, as subword-nmt reads a file."""
    return re.findall(r"[^\r\n ]+", text)  # subword-nmt, learn_bpe.get_vocabulary: a lone \r ends a line, too


def before_spaces(text: str) -> list[str]:
    """Split before every space, after adding a space in front of a text that does not begin with one."""
    if text and not text.startswith(" "):
        text = " " + text
    return re.findall(" [^ ]*", text)


def whole(text: str) -> list[str]:
    """Return the text as one pre-token; no pre-token for an empty text."""
    return [text] if text else []


def join(symbols: Iterable[Symbol]) -> str:
    """Return the bytes as text."""
    return b"".join(symbols).decode("utf-8", "replace")


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
        raise BPEError(f"The pattern must be a string, got {shortened_repr(pattern)}.")
    if regex.search(r"[\ud800-\udfff]", pattern):
        raise BPEError(f"The pattern must not hold lone surrogates, got {shortened_repr(pattern)}.")
    matcher = patterns.compile_typed(pattern)
    if matcher.flags & regex.REVERSE:  # pre-tokens must come in the order of the text
        raise BPEError("The pattern must not have the flag r, which searches backwards.")
    known = patterns.cuts_before_spaces(pattern)
    return Variant(
        slug="custom",
        title="A pattern of your own",
        brief="Your pattern says what the words are.",
        about="Every match of a pattern that you type is a pre-token. Text between the matches is left out.",
        unit=unit,
        split=patterns.splitter(pattern) if known else lambda text: find_matches(matcher, text).texts(text),
        spell=utf8_bytes if unit == "bytes" else characters,
        spell_bytes=str.encode if unit == "bytes" else None,
        decode=join,
        lossless=known,
        loses="" if known else "whatever the pattern does not match",
        cut_before_spaces=known,
        pattern=pattern,
        split_pattern=pattern,
        split_code="[match[0] for match in regex.finditer(PATTERN, text)]",
        spell_code=_BYTES_CODE if unit == "bytes" else "tuple(word)",
        configure=custom_variant,
        remake=lambda: (custom_variant, (pattern, unit)),
    )


def unknowns_together(variant: Variant, known: Collection[Symbol]) -> Variant:
    r"""Return the variant that spells neighbouring characters outside of an alphabet as one symbol, an unknown one.

    >>> unknowns_together(VARIANTS["char-metaspace"], {START_OF_WORD, b"a"}).spell(" a12a3")
    (b'\xfe', b'a', b'12', b'a', b'3')
    """
    alphabet, spell = frozenset(known), variant.spell
    return replace(
        variant,
        spell=lambda pre_token: tuple(together(spell(pre_token), alphabet)),
        spell_bytes=None,
        joins_unknown=True,
        remake=lambda: (unknowns_together, (variant, alphabet)),
    )


def together(symbols: Iterable[Symbol], known: Collection[Symbol]) -> Iterator[Symbol]:
    """Yield the symbols, neighbouring ones that the vocabulary lacks as one."""
    unknown = b""
    for symbol in symbols:
        if symbol not in known:
            unknown += symbol
            continue
        if unknown:
            yield unknown
            unknown = b""
        yield symbol
    if unknown:
        yield unknown


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


def initial_symbols(token: Symbol, variant: Variant) -> Word:
    r"""Return the token as a word of initial symbols; empty for bytes that the variant cannot spell.

    >>> from bpe import VARIANTS
    >>> initial_symbols(b"est\xff", VARIANTS["char-eow-attached"])
    (b'e', b's', b't\xff')
    """
    if token in variant.own_symbols:
        return (token,)
    attached = variant.marker is not None and not variant.marker_is_symbol
    if variant.unit == "bytes":
        if attached and len(token) > 1 and token.endswith(END_OF_WORD):
            return (*initial_symbols(token[:-2], variant), token[-2:])
        return tuple(map(_EVERY_BYTE.__getitem__, token))
    if variant.marker == FIRST_OF_WORD:
        pattern = _MARKER_IN_FRONT
    else:
        pattern = _OR_BYTE if variant.lone_bytes else _MARKER_ATTACHED if attached else _MARKER_ALONE
    symbols = pattern.findall(token)
    return tuple(symbols) if sum(map(len, symbols)) == len(token) else ()


def _join_words_ended(symbols: Iterable[Symbol]) -> str:
    """Return the bytes as text, with a space for each end-of-word marker except the last."""
    return b"".join(symbols).replace(END_OF_WORD, b" ").decode("utf-8", "replace").removesuffix(" ")


# Words of characters between white space, the end of each marked; and words of UTF-8 bytes. A row says what differs.
_ended = partial(
    Variant,
    unit="characters",
    split=str.split,
    split_code="text.split()",
    decode=_join_words_ended,
    lossless=False,
    loses="the exact white space between words, and any at the start and the end",
    words_between_spaces=True,
    marker=END_OF_WORD,
    marker_text="</w>",
    safe_cut=patterns.BEFORE_WHITE_SPACE,
)
_of_bytes = partial(
    Variant,
    unit="bytes",
    spell=utf8_bytes,
    spell_code=_BYTES_CODE,
    spell_bytes=str.encode,
    decode=join,
    lossless=True,
)


def _join_words_started(symbols: Iterable[Symbol]) -> str:
    """Return the bytes as text, with a space for each start-of-word marker except the first."""
    return b"".join(symbols).replace(START_OF_WORD, b" ").decode("utf-8", "replace").removeprefix(" ")


_ROWS = (
    _ended(
        slug="char-eow",
        title="Characters, end-of-word symbol",
        brief="Characters; every word ends in </w>.",
        about="Splits at white space. Each word becomes its characters plus an end-of-word marker, </w>.",
        spell=characters_then_marker,
        spell_code="(*word, MARK)",
        marker_is_symbol=True,
    ),
    _ended(
        slug="char-underscore",
        title="Characters, closing underscore",
        brief="Characters; every word ends in _.",
        about="Splits at white space. Each word becomes its characters plus an end-of-word marker, _.",
        spell=characters_then_marker,
        spell_code="(*word, MARK)",
        marker_text="_",
        marker_is_symbol=True,
    ),
    _ended(
        slug="char-eow-attached",
        title="Characters, the last one marked",
        brief="Characters; the last one carries </w>.",
        about=(
            "Splits at white space. The last character of each word carries the marker </w>, so t and t</w> are "
            "different symbols."
        ),
        spell=last_character_marked,
        spell_code="(*word[:-1], word[-1] + MARK)",
    ),
    _ended(
        slug="char-eow-lines",
        title="Characters, the last one marked, line by line",
        brief="Line by line; the last character has </w>.",
        about="Reads a file as subword-nmt does: line by line, split at plain spaces, the last character marked </w>.",
        split=lines_at_spaces,
        split_code=r're.findall(r"[^\r\n ]+", text)',
        spell=last_character_marked,
        spell_code="(*word[:-1], word[-1] + MARK)",
        loses="line ends, runs of spaces, and spaces at the start and the end of a line",
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
        split_code='re.findall(" [^ ]*", text and " " + text.removeprefix(" "))',
        spell_code='tuple(word[:1].replace(" ", MARK) + word[1:])',
        decode=_join_words_started,
        lossless=False,
        loses="whether the text began with a space",
        words_between_spaces=True,
        marker=START_OF_WORD,
        marker_text="▁",
        marker_is_symbol=True,
        safe_cut=patterns.BEFORE_SPACE,
    ),
    _of_bytes(
        slug="bytes-whitespace",
        title="Bytes, words between white space",
        brief="The UTF-8 bytes of each word.",
        about="Splits at white space. Each word becomes its UTF-8 bytes, and nothing marks its end.",
        split=str.split,
        split_code="text.split()",
        lossless=False,
        loses="all white space: words come back glued together",
        words_between_spaces=True,
        safe_cut=patterns.BEFORE_WHITE_SPACE,
    ),
    _of_bytes(
        slug="bytes",
        title="Bytes, the whole text as one word",
        brief="UTF-8 bytes; merges may reach across spaces.",
        about="The whole text is one long word of UTF-8 bytes, so merges can cross spaces.",
        split=whole,
        split_code="[text]",
    ),
    _of_bytes(
        slug="bytes-gpt2",
        title="Bytes, GPT-2 pattern",
        brief="Split by GPT-2's pattern, then UTF-8 bytes.",
        about=(
            "GPT-2's pattern splits the text into words, numbers and punctuation, each with the space before it. "
            "These are spelled in UTF-8 bytes."
        ),
        split=patterns.splitter(GPT2_PATTERN),
        split_pattern=GPT2_PATTERN,
        split_code="regex.findall(PATTERN, text)",
        safe_cut=patterns.GPT2_CUT,
        cut_before_spaces=True,
    ),
    _of_bytes(
        slug="bytes-gpt4",
        title="Bytes, GPT-4 pattern",
        brief="Split by GPT-4's pattern, then UTF-8 bytes.",
        about=(
            "Like GPT-2's, but numbers are split from the left into groups of at most three digits, without the "
            "space before them. This is cl100k's pattern as minbpe writes it; today's tiktoken treats white space at "
            "the end of a text differently."
        ),
        split=patterns.splitter(GPT4_PATTERN),
        split_pattern=GPT4_PATTERN,
        split_code="regex.findall(PATTERN, text)",
        safe_cut=patterns.GPT4_CUT,
        cut_before_spaces=True,
    ),
    custom_variant(GPT2_PATTERN),
)


def _remade_by_slug(row: Variant) -> Variant:
    return replace(row, remake=lambda: (row_of, (__name__, "VARIANTS", row.slug)))


VARIANTS: Mapping[str, Variant] = MappingProxyType({row.slug: _remade_by_slug(row) for row in _ROWS})
