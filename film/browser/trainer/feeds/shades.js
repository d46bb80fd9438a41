// Shades: colours of several lanes, in which a token has the same colour in every lane, as film/labels.py numbers them.

/** @import {TrainingFeed} from "../../shared/feed/feed_types.js" */
/** @import {Training} from "../training/training.js" */

import { packNumbers } from "./packing.js";

/**
 * Return the lanes' feeds in the colours of the comparison.
 * @param {Training[]} trainings
 * @param {TrainingFeed[]} feeds  of these
 * @returns {TrainingFeed[]}
 */
export function sharedShades(trainings, feeds) {
  // Symbols with the same marker can be compared as bytes.
  const isSame = new Set(trainings.map(({ variant }) => variant.marker)).size === 1;
  /** @type {Map<string, number>} */
  const numbers = new Map();
  return trainings.map((training, lane) => {
    const { symbols, reader, recipe } = training;
    const specials = recipe.special_tokens?.length ?? 0;
    const before = numbers.size ? 0 : specials; // ids count from the special tokens of the first lane
    const shades = symbols.map((symbol) => {
      const name = isSame ? symbol : reader.spelled(symbol);
      const number = numbers.get(name) ?? numbers.size + before;
      numbers.set(name, number);
      return number;
    });
    const none = Array.from({ length: specials }, () => 0);
    return { ...feeds[lane], shades: packNumbers([...none, ...shades]) };
  });
}
