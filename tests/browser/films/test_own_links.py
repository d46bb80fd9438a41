"""What goes out from the viewer's own words in a film: links, code, files, pictures; and the frames that it is in."""

import re
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import bpe
from film.page import trace_frame
from tests.browser.chromium import grid
from tests.browser.films.conftest import Open
from tests.browser.films.own_words_page import OWN, RECORDED, field, film, shows, two_rules, type_words

HOSTILE = "</script><img src=x onerror=alert(1)> low <b>low</b>"
LINKED = {"short": OWN, "long and hostile": HOSTILE * 20}


@pytest.mark.slow
@pytest.mark.parametrize("text", LINKED.values(), ids=LINKED)
def test_a_link_leads_to_the_same_words_rule_variant_pick_and_step(
    text: str, open_film: Open, tmp_path: Path
) -> None:
    page = open_film(film())
    type_words(page, text)
    field(page, "variant").select_option("bytes-gpt2")
    field(page, "rule").select_option("last")
    trace = bpe.train(text, "bytes-gpt2", tie_break="last", merges=12)
    shows(page, trace, 0)
    take = page.get_by_test_id("take").first
    page.locator("tr", has=take).first.hover()  # a row offers its pair when one points at it
    take.click()
    expect(field(page, "undo")).to_have_count(1)
    page.get_by_test_id("jump").fill("3")
    page.get_by_test_id("jump").press("Enter")
    expect(grid(page)).to_have_attribute("data-step", "3")
    field(page, "link").click()
    expect(field(page, "copied")).to_have_value(re.compile("#"))
    link = field(page, "copied").input_value()
    assert (quote("the cat").replace("%20", "+") in link) == (text == OWN)
    facts = [grid(page).get_attribute(name) for name in ("data-id", "data-step", "data-text", "data-tokens")]
    other = open_film(film(), link.partition(".html")[2])
    for name, fact in zip(("data-id", "data-step", "data-text", "data-tokens"), facts, strict=True):
        expect(grid(other)).to_have_attribute(name, fact or "")
    assert field(other, "text").input_value() == text
    assert other.locator("img").count() == 0


@pytest.mark.slow
def test_a_film_of_ones_own_words_is_saved_and_opens_alone(open_film: Open, tmp_path: Path) -> None:
    page = open_film(film())
    type_words(page, HOSTILE)
    field(page, "rule").select_option("last")
    trace = bpe.train(HOSTILE, tie_break="last", merges=12)
    shows(page, trace, 4)
    with page.expect_download() as download:
        field(page, "save").click()
    download.value.save_as(tmp_path / "saved.html")
    saved = open_film((tmp_path / "saved.html").read_text("utf-8"))
    shows(saved, trace, 4)
    assert field(saved, "panel").is_hidden()
    saved.get_by_test_id("own-words").click()
    assert field(saved, "text").input_value() == HOSTILE
    shows(saved, trace, 12)


@pytest.mark.slow
def test_a_notebook_s_frame_trains_too_and_offers_nothing_that_it_cannot_do(open_film: Open) -> None:
    html = trace_frame(bpe.train(RECORDED, merges=3))
    page = open_film(f"<!doctype html><title>notebook</title>{html}")
    inside = page.frame_locator("iframe")
    inside.get_by_test_id("own-words").click()
    inside.get_by_test_id("own-text").fill(OWN)
    root = inside.get_by_test_id("token-grid").first
    expect(root).to_have_attribute("data-tokens", str(bpe.train(OWN, merges=3).tokens_total(0)))
    for name in ("own-link", "own-embed", "own-save", "pictures"):
        expect(inside.get_by_test_id(name)).to_have_count(0)


@pytest.mark.slow
def test_a_link_that_was_cut_or_damaged_says_so_and_keeps_what_can_be_kept(open_film: Open) -> None:
    page = open_film(film())
    text = " ".join(str(number * 7919) for number in range(200))
    type_words(page, text)
    field(page, "rule").select_option("last")
    field(page, "link").click()
    expect(field(page, "copied")).to_have_value(re.compile("#packed="))
    hash_of = field(page, "copied").input_value().partition(".html")[2]
    cut = open_film(film(), hash_of[: hash_of.index("&") // 2])
    expect(field(cut, "status")).to_contain_text("cut or damaged: this is only the beginning of its text.")
    beginning = field(cut, "text").input_value()
    assert text.startswith(beginning)
    assert len(beginning) > 50
    damaged = open_film(film(), "#packed=%%%" + hash_of[hash_of.index("&") :])
    expect(field(damaged, "status")).to_contain_text(
        "its text cannot be read, and these are the page's own words."
    )
    expect(field(damaged, "rule")).to_have_value("last")
    short = open_film(film(), "#text=low+lo")
    expect(field(short, "status")).to_contain_text("The end of the link is missing")


@pytest.mark.slow
def test_an_embedded_film_plays_the_words_of_its_address_without_the_panel(open_film: Open) -> None:
    page = open_film(film())
    type_words(page, OWN)
    field(page, "embed").click()
    expect(field(page, "copied")).to_have_value(re.compile("iframe"))
    code = field(page, "copied").input_value()
    assert code.startswith('<iframe src="file://')
    slides = open_film(f"<!doctype html>{code}", name="slides.html")
    inside = slides.frame_locator("iframe")
    expect(inside.get_by_test_id("token-grid")).to_have_attribute(
        "data-tokens", str(bpe.train(OWN, merges=12).tokens_total(0))
    )
    expect(inside.get_by_test_id("own-panel")).to_be_hidden()


@pytest.mark.slow
def test_a_picture_of_ones_own_words_is_saved(open_film: Open, tmp_path: Path) -> None:
    page = open_film(film())
    type_words(page, OWN)
    field(page, "merges").fill("2")
    page.get_by_test_id("pictures").locator("summary").click()
    for name, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("GIF", b"GIF89a")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save {name}").click()
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert ">c<" in (tmp_path / "SVG").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_panel_fits_a_phone_in_both_themes(theme: Literal["light", "dark"], open_film: Open) -> None:
    page = open_film(two_rules(), width=390, theme=theme)
    type_words(page, "a" * 300 + " " + OWN)
    field(page, "new-text").fill("that hat")
    field(page, "link").click()
    expect(grid(page, 2)).to_have_attribute("data-theme", theme)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
