"""Hundreds of texts, links and share files: each is taken as it is, or refused with one sentence."""

import json
import re
from typing import Any

import bpe
from bpe import BPEError
from film.training_feed import training_feed
from film.windows import WINDOW
from tests.film.readers import tokens_of
from tests.material.hostile_texts import hostile_texts, payloads
from ui.show.text import in_markdown
from ui.sidebar import share_file
from ui.sidebar.corpus import from_files, from_text
from ui.sidebar.link import read_link
from ui.sidebar.settings import SETTINGS
from ui.sidebar.text_link import fragment_of, read_fragment

UNRULY = re.compile("[\0\u202a-\u202e\u2066-\u2069]")
VARIANTS = [slug for slug, row in bpe.VARIANTS.items() if row.configure is None]
LINKED = ["corpus_source", "corpus_sample", "picks", "step", *SETTINGS]
VALUES = [
    "",
    "\0",
    "-1",
    "9" * 5_000,
    "1e9",
    "NaN",
    "٣",
    "a" * 100_000,
    "0.0-0.0",
    "<b>*x*",
    "low\0\u202eevil\u2066",
    "\ud83d",
    *payloads()[:4],
]
JSON: list[Any] = [
    None,
    True,
    -1,
    10**400,
    float("nan"),
    1.5,
    "",
    "\0",
    "low\0\u202eevil\u2066\u200f",
    ["a\0b \u202ec", "\u2067d"],
    {"a\0\u202e": 1},
    "a\nb",
    "\ud800",
    "x" * 9_999,
    [],
    [[]],
    {},
    {"a": 1},
]


def is_one_sentence(text: str) -> bool:
    """Return whether a message is one sentence, which nothing in it turns around when it is drawn."""
    drawn = in_markdown(text, most=2_000)
    return len(text) < 400 and len(text.splitlines()) == 1 and not UNRULY.search(drawn)


def refusal(content: bytes) -> str:
    """Return why a share file is refused; "" if it is read."""
    try:
        share_file.read_share_file(content)
    except BPEError as error:
        return str(error)
    return ""


def test_every_text_is_drawn_as_the_core_splits_it_and_comes_back_from_its_ids() -> None:
    battery = hostile_texts()
    assert len(battery) >= 250
    for number, (name, text) in enumerate(battery.items()):
        trace = bpe.train(text, variant=VARIANTS[number % len(VARIANTS)], merges=12)
        feed = training_feed(trace, text)
        assert feed["text"]["total"] <= WINDOW
        for k in (0, len(trace.steps) // 2, len(trace.steps)):
            assert tokens_of(feed, k) == trace.segment(text, k), name
        tokenizer = trace.tokenizer()
        if trace.variant.lossless:
            assert tokenizer.decode(tokenizer.encode(text)) == text, name


def test_every_text_comes_back_from_a_file_a_link_and_a_share_file() -> None:
    recipe = {"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}
    for name, text in hostile_texts().items():
        if not text.strip():
            continue
        assert from_files([("a.txt", text.encode())]).documents == (text,), name
        fragment = fragment_of("paste", from_text(text))
        assert fragment is None or read_fragment(fragment) == ("paste", text), name
        file = {"format": share_file.FORMAT, "recipe": recipe, "corpus": {"title": text, "documents": [text]}}
        assert share_file.read_share_file(json.dumps(file).encode()).corpus.documents == (text,), name


def test_no_value_of_a_link_is_more_than_ignored() -> None:
    assert len(LINKED) * len(VALUES) >= 80
    for key in LINKED:
        for value in VALUES:
            values, ignored = read_link({key: value})
            assert (key in values) != bool(ignored), (key, value)
            assert all(map(is_one_sentence, ignored)), (key, value)


def test_no_field_of_a_share_file_is_more_than_refused() -> None:
    recipe: dict[str, Any] = {"preset": "none", "variant": "bytes", "tie_break": "first", "merges": 3}
    corpus = {"title": "T", "documents": ["low"]}
    whole: dict[str, Any] = {"format": share_file.FORMAT, "recipe": recipe, "corpus": corpus}
    fields = [("recipe", key) for key in (*SETTINGS, "picks")]
    fields += [("corpus", key) for key in ("title", "documents", "words")]
    assert len(fields) * len(JSON) >= 80
    for part, key in fields:
        for value in JSON:
            content = json.dumps({**whole, part: {**whole[part], key: value}}).encode()
            if problem := refusal(content):
                assert is_one_sentence(problem), (key, value)
