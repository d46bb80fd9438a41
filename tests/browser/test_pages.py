"""Every page opens from its link, fits the window in both themes, has few controls, and everyone can use it."""

from collections.abc import Sequence
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from harness.chromium import open_choice, ready, take_row, visit, wider
from tests import ROOT

THEMES: list[Literal["light", "dark"]] = ["light", "dark"]
# axe-core's rules to apply in each theme, the light one first: all of them, then what another theme can change.
RULES: dict[str, Sequence[str]] = {"light": (), "dark": ("color-contrast",)}
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


# Read a sheet. Return how many rules the browser kept, how many there are, and the declarations that it does not know.
READ = r"""(sheet) => {
  const style = new CSSStyleSheet();
  style.replaceSync(sheet);
  const number = (rules) => [...rules].reduce((sum, rule) => sum + 1 + number(rule.cssRules ?? []), 0);
  const plain = sheet.replace(/\/\*[^]*?\*\//g, '').replace(/"[^"\n]*"/g, '""');
  const unknown = [...plain.matchAll(/(?<=[{;]\s*)([a-z-]+):([^;{}]+);/g)]
    .filter(([, name, value]) => !CSS.supports(name, value.replace('!important', '')));
  const orders = plain.match(/^@layer [^{;]+;/gm) ?? []; // rules without a block
  const rules = plain.split('{').length - 1 + orders.length;
  return [number(style.cssRules), rules, unknown.map(([text]) => text)];
}"""


@pytest.mark.quick
def test_the_browser_knows_every_rule_and_declaration_of_the_style_sheets(chromium: Browser) -> None:
    page = chromium.new_page()
    faults = {}
    for path in (path for folder in ("film", "ui", "docs") for path in (ROOT / folder).rglob("*.css")):
        sheet = path.read_text("utf-8")
        kept, rules, unknown = page.evaluate(READ, sheet)
        if unknown or kept != rules - sheet.count("::-moz-"):  # of sliders in Firefox
            faults[path.relative_to(ROOT).as_posix()] = (kept, rules, unknown)
    assert faults == {}
    assert page.evaluate(READ, "p { colour: red; top: 1px }\np:is-new { }") == [1, 2, ["colour: red;"]]
    page.close()


def opened(page: Page, name: str) -> Page:
    """Open a page, and wait until it is drawn and not the message that something went wrong."""
    visit(page, f"/{name}")
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.locator("h1").count() == 1
    return page


