"""Metrics: figures made of what texts cost, each with what it does not predict and who says so.

All are diagnostics of a tokenizer. None of them promises a better model. A table of them is written as text, CSV or
JSON.
"""

import csv
import hashlib
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bpe.analysis.languages import Measured, gini
from bpe.text.display import in_cell

# (all texts under one tokenizer, number of one of them, number of the base text) -> value; None without one
Value = Callable[[Sequence[Measured], int, int], float | None]

SCHMIDT = "Craig W. Schmidt et al., Tokenization Is More Than Compression, EMNLP 2024"
ARNETT = "Catherine Arnett, Tyler A. Chang and Benjamin K. Bergen, A Bit of a Problem, 2024"
PETROV = (
    "Aleksandar Petrov et al., Language Model Tokenizers Introduce Unfairness Between Languages, NeurIPS 2023"
)
ALI = "Mehdi Ali et al., Tokenizer Choice For LLM Training: Negligible or Crucial?, 2024"
COGNETTA = "Marco Cognetta et al., Two Counterexamples to Tokenization and the Noiseless Channel, 2024"
FOROUTAN = (
    "its definition; Negar Foroutan et al., Parity-Aware Byte-Pair Encoding, ACL 2026, use it for languages"
)
SINGH = "Aaditya K. Singh and DJ Strouse, Tokenization Counts: The Impact of Tokenization on Arithmetic, 2024"
LIU = "Alisa Liu et al., SuperBPE: Space Travel for Language Models, 2025"


@dataclass(frozen=True, slots=True)
class Metric:
    """One row: how a metric is computed, and what must not be concluded from it."""

    slug: str
    title: str
    formula: str
    does_not_predict: str  # a sentence
    source: str  # of that sentence
    value: Value
    decimals: int = 2
    of_all: bool = False  # one value for all texts together
    same_content: bool = False  # makes sense only if all texts say the same
    takes_base: bool = False  # compares with the base text
    is_share: bool = False  # a number from 0 to 1, shown in per cent
    each_merge: bool = True  # whether `DocumentCurves` tells it after every merge


def _premium(texts: Sequence[Measured], number: int, base: int) -> float | None:
    of_base = texts[base].size.tokens
    return texts[number].size.tokens / of_base if of_base else None


def _digits(texts: Sequence[Measured], number: int, base: int) -> float | None:
    one = texts[number]
    return one.digits / one.digit_tokens if one.digits and one.digit_tokens else None


def _word_ends(texts: Sequence[Measured], number: int, base: int) -> float | None:
    one = texts[number]
    if not one.word_ends or one.word_ends_inside is None:
        return None
    return 1 - one.word_ends_inside / one.word_ends


_ROWS = (
    Metric(
        slug="tokens",
        title="Tokens",
        formula="number of tokens",
        does_not_predict="Fewer tokens alone do not make a better model.",
        source=SCHMIDT,
        value=lambda texts, number, base: texts[number].size.tokens,
        decimals=0,
    ),
    Metric(
        slug="bytes-per-token",
        title="Bytes per token",
        formula="UTF-8 bytes / tokens",
        does_not_predict="It does not show who pays more: some languages need over five times as many bytes as others "
        "for the same content.",
        source=ARNETT,
        value=lambda texts, number, base: texts[number].size.bytes_per_token or None,
    ),
    Metric(
        slug="characters-per-token",
        title="Characters per token",
        formula="characters / tokens",
        does_not_predict="It does not show who pays more: for the same content, some languages need over four times as "
        "many characters as others.",
        source=PETROV,
        value=lambda texts, number, base: texts[number].size.characters_per_token or None,
    ),
    Metric(
        slug="fertility",
        title="Fertility",
        formula="tokens / words between white space",
        does_not_predict="It does not always predict how good a model gets. And a language without spaces, such as "
        "Chinese or Thai, has no such words.",
        source=ALI,
        value=lambda texts, number, base: texts[number].size.fertility or None,
    ),
    Metric(
        slug="premium",
        title="Premium",
        formula="tokens / tokens of the base text",
        does_not_predict="Equal token counts, called parity, do not always predict how good a model gets.",
        source=ALI,
        value=_premium,
        same_content=True,
        takes_base=True,
    ),
    Metric(
        slug="renyi",
        title="Rényi efficiency",
        formula="Rényi entropy of the tokens' shares (α = 2.5) / log₂ of the number of different tokens",
        does_not_predict="It does not always predict how good a model gets: BPE can be changed so that it rises while "
        "translations get worse.",
        source=COGNETTA,
        value=lambda texts, number, base: texts[number].renyi_efficiency,
        decimals=3,
    ),
    Metric(
        slug="digits-per-token",
        title="Digits per token",
        formula="digits 0 to 9 / tokens with a digit",
        does_not_predict="It does not show from which end a number is split into groups: GPT-3.5 and GPT-4 add better "
        "if the groups begin at its right end.",
        source=SINGH,
        value=_digits,
        each_merge=False,
    ),
    Metric(
        slug="word-ends",
        title="Word ends that are token ends",
        formula="ends of runs of letters at which a token ends / all of them",
        does_not_predict="A token across the end of a word can help: models with superwords did better on most "
        "tasks, with fewer tokens.",
        source=LIU,
        value=_word_ends,
        decimals=3,
        is_share=True,
        each_merge=False,
    ),
    Metric(
        slug="gini",
        title="Gini of all texts",
        formula="sum of |difference| over all ordered pairs of texts / (2 × number of texts² × mean token count)",
        does_not_predict="It shows neither who pays more nor how much they pay: if all texts need the same number of "
        "tokens, it is 0, however large that number is.",
        source=FOROUTAN,
        value=lambda texts, number, base: gini([text.size.tokens for text in texts]),
        decimals=3,
        of_all=True,
        same_content=True,
    ),
)

