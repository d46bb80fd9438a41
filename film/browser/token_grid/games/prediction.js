// Predictions: a viewer names the pair that the next merge merges, and gets the reason when it is another one.

/** @import {Model} from "../data/feed.js" */

import { formatCount, formatNumber } from "../../shared/numbers.js";
import { isReplayed } from "../data/feed.js";
import { pairName } from "../data/pair_counts.js";
import { cellsOf, eachToken, idAt } from "../data/segmentation.js";
import { pairText, tokensText } from "../headline/wording.js";

/**
 * The answer to a prediction.
 * @typedef {object} Answer
 * @property {"right" | "tied" | "wrong"} verdict
 * @property {string} text
 */

/**
 * What is known about the pairs at a step.
 * @typedef {object} Known
 * @property {number} step
 * @property {Set<string>} tied  names of the pairs that tie, as far as known
 * @property {number | null} count  occurrences of the predicted pair, if known
 */

/**
 * The score of a visit.
 * @typedef {object} Score
 * @property {number} asked
 * @property {number} right  tied pairs included
 * @property {number} streak  right ones since the last wrong one
 * @property {number} best  the longest streak
 */

/** @type {Readonly<Score>} */
export const NO_SCORE = { asked: 0, right: 0, streak: 0, best: 0 };

const MOST_IN_WORD = 16; // of a word in a sentence

/**
 * Answer a prediction of the merge after `step` merges.
 * @param {Model} model
 * @param {[number, number]} pair  the predicted one
 * @param {Known} known
 * @returns {Answer}
 */
export function answerTo(model, pair, { step, tied, count }) {
  const { left, right, count: counts, tied: ties } = model.steps;
  const next = /** @type {[number, number]} */ ([left[step], right[step]]);
  const [predicted, winner] = [pair, next].map((named) => pairText(model, named));
  const often = formatCount(counts[step], "time");
  if (isReplayed(model, step))
    return answerInReplay(pairName(...pair) === pairName(...next), predicted, winner);
  if (pairName(...pair) === pairName(...next)) {
    const alone = `Right! ${predicted} occurs ${often}.`;
    if (ties[step] < 2) return { verdict: "right", text: alone };
    const others = formatCount(ties[step] - 1, "other pair");
    return { verdict: "right", text: `${alone} It ties with ${others}. ${decision(model, step, "it")}` };
  }
  if (isBarred(model, pair)) {
    return {
      verdict: "wrong",
      text: `These settings never merge ${predicted}. The next merge is ${winner}.`,
    };
  }
  if (tied.has(pairName(...pair)) || count === counts[step]) {
    const ends = decision(model, step, winner);
    return {
      verdict: "tied",
      text: `Also right: ${predicted} ties at ${formatNumber(counts[step])}. ${ends}`,
    };
  }
  const why = count === null ? "" : `${predicted} occurs ${formatCount(count, "time")}, but `;
  const word = wordWith(model, step, next);
  const where = word ? ` Look at ${word}.` : "";
  return { verdict: "wrong", text: `Not this time. ${why}${winner} occurs ${often}.${where}` };
}

/**
 * @param {boolean} right
 * @param {string} predicted
 * @param {string} winner
 * @returns {Answer}
 */
function answerInReplay(right, predicted, winner) {
  if (right) return { verdict: "right", text: `Right! ${predicted} is the next merge of the list.` };
  return { verdict: "wrong", text: `Not this time. The next merge of the list is ${winner}.` };
}

/**
 * Say who decided a tie.
 * @param {Model} model
 * @param {number} step
 * @param {string} winner
 */
function decision({ picked, rule }, step, winner) {
  return picked.includes(step)
    ? `A person picked ${winner}, not the rule.`
    : `The rule “${rule}” picks ${winner}.`;
}

/**
 * @param {Model} model
 * @param {[number, number]} pair
 */
function isBarred({ barred }, [left, right]) {
  for (let at = 0; at < barred.length; at += 2)
    if (barred[at] === left && barred[at + 1] === right) return true;
  return false;
}

/**
 * Return a word that holds a pair after `step` merges, as its tokens; "" if the feed has none of the pair's words.
 * @param {Model} model
 * @param {number} step
 * @param {[number, number]} pair
 */
function wordWith(model, step, pair) {
  const { counted: cells } = cellsOf(model);
  for (const item of cells.words.keys()) {
    /** @type {number[]} */
    const ids = [];
    eachToken(cells, step, cells.firstCell[item], cells.firstCell[item + 1], (start, end) => {
      ids.push(idAt(cells, start, end));
    });
    if (ids.length > MOST_IN_WORD) continue;
    if (ids.some((id, at) => id === pair[0] && ids[at + 1] === pair[1])) return tokensText(model, ids);
  }
  return "";
}
/**
 * Add an answer to a score.
 * @param {Readonly<Score>} score
 * @param {Answer["verdict"]} verdict
 * @returns {Score}
 */
export function scoreAfter(score, verdict) {
  const wrong = verdict === "wrong";
  const streak = wrong ? 0 : score.streak + 1;
  return {
    asked: score.asked + 1,
    right: score.right + Number(!wrong),
    streak,
    best: Math.max(score.best, streak),
  };
}

/**
 * Write a score: "2 of 3 right · streak 2".
 * @param {Readonly<Score>} score
 */
export function scoreText({ asked, right, streak, best }) {
  if (!asked) return "";
  const longest = best > streak ? ` · best ${formatNumber(best)}` : "";
  return `${formatNumber(right)} of ${formatNumber(asked)} right · streak ${formatNumber(streak)}${longest}`;
}

/**
 * Read a score that was stored; anything else gives none.
 * @param {unknown} stored
 * @returns {Readonly<Score>}
 */
export function readScore(stored) {
  if (typeof stored !== "object" || stored === null) return NO_SCORE;
  const { asked, right, streak, best } = /** @type {Record<string, unknown>} */ (stored);
  const numbers = [asked, right, streak, best].map((value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : -1,
  );
  const [a, r, s, b] = numbers;
  if (Math.min(...numbers) < 0 || r > a || s > b || b > r) return NO_SCORE;
  return { asked: a, right: r, streak: s, best: b };
}
