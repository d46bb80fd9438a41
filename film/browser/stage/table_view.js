// The pair table beside a lone lane, or why there is none. Several lanes have none.

/** @import {CodeLine, Hex} from "../shared/feed_types.js" */
/** @import {Controller} from "../shared/mount.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {TableData} from "../pair_table/table.js" */
/** @import {MakePart} from "./parts.js" */

import { make } from "../shared/dom.js";
import { createTable } from "../pair_table/table.js";
import { isFinished } from "../player/feed.js";
import { pairTable } from "../player/pair_counts.js";
import { componentOf } from "./parts.js";

const NO_TABLE =
  "No pair table: pairs are counted in the whole text, and this film holds only a part of it. The app shows the table.";
const NO_STAGES =
  "No pair table: a film cannot count the pairs of these two stages. The app shows the table.";
const NO_COUNTS =
  "No pair table: a finished tokenizer merges in the order of its list, and counts no pairs of this text.";

/** A tied pair that the viewer picks in the table. @typedef {{rank: number, pair: [Hex, Hex]}} TablePick */

/**
 * Make the table. It is empty until `show` is called.
 * @param {GridGroup} group
 * @param {HTMLElement} lanes  where it goes, after the lane
 * @param {MakePart} part
 * @param {CodeLine[]} code  of the textbook
 * @param {(pick: TablePick) => void} picks
 */
export function createTableView(group, lanes, part, code, picks) {
  const reason = make("p", "no-table", { "data-testid": "no-table" });
  /** @type {{host: HTMLElement, root: ShadowRoot, controller: Controller<TableData>} | null} */
  let table = null;

  /** Show the table after `step` merges. @param {number} step */
  function show(step) {
    const [{ model }] = group.lanes;
    if (group.lanes.size > 1) {
      remove();
      return reason.remove();
    }
    const why = whyNoTable(model);
    if (why) {
      remove();
      reason.textContent = why;
      lanes.append(reason);
      return;
    }
    reason.remove();
    table ??= create(step);
    table.controller.update(at(table.root, step));
  }

  function remove() {
    table?.controller.remove?.();
    table?.host.remove();
    table = null;
  }

  /** @param {number} step */
  function create(step) {
    const { host, root } = part("pairs card", "pair-table");
    lanes.append(host);
    return { host, root, controller: createTable(at(root, step)) };
  }

  /** @param {ShadowRoot} root @param {number} step */
  function at(root, step) {
    const [{ model }] = group.lanes;
    const rows = pairTable(model, step) ?? { step, rows: [], total: 0 };
    const { marker_text: marker, cells } = model.feed;
    const keys = { group: group.name, lane: 0, picks: model.picks, marker, cells, code };
    return componentOf(
      root,
      { ...rows, ...keys },
      { pick: (pick) => picks(/** @type {TablePick} */ (pick)) },
    );
  }

  return { show };
}

/** Return why a film has no pair table; "" if it has one. @param {Model} model */
function whyNoTable(model) {
  if (model.replay && isFinished(model)) return NO_COUNTS;
  if (model.whole) return "";
  const { text } = model.feed;
  return model.stage && text.end - text.start === text.total ? NO_STAGES : NO_TABLE;
}

/** @typedef {ReturnType<typeof createTableView>} TableView */
