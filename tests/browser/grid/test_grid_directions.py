"""Right-to-left words in a browser: tokens stay in one piece, digits within them run from left to right."""

from itertools import pairwise

import pytest

import bpe
from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import jump, open_view, show

YEARS = "בשנת2024 בשנת2024 2024 2024 בשנת19,8 19,8 19,8 19,8 19,8"  # the digits are whole before a letter joins them

# Of the running text: the position of each cell, and for each token [low, high] with whether its ends have borders.
PLACED = """(root) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const lane = [...lanes].find((one) => one.root === root);
  const layout = lane.layouts.find((one) => !one.cells.distinct);
  const { cells: row, x, w } = layout;
  const boxes = [...root.querySelectorAll('.box')].slice(-row.size).map((box) => box.style);
  const tokens = [];
  for (let start = 0, end = 0; start < row.size; start = end) {
    for (end = start; row.close[end] < lane.step; end++);
    end += 1;
    const cells = [...Array(end - start).keys()].map((at) => start + at).sort((a, b) => x[a] - x[b]);
    const inner = cells.slice(1).every((cell, at) => Math.abs(x[cells[at]] + w[cells[at]] - x[cell]) < 0.1);
    const border = (cell, side) => !boxes.length || boxes[cell][`border${side}Width`] !== '0px';
    const bordered = border(cells[0], 'Left') && border(cells.at(-1), 'Right');
    const whole = boxes.length ? inner : true;
    const high = x[cells.at(-1)] + w[cells.at(-1)];
    tokens.push({ low: x[cells[0]], high, bordered, whole, line: layout.line[start] });
  }
  return { x: [...x], tokens };
}"""


# Each drawing once: tests/js lays out more words, of more variants, without a browser.
@pytest.mark.parametrize(("variant", "drawing"), [("bytes-gpt2", "chips"), ("char-underscore", "cells")])
def test_digits_in_a_right_to_left_word_run_from_left_to_right(
    new_page: NewPage, grids: AppServer, variant: str, drawing: str
) -> None:
    trace = bpe.train(YEARS, variant=variant, merges=14)
    page = show(new_page, grids, {"text": YEARS, "variant": variant, "merges": 14})
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    page.get_by_test_id("option-drawing").select_option(drawing)
    symbols = trace.segment(YEARS, 0)
    digits = [number for number, symbol in enumerate(symbols) if symbol.isdigit()]
    letters = [number for number, symbol in enumerate(symbols) if symbol >= b"\xd7" and symbol < b"\xd8"]
    for step in (0, 3, len(trace.steps)):
        jump(page, step)
        placed = grid(page).evaluate(PLACED)
        x = placed["x"]
        assert [n for n in digits if n + 1 in digits and x[n] > x[n + 1]] == []
        assert [n for n in letters if n + 1 in letters and x[n] < x[n + 1]] == []
        tokens = sorted(placed["tokens"], key=lambda token: (token["line"], token["low"]))
        assert len(tokens) == len(trace.segment(YEARS, step))
        assert all(token["bordered"] and token["whole"] for token in tokens)
        for one, other in pairwise(tokens):
            assert one["line"] < other["line"] or one["high"] < other["low"] + 0.1


def test_a_token_of_a_letter_and_some_digits_stands_in_one_piece(new_page: NewPage, grids: AppServer) -> None:
    """Where a digit joins a letter before its neighbours, the whole word runs from right to left."""
    page = show(new_page, grids, {"text": "ת2 ת2 ת2 ת24", "variant": "char-underscore", "merges": 2})
    open_view(page)
    page.get_by_test_id("option-view").select_option("text")
    for step in (0, 2):
        jump(page, step)
        assert all(token["whole"] and token["bordered"] for token in grid(page).evaluate(PLACED)["tokens"])
