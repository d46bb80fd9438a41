"""A lesson's card: a Components v2 component that turns the beats and brings the grid beside it to the step of each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bpe import Symbol, Trace
from bpe.encoding.tokenizer import Tokenizer
from film.pair_rows import CountedPair, counted_pairs
from ui.components.component import component
from ui.lessons import Beat, Lesson, parts
from ui.show.text import counted

CARD = Path(__file__).parent.parent / "components" / "lesson_card"
GROUP = "lesson"  # of the card and its grid
MOST_PAIRS = 8
MOST_TOKENS = 40
PLAIN = -1  # for a chip that is no token of the grid now: a word, a token of another recipe

Item = str | list[Any]  # text, or a token as [label, id, kind: "" | "unused" | "unknown"]
Row = dict[str, Any]

_COMPONENT = component("lesson", CARD)


def card(content: dict[str, Any], family: str, start: int) -> tuple[int, str | None]:
    """Draw it; (the beat it rests on, the slug of the lesson asked for at its end). `family` names its grid's feed.

    It begins with beat `start`, which must stay the same until the page is run again: data that change are sent again.
    """
    result = _COMPONENT(
        key="lesson_card",
        data={**content, "family": family, "start": start, "group": GROUP},
        on_beat_change=lambda: None,
        on_lesson_change=lambda: None,
        height="content",
    )
    slug, _, number = str(result.beat or "").partition(" ")
    beat = int(number) if slug == content["slug"] and number.isdecimal() else start
    asked = result.lesson if isinstance(result.lesson, str) else None
    return min(beat, len(content["beats"]) - 1), asked


def content_of(lesson: Lesson, trace: Trace, following: Lesson | None) -> dict[str, Any]:
    """All beats of a lesson as the card is sent them: constant, so that turning a beat needs no server."""
    return {
        "slug": lesson.slug,
        "next": following and {"slug": following.slug, "title": following.title},
        "marker": trace.variant.marker_text,
        "lights": not lesson.vocabulary,  # the grid's ids are then not those of the vocabulary typed
        "beats": [_Beats(lesson, trace, beat).sent() for beat in lesson.beats],
    }


class _Beats:
    """One beat with what can be known at its step."""

    def __init__(self, lesson: Lesson, trace: Trace, beat: Beat) -> None:
        self._lesson, self._trace, self._beat = lesson, trace, beat
        self._tokenizer: Tokenizer = lesson.tokenizer(trace, beat.step)
        self._next = trace.steps[beat.step] if beat.step < len(trace.steps) else None
        self._ids = dict(self._tokenizer.ids) if lesson.vocabulary else _ids(trace, beat.step + 1)

    def sent(self) -> dict[str, Any]:
        beat = self._beat
        return {
            "step": beat.step,
            "say": self._sentence(beat.say),
            "question": self._sentence(beat.question),
            "answer": self._sentence(beat.answer),
            "guess": bool(beat.question) and beat.show in ("pair", "tie"),
            "gives": self._next is not None and beat.pair == self._next.pair,
            "point": self._point(),
            "shown": SHOWERS[beat.show](self) if beat.show in SHOWERS else None,
        }

    def _sentence(self, sentence: str) -> list[list[Any]]:
        return [[piece, self._id_of_text(piece) if is_token else None] for piece, is_token in parts(sentence)]

    def _id_of_text(self, spelled: str) -> int:
        return self._ids.get(self._trace.variant.unspelled(spelled.replace("·", " ")), PLAIN)

    def _point(self) -> dict[str, int] | None:
        beat, number = self._beat, self._trace.id_of
        if beat.pair is not None:
            return {"left": number(beat.pair[0]), "right": number(beat.pair[1])}
        return None if beat.token is None else {"token": number(beat.token)}

    def _chip(self, symbol: Symbol, kind: str = "") -> list[Any]:
        return [self._trace.variant.label(symbol), self._ids.get(symbol, PLAIN), kind]

    # What shows it

    def pairs(self) -> dict[str, Any]:
        """The most frequent pairs, and the one the beat is about."""
        rows, total = counted_pairs(self._trace, self._beat.step, most=1_000_000)
        drawn = [row for row in rows if row.rank <= MOST_PAIRS or row.pair == self._beat.pair]
        more = "" if total == len(drawn) else f"{len(drawn):,} of {total:,} pairs"
        return _shown("Pairs by count", [self._pair_row(row) for row in drawn], more)

    def _pair_row(self, row: CountedPair) -> Row:
        left, right = row.pair
        return {
            "items": [self._chip(left), self._chip(right), f"{row.count:,}"],
            "pair": [self._trace.id_of(left), self._trace.id_of(right)],
            "tied": row.tied,
            "chosen": row.chosen,
        }

    def token(self) -> dict[str, Any]:
        """How the token was merged, and how often it occurs now."""
        token, step = self._beat.token, self._beat.step
        assert token is not None
        parents = self._trace.parents(token)
        made: list[Item] = (
            [] if parents is None else [self._chip(parents[0]), "+", self._chip(parents[1]), "→"]
        )
        count = self._trace.token_counts(step).get(token, 0)
        born = "in the alphabet" if parents is None else f"merge {self._trace.born(token)}"
        items = [*made, self._chip(token), f"{born}, {count:,} in the corpus now"]
        return _shown("Where it comes from", [{"items": items}])

    def vocabulary(self) -> dict[str, Any]:
        """The tokens in the order of their ids, those that are not in use now marked."""
        counts = self._trace.token_counts(self._beat.step)
        typed = self._lesson.vocabulary
        size = len(self._trace.vocabulary(self._beat.step))
        alphabet = list(self._trace.alphabet)
        tokens = [b"".join(step.pair) for step in self._trace.steps[: self._beat.step]]
        if typed:
            tokens = [self._trace.variant.unspelled(text) for text in typed.split()]
            title = f"The vocabulary: {len(tokens)} tokens, typed by hand"
        elif len(alphabet) + len(tokens) <= MOST_TOKENS:
            tokens = [*alphabet, *tokens]
            title = f"The vocabulary: {size:,} tokens, {len(counts):,} in use"
        else:
            title = f"The vocabulary: {size:,} tokens, {len(counts):,} in use; these were merged"
        chips = [
            self._chip(token, "" if typed or counts.get(token) else "unused")
            for token in tokens[:MOST_TOKENS]
        ]
        more = f"and {len(tokens) - MOST_TOKENS:,} more" if len(tokens) > MOST_TOKENS else ""
        if any(chip[2] for chip in chips):
            more = "; ".join(filter(None, [more, "dashed: not in use now"]))
        return _shown(title, [{"items": chips}] if chips else [], more)

    def encoding(self) -> dict[str, Any]:
        """What the new text is cut into."""
        tokens = self._tokenizer.tokens(self._beat.encode, self._lesson.encoder)
        chips: Sequence[Item] = [
            self._chip(token, "" if token in self._ids else "unknown") for token in tokens
        ]
        unknown = any(token not in self._ids for token in tokens)
        label = f"{self._beat.encode} in {counted(len(tokens), 'token')}"
        return _shown(label, [{"items": list(chips)}], "dashed: no token stands for it" if unknown else "")


SHOWERS = {
    "pair": _Beats.pairs,
    "tie": _Beats.pairs,
    "token": _Beats.token,
    "vocabulary": _Beats.vocabulary,
    "encoding": _Beats.encoding,
}


def _ids(trace: Trace, merges: int) -> dict[Symbol, int]:
    """The ids of the tokens there are after so many merges; the grid colours by them."""
    made = (b"".join(step.pair) for step in trace.steps[:merges])
    return {symbol: trace.id_of(symbol) for symbol in (*trace.alphabet, *made)}


def _shown(title: str, rows: list[Row], more: str = "") -> dict[str, Any]:
    return {"title": title, "rows": rows, "more": more}
