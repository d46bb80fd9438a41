"""The core's results, as JSON for the tests of the browser's code: `python -m tests.js.fixtures FOLDER`."""

import json
import random
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypedDict

import bpe
from bpe import Symbol, Variant
from bpe.formats.opening import open_tokenizer
from bpe.text.display import INVISIBLE, in_cell, merge_name
from bpe.text.sentence_label import sentence_label
from film.encoding_feed import encoding_feed, encoding_window
from film.feed import Characters, ChipLabel, EncodingFeed, Feed, Hex, TrainingFeed
from film.labels import chip_label, short_chip_label
from film.pair_rows import PairTable, pair_table
from film.training_feed import training_feed
from film.windows import special_characters
from tests.material.texts import SENTENCES, TOYS

# One preset for each way to split, to spell, to limit merges and to order words.
PRESETS = (
    "paper",
    "subword-nmt",
    "hf-metaspace",
    "sentencepiece",
    "hf-bytelevel",
    "minbpe-basic",
    "tiktoken-educational",
)
TEXTS: Mapping[str, str | Mapping[str, int]] = {
    "counted words": {"low": 5, "lower": 2, "newest": 6, "widest": 3},
    "hug": TOYS["hug"],
    "blanks": TOYS["blanks"],
    "numbers": TOYS["numbers"],
    "sentences": SENTENCES,
    "invisible": "a\u00a0b e\u00ade \u202eno\u202c x\u200by \u2764\ufe0f k\u2028k \U0001f469\u200d\U0001f469",
}
MOST_MERGES = 16
RUNS = "aaaa aaab\n\n\n\n\nbaa    aaa\n\n\n  bbbb aaaaa\n\n\n\n\n"
ENCODED = "lower newest widest\nlow ☃ e\u0301le\u0300ve ऋषियों 👩‍👩‍👧"
# Hebrew, Arabic and Latin words and a flag, with digits inside and between them.
DIRECTIONS = "בשנת2024 lower 2024 بعد 19,8 - low\n\nשלום (low) 7 low7 ה7 🇳🇵"
# A digit joins the letter before it, so that the digits of the last word are never one token.
JOINED_DIGITS = "ת2 ת2 ת2 ת24"


class Training(TypedDict):
    """A training, and the core's results after 0, 1, 2, … merges."""

    name: str
    feed: TrainingFeed
    tables: list[PairTable]
    tokens: list[int]
    vocabulary: list[int]  # its size
    # The Hex of every token of the running text or of the counted words, with spaces between.
    segmentations: list[str]


class Encoding(TypedDict):
    """An encoding, and the core's results after 0, 1, 2, … steps."""

    name: str
    feed: EncodingFeed
    segmentations: list[str]


class Labels(TypedDict):
    """Symbols of one variant, their labels, what their chips write, and what a sentence writes."""

    variant: str
    marker: Hex
    marker_text: str
    characters: Characters
    labels: list[tuple[Hex, str, ChipLabel, str]]
    shortened: list[tuple[ChipLabel, ChipLabel]]  # what a chip writes of a long token, and in a narrow place


class Directions(TypedDict):
    """A text of words in both directions, and the direction of each: 1 from right to left, -1 from left to right."""

    feed: Feed
    directions: list[int]


class Fixtures(TypedDict):
    """Everything that the tests of the browser's code read."""

    trainings: list[Training]
    windows: list[Training]  # on longer texts than the window, with all words
    # In two stages, in which the browser cannot count the pairs of the first one.
    cut_elsewhere: list[Training]
    encodings: list[Encoding]
    labels: list[Labels]
    directions: list[Directions]
    merge_names: list[tuple[int, str]]  # (rank, its name)
    # (text, as a cell of a CSV file)
    cells: list[tuple[str, str]]
    # Code points of the characters behind which a sign begins a formula, at the start of a text and within it
    before_formulas: tuple[list[int], list[int]]


