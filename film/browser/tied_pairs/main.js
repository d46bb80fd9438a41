// Sends grids the pairs that tie at the step where they rest, and the pair table beside one its rows, if their feeds do not
// hold all words. Draws nothing.

/** @import {PairTable} from "../player/pair_counts.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { hear, say } from "../shared/groups.js";
import { mount } from "../shared/mount.js";

/**
 * What Python sends of each lane. It includes the feed's id, since by then another training may be at this step.
 * @typedef {{id: string, step: number, pairs: [number, number][], table: PairTable | null}} TiedPairs
 */

/** @typedef {{group: string, lanes: TiedPairs[]}} TellerData */

/** @param {Component<TellerData>} component @returns {Controller<TellerData>} */
function createTeller({ data }) {
  const lifetime = new AbortController();
  const { group } = data;
  let { lanes } = data;

  // Sent when the pairs arrive, and again when the grids reach this step: either may be first.
  hear("step", group, lifetime.signal, ({ step, playing }) => {
    if (!playing) tell((tied) => step === tied.step);
  });

  /** @param {(tied: TiedPairs) => boolean} isDue */
  function tell(isDue) {
    for (const { id, step, pairs } of lanes.filter(isDue)) say("tied", { group, id, step, pairs });
  }

  /** @type {Controller<TellerData>["update"]} */
  function update(next) {
    ({ lanes } = next.data);
    tell(() => true);
    for (const { id, table } of lanes) if (table) say("counted", { group, id, table });
  }
  return { update, remove: () => lifetime.abort() };
}

export default mount(createTeller);
