"""The measurements: one training for each corpus, size and rule, and what the rules have in common."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import bpe
from benchmarks.ties.corpora import Corpus, Split, sizes, split
from bpe import Trace
from bpe.analysis.comparing.word_comparison import segment_words, words_of
from bpe.analysis.ties import tie_map

CUTS = (100, 300, 1_000, 3_000, 10_000)  # numbers of merges after which rules are compared
COUNTS = (2, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025)  # least counts of the classes of counts
LEAST_BYTES = 1_000  # of training text

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


def rules(draws: int) -> list[tuple[str, int]]:
    """Return (slug, seed) of every rule of the menu; the random one once for each draw. The first is compared with."""
    slugs = [row for row in bpe.TIE_BREAKS.values() if row.menu and not row.by_hand]
    return [(row.slug, seed) for row in slugs for seed in range(draws if row.seeded else 1)]


def measure(corpora: Sequence[Corpus], plan: Plan, report: Report = lambda line: None) -> Measurements:
    """Return the measurements of all corpora. `report` receives a line before each training."""
    measurements = Measurements([], [], [], [], [])
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
    return measurements


def _add(table: list[Row], name: Row, rows: Iterator[Row] | list[Row]) -> None:
    table += [name | row for row in rows]


def _train(documents: list[str], slug: str, seed: int, plan: Plan) -> Trace:
    return bpe.train(documents, plan.variant, slug, merges=plan.merges, min_count=plan.min_count, seed=seed)


def _held_out_words(parts: Split, plan: Plan) -> dict[str, int]:
    empty = bpe.train("", plan.variant)
    return words_of([empty], parts.documents(parts.held_out))


def _corpus_row(corpus: Corpus, parts: Split, plan: Plan) -> Row:
    words = _held_out_words(parts, plan)
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
        "harmless": ties.kinds.count("harmless"),
        "cascaded": ties.kinds.count("cascaded"),
        "open": ties.kinds.count("open"),
        "largest": max(ties.tied, default=0),
    }


def _cut_rows(trace: Trace) -> Iterator[Row]:
    tied = [step.tied > 1 for step in trace.steps]
    for k in cuts_of([trace]):
        yield {"merges": k, "tied": sum(tied[:k])}


def _count_rows(trace: Trace) -> Iterator[Row]:
    for least, after in zip(COUNTS, (*COUNTS[1:], None), strict=True):
        steps = [
            step for step in trace.steps if least <= step.count and (after is None or step.count < after)
        ]
        if steps:
            tied = sum(step.tied > 1 for step in steps)
            yield {"least": least, "most": after and after - 1, "merges": len(steps), "tied": tied}


def cuts_of(traces: Sequence[Trace]) -> list[int]:
    """Return the numbers of merges at which to compare: those of CUTS that all have, and the most that all have."""
    most = min(len(trace.steps) for trace in traces)
    return [k for k in CUTS if k < most] + [most] * (most > 0)


def _rule_rows(traces: Sequence[Trace], words: Mapping[str, int], plan: Plan) -> Iterator[Row]:
    for k in cuts_of(traces):
        learned = [set(trace.symbols[len(trace.alphabet) :][:k]) for trace in traces]
        segmented = [[word.tokens[0] for word in segment_words([trace], words, k)] for trace in traces]
        for number, (slug, seed) in enumerate(rules(plan.draws)):
            differ = [one != other for one, other in zip(segmented[0], segmented[number], strict=True)]
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
