"""What moves during a merge: the ring round a pair until its chips meet, then the number of tokens."""

from playwright.sync_api import Page, expect

from tests.browser.app_server import AppServer
from tests.browser.chromium import grid
from tests.browser.conftest import NewPage
from tests.browser.grid.grid_page import WORDS, press, show

# Make a merge and stop its animations at several moments. Return for each how many rings are visible, and how many
# boxes a ring covers in part, which are not those of its pair.
RINGS = """(root, moments) => {
  const group = [...globalThis[Symbol.for('merge-by-merge')].groups.values()]
    .find(({ lanes }) => [...lanes].some((lane) => lane.root === root));
  group.playhead.forward();
  const animations = root.getRootNode().getAnimations();
  for (const animation of animations) animation.pause();
  const area = (element) => element.getBoundingClientRect();
  return moments.map((moment) => {
    for (const animation of animations) animation.currentTime = moment;
    const rings = [...root.querySelectorAll('.halo')].filter((ring) => getComputedStyle(ring).opacity !== '0');
    const boxes = [...root.querySelectorAll('.box')].map(area);
    const cut = rings.map(area).flatMap((ring) => boxes.filter((box) => {
      const shared = Math.min(ring.right, box.right) - Math.max(ring.left, box.left);
      const beside = Math.abs(ring.top + ring.bottom - box.top - box.bottom) < box.height;
      return beside && shared > 6 && (box.left < ring.left - 1 || box.right > ring.right + 1);
    }));
    return [rings.length, cut.length];
  });
}"""
FUSE = 450  # ms, without the delays of later lines
LAST = 700  # ms: all lines have ended


def rings(page: Page, *moments: int) -> list[list[int]]:
    """Return [visible rings, boxes that they cut] at moments of the next merge, in ms."""
    seen: list[list[int]] = grid(page).evaluate(RINGS, list(moments))
    return seen


def test_a_ring_holds_its_pair_until_the_parts_meet_and_is_gone_afterwards(
    new_page: NewPage, grids: AppServer
) -> None:
    page = show(new_page, grids, {"text": "the cat sat on the mat with the hat", "merges": 3})
    before, leaning, meeting, over = rings(page, 0, FUSE // 4, FUSE // 2, LAST)
    assert before[0] > 4
    assert before == leaning == [before[0], 0]
    assert meeting[1] == 0
    assert over == [0, 0]


# Notes every value of the number of tokens from now on.
FOLLOW_TOKENS = """(numbers) => {
  window.tokens = [];
  const note = () => window.tokens.push(Number(numbers.querySelector('dd').textContent));
  new MutationObserver(note).observe(numbers, { subtree: true, childList: true, characterData: true });
}"""


def test_the_number_of_tokens_counts_down_after_a_merge(new_page: NewPage, grids: AppServer) -> None:
    page = show(new_page, grids, {"rows": WORDS})
    press(page, "p")
    numbers = grid(page).get_by_test_id("live-numbers")
    expect(numbers).to_contain_text("Tokens95")
    numbers.evaluate(FOLLOW_TOKENS)
    press(page, "Shift+ArrowRight")
    expect(numbers).to_contain_text("Tokens86")
    seen = page.evaluate("() => window.tokens")
    assert (seen[0], seen[-1]) == (95, 86)
    assert seen == sorted(seen, reverse=True)
