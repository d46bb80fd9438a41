"""Watch in a real browser: from the first screen to a text of one's own, and nothing lost on the way."""

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

import bpe
from bpe import train
from harness.app_server import AppServer
from harness.chromium import close_choice, enter, grid, open_choice, ready, take_row
from tests.browser.conftest import NewPage
from tests.browser.grid_page import WORDS, at, guess, pairs_in_sight, press, show
from tests.waiting import until
from ui.trainings.corpus import from_sample
from ui.trainings.tokenizer_files import published_file

OWN = "low lower lowest slow slower\nslowest low"
SENTENCE = "What about my name, Aleksandra Wojciechowska? I scream for ice cream."
PAPER = bpe.PRESETS["paper"].settings


# The fills of all chips on the page by what they say, and of the shapes in the picture of every way.
FILLS = """() => {
  const fills = {};
  const note = (text, fill) => { if (fill !== 'rgba(0, 0, 0, 0)') (fills[text] ??= new Set()).add(fill); };
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      const { fill, backgroundColor } = getComputedStyle(element);
      if (element.matches('.chip')) note(element.textContent, backgroundColor);
      const text = element.matches('.every-way g') ? element.querySelector(':scope > text') : null;
      const box = text && [...element.querySelectorAll(':scope > rect')].at(-1);
      const tabs = element.querySelectorAll(':scope > path').length;
      if (box && !tabs) note(text.textContent, getComputedStyle(box).fill);
    }
  };
  look(document);
  return Object.fromEntries(Object.entries(fills).map(([text, found]) => [text, [...found].sort()]));
}"""


def choose_source(page: Page, label: str) -> None:
    """Choose another source of the text."""
    open_choice(page, "text")
    page.locator(".st-key-corpus_source").get_by_text(label, exact=True).click()
    expect(page.locator(".st-key-corpus_source").get_by_role("radio", name=label)).to_be_checked()
    ready(page)


def paste(page: Page, text: str) -> None:
    """Paste the text and take it with Ctrl+Enter."""
    choose_source(page, "Your text")
    close_choice(page)
    field = page.locator(".st-key-field_corpus_text textarea")
    field.fill(text)
    field.press("Control+Enter")
    ready(page)


def expect_figures(page: Page, trace: bpe.Trace, step: int) -> None:
    """Expect the core's numbers of tokens in the sentences above the chart."""
    tokens, different = f"{trace.tokens_total(step):,}", f"{trace.in_use(step):,}"
    sentences = page.locator(".st-key-watch_figures")
    expect(sentences).to_contain_text(f"The text has {tokens} tokens there, {different} different ones.")


def go_to(page: Page, step: int) -> None:
    """Move the grid to a step, and wait for everything that follows it."""
    page.get_by_test_id("scrubber").fill(str(step))
    expect(grid(page)).to_have_attribute("data-step", str(step))
    expect(page.locator("[data-testid=pair-table]")).to_have_attribute("data-step", str(step))
    ready(page)


def pairs_shown(page: Page) -> dict[tuple[str, str], int]:
    """Return the pair table's counts, by the texts of its chips."""
    rows = page.locator("[data-testid=pair-table] tbody tr").evaluate_all(
        "rows => rows.map(row => [[...row.querySelectorAll('.pairing > *')].map(chip => chip.textContent),"
        " row.querySelector('.number').textContent])"
    )
    return {(left, right): int(re.sub(r"\D", "", count)) for (left, right), count in rows}


def expect_table_of(page: Page, trace: bpe.Trace, step: int) -> None:
    """Expect the core's counts in the table, and the most frequent of them."""
    label = trace.variant.label
    counts = {(label(left), label(right)): count for (left, right), count in trace.pair_counts(step).items()}
    visible = pairs_shown(page)
    assert visible
    assert {pair: counts.get(pair) for pair in visible} == visible
    assert sorted(visible.values()) == sorted(counts.values())[-len(visible) :]


