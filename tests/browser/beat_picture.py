"""What the stage of a beat must show: what the text of the beat names."""

import json
from collections.abc import Iterator
from itertools import pairwise

from playwright.sync_api import Locator, Page, expect

import bpe
from bpe import Trace
from tests.browser.grid_page import pairs_in_sight
from tests.ui.lessons.lesson_checks import SUBJECTS, subject_of, token_rows, trained
from ui.page_parts.lessons.evidence import models
from ui.page_parts.lessons.lesson import Beat, Lesson, named_pairs
from ui.page_parts.lessons.stages import BeatContent, _feed_of_encoding, _spelled

# The texts of the elements of a selector that are visible, as chips write them.
TEXTS = """(root, [selector]) => [...root.querySelectorAll(selector)]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => element.textContent.trim())"""
SUBJECT, ROWS, TABLE = (
    f"[data-testid={name}]" for name in ("lesson-subject", "aligned-rows", "models-table")
)
WAYS = "[data-testid=every-way]"
GRID = "[data-testid=token-grid]"
# The lesson's group has no other grid than one of this family.
HAS_FAMILY = """(family) => {
  const lanes = [...(globalThis[Symbol.for('merge-by-merge')]?.groups.get('lesson')?.lanes ?? [])];
  return lanes.length > 0 && lanes.every(({ model }) => model.feed.family === family);
}"""
# Stage -> the element that fills it.
PRESENTED = {
    "grid": f"{GRID}.presenting",
    "compare": "[data-testid=lane-stage].presenting",
    "bytes": f"{ROWS}.presenting",
    "models": f"{TABLE}.presenting",
    "every-way": f"{WAYS}.presenting",
    "code": "[data-testid=listing].presenting",
    **dict.fromkeys(SUBJECTS, f"{SUBJECT}.presenting"),
}


def wait_for_stage(page: Page, lesson: Lesson, beat: Beat) -> None:
    """Wait until the stage is that of a beat: the page asks its server for it a moment after the card has turned."""
    if beat.stage == "encoding":
        feed = _feed_of_encoding(lesson, trained(lesson.slug, lesson.recipe), beat)
        page.wait_for_function(HAS_FAMILY, arg=feed["family"])  # the beat before may encode the same text
        expect(encoding_grid(page, beat)).to_have_count(1)
        return
    stage = page.locator(f"{PRESENTED[beat.stage]}:visible").first
    if beat.stage in SUBJECTS:
        content = BeatContent(lesson, trained(lesson.slug, lesson.recipe), beat)
        expect(stage.locator(".title").first).to_have_text(subject_of(content)["title"])
    else:
        expect(stage).to_be_visible()
        expect(page.locator(GRID).first).to_have_attribute("data-step", str(beat.step))


def encoding_grid(page: Page, beat: Beat) -> Locator:
    """Return the grid of a beat's new text. Another one may still be on the page, out of sight, until a run ends."""
    text = json.dumps(beat.encode, ensure_ascii=False)
    return page.locator(f"{GRID}.presenting[data-text={text}]:visible")


def lacks(page: Page, lesson: Lesson, beat: Beat) -> Iterator[str]:
    """Yield what the stage of an answered beat should show and does not."""
    trace = trained(lesson.slug, lesson.recipe)
    content = BeatContent(lesson, trace, beat)
    if beat.stage in SUBJECTS:
        yield from _lacks_of_subject(page, content)
    elif beat.stage == "bytes":
        cells = _spelled(lesson, trace, beat)[-1].cells
        if len(_texts(page, ROWS, "[data-row=tokens] .cell")) != len(cells):
            yield f"{len(cells)} tokens in the lowest row"
    elif beat.stage == "models":
        rows = _texts(page, TABLE, "tr.marked")
        names = [model.name for model in models().values() if model.slug in beat.shown["models"]]
        yield from (name for name in names if not any(row.startswith(name) for row in rows))
    elif beat.stage == "every-way":
        ways = beat.shown["ways"]
        picture = page.locator(WAYS).first
        expect(picture).to_have_attribute("data-unfolded", str(ways.end), timeout=15_000)
        dots = len(_texts(page, WAYS, "[data-testid=way-dot]"))
        if dots != max(1, len(ways.rules)):
            yield f"a dot for each of {len(ways.rules)} rules, of which {dots} are visible"
    elif beat.stage == "encoding":
        root = encoding_grid(page, beat)
        tokens = str(len(content.tokenizer.tokens(beat.encode, content.encoder)))
        if root.count() != 1 or root.get_attribute("data-tokens") != tokens:
            yield f"{beat.encode} in {tokens} tokens"
    else:
        yield from _lacks_of_grids(page, content)


def _texts(page: Page, host: str, selector: str) -> list[str]:
    texts: list[str] = page.locator(host).first.evaluate(TEXTS, [selector])
    return texts


def _lacks_of_subject(page: Page, content: BeatContent) -> Iterator[str]:
    subject = subject_of(content)
    if "chart" in subject:
        names = _texts(page, SUBJECT, "figcaption span")
        yield from (line["name"] for line in subject["chart"]["lines"] if line["name"] not in names)
        return
    if "ticks" in subject:
        places = sum(len(row["dots"]["places"]) for row in subject["rows"])
        expect(page.locator(f"{SUBJECT} .dot")).to_have_count(places)
        if page.locator(f"{SUBJECT}.asked").count():
            yield "the dots that wait for the answer"
        return
    chips = len(_texts(page, SUBJECT, ".chip"))
    expected = sum(isinstance(item, list) for row in subject["rows"] for item in row["items"])
    if chips != expected:
        yield f"{expected} tokens, of which {chips} are visible"
    names = _texts(page, SUBJECT, ".name")
    yield from (row["name"] for row in subject["rows"] if row.get("name") and row["name"] not in names)


def _lacks_of_grids(page: Page, content: BeatContent) -> Iterator[str]:
    """Yield the pairs that no lane has in sight: those that the text names, and neighbours in it."""
    lesson, beat, trace = content.lesson, content.beat, content.trace
    lanes = [(trace, beat.step)]
    if beat.stage == "compare":
        step = beat.shown.get("beside_step", beat.step)
        lanes.append((trained(lesson.slug, beat.shown["beside"]), step))
    present = [_hexadecimal(*pair) for trained_lane, step in lanes for pair in trained_lane.pair_counts(step)]
    named = [_pair_named(trace, *pair) for pair in named_pairs(f"{beat.say} {beat.question} {beat.answer}")]
    named += [_pair_named(trace, *pair) for row in token_rows(beat) for pair in pairwise(row)]
    seen = set().union(*(pairs_in_sight(page, number) for number in range(len(lanes))))
    wanted = dict.fromkeys(pair for pair in named if pair in present)
    if wanted and not seen & set(wanted):
        yield f"any of the pairs {', '.join(wanted)}"


def _pair_named(trace: Trace, left: str, right: str) -> str:
    unspelled = bpe.VARIANTS[trace.variant.slug].unspelled
    return _hexadecimal(*(unspelled(token.replace("·", " ")) for token in (left, right)))


def _hexadecimal(left: bytes, right: bytes) -> str:
    return f"{left.hex()} {right.hex()}"
