"""What fills the space beside a lesson's text, and what the text points at: a row of STAGES for each.

A row says which fields of a beat belong to it, how they are read, and what the browser draws of them, on the page and
in a film. A row that is evidence can be named by `show` too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import bpe
from bpe import Step, Symbol, Trace
from bpe.analysis.alignment import Row, aligned_rows
from bpe.encoding.encoders import Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted, merge_name
from film.encoding_feed import encoding_feed, encoding_window, learned_rail
from film.feed import ChipLabel, CodeBeat, EncodingFeed, Feed, TrainingFeed
from film.labels import chip_label
from film.pair_rows import counted_pairs
from film.textbook_code import code_lines, encoder_lines
from film.training_feed import training_feed
from ui.page_parts.lessons import evidence
from ui.page_parts.lessons.evidence import TITLES, Result, name_of, results
from ui.page_parts.lessons.exercises import Question
from ui.page_parts.lessons.lesson import Beat, Lesson, read_recipe
from ui.trainings.corpus import from_sample, samples
from ui.trainings.recipe import Recipe
from ui.view.aligned_rows import rows_data
from ui.view.first_view import first_view
from ui.view.listing import listing_data

GROUP = "lesson"  # of the card and what fills its stage
_PLAIN = -1  # instead of an id, if the chip is a word or a token of another recipe, and no token of the grid


@dataclass(frozen=True)
class BeatContent:
    """One beat with the trace that it is about."""

    lesson: Lesson
    trace: Trace
    beat: Beat
    known: frozenset[str] | None = None  # slugs of the terms that have been introduced; None for all

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer at the beat's step."""
        return self.lesson.tokenizer(self.trace, self.beat.step)

    @property
    def encoder(self) -> Encoder:
        """Encoder of the beat."""
        return self.lesson.encoder_of(self.beat)

    @cached_property
    def ids(self) -> dict[Symbol, int]:
        """Ids of the tokens up to the next merge."""
        if self.lesson.vocabulary:
            return dict(self.tokenizer.ids)
        merged = (b"".join(step.pair) for step in self.trace.steps[: self.beat.step + 1])
        return {symbol: self.trace.id_of(symbol) for symbol in (*self.trace.alphabet, *merged)}

    @property
    def next_merge(self) -> Step | None:
        """Merge that follows the beat's step; None at the end of the training."""
        return self.trace.steps[self.beat.step] if self.beat.step < len(self.trace.steps) else None

    @cached_property
    def question(self) -> Question | None:
        """Question of the beat's exercise, if it has one."""
        return self.lesson.question(self.trace, self.beat) if self.beat.exercise else None

    def id_of_text(self, spelled: str) -> int:
        """Return the id of a spelled token; _PLAIN if the grid has no such token."""
        return self.ids.get(self.trace.variant.unspelled(spelled.replace("·", " ")), _PLAIN)

    def label_of_text(self, spelled: str) -> ChipLabel:
        """Return how a chip writes a spelled token: a marker as a tab, as on the grid."""
        variant = self.trace.variant
        symbol = variant.unspelled(spelled)
        return spelled if symbol == spelled.encode() else chip_label(variant, symbol)

    def chip(self, symbol: Symbol, kind: str = "") -> list[Any]:
        """Return a symbol as an item of a row."""
        return [chip_label(self.trace.variant, symbol), self.ids.get(symbol, _PLAIN), kind]


_MOST_PAIRS = 8
_MOST_TOKENS = 40
_MOST_ROWS = 8  # of a model's table, of the bytes and of the merges

_Item = str | list[Any]  # text, or a token as [label, id, kind: "" | "unused" | "unknown"]
BoxRow = dict[str, Any]
Box = dict[str, Any]  # a title, rows of items, a note on what is left out, and perhaps a chart


def _pair_box(content: BeatContent) -> Box:
    """Return the most frequent pairs, and the pair that the beat is about."""
    rows, total = counted_pairs(content.trace, content.beat.step, most=1_000_000)
    chosen = [row for row in rows if row.rank <= _MOST_PAIRS or row.pair == content.beat.pair]
    note = "" if total == len(chosen) else f"{len(chosen):,} of {total:,} pairs"
    drawn: list[BoxRow] = [
        {
            "items": [*map(content.chip, row.pair), f"{row.count:,}"],
            "pair": [*map(content.trace.id_of, row.pair)],
            "tied": row.tied,
            "chosen": row.chosen,
        }
        for row in chosen
    ]
    return _box("Pairs by count", drawn, note)


