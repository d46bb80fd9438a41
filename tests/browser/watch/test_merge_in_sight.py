"""A long text follows the merge: no merge passes unseen."""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

from bpe import train
from tests.browser.chromium import enter, grid
from tests.browser.grid.pairs_in_sight import pairs_in_sight
from tests.waiting import until
from ui.sidebar.corpus import from_sample

STORY = train(from_sample("story").training_text, merges=140, variant="bytes-gpt2", tie_break="first")


def is_in_sight(page: Page, pair: str) -> bool:
    return pair in pairs_in_sight(page, group="watch")


@pytest.mark.slow
def test_every_step_shows_the_next_merge(page: Page) -> None:
    enter(page, "/?corpus_sample=story&merges=140&step=130&preset=none&variant=bytes-gpt2&tie_break=first")
    unseen = 0
    for step in range(131, 139):
        page.keyboard.press("ArrowRight")
        expect(grid(page)).to_have_attribute("data-step", str(step))
        left, right = STORY.steps[step].pair
        pair = f"{left.hex()} {right.hex()}"
        unseen += pair not in pairs_in_sight(page, group="watch")
        until(partial(is_in_sight, page, pair), f"{pair} is in sight")
    assert unseen  # otherwise this story would show nothing
