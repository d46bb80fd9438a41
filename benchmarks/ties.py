"""A study of ties: how often they decide a training, how far tie-breaking rules lead apart, and where that shows.

Run: python -m benchmarks.ties [FILE ...] -o docs. It splits texts into a training part and a held-out part, trains with
every rule, and writes the measurements and figures into docs/ties and the sentences and tables with figures into
docs/ties.md, between their marks. `--again` writes them again from the measurements.
"""

import argparse
import hashlib
import json
import platform
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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

PAGE, JSON, LUCK_JSON = "ties.md", "ties/results.json", "ties/luck.json"


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

VARIANT = "bytes-gpt2"
MIN_COUNT = 2  # pairs that occur once are all tied
HELD_OUT = 0.2  # share of the pieces
SEED = 0  # draws the held-out pieces
DRAWS = 3  # trainings with random tie-breaking
CUTS = (
    100,
    300,
    1_000,
    3_000,
    10_000,
)  # numbers of merges after which rules are compared; the last ends a training
COUNTS = (2, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025)  # least counts of the classes of counts
LEAST_BYTES = 1_000  # of training text
ENDS = (10, 5, 2)  # least counts at which training stops, after every way to break the ties
# For a list of all ways. The splits and the memory end it long before, on any machine alike.
MOST_SECONDS = 3_600

# The rules that are compared, with the first one; a rule that is added later needs no new study.
RULES = ("first", "last", "ids-min", "pair-max", "pair-min", "shortest", "longest", "random")

Row = dict[str, Any]
Report = Callable[[str], None]


def rules() -> list[tuple[str, int]]:
    """Return (slug, seed) of every rule; the random one once for each draw."""
    return [(slug, seed) for slug in RULES for seed in range(DRAWS if bpe.TIE_BREAKS[slug].seeded else 1)]


@dataclass(frozen=True, slots=True)
class Results:
    """The rows of a study, by table, and the versions of what ran."""

    versions: dict[str, str]
    corpora: list[Row]  # one for each corpus
    trainings: list[Row]  # by corpus and size: merges, ties, and what every way to break them leads to
    cuts: list[
        Row
    ]  # by corpus, size and number of merges: ties, and what the other rules share with the first
    counts: list[Row]  # by corpus in its largest size, and class of counts: merges, ties, real choices
    rules: list[Row]  # of the largest training text: what each rule shares with the first


def measure(
    corpora: Sequence[Corpus], report: Report = lambda line: None, *, with_ways: bool = True
) -> Results:
    """Return the measurements of all corpora. `report` receives a line before each training.

    with_ways: whether every way to break the ties is listed, too, which takes most of the time.
    """
    results = Results(versions(), [], [], [], [], [])
    largest = 0
    for corpus in corpora:
        parts = split(corpus.text, HELD_OUT, SEED)
        words = _words(parts.documents(parts.held_out))
        results.corpora.append(_corpus_row(corpus, words, _words(parts.documents(parts.training))))
        for numbers in sizes(parts, LEAST_BYTES):
            documents = parts.documents(numbers)
            size = sum(len(text.encode()) for text in documents)
            name = {"corpus": corpus.title, "bytes": size}
            traces: list[Trace] = []
            for slug, seed in rules():
                report(f"{corpus.title}, {size:,} bytes, {slug}")
                traces.append(_train(documents, slug, seed))
            cuts = cuts_of(traces)
            if not cuts:
                continue  # nothing to merge
            row = name | _training_row(traces[0])
            if with_ways:
                report(f"{corpus.title}, {size:,} bytes: every way")
                row |= ways_row(documents)
            results.trainings.append(row)
            of_rules = [list(_rule_rows(traces, words, k)) for k in cuts]
            results.cuts.extend(
                name | _cut_row(traces[0], k, rows) for k, rows in zip(cuts, of_rules, strict=True)
            )
            if numbers == parts.training:
                results.counts.extend(name | row for row in _count_rows(traces[0]))
                if size > largest:
                    largest, results.rules[:] = size, of_rules[-1]
    return results