def _token_box(content: BeatContent) -> Box:
    """Return how the beat's tokens were merged, and how often each occurs now."""
    trace = content.trace
    counts = trace.token_counts(content.beat.step)
    rows: list[BoxRow] = []
    for token in content.beat.tokens:
        parents = trace.parents(token)
        merged: list[_Item] = []
        origin = "in the alphabet"
        if parents is not None:
            merged = [content.chip(parents[0]), "+", content.chip(parents[1]), "→"]
            origin = f"created by {merge_name(trace.born(token))}"
        now = counted(counts.get(token, 0), "time")
        rows.append({"items": [*merged, content.chip(token), f"{origin} · occurs {now} now"]})
    return _box("Where it comes from", rows)


def _vocabulary_box(content: BeatContent) -> Box:
    """Return the tokens in the order of their ids. Those not in use are marked."""
    trace, typed = content.trace, content.lesson.vocabulary
    counts = trace.token_counts(content.beat.step)
    size = len(trace.vocabulary(content.beat.step))
    knows_use = content.known is None or "in-use" in content.known
    in_use = f", {len(counts):,} in use" if knows_use else ""
    alphabet = list(trace.alphabet)
    tokens = [b"".join(step.pair) for step in trace.steps[: content.beat.step]]
    if typed:
        tokens = [trace.variant.unspelled(text) for text in typed.split()]
        title = f"The vocabulary: {len(tokens)} tokens, typed by hand"
    elif len(alphabet) + len(tokens) <= _MOST_TOKENS:
        tokens = [*alphabet, *tokens]
        title = f"The vocabulary: {size:,} tokens{in_use}"
    else:
        listed = "; these were merged" if tokens else ""
        title = f"The vocabulary: {size:,} tokens{in_use}{listed}"
    chips = [
        content.chip(token, "" if typed or not knows_use or counts.get(token) else "unused")
        for token in tokens[:_MOST_TOKENS]
    ]
    notes = []
    if len(tokens) > _MOST_TOKENS:
        notes.append(f"and {len(tokens) - _MOST_TOKENS:,} more")
    if any(kind for _, _, kind in chips):
        notes.append("dashed: not in use now")
    return _box(title, [{"items": chips}] if chips else [], "; ".join(notes))


def _encoding_box(content: BeatContent) -> Box:
    """Return the tokens of the beat's new text."""
    tokens = content.tokenizer.tokens(content.beat.encode, content.lesson.encoder_of(content.beat))
    unknown = [token not in content.ids for token in tokens]
    chips: Sequence[_Item] = [
        content.chip(token, "unknown" if is_unknown else "")
        for token, is_unknown in zip(tokens, unknown, strict=True)
    ]
    title = f"{content.beat.encode} in {counted(len(tokens), 'token')}"
    return _box(title, [{"items": list(chips)}], "dashed: not in the vocabulary" if any(unknown) else "")


def _runs_box(content: BeatContent) -> Box:
    """Return what each of several recipes makes of the lesson's corpus."""
    runs = content.beat.shown["runs"]
    rows = [_result_row(content, result) for result in results(runs, content.lesson.corpus)]
    return _box(TITLES[runs.of], rows)


def _result_row(content: BeatContent, result: Result) -> BoxRow:
    items: list[_Item] = []
    for number, word in enumerate(result.rows):
        items += ["|"] * (number > 0)
        for at, symbol in enumerate(word):
            items.append([chip_label(result.variant, symbol), content.ids.get(symbol, _PLAIN), ""])
            items += [str(result.ids[number][at])] if result.ids else []
    row: BoxRow = {"name": result.name, "items": [*items, result.note] if result.note else items}
    return {**row, "text": result.text} if result.text else row


def _table_box(content: BeatContent) -> Box:
    """Return the beat's own table. One that goes on has the rows of the tables before it, too."""
    lesson, table = content.lesson, content.beat.shown["table"]
    before = lesson.beats[: lesson.beats.index(content.beat)] if table.goes_on else ()
    tables = [*(beat.shown["table"] for beat in before if "table" in beat.shown), table]
    rows: list[BoxRow] = []
    for name, words in chain.from_iterable(one.rows for one in tables):
        items: list[_Item] = []
        for number, tokens in enumerate(words):
            items += ["|"] * (number > 0)
            items += [[content.label_of_text(token), content.id_of_text(token), ""] for token in tokens]
        rows.append({"name": name, "items": items})
    return _box(table.title, rows)