@pytest.mark.quick
def test_the_first_screen_is_alive(page: Page) -> None:
    """It shows a trained sample before its first merge, a tie of three, and one key advances it."""
    enter(page, "/")
    expect(grid(page)).to_have_attribute("data-step", "0")
    expect(grid(page)).to_have_attribute("data-tied", "3")
    page.keyboard.press("ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "1")


# What a browser does with a text that is pasted on an empty part of the page.
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def test_two_presses_tell_how_many_tokens_gpt_4o_makes_of_a_text(page: Page) -> None:
    """The old picture stays until then. The grid shows the end, and leads to the start."""
    enter(page, "/")
    page.evaluate(PASTE, SENTENCE)
    expect(grid(page)).to_have_attribute("data-text", re.compile("^What about"))
    ready(page)
    page.evaluate(GONE)
    page.get_by_test_id("choice-tokenizer").click()
    page.locator(".st-key-menu_tokenizer").get_by_text("Published", exact=True).click()
    tokenizer = published_file("gpt-4o").tokenizer
    expect(page.get_by_test_id("token-count")).to_have_text(str(len(tokenizer.encode(SENTENCE))))
    line = page.get_by_test_id("token-count-line").locator("[aria-live]")
    expect(line).to_contain_text(f"{len(SENTENCE)} characters")
    expect(page.get_by_test_id("token-count-line")).to_contain_text("GPT-4o")
    steps = str(len(bpe.replay(SENTENCE, tokenizer).steps))
    expect(grid(page)).to_have_attribute("data-step", steps)
    expect(grid(page)).to_have_attribute("data-text", SENTENCE)
    assert not page.evaluate("() => window.gone")
    ready(page)
    close_choice(page)
    expect(page.get_by_test_id("token-count")).to_be_in_viewport()
    page.get_by_test_id("from-start").click()
    expect(grid(page)).to_have_attribute("data-step", "0")
    expect(page.get_by_test_id("from-start")).to_be_disabled()
    expect(page.get_by_test_id("token-count")).to_have_text(str(len(tokenizer.encode(SENTENCE))))
    press(page, "End")
    expect(grid(page)).to_have_attribute("data-step", steps)


# Notes whether the page was without a grid at some moment.
GONE = """() => {
  window.gone = false;
  const look = () => { window.gone ||= !document.querySelector('[class*=st-key-watch_stage]'); };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.quick
def test_paste_play_and_read_the_table(page: Page) -> None:
    """The main task, on a user's text. Every number is the core's."""
    enter(page, "/")
    paste(page, OWN)
    trace = bpe.train(OWN, merges=200, **PAPER)
    expect(grid(page)).to_have_attribute("data-steps", str(len(trace.steps)))
    expect_table_of(page, trace, 0)
    page.locator(".st-key-field_corpus_text textarea").blur()  # else keys would be typed into the field
    page.keyboard.press("Space")
    expect(grid(page)).not_to_have_attribute("data-step", "0")
    page.keyboard.press("Space")
    go_to(page, 5)
    assert grid(page).get_attribute("data-text") == " ".join(OWN.split())
    expect_figures(page, trace, 5)
    expect_table_of(page, trace, 5)


def test_each_text_survives_a_reload_even_before_it_is_taken_and_so_does_what_is_shown_instead(
    page: Page,
) -> None:
    """A text is stored at every keystroke, for each source, also while a sample is shown."""
    enter(page, "/")
    paste(page, OWN)
    field = page.locator(".st-key-field_corpus_text textarea")
    field.press("End")
    page.keyboard.type(" unfinished")
    page.reload()
    ready(page)
    expect(field).to_have_value(re.compile("unfinished"))
    expect(grid(page)).to_have_attribute("data-text", re.compile("unfinished"))
    choose_source(page, "Sample")
    close_choice(page)
    expect(field).to_have_value("")
    page.wait_for_timeout(1_000)  # in which the browser stores what it got
    page.reload()
    ready(page)
    expect(field).to_have_value("")
    expect(grid(page)).not_to_have_attribute("data-text", re.compile("unfinished"))
    choose_source(page, "Word list")
    close_choice(page)
    field.fill("low 5")
    page.keyboard.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", "low")
    page.reload()
    ready(page)
    expect(field).to_have_value("low 5")
    choose_source(page, "Your text")
    expect(field).to_have_value(re.compile("unfinished"))


def test_stop_stops_and_go_on_goes_on(page: Page) -> None:
    """Meanwhile the page shows the merges learned so far."""
    text = " ".join(f"{n * n:x}{n:b}" for n in range(45_000))
    enter(page, "/?corpus_source=upload&preset=none&variant=bytes&tie_break=last&merges=50000")
    open_choice(page, "text")
    page.locator(".st-key-corpus_upload input[type=file]").set_input_files(
        {"name": "long.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    expect(page.get_by_text(re.compile("Learning merges: [1-9]"))).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".st-key-training_stop button").click()
    expect(page.get_by_text(re.compile(r"Stopped after [\d,]+ of 50,000"))).to_be_visible()
    expect(grid(page)).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(re.compile("Learning merges"))).to_be_visible()
    page.locator(".st-key-training_stop button").click()
    expect(page.get_by_text(re.compile("Stopped after"))).to_be_visible()


# How far an element is below the top of the page, wherever the page is scrolled to.
TOP = "it => it.getBoundingClientRect().top + document.querySelector('[data-testid=stMain]').scrollTop"


def test_take_another_pair_and_undo_it(page: Page) -> None:
    """In the pair table, where one points at the row. The link holds the pick, and the grid stays where it is."""
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, "/")
    headline = page.get_by_test_id("headline")
    before = headline.evaluate(TOP)
    step = grid(page).get_attribute("data-step")
    row = page.get_by_test_id("pair-table").locator("tbody tr").nth(1)
    row.hover()
    row.get_by_test_id("take").click()
    undo = page.get_by_role("button", name=f"Undo merge {int(step or 0) + 1}:")
    expect(undo).to_be_visible()
    assert f"picks={step}." in page.url
    ready(page)
    assert abs(headline.evaluate(TOP) - before) < 3
    expect(page.locator("h1")).to_have_count(1)
    expect(grid(page)).to_have_attribute("data-step", str(step))
    expect(grid(page).get_by_test_id("tie-badge")).to_contain_text("You picked ")  # not by the rule
    undo.click()
    expect(undo).to_have_count(0)
    assert "picks" not in page.url


# Logs each frame in which the grid is another element, away, pale, or at another height, and each chip that moves.
FRAMES = """root => {
  const main = document.querySelector('[data-testid=stMain]');
  const card = root.querySelector('.card');
  const opacity = (element) => {
    let seen = 1;
    for (let one = element; one; one = one.parentNode ?? one.host) {
      if (one instanceof Element) seen *= Number(getComputedStyle(one).opacity);
    }
    return seen;
  };
  const now = () => [root.isConnected, card.getBoundingClientRect().top, main.scrollTop, opacity(card)].join(' ');
  const first = now();
  Object.assign(window, { wrong: [], frames: 0, moved: 0, watched: root });
  const look = () => {
    if (window.watched !== root) return; // a test before this one
    window.frames += 1;
    if (now() !== first) window.wrong.push(`${first} -> ${now()}`);
    const chips = root.getAnimations({ subtree: true }).filter(({ effect }) => effect.target.matches('.box'));
    window.moved = Math.max(window.moved, chips.length);
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 720), pytest.param(1024, 768, marks=pytest.mark.weekly)]
)
def test_the_grid_stays_where_it_is_through_every_what_if_and_its_chips_move(
    new_page: NewPage, width: int, height: int
) -> None:
    page = new_page(width=width, height=height)
    enter(page, "/?step=6")
    at(page, 6)
    grid(page).evaluate(FRAMES)
    player = page.get_by_test_id("transport").bounding_box()

    def changed(word: str) -> None:
        """Expect the rows on what changed, and that the grid has neither moved nor gone since the page was opened."""
        expect(page.get_by_test_id("what-if")).to_contain_text(word)
        ready(page)
        expect(grid(page)).to_have_attribute("data-step", "6")
        assert page.evaluate("() => window.wrong") == []
        assert page.get_by_test_id("transport").bounding_box() == player
        rows = page.get_by_test_id("what-if")
        assert rows.evaluate("rows => rows.scrollHeight <= rows.clientHeight"), rows.inner_text()
        box = rows.bounding_box()
        assert box
        assert player
        assert box["y"] + box["height"] <= player["y"]

    open_choice(page, "ties")
    take_row(page, "tie-longest")
    changed("now Longest token: the same tokens at the end, each just as often")
    page.wait_for_function("() => window.moved > 0")
    close_choice(page)

    open_choice(page, "merges")
    merges = page.locator(".st-key-merges input")
    merges.fill("9")
    merges.press("Enter")
    changed("now 9 merges")
    close_choice(page)

    grid(page).get_by_test_id("pick").first.click()
    changed("your pick")
    page.get_by_role("button", name="Undo merge 7").click()
    expect(page.get_by_role("button", name="Undo merge 7")).to_have_count(0)
    changed("before your pick")
    assert page.evaluate("() => window.frames") > 10


