// Words that do not fill the stage of a hall stand in its middle.

/** @import {Room} from "./room.js" */

import { arrange } from "../layout/layout.js";

const LEAST_ROOM = 24; // px to the right of the longest line, below which it is not moved

/**
 * Return a room in the middle of the space there is. Words that are read from right to left keep to their side.
 * @param {Room} room
 * @param {number} height  of the viewport
 * @returns {Room}
 */
export function centred(room, height) {
  const above = Math.max(0, Math.floor((height - room.height) / 2));
  for (const layout of room.layouts) layout.top += above;
  const natural = Math.ceil(Math.max(...room.layouts.map(longestLine)));
  const beside = room.width - natural < LEAST_ROOM ? 0 : Math.floor((room.width - natural) / 2);
  return { ...room, height: room.height + above, inset: beside, width: beside ? natural : room.width };
}

/** @param {Room["layouts"][number]} layout */
function longestLine(layout) {
  if (layout.direction || layout.longItems.length) return layout.width; // tokens of a long word change lines
  if (layout.drawsChips) arrange(layout, 0); // no line is longer at a later step
  return layout.x.reduce((most, x, cell) => Math.max(most, x + layout.w[cell]), 0);
}
