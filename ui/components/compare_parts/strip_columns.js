// The columns of the strip: what one merge did in each lane.

/** @import {Theme} from "../../../film/browser/shared/tokens/colour.js" */
/** @import {Packed} from "../../../film/browser/shared/feed/feed_types.js" */
/** @import {Numbers} from "../../../film/browser/shared/feed/numbers.js" */
/** @import {PartData} from "./tokens.js" */

import { chipLength, labelText } from "../../../film/browser/shared/tokens/chip.js";
import { make } from "../../../film/browser/shared/page/dom.js";
import { say } from "../../../film/browser/shared/groups.js";
import { mergeNumber } from "../../../film/browser/shared/tokens/merge_names.js";
import { formatNumber, unpackNumbers } from "../../../film/browser/shared/feed/numbers.js";
import { leavesMajority } from "./majority.js";
import { chipMaker, pairWords } from "./tokens.js";

/** @typedef {"tokens" | "left" | "right" | "count" | "tied"} ColumnName */
/** The merges of one lane. @typedef {Record<ColumnName, Numbers>} Lane */
/** `differing`: for each merge whether the lanes differ. @typedef {PartData & {lanes: Record<ColumnName, Packed>[], differing: Packed}} StripData */

/**
 * The columns of a strip, one for each merge.
 * @typedef {object} StripColumns
 * @property {number[]} all  ranks of all merges
 * @property {number[]} widths  of the columns in px, for type of the usual size
 * @property {number} hiddenWidth  of a hidden column, so that its width does not give the token away
 * @property {(rank: number) => boolean} isTied
 * @property {(rank: number) => boolean} differs
 * @property {(rank: number, now: boolean, hidden: boolean) => HTMLElement} element  the column of a merge; `now`: it is the next
 *   one; `hidden`: it does not say yet what the lanes make
 */

/**
 * Make the columns of a strip.
 * @param {StripData} data
 * @param {Theme} theme
 * @returns {StripColumns}
 */
export function createStripColumns(data, theme) {
  const chip = chipMaker(data.tokens, theme);
  const { labels, shades } = data.tokens;
  const lanes = data.lanes.map(readLane);
  const differing = unpackNumbers(data.differing);
  const all = Array.from(differing.keys());
  const tiedAt = (/** @type {number} */ rank) => Math.max(0, ...lanes.map((lane) => lane.tied[rank] ?? 0));
  const widths = all.map((rank) => {
    const letters = lanes.map(({ tokens }) => (rank < tokens.length ? chipLength(labels[tokens[rank]]) : 1));
    return widthOf(Math.max(...letters));
  });
  const leaving = all.map((rank) =>
    leavesMajority(lanes.map(({ tokens }) => (rank < tokens.length ? shades[tokens[rank]] : null))),
  );

  /** @type {StripColumns["element"]} */
  function element(rank, now, hidden) {
    const tied = hidden ? 0 : tiedAt(rank);
    const tie = tied > 1 ? [make("span", "tie", { title: `${formatNumber(tied)} pairs tied` }, "◆")] : [];
    return make(
      "button",
      `column ${now ? "now" : ""}`,
      {
        type: "button",
        tabindex: now ? 0 : -1,
        "data-rank": rank,
        "data-differs": (!hidden && Boolean(differing[rank])) || null,
        "aria-label": hidden ? `Merge ${mergeNumber(rank)} is still hidden.` : spoken(rank, tied),
        click: () => say("jump", { group: data.group, step: rank }),
      },
      make("span", "rank", {}, ...tie, mergeNumber(rank)),
      ...lanes.map((lane, at) =>
        hidden ? hiddenCell() : laneCell(lane, data.titles[at], rank, leaving[rank][at]),
      ),
    );
  }

  /**
   * @param {Lane} lane
   * @param {string} laneTitle
   * @param {number} rank
   * @param {boolean} leaves  the majority
   */
  function laneCell({ tokens, left, right, count }, laneTitle, rank, leaves) {
    if (rank >= tokens.length) return make("span", `cell ended ${leaves ? "x" : ""}`, {}, "—");
    const words = pairWords(data.tokens, [left[rank], right[rank]]);
    const title = `${laneTitle}: ${words}, ${formatNumber(count[rank])} times`;
    return make("span", `cell ${leaves ? "x" : ""}`, { title }, chip(tokens[rank]));
  }

  /**
   * @param {number} rank
   * @param {number} tied
   */
  function spoken(rank, tied) {
    const cells = lanes.map(({ tokens }) => (rank < tokens.length ? labelText(labels[tokens[rank]]) : "—"));
    const merges = lanes.map(({ tokens, count }, at) => {
      const makes = `makes ${cells[at]}, ${formatNumber(count[rank])} times`;
      return `${data.titles[at]} ${rank < tokens.length ? makes : "already finished"}`;
    });
    const ties = tied > 1 ? ` ${tied} pairs tied.` : "";
    // A name begins with the words that are seen, so that somebody who speaks to the computer can say them.
    return `${mergeNumber(rank)} ${cells.join(" ")}.${ties} ${merges.join("; ")}.${differing[rank] ? " They differ." : ""}`;
  }

  return {
    all,
    widths,
    hiddenWidth: widthOf(1),
    isTied: (rank) => tiedAt(rank) > 1,
    differs: (rank) => Boolean(differing[rank]),
    element,
  };
}

function hiddenCell() {
  return make("span", "cell hidden", {}, "?");
}

/**
 * @param {number} letters  of the longest label
 */
function widthOf(letters) {
  return Math.min(148, Math.max(54, letters * 7.9 + 42));
}

/**
 * @param {Record<ColumnName, Packed>} lane
 * @returns {Lane}
 */
function readLane({ tokens, left, right, count, tied }) {
  return {
    tokens: unpackNumbers(tokens),
    left: unpackNumbers(left),
    right: unpackNumbers(right),
    count: unpackNumbers(count),
    tied: unpackNumbers(tied),
  };
}
