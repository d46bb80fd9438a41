// Sends a grid the pairs that tie at the step where it rests, and the pair table beside it its rows, if the feed does not
// hold all words. Draws nothing.

/** @import {PairTable} from "../shared/feed_types.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { hear, say } from "../shared/groups.js";
import { mount } from "../shared/mount.js";

/**
 * What Python sends. It includes the feed's id, since by then another training may be at this step.
 * @typedef {{group: string, id: string, step: number, pairs: [number, number][], table: PairTable | null}} TiedPairs
 */

/** @param {Component<TiedPairs>} component @returns {Controller<TiedPairs>} */
function createTeller({ data }) {
  const lifetime = new AbortController();
  let tied = data;

  // Sent when the pairs arrive, and again when the grid reaches this step: either may be first.
  hear("step", data.group, lifetime.signal, ({ step, playing }) => {
    if (step === tied.step && !playing) say("tied", tied);
  });

  /** @type {Controller<TiedPairs>["update"]} */
  function update(next) {
    tied = next.data;
    say("tied", tied);
    if (tied.table) say("counted", { group: tied.group, id: tied.id, table: tied.table });
  }
  return { update, remove: () => lifetime.abort() };
}

export default mount(createTeller);
