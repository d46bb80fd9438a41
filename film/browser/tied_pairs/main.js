// Tells a grid which pairs tie at the step it rests on, where its feed does not say. Nothing to see.

/** @import {Component, Controller} from "../shared/mount.js" */

import { hear, say } from "../shared/groups.js";
import { mount } from "../shared/mount.js";

/**
 * What Python sends. The feed's id goes along, as another training may stand at this step by then.
 * @typedef {{group: string, id: string, step: number, pairs: [number, number][]}} TiedPairs
 */

/**
 * @param {Component<TiedPairs>} component
 * @returns {Controller<TiedPairs>}
 */
function createTeller({ data }) {
  const gone = new AbortController();
  let tied = data;

  // Told when the pairs come, and again when the grid comes to this step: either may be first.
  hear("step", data.group, gone.signal, ({ step, playing }) => {
    if (step === tied.step && !playing) say("tied", tied);
  });

  /** @type {Controller<TiedPairs>["update"]} */
  function update(next) {
    tied = next.data;
    say("tied", tied);
  }
  return { update, remove: () => gone.abort() };
}

export default mount(createTeller);
