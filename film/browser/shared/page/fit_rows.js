// Rows that do not fit on a screen without scrolling are left out, and a note says how many.

/**
 * Hide the last rows of a list until an element needs no scrolling.
 * @param {HTMLElement | null} frame  that must not scroll; null: show all
 * @param {HTMLElement[]} rows  all rows, of which the first stays
 * @param {HTMLElement} note  says how many are left out
 */
export function fitRows(frame, rows, note) {
  for (const row of rows) row.hidden = false;
  note.hidden = true;
  let left = rows.length;
  if (!frame) return;
  while (left > 1 && frame.scrollHeight > frame.clientHeight + 1) {
    left -= 1;
    rows[left].hidden = true;
    note.hidden = false;
    note.textContent = `and ${rows.length - left} more`;
  }
}
