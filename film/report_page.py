"""The report as one HTML file that opens from disk: verdict, evidence, film, all tables, and the manifest.

A Content-Security-Policy with the hashes of its scripts and style sheets forbids everything else, as in a film. The
page also holds the JSON and the CSV file, which its buttons save.

The tokens in its tables are chips in the colours of the film.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from bpe import Symbol
from bpe.comparison import verdict_text
from bpe.comparison.comparison import Comparison
from bpe.comparison.evidence import Evidence
from bpe.comparison.evidence_text import percent, percent_range
from bpe.comparison.intervals import CONFIDENCE
from bpe.comparison.learned import first_difference
from bpe.comparison.tables import INTERVAL, MERGE_CELLS, Cell, Column, Table
from bpe.text.display import counted, merge_number, well_formed
from film.feed import ChipLabel
from film.html_page import hash_of, html_page, in_html, packed_text
from film.labels import Shades, chip_label
from film.modules import BROWSER, join_styles, shipped_script, short_sheet
from film.page import FilmOptions, film_parts
from film.report import Report, SourceText, manifest, report_csv, report_json

Token = tuple[ChipLabel, int]  # what its chip writes, and the number that colours it
Tokens = Sequence[Token]

# (position of a row, of a column) -> tokens; none in a cell of other content.
CellTokens = Callable[[int, int], Tokens]
MOST_ROWS = 500  # of a table on the page; the files hold all
OPEN = {"lanes", "pairs"}  # tables that need no press; the others unfold

# The answer as two strips on one axis of percent, as on the page Compare; in pixels.
STRIPS, STRIP, ROW = 420, 12, 34
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)  # between two numbers of the axis
MOST_NUMBERS = 5
_MARKER = re.compile("\ufffe(.*?)\uffff")  # as `chip_label` writes it
_TAB = re.compile('<b class="tab"[^>]*><span class="unseen">[^>]*</span></b>')


def report_html(report: Report) -> str:
    """Return the report as an HTML file."""
    # Both files are packed on another core while the rest is made: gzip holds no interpreter lock.
    with ThreadPoolExecutor() as packing:
        json_file = packing.submit(packed_text, well_formed(report_json(report)))
        csv_file = packing.submit(packed_text, report_csv(report).decode("utf-8"))
        first = first_difference(report.comparison.traces)
        film = film_parts(report.film, FilmOptions(step=first or 0, own=None))
        lines = list(_body(report))
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
        report.title,
        "\n".join(body),
        [film.style, style],
        script_hashes=f"{film.script_hashes} '{hash_of(script)}'",
    )


def _table_tokens(comparison: Comparison, evidence: Evidence) -> Mapping[str, CellTokens]:
    """Return for each table that holds tokens, by slug, the tokens of its cells."""
    traces, names, learned = comparison.traces, comparison.comparison_keys, comparison.learned_by
    shades = Shades(traces)
    words, luck = evidence.differing, evidence.luck
    drawn = luck.study.sometimes if luck else []

    def token(lane: int, symbol: Symbol) -> Token:
        return chip_label(traces[lane].variant, symbol), shades.of_name(names[lane](symbol))

    def of_word(row: int, column: int) -> Tokens:
        lane = column - 2
        return [token(lane, symbol) for symbol in words[row].tokens[lane]] if lane >= 0 else []

    def of_merge(row: int, column: int) -> Tokens:
        lane, cell = divmod(column - 2, len(MERGE_CELLS))
        if lane < 0 or row >= len(traces[lane].steps) or MERGE_CELLS[cell] not in ("pair", "token"):
            return []
        left, right = traces[lane].steps[row].pair
        return [
            token(lane, symbol)
            for symbol in ((left, right) if MERGE_CELLS[cell] == "pair" else (left + right,))
        ]

    symbols = [
        {name(symbol): symbol for symbol in trace.symbols} for trace, name in zip(traces, names, strict=True)
    ]

    def of_learned(row: int, column: int) -> Tokens:
        if column:
            return []
        one = learned[row]
        lane = next(lane for lane, rank in enumerate(one.ranks) if rank is not None)
        return [token(lane, symbols[lane][one.token])]

    def of_draw(row: int, column: int) -> Tokens:
        return [] if column else [token(0, drawn[row][0])]

    return {"words": of_word, "merges": of_merge, "tokens": of_learned, "luck": of_draw}


def _body(report: Report) -> Iterator[str]:
    listed = report.tables
    tokens = _table_tokens(report.comparison, report.evidence)
    first = [table for table in listed if table.slug in OPEN]
    yield f'<p class="kind">Comparison by Merge by Merge: {in_html(report.title)}</p>'
    yield f'<h1 id="verdict">{in_html(report.headline)}</h1>'
    yield from _answer_picture(report.evidence)
    yield "<ul>"
    sentences = [*report.sentences, report.note]
    yield from (f"<li>{in_html(sentence)}</li>" for sentence in sentences if sentence)
    yield "</ul>"
    yield f'<p class="soft">{in_html(verdict_text.thresholds())}</p>'
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
    yield from _made_with(report)


def _answer_picture(evidence: Evidence) -> Iterator[str]:
    """Yield the figure that decides the answer, its interval, and what random tie-breaks explain, as an SVG."""
    figure = verdict_text.answered_figure(evidence)
    if figure is None or figure.interval is None:
        return
    low, high = max(0, figure.interval[0]), figure.interval[1]
    end = 1.08 * max(figure.value, high, figure.limit, figure.chance[1] if figure.chance else 0)

    def x(share: float) -> float:
        return round(STRIPS * share / end, 1)

    def label(row: int, name: str, shares: str, more: str = "") -> str:
        text = f'{in_html(name)} <tspan class="bold">{in_html(shares)}</tspan>{in_html(more)}'
        return f'<text y="{row * ROW + 13}">{text}</text>'

    def strip(row: int, kind: str, start: float, stop: float, height: int = STRIP) -> str:
        top = row * ROW + 19 + (STRIP - height) / 2
        return f'<rect class="{kind}" x="{x(start)}" y="{top}" width="{max(2, x(stop) - x(start))}" height="{height}"/>'

    what = "of the words differ" if figure.is_of_words else "more tokens"
    lanes = verdict_text.lanes_of(evidence, figure)
    shapes = [
        label(0, lanes, percent(figure.value), f" {what} ({percent_range(low, high)})"),
        strip(0, "value", 0, figure.value),
        strip(0, "interval", low, high, 2),
    ]
    if figure.chance:
        shapes += [
            label(1, "Random tie-breaks", percent_range(*figure.chance)),
            strip(1, "chance", *figure.chance),
        ]
    foot = ROW * (2 if figure.chance else 1) + 2
    every = next((step for step in STEPS if end / step <= MOST_NUMBERS), 1)
    for number in range(int(end / every) + 1):
        anchor = "middle" if number else "start"
        shapes.append(
            f'<text text-anchor="{anchor}" x="{x(number * every)}" y="{foot + 16}">{100 * number * every:.3g}%</text>'
        )
    limit = x(figure.limit)
    side = "start" if limit < STRIPS / 2 else "end"
    shapes += [
        f'<path class="axis" d="M0 {foot}H{STRIPS}"/>',
        f'<text text-anchor="{side}" x="{limit}" y="{foot + 34}">matters from {percent(figure.limit)}</text>',
    ]
    shapes.insert(0, f'<path class="limit" d="M{limit} 17V{foot + 22}"/>')  # behind the words
    yield (
        f'<svg class="answer" role="img" aria-labelledby="verdict" viewBox="0 0 {STRIPS + 16} {foot + 40}" '
        f'width="{STRIPS + 16}" height="{foot + 40}">{"".join(shapes)}</svg>'
    )


def _table(table: Table) -> Iterator[str]:
    yield f'<section id="table-{table.slug}">'
    yield f"<h2>{in_html(table.title)}</h2>"
    yield from _content(table, _no_tokens)
    yield "</section>"


def _no_tokens(_row: int, _column: int) -> Tokens:
    return ()


def _folded(table: Table, tokens: CellTokens) -> Iterator[str]:
    yield f'<details id="table-{table.slug}">'
    yield f"<summary>{in_html(table.title)}: {counted(len(table.rows), 'row')}</summary>"
    yield from _content(table, tokens)
    yield "</details>"


def _content(table: Table, tokens: CellTokens) -> Iterator[str]:
    yield f'<p class="soft">{in_html(table.about)}</p>'
    if not table.rows:
        yield "<p>None.</p>"
        return
    if len(table.rows) > MOST_ROWS:
        yield (
            f'<p class="soft">The first {MOST_ROWS:,} of {len(table.rows):,} rows. “Save JSON” and “Save CSV” '
            "above give you all of them.</p>"
        )
    yield '<div class="wide" tabindex="0"><table>'
    headed = [column for column in table.columns if not column.name.endswith(INTERVAL)]
    yield f"<thead><tr>{''.join(map(_heading, headed))}</tr></thead><tbody>"
    for number, row in enumerate(table.rows[:MOST_ROWS]):
        cells = (
            _token_cell(column, chips)
            if (chips := tokens(number, at))
            else _cell(column, cell, _interval_after(table.columns, row, at))
            for at, (column, cell) in enumerate(zip(table.columns, row, strict=True))
            if not column.name.endswith(INTERVAL)
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _heading(column: Column) -> str:
    name = column.name.replace("rank", "merge", 1) if column.kind == "merge" else column.name
    number = "" if column.kind in {"text", "yes"} else ' class="number"'
    return f'<th scope="col"{number}>{in_html(name)}</th>'


def _token_cell(column: Column, tokens: Tokens) -> str:
    """Return a cell of chips. The page's script gives them the colours of the film."""
    between = " + " if column.name.endswith(": pair") else " "
    chips = between.join(_chip(label, shade) for label, shade in tokens)
    return f'<td dir="auto" class="tokens">{chips}</td>'


