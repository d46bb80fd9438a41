"""A study of ties: how often they decide a training, how far tie-breaking rules lead apart, and where that shows.

Run: python -m benchmarks.ties [FILE ...] -o docs. It splits texts into a training part and a held-out part, trains with
every rule, and writes docs/ties.md with its tables, and its figures and the measurements into docs/ties. A new column
is a value in a row of `measure` and a cell of a table; `--again` writes the page again from the measurements.
"""

import argparse
import hashlib
import json
import platform
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from html import escape
from math import log10
from pathlib import Path
from typing import Any

import bpe
from benchmarks import texts
from bpe import Trace
from bpe.analysis.tie_graph import tie_graph
from bpe.analysis.ties import tie_map
from bpe.comparison.words import is_word, segment_words, words_of
from bpe.text.display import counted
from command_line.terminal import progress_reports

PAGE, FOLDER, JSON, LUCK_JSON = "ties.md", "ties", "results.json", "luck.json"


# Corpora

LEAST_CHARACTERS = 3_000  # of a sample that takes part
PIECES = 400  # of a long text
SHORTEST_PIECE = 60  # characters
PYTHON_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text with a title."""

    title: str
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the text in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Split:
    """The pieces of a corpus, some of which no training sees."""

    pieces: tuple[str, ...]
    held_out: tuple[int, ...]  # numbers of pieces, in a drawn order
    training: tuple[int, ...]  # the other numbers, in a drawn order

    def documents(self, numbers: Sequence[int]) -> list[str]:
        """Return the text of these pieces in the order of the corpus. Neighbours are one document."""
        documents: list[str] = []
        before = -2
        for number in sorted(numbers):
            if number == before + 1:
                documents[-1] += self.pieces[number]
            else:
                documents.append(self.pieces[number])
            before = number
        return documents


def samples() -> list[Corpus]:
    """Return the sample corpora of a few thousand characters or more."""
    rows = tomllib.loads((texts.SAMPLES / "samples.toml").read_text("utf-8"))["samples"]
    corpora = [
        Corpus(row["title"], _read(texts.SAMPLES / row["file"])) for row in rows if row["kind"] == "text"
    ]
    return [corpus for corpus in corpora if len(corpus.text) >= LEAST_CHARACTERS]


def python_source() -> Corpus:
    """Return a part of the standard library of the Python that runs."""
    return Corpus("Python's standard library", texts.source(PYTHON_CHARACTERS))


def from_file(name: str) -> Corpus:
    """Return the corpus of a file, named as FILE or TITLE=FILE."""
    title, _, file = name.rpartition("=")
    return Corpus(title or Path(file).name, _read(Path(file)))


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


def split(text: str, share: float, seed: int) -> Split:
    """Return the text in pieces, of which a share is held out. The same seed draws the same pieces everywhere."""
    pieces = cut(text)
    drawn = sorted(
        range(len(pieces)), key=lambda number: hashlib.sha256(f"{seed}:{number}".encode()).digest()
    )
    most = round(share * len(pieces))
    return Split(pieces, tuple(drawn[:most]), tuple(drawn[most:]))


def cut(text: str, most: int = PIECES) -> tuple[str, ...]:
    r"""Return the text in pieces of similar length, cut after a line end or before a space where one is near.

    >>> cut("low lower lowest " * 6)
    ('low lower lowest low lower lowest low lower lowest low lower', ' lowest low lower lowest low lower lowest ')
    """
    length = max(SHORTEST_PIECE, len(text) // most)
    pieces: list[str] = []
    begin = 0
    while len(text) - begin > length * 3 // 2:
        low, middle, high = begin + length // 2, begin + length, begin + length * 3 // 2
        line = text.rfind("\n", low, high) + 1
        space = text.rfind(" ", low, middle + 1)
        end = line or (space if space > 0 else middle)
        pieces.append(text[begin:end])
        begin = end
    return (*pieces, text[begin:])


def sizes(split: Split, least: int) -> list[tuple[int, ...]]:
    """Return parts of the training pieces, each within the next: …, a quarter, all; none below `least` bytes."""
    parts: list[tuple[int, ...]] = []
    numbers = split.training
    while numbers and sum(len(split.pieces[number].encode()) for number in numbers) >= least:
        parts.append(numbers)
        numbers = numbers[: len(numbers) // 4]
    return parts[::-1]


# Measurements

CUTS = (100, 300, 1_000, 3_000, 10_000)  # numbers of merges after which rules are compared
COUNTS = (2, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025)  # least counts of the classes of counts
LEAST_BYTES = 1_000  # of training text
ENDS = (10, 5, 2)  # least counts at which training stops, after every way to break the ties
MOST_SECONDS = (
    3_600  # for a list of all ways; the splits and the memory end it long before, on any machine alike
)

Row = dict[str, Any]
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a study."""

    variant: str = "bytes-gpt2"
    merges: int = CUTS[-1]
    min_count: int = 2  # pairs that occur once are all tied
    held_out: float = 0.2
    seed: int = 0  # draws the held-out pieces
    draws: int = 3  # trainings with random tie-breaking

    @property
    def settings(self) -> Row:
        """The plan as JSON holds it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Measurements:
    """The rows of a study, by table."""

    corpora: list[Row]  # one for each corpus
    trainings: list[Row]  # by corpus and size: merges, ties, and what became of the tied pairs
    cuts: list[Row]  # by corpus, size and number of merges: how many of them were tied
    counts: list[Row]  # by corpus, size and class of counts: merges and ties
    rules: list[Row]  # by corpus, size, number of merges and rule: what it shares with the first rule
    ways: list[Row]  # by corpus and size: what every way to break the ties leads to


def rules(draws: int) -> list[tuple[str, int]]:
    """Return (slug, seed) of every rule of the menu; the random one once for each draw. The first is compared with."""
    slugs = [row for row in bpe.TIE_BREAKS.values() if row.menu and not row.by_hand]
    return [(row.slug, seed) for row in slugs for seed in range(draws if row.seeded else 1)]


def measure(
    corpora: Sequence[Corpus], plan: Plan, report: Report = lambda line: None, *, with_ways: bool = True
) -> Measurements:
    """Return the measurements of all corpora. `report` receives a line before each training.

    with_ways: whether every way to break the ties is listed, too, which takes most of the time.
    """
    measurements = Measurements([], [], [], [], [], [])
    for corpus in corpora:
        parts = split(corpus.text, plan.held_out, plan.seed)
        measurements.corpora.append(_corpus_row(corpus, parts, plan))
        words = _held_out_words(parts, plan)
        for numbers in sizes(parts, LEAST_BYTES):
            documents = parts.documents(numbers)
            name = {"corpus": corpus.title, "bytes": sum(len(text.encode()) for text in documents)}
            traces: list[Trace] = []
            for slug, seed in rules(plan.draws):
                report(f"{corpus.title}, {name['bytes']:,} bytes, {slug}")
                traces.append(_train(documents, slug, seed, plan))
            if not cuts_of(traces):
                continue  # nothing to merge
            _add(measurements.trainings, name, [_training_row(traces[0])])
            _add(measurements.cuts, name, _cut_rows(traces[0]))
            _add(measurements.counts, name, _count_rows(traces[0]))
            report(f"{corpus.title}, {name['bytes']:,} bytes: held-out words")
            _add(measurements.rules, name, _rule_rows(traces, words, plan))
            if with_ways:
                report(f"{corpus.title}, {name['bytes']:,} bytes: every way")
                _add(measurements.ways, name, [ways_row(documents, plan)])
    return measurements


def _add(table: list[Row], name: Row, rows: Iterator[Row] | list[Row]) -> None:
    table += [name | row for row in rows]


def _train(documents: list[str], slug: str, seed: int, plan: Plan) -> Trace:
    return bpe.train(documents, plan.variant, slug, merges=plan.merges, min_count=plan.min_count, seed=seed)


def _held_out_words(parts: Split, plan: Plan) -> dict[str, int]:
    """Return the held-out pre-tokens. Those with a letter or a digit are its words."""
    empty = bpe.train("", plan.variant)
    return words_of([empty], parts.documents(parts.held_out))


def _corpus_row(corpus: Corpus, parts: Split, plan: Plan) -> Row:
    words = {word: times for word, times in _held_out_words(parts, plan).items() if is_word(word)}
    empty = bpe.train("", plan.variant)
    training = words_of([empty], parts.documents(parts.training))
    return {
        "corpus": corpus.title,
        "sha256": corpus.sha256,
        "characters": len(corpus.text),
        "bytes": len(corpus.text.encode()),
        "held_out_words": len(words),
        "held_out_occurrences": sum(words.values()),
        # Of the held-out words, also in the training text.
        "seen_words": sum(word in training for word in words),
        "seen_occurrences": sum(times for word, times in words.items() if word in training),
    }


def _training_row(trace: Trace) -> Row:
    ties = tie_map(trace)
    return {
        "merges": len(ties.kinds),
        "stopped": trace.stopped,
        "tied": ties.steps_tied,
        "order only": ties.kinds.count("order only"),
        "choice": ties.kinds.count("choice"),
        "open": ties.kinds.count("open"),
        "largest": max(ties.tied, default=0),
    }


def ways_row(documents: list[str], plan: Plan) -> Row:
    """Return what every way to break the ties leads to, and what the ties of the first rule then decided.

    A choice is a fork if other picks lead to other results when training stops at the count down to which all is
    listed.
    """
    slug, seed = rules(plan.draws)[0]
    graph = tie_graph(documents, plan.variant, min_count=plan.min_count, most_seconds=MOST_SECONDS)
    listed = plan.min_count if graph.complete is None else graph.complete
    whole = graph
    if graph.complete is not None:
        whole = tie_graph(documents, plan.variant, min_count=listed, most_seconds=MOST_SECONDS)
    assert whole.complete is None
    trace = bpe.train(documents, plan.variant, slug, min_count=listed, seed=seed)
    all_of_it = _train(documents, slug, seed, plan)
    kinds = tie_map(trace, whole).kinds
    choices = sorted(all_of_it.all_rivals())
    forks = [rank for rank, kind in enumerate(kinds) if kind == "fork"]
    return {
        "first_choice": choices[0] + 1 if choices else None,
        "listed": listed,
        "listed_merges": len(kinds),
        "listed_choices": len(trace.all_rivals()),
        "forks": len(forks),
        "first_fork": forks[0] + 1 if forks else None,
        "stopped": graph.stopped,
        "results": {str(count): graph.ends[count] if count >= listed else None for count in ENDS},
    }


def _cut_rows(trace: Trace) -> Iterator[Row]:
    tied = [step.tied > 1 for step in trace.steps]
    for k in cuts_of([trace]):
        yield {"merges": k, "tied": sum(tied[:k])}


def _count_rows(trace: Trace) -> Iterator[Row]:
    choices = trace.all_rivals()
    for least, after in zip(COUNTS, (*COUNTS[1:], None), strict=True):
        steps = [
            step for step in trace.steps if least <= step.count and (after is None or step.count < after)
        ]
        if steps:
            yield {
                "least": least,
                "most": after and after - 1,
                "merges": len(steps),
                "tied": sum(step.tied > 1 for step in steps),
                "choices": sum(step.rank in choices for step in steps),
            }


def cuts_of(traces: Sequence[Trace]) -> list[int]:
    """Return the numbers of merges at which to compare: those of CUTS that all have, and the most that all have."""
    most = min(len(trace.steps) for trace in traces)
    return [k for k in CUTS if k < most] + [most] * (most > 0)


def _rule_rows(traces: Sequence[Trace], words: Mapping[str, int], plan: Plan) -> Iterator[Row]:
    for k in cuts_of(traces):
        learned = [set(trace.symbols[len(trace.alphabet) :][:k]) for trace in traces]
        segmented = [[word.tokens[0] for word in segment_words([trace], words, k)] for trace in traces]
        for number, (slug, seed) in enumerate(rules(plan.draws)):
            differ = [
                is_word(word) and one != other
                for word, one, other in zip(words, segmented[0], segmented[number], strict=True)
            ]
            yield {
                "merges": k,
                "rule": slug,
                "seed": seed,
                "shared": len(learned[0] & learned[number]),
                "words_differ": sum(differ),
                "occurrences_differ": sum(
                    times for times, differs in zip(words.values(), differ, strict=True) if differs
                ),
                "tokens": sum(
                    times * len(tokens)
                    for times, tokens in zip(words.values(), segmented[number], strict=True)
                ),
            }


@dataclass(frozen=True, slots=True)
class Results:
    """Measurements, the plan that made them, and the versions of what ran."""

    plan: Plan
    versions: dict[str, str]
    measurements: Measurements


def versions() -> dict[str, str]:
    """Return the versions on which figures may depend."""
    return {
        "bpe": bpe.__version__,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
    }


def as_json(results: Results) -> str:
    """Return the results as JSON, with a line for each row of a table."""
    tables = asdict(results.measurements)
    parts = [f'"plan": {json.dumps(results.plan.settings)}', f'"versions": {json.dumps(results.versions)}']
    for name, rows in tables.items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def from_json(text: str) -> Results:
    """Return the results that `as_json` wrote."""
    content: dict[str, Any] = json.loads(text)
    tables = {field.name: content[field.name] for field in fields(Measurements)}
    return Results(Plan(**content["plan"]), content["versions"], Measurements(**tables))


# Rows of the results, and their figures as text


def rows_of(rows: Iterable[Row], **wanted: object) -> list[Row]:
    """Return the rows whose columns have the wanted values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def full_trainings(results: Results) -> list[Row]:
    """Return the training with all of its corpus for each corpus."""
    largest = {row["corpus"]: row for row in results.measurements.trainings}  # sizes grow
    return list(largest.values())