# A long text follows the merge: no merge passes unseen.

STORY = train(from_sample("story").training_text, merges=140, variant="bytes-gpt2", tie_break="first")


def is_in_sight(page: Page, pair: str) -> bool:
    return pair in pairs_in_sight(page, group="watch")


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


# Predicting the next merge, by two tokens of the grid or a row of the pair table.


def letter(page: Page, text: str, number: int = 0) -> Locator:
    """Return a letter of the grid: the one of this number, from the top."""
    return page.locator(".viewport .letter", has_text=re.compile(f"^{text}$")).nth(number)


def click(page: Page, *letters: Locator) -> None:
    """Click the chips of these letters, which the pointer reaches through them."""
    for one in letters:
        box = one.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_prediction_by_two_tokens_or_a_row_is_answered(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS, "merges": 6, "pairs": 1})
    answer, score = page.get_by_test_id("answer"), page.get_by_test_id("score")
    predict, panel = page.get_by_test_id("predict"), page.get_by_test_id("prediction")

    # Nothing is asked, and a click on a token shows its merge tree.
    expect(panel).to_be_hidden()
    guess(page)
    expect(predict).to_be_hidden()
    expect(predict).to_have_attribute("aria-pressed", "true")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    expect(answer).to_have_text("Choose two neighbouring tokens, or a row of the pair table.")
    expect(page.locator("td.number").first).to_be_hidden()

    # Right: the tokens fuse at once. The e of newest and lower, and another e.
    click(page, letter(page, "e", 2), letter(page, "s"))
    expect(answer).to_contain_text("Right! e + s occurs 9 times. It ties with 2 other pairs.")
    expect(score).to_have_text("1 of 1 right · streak 1")
    expect(grid(page)).to_have_attribute("data-step", "1")
    expect(grid(page)).to_have_attribute("data-beat", "guess")

    # Tokens of two words have no boundary that a merge could close.
    click(page, page.locator(".viewport .letter").nth(3), letter(page, "l", 1))
    expect(answer).to_contain_text("A merge never crosses the gap between two words.")

    # Tied, by the keyboard from a row of the table; then wrong, by a click.
    row = page.locator("tr[data-left]", has_text="t</w>").first
    row.focus()
    row.press("Enter")
    expect(answer).to_contain_text("Also right: t + </w> ties at 9. “First occurrence” picks es + t: ")
    expect(page.get_by_test_id("tie-badge")).to_be_visible()
    press(page, "Home", "Shift+ArrowRight", "Shift+ArrowRight")
    expect(grid(page)).to_have_attribute("data-step", "2")
    expect(grid(page)).to_have_attribute("data-beat", "guess")
    page.locator("tr[data-left]", has_text="lo").first.click()
    expect(answer).to_contain_text(
        "Not this time. l + o occurs 7 times, but est + </w> occurs 9 times. Look at n e w est </w>."
    )
    expect(score).to_have_text("2 of 3 right · streak 0 · best 2")

    # Ending it brings the merge trees back; the score is kept for the visit.
    page.get_by_test_id("stop-guessing").click()
    press(page, "Home")
    expect(panel).to_be_hidden()
    click(page, letter(page, "e", 2))
    expect(page.locator(".details.pinned")).to_be_visible()
    page.reload()
    at(page, 0)
    guess(page)
    expect(score).to_have_text("2 of 3 right · streak 0 · best 2")


