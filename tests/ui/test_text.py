"""User text that is shown or saved keeps its characters: no Markdown, no markup, no formula."""

import csv
import io
import random
import re
import tracemalloc
from collections.abc import Iterator

import plotly.graph_objects as go
import pytest

import bpe
from bpe.text.display import counted
from tests import ROOT
from tests.material import hostile_texts
from ui.page_parts.vocabulary.growth import growth
from ui.view import charts
from ui.view.charts import Figure
from ui.view.first_view import _MOST_WORDS, _few_words
from ui.view.text import FORMULA_START, csv_file, from_cell, in_cell, in_chart, in_markdown, shortened

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\ta", "\ra", "  =1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_in_a_csv_file_becomes_text(text: str) -> None:
    """A spreadsheet reads a leading apostrophe as "this is text"."""
    assert in_cell(text) == "'" + text
    assert csv_file(["token"], [[text]]).decode("utf-8-sig") == f'"token"\r\n"\'{text}"\r\n'


def test_a_csv_file_leaves_numbers_and_harmless_text_unchanged() -> None:
    """A negative number is a number, and `a=b` begins with a letter."""
    assert [in_cell(value) for value in (-3, 0.5, "a=b", "</w>", "")] == [-3, 0.5, "a=b", "</w>", ""]


def test_a_csv_file_keeps_line_ends_quotes_and_any_script() -> None:
    """A lone CR inside a cell is quoted too, which pandas does not do."""
    rows = [["a\rb", 1], ['say "hi"\n', 2], ["日本</w>", 3]]
    text = csv_file(["token", "count"], rows).decode("utf-8-sig")
    cells = list(csv.reader(io.StringIO(text, newline="")))
    assert cells == [["token", "count"], *[[token, str(count)] for token, count in rows]]


PARTS = ["=1+1", "@x", "-2", "＝1", "a", '"', "'", ";", ",", "\t", "|", "\n", "\r\n", " ", "5", "\0"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_no_cell_of_a_whole_file_begins_a_formula_whatever_separates_cells(separator: str) -> None:
    chance = random.Random(separator)

    def any_text() -> str:
        return "".join(chance.choices(PARTS, k=chance.randint(1, 8)))

    for _ in range(500):
        header = [any_text(), any_text()]
        content = csv_file(header, [[any_text(), 5, any_text()] for _ in range(3)]).decode("utf-8-sig")
        cells = [
            cell for row in csv.reader(io.StringIO(content, newline=""), delimiter=separator) for cell in row
        ]
        assert [cell for cell in cells if re.match(r"[\s\0]*[=+\-@＝＋－＠]", cell)] == [], (content, cells)


def test_what_was_added_within_a_text_is_taken_out_again() -> None:
    chance = random.Random(1)
    for _ in range(5_000):
        text = "".join(chance.choices(PARTS, k=8))
        assert from_cell(str(in_cell(text))) == text


def test_no_cell_begins_a_formula_and_every_text_is_read_back_exactly() -> None:
    texts = [*hostile_texts.FORMULAS, *hostile_texts.MARKUP, "", "'", "''", "'tis", "a=b", "\x00=", "=\ud55c"]
    assert len(hostile_texts.MARKUP) + len(hostile_texts.FORMULAS) >= 100
    content = csv_file(["token"], [[text] for text in texts]).decode("utf-8-sig")
    cells = [row[0] for row in csv.reader(io.StringIO(content, newline=""))][1:]
    assert [cell for cell in cells if FORMULA_START.match(cell) and not cell.startswith("'")] == []
    assert [from_cell(cell) for cell in cells] == texts


def test_a_chart_label_is_no_markup() -> None:
    """Plotly reads tags and entities in labels."""
    assert in_chart("<b>a</b> &amp; b") == "&lt;b&gt;a&lt;/b&gt; &amp;amp; b"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("**a**", r"\*\*a\*\*"),
        (":red[a]", r"\:red\[a\]"),
        ("$x$", r"\$x\$"),
        ("# a", r"\# a"),
        ("`a`", r"\`a\`"),
        ("a -> b", r"a -:gray[]\> b"),
        (":smile:", r"\::gray[]smile\:"),
        ("https://a.b", r"https\::gray[]//a.b"),
        ("</w>", r"\</w\>"),
        ("1. a", r"1\. a"),
        ("two: words, one dash-ed.", "two: words, one dash-ed."),
    ],
)
def test_markdown_shows_the_characters_themselves(text: str, escaped: str) -> None:
    """Only characters that Markdown would act on are escaped."""
    assert in_markdown(text) == escaped


def test_a_long_text_loses_its_middle() -> None:
    assert shortened("a" * 50 + "b" * 50, most=21) == "a" * 10 + "…" + "b" * 10
    assert shortened("a\r\nb") == "a b"


def test_plurals_are_formed_in_one_function() -> None:
    assert [counted(number, "byte") for number in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]
    by_hand = re.compile(
        r"""["'](\w+)["'] if [^"']{1,40} == 1 else ["']\1s|["']s?["'] if [^"']{1,40}[!=]= 1 else"""
    )
    assert by_hand.search("f\"{'merge' if n == 1 else 'merges'}\"")
    sources = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    assert [path.name for path in sources if by_hand.search(path.read_text("utf-8"))] == []


# Whether a text is a list of a few words is found out without a list of all its words.


@pytest.mark.parametrize("part", [1, 2, 3, 5, 100])
def test_reading_in_parts_counts_as_splitting_the_whole(part: int) -> None:
    chance = random.Random(part)
    for _ in range(300):
        text = "".join(chance.choices(["a", "b", " ", "\n", "\u3000"], k=chance.randint(0, 12)))
        words = text.split()
        if max(map(len, words), default=0) < part:
            assert _few_words(text, part) == (len(words), len({*words})), repr(text)


def test_a_long_text_takes_little_memory() -> None:
    text, numbers = "low lower newest widest " * 50_000, " ".join(map(str, range(50_000)))
    tracemalloc.start()
    assert _few_words(text) == (200_000, 4)
    assert _few_words(numbers) is None
    assert _few_words("a" * 1_000_000) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000
    assert _MOST_WORDS < 100


# Charts: plotly accepts every figure that the pages draw. The pages send them without plotly's own checks.

TRACES = {
    "a training": bpe.train("low low lower newest newest widest 1e5 <b>", merges=12),
    "no merges": bpe.train("a", merges=3),
}


def drawn(trace: bpe.Trace, *, dark: bool) -> Iterator[Figure]:
    """Yield all figures of a trace, halfway through it."""
    step = len(trace.steps) // 2
    yield charts.curves(trace, step, dark=dark)
    yield growth(trace, step, dark=dark)


@pytest.mark.parametrize("name", TRACES)
@pytest.mark.parametrize("dark", [False, True])
def test_plotly_accepts_every_figure(name: str, dark: bool) -> None:
    for figure in drawn(TRACES[name], dark=dark):
        go.Figure(figure)  # raises ValueError, with the name of the property
        assert figure["layout"]["height"] > 0
