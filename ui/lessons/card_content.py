"""The content of a lesson's card: every beat as plain data, with the pairs or tokens that it points at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bpe import Step, Symbol, Trace
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted, merge_name
from film.pair_rows import CountedPair, counted_pairs
from ui.exercises.kinds import KINDS, Question, drawn_controls, drawn_sentence
from ui.lessons import Beat, Lesson, lessons, named_pairs, parts
from ui.lessons.curve import curve_box
from ui.lessons.glossary import marked, terms, uses
from ui.lessons.models import models_box
from ui.lessons.pattern_view import pattern_box
from ui.lessons.runs import TITLES, Result, results

MOST_PAIRS = 8
MOST_TOKENS = 40
MOST_LEARNED = 12  # merges
PLAIN = -1  # instead of an id, if the chip is a word or a token of another recipe, and no token of the grid

Item = str | list[Any]  # text, or a token as [label, id, kind: "" | "unused" | "unknown"]
Row = dict[str, Any]
Box = dict[str, Any]  # a title, rows of items, a note on what is left out, and perhaps a chart


def content_of(lesson: Lesson, trace: Trace, following: Lesson | None) -> dict[str, Any]:
    """Return the card's data for all beats of a lesson, so that changing the beat needs no server."""
    return {
        "slug": lesson.slug,
        "next": following and {"slug": following.slug, "title": following.title},
        "marker": trace.variant.marker_text,
        "lights": not lesson.vocabulary,  # the ids of a vocabulary typed by hand are not those of the grid
        "terms": _terms(lesson),
        "beats": [BeatContent(lesson, trace, beat).as_data() for beat in lesson.beats],
    }


def _terms(lesson: Lesson) -> dict[str, Row]:
    """Return the terms of the glossary that the lesson uses, without a link to the lesson itself."""
    text = " ".join(f"{beat.say} {beat.question} {beat.answer}" for beat in lesson.beats)
    rows: dict[str, Row] = {}
    for slug in sorted(uses(text)):
        term = terms()[slug]
        other = term.see if term.see != lesson.slug else None
        rows[slug] = {
            "term": term.term,
            "means": term.means,
            "lesson": other,
            "title": lessons()[term.see].title,
        }
    return rows


