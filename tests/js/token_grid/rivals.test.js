// The places of tied pairs that a merge uses up are outlined, and only those.

/** @import {Mark} from "../../../film/browser/token_grid/marking.js" */
/** @import {Layout} from "../../../film/browser/token_grid/layout.js" */

import assert from "node:assert/strict";
import { test } from "node:test";
import { pairName } from "../../../film/browser/player/pair_counts.js";
import { eachMark, visibleMarksAt } from "../../../film/browser/token_grid/marking.js";
import { cellsOf } from "../../../film/browser/player/segmentation.js";
import { decodeFeed } from "../../../film/browser/player/feed.js";
import { fixtures } from "../fixtures.js";

/** @param {import("../../../film/browser/player/feed.js").Model} model @param {number} step */
function marked(model, step) {
  const { counted: cells } = cellsOf(model);
  const layout = /** @type {Layout} */ (/** @type {unknown} */ ({ cells, metrics: { pill: 0 } }));
  const grid = { model, step, tied: new Set(["one", "other"]), cursor: null, differsAt: () => false };
  /** @type {[Mark, number, number][]} */
  const marks = [];
  const visibleMarks = visibleMarksAt("rest", false);
  eachMark({ ...grid, visibleMarks }, layout, 0, cells.size, (...mark) => void marks.push(mark));
  return { cells, marks };
}

test("a rival's place is outlined exactly where the merge uses it up", () => {
  let outlined = 0;
  for (const { name, feed } of fixtures.trainings) {
    const model = decodeFeed(feed);
    if (!model.whole || model.stage || model.replay) continue;
    for (let step = 0; step < model.last; step++) {
      const { cells, marks } = marked(model, step);
      const rivals = model.rivals.get(step) ?? [];
      const used = marks.filter(([mark]) => mark === "rival");
      outlined += used.length;
      if (rivals.length) assert.ok(used.length, `${name}, merge ${step + 1}`);
      else assert.deepEqual(used, [], `${name}, merge ${step + 1}`);
      const { left, right } = model.steps;
      if (left[step] === right[step]) continue; // a run: not every place of the pair is merged
      if (rivals.some(({ pair }) => pairName(...pair) === pairName(right[step], left[step]))) continue;
      const lost = used.reduce((sum, [, start]) => {
        return sum + model.words.frequency[cells.words[cells.item[start]]];
      }, 0);
      const losses = rivals.reduce((sum, rival) => sum + rival.lost, 0);
      assert.equal(lost, losses, `${name}, merge ${step + 1}`);
    }
  }
  assert.ok(outlined > 100);
});
