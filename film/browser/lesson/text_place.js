// Where the text of a lesson stands in the presenter view: beside the stage, or above one that is wide and above words that
// are larger there.

/** @import {Look} from "../shared/sentence.js" */
/** @import {Grid, GridGroup} from "../token_grid/types.js" */
/** @import {Around, LessonData} from "./lesson.js" */

import { placeStage } from "../shared/on_stage.js";
import { createCardView } from "./card_view.js";

const TRIED = new Set(["grid", "encoding"]); // stages whose words may be larger below the text than beside it
const MOST_TRIED = 900; // cells of a stage; a longer text scrolls in either place
const LARGER = 1.1; // so many times larger at least

/**
 * Make what places the text.
 * @param {HTMLElement} root  of the card
 * @param {GridGroup} group
 * @param {ReturnType<typeof createCardView>} view
 * @param {Around["practises"]} practises
 */
export function createTextPlace(root, group, view, practises) {
  /** @type {Map<string, boolean>} */
  const larger = new Map(); // lesson and window -> whether its words are larger below the text

  /** Place the text of a beat. @param {LessonData} data @param {number} at @param {Look} look */
  function put(data, at, look) {
    stand(data.beats[at].above || (group.presenting && isLargerBelow(data, at, look)));
  }

  /** @param {boolean} above */
  function stand(above) {
    root.classList.toggle("above", above);
    placeStage(above && group.presenting);
    view.fit();
  }

  /**
   * Return whether the words of a beat are larger below the text. It is decided once for a lesson, so that no beat and no
   * answer moves the words to another place.
   * @param {LessonData} data
   * @param {number} at
   * @param {Look} look
   */
  function isLargerBelow(data, at, look) {
    if (!TRIED.has(kindOf(data, at))) return false;
    const where = `${data.slug} ${innerWidth} × ${innerHeight}`;
    const before = larger.get(where);
    if (before !== undefined) return before;
    const [lane, ...others] = [...group.lanes].filter((one) => one.root.clientWidth);
    if (!lane || others.length || lane.reading.size > MOST_TRIED) return false;
    stand(false);
    const beside = letterSize(lane);
    stand(true);
    const isLarger = fitsAbove(data, look) && letterSize(lane) > LARGER * beside;
    larger.set(where, isLarger);
    if (!isLarger) stand(false);
    lane.relayout();
    return isLarger;
  }

  /**
   * Return whether the texts of all beats with words on the stage fit above them, with their questions and their answers.
   * @param {LessonData} data
   * @param {Look} look
   */
  function fitsAbove(data, look) {
    const copy = /** @type {HTMLElement} */ (root.cloneNode());
    for (const name of ["popover", "data-testid"]) copy.removeAttribute(name);
    copy.inert = true;
    copy.style.visibility = "hidden";
    root.after(copy);
    const nothing = () => {};
    const exercise = practises?.(nothing) ?? null;
    const actions = { next: nothing, goBack: nothing, go: nothing, moveGrid: nothing };
    const tried = createCardView(copy, exercise?.element ?? null, actions);
    const fits = (/** @type {number} */ beat, /** @type {boolean} */ pending) => {
      const { exercise: controls } = data.beats[beat];
      tried.drawBeat(data, beat, pending, look);
      exercise?.draw({ beat, controls, verdict: data.verdicts?.[beat], pending }, look);
      tried.fit();
      return tried.isWhole();
    };
    const all = data.beats.every(({ question }, beat) => {
      return !TRIED.has(kindOf(data, beat)) || (fits(beat, false) && (!question.length || fits(beat, true)));
    });
    tried.remove();
    copy.remove();
    return all;
  }

  return { put };
}

/** @param {LessonData} data @param {number} beat */
function kindOf({ stages, beats }, beat) {
  return stages[beats[beat].stage].kind;
}

/** Return the height of a grid's letters; half of it if its words do not fit. @param {Grid} grid */
function letterSize(grid) {
  grid.relayout();
  const letters = Math.min(...grid.layouts.map(({ metrics }) => metrics.size));
  return grid.height > grid.elements.viewport.clientHeight + 1 ? letters / 2 : letters;
}
