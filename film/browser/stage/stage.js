// The stage of a training: its grid, the pair table and what the last change changed beside it, every way to break the ties
// below them, and the player below all. One view draws what a page or a film says that it shows.

/** @import {CodeLine} from "../shared/feed_types.js" */
/** @import {PairTable} from "../player/pair_counts.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {GridData, GridGroup} from "../token_grid/types.js" */
/** @import {ChangeData} from "./change.js" */
/** @import {CountData} from "./parts.js" */
/** @import {TablePick} from "./table_view.js" */
/** @import {ShownWay} from "./way_view.js" */

import { themeOf } from "../shared/colour.js";
import { make, setHidden } from "../shared/dom.js";
import { groupNamed, hear } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { takeToStage } from "../shared/on_stage.js";
import { adoptSheet } from "../shared/sheet.js";
import { createGrid } from "../token_grid/grid.js";
import { createChange } from "./change.js";
import { componentOf, createCountLine, createParts } from "./parts.js";
import { SHEETS } from "./sheets.js";
import { createTableView } from "./table_view.js";
import { createWayView } from "./way_view.js";

/**
 * What stands around the grid.
 * @typedef {object} Around
 * @property {boolean} table  whether the pair table is beside it
 * @property {CountData | null} count  of the tokens that a finished tokenizer makes of the text
 * @property {CodeLine[]} code  of the textbook, in place of the table
 * @property {ChangeData} change
 * @property {(ShownWay & {few: boolean}) | null} way  null if the stage does not show it; `few`: whether it is low
 * @property {{sentence: string, undoes: boolean} | null} taken  what the last press in it did, and whether that can be undone
 */

/** What a page shows of a training. @typedef {GridData & Around} StageData */

const HIGH = "(min-height: 1000px)"; // windows in which the table may be higher than the text, as in stage.css

/** @param {Component<StageData>} component @returns {Controller<StageData>} */
export function createTrainingStage(component) {
  const root = rootOf(component, "[data-testid=stage]");
  const { group: name, code } = component.data;
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const part = createParts(SHEETS, "page-part");
  takeToStage(root, [name], signal);
  const text = part("grid", "token-grid");
  const player = part("grid", "grid-transport", "token-grid");
  const slot = /** @type {HTMLElement} */ (player.root.firstElementChild);
  const change = createChange((rank) => component.setTriggerValue("undo", rank));
  const count = make("div", "count", { "data-testid": "token-count-line" });
  const writeCount = createCountLine(count);
  const pairs = make("div", "pairs-place");
  const table = createTableView(group, pairs, part, code, {
    picks: (pick) => component.setTriggerValue("pick", inOctets(pick)),
    all: (step) => component.setTriggerValue("all", step),
  });
  const ways = createWayView(name, part, (place) => component.setTriggerValue("pressed", place));
  const taken = make("div", "aside taken", { "data-testid": "every-way-taken", hidden: true });
  ways.element.append(taken);
  root.append(
    make("div", "text-place", {}, count, text.host, change.picked),
    make("div", "player-place", {}, player.host),
    make("div", "beside", {}, pairs, change.told),
    ways.element,
  );
  group.slot = slot;
  const grid = createGrid(gridComponent());
  let isPainted = false;
  /** @type {{id: string, table: PairTable} | null} */
  let counted = null; // by Python, of a feed that lacks words of the text

  hear("counted", name, signal, (rows) => {
    counted = { id: rows.id, table: /** @type {PairTable} */ (rows.table) };
    if (isPainted && !group.playhead?.playing) drawTable();
  });
  hear("step", name, signal, () => {
    root.classList.toggle("predicting", Boolean(group.playhead?.predicting));
  });

  function gridComponent() {
    return componentOf(text.root, component.data, {
      step: rests,
      window: (start) => component.setStateValue("window", start),
      pick: (pick) => component.setTriggerValue("pick", pick),
    });
  }

  /** @param {unknown} step */
  function rests(step) {
    component.setStateValue("step", step);
    if (isPainted) drawTable();
  }

  /** @type {Controller<StageData>["update"]} */
  function update(next) {
    component = next;
    adoptSheet(root, SHEETS.stage);
    const { change: changed, count: counts, way } = next.data;
    root.dataset.theme = themeOf(root);
    root.classList.toggle("few-ways", Boolean(way?.few));
    root.classList.toggle("some-ways", Boolean(way) && !way?.few);
    setHidden(ways.element, !way);
    setHidden(count, !counts);
    writeCount(counts);
    change.draw(changed);
    root.style.setProperty("--what-if", `${change.told.offsetHeight}px`); // of which the table makes room
    grid.update(gridComponent());
    // The first frame waits for nothing but the grid, unless the table decides where the player is.
    if (isPainted || matchMedia(HIGH).matches) drawAround();
    else requestAnimationFrame(() => setTimeout(drawAround));
  }

  function drawAround() {
    if (signal.aborted) return;
    isPainted = true;
    drawTable();
    const { way } = component.data;
    if (way) ways.show({ ...way, takes: true, fitted: true });
    else ways.remove();
    drawTaken();
  }

  function drawTable() {
    const [lane] = group.lanes;
    if (!component.data.table || !lane) return table.remove();
    const { whole, feed } = lane.model;
    const theirs = counted?.id === feed.id ? counted.table : null;
    if (whole || theirs) table.show(group.playhead?.step ?? 0, theirs);
  }

  function drawTaken() {
    const { taken: did } = component.data;
    setHidden(taken, !did);
    const undo = () => component.setTriggerValue("undo_way", true);
    const button = make("button", "", { type: "button", "data-testid": "undo-way", click: undo }, "Undo");
    taken.replaceChildren(did?.sentence ?? "", ...(did?.undoes ? [button] : []));
  }

  function remove() {
    lifetime.abort();
    table.remove();
    ways.remove();
    grid.remove?.();
    if (group.slot === slot) group.slot = null;
  }

  return { update, remove };
}

/** Return a pick of the table as the grid sends it. @param {TablePick} pick */
function inOctets({ rank, pair }) {
  const [left, right] = pair.map((hex) => (hex.match(/../g) ?? []).map((two) => Number.parseInt(two, 16)));
  return { rank, left, right };
}
