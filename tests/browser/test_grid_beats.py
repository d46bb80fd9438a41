"""The beats of a merge in a browser: what each shows, and that the counts of the last one are the core's."""

from typing import Any

import pytest
from playwright.sync_api import expect

import bpe
from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, at, jump, press, show
from tests.texts import SENTENCES
from ui.tables import pair_rows

LISTEN = (
    "() => { window.counted = []; window.addEventListener('mbm:pairs', ({detail}) => counted.push(detail)); }"
)

TIED = """(root) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const lane = [...lanes].find((one) => one.root === root);
  return lane.shows.tied ? [...lane.tied] : [];
}"""


def test_the_last_beat_shows_which_tokens_became_more_and_fewer(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    page.get_by_test_id("speed").select_option(label="0.5×")
    headline, changes = grid(page).get_by_test_id("headline"), grid(page).get_by_test_id("changes")
    press(page, "ArrowRight")
    expect(grid(page)).to_have_attribute("data-beat", "fuse")
    expect(headline).to_contain_text("e+s→es")  # named as long as it fuses
    expect(grid(page)).to_have_attribute("data-beat", "settle")
    expect(changes).to_have_text("es0 → 9e17 → 8s9 → 0")
    expect(headline).to_contain_text("merge 0 done: 9 tokens fewer")
    at(page, 1)
    expect(changes).to_be_hidden()  # the tie that comes next is told there
    press(page, "ArrowLeft")
    expect(grid(page)).to_have_attribute("data-beat", "settle")
    expect(changes).to_have_text("es9 → 0e8 → 17s0 → 9")
    expect(headline).to_contain_text("merge 0 undone: 9 tokens more")
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    expect(changes).to_have_text("by merge 1:est0 → 9es9 → 0t9 → 0")


def test_where_a_total_is_unknown_the_change_is_told(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"text": "aa ab aa", "merges": 2})
    press(page, "ArrowRight")
    expect(grid(page).get_by_test_id("changes")).to_have_text("aa0 → 2a5 → 1")


def told(row: dict[str, Any]) -> tuple[object, ...]:
    names = ("pair", "labels", "count", "change", "new", "tied", "chosen")
    return tuple(tuple(row[name]) if isinstance(row[name], list) else row[name] for name in names)


@pytest.mark.parametrize("variant", ["char-eow", "bytes-gpt2", "bytes"])
def test_the_pair_table_follows_without_the_server(new_page: NewPage, grids: AppServer, variant: str) -> None:
    """At every step the browser counts what the core counts, of the pairs that both tables must hold."""
    text = SENTENCES[:160]
    trace = bpe.train(text, variant=variant, merges=12)
    page = show(new_page, grids, {"text": text, "variant": variant, "pairs": 1})
    page.get_by_test_id("speed").select_option(label="4×")
    page.evaluate(LISTEN)
    for step in range(1, 5):
        press(page, "ArrowRight")
        at(page, step)
    counted = page.evaluate("() => counted")
    assert [table["step"] for table in counted] == list(range(1, 5))
    label = trace.variant.label
    for table in counted:
        rows, total = pair_rows(trace, table["step"])
        least = rows[-1].count
        core = {
            (
                tuple(symbol.hex() for symbol in row.pair),
                tuple(map(label, (*row.pair, b"".join(row.pair)))),
                *(row.count, row.change, row.new, row.tied, row.chosen),
            )
            for row in rows
            if row.count > least
        }
        assert {told(row) for row in table["rows"] if row["count"] > least} == core
        assert table["total"] == total
        assert table["rows"][0]["chosen"]


def test_while_it_plays_the_table_shows_the_step(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "pairs": 1})
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


def test_a_key_during_the_fuse_leads_on_from_the_guess(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    press(page, "p", "Space", "Space", "Space")
    expect(grid(page)).to_have_attribute("data-step", "1")
    press(page, "Space")
    expect(grid(page)).to_have_attribute("data-beat", "count")
    expect(grid(page)).to_have_attribute("data-step", "1")


def test_tied_pairs_of_a_late_step_are_marked_and_offered(new_page: NewPage, grids: AppServer) -> None:
    """Beyond what the feed holds, without a pair table: told when the grid rests, to every lane its own."""
    step, asked = 60, {"text": SENTENCES, "merges": 80, "rules": "first,pair-max", "ties": 1}
    traces = [bpe.train(SENTENCES, tie_break=rule, merges=80) for rule in ("first", "pair-max")]
    page = show(new_page, grids, asked)
    jump(page, step)
    for number, trace in enumerate(traces):
        tied = trace.tied_pairs(step)
        assert len(tied) > 2
        expect(grid(page, number).get_by_test_id("tie-badge")).to_contain_text("instead?")
        offered = grid(page, number).get_by_test_id("tie-badge").locator("option:not([disabled])").count()
        assert offered == len(tied) - 1  # the winner is not, the first is a button, one says "or…"
        ids = {f"{trace.id_of(left)} {trace.id_of(right)}" for left, right in tied}
        assert set(grid(page, number).evaluate(TIED)) == ids
