"""Everyone can use the pages: with a shaky hand, with forced colours, and enlarged."""

import pytest
from playwright.sync_api import Browser, Page, expect

from harness.app_server import AppServer
from harness.chromium import NOTES, grid, ready, run_first, take_away, wider
from tests.browser.everyone import MOST_STOPS, opened, tour
from tests.browser.test_pages import RULES, THEMES, in_theme, violations

pytestmark = pytest.mark.weekly

LEAST = 24  # CSS pixels, WCAG 2.2, 2.5.8

# All that a pointer can press, and where it must be pressed: a field by its box, a slider by the thumb.
TARGETS = """(least) => {
  const pressed = 'button, a[href], input, select, textarea, summary, tbody tr, [role=button], [role=tab]';
  // A box with what its ::before adds on each side.
  const grown = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const before = getComputedStyle(element, '::before');
    const more = (side) => (before.position === 'absolute' ? Math.max(0, -parseFloat(before[side]) || 0) : 0);
    const [left, top] = [more('left'), more('top')];
    return new DOMRect(x - left, y - top, width + left + more('right'), height + top + more('bottom'));
  };
  const box = (element) => {
    if (!element.matches('input')) return grown(element);
    const slider = element.matches('.stSlider input') && element.parentElement.parentElement;
    if (slider) return grown(slider);
    const field = element.closest('[data-baseweb], .stMultiSelect, .stSelectbox, .stNumberInput, label') ?? element;
    return field.getBoundingClientRect();
  };
  const targets = everyone.all()
    .filter((one) => one.matches(pressed) && !one.matches(':disabled, [aria-hidden=true]'))
    .filter((one) => !one.closest('[data-testid=stSidebar][data-collapsed=true]'))
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((one) => !one.matches('tr') || getComputedStyle(one).cursor === 'pointer')
    .map((one) => ({ one, box: box(one) }))
    .filter(({ box }) => box.width > 1 && box.height > 1);
  const isSmall = ({ width, height }) => width < least - 0.05 || height < least - 0.05;
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  const crowds = (box, other) => {
    const [[x, y], [left, top]] = [middle(box), middle(other)];
    if (isSmall(other)) return Math.hypot(x - left, y - top) < least;
    const away = [Math.max(other.left - x, x - other.right, 0), Math.max(other.top - y, y - other.bottom, 0)];
    return Math.hypot(...away) < least / 2;
  };
  const within = (one, other) => everyone.parents(one, 99).includes(other) || everyone.parents(other, 99).includes(one);
  // Streamlit's may be small if they are alone; ours, which are in a shadow root, may not.
  const isOurs = (one) => one.getRootNode() instanceof ShadowRoot;
  const bad = targets.filter(({ one, box }) => isSmall(box)
    && (isOurs(one) || targets.some((other) => !within(one, other.one) && crowds(box, other.box))));
  const named = ({ one, box }) => `${everyone.name(one)} ${box.width} × ${box.height}`;
  return { number: targets.length, bad: bad.map(named) };
}"""


PRESSED = (
    "/",
    "/?step=3",
    "/compare",
    "/encode",
    "/vocabulary",
    "/bytes",
    "/tokenizers",
    "/lessons",
    "/lessons?lesson=the-first-tie&beat=3",
)


def test_everything_that_is_pressed_is_large_enough_or_streamlit_s_and_alone(page: Page) -> None:
    for address in PRESSED:
        page.set_viewport_size({"width": 1280, "height": 800})
        opened(page, address)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            ready(page)
            targets = page.evaluate(TARGETS, LEAST)
            assert targets["number"] > 15, (address, width)
            assert targets["bad"] == [], (address, width)


