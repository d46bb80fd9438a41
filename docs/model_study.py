"""The section “Does a model notice?” of docs/ties.md: its picture, its table and its sentences, from the results.

Run: python -m docs.model_study. It draws docs/ties/models.svg from docs/ties/models.json, and prints the rest of the
section, which docs/ties.md has word for word. `python -m docs.model_study FILE` draws and prints other results.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import bpe
from benchmarks.blocks import Differences, Runs, differences

FOLDER = Path(__file__).parent / "ties"
RESULTS, PICTURE = FOLDER / "models.json", FOLDER / "models.svg"

Row = dict[str, Any]  # a tokenizer of the results, with the bits per byte of its models by seed


@dataclass(frozen=True, slots=True)
class Group:
    """Tokenizers that differ in one thing alone, and their models with the seeds that all of them have."""

    size: int  # bytes of the sample that they were trained on
    merges: int
    rows: tuple[Row, ...]

    @property
    def runs(self) -> Runs:
        """Bits per byte, a row for each seed."""
        seeds = min(len(row["bits_per_byte"]) for row in self.rows)
        return np.array([row["bits_per_byte"][:seeds] for row in self.rows]).T

    @property
    def differences(self) -> Differences:
        """How far the tokenizers lie apart."""
        return _differences(self.runs.tobytes(), self.runs.shape)


@cache
def _differences(runs: bytes, shape: tuple[int, int]) -> Differences:
    return differences(np.frombuffer(runs).reshape(shape))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The models on tokenizers of one size: one of each way to break ties, and one of each sample."""

    ways: Group
    samples: Group  # the first of them is the first of the ways

    @property
    def size(self) -> int:
        """Bytes of a sample."""
        return self.ways.size

    @property
    def same_seeds(self) -> Differences:
        """How far the ways lie apart in the seeds that the samples have, too."""
        runs = self.ways.runs[: len(self.samples.runs)]
        return _differences(runs.tobytes(), runs.shape)


def read_results(file: Path = RESULTS) -> Row:
    """Return the results: the corpus, the model's setting, and a row for each tokenizer."""
    results: Row = json.loads(file.read_text("utf-8"))
    return results


def comparisons(results: Row) -> list[Comparison]:
    """Return the comparisons of the results, that of the smallest sample first."""
    found = []
    for size in sorted({row["bytes"] for row in results["tokenizers"]}):
        rows = [row for row in results["tokenizers"] if row["bytes"] == size]
        ways = tuple(row for row in rows if row["sample"] == 0)
        samples = (ways[0], *(row for row in rows if row["sample"]))
        merges = ways[0]["merges"]
        found.append(Comparison(Group(size, merges, ways), Group(size, merges, samples)))
    return found


def way_title(row: Row) -> str:
    """Return the title of a tokenizer's rule, with its seed if it draws."""
    rule = bpe.TIE_BREAKS[row["rule"]]
    return f"{rule.title}, seed {row['rule_seed']}" if rule.seeded else rule.title


def size_title(size: int) -> str:
    """Return the size of a sample for people.

    >>> size_title(60_000), size_title(1_000_000)
    ('60 kB', '1 MB')
    """
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000} kB"


def percent(share: float) -> str:
    """Return a share with two decimals.

    >>> percent(0.00276)
    '0.28%'
    """
    return f"{share:.2%}"


# The table and the sentences

HEAD = (
    "tokenizer trained on",
    "merges",
    "of them tied",
    "models",
    "what differs",
    "F",
    "p",
    "noise of a run",
    "lowest to highest mean",
    "apart",
)


def table(results: Row) -> Iterator[str]:
    """Yield the lines of the table: for each size what ways to break ties change, and what samples change."""
    yield f"| {' | '.join(HEAD)} |"
    yield f"| {' | '.join(['---', *['---:'] * 3, '---', *['---:'] * 5])} |"
    for comparison in comparisons(results):
        for group, what in (
            (comparison.ways, f"{len(comparison.ways.rows)} ways to break ties"),
            (comparison.samples, f"{len(comparison.samples.rows)} samples"),
        ):
            found = group.differences
            cells = (
                size_title(group.size),
                f"{group.merges:,}",
                tied(group),
                f"{group.runs.size}",
                what,
                f_value(found),
                f"{found.p:.2f}",
                percent(found.noise),
                f"{min(found.means):.4f} to {max(found.means):.4f}",
                percent(found.range),
            )
            yield f"| {' | '.join(cells)} |"


