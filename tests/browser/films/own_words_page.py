"""A film with the field for its viewer's own words: make it, type into it, compare its grids with the engine."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

import bpe
from film.live import live_recipe
from film.page import FilmLane, OwnWords, film_page, lanes_page
from film.training_feed import training_feed
from tests.browser.chromium import grid

RECORDED = "low low low lower lower newest newest widest"
OWN = "the cat sat on the mat with the hat"  # its first merge is a tie of three pairs


def film(text: str = RECORDED, *, fixed: bool = False, **settings: Any) -> str:
    return film_page(bpe.train(text, merges=12, **settings), text, title="Words", fixed=fixed)


def two_rules() -> str:
    traces = [bpe.train(RECORDED, tie_break=rule, merges=12) for rule in ("first", "pair-max")]
    lanes = [
        FilmLane(training_feed(one, RECORDED), one.tie_break.title, "", live_recipe(one)) for one in traces
    ]
    return lanes_page(lanes, title="Rules", own=OwnWords(RECORDED))


def field(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"own-{name}")


def type_words(page: Page, text: str) -> None:
    if field(page, "words").get_attribute("aria-expanded") == "false":
        field(page, "words").click()
    field(page, "text").fill(text)


def shows(page: Page, trace: bpe.Trace, step: int, number: int = 0) -> None:
    """Go to a step and check a grid there: its merges, tokens of the corpus and tied pairs."""
    root = grid(page, number)
    expect(root).to_have_attribute("data-steps", str(len(trace.steps)))
    page.get_by_test_id("jump").first.fill(str(step))
    page.get_by_test_id("jump").first.press("Enter")
    expect(root).to_have_attribute("data-step", str(step))
    expect(root).to_have_attribute("data-tokens", str(trace.tokens_total(step)))
    if step < len(trace.steps):
        expect(root).to_have_attribute("data-tied", str(trace.steps[step].tied))