# What each figure lights in the grid at the start of the first sample, as a screen reader is told.
FIGURES = {
    "pair": "e + s: newest 6, widest 3.",
    "tied": "e + s, s + t, t + </w>, 9 times each: newest 18, widest 9.",
    "tokens": "95 tokens: low 20, lower 12, newest 42, widest 21.",
    "vocabulary": "11 different tokens of the vocabulary in the text shown, each lit once.",
    "ties": "7 of 12 merges tie; all are real choices. The boundaries that they close are marked.",
}
# The pixels of the marks over the tokens.
PAINTED = """(root) => {
  const { canvas } = [...globalThis[Symbol.for('merge-by-merge')].groups.get('watch').lanes][0].visibleArea.marks;
  return Array.from(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).join();
}"""


def test_every_figure_lights_what_it_counts_by_focus_pointer_and_press(page: Page) -> None:
    enter(page, "/")
    at(page, 0)
    watch, said = grid(page), grid(page).get_by_test_id("live")
    pictures = {watch.evaluate(PAINTED)}
    for counts, words in FIGURES.items():
        figure = watch.locator(f"[data-counts={counts}]")
        figure.focus()
        expect(watch).to_have_attribute("data-lit", counts)
        expect(said).to_have_text(words)
        pictures.add(watch.evaluate(PAINTED))
        figure.evaluate("(one) => one.blur()")
        expect(watch).to_have_attribute("data-lit", "")
    assert len(pictures) == 1 + len(FIGURES)

    tokens = watch.get_by_role("button", name="95 tokens in the text")
    tokens.hover()
    expect(watch).to_have_attribute("data-lit", "tokens")
    page.mouse.move(2, 2)
    expect(watch).to_have_attribute("data-lit", "")

    # A press lights it until the next one, over steps too; the keys stay the grid's, and the number keeps the focus.
    tokens.click()
    page.mouse.move(2, 2)
    expect(tokens).to_have_attribute("aria-pressed", "true")
    tokens.focus()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    after = watch.get_by_role("button", name="86 tokens in the text")
    expect(after).to_be_focused()
    expect(watch).to_have_attribute("data-lit", "tokens")
    page.keyboard.press("Space")
    expect(after).to_have_attribute("aria-pressed", "false")

    # A row of the pair table lights its places too.
    table = page.get_by_test_id("pair-table")
    expect(table.get_by_title("Point at a row to highlight its pair in the text")).to_have_text("14 pairs")
    table.locator("tbody tr").nth(0).focus()
    page.keyboard.press("ArrowDown")
    expect(watch).to_have_attribute("data-lit", "pair")
    expect(said).to_have_text(re.compile(r"^\S+ \+ \S+: "))
    lit_rows = table.locator("tbody tr.lit")
    watch.locator("[data-counts=pair]").focus()
    expect(lit_rows).to_have_count(1)
    expect(lit_rows).to_have_class(re.compile("chosen"))


