"""The curves of a beat: how many tokens the lesson's text needs after every merge, and another text beside it.

Or, in place of the whole text, some of its lines: the same content in several languages, for example.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import ceil, floor
from operator import attrgetter
from pathlib import Path
from typing import Any

import bpe
from bpe import BPEError, Trace, Variant, Word
from bpe.analysis.compression import tokens_needed
from bpe.analysis.tie_graph import tie_graph
from bpe.text.display import counted, visible_text
from bpe.text.patterns import alternatives, matched_alternatives
from film.every_way import every_way
from film.feed import EveryWay
from ui.trainings.corpus import Corpus, from_sample, samples
from ui.trainings.recipe import Recipe
from ui.trainings.settings import FREE
from ui.view.chip_table import Column, table_data

_MOST_POINTS = 90
_OWN = "the text of this lesson"

# Which model uses which tokenizer, and who says so.
_FILE = Path(__file__).parent / "models.toml"
_COLUMNS = (
    Column("Model"),
    Column("Algorithm"),
    Column("Library"),
    Column("Vocabulary", "figure"),
    Column("Unknown characters"),
)
_CELLS = attrgetter("name", "algorithm", "library", "size_text", "unknown")
_CONTRACTION = "the end of a contraction"

# An alternative of GPT-2's and GPT-4's patterns -> what it matches, in words.
_MEANINGS = {
    **dict.fromkeys(("'s", "'t", "'re", "'ve", "'m", "'ll", "'d"), _CONTRACTION),
    r" ?\p{L}+": "letters, and one space before them",
    r" ?\p{N}+": "digits, and one space before them",
    r" ?[^\s\p{L}\p{N}]+": "other signs, and one space before them",
    r"\s+(?!\S)": "white space, except its last character before a word",
    r"\s+": "the white space that is left",
    r"'(?i:[sdmt]|ll|ve|re)": f"{_CONTRACTION}, in capitals too",
    r"[^\r\n\p{L}\p{N}]?+\p{L}+": "letters, and one space or sign before them",
    r"\p{N}{1,3}": "one to three digits",
    r" ?[^\s\p{L}\p{N}]++[\r\n]*": "other signs, one space before them, line ends after them",
    r"\s*[\r\n]": "white space that ends with a line end",
}
TITLES = {
    "merges": "The first tokens that each one makes",
    "words": "How each one splits the text",
    "pieces": "How the text is split into pieces",
    "costs": "Pieces and tokens of the same text, after the same number of merges",
    "ids": "The same words, and the ids of their tokens",
}
_STUDY = Path(__file__).parents[3] / "docs" / "ties" / "models.json"
_TICK = 0.005  # bits per byte, between two numbers of the axis


def curve_box(curve: _Curve, trace: Trace, step: int, text: str) -> dict[str, Any]:
    """Return the card's data: curves in percent, and a table of tokens below them. `text` is the lesson's.

    100 percent are the bytes or characters of each text; of several lines, those of the longest.
    """
    last = len(trace.steps)
    at = [number for number in curve.at if number <= last]
    needed = _needed(curve, trace, text)
    longest = max(tokens[0] for tokens in needed.values()) if curve.lines else 0
    points = sorted({round(last * number / _MOST_POINTS) for number in range(_MOST_POINTS + 1)} | {*at, step})
    lines = [
        {"name": name, "values": [round(100 * tokens[point] / (longest or tokens[0]), 2) for point in points]}
        for name, tokens in needed.items()
    ]
    return {
        "title": f"Tokens after 0 to {last:,} merges, in percent of the {trace.variant.unit}"
        + (" of the longest line" if curve.lines else ""),
        "rows": [row for name, tokens in needed.items() for row in _rows(name, tokens, at)],
        "more": "",
        "chart": {"points": points, "lines": lines, "at": step or at[1]},  # a dot at 0 would say nothing
    }


def read_curve(table: Mapping[str, Any]) -> _Curve:
    """Return the curve of a table with `at` and perhaps `held_out` or `lines`."""
    return _Curve(tuple(table["at"]), table.get("held_out", ""), table.get("lines", {}))


@cache
def models() -> Mapping[str, _Model]:
    """Return the models by slug, in the order of their years."""
    rows = (_Model(**row) for row in tomllib.loads(_FILE.read_text("utf-8"))["models"])
    return {model.slug: model for model in sorted(rows, key=lambda model: model.year)}


def read_slugs(slugs: Sequence[str]) -> tuple[str, ...]:
    """Return the slugs of models. Raises BPEError for an unknown one."""
    unknown = [slug for slug in slugs if slug not in models()]
    if unknown:
        raise BPEError(f"There must be a row for each model, got {', '.join(unknown)}.")
    return tuple(slugs)


def models_table(slugs: Sequence[str]) -> dict[str, Any]:
    """Return the table's data: all models, those with these slugs marked, each with the link to its preset."""
    rows = list(models().values())
    return table_data(
        _COLUMNS,
        [_CELLS(model) for model in rows],
        label="Which model uses which tokenizer",
    ) | {
        "marked": [at for at, model in enumerate(rows) if model.slug in slugs],
        "below": [list(_lines_below(model)) for model in rows],
    }


