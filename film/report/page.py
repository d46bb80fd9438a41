"""The report as one HTML file that opens from disk: verdict, evidence, film, all tables, and the manifest.

A Content-Security-Policy with the hashes of its scripts and style sheets forbids everything else, as in a film. The
page also holds the JSON and the CSV file, which its buttons save.
"""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape

from bpe.comparison import verdict_text
from bpe.comparison.comparison import first_difference
from bpe.comparison.intervals import CONFIDENCE
from bpe.text.display import counted, merge_number
from film.feed import ChipLabel
from film.html_page import hash_of, html_page, packed_text
from film.modules import BROWSER, join_scripts, join_styles, without_comments
from film.page import film_parts
from film.report.comparison import Comparison, SourceText
from film.report.files import report_csv, report_json
from film.report.manifest import manifest
from film.report.table_tokens import CellTokens, Tokens, table_tokens
from film.report.tables import INTERVAL, Cell, Column, Table, tables

MOST_ROWS = 500  # of a table on the page; the files hold all
OPEN = {"lanes", "pairs"}  # tables that need no press; the others unfold


def report_html(comparison: Comparison) -> str:
    """Return the report as an HTML file."""
    # Both files are packed on another core while the rest is made: gzip holds no interpreter lock.
    with ThreadPoolExecutor() as packing:
        json_file = packing.submit(packed_text, _sendable(report_json(comparison)))
        csv_file = packing.submit(packed_text, report_csv(comparison).decode("utf-8"))
        first = first_difference([lane.trace for lane in comparison.lanes])
        film = film_parts(comparison.film, step=first or 0)
        lines = list(_body(comparison))
    style, script = _style(), _script()
    body = [
        '<main class="report">',
        *lines,
        "</main>",
        _file("comparison.json", "application/json", json_file.result()),
        _file("comparison.csv", "text/csv", csv_file.result()),
        f'<script type="module">{script}</script>',
        film.scripts,
    ]
    return html_page(
        _sendable(comparison.title),
        "\n".join(body),
        [film.style, style],
        script_hashes=f"{film.script_hashes} '{hash_of(script)}'",
    )


def _body(comparison: Comparison) -> Iterator[str]:
    evidence, names = comparison.evidence, comparison.names
    listed = tables(comparison)
    tokens = table_tokens(comparison)
    first = [table for table in listed if table.slug in OPEN]
    yield f'<p class="kind">Comparison by Merge by Merge: {_text(comparison.title)}</p>'
    yield f'<h1 id="verdict">{_text(verdict_text.headline(evidence, names))}</h1>'
    yield "<ul>"
    sentences = [*verdict_text.sentences(evidence, names), comparison.note]
    yield from (f"<li>{_text(sentence)}</li>" for sentence in sentences if sentence)
    yield "</ul>"
    yield f'<p class="soft">{_text(verdict_text.thresholds())}</p>'
    yield (
        '<p class="files" hidden><button type="button" data-file="comparison.json">Save JSON</button> '
        '<button type="button" data-file="comparison.csv">Save CSV</button> '
        '<span class="soft">JSON has everything, with the manifest; CSV has the tables.</span></p>'
    )
    for table in first:
        yield from _table(table)
    yield "<h2>The lanes, merge by merge</h2>"
    yield "<noscript><p>The film and the buttons need JavaScript. They load nothing from the network.</p></noscript>"
    yield '<div id="film-stage"></div>'
    yield "<h2>All tables</h2>"
    for table in listed:
        if table.slug not in OPEN:
            yield from _folded(table, tokens.get(table.slug, _no_tokens))
    yield from _made_with(comparison)


def _table(table: Table) -> Iterator[str]:
    yield f'<section id="table-{table.slug}">'
    yield f"<h2>{_text(table.title)}</h2>"
    yield from _content(table, _no_tokens)
    yield "</section>"


def _no_tokens(_row: int, _column: int) -> Tokens:
    return ()


def _folded(table: Table, tokens: CellTokens) -> Iterator[str]:
    yield f'<details id="table-{table.slug}">'
    yield f"<summary>{_text(table.title)}: {counted(len(table.rows), 'row')}</summary>"
    yield from _content(table, tokens)
    yield "</details>"


