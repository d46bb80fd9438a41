// The stage of an encoding, as one component: how many tokens the text becomes, its grid with the player, and the code.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {GridData, GridGroup} from "../../../film/browser/token_grid/types.js" */
/** @import {ListingData} from "../../../film/browser/code/listing.js" */
/** @import {CountData} from "../../../film/browser/stage/parts.js" */

import { createListing } from "../../../film/browser/code/listing.js";
import { tokensAt } from "../../../film/browser/player/segmentation.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { make } from "../../../film/browser/shared/dom.js";
import { groupNamed, hear } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";
import { takeToStage } from "../../../film/browser/shared/on_stage.js";
import { sheetText } from "../../../film/browser/shared/sheet.js";
import { componentOf, createCountLine, createParts } from "../../../film/browser/stage/parts.js";
import { GRID_SHEET } from "../../../film/browser/stage/grid_sheet.js";
import { createGrid } from "../../../film/browser/token_grid/grid.js";

const SHEETS = {
  "token-grid": GRID_SHEET,
  listing: sheetText("../../../film/browser/code/main.css"),
};

/**
 * What Python sends beside the grid.
 * @typedef {object} Around
 * @property {CountData | null} count  null until the whole text is encoded
 * @property {string[]} about  sentences on it
 * @property {ListingData} listing
 */

/** @typedef {GridData & Around} EncodingData */

/** @param {Component<EncodingData>} component @returns {Controller<EncodingData>} */
function createEncodingStage(component) {
  const root = rootOf(component, "[data-testid=stage]");
  const { group: name } = component.data;
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const lifetime = new AbortController();
  takeToStage(root, [name], lifetime.signal);
  const part = createParts(SHEETS, "page-part");
  const text = part("grid", "token-grid");
  const code = part("mbm listing", "listing");
  const count = make("div", "count", { "data-testid": "token-count-line" });
  const writeCount = createCountLine(count);
  const about = make("div");
  root.append(count, about, make("div", "picture", {}, text.host, code.host));
  const grid = createGrid(gridComponent());
  const listing = createListing(codeComponent());
  hear("step", name, lifetime.signal, drawCount);

  function gridComponent() {
    return componentOf(text.root, component.data, {
      step: (step) => component.setStateValue("step", step),
      window: (start) => component.setStateValue("window", start),
    });
  }

  function codeComponent() {
    return componentOf(code.root, component.data.listing);
  }

  /** @type {Controller<EncodingData>["update"]} */
  function update(next) {
    component = next;
    root.dataset.theme = themeOf(root);
    about.replaceChildren(...next.data.about.map((sentence) => make("p", "aside about", {}, sentence)));
    grid.update(gridComponent());
    listing.update(codeComponent());
    drawCount();
  }

  function drawCount() {
    const [lane] = group.lanes;
    if (!lane) return;
    const { reading, step, last, model } = lane;
    const { start, end, total } = model.feed.text;
    const now = end - start === total ? `, ${formatNumber(tokensAt(reading, step))} now` : "";
    writeCount(component.data.count, step < last ? `at the end${now}` : "");
  }

  function remove() {
    lifetime.abort();
    listing.remove?.();
    grid.remove?.();
  }

  return { update, remove };
}

export default mount(createEncodingStage);
