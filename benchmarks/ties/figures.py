"""The figures of the study."""

from benchmarks.ties.line_chart import Line, line_chart
from benchmarks.ties.results import Results
from benchmarks.ties.rows import (
    full_counts,
    full_trainings,
    kilobytes,
    rows_of,
    share,
)

LONGEST_TITLE = 32
COUNTS_SVG, MERGES_SVG, RULES_SVG = "ties-by-count.svg", "ties-by-merges.svg", "rules.svg"
TITLES = {
    COUNTS_SVG: "Tied merges by the count of the merged pair",
    MERGES_SVG: "Tied merges among the first ones, by size of the text",
    RULES_SVG: "Tokens shared with the first rule, the rule that shares fewest",
}


def figures(results: Results) -> dict[str, str]:
    """Return {file name: SVG} of the page's figures."""
    return {
        COUNTS_SVG: line_chart(TITLES[COUNTS_SVG], "count of the merged pair", _count_lines(results)),
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