def full_counts(results: Results) -> list[Row]:
    """Return the classes of counts of each corpus in its largest size."""
    sizes = {row["corpus"]: row["bytes"] for row in full_trainings(results)}
    return [row for row in results.measurements.counts if row["bytes"] == sizes[row["corpus"]]]


def tied_by_count(results: Results, is_wanted: Callable[[Row], bool]) -> float:
    """Return the tied share of the merges in the wanted classes of counts, of all corpora in their largest size."""
    rows = [row for row in full_counts(results) if is_wanted(row)]
    return share(sum(row["tied"] for row in rows), sum(row["merges"] for row in rows))


def rules_at_end(results: Results, training: Row) -> list[Row]:
    """Return the rows of all rules for a training, after the most merges that all of them have."""
    rows = rows_of(results.measurements.rules, corpus=training["corpus"], bytes=training["bytes"])
    return rows_of(rows, merges=max(row["merges"] for row in rows))


def last_rules(results: Results, training: Row) -> list[Row]:
    """Return the rows of the rules but the first, after the most merges that all of them have."""
    return rules_at_end(results, training)[1:]


def ranges(results: Results, rows: Sequence[Row]) -> tuple[str, str, str]:
    """Return the lowest and the highest of what rules share with the first, split differently, and need in tokens."""
    total = occurrences(results, rows[0]["corpus"])
    first = rows_of(
        results.measurements.rules,
        corpus=rows[0]["corpus"],
        bytes=rows[0]["bytes"],
        merges=rows[0]["merges"],
    )[0]
    shared = [share(row["shared"], row["merges"]) for row in rows]
    words = [share(row["occurrences_differ"], total) for row in rows]
    tokens = [share(row["tokens"] - first["tokens"], first["tokens"]) for row in rows]
    return (
        f"{percent(min(shared))} to {percent(max(shared))}",
        f"{percent(min(words))} to {percent(max(words))}",
        f"{signed(min(tokens))} to {signed(max(tokens))}",
    )


