"""One beat of a lesson with the trace that it is about: its tokens, their ids, and how a token is drawn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from typing import Any

import bpe
from bpe import Step, Symbol, Trace
from bpe.analysis.alignment import Row, aligned_rows
from bpe.encoding.encoders import Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted, merge_name, merge_number
from film.encoding_feed import encoding_feed, encoding_window
from film.feed import EncodingFeed, TrainingFeed
from film.labels import chip_label
from film.packing import packed
from film.pair_rows import CountedPair, counted_pairs
from film.training_feed import training_feed
from ui.exercises import KINDS, Question, drawn_controls, drawn_sentence
from ui.lessons import Beat, Lesson, lessons, named_pairs, parts
from ui.lessons.evidence import (
    TITLES,
    Result,
    curve_box,
    models_box,
    pattern_box,
    results,
    ways_picture,
)
from ui.lessons.glossary import marked, terms, uses
from ui.lessons.glossary_pictures import picture_of
from ui.sidebar.recipe import Recipe

PLAIN = -1  # instead of an id, if the chip is a word or a token of another recipe, and no token of the grid


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

    @property
    def encoder(self) -> Encoder:
        """Encoder of the beat."""
        return self.lesson.encoder_of(self.beat)

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

    @cached_property
    def question(self) -> Question | None:
        """Question of the beat's exercise, if it has one."""
        return self.lesson.question(self.trace, self.beat) if self.beat.exercise else None

    def id_of_text(self, spelled: str) -> int:
        """Return the id of a spelled token; PLAIN if the grid has no such token."""
        return self.ids.get(self.trace.variant.unspelled(spelled.replace("·", " ")), PLAIN)

    def chip(self, symbol: Symbol, kind: str = "") -> list[Any]:
        """Return a symbol as an item of a row."""
        return [chip_label(self.trace.variant, symbol), self.ids.get(symbol, PLAIN), kind]


# What a beat shows beside its text, as plain data: rows of tokens with a title, by the beat's `show`.

MOST_PAIRS = 8
MOST_TOKENS = 40

Item = str | list[Any]  # text, or a token as [label, id, kind: "" | "unused" | "unknown"]
BoxRow = dict[str, Any]
Box = dict[str, Any]  # a title, rows of items, a note on what is left out, and perhaps a chart


# The box below the text, by `show`


def pair_box(content: BeatContent) -> Box:
    """Return the most frequent pairs, and the pair that the beat is about."""
    rows, total = counted_pairs(content.trace, content.beat.step, most=1_000_000)
    chosen = [row for row in rows if row.rank <= MOST_PAIRS or row.pair == content.beat.pair]
    note = "" if total == len(chosen) else f"{len(chosen):,} of {total:,} pairs"
    return _box("Pairs by count", [_pair_row(content, row) for row in chosen], note)


def _pair_row(content: BeatContent, row: CountedPair) -> BoxRow:
    left, right = row.pair
    return {
        "items": [content.chip(left), content.chip(right), f"{row.count:,}"],
        "pair": [content.trace.id_of(left), content.trace.id_of(right)],
        "tied": row.tied,
        "chosen": row.chosen,
    }


def token_box(content: BeatContent) -> Box:
    """Return how the beat's tokens were merged, and how often each occurs now."""
    return _box("Where it comes from", [_token_row(content, token) for token in content.beat.tokens])


def _token_row(content: BeatContent, token: Symbol) -> BoxRow:
    trace = content.trace
    parents = trace.parents(token)
    merged: list[Item] = []
    origin = "in the alphabet"
    if parents is not None:
        merged = [content.chip(parents[0]), "+", content.chip(parents[1]), "→"]
        origin = f"created by {merge_name(trace.born(token))}"
    count = trace.token_counts(content.beat.step).get(token, 0)
    return {"items": [*merged, content.chip(token), f"{origin} · occurs {counted(count, 'time')} now"]}


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


