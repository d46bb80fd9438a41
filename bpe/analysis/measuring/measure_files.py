"""Measures as text: a table to read, CSV for a spreadsheet and JSON for programs."""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence

from bpe.analysis.measuring.measured import Measured
from bpe.analysis.measuring.measures import MEASURES, MeasureRow, values_of
from bpe.text.display import in_cell

UNKNOWN_TOKENS = (
    "tokens for parts of the text that the vocabulary lacks. What they stand for is lost, so the other figures say "
    "little where there are many."
)
CHANGED = (
    "Where a tokenizer changes the text, as by lower-casing, its tokens do not spell it. Digits per token and word "
    "ends then have no value (–)."
)


def number_text(row: MeasureRow, value: float | None) -> str:
    """Return a value as text; – for none.

    >>> number_text(MEASURES["word-ends"], 0.25), number_text(MEASURES["tokens"], 1234)
    ('25.0 %', '1,234')
    """
    if value is None:
        return "–"
    return f"{value:.1%}".replace("%", " %") if row.is_share else f"{value:,.{row.decimals}f}"


def measure_lines(table: Sequence[Measured], base: str, *, explain: bool = False) -> Iterator[str]:
    """Yield the lines of a table, one row for each text and tokenizer, and below it the formulas."""
    rows = [("Text", "Tokenizer", *(row.title for row in MEASURES.values()), "Unknown tokens")]
    for one, values in zip(table, values_of(table, base), strict=True):
        numbers = (number_text(row, values[slug]) for slug, row in MEASURES.items())
        rows.append((one.text, one.tokenizer, *numbers, f"{one.unknown:,}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        names = [cell.ljust(width) for cell, width in zip(row[:2], widths, strict=False)]
        cells = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        yield "  ".join([*names, *cells]).rstrip()
    yield ""
    for measure in MEASURES.values():
        content = (
            f" The base text is {base}; compare only texts that say the same." if measure.same_content else ""
        )
        why = f" {measure.does_not_predict} ({measure.source}.)" if explain else ""
        yield f"{measure.title}: {measure.formula}.{content}{why}"
    yield f"Unknown tokens: {UNKNOWN_TOKENS}"
    if any(one.digits is None for one in table):
        yield CHANGED
    if not explain:
        yield "What these figures do not predict: --explain."


def measure_csv(table: Sequence[Measured], base: str) -> str:
    """Return the values as CSV, one row for each text and tokenizer."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["text", "tokenizer", *MEASURES, "unknown_tokens"])
    for one, values in zip(table, values_of(table, base), strict=True):
        writer.writerow([in_cell(one.text), in_cell(one.tokenizer), *values.values(), one.unknown])
    return file.getvalue()


def measure_json(
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
            for slug, row in MEASURES.items()
        },
        "values": [
            {"text": one.text, "tokenizer": one.tokenizer, "unknown_tokens": one.unknown, **values}
            for one, values in zip(table, values_of(table, base), strict=True)
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