def test_all_pairs_open_as_a_table_whose_own_file_is_the_safe_one(page: Page) -> None:
    enter(page, "/?corpus_sample=story&merges=20")
    page.get_by_test_id("all-pairs").click()
    expect(page.get_by_role("dialog").get_by_text(re.compile(r"^[\d,]{3,} pairs\. Press"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)

    # A table that holds all of them does not offer it, and the tab does.
    enter(page, "/")
    expect(page.get_by_test_id("pair-table")).to_contain_text("14 pairs")
    expect(page.get_by_test_id("all-pairs")).to_have_count(0)
    page.get_by_role("tab", name="Pairs").click()
    page.locator(".st-key-whole_pairs button").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_text("14 pairs. Press")).to_be_visible()
    page.get_by_test_id("stDataFrame").hover()
    tools = page.get_by_test_id("stElementToolbar")
    expect(tools.get_by_label("Search")).to_be_visible()
    expect(tools.get_by_label("Download as CSV")).to_be_hidden()
    field = page.get_by_label("Find pairs with")
    field.fill("st")
    field.press("Enter")
    expect(page.get_by_text("1 of 14 pairs.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)


def test_the_code_follows_the_beats_and_its_values_light_what_they_count(page: Page) -> None:
    enter(page, "/")
    at(page, 0)
    table = page.get_by_test_id("pair-table")
    code, rows = table.get_by_test_id("code"), table.locator("tbody")
    expect(code).to_be_hidden()
    press(page, "c")
    expect(code).to_be_visible()
    expect(rows).to_be_hidden()
    expect(code.locator("li.on code")).to_have_text(["while len(merges) < most:"])
    counting = code.locator("li .firsts")
    expect(counting).to_contain_text("14 pairs")
    expect(counting.locator(".figure")).to_have_text(["es9", "st9", re.compile("^t.*9$")])
    expect(code.locator("[data-beat=split] code")).to_have_text("frequencies = Counter(text.split())")
    expect(code.locator("[data-beat=spell] code")).to_contain_text("words = {(*word, MARK): n for word")

    choice = code.locator("li.tied")
    expect(choice.locator("code")).to_have_text("best = max(counts, key=counts.get)")
    expect(choice).to_contain_text(
        "3 pairs have 9. This line decides the tie and takes e + s: it comes first"
    )
    names = {
        "3 pairs": "tied",
        "s + t, 9 times": "pair",
        "t + </w>, 9 times": "pair",
        "9 places": "merge",
    }
    for name, lit in names.items():
        code.get_by_role("button", name=name).focus()
        expect(grid(page)).to_have_attribute("data-lit", lit)
    choice.get_by_role("button", name="e + s, 9 times").focus()
    expect(grid(page)).to_have_attribute("data-lit", "merge")

    # A line says what it does; arrow keys go from one to the next.
    code.locator("li").nth(0).focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(code.locator(".note")).to_have_text("Count from the start: no pair has been seen yet.")

    press(page, "p")
    found: list[str] = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(RESTS_AT_A_BEAT)
        beats = code.locator("li.on").evaluate_all("all => all.map((one) => one.dataset.beat)")
        found += list(dict.fromkeys(beats))
        if beats[0] == "count":
            expect(code.locator("li.on .figure")).to_have_count(3)
        if beats[0] == "settle":
            expect(code.locator("li.on .chip")).to_have_text(["e", "s"])
            code.get_by_role("button", name="e + s, the newest merge").focus()
            expect(grid(page)).to_have_attribute("data-lit", "merge")
    assert found == ["count", "select", "settle", "rest"]
    press(page, "Escape")
    press(page, "c")
    expect(code).to_be_hidden()
    expect(rows).to_be_visible()


RESTS_AT_A_BEAT = """() => {
  const { playing, beat } = globalThis[Symbol.for('merge-by-merge')].groups.get('watch').playhead;
  return !playing && beat !== 'fuse';
}"""


def test_another_rule_has_another_line(page: Page) -> None:
    enter(page, "/?preset=custom&variant=char-eow&tie_break=pair-max")
    at(page, 0)
    page.get_by_test_id("pair-table").get_by_role("button", name="Code").click()
    choice = page.get_by_test_id("code").locator("li.tied")
    expect(choice.locator("code")).to_contain_text(
        "(counts[pair], spelled(pair[0]), spelled(pair[1]), pair))"
    )
    expect(choice).to_contain_text("takes t + </w>")

    # The panel is too low for all lines: it scrolls to the one that another rule has changed.
    code = page.get_by_test_id("code")
    code.evaluate("(panel) => void (panel.scrollTop = 0)")
    assert not is_whole(choice)
    open_choice(page, "ties")
    take_row(page, "tie-longest")
    expect(choice.locator("code")).to_contain_text("-size[pair]")
    close_choice(page)
    until(lambda: is_whole(choice), "the line in sight")


def is_whole(line: Locator) -> bool:
    """Return whether nothing of a line is above or below the panel that it is in."""
    return bool(
        line.evaluate(
            """(row) => {
              const [line, panel] = [row, row.closest('.code')].map((one) => one.getBoundingClientRect());
              return line.top >= panel.top - 1 && line.bottom <= panel.bottom + 1;
            }"""
        )
    )


def test_the_answer_of_a_published_tokenizer_leaves_no_hole_and_the_way_on_is_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    enter(page, "/?recipe_source=published&published=gpt-2")
    way = page.get_by_role("button", name=re.compile("^See it under all "))
    box = way.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 800
    headline = grid(page).get_by_test_id("headline").bounding_box()
    assert headline
    assert headline["height"] < 60  # a line, without the room of a tie


def test_a_token_keeps_its_colour_under_every_rule_and_beside_the_menu_of_rules(page: Page) -> None:
    enter(page, "/?step=2")
    seen: dict[str, set[str]] = {}
    for rule in ("first", "last", "longest"):
        open_choice(page, "ties")
        take_row(page, f"tie-{rule}")
        for text, found in page.evaluate(FILLS).items():
            seen.setdefault(text, set()).update(found)
        close_choice(page)
    assert {"es", "st", "est", "low", "e", "w"} <= seen.keys()
    assert {text: found for text, found in seen.items() if len(found) > 1} == {}