@dataclass(frozen=True)
class BeatContent:
    """One beat with the trace that it is about."""

    lesson: Lesson
    trace: Trace
    beat: Beat

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """Tokenizer at the beat's step."""
        return self.lesson.tokenizer(self.trace, self.beat.step)

    @cached_property
    def ids(self) -> dict[Symbol, int]:
        """Ids of the tokens up to the next merge; the grid colours tokens by them."""
        if self.lesson.vocabulary:
            return dict(self.tokenizer.ids)
        merged = (b"".join(step.pair) for step in self.trace.steps[: self.beat.step + 1])
        return {symbol: self.trace.id_of(symbol) for symbol in (*self.trace.alphabet, *merged)}

    @property
    def next_merge(self) -> Step | None:
        """Merge that follows the beat's step; None at the end of the training."""
        return self.trace.steps[self.beat.step] if self.beat.step < len(self.trace.steps) else None

    def as_data(self) -> dict[str, Any]:
        """Return the beat as the card's data."""
        beat = self.beat
        used: set[str] = set()  # terms are marked once in a beat
        return {
            "step": beat.step,
            "stage": beat.stage,
            "say": self._sentence(beat.say, used),
            "question": self._sentence(beat.question, used),
            "answer": self._answer(used),
            "exercise": self._exercise(),
            "guess": bool(beat.question) and (beat.show in ("pair", "tie") or self._hides_next()),
            "gives": self.next_merge is not None and beat.pair == self.next_merge.pair,
            "point": self._point(),
            "named": [
                self._named(beat.say, beat.question),
                self._named(beat.say, beat.question, beat.answer),
            ],
            "shown": BOXES[beat.show](self) if beat.show in BOXES and beat.show != beat.stage else None,
            "open": beat.show == "pattern",  # its questions are about what is drawn
            "learned": learned_box(self) if beat.stage == "encoding" else None,
        }

    @cached_property
    def question(self) -> Question | None:
        """Question of the beat's exercise, if it has one."""
        return self.lesson.question(self.trace, self.beat) if self.beat.exercise else None

    def _answer(self, used: set[str]) -> list[list[Any]]:
        if self.question and not self.beat.answer:
            return drawn_sentence(self.question.solution, self.chip)
        return self._sentence(self.beat.answer, used)

    def _exercise(self) -> dict[str, Any] | None:
        if self.question is None or self.beat.exercise is None:
            return None
        return drawn_controls(self.question, self.beat.exercise.kind, self.chip)

    def _hides_next(self) -> bool:
        return self.beat.exercise is not None and KINDS[self.beat.exercise.kind].hides_next

    def _sentence(self, sentence: str, used: set[str]) -> list[list[Any]]:
        pieces: list[list[Any]] = []
        for piece, is_token in parts(sentence):
            if is_token:
                pieces.append([piece, self.id_of_text(piece)])
            else:
                pieces += ([text, None, term] if term else [text, None] for text, term in marked(piece, used))
        return pieces

    def id_of_text(self, spelled: str) -> int:
        """Return the id of a spelled token; PLAIN if the grid has no such token."""
        return self.ids.get(self.trace.variant.unspelled(spelled.replace("·", " ")), PLAIN)

    def _point(self) -> dict[str, int] | None:
        beat, number = self.beat, self.trace.id_of
        if beat.pair is not None:
            return {"left": number(beat.pair[0]), "right": number(beat.pair[1])}
        return None if beat.token is None else {"token": number(beat.token)}

    def _named(self, *sentences: str) -> list[list[str]]:
        """Return the pairs that sentences name, each with the bytes of its tokens in hexadecimal."""
        return [[self._hexadecimal(token) for token in pair] for pair in named_pairs(" ".join(sentences))]

    def _hexadecimal(self, spelled: str) -> str:
        return self.trace.variant.unspelled(spelled.replace("·", " ")).hex()

    def chip(self, symbol: Symbol, kind: str = "") -> list[Any]:
        """Return a symbol as an item of a row."""
        return [self.trace.variant.label(symbol), self.ids.get(symbol, PLAIN), kind]


def learned_box(content: BeatContent) -> Box:
    """Return what a new text is encoded with: the merges in the order learned, or the tokens typed by hand."""
    if content.lesson.vocabulary:
        tokens = map(content.trace.variant.unspelled, content.lesson.vocabulary.split())
        return _box("Tokens", [{"items": [content.chip(token)]} for token in tokens])
    merges = content.trace.merges[: content.beat.step]
    rows = [
        {"items": [content.chip(left), "+", content.chip(right)]} for left, right in merges[:MOST_LEARNED]
    ]
    left_out = len(merges) - len(rows)
    return _box("Learned", rows, f"and {left_out:,} more" if left_out else "")


# The box below the text, by `show`


def pair_box(content: BeatContent) -> Box:
    """Return the most frequent pairs, and the pair that the beat is about."""
    rows, total = counted_pairs(content.trace, content.beat.step, most=1_000_000)
    chosen = [row for row in rows if row.rank <= MOST_PAIRS or row.pair == content.beat.pair]
    note = "" if total == len(chosen) else f"{len(chosen):,} of {total:,} pairs"
    return _box("Pairs by count", [_pair_row(content, row) for row in chosen], note)


def _pair_row(content: BeatContent, row: CountedPair) -> Row:
    left, right = row.pair
    return {
        "items": [content.chip(left), content.chip(right), f"{row.count:,}"],
        "pair": [content.trace.id_of(left), content.trace.id_of(right)],
        "tied": row.tied,
        "chosen": row.chosen,
    }


def token_box(content: BeatContent) -> Box:
    """Return how the beat's token was merged, and how often it occurs now."""
    token, trace = content.beat.token, content.trace
    assert token is not None
    parents = trace.parents(token)
    merged: list[Item] = []
    origin = "in the alphabet"
    if parents is not None:
        merged = [content.chip(parents[0]), "+", content.chip(parents[1]), "→"]
        origin = f"created by {merge_name(trace.born(token))}"
    count = trace.token_counts(content.beat.step).get(token, 0)
    items = [*merged, content.chip(token), f"{origin} · occurs {counted(count, 'time')} now"]
    return _box("Where it comes from", [{"items": items}])