def _bars_box(content: BeatContent) -> Box:
    """Return numbers to compare, each as a bar."""
    bars = content.beat.shown["bars"]
    rows: list[BoxRow] = [
        {
            "name": row.name,
            "items": [row.text] * bool(row.text),
            "amounts": list(row.amounts),
            "lit": row.lit or not any(one.lit for one in bars.rows),
        }
        for row in bars.rows
    ]
    return _box(bars.title, rows)


def _embedding_box(content: BeatContent) -> Box:
    """Return the rows of a model's table: those of the bytes, one for each merge, and how many a real model has.

    How many there are together waits for the answer.
    """
    embedding, trace = content.beat.shown["embedding"], content.trace
    model = evidence.models()[embedding["model"]]
    merges, size = embedding["merges"], len(trace.alphabet)
    merged = [b"".join(step.pair) for step in trace.steps[: min(merges, _MOST_ROWS)]]
    initial = [symbol for symbol in trace.alphabet if symbol.isalnum()][: len(merged)]
    others = [f"and {merges - len(merged):,} more"] if merges > len(merged) else []
    rows: list[BoxRow] = [
        {
            "name": f"{counted(size, 'row')} for the bytes",
            "items": [*map(content.chip, initial), f"and {size - len(initial):,} more"],
        },
        {"name": "1 row for each merge", "items": [*map(content.chip, merged), *others]},
        {"name": model.name, "items": [counted(model.size, "row")]},
        {"name": f"After {counted(merges, 'merge')}", "items": [counted(size + merges, "row")]},
    ]
    return {**_box("The rows of a model's table", rows), "waits": 1}


def _box(title: str, rows: list[BoxRow], note: str = "") -> Box:
    return {"title": title, "rows": rows, "more": note}


_WHOLE = 20_000  # characters: more than any lesson's text has, so that no grid shows a part of it


def own_feed(lesson: Lesson, trace: Trace) -> TrainingFeed:
    """Return the feed of a lesson's training."""
    return training_feed(trace, lesson.corpus.training_text, size=_WHOLE)


def _feed_beside(recipe: Recipe, lesson: Lesson) -> TrainingFeed:
    """Return the feed of another recipe on the lesson's corpus."""
    return own_feed(lesson, bpe.train(lesson.corpus.training_text, **recipe.settings))


def _feed_of_encoding(lesson: Lesson, trace: Trace, beat: Beat) -> EncodingFeed:
    """Return the feed of a beat's new text."""
    tokenizer = lesson.tokenizer(trace, beat.step)
    window = encoding_window(beat.encode, tokenizer)
    return encoding_feed(tokenizer, window, lesson.encoder_of(beat))[0]


def _rail_of(content: BeatContent) -> Mapping[str, Any] | None:
    """Return the rail of a beat with a new text; None if nothing has been learned."""
    steps = content.tokenizer.encode_steps(content.beat.encode, content.encoder)
    return learned_rail(content.tokenizer, list(steps))


def _spelled(lesson: Lesson, trace: Trace, beat: Beat) -> list[Row]:
    """Return the rows of the words that a beat names, or of the text’s beginning."""
    text = beat.shown.get("spells") or lesson.corpus.reading_text[:40]
    return list(aligned_rows(text, lesson.tokenizer(trace, beat.step)))


def _word_box(content: BeatContent) -> Box:
    """Return the beat's word in its tokens."""
    trace, word = content.trace, content.beat.shown["word"]
    number = trace.pre_tokens.index(word)
    tokens, frequency = trace.words_at(content.beat.step)[number]
    title = f"{word} in {counted(len(tokens), 'token')}, {counted(frequency, 'time')} in the text"
    return {"title": title, "rows": [{"items": [content.chip(token) for token in tokens]}], "more": ""}


