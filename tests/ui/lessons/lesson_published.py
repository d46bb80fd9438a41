"""The facts of lessons about published vocabularies and about parity-aware BPE."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import regex

from bpe.analysis.parity_aware import ParityResult, parity_aware
from bpe.encoding.encoders import DEFAULT_ENCODER, Encoder
from bpe.encoding.tokenizer import Tokenizer
from published.packing import open_published
from published.rows import PUBLISHED
from tests.ui.lessons.lesson_claim import Claim
from ui import lessons

Split = Callable[[str], list[str]]
HEX = re.compile(r"(?:<0x[0-9A-F]{2}>)+")


@cache
def vocabulary(slug: str) -> Tokenizer:
    return open_published(slug).tokenizer


def labels(tokenizer: Tokenizer, text: str, encoder: str | Encoder = DEFAULT_ENCODER) -> list[str]:
    """Return the tokens of a text, with bytes written as in lessons: E0 A4."""
    plain = (tokenizer.variant.label(token) for token in tokenizer.tokens(text, encoder))
    return [HEX.sub(lambda match: " ".join(re.findall("0x(..)", match[0])), label) for label in plain]


def split_by_published(claim: Claim) -> Split:
    return lambda text: labels(vocabulary(claim.by), text)


def split_by_parity(claim: Claim) -> Split:
    tokenizer = parity_tokenizer(claim, claim.merges)
    return lambda text: labels(tokenizer, text)


PUBLISHED_SPLITS: Mapping[str, Callable[[Claim], Split]] = {
    **dict.fromkeys(PUBLISHED, split_by_published),
    "parity-aware": split_by_parity,
}


def letters(claim: Claim) -> int:
    """Return how many tokens of a published vocabulary are whole characters with one of a script among them."""
    of_script = regex.compile(rf"\p{{{claim.script}}}")
    return sum(bool(of_script.search(_text(token))) for token in vocabulary(claim.by).vocabulary)


def _text(token: bytes) -> str:
    """Return the characters of a token; an empty text for parts of characters."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return ""


@cache
def parity(slug: str) -> ParityResult:
    """Train parity-aware BPE on the lines of a lesson, each a document with its number as its name."""
    lesson = lessons.lessons()[slug]
    lines = lesson.corpus.reading_text.splitlines()
    documents = {str(number): line for number, line in enumerate(lines, start=1)}
    return parity_aware(documents, **lesson.recipe.settings)


def parity_tokenizer(claim: Claim, merges: int) -> Tokenizer:
    return parity(claim.lesson.slug).trace.tokenizer(merges)


def parity_lines(claim: Claim) -> list[int]:
    """Return how many tokens each line needs."""
    tokenizer = parity_tokenizer(claim, claim.merges)
    return [len(tokenizer.encode(line)) for line in claim.lesson.corpus.reading_text.splitlines()]


def parity_merge(claim: Claim) -> bool:
    """Check which line chooses a merge, how often the pair occurs there, and perhaps the pair."""
    step = parity(claim.lesson.slug).steps[claim.merge - 1]
    pair = claim.pair_of(claim.pair) if "pair" in claim.fact else step.pair
    return (step.document, step.count, step.pair) == (str(claim.fact["line"]), claim.count, pair)


def parity_differs(claim: Claim) -> int:
    """Return the number of the first merge that differs from BPE's."""
    both = zip(parity(claim.lesson.slug).trace.merges, claim.trace.merges, strict=True)
    return next(number for number, (one, other) in enumerate(both, start=1) if one != other)


def own_lines(claim: Claim) -> list[int]:
    return [
        claim.line_tokens(number)
        for number in range(1, len(claim.lesson.corpus.reading_text.splitlines()) + 1)
    ]


PUBLISHED_FIGURES: dict[str, Callable[[Claim], Any]] = {
    "length_of": lambda claim: len(claim.text),
    "line_total": lambda claim: sum(own_lines(claim)),
    "parity_choices": lambda claim: sum(
        step.document == str(claim.fact["line"]) for step in parity(claim.lesson.slug).steps[: claim.merges]
    ),
    "parity_differs": parity_differs,
    "parity_tokens": lambda claim: parity_lines(claim)[claim.fact["line"] - 1],
    "parity_total": lambda claim: sum(parity_lines(claim)),
    "published_length": lambda claim: len(vocabulary(claim.by).encode(claim.text)),
    "published_letters": letters,
}

PUBLISHED_CHECKS: dict[str, Callable[[Claim], bool]] = {
    "line_range": lambda claim: [min(own_lines(claim)), max(own_lines(claim))] == claim.are,
    "parity_merge": parity_merge,
    "parity_range": lambda claim: [min(parity_lines(claim)), max(parity_lines(claim))] == claim.are,
    "published_ids": lambda claim: list(vocabulary(claim.by).encode(claim.text)) == claim.are,
    "published_pieces": lambda claim: list(vocabulary(claim.by).variant.split(claim.text)) == claim.are,
}