def _result_row(content: BeatContent, result: Result) -> BoxRow:
    items: list[Item] = []
    for number, word in enumerate(result.rows):
        items += ["|"] * (number > 0)
        items += [[chip_label(result.variant, symbol), content.ids.get(symbol, PLAIN), ""] for symbol in word]
    return {"name": result.name, "items": [*items, result.note] if result.note else items}


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
    rows: list[BoxRow] = []
    for name, words in table.rows:
        items: list[Item] = []
        for number, tokens in enumerate(words):
            items += ["|"] * (number > 0)
            items += [[token, content.id_of_text(token), ""] for token in tokens]
        rows.append({"name": name, "items": items})
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


def _box(title: str, rows: list[BoxRow], note: str = "") -> Box:
    return {"title": title, "rows": rows, "more": note}


# The content of a lesson's card: every beat as plain data, with the pairs or tokens that it points at.


def content_of(lesson: Lesson, trace: Trace) -> dict[str, Any]:
    """Return the card's data for all beats of a lesson, so that changing the beat needs no server."""
    return {
        "slug": lesson.slug,
        "title": lesson.title,
        "marker": trace.variant.marker_text,
        "lights": not lesson.vocabulary,  # the ids of a vocabulary typed by hand are not those of the grid
        "terms": _terms(lesson),
        "beats": [beat_data(BeatContent(lesson, trace, beat)) for beat in lesson.beats],
    }


def _terms(lesson: Lesson) -> dict[str, BoxRow]:
    """Return the terms of the glossary that the lesson uses, without a link to the lesson itself."""
    text = _texts(lesson.beats)
    rows: dict[str, BoxRow] = {}
    for slug in sorted(uses(text)):
        term = terms()[slug]
        other = term.see if term.see != lesson.slug else None
        rows[slug] = {
            "term": term.term,
            "means": term.means,
            "picture": picture_of(term),
            "lesson": other,
            "title": lessons()[term.see].title,
        }
    return rows


def beat_data(content: BeatContent) -> dict[str, Any]:
    """Return a beat as the card's data."""
    beat, used = content.beat, set[str]()  # terms are marked once in a beat
    return {
        "step": beat.step,
        "stage": beat.stage,
        "say": sentence(content, beat.say, used),
        "question": sentence(content, beat.question, used),
        "answer": answer_of(content, used),
        "exercise": _exercise(content),
        "guess": guesses(content),
        "gives": content.next_merge is not None and beat.pair == content.next_merge.pair,
        "point": _point(content),
        "tells": tells(content),
        "named": [
            _named(content, beat.say, beat.question),
            _named(content, beat.say, beat.question, beat.answer),
        ],
        "shown": _shown(content) if beat.show in BOXES and beat.show != beat.stage else None,
    }


def _shown(content: BeatContent) -> Box:
    """Return what a beat shows below its text, without marks of ties as long as nobody knows what a tie is."""
    box = BOXES[content.beat.show](content)
    if "tie" in known_terms(content.lesson, content.beat):
        return box
    unmarked = {"tied": False} | ({"chosen": False} if content.beat.show == "tie" else {})
    return box | {
        "rows": [row | {name: unmarked[name] for name in row.keys() & unmarked} for row in box["rows"]]
    }


def tells(content: BeatContent) -> dict[str, Any] | None:
    """Return what a beat tells of the next merge, and the terms known by then: its grid shows nothing else.

    None if the stage is that of a new text, or of two trainings, which show what each of them does.
    """
    lesson, beat = content.lesson, content.beat
    if beat.stage in ("encoding", "compare"):
        return None
    known = known_terms(lesson, beat)
    ties = "tie" in known
    return {
        "step": beat.step,
        "winner": _tells_merge(content) and (beat.show != "tie" or ties),
        "tied": beat.show == "tie" or (_tells_merge(content) and ties),
        "headline": any(_tells_merge(BeatContent(lesson, content.trace, one)) for one in lesson.beats),
        "known": sorted(known),
    }


def _tells_merge(content: BeatContent) -> bool:
    return content.beat.stage == "grid" and (content.beat.show in ("pair", "tie") or guesses(content))


def known_terms(lesson: Lesson, beat: Beat) -> set[str]:
    """Return the slugs of the terms that the way through the course, and this lesson up to a beat, have used."""
    beats = lesson.beats[: lesson.beats.index(beat) + 1]
    return uses(f"{lesson.title} {lesson.learn} {_texts(beats)}") | _known_before(lesson.slug)


