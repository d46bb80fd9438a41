// Where the text of a lesson stands in the presenter view: beside the stage, or above one that is wide and above words that
// are larger there.

/** @import {Grid} from "../../../film/browser/token_grid/types.js" */
/** @import {Card} from "./card.js" */

import { placeStage } from "../../../film/browser/shared/dom.js";
import { createPractice } from "./practice.js";
import { beatOf, isOnStage, lookOf } from "./card.js";
import { createCardView } from "./card_view.js";

const TRIED = new Set(["grid", "encoding"]); // stages whose words may be larger below the text than beside it
const MOST_TRIED = 900; // cells of a stage; a longer text scrolls in either place
const LARGER = 1.1; // so many times larger at least

/** Place the text. @param {Card} card */
export function placeText(card) {
  stand(card, beatOf(card).above || (card.group.presenting && isLargerBelow(card)));
}

/** @param {Card} card @param {boolean} above */
function stand({ group, root, view }, above) {
  root.classList.toggle("above", above);
  placeStage(above && group.presenting);
  view.fit();
}

/**
 * Return whether the words of a beat are larger below the text. It is decided once for a lesson, so that no beat and no
 * answer moves the words to another place.
 * @param {Card} card
 */
function isLargerBelow(card) {
  const { data, group, larger } = card;
  if (!TRIED.has(beatOf(card).stage)) return false;
  const where = `${data.slug} ${innerWidth} × ${innerHeight}`;
  const before = larger.get(where);
  if (before !== undefined) return before;
  const [lane, ...others] = [...group.lanes].filter(({ root }) => root.clientWidth);
  if (!lane || others.length || !isOnStage(card) || lane.reading.size > MOST_TRIED) return false;
  stand(card, false);
  const beside = lettersOf(lane);
  stand(card, true);
  const isLarger = fitsAbove(card) && lettersOf(lane) > LARGER * beside;
  larger.set(where, isLarger);
  if (!isLarger) stand(card, false);
  lane.relayout();
  return isLarger;
}

/**
 * Return whether the texts of all beats with words on the stage fit above them, with their questions and their answers.
 * @param {Card} card
 */
function fitsAbove(card) {
  const { data, root } = card;
  const copy = /** @type {HTMLElement} */ (root.cloneNode());
  for (const name of ["popover", "data-testid"]) copy.removeAttribute(name);
  copy.inert = true;
  copy.style.visibility = "hidden";
  root.after(copy);
  const exercise = createPractice(() => {});
  const nothing = () => {};
  const actions = { next: nothing, goBack: nothing, go: nothing, moveGrid: nothing };
  const view = createCardView(copy, exercise.element, actions);
  const look = lookOf(card);
  const fits = (/** @type {number} */ beat, /** @type {boolean} */ pending) => {
    const { exercise: controls } = data.beats[beat];
    view.drawBeat(data, beat, pending, look);
    exercise.draw({ beat, controls, verdict: data.verdicts[beat], pending }, look);
    view.fit();
    return view.isWhole();
  };
  const all = data.beats.every(({ stage, question }, beat) => {
    return !TRIED.has(stage) || (fits(beat, false) && (!question.length || fits(beat, true)));
  });
  view.remove();
  copy.remove();
  return all;
}

/** Return the height of a grid's letters; half of it if its words do not fit. @param {Grid} grid */
function lettersOf(grid) {
  grid.relayout();
  const letters = Math.min(...grid.layouts.map(({ metrics }) => metrics.size));
  return grid.height > grid.elements.viewport.clientHeight + 1 ? letters / 2 : letters;
}
