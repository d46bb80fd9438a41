"""Style sheets have no rules for elements that do not exist, and none twice."""

import re
from collections import Counter
from functools import cache

from tests import ROOT

FOLDERS = ("film", "ui", "gallery", "deploy")
SHEETS = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.css"))
STREAMLIT = re.compile(r"st[A-Z]\w+")
FOREIGN = {"hoverlayer"}  # plotly's, for the label at the pointer
KEY = "st-key-"  # Streamlit's class for the element of a key


@cache
def sources() -> str:
    """Return all code that can name an element."""
    return "\n".join(
        path.read_text("utf-8")
        for folder in (*FOLDERS, "pages")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js", ".html"}
    )


@cache
def words() -> set[str]:
    """Return the words of that code."""
    return set(re.findall(r"[\w-]+", sources()))


def selectors(sheet: str) -> str:
    """Return all selectors of a sheet, without the texts in them.

    >>> selectors('/* .a */ .b:not([title=".c"]) { color: red; } @media print { .d, e { top: 0.5em; } }')
    '.b:not([title=]) .d, e '
    """
    plain = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    rules = re.findall(r"([^{};]+)\{", plain)
    return "".join(
        re.sub(r'"[^"]*"', "", rule).lstrip() for rule in rules if not rule.lstrip().startswith("@")
    )


def unused_classes(sheet: str) -> set[str]:
    """Return the classes of a sheet that no script, page or module mentions, and the keys that no text begins with."""
    classes = set(re.findall(r"\.([A-Za-z][\w-]*)", selectors(sheet)))
    keys = set(re.findall(rf"{KEY}[\w-]+", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)))
    named = {name for name in classes - keys if not STREAMLIT.fullmatch(name)}
    # A script may make a class from the name of a kind: "code point" becomes .code-point.
    unused = {name for name in named - words() - FOREIGN if name.replace("-", " ") not in sources()}
    return unused | {name for name in keys if not is_key(name.removeprefix(KEY))}


def is_key(name: str) -> bool:
    """Return whether a text of the code is this key, or the beginning of one that the code completes.

    >>> is_key("choices"), is_key("verdict_place_3"), is_key("choices_of_nobody")
    (True, True, False)
    """
    begins = (name[:end] for end in range(1, len(name)))
    return any(f"{quote}{name}" in sources() for quote in "\"'") or any(
        f'f"{begin}{{' in sources() for begin in begins
    )


def test_every_class_belongs_to_an_element() -> None:
    assert SHEETS
    assert {
        path.relative_to(ROOT).as_posix(): names
        for path in SHEETS
        if (names := unused_classes(path.read_text("utf-8")))
    } == {}


def test_every_variable_of_a_style_is_read() -> None:
    styles = "\n".join(path.read_text("utf-8") for path in SHEETS)
    variables = {name for name in re.findall(r"(--[\w-]+)\s*:", styles) if not name.startswith("--st-")}
    assert variables
    assert {name for name in variables if f"var({name}" not in styles and name not in sources()} == set()


def rules_of(sheet: str) -> Counter[tuple[str, ...]]:
    """Return how often each rule stands in a sheet: its selector, below those of the blocks around it.

    >>> rules_of(".a { top: 0 } @media print { .a { top: 0 } .b { top: 0 } .b { left: 0 } }").most_common(1)
    [(('@media print', '.b'), 2)]
    """
    found: Counter[tuple[str, ...]] = Counter()
    around: list[str] = []
    for words, sign in re.findall(r"([^{};]*)([{};])", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)):
        if sign == "{":
            around.append(" ".join(words.split()))
            if not around[-1].startswith("@"):
                found[tuple(around)] += 1
        elif sign == "}":
            around.pop()
    return found


def test_no_rule_stands_twice() -> None:
    twice = {
        f"{path.relative_to(ROOT)}: {' '.join(rule)}"
        for path in SHEETS
        for rule, times in rules_of(path.read_text("utf-8")).items()
        if times > 1
    }
    assert twice == set()


def repeats(sheet: str) -> list[str]:
    """Return the parts of selectors that say a class twice, which makes them win: a layer does that.

    >>> repeats(".chip.chip > .a.b .a:not(.a) { top: 0 } .lanes:is(.few).lanes {}")
    ['.chip.chip', '.lanes.lanes']
    """
    flat = selectors(sheet)
    while (less := re.sub(r":?[\w-]*\([^()]*\)", "", flat)) != flat:
        flat = less
    parts = re.split(r"[\s>+~,]+", flat)
    return [part for part in parts if max(Counter(re.findall(r"\.[\w-]+", part)).values(), default=0) > 1]


