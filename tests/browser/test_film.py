"""A film file in Chromium, opened from disk: it plays, asks for nothing, and follows its address."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

import bpe
from bpe import END_OF_WORD
from film.html_page import EMBED_HEIGHT, embeds_of
from film.page import FilmLane, FilmOptions, film_page, lanes_page
from film.training_feed import training_feed
from harness.chromium import grid, take_away, visit
from tests.browser.conftest import Open
from tests.browser.readable import has_ink, not_on_top, on_stage
from tests.browser.stage_walk import FASTER
from tests.ui.lessons.lesson_checks import trained as trained_lesson
from tests.waiting import until
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.glossary import uses
from ui.page_parts.lessons.lesson_film import lesson_film
from ui.page_parts.lessons.moving_numbers import has_numbers

SNIPPETS = {embed.name: embed.code for embed in embeds_of()}
WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
# The tokens that a lesson's grid highlights, and whether it rests.
LIT = "() => [...globalThis[Symbol.for('merge-by-merge')].groups.get('film').lanes][0].lit.tokens"
RESTS = """() => {
  const { playing, beat } = globalThis[Symbol.for('merge-by-merge')].groups.get('film').playhead;
  return !playing && (beat === 'rest' || beat === 'guess');
}"""
HOSTILE = "</script><img src=x onerror=alert(1)> low <b>low</b> lower"


def trained(text: str | dict[str, int] = WORDS, merges: int = 12) -> str:
    return film_page(bpe.train(text, merges=merges), text, FilmOptions(title="Words", step=1))


@pytest.mark.quick
def test_a_film_plays_from_disk_and_shows_what_the_engine_computed(open_film: Open) -> None:
    trace = bpe.train(WORDS, merges=12)
    page = open_film(trained())
    root = grid(page)
    expect(root).to_have_attribute("data-step", "1")
    page.keyboard.press("End")
    expect(root).to_have_attribute("data-step", "12")
    tokens = sum(len(word) for word, _ in trace.words_at(12))
    expect(root).to_have_attribute("data-tokens", str(tokens))
    page.keyboard.press("Home")
    expect(page.get_by_test_id("pair-table").locator("tbody tr")).to_have_count(len(trace.pair_counts(0)))
    root.locator("[data-counts=pair]").focus()
    expect(root).to_have_attribute("data-lit", "pair")
    expect(root.get_by_test_id("live")).to_have_text("e + s: newest 6, widest 3.")
    page.evaluate("() => document.activeElement.blur()")
    expect(page.get_by_test_id("pair-table")).to_have_attribute("data-step", "0")
    assert page.url.endswith("#step=0")
    view, play = page.locator(".view").bounding_box(), page.locator(".button.play").bounding_box()
    slider = page.get_by_test_id("scrubber").bounding_box()
    assert view
    assert play
    assert slider
    assert view["y"] < play["y"] + play["height"]  # the controls are in one row
    assert slider["width"] >= 200
    # Only the picture of every way may be below.
    assert slider["y"] + slider["height"] <= page.evaluate("innerHeight")
    assert grid(page).get_by_test_id("viewport").evaluate("(one) => one.scrollHeight <= one.clientHeight")


def test_a_film_shows_the_code_and_another_rule_another_line(open_film: Open) -> None:
    page = open_film(trained())
    expect(page.get_by_role("button", name="Code", exact=True)).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("c")
    code = page.get_by_test_id("code")
    expect(code).to_be_visible()
    expect(code.locator("li.tied code")).to_have_text("best = max(counts, key=counts.get)")
    page.get_by_role("button", name="Your words").click()
    page.get_by_test_id("own-rule").first.select_option("last")
    expect(code.locator("li.tied code")).to_have_text("best = max(reversed(seen), key=counts.get)")
    expect(code.locator("li code")).to_contain_text(["seen = [pair for word in words"])
    # After the last merge, the line is lit that ended the training.
    page.get_by_test_id("own-merges").first.fill("99")
    page.keyboard.press("Enter")
    expect(grid(page).get_by_test_id("scrubber")).to_have_attribute("max", "15")
    page.get_by_test_id("scrubber").press("End")
    expect(code.locator("li.on code")).to_have_text("if not counts:")
    # Another variant has other lines before the loop, and no marker to spell out.
    page.get_by_test_id("own-rule").first.select_option("pair-max")
    expect(code.locator("li.tied code")).to_contain_text("spelled(pair[0])")
    page.get_by_test_id("own-variant").first.select_option("bytes-gpt2")
    expect(code.locator("[data-beat=split] code")).to_have_text(
        "frequencies = Counter(regex.findall(PATTERN, text))"
    )
    expect(code.locator("li.tied code")).to_have_text(
        "best = max(counts, key=lambda pair: (counts[pair], pair))"
    )


def test_the_curve_says_how_many_tokens_each_lane_has_and_a_press_on_it_leads_there(open_film: Open) -> None:
    traces = [bpe.train(WORDS, merges=12, tie_break=rule) for rule in ("first", "last")]
    page = open_film(
        lanes_page([FilmLane(training_feed(trace, WORDS), str(at)) for at, trace in enumerate(traces)])
    )
    curve = page.get_by_test_id("token-curve")
    plot = curve.locator(".plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    for step in (0, 3, 12):
        page.mouse.click(box["x"] + min(step / 12 * box["width"], box["width"] - 1), box["y"] + 20)
        for lane in (0, 1):
            expect(grid(page, lane)).to_have_attribute("data-step", str(step))
        expect(curve.locator("figcaption")).to_contain_text(f"Tokens in the text after {step} merges")
        for at, trace in enumerate(traces):
            tokens = sum(len(word) * times for word, times in trace.words_at(step))
            expect(curve.locator(".line").nth(at)).to_have_text(f"{at} {tokens}")
    # Pointing at a place shows the numbers there, and nothing moves.
    page.mouse.move(box["x"] + 3 / 12 * box["width"], box["y"] + 20)
    expect(curve.locator("figcaption")).to_contain_text("Tokens in the text after 3 merges")
    expect(grid(page)).to_have_attribute("data-step", "12")
    page.mouse.move(box["x"], box["y"] - 200)
    expect(curve.locator("figcaption")).to_contain_text("Tokens in the text after 12 merges")
    # Each line begins at the top and ends where its last number is.
    most = sum(len(word) * times for word, times in traces[0].words_at(0))
    for at, trace in enumerate(traces):
        corners = (curve.locator("path").nth(at).get_attribute("d") or "").removeprefix("M").split("L")
        tokens = sum(len(word) * times for word, times in trace.words_at(12))
        assert len(corners) == 13
        assert corners[0] == "0.0000 0.0000"
        assert corners[-1] == f"1.0000 {1 - tokens / most:.4f}"


@pytest.mark.parametrize(("address", "step"), [("#step=7", 7), ("#step=abc", 1), ("#step=999", 12)])
def test_the_address_says_where_to_begin(address: str, step: int, open_film: Open) -> None:
    expect(grid(open_film(trained(), address))).to_have_attribute("data-step", str(step))


def test_a_range_plays_once_and_rests_at_its_end(open_film: Open) -> None:
    page = open_film(trained(), "#from=2&to=4&play=1")
    expect(grid(page)).to_have_attribute("data-step", "4")
    expect(grid(page)).to_have_attribute("data-playing", "false")


def test_a_lesson_s_film_ends_with_the_code_and_its_values(open_film: Open) -> None:
    lesson = lessons()["count-merge-repeat"]
    trace = trained_lesson(lesson.slug, lesson.recipe)
    page = open_film(lesson_film(lesson, trace, lesson.beats[0]), f"#beat={len(lesson.beats)}")
    listing = page.get_by_test_id("listing")
    step = trace.steps[lesson.beats[-1].step - 1]  # the merge that has just been made
    chips = "".join(map(trace.variant.label, step.pair))
    expect(listing.locator(".firsts .figure").first).to_have_text(f"{chips}{step.count}")
    expect(listing.locator("li.tied")).to_have_count(0)  # the lesson has not said what a tie is
    expect(listing.get_by_role("button", name="Code")).to_be_hidden()
    page.get_by_role("button", name="Back").click()
    expect(listing).to_have_count(0)


def test_the_first_lesson_shows_what_it_says(open_film: Open) -> None:
    lesson = lessons()["why-subwords"]
    page = open_film(lesson_film(lesson, trained_lesson(lesson.slug, lesson.recipe), lesson.beats[0]))
    page.keyboard.press("p")
    subject = page.get_by_test_id("lesson-subject")
    expect(subject.locator(".chip")).to_have_text(list(lesson.corpus.frequencies or ()))
    for _ in range(2):
        page.keyboard.press("PageDown")
    expect(grid(page)).to_have_attribute("data-step", "5")
    expect(page.get_by_test_id("headline")).to_be_hidden()
    assert on_stage(page).ties == []
    trace = trained_lesson(lesson.slug, lesson.recipe)
    assert page.evaluate(LIT) == [trace.id_of(token) for token in (b"er" + END_OF_WORD, b"est" + END_OF_WORD)]
    page.keyboard.press("Shift+PageDown")  # the viewer goes on alone
    expect(page.get_by_test_id("headline")).to_be_visible()


def test_a_number_of_a_lesson_s_film_is_dragged_and_the_grid_goes_along(open_film: Open) -> None:
    lesson = lessons()["a-lottery"]
    at = next(number for number, beat in enumerate(lesson.beats) if has_numbers(beat.say))
    trace = trained_lesson(lesson.slug, lesson.recipe)
    page = open_film(lesson_film(lesson, trace, lesson.beats[at]))
    number = page.get_by_test_id("lesson").first.get_by_role("slider")
    number.press("Home")
    for step in (0, 1, 2):
        expect(grid(page)).to_have_attribute("data-step", str(step))
        longest = max((b" ", *(left + right for left, right in trace.merges[:step])), key=len)
        if step:
            expect(page.locator(".moving .chip")).to_have_text(trace.variant.label(longest))
        number.press("ArrowRight")
    expect(page.get_by_test_id("lesson").first).to_have_attribute("data-beat", str(at))


@pytest.mark.parametrize(
    "walked", [2, pytest.param(99, marks=pytest.mark.weekly)], ids=["the first lessons", "all"]
)
def test_every_beat_of_the_way_shows_a_picture_and_nothing_that_nobody_has_introduced(
    open_film: Open, tmp_path: Path, walked: int
) -> None:
    """The first lessons introduce most of the words."""
    known: set[str] = set()
    faults: list[str] = []
    way = [lesson for lesson in lessons().values() if lesson.number]
    assert [lesson.number for lesson in way] == [*range(1, len(way) + 1)]
    page = open_film("<!doctype html>")
    card = page.get_by_test_id("lesson").first
    for lesson in way[:walked]:
        film = lesson_film(lesson, trained_lesson(lesson.slug, lesson.recipe), lesson.beats[0])
        (tmp_path / "film.html").write_text(film, "utf-8")
        page.goto((tmp_path / "film.html").as_uri())
        expect(page).to_have_title(lesson.title)
        expect(card).to_have_attribute("data-beat", "0")
        page.keyboard.press("p")
        expect(card).to_have_class(re.compile("presenting"))
        for key in FASTER:
            page.keyboard.press(key)
        known |= uses(f"{lesson.title} {lesson.learn}")
        for number, beat in enumerate(lesson.beats):
            text = f"{beat.say} {beat.question} {beat.answer}"
            known |= uses(text)
            for answered in ("false", "true") if beat.question else ("true",):
                expect(card).to_have_attribute("data-beat", str(number))
                expect(card).to_have_attribute("data-answered", answered)
                page.wait_for_function(RESTS)
                stage, where = on_stage(page), f"{lesson.slug}, beat {number}"
                until(lambda: has_ink(page), f"a picture at {where}")
                faults += [f"{where}: {covered} is covered" for covered in not_on_top(page)]
                faults += [f"{where}: {term}" for term in uses(" | ".join(stage.texts)) - known]
                faults += [f"{where}: {shown}" for shown in stage.ties if "tie" not in known]
                if beat.stage == "grid" and beat.show not in ("pair", "tie") and stage.merge:
                    faults.append(f"{where}: the next merge {stage.merge}, of which the text says nothing")
                page.keyboard.press("PageDown")
            if beat.stage == "encoding" and card.get_attribute("data-beat") == str(number):
                page.wait_for_function(RESTS)  # a key while it plays shows its end
                page.keyboard.press("PageDown")
        page.keyboard.press("Escape")
    assert faults == []


@pytest.mark.weekly
def test_the_snippets_on_the_page_embed_a_film_that_is_alive(open_film: Open, tmp_path: Path) -> None:
    (tmp_path / "film.html").write_text(trained(), "utf-8")
    quarto = SNIPPETS["Quarto"].removeprefix("```{=html}\n").removesuffix("\n```")
    # reveal.js makes a frame of this address, for the slide that is on the screen.
    (address,) = re.findall(
        r'data-background-iframe="([^"]+)"\s+data-background-interactive', SNIPPETS["reveal.js"]
    )
    slide = f'<iframe src="{address}" width="100%" height="{EMBED_HEIGHT}"></iframe>'
    page = open_film("<!doctype html>" + SNIPPETS["Web page"] + quarto + slide, name="slides.html")
    grids = [page.frame_locator("iframe").nth(at).get_by_test_id("token-grid") for at in range(3)]
    expect(grids[0]).to_have_attribute("data-step", "0")
    expect(grids[1]).to_have_attribute("data-step", "9")
    expect(grids[1]).to_have_attribute("data-playing", "false")
    page.locator("iframe").nth(2).scroll_into_view_if_needed()  # it plays once it can be seen
    expect(grids[2]).to_have_attribute("data-step", re.compile("[2-9]|1."))
    assert page.locator("iframe").first.get_attribute("height") == str(EMBED_HEIGHT)


def test_a_film_of_a_part_of_its_text_says_why_it_has_no_pair_table(open_film: Open) -> None:
    text = "low lower newest widest " * 900 + "other words"
    page = open_film(film_page(bpe.train(text, merges=5), text))
    expect(page.get_by_test_id("no-table")).to_contain_text("this film holds only a part of it")
    expect(page.get_by_test_id("pair-table")).to_have_count(0)


def test_a_film_of_a_finished_tokenizer_has_no_table_of_pairs_that_it_never_merges(open_film: Open) -> None:
    trace = bpe.replay("low lower", bpe.train("low lowest", merges=4).tokenizer())
    page = open_film(film_page(trace, "low lower"))
    expect(page.get_by_test_id("no-table")).to_contain_text("merges in the order of its list")
    expect(page.get_by_test_id("pair-table")).to_have_count(0)
    assert page.locator(".scrub.tied").count() == 0


@pytest.mark.parametrize(("theme", "width"), [("light", 390), ("dark", 1280)])
def test_a_film_fits_the_window_in_both_themes(
    theme: Literal["light", "dark"], width: int, open_film: Open
) -> None:
    page = open_film(
        film_page(bpe.train(HOSTILE, merges=9), HOSTILE, FilmOptions(title=HOSTILE)), width=width, theme=theme
    )
    expect(grid(page)).to_have_attribute("data-theme", theme)
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_test_id("theme").click()
    expect(grid(page)).to_have_attribute("data-theme", "dark" if theme == "light" else "light")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    page.emulate_media(media="print")  # a still: what is drawn, without what is pressed
    for control in ("theme", "transport"):
        expect(page.get_by_test_id(control)).to_be_hidden()
    for content in ("headline", "viewport"):
        expect(page.get_by_test_id(content)).to_be_visible()


def test_a_short_text_is_whole_above_the_picture_of_every_way(open_film: Open) -> None:
    text = "low lower newest widest"
    page = open_film(film_page(bpe.train(text), text))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    expect(page.locator(".ways")).to_be_visible()
    viewport = page.get_by_test_id("viewport")
    cut = "(it) => it.scrollHeight - it.clientHeight"
    until(lambda: viewport.evaluate(cut) <= 0, "the text is not cut")


def test_a_short_film_is_one_sheet_of_paper_with_the_whole_picture_and_no_buttons(open_film: Open) -> None:
    trace = bpe.train("banana", "char-eow", merges=12)
    page = open_film(film_page(trace, "banana", FilmOptions(title="banana")))
    expect(page.get_by_test_id("every-way").locator("svg").first).to_be_visible()
    sheets = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page[^s]", sheets)) == 1
    page.emulate_media(media="print")
    assert (
        page.locator("button:not(.figure):visible, select:visible, textarea:visible").all_inner_texts() == []
    )
    for element in page.get_by_test_id("every-way").locator(".scroll, .scroll > svg").all():
        style = element.evaluate(
            "(part) => [getComputedStyle(part).overflow, getComputedStyle(part).maxWidth]"
        )
        assert style in (["visible", "none"], ["hidden", "100%"]), style  # it is as wide as the sheet


def test_a_trace_shows_itself_in_a_notebook_s_frame_and_trains_there(open_film: Open) -> None:
    trace = bpe.train(WORDS | {"</iframe><b>low</b>": 1}, merges=12)
    page = open_film(f"<!doctype html><title>notebook</title>{trace._repr_html_()}")
    frame = page.frame_locator("iframe")
    root = frame.get_by_test_id("token-grid").first
    expect(root).to_have_attribute("data-step", "0")
    expect(frame.get_by_test_id("pair-table").locator("tbody tr").first).to_be_visible()
    root.get_by_test_id("viewport").press("End")
    expect(root).to_have_attribute("data-step", "12")
    tokens = sum(len(word) for word, _ in trace.words_at(12))
    expect(root).to_have_attribute("data-tokens", str(tokens))
    root.get_by_test_id("viewport").press("Home")
    frame.get_by_test_id("own-words").click()
    frame.get_by_test_id("own-text").fill("the cat sat on the mat")
    own = bpe.train("the cat sat on the mat", merges=12)
    expect(root).to_have_attribute("data-tokens", str(own.tokens_total(0)))
    for name in ("own-link", "own-embed", "own-save", "pictures"):  # which it cannot do
        expect(frame.get_by_test_id(name)).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "lanes", "captions"), [("/", 1, False), ("/compare", 2, False), ("/lessons", 1, True)]
)
def test_a_page_saves_what_it_plays_as_a_film(
    address: str, lanes: int, captions: bool, shared_page: Page, open_film: Open, tmp_path: Path
) -> None:
    page = shared_page
    visit(page, address)
    take_away(page, "Film")
    with page.expect_download() as download:
        page.locator(".st-key-save_film button").click()
    assert download.value.suggested_filename == "film.html"
    download.value.save_as(tmp_path / "saved.html")
    film = open_film((tmp_path / "saved.html").read_text("utf-8"))
    expect(film.get_by_test_id("token-grid")).to_have_count(lanes)
    step = grid(film).get_attribute("data-step")
    assert step == grid(page).get_attribute("data-step")
    if captions:
        expect(film.get_by_test_id("lesson")).to_be_visible()
    film.keyboard.press("End")
    expect(grid(film)).to_have_attribute("data-step", grid(film).get_attribute("data-steps") or "")
