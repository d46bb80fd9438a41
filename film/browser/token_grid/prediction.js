// Predictions: a viewer names the pair that the next merge merges, and gets the reason when it is another one.

/** @import {Model} from "../player/feed.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {Span} from "./pointing.js" */
/** @import {Grid} from "./types.js" */

import { formatCount, formatNumber } from "../shared/numbers.js";
import { isReplayed } from "../player/feed.js";
import { pairName, pairsAt } from "../player/pair_counts.js";
import { cellsOf, eachToken, idAt } from "../player/segmentation.js";
import { choiceText, pairText, tokensText } from "./wording.js";
import { make, setHidden } from "../shared/dom.js";
import { hear, say } from "../shared/groups.js";
import { leadsGroup } from "../player/lanes.js";

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
    return { verdict: "right", text: `${alone} It ties with ${others}. ${choiceText(model, step)}` };
  }
  if (isBarred(model, pair)) {
    return {
      verdict: "wrong",
      text: `These settings never merge ${predicted}. The next merge is ${winner}.`,
    };
  }
  if (tied.has(pairName(...pair)) || count === counts[step]) {
    return {
      verdict: "tied",
      text: `Also right: ${predicted} ties at ${formatNumber(counts[step])}. ${choiceText(model, step)}`,
    };
  }
  const why = count === null ? "" : `${predicted} occurs ${formatCount(count, "time")}, but `;
  const word = wordWith(model, step, next);
  const where = word ? ` Look at ${word}.` : "";
  return { verdict: "wrong", text: `Not this time. ${why}${winner} occurs ${often}.${where}` };
}

/** @param {boolean} right @param {string} predicted @param {string} winner @returns {Answer} */
function answerInReplay(right, predicted, winner) {
  if (right) return { verdict: "right", text: `Right! ${predicted} is the next merge of the list.` };
  return { verdict: "wrong", text: `Not this time. The next merge of the list is ${winner}.` };
}

/** @param {Model} model @param {[number, number]} pair */
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
/** Add an answer to a score. @param {Readonly<Score>} score @param {Answer["verdict"]} verdict @returns {Score} */
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

/** Write a score: "2 of 3 right · streak 2". @param {Readonly<Score>} score */
export function scoreText({ asked, right, streak, best }) {
  if (!asked) return "";
  const longest = best > streak ? ` · best ${formatNumber(best)}` : "";
  return `${formatNumber(right)} of ${formatNumber(asked)} right · streak ${formatNumber(streak)}${longest}`;
}

/** Read a score that was stored; anything else gives none. @param {unknown} stored @returns {Readonly<Score>} */
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

// The line that answers a prediction, with the score of the visit. The viewer predicts the next merge by two
// neighbouring tokens of the grid, or by a row of the pair table.

const SCORE_KEY = "merge-by-merge.predictions";
const INVITATION = "Choose two neighbouring tokens, or a row of the pair table.";
const SHORT_INVITATION = "Choose two neighbouring tokens."; // the pair table is a screen further down
const NARROW = "(max-width: 767px)"; // of a phone
const NOTHING_LEFT = "That was the last merge.";

/** @type {Readonly<Score>} */
let lastScore = NO_SCORE;

