"""The beats of a merge in a browser: what each shows. The counts of the last one are the core's."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import bpe
from film.labels import chip_label
from film.pair_rows import counted_pairs
from harness.app_server import AppServer
from harness.chromium import grid, navigate
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, at, follow, followed, jump, open_view, press, show
from tests.material.texts import SENTENCES

LISTEN = """() => {
  const counted = (window.counted = []);
  window.addEventListener('mbm:pairs', ({ detail }) => counted.push(detail));
}"""

TIED = """(root, group) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get(group);
  const lane = [...lanes].find((one) => one.root === root);
  return lane.visibleMarks.tied ? [...lane.tied] : [];
}"""


def test_the_last_beat_shows_which_tokens_became_more_and_fewer(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    follow(page)
    press(page, "ArrowRight")
    at(page, 1)
    press(page, "ArrowLeft")
    at(page, 0)
    fuse, settle, rest, back, undone, _ = followed(page)
    assert [beat.beat for beat in (fuse, settle, rest, back, undone)] == [
        "fuse",
        "settle",
        "rest",
        "fuse",
        "settle",
    ]
    assert "e+s→es" in fuse.headline  # the pair is named while it fuses
    assert "Merge 1: 9 fewer tokens" in settle.headline
    assert settle.changes == "es0 → 9e17 → 8s9 → 0"
    assert not rest.changes  # the headline shows the next tie there
    assert "Merge 1 undone: 9 tokens back" in undone.headline
    assert undone.changes == "es9 → 0e8 → 17s0 → 9"
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    expect(grid(page).get_by_test_id("changes")).to_have_text("Merge 2 changed: est0 → 9es9 → 0t9 → 0")


def test_at_rest_the_changes_stand_where_no_tie_needs_the_room(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": "aa ab aa", "merges": 2})
    press(page, "ArrowRight")
    at(page, 1)
    expect(grid(page).get_by_test_id("changes")).to_have_text("Merge 1 changed: aa0 → 2a5 → 1")
    expect(grid(page).get_by_test_id("headline")).to_contain_text("Merge 2 of 2 · 2 times · no tie")


def row_values(row: dict[str, Any]) -> tuple[object, ...]:
    names = ("pair", "labels", "count", "change", "new", "tied", "chosen")
    return tuple(in_tuples(row[name]) for name in names)


def in_tuples(value: object) -> object:
    return tuple(map(in_tuples, value)) if isinstance(value, list) else value


def test_the_pair_table_follows_without_the_server(new_page: NewPage, grids: AppServer) -> None:
    """At every step the browser's counts are the core's, for the pairs that both tables must contain."""
    text, variant = SENTENCES[:160], "bytes-gpt2"  # tests/js counts the pairs of seven trainers
    trace = bpe.train(text, variant=variant, merges=12)
    page = show(new_page, grids, {"text": text, "variant": variant, "pairs": 1})
    page.get_by_test_id("speed").select_option(label="4×")
    page.evaluate(LISTEN)
    for step in range(1, 5):
        press(page, "ArrowRight")
        at(page, step)
    counted = page.evaluate("() => counted")
    assert [table["step"] for table in counted] == list(range(1, 5))
    for table in counted:
        rows, total = counted_pairs(trace, table["step"])
        least = rows[-1].count
        core = {
            (
                tuple(symbol.hex() for symbol in row.pair),
                tuple(chip_label(trace.variant, symbol) for symbol in (*row.pair, b"".join(row.pair))),
                *(row.count, row.change, row.new, row.tied, row.chosen),
            )
            for row in rows
            if row.count > least
        }
        assert {row_values(row) for row in table["rows"] if row["count"] > least} == core
        assert table["total"] == total
        assert table["rows"][0]["chosen"]


def test_while_it_plays_the_table_shows_the_step(new_page: NewPage, grids: AppServer) -> None:
    # All of it is in the window, and the merges do not end during the test.
    text = " ".join(SENTENCES.split()[:400])
    page = show(new_page, grids, {"text": text, "merges": 200, "pairs": 1})
    table = page.get_by_test_id("pair-table")
    page.get_by_test_id("speed").select_option(label="4×")
    page.evaluate(LISTEN)
    press(page, " ")
    page.wait_for_function("() => counted.length >= 3")
    expect(page.get_by_text("python step 0", exact=True)).to_be_visible()
    assert table.get_attribute("data-step") != "0"
    press(page, " ")
    step = int(grid(page).get_attribute("data-step") or 0)
    expect(page.get_by_text(f"python step {step}", exact=True)).to_be_visible()
    expect(table).to_have_attribute("data-step", str(step))
    expect(table).not_to_have_class("pairs waiting")


# Notes each row that leaves the table: its place, its width, and whether anybody can still read it.
LEAVING = """(root) => {
  const gone = (window.gone = []);
  const nameOf = (row) => [...row.querySelectorAll('.pairing > *')].map((chip) => chip.textContent).join(' ');
  const top = new Map([...root.querySelectorAll('tbody tr')].map((row) => [nameOf(row), row.offsetTop]));
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!node.matches?.('.gone')) continue;
      const place = node.offsetTop === top.get(nameOf(node.rows[0]));
      const wide = Math.abs(node.rows[0].offsetWidth - root.querySelector('thead tr').offsetWidth) < 2;
      gone.push([place, wide, node.inert && node.getAttribute('aria-hidden') === 'true']);
    }
  }).observe(root, { childList: true, subtree: true });
}"""


def test_rows_that_leave_the_pair_table_fade_where_they_were(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": "low lower lowest", "pairs": 1})
    table = page.get_by_test_id("pair-table")
    expect(table).to_have_attribute("data-step", "0")
    table.evaluate(LEAVING)
    press(page, "ArrowRight")
    expect(table).to_have_attribute("data-step", "1")
    page.wait_for_function("() => gone.length >= 1")  # the row of the merge, at least
    assert all(all(facts) for facts in page.evaluate("() => gone"))
    expect(table.locator(".gone")).to_have_count(0)


def test_a_key_during_the_fuse_completes_it(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    press(page, "p", "Space", "Space", "Space")
    expect(grid(page)).to_have_attribute("data-step", "1")
    press(page, "Space")
    expect(grid(page)).to_have_attribute("data-beat", re.compile("settle|guess"))
    expect(grid(page)).to_have_attribute("data-step", "1")


def test_tied_pairs_of_a_late_step_are_marked_and_offered(new_page: NewPage, grids: AppServer) -> None:
    """The feed does not hold these pairs and there is no pair table. Each lane receives its own when the grid rests."""
    step, asked = 60, {"text": SENTENCES, "merges": 80, "rules": "first,pair-max", "ties": 1}
    traces = [bpe.train(SENTENCES, tie_break=rule, merges=80) for rule in ("first", "pair-max")]
    page = show(new_page, grids, asked)
    jump(page, step)
    for number, trace in enumerate(traces):
        tied = trace.tied_pairs(step)
        assert len(tied) > 2
        expect(grid(page, number).get_by_test_id("tie-badge")).to_contain_text("instead")
        badge = grid(page, number).get_by_test_id("tie-badge")
        offered = badge.get_by_test_id("pick").count() + badge.locator("option:not([value=''])").count()
        assert offered == len(tied) - 1  # without the winner; few are a button each, more are a list
        ids = {f"{trace.id_of(left)} {trace.id_of(right)}" for left, right in tied}
        assert set(grid(page, number).evaluate(TIED, "grid")) == ids


def test_that_no_pair_ties_is_told_too(new_page: NewPage, grids: AppServer) -> None:
    """Messages without the name of the shown training, or with another name, change nothing."""
    # The grid does not hold the whole text, so it cannot count the tied pairs itself.
    page = show(new_page, grids, {"text": SENTENCES, "merges": 80, "ties": 1, "window": len(SENTENCES) // 2})
    jump(page, 60)
    badge = grid(page).get_by_test_id("tie-badge")
    expect(badge).to_contain_text("instead")
    before = grid(page).evaluate(TIED, "grid")
    tell = """(_, [id, pairs]) => {
        const detail = { group: 'grid', step: 60, id, pairs };
        window[Symbol.for('merge-by-merge')].sent.add(detail);
        window.dispatchEvent(new CustomEvent('mbm:tied', { detail }));
    }"""
    many = [[number, number] for number in range(100)]
    for name in (None, "0123456789abcdef"):
        grid(page).evaluate(tell, [name, many])
        assert grid(page).evaluate(TIED, "grid") == before
    grid(page).evaluate(tell, [grid(page).get_attribute("data-id"), []])
    assert grid(page).evaluate(TIED, "grid") == []
    expect(badge).not_to_contain_text("instead")


# Make one merge with motion; count the script's animations, the colours that spread, and the rings that light up.
MOVES = """(root) => {
  const lane = [...globalThis[Symbol.for('merge-by-merge')].groups.values()].flatMap(({ lanes }) => [...lanes])
    .find((one) => one.root === root);
  const count = (step) => {
    lane.playhead.seek(step, { animate: true });
    const moves = root.getAnimations({ subtree: true }).filter((one) => one.constructor === Animation);
    const ends = moves.map((one) => one.effect.getComputedTiming().endTime);
    const flashes = root.querySelectorAll('.flash').length;
    const rings = moves.filter((one) => one.effect.target.matches('.rings')).length;
    lane.finish();
    const left = root.querySelectorAll('.flash, .moved').length;
    return { moves: moves.length > 0, flashes, rings, left, late: ends.some((end) => end > 600) };
  };
  lane.playhead.seek(0);
  return [count(1), count(0)];
}"""


def less_motion(page: Page, less: bool) -> None:
    """Ask for less motion or no longer, as a system's setting does, and wait until the grid has been told."""
    page.emulate_media(reduced_motion="reduce" if less else "no-preference")
    # The query matches before its listeners hear of the change.
    page.wait_for_function(
        """(motion) => [...globalThis[Symbol.for('merge-by-merge')].groups.values()]
            .every(({ playhead }) => playhead.motion === motion)""",
        arg=not less,
    )