def _chip(label: ChipLabel, shade: int) -> str:
    parts = [label] if isinstance(label, str) else label
    content = "".join(
        f"<small>{in_html(part)}</small>" if at % 2 else _with_tabs(part) for at, part in enumerate(parts)
    )
    kind = "chip marker" if _TAB.fullmatch(content) else "chip"
    return f'<i class="{kind}" data-shade="{shade}">{content}</i>'


def _with_tabs(text: str) -> str:
    """Return a part of a label as HTML, markers as tabs."""
    tab = '<b class="tab" title="{0}"><span class="unseen">{0}</span></b>'
    pieces = _MARKER.split(text)  # text and markers in turn
    return "".join(
        tab.format(in_html(piece)) if at % 2 else in_html(piece) for at, piece in enumerate(pieces)
    )


def _interval_after(columns: Sequence[Column], row: Sequence[Cell], at: int) -> str:
    """Return the interval of a figure, which the two columns after it hold, as HTML; "" for a figure without one."""
    if len(columns) <= at + 2 or columns[at + 1].name != columns[at].name + INTERVAL[0]:
        return ""
    low, high = row[at + 1], row[at + 2]
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return ""
    ends = (f'<data value="{end!r}">{_number(columns[at], end)}</data>' for end in (low, high))
    return f' <small title="{CONFIDENCE:.0%} interval">({" to ".join(ends)})</small>'


