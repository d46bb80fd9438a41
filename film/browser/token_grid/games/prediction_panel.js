// The line that answers a prediction, with the score of the visit. The viewer predicts the next merge by two
// neighbouring tokens of the grid, or by a row of the pair table.

/** @import {Light} from "../../shared/groups.js" */
/** @import {Span} from "../panels/pointing.js" */
/** @import {Score} from "./prediction.js" */
/** @import {Grid} from "../types.js" */

import { make, setHidden } from "../../shared/dom.js";
import { hear, say } from "../../shared/groups.js";
import { leadsGroup } from "../data/lanes.js";
import { pairsAt, pairName } from "../data/pair_counts.js";
import { NO_SCORE, answerTo, readScore, scoreAfter, scoreText } from "./prediction.js";
import { idAt } from "../data/segmentation.js";

const SCORE_KEY = "merge-by-merge.predictions";
const INVITATION = "Choose two neighbouring tokens, or a row of the pair table.";
const SHORT_INVITATION = "Choose two neighbouring tokens."; // the pair table is a screen further down
const NARROW = "(max-width: 767px)"; // as in stages.css
const NOTHING_LEFT = "That was the last merge.";

/** @type {Readonly<Score>} */
let lastScore = NO_SCORE;

/**
 * Make the line of a grid.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createPredictionPanel(grid, signal) {
  const sentence = make("span", "answer", { role: "status", "data-testid": "answer" });
  const score = make("span", "score", { "data-testid": "score" });
  const element = make("div", "prediction", { "data-testid": "prediction", hidden: true }, sentence, score);
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

  /** Return whether a click on a token is a prediction, now or after the merge that is being drawn. */
  function invites() {
    return isAsking() || (grid.playhead.predicting && grid.step < grid.last);
  }

  /**
   * Take a clicked token. Returns whether it is part of a prediction.
   * @param {Span} span
   */
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

  /**
   * @param {[number, number]} pair
   * @param {number} [counted]  its count, if the sender knows it
   */
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

  return { element, choose, draw, invites };
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

/**
 * @param {Span} one
 * @param {Span} other
 */
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