def test_chips_flash_and_cells_ring_unless_motion_is_off(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 12})
    still = {"moves": False, "flashes": 0, "rings": 0, "left": 0, "late": False}
    open_view(page)
    # newest and widest hold e + s; what goes back has neither a flash nor a ring.
    for drawing, forwards, back in [
        ("chips", {**still, "moves": True, "flashes": 2}, {**still, "moves": True}),
        ("cells", {**still, "moves": True, "rings": 1}, still),
    ]:
        page.get_by_test_id("option-drawing").select_option(drawing)
        assert grid(page).evaluate(MOVES) == [forwards, back]
        page.get_by_test_id("option-motion").uncheck()
        assert grid(page).evaluate(MOVES) == [still, still]
        page.get_by_test_id("option-motion").check()
        less_motion(page, True)
        assert grid(page).evaluate(MOVES) == [still, still]
        less_motion(page, False)


# The grid in the presenter view: it fills the screen, can be read from the last row, and waits for each key.

PRESENTING = re.compile(r"\bpresenting\b")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_presenter_view_fills_the_screen_beat_by_beat(
    new_page: NewPage, grids: AppServer, theme: str
) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1, "pairs": 1}, theme=theme)
    press(page, "p")
    expect(grid(page)).to_have_class(PRESENTING)
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(grid(page)).to_have_attribute("data-theme", theme)
    box, table = grid(page).bounding_box(), page.get_by_test_id("pair-table").bounding_box()
    assert box
    assert table
    assert (box["x"], box["y"], box["height"]) == (0, 0, 800)
    assert round(box["width"] + table["width"]) == 1280
    # Nothing of the page above it.
    assert page.evaluate("() => document.elementFromPoint(5, 5).shadowRoot !== null")
    for beat in ("count", "select"):
        press(page, "Space")
        expect(grid(page)).to_have_attribute("data-beat", beat)
    press(page, "PageDown")
    expect(grid(page)).to_have_attribute("data-step", "2")
    expect(grid(page)).to_have_attribute("data-beat", "settle")  # until the next key
    press(page, "PageDown")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    press(page, "Shift+PageDown")
    expect(grid(page)).to_have_attribute("data-step", "3")
    press(page, "b")
    expect(grid(page).get_by_test_id("black-out")).to_be_visible()
    press(page, "PageDown")  # only removes it, since nobody could see a step
    expect(grid(page).get_by_test_id("black-out")).to_be_hidden()
    expect(grid(page)).to_have_attribute("data-step", "3")
    press(page, "b")
    press(page, "Escape")
    expect(grid(page).get_by_test_id("black-out")).to_be_hidden()
    expect(grid(page)).to_have_class(PRESENTING)
    press(page, "Escape")
    expect(grid(page)).not_to_have_class(PRESENTING)


def test_type_can_be_read_from_the_last_row(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "step": 1})
    press(page, "p")
    expect(grid(page)).to_have_class("grid presenting")
    size = (
        grid(page)
        .locator(".letter.char")
        .first.evaluate("(letter) => parseFloat(getComputedStyle(letter).fontSize)")
    )
    assert size >= 40


def test_a_grid_drawn_before_the_presenting_one_left_continues_the_presentation(
    new_page: NewPage, grids: AppServer
) -> None:
    """A page may keep the grid of the page before until its script ends."""
    asked: dict[str, object] = {"rows": WORDS, "apart": 1, "rules": "first,last"}
    page = show(new_page, grids, asked)
    grid(page, 1).get_by_test_id("viewport").click(position={"x": 5, "y": 5})  # keys go there
    press(page, "p")
    expect(grid(page, 1)).to_have_class(PRESENTING)
    expect(grid(page)).not_to_have_class(PRESENTING)
    navigate(page, page.url.replace("rules=first%2Clast", "rules=first"))
    expect(grid(page, 1)).to_have_count(0)
    expect(grid(page)).to_have_class(PRESENTING)
    press(page, "Escape")
    expect(grid(page)).not_to_have_class(PRESENTING)