METRICS: Mapping[str, Metric] = MappingProxyType({row.slug: row for row in _ROWS})


def values_of(table: Sequence[Measured], base: str) -> list[dict[str, float | None]]:
    """Return the value of every metric for each entry of a table. `base` is the name of the base text."""
    by_tokenizer: defaultdict[str, list[Measured]] = defaultdict(list)
    for one in table:
        by_tokenizer[one.tokenizer].append(one)
    values = []
    for one in table:
        texts = by_tokenizer[one.tokenizer]
        of_base = [text.text for text in texts].index(base)
        values.append({slug: row.value(texts, texts.index(one), of_base) for slug, row in METRICS.items()})
    return values


UNKNOWN_TOKENS = (
    "tokens for parts of the text that the vocabulary lacks. What they stand for is lost, so the other figures say "
    "little where there are many."
)
CHANGED = (
    "Where a tokenizer changes the text, as by lower-casing, its tokens do not spell it. Digits per token and word "
    "ends then have no value (–)."
)


def number_text(row: Metric, value: float | None) -> str:
    """Return a value as text; – for none.

    >>> number_text(METRICS["word-ends"], 0.25), number_text(METRICS["tokens"], 1234)
    ('25.0 %', '1,234')
    """
    if value is None:
        return "–"
    return f"{value:.1%}".replace("%", " %") if row.is_share else f"{value:,.{row.decimals}f}"


def metric_lines(table: Sequence[Measured], base: str, *, explain: bool = False) -> Iterator[str]:
    """Yield the lines of a table, one row for each text and tokenizer, and below it the formulas."""
    values = values_of(table, base)
    of_one = [row for row in METRICS.values() if not row.of_all]
    rows = [("Text", "Tokenizer", *(row.title for row in of_one), "Unknown tokens")]
    for one, of_text in zip(table, values, strict=True):
        numbers = (number_text(row, of_text[row.slug]) for row in of_one)
        rows.append((one.text, one.tokenizer, *numbers, f"{one.unknown:,}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        names = [cell.ljust(width) for cell, width in zip(cells[:2], widths, strict=False)]
        right = [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
        yield "  ".join([*names, *right]).rstrip()
    yield ""
    for row in METRICS.values():
        of_all = {
            one.tokenizer: number_text(row, of_text[row.slug])
            for one, of_text in zip(table, values, strict=True)
        }
        known = f" {', '.join(f'{name}: {number}' for name, number in of_all.items())}." if row.of_all else ""
        based = f" The base text is {base}." if row.takes_base else ""
        content = " Compare only texts that say the same." if row.same_content else ""
        why = f" {row.does_not_predict} ({row.source}.)" if explain else ""
        yield f"{row.title}: {row.formula}.{known}{based}{content}{why}"
    yield f"Unknown tokens: {UNKNOWN_TOKENS}"
    if any(one.digits is None for one in table):
        yield CHANGED
    if not explain:
        yield "What these figures do not predict: --explain."


def metric_csv(table: Sequence[Measured], base: str) -> str:
    """Return the values as CSV, one row for each text and tokenizer."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["text", "tokenizer", *METRICS, "unknown_tokens"])
    for one, values in zip(table, values_of(table, base), strict=True):
        writer.writerow([in_cell(one.text), in_cell(one.tokenizer), *values.values(), one.unknown])
    return file.getvalue()


def metric_json(
    table: Sequence[Measured], base: str, texts: Mapping[str, str], sources: Mapping[str, str]
) -> str:
    """Return the values as JSON, with the hashes of the texts and what each tokenizer is. `sources`: by name."""
    content = {
        "base": base,
        "texts": {
            name: {"sha256": hashlib.sha256(text.encode()).hexdigest(), "bytes": len(text.encode())}
            for name, text in texts.items()
        },
        "tokenizers": dict(sources),
        "measures": {
            slug: {
                "title": row.title,
                "formula": row.formula,
                "does_not_predict": row.does_not_predict,
                "source": row.source,
            }
            for slug, row in METRICS.items()
        },
        "values": [
            {"text": one.text, "tokenizer": one.tokenizer, "unknown_tokens": one.unknown, **values}
            for one, values in zip(table, values_of(table, base), strict=True)
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