/** Make the line of a grid. @param {Grid} grid @param {AbortSignal} signal */
export function createPredictionPanel(grid, signal) {
  const sentence = make("span", "answer", { role: "status", "data-testid": "answer" });
  const score = make("span", "score", { "data-testid": "score" });
  const stop = make(
    "button",
    "quiet",
    { type: "button", "data-testid": "stop-guessing", click: () => toggle() },
    "Stop guessing",
  );
  const attributes = { "data-testid": "prediction", hidden: true };
  const element = make("div", "row prediction", attributes, sentence, score, stop);
  /** @type {Span | null} */
  let first = null; // the token clicked first, at `firstStep`
  let firstStep = -1;
  /** @type {Set<string>} */
  const asked = new Set(); // steps whose prediction counted
  let answered = -1; // the step of the answer on the screen
  let wasRevealed = false; // whether that step's merge has been shown

  hear("predict", grid.group.name, signal, ({ pair, count }) => isAsking() && predict(pair, count));
  hear("step", grid.group.name, signal, () => draw());

  /** Return whether a click on a token is a prediction: it is one while the next merge is hidden. */
  function isAsking() {
    const { playhead, model } = grid;
    return leadsGroup(grid) && model.training && playhead.beat === "guess" && grid.step < grid.last;
  }

  /** Begin or end guessing every merge. The keys of the grid choose tokens. */
  function toggle() {
    grid.panels.presenter.setPredicting(!grid.playhead.predicting);
    grid.panels.options.draw();
    grid.elements.viewport.focus({ preventScroll: true });
  }

  /** Take a clicked token. Returns whether it is part of a prediction. @param {Span} span */
  function choose(span) {
    if (!isAsking()) return false;
    const before = first?.layout === span.layout && first.start !== span.start ? first : null;
    const again = first?.layout === span.layout && first.start === span.start;
    first = null;
    if (again) write(invitation());
    else if (!before || !isBeside(before, span)) ask(span);
    else if (itemOfSpan(before) !== itemOfSpan(span)) {
      write("A merge never crosses the gap between two words. Pick two tokens of one word.");
    } else {
      const [left, right] = before.start < span.start ? [before, span] : [span, before];
      predict([idOfSpan(left), idOfSpan(right)]);
    }
    grid.setCursor(first);
    grid.paintMarks();
    return true;
  }

  /** @param {Span} span */
  function ask(span) {
    first = span;
    firstStep = grid.step;
    write("And which neighbour does it merge with?");
  }

  /** @param {[number, number]} pair @param {number} [counted]  its count, if the sender knows it */
  function predict(pair, counted) {
    const { model, step, group, tied } = grid;
    if (group.answer) {
      first = null;
      element.hidden = true;
      return group.answer(pair); // an exercise has an answer of its own
    }
    const pairs = model.whole ? pairsAt(model, step) : null;
    const count = pairs ? (pairs.get(pairName(...pair))?.count ?? 0) : (counted ?? null);
    const { verdict, text } = answerTo(model, pair, { step, tied, count });
    const name = `${model.feed.id} ${step}`;
    if (!asked.has(name)) storeScore(scoreAfter(storedScore(), verdict));
    asked.add(name);
    answered = step;
    wasRevealed = false;
    first = null;
    write(text);
    element.dataset.verdict = verdict;
    if (verdict === "wrong") light({ left: model.steps.left[step], right: model.steps.right[step] });
    if (group.next) return; // a lesson goes on by its own key
    if (verdict === "right") grid.playhead.forward();
    else grid.playhead.resume("select");
  }

  /** @param {Light} about */
  function light(about) {
    say("light", { group: grid.group.name, from: "prediction", ...about });
  }

  /** @param {string} text */
  function write(text) {
    delete element.dataset.verdict;
    sentence.textContent = text;
    score.textContent = scoreText(storedScore());
    setHidden(stop, !grid.playhead.predicting); // the question of a lesson ends with its answer
    element.hidden = false;
  }

  // The answer stays while its merge is drawn, and until the next click.
  function draw() {
    const { predicting, beat } = grid.playhead;
    wasRevealed ||= beat !== "guess";
    const asksAgain = wasRevealed && beat === "guess" && grid.step === answered;
    if (answered >= 0 && !asksAgain && (grid.step === answered || grid.step === answered + 1)) return;
    if (first && grid.step === firstStep) return;
    first = null;
    answered = -1;
    if (predicting && leadsGroup(grid)) write(grid.step < grid.last ? invitation() : NOTHING_LEFT);
    else setHidden(element, true);
  }

  return { element, choose, draw, toggle };
}

function invitation() {
  return matchMedia(NARROW).matches ? SHORT_INVITATION : INVITATION;
}

/** @param {Span} span */
function idOfSpan({ layout, start, end }) {
  return idAt(layout.cells, start, end);
}

/** @param {Span} span */
function itemOfSpan({ layout, start }) {
  return layout.cells.item[start];
}

/** @param {Span} one @param {Span} other */
function isBeside(one, other) {
  return one.end === other.start || other.end === one.start;
}

/** @returns {Readonly<Score>} */
function storedScore() {
  try {
    return readScore(JSON.parse(sessionStorage.getItem(SCORE_KEY) ?? "null"));
  } catch {
    return lastScore; // storage is blocked or holds something else
  }
}

/** @param {Score} score */
function storeScore(score) {
  lastScore = score;
  try {
    sessionStorage.setItem(SCORE_KEY, JSON.stringify(score));
  } catch {
    return; // the score then lasts as long as the page
  }
}
