"""User text on its way out stays the text it is."""

import csv
import io

import pytest

from ui.show.text import csv_file, in_cell, in_chart, in_markdown, shortened

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_a_csv_file_is_a_formula(text: str) -> None:
    """A spreadsheet takes the apostrophe for "this is text"."""
    assert in_cell(text) == "'" + text


def test_numbers_and_harmless_text_stay_as_they_are() -> None:
    """Negative numbers are numbers, and `a=b` begins with a letter."""
    assert [in_cell(value) for value in (-3, 0.5, "a=b", "</w>", "")] == [-3, 0.5, "a=b", "</w>", ""]


def test_csv_files_keep_line_ends_quotes_and_any_script() -> None:
    """A lone CR inside a cell too, which pandas writes unquoted."""
    rows = [["a\rb", 1], ['say "hi"\n', 2], ["日本</w>", 3]]
    text = csv_file(["token", "count"], rows).decode("utf-8-sig")
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert read == [["token", "count"], *[[token, str(count)] for token, count in rows]]


def test_a_chart_label_is_no_markup() -> None:
    """Plotly reads tags and entities."""
    assert in_chart("<b>a</b> &amp; b") == "&lt;b&gt;a&lt;/b&gt; &amp;amp; b"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("**a**", r"\*\*a\*\*"),
        (":red[a]", r"\:red\[a\]"),
        ("$x$", r"\$x\$"),
        ("# a", r"\# a"),
        ("`a`", r"\`a\`"),
        ("a -> b", r"a \-\> b"),
        ("</w>", r"\</w\>"),
        ("1. a", r"1\. a"),
        ("two: words, one dash-ed.", "two: words, one dash-ed."),
    ],
)
def test_markdown_shows_the_very_characters(text: str, escaped: str) -> None:
    """What needs no escape gets none."""
    assert in_markdown(text) == escaped


def test_a_long_text_is_cut_in_the_middle() -> None:
    """Both ends tell more than one."""
    assert shortened("a" * 50 + "b" * 50, most=21) == "a" * 10 + "…" + "b" * 10
    assert shortened("a\r\nb") == "a b"