def fixtures() -> Fixtures:
    """Return all fixtures."""
    superwords = list(two_stages())
    return {
        "trainings": [*trainings(), *replays(), *(one for one in superwords if one["feed"]["whole"])],
        "windows": list(windows()),
        "cut_elsewhere": [one for one in superwords if not one["feed"]["whole"]],
        "encodings": list(encodings()),
        "labels": [labels(variant, number) for number, variant in enumerate(bpe.VARIANTS.values())],
        "directions": [
            directions("char-underscore", DIRECTIONS),
            directions("bytes-gpt2", DIRECTIONS),
            directions("char-underscore", JOINED_DIGITS),
        ],
        "merge_names": [
            (rank, merge_name(rank)) for rank in (*range(0, 1_200, 3), 49_999, 999_999, 16_777_214)
        ],
        "cells": [(text, str(in_cell(text))) for text in cell_texts()],
        "before_formulas": (before_formulas("{}=1"), before_formulas("a;{}=1")),
    }


def cell_texts() -> Iterator[str]:
    """Yield texts of what begins a cell or a formula, and of what may stand between."""
    chance = random.Random(1)
    parts = [*"=+-@＝a5'\";,|\t\r\n\0\x1c\x1d\x1e\x1f\x85\xa0\u2003\u200b\u2028\ufeff ", "\r\n", "=1+1"]
    for _ in range(2_000):
        yield "".join(chance.choices(parts, k=chance.randint(1, 8)))


def before_formulas(pattern: str) -> list[int]:
    """Return the code points, of the basic plane, with which this text is a formula: it gets another apostrophe."""
    texts = ((code, pattern.format(chr(code))) for code in range(0x10000) if not 0xD800 <= code < 0xE000)
    return [code for code, text in texts if in_cell(text) != text]


def trainings() -> Iterator[Training]:
    """Yield each text trained with each preset."""
    for preset in PRESETS:
        settings = {**bpe.PRESETS[preset].settings, "vocab_size": None, "merges": MOST_MERGES}
        for name, text in TEXTS.items():
            trace = bpe.train(text, **settings)
            yield recorded(f"{name}, {preset}", trace, text)


def windows() -> Iterator[Training]:
    """Yield trainings on a text of which the feed's window is a part. The feed also has the words outside of it."""
    for preset, size in (("subword-nmt", 40), ("sentencepiece", 40), ("hf-bytelevel", 2)):
        settings = {**bpe.PRESETS[preset].settings, "vocab_size": None, "merges": MOST_MERGES}
        trace = bpe.train(SENTENCES, **settings)
        yield recorded(f"a window of {size} characters, {preset}", trace, SENTENCES, size)


def replays() -> Iterator[Training]:
    """Yield replays of merge lists whose ids and ranks are not those of the steps."""
    trained = bpe.train(SENTENCES, merges=200, **bpe.PRESETS["hf-bytelevel"].settings).tokenizer()
    backwards = replace(
        trained,
        vocabulary=[*reversed(trained.vocabulary), b"<end>"],
        special_tokens=("<end>",),
        special_ids=(len(trained.vocabulary),),
    )
    some = bpe.train(
        "low lower lowest", merges=6, variant="char-eow", special_tokens=["<unk>"], unknown_token="<unk>"
    ).tokenizer()
    whole = replace(backwards, vocabulary=[*backwards.vocabulary, b" widest"], whole_words=True)
    some_lines = "\n".join(SENTENCES.split("\n")[::3])
    for name, tokenizer in {"backwards": backwards, "some unknown": some, "taken whole": whole}.items():
        for title, text in {"hug": TOYS["hug"], "sentences": f"{some_lines} widest widest"}.items():
            trace = bpe.replay(text, tokenizer)
            yield recorded(f"replay of {title}, {name}", trace, text)
    # Longer runs first, as in Gemma's list: a run grows from its left end, and some of its pairs are not merged.
    symbols = (b"a", b"b", b"aa", b"aaa", b"aaaa", b"aab")
    listed = ((b"aaa", b"a"), (b"aa", b"aa"), (b"aa", b"a"), (b"a", b"a"), (b"aa", b"b"))
    runs = bpe.Tokenizer(bpe.VARIANTS["bytes-gpt2"], symbols, listed, one_by_one=True)
    yield recorded("replay of runs, out of order", bpe.replay(RUNS, runs), RUNS)
    yield from whole_words_that_merges_make()
    ordered = replace(runs, merges=((b"a", b"a"), (b"aa", b"a"), (b"aa", b"aa"), (b"aa", b"b")))
    yield recorded("replay of runs, in order", bpe.replay(RUNS, ordered), RUNS)


