"""Measures of finished tokenizers: one row each, with what it does not predict and who says so."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bpe.analysis.language_metrics import METRICS
from bpe.analysis.measuring.measured import Measured

# (the text under the tokenizer, the base text under the same tokenizer) -> value; None without one
Value = Callable[[Measured, Measured], float | None]

SINGH = "Aaditya K. Singh and DJ Strouse, Tokenization Counts: The Impact of Tokenization on Arithmetic, 2024"
LIU = "Alisa Liu et al., SuperBPE: Space Travel for Language Models, 2025"


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One row: how a measure is computed, and what must not be concluded from it."""

    slug: str
    title: str
    formula: str
    does_not_predict: str  # a sentence
    source: str  # of that sentence
    value: Value
    decimals: int = 2
    same_content: bool = False  # compares texts, which must say the same
    is_share: bool = False  # a number from 0 to 1, shown in per cent


def _as_metric(slug: str, value: Value) -> MeasureRow:
    """Return a row of `METRICS`, with its value for a finished tokenizer."""
    row = METRICS[slug]
    return MeasureRow(
        slug, row.title, row.formula, row.does_not_predict, row.source, value, row.decimals, row.same_content
    )


def _premium(one: Measured, base: Measured) -> float | None:
    return one.size.tokens / base.size.tokens if base.size.tokens else None


def _digits(one: Measured, base: Measured) -> float | None:
    return one.digits / one.digit_tokens if one.digits and one.digit_tokens else None


def _word_ends(one: Measured, base: Measured) -> float | None:
    if not one.word_ends or one.word_ends_inside is None:
        return None
    return 1 - one.word_ends_inside / one.word_ends


_ROWS = (
    _as_metric("tokens", lambda one, base: one.size.tokens),
    _as_metric("bytes-per-token", lambda one, base: one.size.bytes_per_token or None),
    _as_metric("characters-per-token", lambda one, base: one.size.characters_per_token or None),
    _as_metric("fertility", lambda one, base: one.size.fertility or None),
    _as_metric("premium", _premium),
    _as_metric("renyi", lambda one, base: one.renyi_efficiency),
    MeasureRow(
        slug="digits-per-token",
        title="Digits per token",
        formula="digits 0 to 9 / tokens with a digit",
        does_not_predict="It does not show from which end a number is split into groups: GPT-3.5 and GPT-4 add better "
        "if the groups begin at its right end.",
        source=SINGH,
        value=_digits,
    ),
    MeasureRow(
        slug="word-ends",
        title="Word ends that are token ends",
        formula="ends of runs of letters at which a token ends / all of them",
        does_not_predict="A token across the end of a word can help: models with superwords did better on most "
        "tasks, with fewer tokens.",
        source=LIU,
        value=_word_ends,
        decimals=3,
        is_share=True,
    ),
)

MEASURES: Mapping[str, MeasureRow] = MappingProxyType({row.slug: row for row in _ROWS})


def values_of(table: Sequence[Measured], base: str) -> list[dict[str, float | None]]:
    """Return the value of every measure for each entry of a table. `base` is the name of the base text."""
    base_of = {one.tokenizer: one for one in table if one.text == base}
    return [{slug: row.value(one, base_of[one.tokenizer]) for slug, row in MEASURES.items()} for one in table]
