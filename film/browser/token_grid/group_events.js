// What a grid hears from the other elements of its group: what to highlight, which pairs tie, where to go.

/** @import {Light} from "../shared/groups.js" */
/** @import {Grid} from "./types.js" */

import { hear } from "../shared/groups.js";
import { tiedPairs } from "./data/feed.js";
import { leadsGroup } from "./data/lanes.js";
import { litRanges } from "./painting/marking.js";
import { showPairs } from "./drawing/merge_in_sight.js";
import { fillSlot } from "./playing/transport.js";

/**
 * React to the events of the group, until the signal aborts.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 * @param {{setLit: (light: Light | null) => void, setTied: (pairs: [number, number][]) => void}} setters
 */
export function followGroup(grid, signal, { setLit, setTied }) {
  const { group, root, playhead } = grid;
  hear("light", group.name, signal, (light) => {
    setLit(light.none ? null : light);
    root.classList.toggle("lighting", !light.none);
    if (light.from === "lesson" || light.from === "prediction") scrollToLight(grid);
    grid.paintMarks();
  });
  // Pairs that the feed holds need not be sent.
  hear("tied", group.name, signal, ({ id, step, pairs }) => {
    if (id !== grid.model.feed.id || step !== grid.step || tiedPairs(grid.model, step)) return;
    setTied(pairs);
    grid.panels.headline.draw();
    grid.paintMarks();
  });
  hear("named", group.name, signal, () => showPairs(grid));
  hear("slot", group.name, signal, () => fillSlot(grid));
  hear("jump", group.name, signal, ({ step }) => leadsGroup(grid) && playhead.seek(step));
}

/**
 * Scroll to the first highlighted token, unless one is in sight.
 * @param {Grid} grid
 */
function scrollToLight(grid) {
  const { viewport } = grid.elements;
  const lines = grid.layouts.flatMap((layout) => {
    const { top, line, metrics, cells } = layout;
    const starts = litRanges(grid, layout, 0, cells.size).map(([start]) => top + line[start] * metrics.pitch);
    return starts.map((y) => ({ y, low: y + metrics.pitch }));
  });
  const from = viewport.scrollTop;
  const to = from + viewport.clientHeight;
  if (!lines.length || lines.some(({ y, low }) => y >= from && low <= to)) return;
  viewport.scrollTop = lines[0].y;
}
