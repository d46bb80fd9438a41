// The order of the pair table's rows at each beat: it must not answer a question before it is asked.

/** @import {PairRow} from "../shared/feed/feed_types.js" */

import { labelText } from "../shared/tokens/chip.js";

/** @typedef {(rows: PairRow[]) => PairRow[]} Order */

/** The chosen pair first, as they were sent. @type {Order} */
const asSent = (rows) => rows;
/** The order that tells nothing about the counts. @type {Order} */
const byName = (rows) => rows.toSorted(compareNames);
/** The order that does not tell which one of several tied pairs comes next. @type {Order} */
const byCount = (rows) => rows.toSorted((one, other) => other.count - one.count || compareNames(one, other));

/**
 * Return the order of the rows at a beat.
 * @param {string | undefined} beat
 */
export function orderAt(beat) {
  if (beat === "guess") return byName;
  return beat === "settle" || beat === "count" ? byCount : asSent;
}

/**
 * @param {PairRow} one
 * @param {PairRow} other
 */
function compareNames(one, other) {
  const [a, b] = [one, other].map(({ labels }) => labels.slice(0, 2).map(labelText).join(" "));
  return a.localeCompare(b, "en");
}