def vocabulary_box(content: BeatContent) -> Box:
    """Return the tokens in the order of their ids. Those not in use are marked."""
    trace, typed = content.trace, content.lesson.vocabulary
    counts = trace.token_counts(content.beat.step)
    size = len(trace.vocabulary(content.beat.step))
    alphabet = list(trace.alphabet)
    tokens = [b"".join(step.pair) for step in trace.steps[: content.beat.step]]
    if typed:
        tokens = [trace.variant.unspelled(text) for text in typed.split()]
        title = f"The vocabulary: {len(tokens)} tokens, typed by hand"
    elif len(alphabet) + len(tokens) <= MOST_TOKENS:
        tokens = [*alphabet, *tokens]
        title = f"The vocabulary: {size:,} tokens, {len(counts):,} in use"
    else:
        title = f"The vocabulary: {size:,} tokens, {len(counts):,} in use; these were merged"
    chips = [
        content.chip(token, "" if typed or counts.get(token) else "unused") for token in tokens[:MOST_TOKENS]
    ]
    notes = []
    if len(tokens) > MOST_TOKENS:
        notes.append(f"and {len(tokens) - MOST_TOKENS:,} more")
    if any(kind for _, _, kind in chips):
        notes.append("dashed: not in use now")
    return _box(title, [{"items": chips}] if chips else [], "; ".join(notes))


def encoding_box(content: BeatContent) -> Box:
    """Return the tokens of the beat's new text."""
    tokens = content.tokenizer.tokens(content.beat.encode, content.lesson.encoder_of(content.beat))
    unknown = [token not in content.ids for token in tokens]
    chips: Sequence[Item] = [
        content.chip(token, "unknown" if is_unknown else "")
        for token, is_unknown in zip(tokens, unknown, strict=True)
    ]
    title = f"{content.beat.encode} in {counted(len(tokens), 'token')}"
    return _box(title, [{"items": list(chips)}], "dashed: not in the vocabulary" if any(unknown) else "")


def runs_box(content: BeatContent) -> Box:
    """Return what each of several recipes makes of the lesson's corpus."""
    runs = content.beat.runs
    assert runs is not None
    rows = [_result_row(content, result) for result in results(runs, content.lesson.corpus)]
    return _box(TITLES[runs.of], rows)


def _result_row(content: BeatContent, result: Result) -> Row:
    items: list[Item] = [f"{result.name}:"]
    for number, word in enumerate(result.rows):
        items += ["|"] * (number > 0)
        items += [[result.variant.label(symbol), content.ids.get(symbol, PLAIN), ""] for symbol in word]
    return {"items": [*items, result.note] if result.note else items}


def _curve_box(content: BeatContent) -> Box:
    assert content.beat.curve is not None
    text = content.lesson.corpus.reading_text
    return curve_box(content.beat.curve, content.trace, content.beat.step, text)


def _pattern_box(content: BeatContent) -> Box:
    assert content.beat.pattern is not None
    return pattern_box(content.beat.pattern)


def table_box(content: BeatContent) -> Box:
    """Return the beat's own table."""
    table = content.beat.table
    assert table is not None
    rows: list[Row] = []
    for name, words in table.rows:
        items: list[Item] = [f"{name}:"]
        for number, tokens in enumerate(words):
            items += ["|"] * (number > 0)
            items += [[token, content.id_of_text(token), ""] for token in tokens]
        rows.append({"items": items})
    return _box(table.title, rows)


BOXES: dict[str, Callable[[BeatContent], Box]] = {
    "pair": pair_box,
    "tie": pair_box,
    "token": token_box,
    "vocabulary": vocabulary_box,
    "encoding": encoding_box,
    "runs": runs_box,
    "curve": _curve_box,
    "pattern": _pattern_box,
    "models": lambda content: models_box(content.beat.models),
    "table": table_box,
}


def _box(title: str, rows: list[Row], note: str = "") -> Box:
    return {"title": title, "rows": rows, "more": note}
