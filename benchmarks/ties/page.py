"""The page of findings, docs/ties.md: every number in it is computed from the results."""

from collections.abc import Iterator

from benchmarks.ties.figures import COUNTS_SVG, MERGES_SVG, RULES_SVG, TITLES
from benchmarks.ties.results import Results
from benchmarks.ties.rows import (
    full_trainings,
    kilobytes,
    last_rules,
    occurrences,
    percent,
    ranges,
    rows_of,
    rule_title,
    share,
    tied_by_count,
)
from benchmarks.ties.study import Row
from benchmarks.ties.tables import (
    corpora_table,
    counts_table,
    cuts_table,
    each_rule_table,
    outcomes_table,
    rules_table,
)
from benchmarks.ties.wording import COUNT, EARLIER, HOW_OFTEN, INTRODUCTION, LIMITS, OUTCOMES, REPEAT, RULES
from bpe.text.display import counted

RARE, FREQUENT = 16, 513  # counts of a pair: at most, at least
MOST = 0.5  # share of the merges
ENOUGH = 100  # held-out words: with fewer, a share says little


def page(results: Results, folder: str) -> str:
    """Return the page. `folder` holds its figures and the measurements."""
    largest = _largest(results)[0]
    sections = [
        "# Do ties matter?",
        INTRODUCTION.format(folder=folder),
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
        "## What happened to the tied pairs",
        OUTCOMES,
        outcomes_table(results),
        "## What depends on the rule",
        RULES,
        _picture(RULES_SVG, folder),
        rules_table(results),
        f"The rules one by one, on the largest training text ({largest['corpus']}, {largest['bytes']:,} bytes):",
        each_rule_table(results, largest),
        "## What this study does not say",
        LIMITS,
        "## Earlier work",
        EARLIER,
        "## Repeat it",
        REPEAT.format(**results.versions),
    ]
    return "\n\n".join(sections) + "\n"


def _picture(name: str, folder: str) -> str:
    return f"![{TITLES[name]}]({folder}/{name})"


def _largest(results: Results) -> list[Row]:
    """Return the trainings on the two largest corpora, each in its largest size."""
    return sorted(full_trainings(results), key=lambda row: -int(row["bytes"]))[:2]


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
