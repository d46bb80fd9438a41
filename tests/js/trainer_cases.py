"""Trainings for the page's own trainer to repeat: `python -m tests.js.trainer_cases FILE [NUMBER]` writes them as JSON.

Every row that a page offers is drawn with every other setting, on texts in many scripts and on hostile ones.
"""

import json
import random
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast

import regex

import bpe
from bpe.analysis.ties import choice_text, why_won
from bpe.encoding.encoders import DEFAULT_ENCODER
from film.encoding_feed import encoding_feed, encoding_window
from film.feed import EncodingFeed, TrainingFeed
from film.live import Live, Recipe, live_recipe, live_settings
from film.training_feed import training_feed
from film.windows import special_characters
from tests.material.texts import SENTENCES, TOYS

# Where patterns and labels differ most easily: contractions in both cases and with a long s, digits of other scripts,
# all kinds of white space, marks, joiners, flags, controls, characters outside the basic plane, unassigned ones.
ODD = (
    *"aabbAZ  \n\n\t\r'sStTmMdD0123459.,!?-_()",
    *("'ll", "'LL", "'ve", "'Re", "'\u017f", "  ", "\r\n", "</w>", "▁", "ﬀ", "İ", "ß", "\u212a"),
    *"\x00\x01\x1b\x1c\x1f\x7f\x85\xa0\xad\u1680\u180e\u2000\u200b\u200d\u2028\u2029\u202f\u205f\u3000\ufeff\ufffd",
    *"éü\u0301\u0308ñøłжбΩσς汉字かなコー가각אבשلاम्ल्ைக்ไทยกำ²³½Ⅷ①٣९𝟘𝔸😀👍🏽👩\u200d👩\u200d👧🇳🇵🏳\ufe0f\u200d🌈",
    *"\u0378\u0890\u1c89\ua7da\U0001e4d0\U00010d40\U000323b0\U000e0001\U000e0101\U000f0000\U0010fffd\uffff",
)
TIES = "the cat sat on the mat with the hat"
LONG_WORD = "ab" * 900 + "a" * 1_700 + "abcab" * 300
HOSTILE = {
    "empty": "",
    "one character": "a",
    "only spaces": "   ",
    "only line ends": "\n\r\n\n",
    "one word of 5,000 characters": LONG_WORD,
    "runs": " ".join("ab"[n % 2] * (n % 7 + 1) for n in range(60)),
    "lone surrogate": "low \ud83d lower",
    "lone surrogate behind an emoji": "😀😀 \udc00",
    "every line another end": "one two\r\nthree  \r\r\n four\n\n five \r six\x0bseven\x85eight",
    "controls": "".join(map(chr, range(0x100))) * 2,
}


class Case(TypedDict):
    """One training: what the page is given, and what Python says."""

    name: str
    text: str
    recipe: Recipe
    options: dict[str, Any]  # of the feed
    feed: NotRequired[TrainingFeed]
    # Rank, why the pair won, which kind of tie; if the feed is whole.
    ties: NotRequired[list[tuple[int, str, str]]]
    encoded: NotRequired[tuple[str, int, EncodingFeed]]  # a new text, merges, and its feed
    error: NotRequired[str]


class Cases(TypedDict):
    """The page's settings and the trainings."""

    live: Live
    cases: list[Case]
    unicode: dict[str, str]  # all characters of a class, as Python knows it


def texts(draw: random.Random) -> Iterator[tuple[str, str]]:
    """Yield (name, text) without end: the hostile ones, toys, sentences in many scripts, then characters at random."""
    yield from HOSTILE.items()
    yield from TOYS.items()
    for number, sentence in enumerate(SENTENCES.split("\n")):
        yield f"sentence {number}", f"{sentence} {sentence[: len(sentence) // 2]}"
    yield "sentences", SENTENCES
    number = 0
    while True:
        number += 1
        some = draw.choices(ODD, k=draw.randint(2, 9))
        yield f"odd {number}", "".join(draw.choices(some, k=draw.randint(1, 120)))
        yield f"many {number}", "".join(draw.choices(ODD, k=draw.randint(1, 300)))
        codes = draw.choices(range(0x3000), k=60) + draw.choices(range(0x20000), k=30)
        yield f"any {number}", "".join(chr(code) for code in codes * 2 if not 0xD800 <= code < 0xE000)
        words = ["".join(draw.choices("abcde", k=draw.randint(1, 6))) for _ in range(20)]
        yield f"words {number}", " ".join(draw.choices(words, k=60))


def fits(alphabet: str, variant: str) -> bool:
    """Return whether an order of symbols is one of those of a variant: some order bytes only."""
    try:
        bpe.ALPHABETS[alphabet]([], bpe.VARIANTS[variant])
    except bpe.BPEError:
        return False
    return True