def whole_words_that_merges_make() -> Iterator[Training]:
    """Yield replays in which aa is an added token where it is typed so, and made by merges where AA is typed."""
    text = "AA b AAB aaab AA AAAB"
    for name, more in (("pairs", []), ("triples", [["aa", "b"]])):
        added = {"id": 2, "content": "aa", "single_word": False, "lstrip": False, "rstrip": False}
        content = {
            "version": "1.0",
            "normalizer": {"type": "Lowercase"},
            "pre_tokenizer": {"type": "WhitespaceSplit"},
            "added_tokens": [{**added, "normalized": False, "special": False}],
            "model": {
                "type": "BPE",
                "vocab": {"a": 0, "b": 1, "aa": 2, "aab": 3},
                "merges": [["a", "a"], *more],
            },
        }
        tokenizer = open_tokenizer({"tokenizer.json": json.dumps(content).encode()}).tokenizer
        yield recorded(f"replay of AA, {name}", bpe.replay(text, tokenizer), text)


def two_stages() -> Iterator[Training]:
    """Yield trainings of two stages: superwords, with and without words that are cut elsewhere, and after a replay."""
    texts = {"sentences": SENTENCES, "cut elsewhere": "  by the way, 'the way'\n\n  by the 1234 ways  \n" * 3}
    for variant, pattern in (("bytes-gpt2", "lines"), ("char-eow", "sentences"), ("bytes-gpt2", "superbpe")):
        for title, text in texts.items():
            trace = bpe.train(
                text, variant, merges=MOST_MERGES, second_pattern=pattern, second_after=MOST_MERGES // 2
            )
            yield recorded(f"superwords, {title}, {variant}, {pattern}", trace, text)
    trace = bpe.train(RUNS, "bytes-gpt2", merges=9, overlaps="skip", second_pattern="lines", second_after=5)
    yield recorded("superwords, runs without overlap", trace, RUNS)
    for settings in ({}, {"second_pattern": "lines"}):
        known = bpe.train(TOYS["hug"] + SENTENCES, "bytes-gpt2", merges=20).tokenizer()
        trace = bpe.continue_training(SENTENCES, known, merges=12, **settings)
        yield recorded(f"continued, {settings}", trace, SENTENCES)


def recorded(name: str, trace: bpe.Trace, text: str | Mapping[str, int], size: int | None = None) -> Training:
    """Return the core's results after 0, 1, 2, … merges of a training or a replay.

    size: of the window in characters, whose feed also has the words outside of it; without it the window is the text.
    """
    steps = range(len(trace.steps) + 1)
    if size is None:
        feed = training_feed(trace, text)
    else:
        feed = training_feed(trace, text, size=size, further=999)
        text = str(text)[feed["text"]["start"] : feed["text"]["end"]]
    return {
        "name": name,
        "feed": feed,
        "tables": [pair_table(trace, k) for k in steps],
        "tokens": [trace.tokens_total(k) for k in steps],
        "vocabulary": [len(trace.vocabulary(k)) for k in steps],
        "segmentations": [
            in_hex(trace.segment(text, k) if isinstance(text, str) else counted(trace, text, k))
            for k in steps
        ],
    }


def counted(trace: bpe.Trace, words: Iterable[str], k: int) -> list[Symbol]:
    """Return the tokens of counted words, in their order."""
    word_of = {
        pre_token: word for pre_token, (word, _) in zip(trace.pre_tokens, trace.words_at(k), strict=True)
    }
    return [token for pre_token in words for token in word_of[pre_token]]