def test_no_selector_repeats_a_class_to_win() -> None:
    found = {path.relative_to(ROOT).as_posix(): repeats(path.read_text("utf-8")) for path in SHEETS}
    assert {path: parts for path, parts in found.items() if parts} == {}


SIZE = re.compile(
    r"(?<![\w-])font(?:-size)?: (?:\d+ )?((?:max|min|clamp|calc|var)\(.*?\)(?=[ /;])|[\d.]+\w*)"
)
TYPE = re.compile(r"var\((--type-\w+)\)")
# Sizes of type that are computed, from the window or from what has to fit. There may be fewer.
MOST_OTHER_SIZES = 55


def sizes(sheet: str) -> list[str]:
    """Return the sizes of type that a sheet states.

    >>> sizes(".a { font-size: 1em; } .b { font: 600 var(--type-text)/1.2 serif; } .c { font: inherit; }")
    ['1em', 'var(--type-text)']
    """
    plain = " ".join(re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL).split())
    return [size for size in SIZE.findall(plain) if size != "0"]


def test_type_has_six_sizes() -> None:
    stated = {path.relative_to(ROOT).as_posix(): sizes(path.read_text("utf-8")) for path in SHEETS}
    # A picture for a link, slides and paper have a width of their own.
    screens = {
        path: own for path, own in stated.items() if path not in {"gallery/card.css", "gallery/slides.css"}
    }
    fixed = {
        path: [size for size in own if re.match(r"[\d.]+(?:px|rem)", size)] for path, own in screens.items()
    }
    assert {path: own for path, own in fixed.items() if own} == {}
    known = set(re.findall(r"(--type-\w+):", (ROOT / "film/browser/shared/type.css").read_text("utf-8")))
    used = {name for own in stated.values() for size in own for name in TYPE.findall(size)}
    assert len(known) == 5  # and on stage the least
    assert used == known
    assert (
        len({size for own in screens.values() for size in own if not TYPE.fullmatch(size)})
        <= MOST_OTHER_SIZES
    )


SPACES = {0, 2, 4, 8, 12, 16, 24}  # px between parts, and within them
SPACE = re.compile(r"(?<![\w-])(?:(?:row-|column-)?gap|(?:margin|padding)(?:-[a-z-]+)?): ([^;]+);")
LENGTH = re.compile(r"(?<![\w.])-?(\d*\.?\d+)(px|rem)\b")
OTHER_SPACES = {
    "film/browser/shared/base.css": {"1px"},  # what only screen readers hear
    "film/browser/token_grid/card.css": {"15px", "17px"},  # a legend on the edge of its card takes no room
    "film/browser/token_grid/presenter.css": {"52px"},  # the button in the corner
    "film/browser/chip_table/main.css": {"1px", "3px", "7px"},  # cells where columns would be out of sight
    "ui/view/styles/page.css": {"21px", "40px", "56px"},  # beside a line, below the menu, over the picture
    "gallery/card.css": {"40px", "56px"},  # a picture of 1200 pixels
    "gallery/index.css": {"48px"},  # the edges of a wide page
}


def spaces(sheet: str) -> set[str]:
    """Return the margins, paddings and gaps of a sheet that are none of the six; those that are computed are none.

    >>> sorted(
    ...     spaces(
    ...         ".a { margin: 8px -3px; gap: 1rem calc(5px * 2); } .b { padding-inline: 16px 2vw; top: 7px; }"
    ...     )
    ... )
    ['1rem', '3px']
    """
    plain = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    while (less := re.sub(r"[\w-]*\([^()]*\)", "", plain)) != plain:
        plain = less
    found = [length for value in SPACE.findall(plain) for length in LENGTH.findall(value)]
    return {number + unit for number, unit in found if unit == "rem" or float(number) not in SPACES}


def test_spaces_are_six() -> None:
    own = {path.relative_to(ROOT).as_posix(): spaces(path.read_text("utf-8")) for path in SHEETS}
    more = {path: found - OTHER_SPACES.get(path, set()) for path, found in own.items()}
    assert {path: found for path, found in more.items() if found} == {}


# Rules of a kind that primitives and variables replace, below which a change may go.
MOST_RULES = {"presenting": 200, "button": 73}


def test_rules_for_the_stage_and_for_buttons_become_fewer() -> None:
    selectors_of = [" ".join(rule) for path in SHEETS for rule in rules_of(path.read_text("utf-8"))]
    for kind, most in MOST_RULES.items():
        assert len([one for one in selectors_of if re.search(rf"\b{kind}\b", one)]) <= most, kind
