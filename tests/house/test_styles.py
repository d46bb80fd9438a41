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


# A size of type in px or rem. Those of the presenter view depend on the window, so they are computed.
FIXED_SIZE = re.compile(r"(?:font-size:|font:(?: \d+)?)\s+[\d.]+(?:px|rem)")


def fixed_sizes(sheet: str) -> list[str]:
    """Return the sizes of type that are none of the four variables."""
    return [size for size in FIXED_SIZE.findall(sheet) if not size.endswith(" 0")]


def test_type_has_four_sizes() -> None:
    screens = [
        path for path in SHEETS if path.is_relative_to(ROOT / "film") or path.is_relative_to(ROOT / "ui")
    ]
    own = {path.relative_to(ROOT).as_posix(): fixed_sizes(path.read_text("utf-8")) for path in screens}
    assert {path: sizes for path, sizes in own.items() if sizes} == {}
    names = set(re.findall(r"var\((--type-\w+)\)", "\n".join(path.read_text("utf-8") for path in screens)))
    sizes = (ROOT / "film/browser/shared/type.css").read_text("utf-8")
    assert len(names) == 4
    assert names == set(re.findall(r"(--type-\w+):", sizes))