def _summary_box(content: BeatContent) -> Box:
    """Return a text before the merges and after them, and a new word. It is the lesson's text, or that of a sample."""
    summary, trace = content.beat.shown["summary"], content.trace
    if "sample" in summary:
        sample = samples()[summary["sample"]]
        recipe = read_recipe({"preset": sample.preset, "merges": sample.merges})
        trace = bpe.train(from_sample(sample.slug).training_text, **recipe.settings)
    merges = len(trace.steps)
    rows = {
        "The text begins as characters": [tokens for tokens, _ in trace.words_at(0)],
        f"The same text after {counted(merges, 'merge')}": [tokens for tokens, _ in trace.words_at(merges)],
        "A new word, split by the same merges": [tuple(trace.tokenizer().tokens(summary["new"]))],
    }
    results = [Result(name, trace.variant, tuple(words)) for name, words in rows.items()]
    box = _box("All of it in one picture", [_result_row(content, result) for result in results])
    return {**box, "next": "Your turn: which pair does your own text merge first?"}


def _whole_words_box(content: BeatContent) -> Box:
    """Return the words of the text, each as one token."""
    words = content.trace.pre_tokens
    items: list[_Item] = []
    for word in words:
        items += ["|"] * bool(items)
        items.append([word, _PLAIN, ""])
    return {"title": f"{counted(len(words), 'word')}, each one token", "rows": [{"items": items}], "more": ""}


Shown = dict[str, Any]  # what stands beside a text: film/browser/lesson/stages.js has its type
_Data = dict[str, Any]  # of a component


def _unchanged(data: _Data) -> _Data:
    return data


@dataclass(frozen=True, slots=True)
class _Stage:
    """One thing that can fill the space beside a text."""

    shows: Callable[[BeatContent, list[Feed]], Shown]  # it may add feeds, which grids name by their number
    fields: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)  # of a beat -> what reads them
    needs: str = ""  # the field without which it has nothing to draw
    is_evidence: bool = False  # `show` can name it, and must if it is the stage
    box: Callable[[BeatContent], Box] | None = None  # its rows, also below the text of another stage
    tells_little: bool = True  # the grid shows of the next merge only what the text tells
    part: str = ""  # the component that fills it: a folder of `film/browser`; "" for grids
    in_film: Callable[[_Data], _Data] = _unchanged  # what a film shows in place of that component's data
    is_wide: bool = False  # in the presenter view the text stands above it


def _shown(kind: str, lanes: Sequence[dict[str, Any]] = (), **more: Any) -> Shown:
    return {"kind": kind, "lanes": [*lanes], "rail": None, "data": None, **more}


def _lane(
    feed: int, title: str = "", ahead: int = 0, options: Mapping[str, str | bool] | None = None
) -> _Data:
    return {"feed": feed, "title": title, "ahead": ahead, "options": dict(options or {})}


def _number_of(feed: Feed, feeds: list[Feed]) -> int:
    """Return the number of a feed, of which each is there only once."""
    known = next((number for number, other in enumerate(feeds) if other["id"] == feed["id"]), None)
    if known is None:
        feeds.append(feed)
        return len(feeds) - 1
    return known


def _training(content: BeatContent, feeds: list[Feed]) -> Shown:
    corpus = content.lesson.corpus
    view = first_view(corpus.reading_text, is_list=corpus.frequencies is not None)
    return _shown("grid", [_lane(0, options=view)])


def _encoding(content: BeatContent, feeds: list[Feed]) -> Shown:
    feed = _feed_of_encoding(content.lesson, content.trace, content.beat)
    return _shown("encoding", [_lane(_number_of(feed, feeds))], rail=_rail_of(content))


def _comparison(content: BeatContent, feeds: list[Feed]) -> Shown:
    lesson, beat = content.lesson, content.beat
    recipe: Recipe = beat.shown["beside"]
    own, other = (name_of(one, "words") for one in (lesson.recipe, recipe))
    ahead: int = beat.shown.get("beside_step", beat.step) - beat.step
    feed = _feed_beside(recipe, lesson)
    return _shown("compare", [_lane(0, own), _lane(_number_of(feed, feeds), other, ahead)])


def _filled_by(part: str, data: Callable[[BeatContent], _Data], **options: Any) -> _Stage:
    """Return a stage that a component fills. The training's grid is out of sight, and still listens to the keys."""

    def shows(content: BeatContent, _: list[Feed]) -> Shown:
        return _shown(part, data=data(content))

    return _Stage(shows, part=part, **options)