def tied(group: Group) -> str:
    """Return the share of the merges that tied, the lowest and the highest one."""
    shares = [row["tied"] / group.merges for row in group.rows]
    low, high = f"{min(shares):.1%}", f"{max(shares):.1%}"
    return low if low == high else f"{low} to {high}"


def f_value(found: Differences) -> str:
    """Return F with its degrees of freedom."""
    return f"F({found.freedom[0]}, {found.freedom[1]}) = {found.f:.2f}"


def summary(results: Row) -> str:
    """Return the result in one sentence, for the top of the study."""
    every = comparisons(results)
    models = sum(one.ways.runs.size for one in every)
    ranges, noises = (
        sorted(getattr(one.ways.differences, name) for one in every) for name in ("range", "noise")
    )
    return (
        f"In {models} small language models, no difference between {len(every[0].ways.rows)} ways to break the ties "
        f"was found: the means of their losses lie within {percent(ranges[0])} to {percent(ranges[-1])}, and the noise "
        f"of a single run is {percent(noises[0])} to {percent(noises[-1])}."
    )


def sentences(results: Row) -> Iterator[str]:
    """Yield the three sentences of result."""
    small, large = comparisons(results)
    ways, more_ways, samples, more_samples = (
        group.differences for group in (small.ways, large.ways, small.samples, large.samples)
    )
    size, larger = size_title(small.size), size_title(large.size)
    yield (
        f"**No difference between the ways to break ties was found**: {f_value(ways)}, p = {ways.p:.2f} with {size}, "
        f"and {f_value(more_ways)}, p = {more_ways.p:.2f} with {larger}."
    )
    yield (
        f"Their means lie within {percent(ways.range)} and {percent(more_ways.range)}; noise alone keeps them "
        f"within {percent(ways.by_chance)} and {percent(more_ways.by_chance)} in 95 of 100 shuffles, so a smaller "
        "difference would not have stood out."
    )
    seeds, lower = len(small.samples.runs), len(below_all_ways(small))
    yield (
        f"**Which {size} a tokenizer was trained on made a larger difference in these runs**: with the same {seeds} "
        f"seeds, the means of {len(small.samples.rows)} samples lie within {percent(samples.range)} and those of "
        f"{len(small.ways.rows)} ways to break ties within {percent(small.same_seeds.range)}, and on {lower} of the "
        f"samples every model has a lower loss than each of the {small.ways.runs.size}; with {larger}, no difference "
        f"between the samples was found either ({f_value(more_samples)}, p = {more_samples.p:.2f})."
    )


def below_all_ways(comparison: Comparison) -> list[Row]:
    """Return the samples all of whose models have a lower loss than every model of the ways to break ties."""
    least = comparison.ways.runs.min()
    return [row for row in comparison.samples.rows if max(row["bits_per_byte"]) < least]


def caution(results: Row) -> str:
    """Return how much the smallest p of the table is worth."""
    every = [group.differences.p for one in comparisons(results) for group in (one.ways, one.samples)]
    low = [p for p in every if p < 0.05]
    assert len(low) == 1
    return (
        f"The table has {len(every)} tests. One of them, that of the samples of "
        f"{size_title(comparisons(results)[0].size)}, gives p = {low[0]:.2f}; corrected for {len(every)} tests "
        f"(Bonferroni), this is {low[0] * len(every):.2f}."
    )


# The picture: a dot for each model, a bar for a mean, and a band as wide as the noise of a run

WIDTH, LEFT, RIGHT = 720, 188, 24
TITLE, ROW, DOT = 30, 19, 3.4
ABOVE, BELOW, GAP = 52, 34, 8  # around the rows of a size; GAP is between ways and samples
TICK = 0.005  # bits per byte
NAME = "Loss of small language models, by the rule and by the sample of their tokenizer"
STYLE = (
    "<style>.back{fill:#fff}.ink{fill:#14161c}.soft{fill:#4d5362}.rule{stroke:#d9dce5}.band{fill:#eceef4}"
    ".dot{fill-opacity:.55}.mean{stroke-width:3}.l0{fill:#2a52be;stroke:#2a52be}.l1{fill:#b5460f;stroke:#b5460f}"
    "@media (prefers-color-scheme: dark){.back{fill:#14161c}.ink{fill:#f2f3f7}.soft{fill:#b3bacb}.rule{stroke:#3a3f4d}"
    ".band{fill:#262a36}.l0{fill:#8aa8ff;stroke:#8aa8ff}.l1{fill:#ffae70;stroke:#ffae70}}</style>"
)


