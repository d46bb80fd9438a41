r"""Superwords: the looser split of a second stage, in which a token may span several words of the first stage.

SuperBPE (Liu et al., arXiv 2503.13423) trains in two stages. The first one learns merges inside pre-tokens, as usual.
The second one splits the text with a looser pattern and learns further merges, so `by the way` can become one token.

    first stage    by| the| way|,| 12
    second stage   by the way, |12          pattern \p{N}+: each of its matches is a pre-token
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from types import MappingProxyType

import regex

from bpe.checks import check_text, shortened_repr
from bpe.symbols import END_OF_WORD, START_OF_WORD, BPEError, Symbol, Word
from bpe.text import patterns
from bpe.text.patterns import find_matches
from bpe.text.variant import Variant


def superword_variant(variant: Variant, second_pattern: str) -> Variant:
    r"""Return the variant of the second stage: a long pre-token is spelled as the words of the first stage in it.

    `second_pattern` is a slug of SECOND_PATTERNS, or a pattern in `regex` syntax. If the variant marks words, no
    word is split, since that would add a marker.

    >>> from bpe import VARIANTS
    >>> superword_variant(VARIANTS["bytes-gpt2"], r"\p{N}+").split("by the way, 12")
    ['by the way, ', '12']

    Raises BPEError for a pattern that does not compile, and from `split` for one that is too slow.
    """
    if not isinstance(second_pattern, str):
        raise BPEError(f"second_pattern must be a string, got {shortened_repr(second_pattern)}.")
    check_text(second_pattern, " of second_pattern")
    row = SECOND_PATTERNS.get(second_pattern)
    pattern = row.pattern if row else second_pattern
    matcher = patterns.compile_typed(pattern)
    if matcher.flags & regex.REVERSE:
        raise BPEError("The pattern must not have the flag r, which searches backwards.")
    first = variant.first or variant
    may_cut = (first.safe_cut or patterns.BEFORE_WHITE_SPACE) if first.marker else None
    split = partial(_split, first, matcher, may_cut)
    # The words of the first stage in a row are the text, and each symbol of it is one of theirs.
    plain = first.lossless and first.marker is None and not (first.own_symbols or first.partial_bytes)
    return replace(
        first,
        split=split,
        spell=first.spell if plain else partial(_spell, first),
        spell_bytes=first.spell_bytes if plain else None,
        safe_cut=None,
        cut_before_spaces=False,
        split_pattern="",
        first=first,
        second_pattern=pattern,
        remake=lambda: (superword_variant, (first, pattern)),
    )


@dataclass(frozen=True, slots=True)
class SecondPattern:
    """A pattern for the second stage. Each of its matches is a pre-token, and so is the text between two matches."""

    slug: str
    title: str
    pattern: str


def first_lengths(variant: Variant, pre_token: str) -> list[int]:
    """Return how many initial symbols each word of the first stage has, in a pre-token of the second.

    >>> from bpe import VARIANTS
    >>> first_lengths(superword_variant(VARIANTS["char-eow"], "lines"), "by the way")
    [3, 4, 4]
    """
    spell: Callable[[str], Word] = (variant.first or variant).spell
    return [len(spell(word)) for word in (variant.first or variant).split(pre_token)]


def words_limit(variant: Variant, most: int) -> Callable[[Symbol, Symbol], bool]:
    """Return which merges a second stage allows if a token may have at most so many words.

    A word is a part between spaces, or between the variant's markers: SuperBPE counts a part of a word as one, too
    (trainer.rs of alisawuffles/tokenizers-superbpe, with a limit of four).

    >>> from bpe import VARIANTS
    >>> limit = words_limit(VARIANTS["bytes-gpt2"], 2)
    >>> limit(b" by", b" the"), limit(b" by the", b" w")
    (True, False)
    """
    separator = (variant.first or variant).marker or b" "
    return partial(_has_few_words, separator, most)


def spans_words(token: Symbol, first: Variant) -> bool:
    """Return whether a token holds parts of more than one word of the first stage.

    Bytes of a character that is not whole are left out.

    >>> from bpe import VARIANTS
    >>> [spans_words(token, VARIANTS["bytes-gpt2"]) for token in (b" the", b" the way")]
    [False, True]
    """
    if first.marker:
        ended = first.marker == END_OF_WORD
        return first.marker in (token[:-1] if ended else token[1:])
    return len(first.split(token.decode("utf-8", "ignore"))) > 1


_ROWS = (
    SecondPattern("lines", "Inside a line", r"[\r\n]+"),
    SecondPattern("sentences", "Inside a sentence", r"[^.!?…。！？\r\n]+[.!?…。！？]*|[.!?…。！？]+|[\r\n]+"),
    # PythonNut/superbpe, scripts/extend_tokenizer.sh
    SecondPattern("superbpe", "As SuperBPE does", r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]{2,}[\r\n/]*| +(?!\S)"),
)
SECOND_PATTERNS: Mapping[str, SecondPattern] = MappingProxyType({row.slug: row for row in _ROWS})


def _split(
    first: Variant, matcher: "regex.Pattern[str]", may_cut: "re.Pattern[str] | None", text: str
) -> list[str]:
    if first.parts is not None:  # no superword reaches across an added token
        inner = replace(first, parts=None)
        return [
            piece
            for part, is_added in first.parts(text)
            for piece in ([part] if is_added else _split(inner, matcher, may_cut, part))
        ]
    if first.marker == START_OF_WORD and text and not text.startswith(" "):
        text = " " + text  # as the first stage does
    pieces = _pieces(text, list(_cuts(matcher, may_cut, text)))
    return list(pieces) if first.lossless else [piece for piece in pieces if first.split(piece)]


def _cuts(matcher: "regex.Pattern[str]", may_cut: "re.Pattern[str] | None", text: str) -> Iterator[int]:
    for start, end in find_matches(matcher, text):
        if start < end:
            for cut in (start, end):
                if may_cut is None or may_cut.match(text, cut):
                    yield cut


def _pieces(text: str, cuts: list[int]) -> Iterator[str]:
    start = 0
    for cut in (*cuts, len(text)):
        if cut > start:
            yield text[start:cut]
            start = cut


def _spell(first: Variant, pre_token: str) -> Word:
    return tuple(chain.from_iterable(map(first.spell, first.split(pre_token))))


def _has_few_words(separator: bytes, most: int, left: Symbol, right: Symbol) -> bool:
    return sum(map(bool, (left + right).split(separator))) <= most
