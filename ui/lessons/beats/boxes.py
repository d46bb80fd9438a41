"""What a beat shows beside its text, as plain data: rows of tokens with a title, by the beat's `show`."""

from collections.abc import Callable, Sequence
from typing import Any

from bpe.text.display import counted, merge_name
from film.labels import chip_label
from film.pair_rows import CountedPair, counted_pairs
from ui.lessons.beats.beat_content import PLAIN, BeatContent
from ui.lessons.evidence.curve import curve_box
from ui.lessons.evidence.models import models_box
from ui.lessons.evidence.pattern_view import pattern_box
from ui.lessons.evidence.runs import TITLES, Result, results

MOST_PAIRS = 8
MOST_TOKENS = 40

Item = str | list[Any]  # text, or a token as [label, id, kind: "" | "unused" | "unknown"]
Row = dict[str, Any]
Box = dict[str, Any]  # a title, rows of items, a note on what is left out, and perhaps a chart


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
    rows: list[Row] = []
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


def _box(title: str, rows: list[Row], note: str = "") -> Box:
    return {"title": title, "rows": rows, "more": note}