def occurrences(results: Results, corpus: str) -> int:
    """Return how many words the held-out text of a corpus has."""
    return int(rows_of(results.measurements.corpora, corpus=corpus)[0]["held_out_occurrences"])


def rule_title(row: Row) -> str:
    """Return the title of a row's rule."""
    return bpe.TIE_BREAKS[row["rule"]].title


def share(part: int, whole: int) -> float:
    """Return the quotient; 0 if there is nothing to divide by."""
    return part / whole if whole else 0.0


def percent(share: float) -> str:
    """Return a share with one decimal; never 100% for less than all.

    >>> percent(0.5), percent(0.99996), percent(1)
    ('50.0%', '99.9%', '100.0%')
    """
    return f"{min(round(share * 1000), 1000 if share == 1 else 999) / 10:.1f}%"


def signed(share: float) -> str:
    """Return a difference with its sign and two decimals.

    >>> signed(-0.0005), signed(0)
    ('−0.05%', '±0.00%')
    """
    text = f"{abs(share) * 100:.2f}%"
    return ("±" if text == "0.00%" else "−" if share < 0 else "+") + text


def kilobytes(size: int) -> str:
    """Return a size for people."""
    return f"{size / 1000:,.0f} kB" if size >= 10_000 else f"{size / 1000:.1f} kB"


