// The values beside the code of an encoder, at a step of an encoding.

/** @import {CodeLine} from "../shared/feed_types.js" */
/** @import {Beat, Light} from "../shared/groups.js" */
/** @import {CodeGroup} from "./training.js" */
/** @import {Now, Values} from "./panel.js" */

import { make } from "../shared/dom.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { createFigure } from "../shared/pointed.js";
import { drawPair, momentAt, pairOfMerge } from "./training.js";

/** The beat whose lines are lit where a listing has none of its own. @type {{[beat in Beat | "stop" | ""]?: Beat}} */
const INSTEAD = { count: "rest", select: "rest", settle: "fuse" };

/**
 * Make the values of an encoding.
 * @param {CodeGroup} group
 * @param {AbortSignal} signal
 * @param {() => {lines: CodeLine[]}} data
 * @returns {Values<Now>}
 */
export function encodingValues(group, signal, data) {
  const number = make("span", "aside value");
  /** @type {Light} */
  const places = { counts: "merge", merge: 0 };
  const [taken, made] = ["where the token is made", "where the token is made"].map((says) =>
    createFigure(group.name, places, () => says, signal),
  );
  return {
    beside: { rest: number, select: taken.element, fuse: made.element },
    below: {},
    draw({ step, beat, theme, lane }) {
      const model = [...group.lanes][lane]?.model;
      if (!model || model.training) return undefined;
      const { steps, last } = model;
      const { rank, lit, chosen } = momentAt(step, beat);
      const shows = chosen && rank < last;
      number.textContent = `${formatNumber(step)} of ${formatNumber(last)}`;
      places.merge = rank;
      if (shows) {
        const parts = model.taken ? 1 : 2; // a token taken from the vocabulary is both sides
        const name = steps.ranks ? `merge ${formatNumber(steps.ranks[rank] + 1)}` : " ";
        drawPair(taken, pairOfMerge(model, rank).slice(0, parts), theme, name, name);
      } else taken.draw("");
      made.draw(shows ? formatCount(steps.count[rank], "place") : "");
      return data().lines.some((line) => line.beat === lit) ? lit : (INSTEAD[lit] ?? "");
    },
  };
}