def without_links(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of models for a film, which has no Watch that a link could open."""
    return {**table, "below": [[line for line in lines if "link" not in line] for lines in table["below"]]}


def _lines_below(model: _Model) -> Iterator[dict[str, Any]]:
    if model.note:
        yield {"kind": "note", "text": model.note}
    yield {"kind": "source", "text": model.source}
    if model.preset:
        title = bpe.PRESETS[model.preset].title
        text = f"{model.differs}. Train this way:"
        yield {"kind": "train", "text": text, "link": [title, f"./?preset={model.preset}"]}


def read_pattern_view(table: Mapping[str, Any]) -> _PatternView:
    """Return the view of a table with `variant`, `text` and perhaps `only`."""
    return _PatternView(table["variant"], table["text"], table.get("only", ""))


def pattern_box(view: _PatternView) -> dict[str, Any]:
    """Return the card's data: the text in pieces, and below it each alternative with the number of its pieces."""
    sources = alternatives(view.pattern)
    number_of = {meaning: number for number, (meaning, _) in enumerate(view.groups)}
    pieces = [[_visible(piece), number_of[meaning], _kind(view, meaning)] for piece, meaning in view.pieces]
    matches = Counter(meaning for _, meaning in view.pieces)
    rows = [
        {
            "items": [
                [
                    _visible("|".join(sources[number] for number in numbers)),
                    number_of[meaning],
                    _kind(view, meaning),
                ],
                f"{meaning}: {counted(matches[meaning], 'piece')}",
            ],
            "alternative": number_of[meaning],
        }
        for meaning, numbers in view.groups
    ]
    return {
        "title": f"Which part of the pattern matches: {counted(len(view.pieces), 'piece')}",
        "rows": [{"items": pieces}, *rows],
        "more": "",
    }


@dataclass(frozen=True, slots=True)
class Result:
    """One training's name and what it gave: words of symbols, all in one row, or a note."""

    name: str
    variant: Variant
    rows: tuple[Word, ...]
    note: str = ""
    text: str = ""  # that is split into pieces
    ids: tuple[tuple[int, ...], ...] = ()  # of the symbols, where they are shown


def results(runs: _Runs, corpus: Corpus) -> Iterator[Result]:
    """Yield the result of every recipe, in turn for each text that is split."""
    rows = [(text, recipe) for text in runs.texts or [""] for recipe in runs.under]
    names = runs.names or tuple(name_of(recipe, runs.of) for _, recipe in rows)
    for name, (text, recipe) in zip(names, rows, strict=True):
        trace = bpe.train(corpus.training_text, **recipe.settings)
        note = _cost(trace) if runs.of == "costs" else ""
        words = _RESULTS[runs.of](trace, text)
        ids = tuple(tuple(map(trace.id_of, word)) for word in words) if runs.of == "ids" else ()
        yield Result(name, trace.variant, words, note, text if runs.of == "pieces" else "", ids)


def name_of(recipe: Recipe, of: str) -> str:
    """Return the name of a recipe: its preset, or the rule that it breaks ties by, or its variant for pieces.

    >>> name_of(
    ...     Recipe.of({"preset": "rustbpe", "variant": "bytes-gpt4", "tie_break": "ids-min", "merges": 1}),
    ...     "words",
    ... )
    'rustbpe'
    """
    if of == "pieces":
        return bpe.VARIANTS[recipe.variant].title
    return (
        bpe.TIE_BREAKS[recipe.tie_break].title if recipe.preset == FREE else bpe.PRESETS[recipe.preset].title
    )


def read_runs(table: Mapping[str, Any], read_recipe: Callable[[Mapping[str, Any]], Recipe]) -> _Runs:
    """Return the runs of a table with `of`, `under` and perhaps `text`, one or several, and `names`."""
    under = tuple(map(read_recipe, table["under"]))
    text = table.get("text", ())
    texts = (text,) if isinstance(text, str) else tuple(text)
    return _Runs(table["of"], under, texts, tuple(table.get("names", ())))


def read_table(table: Mapping[str, Any]) -> _Table:
    """Return the table with `title` and `rows`, each with a `name` and `words`, which are lists of tokens.

    `goes_on` says whether the rows of the lesson's tables before it come first.
    """
    rows = tuple((row["name"], tuple(map(tuple, row["words"]))) for row in table["rows"])
    return _Table(table["title"], rows, table.get("goes_on", False))


def read_bars(table: Mapping[str, Any]) -> _Bars:
    """Return the bars of a table with `title` and `rows`, each with a `name`, and with `is` or `text`."""
    return _Bars(table["title"], tuple(map(_read_bar, table["rows"])))


def _read_bar(row: Mapping[str, Any]) -> _Bar:
    amounts = row.get("is", [])
    return _Bar(
        row["name"],
        tuple(amounts) if isinstance(amounts, list) else (amounts,),
        row.get("text", ""),
        row.get("lit", False),
    )


def read_ways(table: Mapping[str, Any], read_recipe: Callable[[Mapping[str, Any]], Recipe]) -> _Ways:
    """Return the ways of a table with `begin` and `end`, and perhaps `rules`, or `sample` and `recipe`."""
    recipe = read_recipe(table["recipe"]) if "recipe" in table else None
    return _Ways(table["begin"], table["end"], tuple(table.get("rules", ())), table.get("sample", ""), recipe)


def ways_picture(ways: _Ways, corpus: Corpus, recipe: Recipe) -> EveryWay:
    """Return the picture of a beat's ways. Text and recipe are the lesson's."""
    text = from_sample(ways.sample).training_text if ways.sample else corpus.training_text
    settings = (ways.recipe or recipe).settings
    lanes = {
        bpe.TIE_BREAKS[rule].title: bpe.train(text, **{**settings, "tie_break": rule})
        for rule in ways.rules or (settings["tie_break"],)
    }
    return every_way(tie_graph(text, **settings), lanes)


def read_losses(table: Mapping[str, Any]) -> _Losses:
    """Return the losses of a table with `bytes` and `ways`, and perhaps `samples` and `spreads`."""
    return _Losses(**table)


def losses_box(losses: _Losses) -> dict[str, Any]:
    """Return the chart's data: a dot for each model. All charts of one size have the same axis, that of all losses."""
    ways, samples = _of_size(losses.bytes)
    every: list[float] = [bits for row in (*ways, *samples) for bits in row["bits_per_byte"]]
    first, last = floor(min(every) / _TICK), ceil(max(every) / _TICK)

    def place(bits: float) -> float:
        return round(100 * (bits / _TICK - first) / (last - first), 2)

    def drawn(row: Mapping[str, Any], kind: str, name: str) -> dict[str, Any]:
        bits = row["bits_per_byte"]
        mean = sum(bits) / len(bits)
        return {
            "name": name,
            "items": [],
            "kind": kind,
            "dots": {
                "places": [place(one) for one in bits],
                "mean": place(mean),
                "spread": f"{100 * (max(bits) - min(bits)) / mean:.2f}%" * losses.spreads,
                "says": f"{counted(len(bits), 'model')} from {min(bits):.4f} to {max(bits):.4f}, mean {mean:.4f}",
            },
        }

    return {
        "title": "Bits per byte of new text, a dot for each model and a bar for the mean; fewer are better",
        "more": "",
        "rows": [
            *(drawn(row, "way", _way_name(row)) for row in ways[: losses.ways]),
            *(
                drawn(row, "sample", f"Another {losses.bytes // 1000:,} kB ({number})")
                for number, row in enumerate(samples[: losses.samples], start=1)
            ),
        ],
        "ticks": [
            {"place": place(number * _TICK), "text": f"{number * _TICK:.3f}"}
            for number in range(first, last + 1)
        ],
    }


def _merges(trace: Trace, text: str) -> tuple[Word, ...]:
    return (tuple(left + right for left, right in trace.merges),)


def _words(trace: Trace, text: str) -> tuple[Word, ...]:
    return tuple(word for word, _ in trace.words_at(len(trace.steps)))


def _pieces(trace: Trace, text: str) -> tuple[Word, ...]:
    return (tuple(piece.encode() for piece in trace.variant.split(text)),)


# What to show of a training -> its words or its only row.
_RESULTS: Mapping[str, Callable[[Trace, str], tuple[Word, ...]]] = {
    "merges": _merges,
    "words": _words,
    "pieces": _pieces,
    "costs": lambda trace, text: (),
    "ids": lambda trace, text: tuple(map(tuple, map(trace.tokenizer().tokens, trace.variant.split(text)))),
}


@dataclass(frozen=True, slots=True)
class _Curve:
    """What a beat draws over the merges."""

    at: tuple[int, ...]  # the merges that the table below the curve lists, in their order
    held_out: str = ""  # slug of the sample that is encoded beside the lesson's text; "" for none
    lines: Mapping[str, int] = field(default_factory=dict)  # {name: line of the lesson's text, from 1}

    def __post_init__(self) -> None:
        if list(self.at) != sorted(set(self.at)) or len(self.at) < 2 or self.at[0] < 0:
            raise BPEError(f"A curve must list two or more numbers of merges in order, got {list(self.at)}.")
        if self.held_out not in ("", *samples()):
            raise BPEError(f"The held-out text must be a sample, got {self.held_out!r}.")


@dataclass(frozen=True, slots=True)
class _Model:
    """One model, or several with the same tokenizer."""

    slug: str
    name: str
    year: int
    algorithm: str
    library: str
    size: int  # ids in the vocabulary
    unknown: str  # what becomes of a character that the vocabulary lacks
    source: str
    about: bool = False  # `size` is a round number
    note: str = ""  # a correction of what can be read elsewhere
    preset: str = ""  # slug of the preset that trains in this way
    differs: str = ""  # what that preset leaves out

    def __post_init__(self) -> None:
        if self.preset not in ("", *bpe.PRESETS):
            raise BPEError(f"The preset of a model must be one of PRESETS, got {self.preset!r}.")
        if bool(self.preset) is not bool(self.differs):
            raise BPEError(f"A preset must come with what differs, got {self.differs!r} for {self.name}.")

    @property
    def size_text(self) -> str:
        """The size as people read it."""
        return f"{'about ' * self.about}{self.size:,}"


@dataclass(frozen=True, slots=True)
class _PatternView:
    """A text under the pattern of a variant."""

    variant: str  # slug of a variant that splits by a pattern
    text: str
    only: str = ""  # the alternatives to highlight, by their meaning; "" for all

    def __post_init__(self) -> None:
        if not bpe.VARIANTS[self.variant].split_pattern:
            raise BPEError(f"The variant must split by a pattern, got {self.variant!r}.")
        if self.only not in ("", *(meaning for meaning, _ in self.groups)):
            raise BPEError(f"The pattern has no alternative with this meaning, got {self.only!r}.")

    @property
    def pattern(self) -> str:
        """The pattern."""
        return bpe.VARIANTS[self.variant].split_pattern

    @property
    def groups(self) -> list[tuple[str, list[int]]]:
        """The alternatives, those of one meaning together: (meaning, numbers of the alternatives)."""
        groups: dict[str, list[int]] = {}
        for number, part in enumerate(alternatives(self.pattern)):
            groups.setdefault(_MEANINGS.get(part, part), []).append(number)
        return list(groups.items())

    @property
    def pieces(self) -> list[tuple[str, str]]:
        """The pre-tokens of the text, each with the meaning of the alternative that matched it."""
        meaning_of = {number: meaning for meaning, numbers in self.groups for number in numbers}
        return [
            (piece, meaning_of[number]) for piece, number in matched_alternatives(self.pattern, self.text)
        ]


@dataclass(frozen=True, slots=True)
class _Runs:
    """The trainings that a beat compares, and what it shows of each."""

    of: str  # one of RESULTS
    under: tuple[Recipe, ...]
    texts: tuple[str, ...] = ()  # what "pieces" splits, or the words of "ids"
    names: tuple[str, ...] = ()  # of the rows, if their presets, rules or variants do not tell them apart

    def __post_init__(self) -> None:
        if self.of not in _RESULTS:
            raise BPEError(f"Runs must be of one of {', '.join(_RESULTS)}, got {self.of!r}.")
        if bool(self.texts) is not (self.of in {"pieces", "ids"}):
            raise BPEError(f"A text belongs to runs of pieces or ids, got {self.texts} for {self.of!r}.")
        rows = len(self.under) * max(1, len(self.texts))
        if self.names and len(self.names) != rows:
            raise BPEError(f"Each of {rows} rows must have a name, got {len(self.names)} names.")


@dataclass(frozen=True, slots=True)
class _Table:
    """A title, and rows of (name, the tokens of each word).

    Tests compute it with the library.
    """

    title: str
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class _Bar:
    """A number as a bar, several numbers as the parts of one, or a text without one."""

    name: str
    amounts: tuple[int, ...]
    text: str = ""
    lit: bool = False  # whether the text speaks of it; without such a row, of all

    def __post_init__(self) -> None:
        if bool(self.amounts) is bool(self.text):
            raise BPEError(f"A bar must have a number or a text, and not both, got {self}.")


@dataclass(frozen=True, slots=True)
class _Bars:
    """A title, and numbers to compare. Tests compute them."""

    title: str
    rows: tuple[_Bar, ...]


@dataclass(frozen=True, slots=True)
class _Ways:
    """Whose ties a beat shows, and how far its picture has unfolded before and after an answer or a moment."""

    begin: int  # merges
    end: int
    rules: tuple[str, ...] = ()  # slugs of the rules that have a line; by default that of the recipe
    sample: str = ""  # whose text it is; "" for the lesson's
    recipe: Recipe | None = None  # if it is not the lesson's

    def __post_init__(self) -> None:
        if not 0 <= self.begin <= self.end:
            raise BPEError(f"A picture must unfold forwards, got {self.begin} to {self.end} merges.")
        if bool(self.sample) is not bool(self.recipe):
            raise BPEError(f"A sample and its recipe come together, got {self.sample!r} and {self.recipe}.")
        if self.sample not in ("", *samples()):
            raise BPEError(f"The text of another picture must be a sample, got {self.sample!r}.")


@dataclass(frozen=True, slots=True)
class _Losses:
    """Whose losses a beat shows: tokenizers of one size, in the order of the study."""

    bytes: int  # of the text that each of them was trained on
    ways: int  # so many ways to break ties
    samples: int = 0  # and so many other texts, with the ties broken in the first way
    spreads: bool = False  # whether each row says how far its models lie apart

    def __post_init__(self) -> None:
        ways, samples = (len(rows) for rows in _of_size(self.bytes))
        if not (1 <= self.ways <= ways and 0 <= self.samples <= samples):
            raise BPEError(
                f"The study must have these losses, got {self.ways} ways of {ways} and {self.samples} samples of "
                f"{samples} for {self.bytes:,} bytes."
            )


def _needed(curve: _Curve, trace: Trace, text: str) -> dict[str, list[int]]:
    """Return {name: tokens after 0, 1, 2, … merges} of the texts that the curve compares."""
    if curve.lines:
        lines = text.split("\n")
        return {name: tokens_needed(trace, lines[number - 1]) for name, number in curve.lines.items()}
    needed = {_OWN: [trace.tokens_total(number) for number in range(len(trace.steps) + 1)]}
    if curve.held_out:
        title = samples()[curve.held_out].title
        needed[title] = tokens_needed(trace, from_sample(curve.held_out).reading_text)
    return needed


def _rows(name: str, tokens: list[int], at: list[int]) -> list[dict[str, Any]]:
    first = {
        "items": [f"{name[0].upper()}{name[1:]}: {counted(tokens[at[0]], 'token')} after {at[0]:,} merges"]
    }
    saved = [
        {"items": [f"merges {before + 1:,} to {after:,} save {tokens[before] - tokens[after]:,}"]}
        for before, after in pairwise(at)
    ]
    return [first, *saved]


def _visible(text: str) -> str:
    return visible_text(text.encode())


def _kind(view: _PatternView, meaning: str) -> str:
    return "alternative dim" if view.only not in ("", meaning) else "alternative"


def _cost(trace: Trace) -> str:
    pieces, tokens = sum(trace.frequencies), trace.tokens_total(len(trace.steps))
    return f"{pieces:,} pieces, {tokens:,} tokens"


@cache
def _of_size(size: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the tokenizers of one size: each way to break ties, and each other sample.

    Their losses are those of the seeds that all of them have.
    """
    rows = [row for row in json.loads(_STUDY.read_text("utf-8"))["tokenizers"] if row["bytes"] == size]
    kinds = ([row for row in rows if not row["sample"]], [row for row in rows if row["sample"]])
    for kind in kinds:
        seeds = min((len(row["bits_per_byte"]) for row in kind), default=0)
        for row in kind:
            del row["bits_per_byte"][seeds:]
    return kinds


def _way_name(row: Mapping[str, Any]) -> str:
    rule = bpe.TIE_BREAKS[row["rule"]]
    return f"{rule.title} {row['rule_seed'] + 1}" if rule.seeded else rule.title
