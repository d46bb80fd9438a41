"""The viewer's own words in a film, opened from disk: what the page learns from them is what `bpe.train` learns."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import bpe
from film.live import live_settings
from film.training_feed import training_feed
from tests.browser.chromium import grid
from tests.browser.films.conftest import Open
from tests.browser.films.own_words_page import OWN, RECORDED, field, film, shows, two_rules, type_words

# Texts that nobody tunes a trainer for.
TEXTS = (
    "标准 标题 été e\u0301te\u0301 😀😀👩‍👩‍👧 aaaa",
    "  two\n\nlines\tand 1234 it's we'll  ",
    "ऋषियों שלום \u202e low",
)


def test_typed_words_are_trained_at_once_as_the_engine_trains_them(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    trace = bpe.train(OWN, merges=12)
    root = grid(page)
    expect(root).to_have_attribute("data-steps", str(len(trace.steps)))
    expect(field(page, "status")).to_have_text("12 merges learned from 35 characters.")
    expect(page.get_by_test_id("tie-badge")).to_contain_text("3 pairs tied at 4")
    rows = page.get_by_test_id("pair-table").locator("tbody tr")
    expect(rows).to_have_count(len(trace.pair_counts(0)))
    rows.evaluate_all("(all) => all.forEach((row) => (row.dataset.before = ''))")
    field(page, "text").press_sequentially(" s")  # the keys type; they neither play nor step
    assert field(page, "text").input_value() == OWN + " s"
    expect(root).to_have_attribute("data-step", "0")
    typed = bpe.train(OWN + " s", merges=12)
    expect(rows).to_have_count(len(typed.pair_counts(0)))
    assert 0 < page.locator("tr[data-before]").count() < rows.count()  # rows that stay the same stay in place
    assert rows.evaluate_all("(all) => all.flatMap((row) => row.getAnimations()).length") == 0
    field(page, "merges").fill("3")
    expect(root).to_have_attribute("data-steps", "3")


@pytest.mark.slow
def test_every_variant_and_rule_of_the_menus_gives_the_frames_of_the_engine(open_film: Open) -> None:
    page = open_film(film())
    live = live_settings()
    offered = [row["slug"] for row in live["rules"] if row["menu"]]
    page.get_by_test_id("own-words").click()
    assert (
        field(page, "rule").locator("option").evaluate_all("(all) => all.map((one) => one.value)") == offered
    )
    variants = [row["slug"] for row in live["variants"]]
    # Each variant once, with a rule that changes: tests/js compares all of both with the engine.
    for number, variant in enumerate(variants):
        rule, text = offered[number % len(offered)], TEXTS[number % len(TEXTS)]
        type_words(page, text)
        field(page, "variant").select_option(variant)
        field(page, "rule").select_option(rule)
        trace = bpe.train(text, variant, tie_break=rule, merges=12)
        expect(page).to_have_url(re.compile(f"rule={rule}&variant={variant}&merges=12"))
        for step in (0, len(trace.steps) // 2, len(trace.steps)):
            shows(page, trace, step)


@pytest.mark.slow
def test_another_tied_pair_is_picked_in_the_badge_and_in_the_table_and_each_pick_is_undone(
    open_film: Open,
) -> None:
    page = open_film(film())
    type_words(page, OWN)
    first = bpe.train(OWN, merges=12)
    expect(grid(page)).to_have_attribute("data-tied", "3")
    page.get_by_test_id("pick").first.click()
    picked = bpe.train(OWN, merges=12, picks={0: first.tied_pairs(0)[1]})
    expect(page.get_by_test_id("tie-badge")).to_contain_text("Picked by hand: a + t")
    shows(page, picked, 12)
    shows(page, picked, 0)
    take = page.get_by_test_id("take").last
    page.locator("tr", has=take).last.hover()  # a row offers its pair when one points at it
    take.click()
    again = bpe.train(OWN, merges=12, picks={0: first.tied_pairs(0)[2]})
    expect(page.get_by_test_id("tie-badge")).to_contain_text("Picked by hand: t + </w>")
    shows(page, again, 12)
    field(page, "undo").click()
    expect(field(page, "undo")).to_have_count(0)
    shows(page, first, 12)


@pytest.mark.slow
def test_as_it_was_brings_the_recording_back_and_keeps_what_was_typed(open_film: Open) -> None:
    page = open_film(film(), "#step=2")
    type_words(page, OWN)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your words")
    expect(page).to_have_url(re.compile("#text=the"))
    field(page, "reset").click()
    expect(field(page, "panel")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_text("Words")
    assert (
        grid(page).get_attribute("data-id") == training_feed(bpe.train(RECORDED, merges=12), RECORDED)["id"]
    )
    expect(page).to_have_url(re.compile("#step=0$"))
    field(page, "words").click()
    assert field(page, "text").input_value() == OWN


@pytest.mark.slow
def test_lanes_train_side_by_side_each_with_its_rule(open_film: Open) -> None:
    page = open_film(two_rules())
    type_words(page, OWN)
    traces = [bpe.train(OWN, tie_break=rule, merges=12) for rule in ("first", "pair-max")]
    for number, trace in enumerate(traces):
        shows(page, trace, 5, number)
    field(page, "rule").nth(0).select_option("last")
    shows(page, bpe.train(OWN, tie_break="last", merges=12), 5, 0)
    expect(page).to_have_url(re.compile("rule=last~pair-max&variant=char-eow~char-eow"))
    expect(page.get_by_role("heading", name="Last occurrence")).to_be_visible()
    field(page, "new-text").fill("that hat")
    expect(page.get_by_test_id("token-grid").nth(2)).to_have_attribute("data-text", re.compile("."))
    expect(page.get_by_test_id("token-grid")).to_have_count(4)


@pytest.mark.slow
def test_a_film_of_one_lane_compares_two_rules_on_the_viewer_s_words(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    shows(page, bpe.train(OWN, merges=12), 2)
    field(page, "compare").click()
    for number, rule in enumerate(("first", "last")):
        shows(page, bpe.train(OWN, tie_break=rule, merges=12), 2, number)
    expect(page.get_by_role("heading", name="Last occurrence")).to_be_visible()
    expect(page.get_by_test_id("pair-table")).to_have_count(0)
    expect(page).to_have_url(re.compile("rule=first~last&variant=char-eow~char-eow"))
    other = open_film(film(), "#" + page.url.partition("#")[2])
    shows(other, bpe.train(OWN, tie_break="last", merges=12), 2, 1)
    field(page, "compare").click()
    expect(page.get_by_test_id("token-grid")).to_have_count(1)
    rows = page.get_by_test_id("pair-table").locator("tbody tr")
    expect(rows).to_have_count(len(bpe.train(OWN, merges=12).pair_counts(2)))


@pytest.mark.slow
def test_a_new_text_is_split_with_the_merges_learned_so_far(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    trace = bpe.train(OWN, merges=12)
    shows(page, trace, 4)
    field(page, "new-text").fill("that hat")
    for merges in (4, 2):
        tokens = bpe.train(OWN, merges=merges).tokenizer().encode("that hat")
        shows(page, trace, merges)
        expect(field(page, "new-status")).to_have_text(f"Split with the first {merges} merges.")
        expect(grid(page, 1)).to_have_attribute("data-tokens", str(len(tokens)))
    shows(page, trace, 0)
    expect(field(page, "new-status")).to_contain_text("No merge has been done yet")


STATES = {
    "empty": ("", "The field is empty: type a few words."),
    "nothing to merge": (" \n ", "Nothing is merged: no pairs are left to merge."),
    "too long": ("ab " * 7_000, "At most 20,000 characters here; this text has 21,000 characters"),
}


@pytest.mark.slow
def test_what_cannot_be_trained_is_said_in_a_sentence_and_nothing_typed_is_lost(open_film: Open) -> None:
    page = open_film(film())
    for text, sentence in STATES.values():
        type_words(page, text)
        expect(field(page, "status")).to_contain_text(sentence)
        assert field(page, "text").input_value() == text
    type_words(page, OWN)
    shows(page, bpe.train(OWN, merges=12), 12)


@pytest.mark.slow
def test_a_long_training_shows_its_progress_and_the_next_key_or_stop_ends_it(open_film: Open) -> None:
    page = open_film(film())
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 10})
    page.get_by_test_id("own-words").click()
    field(page, "merges").fill("5000")
    words = " ".join(f"{number * 7919 % 100_003:x}{number:x}" for number in range(1_500))
    field(page, "text").fill(words)
    expect(field(page, "stop")).to_be_visible()
    expect(field(page, "status")).to_contain_text(re.compile("Reading the text|of .* merges"))
    field(page, "stop").click()
    expect(field(page, "status")).to_contain_text("Stopped")
    field(page, "text").fill(words + "a")
    expect(field(page, "stop")).to_be_visible()
    field(page, "text").fill(OWN)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    expect(grid(page)).to_have_attribute("data-steps", str(len(bpe.train(OWN, merges=5_000).steps)))
    expect(field(page, "stop")).to_be_hidden()


def test_a_fixed_film_only_plays_whatever_its_address_says(open_film: Open) -> None:
    page = open_film(film(fixed=True), f"#text={quote(OWN)}&step=3")
    expect(grid(page)).to_have_attribute("data-step", "3")
    expect(grid(page)).to_have_attribute("data-steps", "12")
    expect(page.get_by_test_id("own-words")).to_have_count(0)