def versions() -> dict[str, str]:
    """Return the versions on which figures may depend."""
    return {
        "bpe": bpe.__version__,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
    }


def _train(documents: list[str], slug: str, seed: int) -> Trace:
    return bpe.train(documents, VARIANT, slug, merges=CUTS[-1], min_count=MIN_COUNT, seed=seed)


def _words(documents: list[str]) -> dict[str, int]:
    """Return the pre-tokens of texts. Those with a letter or a digit are words."""
    return words_of([bpe.train("", VARIANT)], documents)


def _corpus_row(corpus: Corpus, held_out: Mapping[str, int], training: Mapping[str, int]) -> Row:
    words = {word: times for word, times in held_out.items() if is_word(word)}
    return {
        "corpus": corpus.title,
        "sha256": corpus.sha256,
        "bytes": len(corpus.text.encode()),
        "held_out": sum(words.values()),
        "seen": sum(times for word, times in words.items() if word in training),
    }


def _training_row(trace: Trace) -> Row:
    ties = tie_map(trace)
    return {
        "merges": len(ties.kinds),
        "tied": ties.steps_tied,
        "order only": ties.kinds.count("order only"),
        "choice": ties.kinds.count("choice"),
        "open": ties.kinds.count("open"),
        "largest": max(ties.tied, default=0),
    }


def ways_row(documents: list[str]) -> Row:
    """Return what every way to break the ties leads to, and what the ties of the first rule then decided.

    A choice is a fork if other picks lead to other results when training stops at the count down to which all is
    listed.
    """
    slug, seed = rules()[0]
    graph = tie_graph(documents, VARIANT, min_count=MIN_COUNT, most_seconds=MOST_SECONDS)
    listed = MIN_COUNT if graph.complete is None else graph.complete
    whole = graph
    if graph.complete is not None:
        whole = tie_graph(documents, VARIANT, min_count=listed, most_seconds=MOST_SECONDS)
    assert whole.complete is None
    trace = bpe.train(documents, VARIANT, slug, min_count=listed, seed=seed)
    kinds = tie_map(trace, whole).kinds
    choices = _train(documents, slug, seed).all_rivals()
    forks = [rank for rank, kind in enumerate(kinds) if kind == "fork"]
    return {
        "first_choice": min(choices) + 1 if choices else None,
        "listed": listed,
        "listed_merges": len(kinds),
        "listed_choices": len(trace.all_rivals()),
        "forks": len(forks),
        "first_fork": forks[0] + 1 if forks else None,
        "results": [graph.ends[count] if count >= listed else None for count in ENDS],
    }


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


def _rule_rows(traces: Sequence[Trace], words: Mapping[str, int], k: int) -> Iterator[Row]:
    """Yield for each rule what it shares with the first one after k merges."""
    learned = [set(trace.symbols[len(trace.alphabet) :][:k]) for trace in traces]
    segmented = [[word.tokens[0] for word in segment_words([trace], words, k)] for trace in traces]
    for (slug, seed), symbols, tokens in zip(rules(), learned, segmented, strict=True):
        yield {
            "rule": slug,
            "seed": seed,
            "merges": k,
            "shared": len(learned[0] & symbols),
            "differ": sum(
                times
                for (word, times), one, other in zip(words.items(), segmented[0], tokens, strict=True)
                if is_word(word) and one != other
            ),
            "tokens": sum(
                times * len(of_word) for times, of_word in zip(words.values(), tokens, strict=True)
            ),
        }


def _cut_row(trace: Trace, k: int, rows: Sequence[Row]) -> Row:
    """Return how many of the first k merges tied, and the lowest and the highest figure among the other rules."""
    others = {
        name: [min(row[name] for row in rows[1:]), max(row[name] for row in rows[1:])]
        for name in ("shared", "differ", "tokens")
    }
    tied = sum(step.tied > 1 for step in trace.steps[:k])
    return {"merges": k, "tied": tied, "first": rows[0]["tokens"], **others}


