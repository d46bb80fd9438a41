// One text as bytes, as one component: its rows, what they count, whose tokens these are, and the code that spells the text.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {RowsData} from "../../../film/browser/aligned_rows/rows.js" */
/** @import {ListingData} from "../../../film/browser/code/listing.js" */

import { createRows } from "../../../film/browser/aligned_rows/rows.js";
import { createListing } from "../../../film/browser/code/listing.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { sheetText } from "../../../film/browser/shared/sheet.js";
import { componentOf, createParts } from "../../../film/browser/stage/parts.js";
import { createPictureStage } from "../../../film/browser/token_grid/picture_stage.js";

const SHEETS = {
  "aligned-rows": sheetText("../../../film/browser/aligned_rows/main.css"),
  listing: sheetText("../../../film/browser/code/main.css"),
};

/**
 * What Python sends.
 * @typedef {object} BytesData
 * @property {RowsData} rows
 * @property {string} counts  how many graphemes, code points, bytes and tokens the rows hold
 * @property {string} whose  by which merges, or under which tokenizer, there are so many tokens
 * @property {[sentence: string, press: string][]} about  whose tokens these are; `press` shows the others, "" for none
 * @property {ListingData} listing
 */

const GROUP_OF_ROWS = "bytes"; // they fill the window together with it

/** @param {Component<BytesData>} component @returns {Controller<BytesData>} */
function createBytesStage(component) {
  const root = rootOf(component, "[data-testid=stage]");
  const part = createParts(SHEETS, "page-part");
  const text = part("mbm aligned", "aligned-rows");
  const code = part("mbm listing", "listing");
  const counted = make("b");
  const whose = make("span");
  const about = make("div", "", { "data-testid": "whose-tokens" });
  root.append(text.host, make("p", "", {}, counted, whose), about, code.host);
  const lifetime = new AbortController();
  const picture = /** @type {HTMLElement} */ (text.root.firstElementChild);
  const stage = createPictureStage({ view: root, root: picture, group: GROUP_OF_ROWS }, lifetime.signal);
  const rows = createRows(rowsComponent());
  const listing = createListing(componentOf(code.root, component.data.listing));
  let said = "";

  function rowsComponent() {
    return componentOf(text.root, { ...component.data.rows, group: GROUP_OF_ROWS });
  }

  /** @type {Controller<BytesData>["update"]} */
  function update(next) {
    component = next;
    const { data } = next;
    root.dataset.theme = themeOf(root);
    rows.update(rowsComponent());
    counted.textContent = data.counts;
    whose.textContent = ` ${data.whose}.`;
    if (said !== (said = JSON.stringify(data.about))) about.replaceChildren(...data.about.map(lineOf));
    listing.update(componentOf(code.root, data.listing));
    stage.resume();
  }

  /** @param {[sentence: string, press: string]} line */
  function lineOf([sentence, press]) {
    const button = makeButton(press, "switch-tokens", () => component.setTriggerValue("switch", true));
    return make("p", "aside row about", {}, make("span", "", {}, sentence), ...(press ? [button] : []));
  }

  function remove() {
    lifetime.abort();
    rows.remove?.();
    listing.remove?.();
  }

  return { update, remove };
}

export default mount(createBytesStage);