FORCED = """() => {
  const chips = everyone.all().filter((one) => one.matches('.grid .box, .headline .chip, .pairs .chip'));
  const edges = chips.map((one) => getComputedStyle(one)).filter((style) => parseFloat(style.borderTopWidth) < 1
    || style.borderTopColor === style.backgroundColor);
  const rows = everyone.all().filter((one) => one.matches('.pairs tbody tr'));
  return {
    chips: chips.length,
    without: edges.length,
    chosen: rows.filter((row) => getComputedStyle(row).outlineStyle !== 'none').map((row) => row.className.trim()),
    tied: rows.filter((row) => /◆/.test(row.textContent)).length,
  };
}"""
# Of the canvas that holds rings and dots over and under the text: how many pixels are drawn.
MARKED = """root => {
  const canvas = root.querySelector('canvas.marks');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, at) => at % 4 === 3 && value > 60).length;
}"""


def test_forced_colours_leave_edges_marks_and_focus(page: Page) -> None:
    opened(page, "/")
    for theme in THEMES:
        page.emulate_media(forced_colors="active", color_scheme=theme)
        ready(page)
        drawn = page.evaluate(FORCED)
        assert drawn["chips"] > 50, theme
        assert drawn["without"] == 0, theme
        assert drawn["chosen"] == ["chosen tied"], theme
        assert drawn["tied"] == 3, theme
        assert grid(page).evaluate(MARKED) > 500, theme
    assert "Play (Space)" in " ".join(tour(page))
    page.emulate_media(forced_colors="none", color_scheme="light")


# What is a colour only, and the address of a page that has some: the answer's bars, and the track of a switch.
COLOURED = {"/compare": ".gauge-range.value", "/vocabulary": ".stCheckbox label > div:first-of-type"}


@pytest.mark.parametrize(("address", "part"), COLOURED.items())
def test_forced_colours_leave_what_is_a_colour_only(page: Page, address: str, part: str) -> None:
    opened(page, address)
    colour = "element => getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).slice(0, 3).join()"
    for theme in THEMES:
        page.emulate_media(forced_colors="active", color_scheme=theme)
        ready(page)
        assert page.locator(part).first.evaluate(colour) != page.locator("body").evaluate(colour), theme
    page.emulate_media(forced_colors="none", color_scheme="light")


OVERLAPS = """() => {
  const seen = { visibilityProperty: true, opacityProperty: true };
  const shown = everyone.all().filter((one) => one.checkVisibility(seen));
  const texts = shown.filter((one) => one.matches('h1, p, button, select, input, td, th, .chip, .headline .count')
    && !one.closest('.unseen, [data-testid=stSidebar], [data-testid=stHeader]') && !one.closest('.js-plotly-plot'));
  // What an area that scrolls shows of an element.
  const inSight = (one) => everyone.parents(one, 99).slice(1)
    .filter((parent) => parent instanceof Element && /auto|scroll|hidden/.test(getComputedStyle(parent).overflow))
    .filter((parent) => !parent.matches('[data-testid=stMain], .stApp, body, html'))
    .map((parent) => parent.getBoundingClientRect())
    .reduce(({ left, top, right, bottom }, clip) => ({
      left: Math.max(left, clip.left), top: Math.max(top, clip.top),
      right: Math.min(right, clip.right), bottom: Math.min(bottom, clip.bottom),
    }), one.getBoundingClientRect());
  const boxes = texts.map((one) => ({ one, box: inSight(one) })).filter(({ box }) => box.right - box.left > 1);
  const within = (one, other) => everyone.parents(one, 99).includes(other);
  const bad = [];
  boxes.forEach(({ one, box }, at) => boxes.slice(at + 1).forEach(({ one: other, box: next }) => {
    const wide = Math.min(box.right, next.right) - Math.max(box.left, next.left);
    const high = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
    if (wide > 3 && high > 3 && !within(one, other) && !within(other, one))
      bad.push(`${everyone.name(one)} | ${everyone.name(other)}`);
  }));
  return bad;
}"""


def test_enlarged_to_200_percent_nothing_is_wider_or_overlaps(server: AppServer, chromium: Browser) -> None:
    context = chromium.new_context(
        base_url=server.url, viewport={"width": 640, "height": 400}, device_scale_factor=2
    )
    page = context.new_page()
    run_first(page, f"({NOTES})()")
    for address in ("/", "/lessons"):
        opened(page, address)
        assert wider(page) == 0, address
        assert page.evaluate(OVERLAPS) == [], address
    context.close()