@cache
def _known_before(slug: str) -> frozenset[str]:
    """Return the terms of the lessons that come before a lesson on the way through the course."""
    before = takewhile(lambda lesson: lesson.slug != slug, lessons().values())
    return frozenset(
        term
        for lesson in before
        if lesson.number
        for term in uses(f"{lesson.title} {lesson.learn} {_texts(lesson.beats)}")
    )


def _texts(beats: Iterable[Beat]) -> str:
    return " ".join(f"{beat.say} {beat.question} {beat.answer}" for beat in beats)


def guesses(content: BeatContent) -> bool:
    """Return whether the question of a beat is which pair comes next."""
    beat = content.beat
    hides = beat.exercise is not None and KINDS[beat.exercise.kind].hides_next
    return bool(beat.question) and (beat.show in ("pair", "tie") or hides)


def sentence(content: BeatContent, text: str, used: set[str]) -> list[list[Any]]:
    """Return a sentence in pieces: text, a token with its id, or a term of the glossary that is not in `used` yet."""
    pieces: list[list[Any]] = []
    for piece, is_token in parts(text):
        if is_token:
            pieces.append([piece, content.id_of_text(piece)])
        else:
            pieces += ([word, None, term] if term else [word, None] for word, term in marked(piece, used))
    return pieces


def answer_of(content: BeatContent, used: set[str]) -> list[list[Any]]:
    """Return the answer of a beat in pieces: the author's, or else the solution of its exercise."""
    if content.question and not content.beat.answer:
        return drawn_sentence(content.question.solution, content.chip)
    return sentence(content, content.beat.answer, used)


def _exercise(content: BeatContent) -> dict[str, Any] | None:
    if content.question is None or content.beat.exercise is None:
        return None
    return drawn_controls(content.question, content.beat.exercise.kind, content.chip)


def _point(content: BeatContent) -> dict[str, Any] | None:
    beat, number = content.beat, content.trace.id_of
    if beat.pair is not None:
        return {"left": number(beat.pair[0]), "right": number(beat.pair[1])}
    return {"tokens": [*map(number, beat.tokens)]} if beat.tokens else None


def _named(content: BeatContent, *sentences: str) -> list[list[str]]:
    """Return the pairs that sentences name, each with the bytes of its tokens in hexadecimal."""
    unspelled = content.trace.variant.unspelled
    pairs = named_pairs(" ".join(sentences))
    return [[unspelled(token.replace("·", " ")).hex() for token in pair] for pair in pairs]


# The feeds of a beat's grids: the lesson's training, another one beside it, and the encoding of a new text.

WHOLE = 20_000  # characters: more than any lesson's text has, so that no grid shows a part of it


def own_feed(lesson: Lesson, trace: Trace) -> TrainingFeed:
    """Return the feed of a lesson's training."""
    return training_feed(trace, lesson.corpus.training_text, size=WHOLE)


def feed_beside(recipe: Recipe, lesson: Lesson, trace: Trace) -> TrainingFeed:
    """Return the feed of another recipe on the lesson's corpus. Equal tokens have the colours of the first grid."""
    other = bpe.train(lesson.corpus.training_text, **recipe.settings)
    own = len(trace.special_tokens) + len(trace.symbols)
    shades = [0] * len(other.special_tokens)
    number_of = {symbol: trace.id_of(symbol) for symbol in trace.symbols}
    shades += [number_of.setdefault(symbol, own + len(number_of)) for symbol in other.symbols]
    return {**training_feed(other, lesson.corpus.training_text, size=WHOLE), "shades": packed(shades)}


def feed_of_encoding(lesson: Lesson, trace: Trace, beat: Beat) -> EncodingFeed:
    """Return the feed of a beat's new text."""
    tokenizer = lesson.tokenizer(trace, beat.step)
    window = encoding_window(beat.encode, tokenizer)
    return encoding_feed(tokenizer, window, lesson.encoder_of(beat))[0]