def _subject(kind: str, box: Callable[[BeatContent], Box], **options: Any) -> _Stage:
    """Return a stage that `film/browser/subject` fills: with rows of tokens, a pattern, a curve or a word."""

    def data(content: BeatContent) -> _Data:
        subject = {"kind": kind, "waits": content.beat.waits, **box(content)}
        return {"subject": subject, "marker": content.trace.variant.marker_text}

    return _filled_by("subject", data, box=box, **options)


def _bytes_data(content: BeatContent) -> _Data:
    rows = _spelled(content.lesson, content.trace, content.beat)
    return rows_data(rows, "The text from characters to tokens")


def _ways_data(content: BeatContent) -> _Data:
    """Return the picture of a beat's ways, and from where to where it unfolds."""
    ways, lesson = content.beat.shown["ways"], content.lesson
    picture = evidence.ways_picture(ways, lesson.corpus, lesson.recipe)
    return {**picture, "name": lesson.slug, "unfolds": [ways.begin, ways.end]}


def _code_data(content: BeatContent) -> _Data:
    """Return the code of the training, with the lines of a beat lit, or that of the encoder."""
    shown = content.beat.shown["code"]
    if shown == "encode":
        lines = encoder_lines(content.tokenizer.textbook(content.encoder))
        return listing_data(lines, "fixed", GROUP, always=True)
    lit: CodeBeat = "" if shown == "all" else shown
    return listing_data(code_lines(), "training", GROUP, always=True, lit=lit)


STAGES: Mapping[str, _Stage] = {
    "grid": _Stage(_training),
    "encoding": _Stage(_encoding, needs="encode", tells_little=False),
    "compare": _Stage(
        _comparison,
        fields={"beside": read_recipe, "beside_step": int},
        needs="beside",
        tells_little=False,
    ),
    "word": _subject("word", _word_box, fields={"word": str}, needs="word"),
    "whole words": _subject("rows", _whole_words_box),
    "summary": _subject("rows", _summary_box, fields={"summary": dict}, needs="summary", is_wide=True),
    "bytes": _filled_by("aligned_rows", _bytes_data, fields={"spells": str}, is_evidence=True, is_wide=True),
    "pattern": _subject(
        "pattern",
        lambda content: evidence.pattern_box(content.beat.shown["pattern"]),
        fields={"pattern": evidence.read_pattern_view},
        needs="pattern",
        is_evidence=True,
    ),
    "curve": _subject(
        "curve",
        lambda content: evidence.curve_box(
            content.beat.shown["curve"], content.trace, content.beat.step, content.lesson.corpus.reading_text
        ),
        fields={"curve": evidence.read_curve},
        needs="curve",
        is_evidence=True,
    ),
    "table": _subject(
        "rows", _table_box, fields={"table": evidence.read_table}, needs="table", is_evidence=True
    ),
    "bars": _subject("bars", _bars_box, fields={"bars": evidence.read_bars}, needs="bars", is_evidence=True),
    "embedding": _subject(
        "rows", _embedding_box, fields={"embedding": dict}, needs="embedding", is_evidence=True
    ),
    "runs": _subject(
        "rows",
        _runs_box,
        fields={"runs": lambda table: evidence.read_runs(table, read_recipe)},
        needs="runs",
        is_evidence=True,
    ),
    "models": _filled_by(
        "models_table",
        lambda content: evidence.models_table(content.beat.shown["models"]),
        in_film=evidence.without_links,
        fields={"models": evidence.read_slugs},
        needs="models",
        is_evidence=True,
    ),
    "losses": _subject(
        "dots",
        lambda content: evidence.losses_box(content.beat.shown["losses"]),
        fields={"losses": evidence.read_losses},
        needs="losses",
        is_evidence=True,
    ),
    "code": _filled_by("code", _code_data, fields={"code": str}, needs="code", is_evidence=True),
    "every-way": _filled_by(
        "every_way",
        _ways_data,
        fields={"ways": lambda table: evidence.read_ways(table, read_recipe)},
        needs="ways",
        is_evidence=True,
        is_wide=True,
    ),
}

# What `show` can name -> the rows below the text, where another stage than its own is beside it.
EVIDENCE: Mapping[str, Callable[[BeatContent], Box] | None] = {
    "pair": _pair_box,
    "tie": _pair_box,
    "token": _token_box,
    "words": None,
    "vocabulary": _vocabulary_box,
    "encoding": _encoding_box,
    **{slug: stage.box for slug, stage in STAGES.items() if stage.is_evidence},
}