# Figures

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 44, 52
LEGEND_ROW = 20
LONG_NAME = 30  # letters: the legend has three columns of shorter ones, two of longer ones
# (on white, on black, dashes); colours and dashes repeat at different lengths, so that no two lines are the same
COLOURS = (("#2a52be", "#8aa8ff"), ("#b5460f", "#ffae70"), ("#16735a", "#6fd3b0"), ("#8a2fa0", "#dd9bf0"))
DASHES = ("", "7 4", "2 3")

Line = Sequence[tuple[float, float]]  # (x, share from 0 to 1), by x


def line_chart(title: str, x_title: str, lines: Mapping[str, Line]) -> str:
    """Return a chart of shares over a logarithmic axis, with a line for each name."""
    xs = [x for line in lines.values() for x, _ in line]
    low, high = log10(min(xs, default=1)), log10(max(xs, default=10))
    columns = 2 if max(map(len, lines), default=0) > LONG_NAME else 3
    height = HEIGHT + LEGEND_ROW * -(-len(lines) // columns)

    def across(x: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(x) - low) / ((high - low) or 1)

    def down(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="13">',
        _style(len(lines)),
        f'<rect class="back" width="{WIDTH}" height="{height}"/>',
        f'<text class="ink" x="{LEFT}" y="24" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    for tenth in range(0, 11, 2):
        y = down(tenth / 10)
        parts.append(f'<path class="rule" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(
            f'<text class="soft" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10}%</text>'
        )
    parts += [
        f'<text class="soft" x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x:,}</text>'
        for x in _ticks(xs)
    ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text class="soft" x="{middle:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_title)}</text>'
    )
    for number, (name, line) in enumerate(lines.items()):
        points = " ".join(f"{across(x):.1f},{down(share):.1f}" for x, share in line)
        column, row = number % columns, number // columns
        x, y = LEFT + column * (WIDTH - LEFT) / columns, HEIGHT + 8 + row * LEGEND_ROW
        parts += [
            f'<polyline class="line l{number}" points="{points}"/>',
            f'<path class="line l{number}" d="M{x:.0f} {y}h28"/>',
            f'<text class="ink" x="{x + 34:.0f}" y="{y + 4}" font-size="12">{escape(name)}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def _ticks(xs: Sequence[float]) -> list[int]:
    """Return 1, 3, 10, 30, … within the range."""
    ticks = [digit * 10**power for power in range(8) for digit in (1, 3)]
    return [tick for tick in ticks if xs and min(xs) <= tick <= max(xs)]


def _style(lines: int) -> str:
    rules = [
        ".back{fill:#fff}.ink{fill:#14161c}.soft{fill:#4d5362}.rule{stroke:#d9dce5}.line{fill:none;stroke-width:2}"
    ]
    dark = [".back{fill:#14161c}.ink{fill:#f2f3f7}.soft{fill:#b3bacb}.rule{stroke:#3a3f4d}"]
    for number in range(lines):
        light_colour, dark_colour = COLOURS[number % len(COLOURS)]
        dashes = DASHES[number // len(COLOURS) % len(DASHES)]
        rules.append(f".l{number}{{stroke:{light_colour};stroke-dasharray:{dashes or 'none'}}}")
        dark.append(f".l{number}{{stroke:{dark_colour}}}")
    return f"<style>{''.join(rules)}@media (prefers-color-scheme: dark){{{''.join(dark)}}}</style>"


LONGEST_TITLE = 32
COUNTS_SVG, MERGES_SVG, RULES_SVG = "ties-by-count.svg", "ties-by-merges.svg", "rules.svg"
CHOICES_SVG = "choices-by-count.svg"
FEWEST_TIES = 10  # of a class of counts whose share of real choices is drawn
TITLES = {
    COUNTS_SVG: "Tied merges by the count of the merged pair",
    CHOICES_SVG: "Real choices among the ties, by the count of the merged pair",
    MERGES_SVG: "Tied merges among the first ones, by size of the text",
    RULES_SVG: "Tokens shared with the first rule, the rule that shares fewest",
}


def figures(results: Results) -> dict[str, str]:
    """Return {file name: SVG} of the page's figures."""
    return {
        COUNTS_SVG: line_chart(TITLES[COUNTS_SVG], "count of the merged pair", _count_lines(results)),
        CHOICES_SVG: line_chart(TITLES[CHOICES_SVG], "count of the merged pair", _choice_lines(results)),
        MERGES_SVG: line_chart(TITLES[MERGES_SVG], "merges done", _merge_lines(results)),
        RULES_SVG: line_chart(TITLES[RULES_SVG], "merges done", _rule_lines(results)),
    }


def _short_title(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"


def _count_lines(results: Results) -> dict[str, Line]:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in full_counts(results):
        lines.setdefault(_short_title(row["corpus"]), []).append(
            (row["least"], share(row["tied"], row["merges"]))
        )
    return dict(lines)


def _choice_lines(results: Results) -> dict[str, Line]:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in full_counts(results):
        if row["tied"] >= FEWEST_TIES:
            line = lines.setdefault(_short_title(row["corpus"]), [])
            line.append((row["least"], share(row["choices"], row["tied"])))
    return dict(lines)


def _merge_lines(results: Results) -> dict[str, Line]:
    lines: dict[str, list[tuple[float, float]]] = {}
    titles = [
        row["corpus"] for row in sorted(full_trainings(results), key=lambda row: -int(row["bytes"]))[:2]
    ]
    for row in results.measurements.cuts:
        if row["corpus"] in titles:
            name = f"{_short_title(row['corpus'])}, {kilobytes(row['bytes'])}"
            lines.setdefault(name, []).append((row["merges"], share(row["tied"], row["merges"])))
    return dict(lines)


def _rule_lines(results: Results) -> dict[str, Line]:
    lines: dict[str, list[tuple[float, float]]] = {}
    for training in full_trainings(results):
        rows = rows_of(results.measurements.rules, corpus=training["corpus"], bytes=training["bytes"])
        for k in dict.fromkeys(row["merges"] for row in rows):
            least = min(row["shared"] for row in rows if row["merges"] == k)
            lines.setdefault(_short_title(training["corpus"]), []).append((k, least / k))
    return dict(lines)


# Tables in Markdown


def corpora_table(results: Results) -> str:
    """Return the corpora, with their size, held-out words and hash."""

    def cells(row: Row) -> Sequence[str]:
        seen = share(row["seen_occurrences"], row["held_out_occurrences"])
        return (
            row["corpus"],
            f"{row['bytes']:,}",
            f"{row['held_out_occurrences']:,}",
            percent(seen),
            f"`{row['sha256'][:16]}…`",
        )

    titles = ("corpus", "bytes", "held-out words", "of them also in the training text", "SHA-256")
    return _table(titles, map(cells, results.measurements.corpora))


def cuts_table(results: Results) -> str:
    """Return the tied share of the first merges, by corpus and size."""
    limits = sorted({row["merges"] for row in results.measurements.cuts} & set(_round_numbers(results)))

    def cells(training: Row) -> Sequence[str]:
        cuts = {
            row["merges"]: row["tied"]
            for row in rows_of(results.measurements.cuts, corpus=training["corpus"], bytes=training["bytes"])
        }
        return (
            training["corpus"],
            f"{training['bytes']:,}",
            *(percent(cuts[k] / k) if k in cuts else "" for k in limits),
            f"{percent(share(training['tied'], training['merges']))} of {training['merges']:,}",
        )

    return _table(
        ("corpus", "bytes", *(f"first {k:,}" for k in limits), "all"),
        map(cells, results.measurements.trainings),
    )


def _round_numbers(results: Results) -> list[int]:
    """Return the numbers of merges that several trainings have reached."""
    numbers = [row["merges"] for row in results.measurements.cuts]
    return [number for number in numbers if numbers.count(number) > 1]


def counts_table(results: Results) -> str:
    """Return the tied share of the merges by the count of the merged pair."""
    classes = list(dict.fromkeys((row["least"], row["most"]) for row in results.measurements.counts))

    def cells(bounds: tuple[int, int | None]) -> Sequence[str]:
        least, most = bounds
        rows = [row for row in full_counts(results) if row["least"] == least]
        merges, tied = sum(row["merges"] for row in rows), sum(row["tied"] for row in rows)
        shares = [share(row["tied"], row["merges"]) for row in rows if row["merges"] >= 10]
        name = (
            f"{least:,} and more" if most is None else str(least) if most == least else f"{least:,}–{most:,}"
        )
        between = f"{percent(min(shares))} to {percent(max(shares))}" if shares else ""
        choices = percent(share(sum(row["choices"] for row in rows), tied)) if tied else ""
        return name, f"{merges:,}", percent(share(tied, merges)), between, choices

    titles = (
        "count",
        "merges",
        "tied",
        "lowest and highest corpus with 10 such merges",
        "of the ties, real choices",
    )
    return _table(titles, map(cells, sorted(classes)))


def outcomes_table(results: Results) -> str:
    """Return what became of the tied pairs, by corpus and size."""

    def cells(row: Row) -> Sequence[str]:
        outcomes = (f"{percent(share(row[kind], row['tied']))}" for kind in ("order only", "choice", "open"))
        return row["corpus"], f"{row['bytes']:,}", f"{row['tied']:,}", *outcomes, f"{row['largest']:,}"

    titles = ("corpus", "bytes", "ties", "order only", "choices", "open", "pairs in the largest tie")
    return _table(titles, map(cells, results.measurements.trainings))


def ways_table(results: Results) -> str:
    """Return what every way to break the ties leads to, by corpus and size."""

    def cells(row: Row) -> Sequence[str]:
        return (
            row["corpus"],
            f"{row['bytes']:,}",
            f"{row['first_choice']:,}" if row["first_choice"] else "none",
            f"{row['listed']:,}",
            f"{row['listed_merges']:,}",
            f"{row['listed_choices']:,}",
            f"{row['forks']:,}",
            f"{row['first_fork']:,}" if row["first_fork"] else "none",
            *(f"{number:,}" if number is not None else "" for number in row["results"].values()),
        )

    titles = (
        "corpus",
        "bytes",
        "first choice, at merge",
        "listed down to count",
        "merges until then",
        "choices",
        "forks",
        "first fork, at merge",
        *(f"results at {count}" for count in ENDS),
    )
    return _table(titles, map(cells, results.measurements.ways))


def rules_table(results: Results) -> str:
    """Return what the other rules have in common with the first, by corpus and size."""

    def cells(training: Row) -> Sequence[str]:
        rows = last_rules(results, training)
        return (
            training["corpus"],
            f"{training['bytes']:,}",
            f"{rows[0]['merges']:,}",
            *ranges(results, rows),
        )

    titles = (
        "corpus",
        "bytes",
        "merges",
        "tokens shared",
        "held-out words split differently",
        "tokens of the held-out text",
    )
    return _table(titles, map(cells, results.measurements.trainings))


def each_rule_table(results: Results, training: Row) -> str:
    """Return the same for each rule on one training text."""
    total = occurrences(results, training["corpus"])
    first, *others = rules_at_end(results, training)

    def cells(row: Row) -> Sequence[str]:
        return (
            rule_title(row) + (f", seed {row['seed']}" if bpe.TIE_BREAKS[row["rule"]].seeded else ""),
            percent(share(row["shared"], row["merges"])),
            percent(share(row["occurrences_differ"], total)),
            f"{row['tokens']:,} ({signed(share(row['tokens'] - first['tokens'], first['tokens']))})",
        )

    titles = (
        f"compared with “{rule_title(first)}”",
        "tokens shared",
        "held-out words split differently",
        f"tokens of the held-out text (there {first['tokens']:,})",
    )
    return _table(titles, map(cells, others))


def luck_table(luck: Sequence[Row]) -> str:
    """Return how often lanes that are random draws are said to differ by more than luck, by both rules."""
    lanes = list(dict.fromkeys(row["lanes"] for row in luck))

    def cells(text: object) -> Sequence[str]:
        of_text = rows_of(luck, text=text)
        return [
            str(text),
            f"{of_text[0]['merges']:,}",
            *(f"{row['alarms'] * 100:.1f}% ({row['before'] * 100:.1f}%)" for row in of_text),
        ]

    titles = ("trained on", "merges", *(f"{number} lanes (before)" for number in lanes))
    return _table(titles, map(cells, dict.fromkeys(row["text"] for row in luck)))


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines: list[Sequence[str]] = [titles, ["---"] + ["---:"] * (len(titles) - 1), *rows]
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# The page: every number in it is computed from the results

# The parts of the page that no measurement changes.

INTRODUCTION = """\
{known}

The command `python -m benchmarks.ties` measured all of it and wrote this page. A test compares the page with the
measurements, [{folder}/results.json]({folder}/results.json)."""

HOW_OFTEN = """\
The table shows how many of the first merges were tied, by the size of the training text. The last column is about all
merges of that training."""

COUNT = """\
A merge is tied if another pair has the same count. Few pairs occur often, so two frequent pairs seldom have the same
count. Many pairs occur rarely, so ties are common among them. The table shows how many merges were tied, by the count
of the merged pair, for the largest size of each corpus, and how many of these ties were real choices: the merge used up
occurrences of another tied pair."""

OUTCOMES = """\
A tie decided the *order only* if the merged pair shared no token with another tied pair. It was a *choice* if it did:
then the merge used up occurrences of that pair. It is *open* if training ended before all pairs of that count were
used up."""

WAYS = """\
A choice can be a *detour*: whatever is picked, the results are the same. Or it is a *fork*: other picks lead to other
results. To tell which, every way to break every tie must be listed, and soon there are too many of them. The listing
goes from the highest count down and ends where it would need more than 2,000 splits of the text or too much memory.
The table says down to which count all ways are listed, which part of the training that is, and how many of its choices
are forks if training stops at that count. The last columns say how many different results there are over all ways,
if training stops when no pair occurs 10, 5 or 2 times any more. A result is the training text as it is split in the
end. An empty cell: not all ways are listed down to that count."""

RULES = """\
Each row compares the other rules with the first one and gives the lowest and the highest figure among them. All rules
are compared after the same number of merges, the largest that all of them reach. A held-out word is counted each time
it occurs in the held-out text. As on the page Compare, a word is a pre-token that contains a letter or a digit. The
tokens are those of the whole text."""

LUCK = """\
Compare and `bpe compare` say that lanes differ “by more than random tie-breaks would explain” if fewer than 1 in 100
pairs of random draws differ as much, with a correction for words and tokens and for all pairs of lanes. The table shows
how often they say it of lanes that are themselves random draws, and therefore wrongly. The former rule is beside it:
more than the largest difference of any two of ten draws. On each text {drawn} trainings were drawn. {times} times some
of them were lanes, and others the draws beside them."""

LIMITS = """\
- It used one way of splitting text, and texts of at most a megabyte. It did not measure vocabularies as large as those
  of language models, which are trained on much more text.
- The held-out text comes from the same corpus as the training text. Other kinds of text were not measured.
- It compares tokens, not models. Whether a model notices the difference was not measured.
- In a text without spaces, such as the made-up genome, a whole piece is one word. A single different boundary is
  enough for it to be split differently."""

EARLIER = """\
We found no paper that measures how often ties occur in BPE, or what a tie-breaking rule changes. In November 2026 we
searched stored copies of public web pages, documentation and GitHub threads for byte pair encoding together with ties,
tie-breaking, equal counts or frequencies, lexicographic order, random order of merges, and deterministic or
reproducible training. Such a search does not prove that there is no such paper. These come close:

- Sälevä and Lignos 2023, *What changes when you randomly choose BPE merge operations? Not much*
  (doi:10.18653/v1/2023.insights-1.7): merges chosen at random, and machine translation with them.
- Sawada and Goyal 2025, *Train It and Forget It: Merge Lists are Unnecessary for BPE Inference in Language Models*
  (arXiv:2508.06621): merge lists in random order or with merges left out, and language models with them.
- *Batching BPE Tokenization Merges* (arXiv:2408.04653): hundreds of merges at a time.
- Threads of people who ask about equal counts: huggingface/tokenizers issue 1065, karpathy/minbpe pull request 90."""

REPEAT = """\
One command measures everything and writes this page, its figures, and the measurements as JSON. On one core it needs
about ten minutes, nearly all of them for the list of every way:

```sh
python -m benchmarks.ties "All Around the Moon=pg16457.txt" -o docs
```

The novel is public: *All Around the Moon* by Jules Verne, translated by Edward Roth, ebook 16457 of Project Gutenberg,
as plain text in UTF-8 with its header and licence. You can leave it out, or name files of your own instead. The corpus
“Python's standard library” comes from the Python that runs the command. These figures are from bpe {bpe}, Python
{python} and Unicode {unicode}. The hashes are those of the texts in UTF-8, without a byte-order mark."""

RARE, FREQUENT = 16, 513  # counts of a pair: at most, at least
MOST = 0.5  # share of the merges
ENOUGH = 100  # held-out words: with fewer, a share says little


def page(results: Results, luck: Sequence[Row], folder: str) -> str:
    """Return the page. `folder` holds its figures and the measurements; `luck` has those of benchmarks/luck.py."""
    largest = _largest(results)[0]
    sections = [
        "# Do ties matter?",
        INTRODUCTION.format(folder=folder, known=_known(results)),
        "## In short",
        "\n".join(f"- {sentence}" for sentence in _short(results)),
        "## What was measured",
        _measured(results),
        corpora_table(results),
        "## How often",
        HOW_OFTEN,
        _picture(MERGES_SVG, folder),
        cuts_table(results),
        "## When: the count of the pair",
        COUNT,
        _picture(COUNTS_SVG, folder),
        counts_table(results),
        _picture(CHOICES_SVG, folder),
        "## What happened to the tied pairs",
        OUTCOMES,
        outcomes_table(results),
        "## Every way to break the ties",
        WAYS,
        ways_table(results),
        "## What depends on the rule",
        RULES,
        _picture(RULES_SVG, folder),
        rules_table(results),
        f"The rules one by one, on the largest training text ({largest['corpus']}, {largest['bytes']:,} bytes):",
        each_rule_table(results, largest),
        *_luck_section(luck),
        "## What this study does not say",
        LIMITS,
        "## Earlier work",
        EARLIER,
        "## Repeat it",
        REPEAT.format(**results.versions),
    ]
    return "\n\n".join(sections) + "\n"


def _luck_section(luck: Sequence[Row]) -> list[str]:
    if not luck:
        return []
    text = LUCK.format(drawn=luck[0]["drawn"], times=f"{luck[0]['times']:,}")
    return ["## How often luck is taken for a difference", text, luck_table(luck)]


def _picture(name: str, folder: str) -> str:
    return f"![{TITLES[name]}]({folder}/{name})"


def _largest(results: Results) -> list[Row]:
    """Return the trainings on the two largest corpora, each in its largest size."""
    return sorted(full_trainings(results), key=lambda row: -int(row["bytes"]))[:2]


def _known(results: Results) -> str:
    """Return in two sentences how many merges tie, how many of the ties are choices, and what another rule changes."""
    full = full_trainings(results)
    tied = [share(row["tied"], row["merges"]) for row in full]
    order = [share(row["order only"], row["tied"]) for row in full]
    large, small = _differing(results, _largest(results)), _differing(results, _smallest(results))
    return (
        f"At {percent(min(tied))} to {percent(max(tied))} of the merges of a training several pairs share the highest "
        f"count and a rule must decide, but in {percent(min(order))} to {percent(max(order))} of these ties the merge "
        "takes nothing from the other pairs, so only the order is decided; the rest are real choices. What another "
        f"rule changes in the end shrinks as the text grows: it splits {percent(min(small))} to {percent(max(small))} "
        f"of the held-out words differently with at most {kilobytes(max(row['bytes'] for row in _smallest(results)))} "
        f"of text, and {percent(min(large))} to {percent(max(large))} with "
        f"{kilobytes(min(row['bytes'] for row in _largest(results)))} or more."
    )


SMALL = 12_000  # bytes of training text


def _smallest(results: Results) -> list[Row]:
    """Return the trainings on little text, of the corpora with enough held-out words."""
    return [
        row
        for row in results.measurements.trainings
        if row["bytes"] <= SMALL and occurrences(results, row["corpus"]) >= ENOUGH
    ]


def _differing(results: Results, trainings: Sequence[Row]) -> list[float]:
    """Return the share of the held-out words that each other rule splits differently at the end of each training."""
    return [
        share(row["occurrences_differ"], occurrences(results, row["corpus"]))
        for training in trainings
        for row in last_rules(results, training)
    ]


def _real_choices(results: Results) -> Iterator[str]:
    full = full_trainings(results)
    choices = [share(row["choice"], row["tied"]) for row in full]
    first = {
        row["corpus"]: row["first_choice"]
        for row in results.measurements.ways
        if row["bytes"] in [training["bytes"] for training in _largest(results)]
    }
    yield (
        f"**Real choices.** {percent(min(choices))} to {percent(max(choices))} of the ties are real choices: the merge "
        "uses up occurrences of another tied pair. The first of them comes at "
        + " and at ".join(f"merge {rank:,} on “{corpus}”" for corpus, rank in first.items())
        + "."
    )
    ways = results.measurements.ways
    listed, forks = sum(row["listed_choices"] for row in ways), sum(row["forks"] for row in ways)
    at = max(ENDS)
    known = [row["results"][str(at)] for row in ways if row["results"][str(at)] is not None]
    yield (
        f"**Detours and forks.** Of the {listed:,} real choices in the parts of the trainings where every way could be "
        f"listed, {forks:,} are forks: other picks lead to other results. At the others the picks make no difference. "
        f"If training stops when no pair occurs {at} times any more, {known.count(1)} of {len(known)} trainings have "
        f"one result however the ties are broken, and the others have {min(n for n in known if n > 1)} to "
        f"{max(known):,}."
    )


def _short(results: Results) -> Iterator[str]:
    plan = results.plan
    tied = [share(row["tied"], row["merges"]) for row in full_trainings(results)]
    yield (
        f"**{'Most merges are tied' if min(tied) > MOST else 'How often'}.** Trained until no pair occurs "
        f"{_times(plan.min_count)} or {plan.merges:,} merges are done, {percent(min(tied))} to {percent(max(tied))} of "
        "the merges are tied, depending on the corpus."
    )
    rare = tied_by_count(results, lambda row: row["most"] is not None and row["most"] <= RARE)
    often = tied_by_count(results, lambda row: row["least"] >= FREQUENT)
    yield (
        f"**When.** Of the merges whose pair occurs at most {RARE} times, {percent(rare)} are tied. Of those whose "
        f"pair occurs at least {FREQUENT} times, {percent(often)} are tied."
    )
    yield from _real_choices(results)
    for training in _largest(results):
        yield from _more_text(results, training)
    for training in _largest(results):
        rules = last_rules(results, training)
        shared, words, tokens = ranges(results, rules)
        yield (
            f"**Another rule** shares {shared} of the first rule's tokens on “{training['corpus']}” "
            f"({kilobytes(training['bytes'])}, {counted(rules[0]['merges'], 'merge')}). Of the held-out words, {words} "
            f"are split differently, and the number of tokens in the held-out text changes by {tokens}."
        )
    yield from _most_different(results)


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _more_text(results: Results, training: Row) -> Iterator[str]:
    """Yield what more text changes, if the smallest and the full text of a corpus have a number of merges in common."""
    cuts = rows_of(results.measurements.cuts, corpus=training["corpus"])
    smallest = min(cuts, key=lambda row: int(row["bytes"]))
    for row in rows_of(cuts, bytes=training["bytes"], merges=smallest["merges"]):
        if row != smallest:
            yield (
                f"**More text.** Of the first {counted(row['merges'], 'merge')} on “{row['corpus']}”, "
                f"{percent(share(smallest['tied'], smallest['merges']))} are tied with {kilobytes(smallest['bytes'])} "
                f"of text, and {percent(share(row['tied'], row['merges']))} with {kilobytes(row['bytes'])}. Of all "
                f"{counted(training['merges'], 'merge')} on the larger text, "
                f"{percent(share(training['tied'], training['merges']))} are tied."
            )


def _most_different(results: Results) -> Iterator[str]:
    """Yield the rule that splits most held-out words differently, of the corpora with enough of them."""
    shares = [
        (share(row["occurrences_differ"], occurrences(results, row["corpus"])), row)
        for row in results.measurements.rules
        if occurrences(results, row["corpus"]) >= ENOUGH
    ]
    most, row = max(shares, key=lambda pair: pair[0], default=(0.0, {}))
    if most:
        yield (
            f"**The largest difference**, where {ENOUGH} words or more are held out: with {kilobytes(row['bytes'])} of "
            f"“{row['corpus']}” and {counted(row['merges'], 'merge')}, the rules "
            f"“{rule_title(results.measurements.rules[0])}” and “{rule_title(row)}” split {percent(most)} of the "
            "held-out words differently."
        )


def _measured(results: Results) -> str:
    plan = results.plan
    titles = ", ".join(dict.fromkeys(rule_title(row) for row in results.measurements.rules))
    return (
        f"Each corpus is divided into small pieces. {percent(plan.held_out)} of them, drawn with seed {plan.seed}, are "
        "held out: no training reads them. The others are the training text; smaller sizes are a quarter, a "
        "sixteenth, … of these pieces, each size within the larger one. Text is split by the variant "
        f"`{plan.variant}`. Training stops after {plan.merges:,} merges, or when no pair occurs "
        f"{_times(plan.min_count)}: pairs that occur once are all tied with each other. The rules, the first of which "
        f"the others are compared with: {titles} ({plan.draws} draws)."
    )


def write_page(results: Results, output: Path) -> None:
    """Write the page of findings and its figures."""
    of_luck = output / FOLDER / LUCK_JSON
    luck = json.loads(of_luck.read_text("utf-8")) if of_luck.exists() else []
    (output / PAGE).write_text(page(results, luck, FOLDER), "utf-8")
    for name, figure in figures(results).items():
        (output / FOLDER / name).write_text(figure, "utf-8")


def main() -> None:
    """Measure, or read earlier results, and write DIR/ties.md with its figures and files in DIR/ties."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ties", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="further corpora: FILE or TITLE=FILE, in UTF-8"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="a folder that exists"
    )
    parser.add_argument(
        "--again", action="store_true", help="write the page again from the JSON files in DIR/ties"
    )
    options = parser.parse_args()
    folder: Path = options.output / FOLDER
    folder.mkdir(exist_ok=True)
    if options.again:
        results = from_json((folder / JSON).read_text("utf-8"))
    else:
        plan = Plan()
        corpora = [*samples(), python_source(), *map(from_file, options.files)]
        with progress_reports() as report:
            results = Results(plan, versions(), measure(corpora, plan, report))
        (folder / JSON).write_text(as_json(results), "utf-8")
    write_page(results, options.output)
    print(f"Written: {options.output / PAGE} and {folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
