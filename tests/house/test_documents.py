"""The documents name files that exist, every part of the project, and every row of a registry."""

import ast
import re
from pathlib import Path

import regex

import bpe
from docs.animation import FIRST, LAST, MOST_BYTES
from tests import ROOT
from tests.bpe.training.test_presets_live import COMPARISONS
from tests.house.test_architecture import FILES, PYTHON, read
from tests.test_sample_corpora import trained
from ui.page_parts.lessons.contents import lessons
from ui.page_parts.lessons.curriculum import paths
from ui.trainings.corpus import MOST_UPLOADED

DOCUMENTS = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/api.md",
    "docs/hosting.md",
    "docs/releasing.md",
    "docs/trainers.md",
]
PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+(?:\.(?:py|js|css|html|md|toml|txt|yml|png|svg)|/)")


def absent_files(document: str) -> set[str]:
    """Return the paths that a document links to or names in backquotes and that do not exist."""
    text = read(document)
    linked = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)}
    named = {code for code in re.findall(r"`([^`\n]+)`", text) if PATH.fullmatch(code)}
    tokens = {"screenshots/", "site/"}  # by docs/screenshots.py and `python -m gallery`
    paths = {path for path in linked | named if path and not path.startswith(("http", ".venv"))} - tokens
    beside = (ROOT / document).parent
    names = {Path(path).name for path in FILES}  # `main.js`: there is one in many folders
    return {path for path in paths - names if not (ROOT / path).exists() and not (beside / path).exists()}


def test_documents_name_files_that_exist() -> None:
    assert {document: absent for document in DOCUMENTS if (absent := absent_files(document))} == {}


def part(path: str) -> str:
    """Return the entry of the map that a file belongs to. A folder stands for the files in it."""
    folders = path.split("/")[:-1]
    return (
        f"{folders[0]}/"
        if folders == ["command_line"]
        else "/".join(path.split("/")[:2]) + "/" * (len(folders) > 1)
    )


# The name of an `__init__` or `__main__` says nothing: its folder is on the map.
PARTS = sorted({part(path) for path in PYTHON if not path.endswith(("__init__.py", "__main__.py"))})
PAGES = [one for one in PARTS if one.startswith("pages/")]  # README has a table of them


def test_every_part_is_on_the_map() -> None:
    drawn = "".join(read("ARCHITECTURE.md").split("```")[1::2])
    assert [part for part in {*PARTS} - {*PAGES} if not re.search(rf"\b{Path(part).stem}\b", drawn)] == []


def test_every_page_is_in_the_table_of_pages() -> None:
    assert [page for page in PAGES if f"(`{page}`) |" not in read("README.md")] == []
    assert PAGES


def test_the_table_of_trainers_is_the_registry() -> None:
    rows = [f"| `{row.slug}` | {row.title} | {row.checked} |" for row in bpe.PRESETS.values()]
    assert [row for row in rows if row not in read("docs/trainers.md")] == []


# Every relative link in a document leads to a file, and to a heading, that exists.