def encodings() -> Iterator[Encoding]:
    """Yield a text encoded by each encoder, with what two presets learned."""
    for preset in ("paper", "hf-bytelevel"):
        settings = {**bpe.PRESETS[preset].settings, "vocab_size": None, "merges": 200}
        tokenizer = bpe.train(SENTENCES, **settings).tokenizer()
        for encoder in bpe.ENCODERS:
            feed, steps = encoding_feed(tokenizer, encoding_window(ENCODED, tokenizer), encoder)
            states = [
                [token for word in step.segmentation for token in word] for step in steps if step.closes
            ]
            yield {
                "name": f"{encoder}, {preset}",
                "feed": feed,
                "segmentations": [in_hex(tokenizer.variant.symbols(ENCODED)), *map(in_hex, states)],
            }


def labels(variant: Variant, number: int) -> Labels:
    """Return thousands of symbols in many scripts, with the variant's labels: every sixth one, each time another."""
    symbols = list(dict.fromkeys(symbols_of(variant)))[number % 6 :: 6]
    in_sentence = sentence_label(variant)
    return {
        "variant": variant.slug,
        "marker": Hex((variant.marker or b"").hex()),
        "marker_text": variant.marker_text,
        "characters": special_characters([], symbols),
        "labels": [
            (Hex(symbol.hex()), variant.label(symbol), chip_label(variant, symbol), in_sentence(symbol))
            for symbol in symbols
        ],
        "shortened": [
            (chip_label(variant, token), short_chip_label(variant, token, 24))
            for word in _LONG_WORDS
            if (token := b"".join(variant.spell(word)))
        ],
    }


_LONG_WORDS = (
    " internationalizations and more",
    " supercalifragilistic",
    "достопримечательность",
    "李小龍李小龍李小龍李小龍李小龍李小龍",
    "😊👩‍👩‍👧‍👦" * 3,
    "é" * 40,
    " " * 60,
)


def symbols_of(variant: Variant) -> Iterator[Symbol]:
    """Yield symbols with characters of all planes, alone and beside others, with markers, and cut apart."""
    marker = variant.marker or b""
    some = (*range(0x250), *range(0x250, 0x3400, 61), *range(0x3400, 0x110000, 6_007))
    for code in (*some, *map(ord, INVISIBLE)):
        if unicodedata.category(chr(code)) == "Cs":
            continue
        character = chr(code).encode()
        yield character
        yield b"a" + character + b"z"
        yield character + marker
        yield marker + character
        if len(character) > 1:
            yield character[1:] + character[:-1]
    neighbours = (b"\xa9", b"a", b" ", "\u200b".encode(), "\u200d".encode())
    for unseen in (*INVISIBLE, "\u0301", "\u093f", "\u0600"):
        for before, after in product(neighbours, repeat=2):
            yield b"x" + before + unseen.encode() + after + b"z"
    for code in range(0x80, 0x100):
        yield bytes([code, 0x61, code])
        yield b"<0x41>" + bytes([code, code]) + b"<0x" + bytes([code])


def directions(slug: str, text: str) -> Directions:
    """Return words in both directions; a word without letters has the direction of the word before it."""
    trace = bpe.train(text, variant=slug, merges=8)
    actual: list[int] = []
    for word in trace.variant.split(text):
        strong = [unicodedata.bidirectional(character) for character in word]
        own = next((1 if kind in ("R", "AL") else -1 for kind in strong if kind in ("R", "AL", "L")), 0)
        actual.append(own or (actual[-1] if actual else 0))
    return {"feed": training_feed(trace, text), "directions": actual}


def in_hex(tokens: Iterable[Symbol]) -> str:
    """Return the Hex of each token, with spaces between."""
    return " ".join(token.hex() for token in tokens)


def write(folder: Path) -> None:
    """Write each part to a file of its own, and the tables of trainings, which are the largest, to another."""
    folder.mkdir(parents=True, exist_ok=True)
    actual = fixtures()
    parts: dict[str, object] = {**actual}
    for name in ("trainings", "windows", "cut_elsewhere"):
        parts[name] = [{key: value for key, value in one.items() if key != "tables"} for one in actual[name]]
        parts[f"{name}.tables"] = [one["tables"] for one in actual[name]]
    for name, part in parts.items():
        (folder / f"{name}.json").write_text(json.dumps(part), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
