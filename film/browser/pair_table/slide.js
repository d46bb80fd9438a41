// Rows of the pair table slide to their new rank.

const SLIDE_TIME = 320; // ms
const SLIDE_EASING = "cubic-bezier(0.3, 0, 0.15, 1)";

/** @param {HTMLElement} row */
function rowName({ dataset }) {
  return `${dataset.left} ${dataset.right}`;
}

/**
 * Return where the rows of a table are, by the pair that they are about.
 * @param {HTMLElement} body
 * @returns {Map<string, number>}
 */
export function topsOf(body) {
  const rows = /** @type {HTMLElement[]} */ ([...body.children]);
  return new Map(rows.map((row) => [rowName(row), row.offsetTop]));
}

/**
 * Let rows slide from where they were to where they are.
 * @param {HTMLElement} body
 * @param {Map<string, number>} before
 */
export function slideRows(body, before) {
  const rows = /** @type {HTMLElement[]} */ ([...body.children]);
  // All are read before the first one moves: each animation makes the browser lay out anew.
  const tops = rows.map((row) => row.offsetTop);
  rows.forEach((row, at) => {
    const from = before.get(rowName(row));
    if (from === undefined || from === tops[at]) return;
    const frames = [{ transform: `translateY(${from - tops[at]}px)` }, { transform: "none" }];
    row.animate(frames, { duration: SLIDE_TIME, easing: SLIDE_EASING });
  });
}