def picture(results: Row) -> str:
    """Return the picture as SVG. Both sizes have the same scale, and each begins at its own value."""
    every = comparisons(results)
    spans = [_span(one) for one in every]
    across = max(high - low for low, high in spans)
    parts: list[str] = []
    y = float(TITLE)
    for one, (low, _) in zip(every, spans, strict=True):
        drawn, y = _size(one, low, across, y)
        parts += drawn
    height = round(y)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="{escape(NAME)}" font-family="sans-serif" font-size="13">',
            STYLE,
            f'<rect class="back" width="{WIDTH}" height="{height}"/>',
            f'<text class="ink" x="16" y="24" font-size="16" font-weight="600">{escape(NAME)}</text>',
            *parts,
            "</svg>\n",
        ]
    )


def _span(comparison: Comparison) -> tuple[float, float]:
    """Return the least and the greatest value of a size, at ticks around its runs."""
    every = [*comparison.ways.runs.flat, *comparison.samples.runs.flat]
    return float(np.floor(min(every) / TICK) * TICK), float(np.ceil(max(every) / TICK) * TICK)


def _size(comparison: Comparison, low: float, across: float, top: float) -> tuple[list[str], float]:
    """Return the picture of one size, and where it ends."""
    ways, samples = comparison.ways, comparison.samples

    def place(bits: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (bits - low) / across

    rows = [("l0", way_title(row), ways.runs[:, number]) for number, row in enumerate(ways.rows)]
    rows += [
        ("l1", f"First occurrence, sample {row['sample']}", samples.runs[:, number])
        for number, row in enumerate(samples.rows)
        if number
    ]
    begin = top + ABOVE
    end = begin + len(rows) * ROW + GAP
    found = ways.differences
    edges = [place(found.mean * (1 + sign * found.noise)) for sign in (-1, 1)]
    heading = f"Tokenizers trained on {size_title(comparison.size)}, {ways.merges:,} merges"
    parts = [
        f'<text class="ink" x="16" y="{top + 24:.0f}" font-weight="600">{heading}</text>',
        f'<rect class="band" x="{edges[0]:.1f}" y="{begin - 4:.0f}" width="{edges[1] - edges[0]:.1f}" '
        f'height="{end - begin + 6:.0f}"/>',
        f'<text class="soft" x="{sum(edges) / 2:.1f}" y="{begin - 10:.0f}" text-anchor="middle" font-size="12">'
        f"mean of them ± the noise of a run, {percent(found.noise)}</text>",
    ]
    for number in range(round(across / TICK) + 1):
        x = place(low + number * TICK)
        parts.append(f'<path class="rule" d="M{x:.1f} {begin - 4:.0f}V{end + 2:.0f}"/>')
        parts.append(
            f'<text class="soft" x="{x:.1f}" y="{end + 18:.0f}" text-anchor="middle" font-size="12">'
            f"{low + number * TICK:.3f}</text>"
        )
    for number, (colour, name, bits) in enumerate(rows):
        y = begin + ROW * (number + 0.5) + GAP * (colour == "l1")
        parts.append(
            f'<text class="ink" x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end" font-size="12">{escape(name)}</text>'
        )
        parts += [
            f'<circle class="dot {colour}" cx="{place(value):.1f}" cy="{y:.1f}" r="{DOT}"/>' for value in bits
        ]
        middle = place(float(np.mean(bits)))
        parts.append(f'<path class="mean {colour}" d="M{middle:.1f} {y - 7:.1f}v14"/>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text class="soft" x="{middle:.0f}" y="{end + BELOW:.0f}" text-anchor="middle" font-size="12">'
        "bits per byte of the held-out text: a dot for each model, a bar for the mean</text>"
    )
    return parts, end + BELOW + 10


def section(results: Row) -> Iterator[str]:
    """Yield what docs/ties.md has from the results, a line or a paragraph at a time."""
    yield summary(results)
    yield from table(results)
    yield from sentences(results)
    yield caution(results)


def main() -> None:
    """Draw the picture, and print the rest of the section; of other results, the table."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.model_study", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "results", nargs="?", type=Path, default=RESULTS, metavar="FILE", help="results of benchmarks.models"
    )
    file: Path = parser.parse_args().results
    results = read_results(file)
    file.with_suffix(".svg").write_text(picture(results), "utf-8")
    print(*(section(results) if file == RESULTS else table(results)), sep="\n")


if __name__ == "__main__":
    main()