def _cell(column: Column, cell: Cell, interval: str = "") -> str:
    """Return a cell. A number is rounded on the screen; its exact value is in the element `data`."""
    if cell is None:
        return "<td></td>"
    if isinstance(cell, str):
        return f'<td dir="auto">{in_html(cell)}</td>'
    if column.kind == "yes":
        return f"<td>{'yes' if cell else 'no'}</td>"
    return f'<td class="number"><data value="{cell!r}">{_number(column, cell)}</data>{interval}</td>'


def _number(column: Column, number: float) -> str:
    if column.kind == "merge":
        return merge_number(int(number))
    if column.kind == "share":
        return f"{number * 100:,.2f}%"
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4f}"


def _made_with(report: Report) -> Iterator[str]:
    settings = json.dumps(manifest(report), ensure_ascii=False, indent=1)
    yield '<section id="manifest"><h2>How to repeat it</h2>'
    yield '<p class="soft">The SHA-256 of every text, the versions, and every setting of every lane.</p>'
    yield from _texts("Training text", report.training)
    if report.trained_characters is not None:
        characters = sum(text.characters for text in report.training)
        yield (
            f"<p>The lanes were trained on {report.trained_characters:,} of {characters:,} characters, without "
            "the part that is held out.</p>"
        )
    yield from _texts("Held-out text", report.held_out)
    yield "<details><summary>Versions, settings and seeds</summary>"
    yield f'<div class="wide" tabindex="0"><pre>{in_html(settings)}</pre></div>'
    yield "</details></section>"


def _texts(title: str, texts: Sequence[SourceText]) -> Iterator[str]:
    sizes = "".join(f'<th scope="col" class="number">{name}</th>' for name in ("characters", "bytes"))
    headings = f'<th scope="col">{title}</th>{sizes}<th scope="col">SHA-256</th>'
    yield f'<div class="wide" tabindex="0"><table><thead><tr>{headings}</tr></thead><tbody>'
    for text in texts:
        size = f'<td class="number">{text.characters:,}</td><td class="number">{text.size:,}</td>'
        yield f'<tr><td dir="auto">{in_html(text.name)}</td>{size}<td><code>{text.sha256}</code></td></tr>'
    yield "</tbody></table></div>"


def _file(name: str, kind: str, packed: str) -> str:
    return f'<script type="text/plain" data-name="{name}" data-kind="{kind}">{packed}</script>'


@cache
def _script() -> str:
    return shipped_script(BROWSER / "report" / "main.js")


@cache
def _style() -> str:
    return short_sheet(join_styles(BROWSER / "report" / "main.css"))
