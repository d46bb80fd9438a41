"""What the answer is about: the words that lanes split differently, one row per lane, and its figure as a bar."""

from dataclasses import dataclass
from typing import Any

from bpe.comparison.evidence import Evidence
from bpe.comparison.evidence_text import percent, percent_range
from bpe.comparison.verdict_text import HeadlinedFigure, headlined_figure
from bpe.comparison.words import WordUnderTraces
from bpe.text.display import counted
from ui.compare.grids.parts import Tokens, draw_part
from ui.compare.measures import verdict
from ui.compare.measures.comparison import Comparison

MOST_WORDS = 8  # drawn; as many as fit are seen
LONGEST = 12  # characters of a word that is drawn large
UNDECIDED = ("unlike text", "not held out")  # answers that the words of the held-out text do not support


@dataclass(frozen=True, slots=True)
class Disputed:
    """What is drawn below the answer."""

    words: list[WordUnderTraces]
    bar: dict[str, Any] | None  # ranges of shares with their texts


def disputed(comparison: Comparison, evidence: Evidence) -> Disputed | None:
    """Return the words of the answer and its bar. None if no word is split differently and no figure is known."""
    words, bar = disputed_words(comparison, evidence), bar_of(evidence)
    return Disputed(words, bar) if words or bar else None


def draw(comparison: Comparison, below: Disputed) -> None:
    """Draw the words of the answer and its bar."""

    def content(tokens: Tokens) -> dict[str, Any]:
        rows = [
            {"word": word.word.strip(), "times": f"{word.frequency:,}×", "rows": tokens.rows(word)}
            for word in below.words
        ]
        return {"words": rows, "bar": below.bar}

    draw_part("disputed", comparison, content)


def disputed_words(comparison: Comparison, evidence: Evidence) -> list[WordUnderTraces]:
    """Return the most frequent words that lanes split differently, short ones, and a word that differs in case once.

    They are words of the held-out text, or of the training text if no text could be held out that is like it.
    """
    differing = list(evidence.differing)
    if evidence.verdict.answer in UNDECIDED:
        differing = verdict.differing_corpus_words(comparison) or []
    chosen: dict[str, WordUnderTraces] = {}
    for word in differing:
        name = word.word.strip().casefold()
        if name.isprintable() and 0 < len(name) <= LONGEST:
            chosen.setdefault(name, word)
        if len(chosen) == MOST_WORDS:
            break
    return list(chosen.values())


def bar_of(evidence: Evidence) -> dict[str, Any] | None:
    """Return what the bar shows: ranges of shares with their texts. None for an answer without an interval."""
    if evidence.verdict.answer not in ("yes", "perhaps", "hardly"):
        return None
    figure = headlined_figure(evidence)
    if figure.interval is None:
        return None
    low, high = figure.interval
    limit = percent(figure.limit)
    return {
        "value": {"text": _value(evidence, figure), "from": 0, "to": figure.value},
        "interval": {
            "text": f"other held-out texts: {percent_range(max(0, low), high)}",
            "from": max(0, low),
            "to": high,
        },
        "chance": figure.chance
        and {
            "text": f"two random tie-breaks: {percent_range(*figure.chance)}",
            "from": figure.chance[0],
            "to": figure.chance[1],
        },
        "limit": {"text": f"it matters from {limit} on", "from": figure.limit, "to": figure.limit},
    }


def _value(evidence: Evidence, figure: HeadlinedFigure) -> str:
    if figure.is_of_words and len(evidence.pairs) > 1:
        return f"{percent(figure.value)} of the held-out words in the pair of lanes that differs most"
    if figure.is_of_words:
        return f"{evidence.differing_words:,} of {counted(evidence.compared_words, 'held-out word')}"
    return f"{percent(figure.value)} more tokens in one lane than in another"