def as_json(results: Results) -> str:
    """Return the results as JSON, with a line for each row of a table."""
    parts = [f'"versions": {json.dumps(results.versions)}']
    for name in TABLES:
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in getattr(results, name))
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


TABLES = ("corpora", "trainings", "cuts", "counts", "rules")


# Rows of the results, and their figures as text


def rows_of(rows: Iterable[Row], **wanted: object) -> list[Row]:
    """Return the rows whose columns have the wanted values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def full_trainings(results: Results) -> list[Row]:
    """Return the training with all of its corpus for each corpus."""
    largest = {row["corpus"]: row for row in results.trainings}  # sizes grow
    return list(largest.values())


def cuts_in(results: Results, training: Row) -> list[Row]:
    """Return the rows of a training, by the number of merges; the last one has the most that all rules have."""
    return rows_of(results.cuts, corpus=training["corpus"], bytes=training["bytes"])


def ranges(results: Results, training: Row) -> tuple[str, str, str]:
    """Return the lowest and the highest of what rules share with the first, split differently, and need in tokens."""
    cut = cuts_in(results, training)[-1]
    words = [share(number, occurrences(results, training)) for number in cut["differ"]]
    return (
        " to ".join(percent(share(number, cut["merges"])) for number in cut["shared"]),
        " to ".join(map(percent, words)),
        " to ".join(signed(share(number - cut["first"], cut["first"])) for number in cut["tokens"]),
    )


def occurrences(results: Results, training: Row) -> int:
    """Return how many words the held-out text of a training has."""
    return int(rows_of(results.corpora, corpus=training["corpus"])[0]["held_out"])


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
    count, merges = "count of the merged pair", "merges done"
    full = full_trainings(results)
    of_counts = {row["corpus"]: rows_of(results.counts, corpus=row["corpus"]) for row in full}
    cuts = {row["corpus"]: cuts_in(results, row) for row in full}
    by_size = {
        f"{_short_title(row['corpus'])}, {kilobytes(row['bytes'])}": cuts_in(results, row)
        for largest in _largest(results)
        for row in rows_of(results.trainings, corpus=largest["corpus"])
    }
    tied = _lines(of_counts, "least", lambda row: share(row["tied"], row["merges"]))
    often = {name: [row for row in rows if row["tied"] >= FEWEST_TIES] for name, rows in of_counts.items()}
    choices = _lines(often, "least", lambda row: share(row["choices"], row["tied"]))
    first = _lines(by_size, "merges", lambda row: share(row["tied"], row["merges"]))
    shared = _lines(cuts, "merges", lambda row: share(row["shared"][0], row["merges"]))
    return {
        COUNTS_SVG: line_chart(TITLES[COUNTS_SVG], count, tied),
        CHOICES_SVG: line_chart(TITLES[CHOICES_SVG], count, choices),
        MERGES_SVG: line_chart(TITLES[MERGES_SVG], merges, first),
        RULES_SVG: line_chart(TITLES[RULES_SVG], merges, shared),
    }


def _lines(rows: Mapping[str, Sequence[Row]], x: str, y: Callable[[Row], float]) -> dict[str, Line]:
    return {_short_title(name): [(row[x], y(row)) for row in of_name] for name, of_name in rows.items()}


def _short_title(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"


# Tables in Markdown


def corpora_table(results: Results) -> str:
    """Return the corpora, with their size, held-out words and hash."""

    def cells(row: Row) -> Sequence[str]:
        seen = percent(share(row["seen"], row["held_out"]))
        return row["corpus"], f"{row['bytes']:,}", f"{row['held_out']:,}", seen, f"`{row['sha256'][:16]}…`"

    titles = ("corpus", "bytes", "held-out words", "of them also in the training text", "SHA-256")
    return _table(titles, map(cells, results.corpora))


def cuts_table(results: Results) -> str:
    """Return the tied share of the first merges, by corpus and size."""
    numbers = [row["merges"] for row in results.cuts]
    limits = [k for k in CUTS if numbers.count(k) > 1]  # that several trainings have reached

    def cells(training: Row) -> Sequence[str]:
        tied = {row["merges"]: row["tied"] for row in cuts_in(results, training)}
        return (
            *_name(training),
            *(percent(tied[k] / k) if k in tied else "" for k in limits),
            f"{percent(share(training['tied'], training['merges']))} of {training['merges']:,}",
        )

    titles = ("corpus", "bytes", *(f"first {k:,}" for k in limits), "all")
    return _table(titles, map(cells, results.trainings))


def _name(row: Row) -> tuple[str, str]:
    return row["corpus"], f"{row['bytes']:,}"


def counts_table(results: Results) -> str:
    """Return the tied share of the merges by the count of the merged pair."""

    def cells(least: int) -> Sequence[str]:
        rows = rows_of(results.counts, least=least)
        most = rows[0]["most"]
        merges, tied = sum(row["merges"] for row in rows), sum(row["tied"] for row in rows)
        shares = [share(row["tied"], row["merges"]) for row in rows if row["merges"] >= 10]
        name = (
            f"{least:,} and more" if most is None else str(least) if most == least else f"{least:,}–{most:,}"
        )
        between = f"{percent(min(shares))} to {percent(max(shares))}" if shares else ""
        choices = percent(share(sum(row["choices"] for row in rows), tied)) if tied else ""
        return name, f"{merges:,}", percent(share(tied, merges)), between, choices

    between = "lowest and highest corpus with 10 such merges"
    titles = ("count", "merges", "tied", between, "of the ties, real choices")
    return _table(titles, map(cells, sorted({row["least"] for row in results.counts})))


def outcomes_table(results: Results) -> str:
    """Return what became of the tied pairs, by corpus and size."""

    def cells(row: Row) -> Sequence[str]:
        outcomes = (percent(share(row[kind], row["tied"])) for kind in ("order only", "choice", "open"))
        return *_name(row), f"{row['tied']:,}", *outcomes, f"{row['largest']:,}"

    titles = ("corpus", "bytes", "ties", "order only", "choices", "open", "pairs in the largest tie")
    return _table(titles, map(cells, results.trainings))


WAYS = {
    "first_choice": "first choice, at merge",
    "listed": "listed down to count",
    "listed_merges": "merges until then",
    "listed_choices": "choices",
    "forks": "forks",
    "first_fork": "first fork, at merge",
}


def ways_table(results: Results) -> str:
    """Return what every way to break the ties leads to, by corpus and size."""

    def cells(row: Row) -> Sequence[str]:
        figures = ("none" if row[key] is None else f"{row[key]:,}" for key in WAYS)
        return *_name(row), *figures, *("" if n is None else f"{n:,}" for n in row["results"])

    titles = ("corpus", "bytes", *WAYS.values(), *(f"results at {count}" for count in ENDS))
    return _table(titles, map(cells, results.trainings))


CHANGES = ("tokens shared", "held-out words split differently")


def rules_table(results: Results) -> str:
    """Return what the other rules have in common with the first, by corpus and size."""

    def cells(training: Row) -> Sequence[str]:
        cut = cuts_in(results, training)[-1]
        return *_name(training), f"{cut['merges']:,}", *ranges(results, training)

    titles = ("corpus", "bytes", "merges", *CHANGES, "tokens of the held-out text")
    return _table(titles, map(cells, results.trainings))


def each_rule_table(results: Results) -> str:
    """Return the same for each rule on the largest training text."""
    training = _largest(results)[0]
    total = occurrences(results, training)
    first, *others = results.rules

    def cells(row: Row) -> Sequence[str]:
        rule = bpe.TIE_BREAKS[row["rule"]]
        return (
            rule.title + (f", seed {row['seed']}" if rule.seeded else ""),
            percent(share(row["shared"], row["merges"])),
            percent(share(row["differ"], total)),
            f"{row['tokens']:,} ({signed(share(row['tokens'] - first['tokens'], first['tokens']))})",
        )

    titles = (
        f"compared with “{bpe.TIE_BREAKS[first['rule']].title}”",
        *CHANGES,
        f"tokens of the held-out text (there {first['tokens']:,})",
    )
    above = f"on the largest training text ({training['corpus']}, {training['bytes']:,} bytes):"
    return f"The rules one by one, {above}\n\n{_table(titles, map(cells, others))}"


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


# The page


RARE, FREQUENT = 16, 513  # counts of a pair: at most, at least
ENOUGH = 100  # held-out words: with fewer, a share says little
SMALL = 12_000  # bytes of training text


def page(text: str, results: Results, luck: Sequence[Row]) -> str:
    """Return the page with what is computed in its places. luck: what benchmarks/luck.py has measured."""
    computed = {
        "known": _known(results),
        "short": "\n".join(f"- {sentence}" for sentence in _short(results)),
        "measured": _measured(),
        "corpora": corpora_table(results),
        "cuts": cuts_table(results),
        "counts": counts_table(results),
        "outcomes": outcomes_table(results),
        "ways": ways_table(results),
        "rules": rules_table(results),
        "each rule": each_rule_table(results),
        "luck": luck_table(luck),
        "versions": "These figures are from bpe {bpe}, Python {python} and Unicode {unicode}.".format(
            **results.versions
        ),
    }
    for name, block in computed.items():
        begin, end = f"<!-- {name} -->\n\n", "\n\n<!-- end -->"
        before, _, rest = text.partition(begin)
        assert end in rest, f"{PAGE} has no place for {name}"
        text = before + begin + block + end + rest.partition(end)[2]
    return text


def _largest(results: Results) -> list[Row]:
    """Return the trainings on the two largest corpora, each in its largest size."""
    return sorted(full_trainings(results), key=lambda row: -int(row["bytes"]))[:2]


def _smallest(results: Results) -> list[Row]:
    """Return the trainings on little text, of the corpora with enough held-out words."""
    return [row for row in results.trainings if row["bytes"] <= SMALL and occurrences(results, row) >= ENOUGH]


def _between(shares: Iterable[float]) -> str:
    lowest, *_, highest = sorted(shares)
    return f"{percent(lowest)} to {percent(highest)}"


def _differing(results: Results, trainings: Sequence[Row]) -> str:
    """Return the shares of the held-out words that other rules split differently at the end of trainings."""
    return _between(
        share(number, occurrences(results, row))
        for row in trainings
        for number in cuts_in(results, row)[-1]["differ"]
    )


def _known(results: Results) -> str:
    """Return in two sentences how many merges tie, how many of the ties are choices, and what another rule changes."""
    full, small, large = full_trainings(results), _smallest(results), _largest(results)
    return (
        f"At {_between(share(row['tied'], row['merges']) for row in full)} of the merges of a training, several pairs "
        f"share the highest count, and a rule must decide. In "
        f"{_between(share(row['order only'], row['tied']) for row in full)} of these ties, the merge takes nothing "
        "from the other pairs, so the tie only decides the order. The rest are real choices. Another rule changes "
        f"less on a longer text: it splits {_differing(results, small)} of the held-out words differently with at most "
        f"{kilobytes(max(row['bytes'] for row in small))} of text, and {_differing(results, large)} with "
        f"{kilobytes(min(row['bytes'] for row in large))} or more."
    )


def _short(results: Results) -> Iterator[str]:
    full = full_trainings(results)
    yield (
        f"**How often.** Trained until no pair occurs twice or {CUTS[-1]:,} merges are done, "
        f"{_between(share(row['tied'], row['merges']) for row in full)} of the merges are tied, depending on the "
        "corpus."
    )
    rare = [row for row in results.counts if row["most"] is not None and row["most"] <= RARE]
    often = [row for row in results.counts if row["least"] >= FREQUENT]
    tied = [
        percent(share(sum(row["tied"] for row in rows), sum(row["merges"] for row in rows)))
        for rows in (rare, often)
    ]
    yield (
        f"**When.** Of the merges whose pair occurs at most {RARE} times, {tied[0]} are tied. Of those whose pair "
        f"occurs at least {FREQUENT} times, {tied[1]} are tied."
    )
    firsts = (f"merge {row['first_choice']:,} on “{row['corpus']}”" for row in _largest(results))
    yield (
        f"**Real choices.** {_between(share(row['choice'], row['tied']) for row in full)} of the ties are real "
        "choices: the merge uses up occurrences of another tied pair. The first of them comes at "
        f"{' and at '.join(firsts)}."
    )
    listed, forks = (sum(row[key] for row in results.trainings) for key in ("listed_choices", "forks"))
    known = [row["results"][0] for row in results.trainings if row["results"][0] is not None]
    yield (
        f"**Detours and forks.** Of the {listed:,} real choices in the parts of the trainings where every way could be "
        f"listed, {forks:,} are forks: other picks lead to other results. At the others, every pick leads to the same "
        "results. "
        f"If training stops when no pair occurs {ENDS[0]} times any more, {known.count(1)} of {len(known)} trainings "
        f"have one result however the ties are broken, and the others have {min(n for n in known if n > 1)} to "
        f"{max(known):,}."
    )
    for training in _largest(results):
        shared, words, tokens = ranges(results, training)
        yield (
            f"**Another rule** shares {shared} of the first rule's tokens on “{training['corpus']}” "
            f"({kilobytes(training['bytes'])}, {counted(cuts_in(results, training)[-1]['merges'], 'merge')}). Of the "
            f"held-out words, {words} are split differently, and the number of tokens in the held-out text changes by "
            f"{tokens}."
        )


def _measured() -> str:
    titles = ", ".join(dict.fromkeys(bpe.TIE_BREAKS[slug].title for slug, _ in rules()))
    return (
        f"Each corpus is divided into small pieces. {percent(HELD_OUT)} of them, drawn with seed {SEED}, are held out: "
        "no training reads them. The others are the training text; smaller sizes are a quarter, a sixteenth, … of "
        f"these pieces, each size within the larger one. Text is split by the variant `{VARIANT}`. Training stops "
        f"after {CUTS[-1]:,} merges, or when no pair occurs twice: pairs that occur once are all tied with each other. "
        f"The rules, the first of which the others are compared with: {titles} ({DRAWS} draws)."
    )


def main() -> None:
    """Measure, or read earlier results, and write DIR/ties.md with its figures and files in DIR/ties."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ties", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="further corpora: FILE or TITLE=FILE, in UTF-8"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="a folder with ties.md and ties/"
    )
    parser.add_argument(
        "--again", action="store_true", help="write the page again from the JSON files in DIR/ties"
    )
    options = parser.parse_args()
    folder: Path = options.output
    if options.again:
        results = Results(**json.loads((folder / JSON).read_text("utf-8")))
    else:
        corpora = [*samples(), python_source(), *map(from_file, options.files)]
        with progress_reports() as report:
            results = measure(corpora, report)
        (folder / JSON).write_text(as_json(results), "utf-8")
    luck = json.loads((folder / LUCK_JSON).read_text("utf-8"))
    (folder / PAGE).write_text(page((folder / PAGE).read_text("utf-8"), results, luck), "utf-8")
    for name, figure in figures(results).items():
        (folder / "ties" / name).write_text(figure, "utf-8")
    print(f"Written: {folder / PAGE} and its figures", file=sys.stderr)


if __name__ == "__main__":
    main()