LINKS_DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+?)[ #]*$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
# [text](target), [text](target "title"), [name]: target, and the addresses of HTML elements
TARGET = re.compile(
    r'\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:href|src|srcset)="([^"]+)"', re.MULTILINE
)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def targets(text: str) -> list[str]:
    """Return the relative targets of a document's links.

    >>> targets('[a](b.md#c) `[code](no.md)` [web](https://example.org) <img src="d.png">')
    ['b.md#c', 'd.png']
    """
    every = (next(filter(None, match)) for match in TARGET.findall(CODE.sub("", text)))
    return [target for target in every if not ELSEWHERE.match(target)]


def anchors(text: str) -> set[str]:
    r"""Return the names of a document's headings in links, as GitHub makes them.

    >>> sorted(anchors("# What's new?\n## A\n## A"))
    ['a', 'a-1', 'whats-new']
    """
    names: list[str] = []
    for heading in HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.append(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return {f"{name}-{names[:i].count(name)}" if name in names[:i] else name for i, name in enumerate(names)}


def broken_links(document: Path, text: str) -> list[str]:
    """Return the targets of a document's links that do not exist."""
    broken = []
    for target in targets(text):
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        content = text if not path else file.read_text("utf-8") if anchor and file.is_file() else ""
        if not file.exists() or (anchor and anchor not in anchors(content)):
            broken.append(target)
    return broken


def test_every_relative_link_leads_to_a_file_and_a_heading() -> None:
    texts = {path: path.read_text("utf-8") for path in LINKS_DOCUMENTS}
    broken = {path.name: wrong for path, text in texts.items() if (wrong := broken_links(path, text))}
    assert broken == {}
    assert sum(len(targets(text)) for text in texts.values()) > 20  # the links are read at all


# README.md's figures and claims agree with the code.

README = regex.sub(r"\s+", " ", (ROOT / "README.md").read_text("utf-8"))


def test_the_number_of_lessons() -> None:
    assert f"More than {(len(lessons()) - 1) // 10 * 10} worked examples" in README


def test_the_ties_of_the_story_and_the_ways_of_four_words() -> None:
    trace = trained("story")
    ties = [step.tied > 1 for step in trace.steps]
    rivals = trace.all_rivals()
    choices = [rank in rivals for rank in range(len(ties))]
    assert (
        f"that happens in {sum(ties[:100])} of the first 100 merges, but only {sum(choices[:100])} of these ties"
        in " ".join(README.split())
    )
    assert (
        f"Of merges 301 to 400, {sum(ties[300:400])} are ties, and {sum(choices[300:400])} of these are real choices."
        in " ".join(README.split())
    )
    asked = {stop.asked for path in paths() for stop in path.stops if stop.asked.startswith("Are ties rare?")}
    figures = (
        f"{sum(ties[:100])} of the first 100 merges are ties, and {sum(ties[300:400])} of merges 301 to 400."
    )
    assert asked == {f"Are ties rare? No. In this app's story, {figures}"}
    ways = bpe.tie_graph({"low": 5, "lower": 2, "newest": 6, "widest": 3}, variant="char-eow", merges=12)
    assert f"there are {ways.ways[-1]} ways, and every one splits the words" in " ".join(README.split())
    assert (ways.results, ways.complete) == (1, None)


def test_the_presets_that_are_trained_beside_their_library() -> None:
    said = re.search(
        r"The tests run those of (.+?) against the real library\. The others are compared", README
    )
    assert said
    assert "Hugging Face (three)" in said[1]
    assert [slug for slug in COMPARISONS if slug.startswith("hf-")] == [
        "hf-bytelevel",
        "hf-metaspace",
        "hf-char",
    ]
    assert {*COMPARISONS} - {slug for slug in COMPARISONS if slug.startswith("hf-")} == {
        "sentencepiece",
        "subword-nmt",
        "tiktoken-educational",
        "rustbpe",
    }


def test_the_first_picture_is_a_short_animation_with_a_text_for_who_cannot_see_it() -> None:
    picture = re.search(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert picture
    content = (ROOT / picture[2]).read_bytes()
    assert content.startswith(b"GIF89a")
    assert content.count(b"\x21\xf9\x04") == LAST - FIRST + 2  # a control block for each frame
    assert len(content) < MOST_BYTES
    assert len(picture[1]) > 60


def test_the_most_that_can_be_uploaded() -> None:
    assert f"at most {MOST_UPLOADED // 1_000_000} MB at a time" in " ".join(read("docs/api.md").split())


# What holds for every string on the screen.


def test_icons_are_material_symbols_beside_a_text() -> None:
    """Emoji are empty boxes where no colour font is installed."""
    for path in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if "icon=" in source else ():
            if isinstance(node, ast.keyword) and node.arg == "icon" and isinstance(node.value, ast.Constant):
                assert str(node.value.value).startswith(":material/"), f"{path}:{node.value.lineno}"