# What has been learned, below a new text that is encoded: the merges in order, or the tokens typed by hand.
#
# Each lights up when a step of the encoding uses it. Of many merges only those that the encoding uses are
# listed, and each of them stays hidden until its step, so that nothing is given away.

MOST_LISTED = 12  # merges


def rail_of(content: BeatContent) -> Mapping[str, Any] | None:
    """Return the rail of a beat with a new text; None if nothing has been learned."""
    if content.lesson.vocabulary:
        tokens = map(content.trace.variant.unspelled, content.lesson.vocabulary.split())
        rows = [
            {"parts": [content.chip(token)[:2]], "id": content.ids[token], "name": ""} for token in tokens
        ]
        return _rail("Tokens", rows)
    trace, step = content.trace, content.beat.step
    merges = trace.merges[:step]
    many = len(merges) > MOST_LISTED
    used = {one.token for one in content.tokenizer.encode_steps(content.beat.encode, content.encoder)}
    rows = [
        {
            "parts": [content.chip(left)[:2], content.chip(right)[:2]],
            "id": trace.id_of(left + right),
            "name": merge_number(rank) if many else "",
        }
        for rank, (left, right) in enumerate(merges)
        if not many or left + right in used
    ]
    return _rail(f"Learned: {len(merges):,} merges", rows, hides=True) if many else _rail("Learned", rows)


def _rail(title: str, rows: list[dict[str, Any]], *, hides: bool = False) -> Mapping[str, Any] | None:
    return {"title": title, "rows": rows, "hides": hides} if rows else None


# Words of a lesson's text, or its first characters, in rows from characters to tokens: the stage “bytes”.

MOST_SPELLED = 40  # characters
SPELLED = "The text from characters to tokens"


def spelled(lesson: Lesson, trace: Trace, beat: Beat) -> tuple[Tokenizer, list[Row]]:
    """Return the tokenizer of a beat, and the rows of the words that it names, or of the text's beginning."""
    tokenizer = lesson.tokenizer(trace, beat.step)
    text = beat.spells or lesson.corpus.reading_text[:MOST_SPELLED]
    return tokenizer, list(aligned_rows(text, tokenizer))


# Every way to break the ties, which unfolds on the stage.


def ways_of(content: BeatContent) -> dict[str, Any]:
    """Return the picture of a beat's ways, and from where to where it unfolds."""
    ways, lesson = content.beat.ways, content.lesson
    assert ways is not None
    picture = ways_picture(ways, lesson.corpus, lesson.recipe)
    return {**picture, "name": lesson.slug, "unfolds": [ways.begin, ways.end]}


# What fills the stage of a beat that is not about a grid: a pattern, a curve, rows of tokens, one word.

# Stage -> how the browser draws it.
SUBJECT_KINDS = {
    "pattern": "pattern",
    "curve": "curve",
    "table": "rows",
    "runs": "rows",
    "word": "word",
    "whole words": "rows",
}


def subject_of(content: BeatContent) -> dict[str, Any]:
    """Return what fills the stage of a beat."""
    stage = content.beat.stage
    box = OF_WORDS[stage](content) if stage in OF_WORDS else BOXES[stage](content)
    return {**box, "kind": SUBJECT_KINDS[stage], "waits": content.beat.waits}


def word_box(content: BeatContent) -> Box:
    """Return the beat's word in its tokens."""
    trace, word = content.trace, content.beat.word
    number = trace.pre_tokens.index(word)
    tokens, frequency = trace.words_at(content.beat.step)[number]
    title = f"{word} in {counted(len(tokens), 'token')}, {counted(frequency, 'time')} in the text"
    return {"title": title, "rows": [{"items": [content.chip(token) for token in tokens]}], "more": ""}


def whole_words_box(content: BeatContent) -> Box:
    """Return the words of the text, each as one token."""
    words = content.trace.pre_tokens
    items: list[Item] = []
    for word in words:
        items += ["|"] * bool(items)
        items.append([word, PLAIN, ""])
    return {"title": f"{counted(len(words), 'word')}, each one token", "rows": [{"items": items}], "more": ""}


OF_WORDS: dict[str, Callable[[BeatContent], Box]] = {"word": word_box, "whole words": whole_words_box}
