// Which tokens are marked and how, for both drawings: eachMark and litRanges look at cells [from, to) of one place.

import { eachToken, endOf, idAt, startOf, tokensMade } from "./segmentation.js";

// Calls mark(kind, start, end): "winner" | "tied" | "tied below" (pairs), "fresh" | "differs" | "cursor" (tokens).
export function eachMark(grid, place, from, to, mark) {
  const { sheet } = place;
  const { step, model } = grid;
  if (grid.shows.tied && grid.tied.size > 1) {
    let reached = -1;
    let below = false; // of two pairs that share a token
    eachPair(grid, place, from, to, (pair, start, end) => {
      if (!grid.tied.has(pair)) return;
      below = start < reached && !below;
      reached = end;
      mark(below ? "tied below" : "tied", start, end);
    });
  }
  if (grid.shows.winner && step < model.last) {
    for (const [start, end] of tokensMade(sheet, step)) if (end > from && start < to) mark("winner", start, end);
  }
  if (grid.shows.fresh && step > 0) {
    for (const [start, end] of tokensMade(sheet, step - 1)) if (end > from && start < to) mark("fresh", start, end);
  }
  if (grid.shows.differs) {
    eachToken(sheet, step, from, to, (start, end) => grid.differsAt(sheet, start, end) && mark("differs", start, end));
  }
  const { cursor } = grid;
  if (cursor && cursor.place === place) mark("cursor", startOf(sheet, step, cursor.cell), endOf(sheet, step, cursor.cell));
}

export const pairName = (left, right) => `${left} ${right}`;

// Neighbouring tokens of one word, as draw("left right", start, end).
function eachPair(grid, place, from, to, draw) {
  const { sheet } = place;
  let before = -1;
  let beforeId = -1;
  eachToken(sheet, grid.step, from, to, (start, end) => {
    const id = idAt(sheet, start, end);
    if (before >= 0 && sheet.place[before] === sheet.place[start]) draw(pairName(beforeId, id), before, end);
    before = start;
    beforeId = id;
  });
}

export function litRanges(grid, place, from, to) {
  const lit = [];
  if (grid.lit.token !== undefined) {
    eachToken(place.sheet, grid.step, from, to, (start, end) => {
      if (idAt(place.sheet, start, end) === grid.lit.token) lit.push([start, end]);
    });
    return lit;
  }
  const name = pairName(grid.lit.left, grid.lit.right);
  eachPair(grid, place, from, to, (pair, start, end) => pair === name && lit.push([start, end]));
  return lit;
}