POPOVERS = {
    "/": ["Text", "Tokenizer", "Ties", "Merges", "Share"],
    "/compare": ["Lanes", "How we decide", "Share"],
    "/encode": ["Encoder", "Share"],
    "/vocabulary": ["Share"],
    "/tokenizers": ["Open a file", "Share"],
    "/lessons": ["exercises", "Share"],
}
# The parts of Share.
PARTS = {
    "/": ["Link", "Film", "Picture", "More: tokenizer, code"],
    "/compare": ["Link", "Film", "Picture"],
    "/encode": ["Link", "Picture", "Tokenizer"],
    "/vocabulary": ["Link", "Tokenizer"],
    "/tokenizers": [""],
    "/lessons": ["Link", "Film"],
}


@pytest.mark.parametrize("address", POPOVERS)
def test_everyone_can_use_what_is_in_a_popover(page: Page, address: str) -> None:
    opened(page, address)
    for name in POPOVERS[address]:
        page.get_by_role("button", name=name).first.click()
        body = page.get_by_test_id("stPopoverBody")
        expect(body).to_be_visible()
        widths = set()
        for part in PARTS[address] if name == "Share" else [""]:
            if part:
                take_away(page, part)
            for theme in THEMES:
                in_theme(page, theme)
                ready(page)
                found = violations(page, RULES[theme], "[data-testid=stPopoverBody]")
                assert found == [], (name, part, theme)
            widths.add(body.evaluate("body => Math.round(body.getBoundingClientRect().width)"))
        assert len(widths) == 1  # else its tabs would jump from under the pointer
        page.keyboard.press("Escape")
        expect(body).to_be_hidden()


def test_everyone_can_use_the_options_of_a_grid(page: Page) -> None:
    opened(page, "/")
    page.get_by_test_id("view").first.click()
    for theme in THEMES:
        in_theme(page, theme)
        ready(page)
        assert violations(page, RULES[theme]) == [], ("View", theme)


def test_everyone_can_read_the_code_beside_the_text(page: Page) -> None:
    opened(page, "/")
    page.get_by_test_id("pair-table").get_by_role("button", name="Code").click()
    for theme in THEMES:
        in_theme(page, theme)
        ready(page)
        assert violations(page, RULES[theme]) == [], ("Code", theme)
    page.set_viewport_size({"width": 320, "height": 700})
    assert wider(page) == 0


OWN = "slow slower slowest low"


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the name of what has the focus holds this text."""
    names: list[str] = []
    while name not in (names or [""])[-1]:
        assert len(names) < MOST_STOPS, (name, names)
        page.keyboard.press("Tab")
        names.append(page.evaluate("everyone.name(everyone.active())"))


def test_keys_alone_lead_from_the_first_screen_to_rules_compared_on_one_s_own_text(page: Page) -> None:
    opened(page, "/")
    tab_to(page, "Skip to main content")
    page.keyboard.press("Enter")
    tab_to(page, "Type or paste your own text")
    page.keyboard.type(OWN)
    page.keyboard.press("Control+Enter")
    expect(grid(page)).to_have_attribute("data-text", OWN)
    ready(page)
    tab_to(page, "Next: Compare")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
    ready(page)
    tab_to(page, "Skip to main content")
    page.keyboard.press("Enter")
    tab_to(page, "choice-lanes")
    page.keyboard.press("Enter")
    tab_to(page, "Compare 2 to 8 of these")
    page.keyboard.type("longest")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("token-grid")).to_have_count(3)
    ready(page)
    page.keyboard.press("Escape")  # closes the list of rules
    page.keyboard.press("Escape")
    page.get_by_test_id("stPopoverBody").wait_for(state="detached")
    ready(page)
    grids = page.get_by_test_id("token-grid")
    assert [grids.nth(number).get_attribute("data-text") for number in range(3)] == [OWN] * 3
    names = page.locator("[data-testid=token-grid] .viewport").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    assert len({*names}) == 3, names
    tab_to(page, "Token grid")
    page.keyboard.press("ArrowRight")
    expect(grids.nth(2)).to_have_attribute("data-step", "1")
