"""A study of ties: how often they decide a training, how far tie-breaking rules lead apart, and where that shows.

Run: python -m benchmarks.ties [FILE ...] -o results.json. It splits texts into a training part and a held-out part,
trains with every rule, and writes what it measured as JSON. docs/ties.md shows docs/ties/results.json.
"""

import argparse
import hashlib
import json
import platform
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpe
from benchmarks import texts
from bpe import Trace
from bpe.analysis.tie_graph import tie_graph
from bpe.analysis.ties import tie_map
from bpe.comparison.words import is_word, segment_words, words_of
from command_line.terminal import progress_reports

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
# Numbers of merges after which rules are compared; the last ends a training.
CUTS = (
    100,
    300,
    1_000,
    3_000,
    10_000,
)
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
    # By corpus, size and number of merges: ties, and what the other rules share with the first.
    cuts: list[Row]
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
    if graph.results is None:
        whole = tie_graph(documents, VARIANT, min_count=listed, most_seconds=MOST_SECONDS)
    assert whole.results is not None
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


def main() -> None:
    """Measure, and write the rows as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ties", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="further corpora: FILE or TITLE=FILE, in UTF-8"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="a JSON file")
    options = parser.parse_args()
    corpora = [*samples(), python_source(), *map(from_file, options.files)]
    with progress_reports() as report:
        options.output.write_text(as_json(measure(corpora, report)), "utf-8")


if __name__ == "__main__":
    main()