def in_theme(page: Page, theme: Literal["light", "dark"]) -> None:
    """Switch the page to a theme and wait until it is drawn in it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        "theme => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === theme",
        arg=theme,
    )


ZOOMED = {200: (640, 400), 400: (320, 256)}  # percent -> the size that a window of 1280 × 800 pixels has then
HAS_NAMES = {  # page -> controls that are called by the words seen on them
    "compare": "[data-testid=strip] button",
    "vocabulary": "[role=treeitem]",
    "watch": ".every-way .node",
}
TALLEST = 1_800  # pixels of a page at 1280 × 800, its first tabs open
# Page -> how many controls its first screen may have, and the menus of its choices among them.
FEW: dict[str, tuple[int, tuple[str, ...]]] = {
    "watch": (32, ("Text", "Tokenizer", "Ties", "Merges")),
    "compare": (31, ("Text", "Tokenizer", "Ties", "Merges")),
    "encode": (31, ("Merges from",)),  # with the six heads of the table of tokens
}
# Every control that can be seen without scrolling, with what it is called.
CONTROLS = """() => {
  const names = [];
  const roles = ['button', 'combobox', 'slider', 'tab', 'radio', 'switch', 'option'].map((role) => `[role=${role}]`);
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (!element.matches(`a[href], button, input, select, textarea, summary, ${roles}`)) continue;
      if (element.matches('.figure')) continue; // a number of a sentence, which lights what it counts
      if (element instanceof SVGElement && element.tabIndex < 0) continue; // the arrow keys go on to it
      const { width, height, top, bottom, left, right } = element.getBoundingClientRect();
      const { visibility, opacity } = getComputedStyle(element);
      const inside = top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
      const seen = visibility !== 'hidden' && opacity !== '0' && element.checkVisibility();
      if (!inside || !seen || width < 3 || height < 3) continue;
      names.push(element.ariaLabel || element.innerText || element.title);
    }
  };
  visit(document);
  return names;
}"""
# A language that is written from right to left is so in a field, whatever its page.
WAYS = "[...document.querySelectorAll('textarea, input[type=text]')].map(({ dir }) => dir)"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_window_also_zoomed_and_everyone_can_use_it(shared_page: Page, name: str) -> None:
    page = shared_page
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, name)
    if name == "compare":  # all is measured
        expect(page.get_by_test_id("verdict-bar")).to_be_visible()
        expect(page.locator(".st-key-evidence_sentences")).to_be_visible()
        ready(page)
    assert page.get_by_test_id("stMain").evaluate("(main) => main.scrollHeight") <= TALLEST
    assert {*page.evaluate(WAYS)} <= {"auto"}
    if name in FEW:
        most, choices = FEW[name]
        expect(page.get_by_role("button", name="Stop")).to_have_count(0)  # all ways are listed
        page.mouse.move(700, 700)  # over the menu it would show one more
        names = page.evaluate(CONTROLS)
        assert len(names) <= most, "; ".join(names)
        for choice in choices:
            starts = (choice, f"keyboard_arrow_right\n\n{choice}")
            assert any(one.startswith(starts) for one in names), names
    for width, themes in ((1280, THEMES), (390, THEMES[-1:])):  # which have the same widths
        page.set_viewport_size({"width": width, "height": 800})
        for theme in themes:
            in_theme(page, theme)
            ready(page)
            assert wider(page) == 0, (width, theme)
            assert width < 1280 or violations(page, RULES[theme]) == [], theme
        if width == 1280 and name in HAS_NAMES:
            page.locator(HAS_NAMES[name]).first.wait_for()
            assert violations(page, ["label-content-name-mismatch"]) == []
    in_theme(page, "light")
    for percent, (width, height) in ZOOMED.items():
        page.set_viewport_size({"width": width, "height": height})
        ready(page)
        assert wider(page) == 0, percent


def test_a_menu_has_the_colours_of_its_page(shared_page: Page) -> None:
    page = shared_page
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, "watch")
    open_choice(page, "ties")
    take_row(page, "tie-longest")
    link = page.locator(".st-key-preset_back_ties button")  # which has a colour for each theme
    link.wait_for()
    for theme in THEMES:
        in_theme(page, theme)
        ready(page)
        assert link.evaluate("element => getComputedStyle(element).colorScheme") == theme
        assert violations(page, ["color-contrast"], "[data-testid=stPopoverBody]") == [], theme


def violations(page: Page, rules: Sequence[str] = (), part: str = "") -> list[str]:
    """Return what axe-core finds on the current page, or in one part of it: rule, element, remedy.

    rules: their names; without any, all rules.
    Streamlit greys the label of a disabled widget too, which axe reads as text: WCAG requires no contrast of either.
    The area of Streamlit's file field has the role of a mere box and a name: nothing that a page can change.
    """
    disabled = "element => !!element.closest('[data-testid=stElementContainer]')?.querySelector(':disabled')"
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return [
        f"{violation['id']}: {node['html'][:160]}: {node['failureSummary']}"
        for violation in Axe().run(page, part or None, options).response["violations"]
        for node in violation["nodes"]
        if violation["id"] != "presentation-role-conflict" or "stFileUploaderDropzone" not in node["html"]
        if not (
            violation["id"] == "color-contrast"
            and page.locator(_within(node["target"][0])).evaluate(disabled)
        )
    ]


def _within(target: str | list[str]) -> str:
    """Return the selector of an element. Axe gives that of each root around it, too, if it is in a shadow root."""
    return target if isinstance(target, str) else " >> ".join(target)
