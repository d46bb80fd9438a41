"""The glossary: what each term of the app means, and where sentences use it. The terms are in `glossary.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("glossary.toml")
# {slug: name} of what terms are about, in the order in which one meets them
TOPICS = {"tokens": "Tokens", "training": "Training", "text": "Text and bytes"}


@dataclass(frozen=True, slots=True)
class Term:
    """One term."""

    term: str
    topic: str  # a slug of TOPICS
    forms: tuple[str, ...]  # as sentences write it
    means: str
    see: str  # slug of a lesson
    shows: tuple[str, ...] = ()  # slugs that its picture needs
    moves: str = ""  # a sentence with a number to drag, with which its picture moves; "" if it stands still
    at: int = 0  # merges in the picture that moves, at first

    @property
    def slug(self) -> str:
        """The term in a link or a key: lower case, with hyphens.

        >>> Term("byte pair encoding (BPE)", "training", (), "", "").slug
        'byte-pair-encoding-bpe'
        """
        return "-".join(re.findall(r"[a-z0-9]+", self.term.lower()))


@cache
def terms() -> Mapping[str, Term]:
    """Return all terms by slug, in dictionary order."""
    rows = tomllib.loads(_FILE.read_text("utf-8"))["terms"]
    all_terms = [
        Term(**{**row, "forms": tuple(row["forms"]), "shows": tuple(row.get("shows", ()))}) for row in rows
    ]
    return {term.slug: term for term in sorted(all_terms, key=lambda term: term.term.lower())}


@cache
def _by_form() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern of all forms, the longest first, and {form in lower case: slug}."""
    slug_of = {form.lower(): term.slug for term in terms().values() for form in term.forms}
    forms = "|".join(map(re.escape, sorted(slug_of, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE), slug_of


def marked(text: str, used: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the text in pieces: (text, slug of the term it is, or ""). A term is marked once; `used` holds those.

    >>> list(marked("A pair of pairs.", set()))
    [('A ', ''), ('pair', 'pair'), (' of pairs.', '')]
    """
    pattern, slug_of = _by_form()
    start = 0
    for match in pattern.finditer(text):
        slug = slug_of[match[0].lower()]
        if slug in used:
            continue
        used.add(slug)
        if match.start() > start:
            yield text[start : match.start()], ""
        yield match[0], slug
        start = match.end()
    if start < len(text):
        yield text[start:], ""


def uses(text: str) -> set[str]:
    """Return the slugs of the terms that a text uses."""
    used: set[str] = set()
    list(marked(text, used))
    return used
