// One row of the pair table as elements.

/** @import {ChipLabel, PairRow} from "../shared/feed/feed_types.js" */
/** @import {Theme} from "../shared/tokens/colour.js" */

import { chipElement, labelText, readable } from "../shared/tokens/chip.js";
import { coloursOfId } from "../shared/tokens/colour.js";
import { make, tieSign } from "../shared/page/dom.js";
import { formatNumber } from "../shared/feed/numbers.js";
import { pointed } from "../shared/page/pointed.js";

/**
 * What all rows of a table share.
 * @typedef {object} RowLook
 * @property {Theme} theme
 * @property {string} marker  how labels spell it
 * @property {boolean} picks  whether tied rows offer to be taken
 * @property {number} most  the highest count
 */

/**
 * What a row asks for.
 * @typedef {object} RowListeners
 * @property {(row: PairRow) => void} light
 * @property {() => void} unlight
 * @property {(row: PairRow) => void} pin
 * @property {(row: PairRow) => void} take
 */

/**
 * Return all that a row shows and hands on. Rows of the same text need no other elements.
 * @param {PairRow} row
 * @param {RowLook} look
 */
export function rowText(row, look) {
  const { ids, labels, pair, rank, chosen, tied } = row;
  const { theme, marker, picks } = look;
  const figures = [rank, formatNumber(row.count), rowChange(row), rowShare(row), barLength(row, look)];
  return JSON.stringify([ids, labels, pair, figures, chosen, tied, theme, marker, picks]);
}

/**
 * Make the elements of a row.
 * @param {PairRow} row
 * @param {RowLook} look
 * @param {RowListeners} listeners
 */
export function rowElement(row, look, { light, unlight, pin, take }) {
  const [left, right, merged] = row.labels.map((label, side) => rowChip(label, row.ids[side], look));
  const meter = make("span", "meter", { "aria-hidden": "true" });
  meter.style.width = `${barLength(row, look)}%`;
  const offered = row.tied && !row.chosen && look.picks;
  const element = make(
    "tr",
    `${row.chosen ? "chosen" : ""}${row.tied ? " tied" : ""}`,
    {
      tabindex: -1,
      "data-left": row.ids[0],
      "data-right": row.ids[1],
      ...pointed(() => light(row), unlight),
      focus: () => light(row),
      blur: unlight,
      click: () => pin(row),
      keydown: (event) => walkRows(event, element, () => pin(row)),
    },
    make("td", "rank", {}, String(row.rank)),
    make("td", "pair", {}, make("span", "pairing", {}, left, right)),
    make("td", "becomes", {}, merged, ...(row.chosen ? [make("span", "unseen", {}, " chosen")] : [])),
    make(
      "td",
      "number",
      {},
      ...(row.tied ? [tieSign("tied for the highest count"), " "] : []),
      formatNumber(row.count),
    ),
    make("td", "number change", {}, rowChange(row)),
    make("td", "number share", {}, rowShare(row)),
    make("td", "bar", {}, ...(offered ? [rowTakeButton(row, take)] : []), meter),
  );
  return element;
}

/**
 * @param {ChipLabel} label
 * @param {number} id
 * @param {RowLook} look
 */
function rowChip(label, id, { theme, marker }) {
  const text = readable(label, marker);
  const element = chipElement(text, coloursOfId(theme, id), label === marker ? "marker" : "");
  element.title = labelText(text);
  return element;
}

/**
 * @param {PairRow} row
 * @param {RowListeners["take"]} take
 */
function rowTakeButton(row, take) {
  return make(
    "button",
    "take",
    {
      type: "button",
      "data-testid": "take",
      "aria-label": `pick ${labelText(row.labels[0])} + ${labelText(row.labels[1])}`,
      title: "Pick this pair instead. The merges after it are then learned again.",
      click: (event) => {
        event.stopPropagation();
        take(row);
      },
    },
    "pick",
  );
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} element
 * @param {() => void} pin
 */
function walkRows(event, element, pin) {
  const { key } = event;
  const beside = key === "ArrowDown" ? element.nextElementSibling : element.previousElementSibling;
  if (key === "Enter" && event.target === element) pin();
  else if ((key === "ArrowDown" || key === "ArrowUp") && beside instanceof HTMLElement) {
    element.tabIndex = -1;
    beside.tabIndex = 0;
    beside.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Return the length of the bar, in percent.
 * @param {PairRow} row
 * @param {RowLook} look
 */
function barLength({ count }, { most }) {
  return Math.max(2, Math.round((count / most) * 100));
}

/** @param {PairRow} row */
function rowShare({ share }) {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/**
 * Write how the last merge changed a count.
 * @param {PairRow} row
 */
function rowChange(row) {
  if (row.new) return "new";
  return row.change ? (row.change > 0 ? "+" : "−") + formatNumber(Math.abs(row.change)) : "";
}
