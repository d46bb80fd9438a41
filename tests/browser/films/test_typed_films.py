"""Words typed into a film from disk give the frames of `bpe.train`, for every variant and rule that a film offers."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import bpe
from film.feed import ChipLabel
from film.live import live_settings
from film.page import film_page
from film.pair_rows import pair_table
from film.training_feed import training_feed
from film.windows import FILM_WINDOW
from tests.browser.chromium import grid
from tests.browser.films.conftest import Open
from tests.material.texts import SENTENCES, TOYS

MERGES = 9
TEXTS = {
    **{name: text for name, text in TOYS.items() if "\r" not in text},  # a field has line feeds only
    **{f"sentence {number}": text for number, text in enumerate(SENTENCES.split("\n"))},
    "emoji and flags": "👩\u200d👩\u200d👧 👍🏽 👩\u200d👩\u200d👧 🇳🇵🇳🇵 👍🏽 ☝\ufe0f☝",
    "controls": "a\x01b a\x01b \x7f\x7f \u200b\u200b\u2028x \ufeffx \xad\x85\x1c.",
    "contractions": "I'LL we'll 'Tis it'S he'\u017f 12345 1234 ½Ⅷ",
    "newer characters": "\u1c89\u1c8a \u1c89\u1c8a \U000323b0\U000323b0 \ua7da\ua7da \U0001e4d0\U0001e4d1",
    "bytes and their spelling": "<0xF0>😊<0xF0>😊 <0xF0>😊",
    "one long word": "abab" * 60 + "aaaa" * 30,
}
# Goes to each step in turn, as somebody does who types it into the box, and returns what a screen reader hears of each
# frame and the rows of the table. Joiners and isolates in a chip only shape letters, apart from their word.
FRAMES = """async () => {
  const all = [...document.querySelectorAll('*')];
  const root = (name) => all.map((one) => one.shadowRoot?.querySelector(`[data-testid=${name}]`)).find(Boolean);
  const [grid, table] = [root('token-grid'), root('pair-table')];
  const jump = grid.querySelector('[data-testid=jump]');
  const frames = [];
  for (let step = 0; step <= Number(grid.dataset.steps); step++) {
    jump.value = String(step);
    jump.dispatchEvent(new Event('change', { bubbles: true }));
    const isThere = () => grid.dataset.step === String(step) && table.dataset.step === String(step);
    while (!isThere() || !grid.querySelector('[data-testid=frame-text]').textContent.includes(` after ${step} of`))
      await new Promise(requestAnimationFrame);
    const plain = (chip) => chip.textContent.replace(/[\\u200d\\u2066-\\u2069]/g, '');
    const rows = [...table.querySelectorAll('tbody tr')].map((row) => [
      ...[...row.querySelectorAll('.pairing > *')].map(plain),
      Number(row.querySelector('.number').textContent.replace(/\\D/g, '')),
    ]);
    const words = grid.querySelector('[data-testid=frame-text]').textContent.split(': ').slice(1).join(': ').trim();
    const { tokens, tied } = grid.dataset;
    frames.push({ step, tokens: Number(tokens), tied: Number(tied), words, rows });
  }
  return frames;
}"""


def in_chip(label: ChipLabel) -> str:
    """Return what a chip of the table writes: bytes of no whole character as their digits."""
    return re.sub("[\u200d\u2066-\u2069]", "", "".join(label))


def frames(trace: bpe.Trace, text: str) -> Iterator[dict[str, Any]]:
    """Yield what the frame after 0, 1, 2, … merges must show."""
    label, pre_tokens = trace.variant.label, trace.variant.split(text)
    for k in range(len(trace.log) + 1):
        words = dict(zip(trace.pre_tokens, (word for word, _ in trace.words_at(k)), strict=True))
        reading = [words[pre_token] for pre_token in pre_tokens]
        yield {
            "step": k,
            "tokens": sum(map(len, reading)),
            "tied": trace.steps[k].tied if k < len(trace.log) else 0,
            "words": " | ".join(" ".join(map(label, word)) for word in reading),
            "rows": [
                [*map(in_chip, row["labels"][:2]), row["count"]] for row in pair_table(trace, k)["rows"]
            ],
        }


def typed(page: Page, text: str, variant: str, rule: str) -> bpe.Trace:
    """Type a text, choose its settings, and wait until the film plays Python's feed of the same training."""
    page.get_by_test_id("own-variant").select_option(variant)
    page.get_by_test_id("own-rule").select_option(rule)
    page.get_by_test_id("own-text").fill(text)
    assert page.get_by_test_id("own-text").input_value() == text
    trace = bpe.train(text, variant, rule, merges=MERGES)
    feed = training_feed(trace, text, size=FILM_WINDOW, picks=True)
    expect(grid(page)).to_have_attribute("data-id", feed["id"])
    return trace


def living_film(open_film: Open) -> Page:
    """Return a film whose field is open, for so many merges."""
    page = open_film(film_page(bpe.train("low lower", merges=3), "low lower"))
    page.get_by_test_id("own-words").click()
    page.get_by_test_id("own-merges").fill(str(MERGES))
    return page


def test_typed_words_play_as_python_trains_them(open_film: Open) -> None:
    page = living_film(open_film)
    live = live_settings()
    text = TEXTS["hug"]
    trace = typed(page, text, live["variants"][-1]["slug"], live["rules"][-2]["slug"])
    assert page.evaluate(FRAMES) == list(frames(trace, text))


@pytest.mark.weekly
def test_every_variant_and_rule_shows_python_s_frames_of_texts_in_many_scripts(open_film: Open) -> None:
    page = living_film(open_film)
    live = live_settings()
    rules = [rule["slug"] for rule in live["rules"] if rule["menu"]]
    slugs = [(variant["slug"], rule) for variant in live["variants"] for rule in rules]
    for number, (name, text) in enumerate(TEXTS.items()):
        variant, rule = slugs[number * 7 % len(slugs)]
        trace = typed(page, text, variant, rule)
        assert page.evaluate(FRAMES) == list(frames(trace, text)), (name, variant, rule)
