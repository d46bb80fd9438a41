// The pair table beside a lone lane, or why a film has none. Several lanes have none.

/** @import {CodeLine, Hex} from "../shared/feed_types.js" */
/** @import {PairTable} from "../player/pair_counts.js" */
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
 * What hears from the table.
 * @typedef {object} TableListeners
 * @property {(pick: TablePick) => void} picks
 * @property {(step: number) => void} [all]  shows all pairs after so many merges; without it the table offers none
 */

/**
 * Make the table. It is empty until `show` is called.
 * @param {GridGroup} group
 * @param {HTMLElement} place  gets it as its last child
 * @param {MakePart} part
 * @param {CodeLine[]} code  of the textbook
 * @param {TableListeners} listeners
 */
export function createTableView(group, place, part, code, { picks, all }) {
  const reason = make("p", "no-table", { "data-testid": "no-table" });
  /** @type {{host: HTMLElement, root: ShadowRoot, controller: Controller<TableData>} | null} */
  let table = null;

  /**
   * Show the table after `step` merges.
   * @param {number} step
   * @param {PairTable | null} [counted]  by who has the whole text, if the feed has not; at this step or an earlier one
   */
  function show(step, counted = null) {
    const [{ model }] = group.lanes;
    if (group.lanes.size > 1) {
      remove();
      return reason.remove();
    }
    const why = counted ? "" : whyNoTable(model);
    if (why) {
      remove();
      reason.textContent = why;
      place.append(reason);
      return;
    }
    reason.remove();
    const rows = pairTable(model, step) ?? counted ?? { step, rows: [], total: 0 };
    table ??= create(rows);
    table.controller.update(at(table.root, rows));
  }

  function remove() {
    table?.controller.remove?.();
    table?.host.remove();
    table = null;
  }

  /** @param {PairTable} rows */
  function create(rows) {
    const { host, root } = part("pairs card", "pair-table");
    place.append(host);
    return { host, root, controller: createTable(at(root, rows)) };
  }

  /** @param {ShadowRoot} root @param {PairTable} rows */
  function at(root, rows) {
    const [{ model }] = group.lanes;
    const { marker_text: marker, cells } = model.feed;
    const keys = { group: group.name, lane: 0, picks: model.picks, opens: Boolean(all), marker, cells, code };
    return componentOf(
      root,
      { ...rows, ...keys },
      { pick: (pick) => picks(/** @type {TablePick} */ (pick)), all: (step) => all?.(Number(step)) },
    );
  }

  return { show, remove };
}

/** Return why a film has no pair table; "" if it has one. @param {Model} model */
function whyNoTable(model) {
  if (model.replay && isFinished(model)) return NO_COUNTS;
  if (model.whole) return "";
  const { text } = model.feed;
  return model.stage && text.end - text.start === text.total ? NO_STAGES : NO_TABLE;
}

/** @typedef {ReturnType<typeof createTableView>} TableView */
