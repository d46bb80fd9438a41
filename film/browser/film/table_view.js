// The pair table beside a lone lane of a film, or why there is none. Several lanes have none.

/** @import {Group} from "../shared/groups.js" */
/** @import {Controller} from "../shared/mount.js" */
/** @import {TableData} from "../pair_table/table.js" */
/** @import {Hex} from "../shared/feed_types.js" */
/** @import {MakePart} from "./shadow_parts.js" */

import { make } from "../shared/dom.js";
import { createTable } from "../pair_table/table.js";
import { pairTable } from "../token_grid/data/pair_counts.js";

const NO_TABLE =
  "No pair table: pairs are counted in the whole text, and this film holds only a part of it. The app shows the table.";
const NO_STAGES =
  "No pair table: a film cannot count the pairs of these two stages. The app shows the table.";

/** A tied pair that the viewer picks in the table. @typedef {{rank: number, pair: [Hex, Hex]}} TablePick */

/**
 * Make the table. It is empty until `show` is called.
 * @param {Group} group
 * @param {HTMLElement} lanes  where it goes, after the lane
 * @param {MakePart} part
 * @param {(pick: TablePick) => void} picks
 */
export function createTableView(group, lanes, part, picks) {
  const reason = make("p", "no-table", { "data-testid": "no-table" });
  /** @type {{host: HTMLElement, root: ShadowRoot, controller: Controller<TableData>} | null} */
  let table = null;

  /**
   * Show the table after `step` merges.
   * @param {number} step
   */
  function show(step) {
    const [{ model }] = group.lanes;
    if (group.lanes.size > 1) {
      remove();
      return reason.remove();
    }
    if (!model.whole) {
      const { text } = model.feed;
      remove();
      reason.textContent = model.stage && text.end - text.start === text.total ? NO_STAGES : NO_TABLE;
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

  /**
   * @param {ShadowRoot} root
   * @param {number} step
   */
  function at(root, step) {
    const [{ model }] = group.lanes;
    const rows = pairTable(model, step) ?? { step, rows: [], total: 0 };
    const { marker_text: marker, cells } = model.feed;
    const keys = { group: group.name, lane: 0, picks: model.picks, marker, cells };
    return {
      parentElement: root,
      data: { ...rows, ...keys },
      setStateValue: () => undefined,
      /** @type {(name: string, value: unknown) => void} */
      setTriggerValue: (key, value) => key === "pick" && picks(/** @type {TablePick} */ (value)),
    };
  }

  return { show };
}

/** @typedef {ReturnType<typeof createTableView>} TableView */