def _content(table: Table, tokens: CellTokens) -> Iterator[str]:
    yield f'<p class="soft">{_text(table.about)}</p>'
    if not table.rows:
        yield "<p>None.</p>"
        return
    if len(table.rows) > MOST_ROWS:
        yield (
            f'<p class="soft">The first {MOST_ROWS:,} of {len(table.rows):,} rows. “Save JSON” and “Save CSV” '
            "above give you all of them.</p>"
        )
    yield '<div class="wide" tabindex="0"><table>'
    yield f"<thead><tr>{''.join(map(_heading, table.columns))}</tr></thead><tbody>"
    for number, row in enumerate(table.rows[:MOST_ROWS]):
        cells = (
            _token_cell(column, chips) if (chips := tokens(number, at)) else _cell(column, cell)
            for at, (column, cell) in enumerate(zip(table.columns, row, strict=True))
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _heading(column: Column) -> str:
    name = column.name.replace("rank", "merge", 1) if column.kind == "merge" else column.name
    if name.endswith(INTERVAL):
        figure, _, end = name.rpartition(": ")
        name = f"{CONFIDENCE:.0%} {end}: {figure}"
    number = "" if column.kind in {"text", "yes"} else ' class="number"'
    return f'<th scope="col"{number}>{_text(name)}</th>'


def _token_cell(column: Column, tokens: Tokens) -> str:
    """Return a cell of chips. The page's script gives them the colours of the film."""
    between = " + " if column.name.endswith(": pair") else " "
    chips = between.join(_chip(label, shade) for label, shade in tokens)
    return f'<td dir="auto" class="tokens">{chips}</td>'


def _chip(label: ChipLabel, shade: int) -> str:
    parts = [label] if isinstance(label, str) else label
    content = "".join(
        f"<small>{_text(part)}</small>" if at % 2 else _text(part) for at, part in enumerate(parts)
    )
    return f'<i data-shade="{shade}">{content}</i>'


def _cell(column: Column, cell: Cell) -> str:
    """Return a cell. A number is rounded on the screen; its exact value is in the element `data`."""
    if cell is None:
        return "<td></td>"
    if isinstance(cell, str):
        return f'<td dir="auto">{_text(cell)}</td>'
    if column.kind == "yes":
        return f"<td>{'yes' if cell else 'no'}</td>"
    return f'<td class="number"><data value="{cell!r}">{_number(column, cell)}</data></td>'


def _number(column: Column, number: float) -> str:
    if column.kind == "merge":
        return merge_number(int(number))
    if column.kind == "share":
        return f"{number * 100:,.2f}%"
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4f}"


def _made_with(comparison: Comparison) -> Iterator[str]:
    settings = json.dumps(manifest(comparison), ensure_ascii=False, indent=1)
    yield '<section id="manifest"><h2>How to repeat it</h2>'
    yield '<p class="soft">The SHA-256 of every text, the versions, and every setting of every lane.</p>'
    yield from _texts("Training text", comparison.training)
    if comparison.trained_characters is not None:
        characters = sum(text.characters for text in comparison.training)
        yield (
            f"<p>The lanes were trained on {comparison.trained_characters:,} of {characters:,} characters, without "
            "the part that is held out.</p>"
        )
    yield from _texts("Held-out text", comparison.held_out)
    yield "<details><summary>Versions, settings and seeds</summary>"
    yield f'<div class="wide" tabindex="0"><pre>{_text(settings)}</pre></div>'
    yield "</details></section>"


def _texts(title: str, texts: Sequence[SourceText]) -> Iterator[str]:
    sizes = "".join(f'<th scope="col" class="number">{name}</th>' for name in ("characters", "bytes"))
    headings = f'<th scope="col">{title}</th>{sizes}<th scope="col">SHA-256</th>'
    yield f'<div class="wide" tabindex="0"><table><thead><tr>{headings}</tr></thead><tbody>'
    for text in texts:
        size = f'<td class="number">{text.characters:,}</td><td class="number">{text.size:,}</td>'
        yield f'<tr><td dir="auto">{_text(text.name)}</td>{size}<td><code>{text.sha256}</code></td></tr>'
    yield "</tbody></table></div>"


def _file(name: str, kind: str, packed: str) -> str:
    return f'<script type="text/plain" data-name="{name}" data-kind="{kind}">{packed}</script>'


def _text(text: str) -> str:
    """Return a text as HTML. A lone surrogate becomes U+FFFD, as in every file."""
    return escape(_sendable(text))


def _sendable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@cache
def _script() -> str:
    return without_comments(join_scripts(BROWSER / "report" / "main.js"))


@cache
def _style() -> str:
    return without_comments(join_styles(BROWSER / "report" / "main.css"))
