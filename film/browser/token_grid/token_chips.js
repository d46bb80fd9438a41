// The look of tokens in one grid: their colours, and elements that show a token within a sentence.

/** @import {ChipColours} from "../shared/colour.js" */
/** @import {ChipLabel} from "../shared/feed_types.js" */
/** @import {Grid} from "./types.js" */

import { COLOURINGS } from "../shared/colour.js";
import { chipElement, readable, shortened, withTabs } from "../shared/chip.js";
import { countNow, tokenOf } from "../player/feed.js";
import { vocabularyNow } from "../player/pair_counts.js";
import { chipLabelOf } from "../player/spelling.js";

/**
 * Make the functions that colour and draw tokens. Call `clear` when theme, colouring or feed have changed.
 * @param {Grid} grid
 */
export function createTokenChips(grid) {
  /** @type {Map<number, ChipColours>} */
  const known = new Map();

  /** @type {Grid["chip"]} */
  function chip(id) {
    // An unknown symbol: its own character in a dashed box, in every colouring.
    if (id < 0 || tokenOf(grid.model, id).unknown) {
      const { panel, tie, ink, soft } = grid.colours;
      return { fill: panel, edge: tie, ink, soft, unknown: true };
    }
    let colours = known.get(id);
    if (!colours) {
      colours = COLOURINGS[grid.options.colour].chip(grid.theme, tokenOf(grid.model, id));
      known.set(id, colours);
    }
    return colours;
  }

  /** @type {Grid["chipFor"]} */
  function chipFor(id) {
    const { bytes } = tokenOf(grid.model, id);
    const { marker_text: marker } = grid.model.feed;
    const spelling = shortened(chipLabelOf(bytes, grid.model.spelling));
    const text = grid.options.glyphs ? spelling : withSpaces(spelling);
    return chipElement(readable(text, marker), chip(id));
  }

  return { chip, chipFor, clear: () => known.clear() };
}

/**
 * Return the nodes of a sentence about tokens, with the marker as a tab. If the text itself has the marker's letters, they
 * could be meant, and the sentence spells it.
 * @param {Pick<Grid, "model">} grid
 * @param {string} text
 */
export function sentenceParts({ model }, text) {
  const { marker_text: marker } = model.feed;
  const letters = new Set(model.symbols.filter(({ kind }) => kind !== "marker").map(({ label }) => label));
  return withTabs(text, [...marker].every((letter) => letters.has(letter)) ? "" : marker);
}

const MOST_LISTED = 200; // chips of a vocabulary

/**
 * Return the size of the vocabulary after the steps done, and chips of its newest tokens. One no longer in use is dashed.
 * @param {Grid} grid
 */
export function vocabularyOf({ model, step, chipFor }) {
  const made = Array.from(model.steps.ids.slice(0, step)).toReversed();
  const alphabet = model.symbols.filter(({ unknown }) => !unknown).map(({ id }) => id);
  const ids = [...new Set([...made, ...alphabet])];
  const chips = ids.slice(0, MOST_LISTED).map((id) => {
    const chip = chipFor(id);
    chip.classList.toggle("unused", countNow(model, id, step) === 0);
    return chip;
  });
  return { number: vocabularyNow(model, step) ?? ids.length, chips };
}

/** Write spaces as spaces. @param {ChipLabel} label @returns {ChipLabel} */
function withSpaces(label) {
  const plain = (/** @type {string} */ text) => text.replaceAll("·", " ");
  return typeof label === "string" ? plain(label) : label.map(plain);
}