def settings(draw: random.Random, variant: str, rule: str) -> dict[str, Any]:
    """Return the settings of one training: some of them, at random."""
    orders = [slug for slug in bpe.ALPHABETS if fits(slug, variant)]
    drawn: dict[str, Any] = {"variant": variant, "tie_break": rule}
    if draw.random() < 0.8:
        drawn["merges"] = draw.choice((0, 1, 5, 20, 60, 200))
    if draw.random() < 0.2:
        drawn["vocab_size"] = draw.choice((0, 20, 60, 270, 300))
    some: dict[str, Any] = {
        "min_count": draw.choice((2, 3)),
        "overlaps": "skip",
        "word_order": "frequency",
        "lines": draw.choice((True, "ended", "bare", "whole")),
        "seed": draw.choice((7, 123_456, -1)),
        "alphabet": draw.choice(orders),
        "special_tokens": ("<unk>", "é"),
    }
    return drawn | {name: value for name, value in some.items() if draw.random() < 0.2}


def case(name: str, text: str, given: dict[str, Any], options: dict[str, Any], new: str | None) -> Case:
    """Return one case, and the encoding of a new text if there is one.

    A refused text has no trace, so its recipe is written from the settings.
    """
    try:
        trace = bpe.train(text, **given)
    except bpe.BPEError as error:
        recipe = {key: list(value) if isinstance(value, tuple) else value for key, value in given.items()}
        return {
            "name": name,
            "text": text,
            "recipe": cast(Recipe, recipe),
            "options": options,
            "error": str(error),
        }
    repeated = live_recipe(trace)
    assert repeated is not None, (name, given)
    repeatable: Case = {"name": name, "text": text, "recipe": repeated, "options": options}
    repeatable["feed"] = training_feed(trace, text, **options)
    if repeatable["feed"]["whole"]:
        tied = [step.rank for step in trace.steps if step.tied > 1]
        repeatable["ties"] = [(rank, why_won(trace, rank), choice_text(trace, rank)) for rank in tied]
    if new is not None:
        merges = len(trace.log) * 2 // 3
        tokenizer = trace.tokenizer(merges)
        encoded, _ = encoding_feed(tokenizer, encoding_window(new, tokenizer), DEFAULT_ENCODER)
        repeatable["encoded"] = new, merges, encoded
    return repeatable


def picked(draw: random.Random, text: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings with one pick where pairs tie, by number or by pair."""
    try:
        trace = bpe.train(text, **given)
    except bpe.BPEError:
        return given
    ties = [step for step in trace.steps if step.tied > 1]
    if not ties:
        return given
    step = draw.choice(ties)
    number = draw.randrange(step.tied)
    pair = trace.tied_pairs(step.rank)[number]
    return given | {"picks": {step.rank: draw.choice((number, pair))}}


def cases(number: int, seed: int = 0) -> Iterator[Case]:
    """Yield a text with ties under every rule, and so many cases of variants and rules, each with another text."""
    draw = random.Random(seed)
    live = live_settings()
    for row in live["rules"]:
        given = {"variant": "char-eow", "tie_break": row["slug"], "merges": 6}
        yield case(f"ties: {given}", TIES, given, {"size": 20_000}, None)
    yield case("NULs in a word", "\0\0a b", {"variant": "bytes-whitespace"}, {"size": 20_000}, None)
    yield case(
        "kinds of line ends", "ab\rab\r\nab\nab", {"variant": "char-eow-lines"}, {"size": 20_000}, None
    )
    pairs = [(v["slug"], r["slug"]) for r in live["rules"] for v in live["variants"]]
    draw.shuffle(pairs)
    for at, (name, text) in zip(range(number), texts(draw), strict=False):
        variant, rule = pairs[at % len(pairs)]
        given = settings(draw, variant, rule)
        if draw.random() < 0.2:
            given = picked(draw, text, given)
        size = draw.choice((20_000, 20_000, len(text) // 2 + 1))
        options = {"size": size, "picks": draw.random() < 0.3, "further": draw.choice((0, 0, 10_000))}
        other = (
            "".join(draw.choices(ODD, k=5)) + text[::-1][:900] + text[: len(text) // 3] * draw.choice((1, 9))
        )
        new = draw.choice((None, "", "a", other))
        yield case(f"{name}: {given}, {options}", text, given, options, new)


def unicode() -> dict[str, str]:
    """Return the letters and numbers of `regex`, the marks of Python, and those that labels show as marks."""
    characters = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    marks = "".join(one for one in characters if unicodedata.category(one).startswith("M"))
    return {
        "L": "".join(regex.findall(r"\p{L}+", characters)),
        "N": "".join(regex.findall(r"\p{N}+", characters)),
        "M": marks,
        "marks": special_characters([marks], [])["marks"],
    }


def write_cases(path: Path, number: int, seed: int = 0) -> None:
    """Write the cases to a file, with the page's settings."""
    everything: Cases = {
        "live": live_settings(),
        "cases": list(cases(number, seed)),
        "unicode": unicode(),
    }
    path.write_text(json.dumps(everything), "utf-8")


if __name__ == "__main__":
    write_cases(Path(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 120)
