"""Incremental painting in a browser: after any jump a grid looks as if it had been drawn anew at that step."""

import random
from typing import Literal

import pytest

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import show

SCRIPTS = (
    "السلام عليكم والسلام 2024 בשנת2024 שָׁלוֹם 🤦🏼\u200d♂️ 🇩🇪🇫🇷 naïve cafe\u0301 cafe\u0301\r\n"
    "new\tline\u00a0new\tline\n\n"
    "नमस्ते हिन्दी ภาษาไทย བོད་ཡིག 日本語 a" + "\u0301\u0302\u0303" * 5 + " low lower lowest \u200bfjord ﷽\n"
)
# Superwords draw walls that vanish within a token, and at the end of the first stage.
ASKED: dict[str, object] = {
    "text": SCRIPTS * 2,
    "variant": "bytes-gpt2",
    "merges": 200,
    "second_pattern": "lines",
    "second_after": 120,
}
VIEWS = [
    {"drawing": "cells", "view": "text", "colour": "identity", "glyphs": True},
    {"drawing": "cells", "view": "words", "colour": "length", "glyphs": False},
    {"drawing": "chips", "view": "both", "colour": "age", "glyphs": True},
]

# Makes jumps. Returns the steps after which a canvas or a chip is not as it is when everything is drawn anew, and how
# many different drawings there were.
DIFFERENT = """async (root, { options, jumps }) => {
  const { lanes } = globalThis[Symbol.for('merge-by-merge')].groups.get('grid');
  const [lane] = lanes;
  const { playhead, elements } = lane;
  const hidden = (chip) => chip.hidden || (chip.className === 'letter whole' && chip.style.opacity === '0');
  const drawn = async () => {
    const canvases = [...root.querySelectorAll('canvas.cells, canvas.marks')].map(async (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return [...new Uint8Array(await crypto.subtle.digest('SHA-1', data))].join(' ');
    });
    const chips = [...root.querySelectorAll('.chips > *')].filter((chip) => !hidden(chip)).map((chip) => {
      return [chip.className, chip.textContent, chip.style.cssText.replace(/transition[^;]*;/g, '')].join();
    });
    return [...(await Promise.all(canvases)), ...chips.toSorted()].join('|');
  };
  Object.assign(lane.options, options);
  const drawAnew = () => lane.choose('motion', true);
  drawAnew();
  const drawings = new Set();
  const wrong = [];
  for (const { step, top } of jumps) {
    if (top !== null) {
      elements.viewport.scrollTop = top * elements.stage.clientHeight;
      lane.look();
    }
    playhead.seek(step);
    const actual = await drawn();
    drawAnew();
    if (actual !== await drawn()) wrong.push(step);
    drawings.add(actual);
  }
  return { wrong, drawing: root.dataset.drawing, drawings: drawings.size };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_jump_paints_what_a_fresh_grid_would(
    new_page: NewPage, grids: AppServer, theme: Literal["light", "dark"]
) -> None:
    page = show(new_page, grids, ASKED, theme=theme)
    draw = random.Random(theme)
    for options in VIEWS:
        steps = [120, 119, 121]  # over the end of the first stage
        for step in draw.sample(range(4, 196), 5):
            steps += [step, step + draw.choice((-3, -1, 1, 4))]
        jumps = [{"step": step, "top": draw.random() if draw.random() < 0.2 else None} for step in steps]
        actual = grid(page).evaluate(DIFFERENT, {"options": options, "jumps": jumps})
        assert actual["drawing"] == options["drawing"]
        assert actual["drawings"] > 4
        assert actual["wrong"] == [], options
