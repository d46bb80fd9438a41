"""Your text in 30 seconds."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import WORDS, press, show


@pytest.mark.slow
def test_a_story_slows_down_at_its_scenes_and_ends_with_five_numbers(
    new_page: NewPage, grids: AppServer, tmp_path: Path
) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 2})  # both merges are scenes
    line, card = page.get_by_test_id("story"), page.get_by_test_id("story-card")
    page.evaluate(
        """() => {
          window.scenes = new Set();
          window.addEventListener('mbm:step', ({ detail }) => {
            for (const host of document.querySelectorAll('*')) {
              const text = host.shadowRoot?.querySelector('.story.at-scene')?.textContent;
              if (text) scenes.add(`${detail.beat}: ${text}`);
            }
          });
        }"""
    )
    page.get_by_test_id("speed").select_option("30 s story")
    expect(line).to_be_visible()
    expect(card).to_be_visible()
    scenes = page.evaluate("() => [...scenes]")
    content = {scene.partition(": ")[2] for scene in scenes if scene.startswith("select: ")}
    assert content == {
        "Merge 1: the first tie, and the largest: 3 pairs occur 9 times.",
        "Merge 2: the longest token: est.",
    }, scenes
    expect(card).to_contain_text("Tokens before95Tokens after77Merges2Merges that broke a tie2")
    with page.expect_download() as saved:
        page.get_by_test_id("story-save").click()
    path = tmp_path / "card.png"
    saved.value.save_as(path)
    assert path.read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")

    # A key stops a story, and the speed chosen before is back.
    page.get_by_test_id("story-close").click()
    press(page, "s")
    expect(line).to_be_visible()
    press(page, "Home")
    expect(line).to_be_hidden()
    expect(page.get_by_test_id("speed")).to_have_value("1")
    expect(grid(page)).to_have_attribute("data-step", "0")


@pytest.mark.slow
def test_a_tale_plays_once_it_is_asked_for(new_page: NewPage, grids: AppServer) -> None:
    scenes = [
        {"step": 0, "text": "Two keepers count <b>."},
        {"step": 1, "text": "A word.", "words": ["Contribution"]},
    ]
    tale = {"scenes": scenes, "asked": 1}
    asked = {"english": 3_000, "merges": 2, "pairs": 1, "tale": json.dumps(tale)}
    page = show(new_page, grids, asked)
    line, card = page.get_by_test_id("story"), page.get_by_test_id("story-card")
    expect(line).to_have_text("Two keepers count <b>.")
    expect(card).to_be_visible()  # it has played to its end, by itself
    assert page.get_by_test_id("viewport").evaluate("(viewport) => viewport.scrollTop") > 0  # at the word
    page.get_by_test_id("story-close").click()
    page.get_by_test_id("tell-story").click()
    expect(line).to_be_visible()
    press(page, "Home")
    expect(line).to_be_hidden()
