// What the last move of the playhead changed: how often the tokens of a merge occur, and, where every word of the
// corpus is here, the pair table at this step. Nothing of it is asked of Python.

import { say } from "../shared/groups.js";
import { countNow, tokenOf } from "./feed.js";
import { pairName } from "./marking.js";
import { eachToken, idAt } from "./segmentation.js";
import { labelOf } from "./spelling.js";

// rank -> [{id, before, after}] for the token it made and those it took; without totals before and after are null
export function tokenChanges(model, rank) {
  const { left, right, ids, replaced } = model.steps;
  const gained = new Map([[ids[rank], replaced[rank]]]);
  if (!model.feed.taken) for (const id of [left[rank], right[rank]]) gained.set(id, (gained.get(id) ?? 0) - replaced[rank]);
  return [...gained].map(([id, by]) => {
    const before = countNow(model, id, rank);
    return { id, by, before, after: before === null ? null : before + by };
  });
}

// "left right" -> {left, right, count} after k merges, overlapping ones counted, in order of first occurrence
function pairsAt(model, k) {
  const sheet = model.sheets.words;
  const pairs = new Map();
  let place = -1;
  let before = -1;
  eachToken(sheet, k, 0, sheet.size, (start, end) => {
    const id = idAt(sheet, start, end);
    if (sheet.place[start] === place) {
      const name = pairName(before, id);
      const pair = pairs.get(name);
      const times = model.words.frequency[sheet.order[place]];
      if (pair) pair.count += times;
      else pairs.set(name, { left: before, right: id, count: times });
    }
    place = sheet.place[start];
    before = id;
  });
  return pairs;
}

const MOST_PAIR_ROWS = 50; // as ui/tables.py sends

// The pair table follows while it plays; without all words of the corpus here it waits for Python, at rest.
export function tellCounts(grid) {
  const counted = grid.group.tables.size && grid.turn ? pairRows(grid.model, grid.step) : null;
  if (counted) say("pairs", { group: grid.group.name, lane: grid.lane?.index ?? 0, step: grid.step, ...counted });
}

// The rows of the pair table as ui/pair_table/__init__.py sends them, or null where words of the corpus are not here.
function pairRows(model, k) {
  if (!model.feed.whole) return null;
  const { steps } = model;
  const pairs = pairsAt(model, k);
  const earlier = k ? pairsAt(model, k - 1) : pairs;
  const chosen = k < model.last ? pairName(steps.left[k], steps.right[k]) : "";
  const first = (name) => (name === chosen ? 1 : 0);
  const highest = [...pairs.values()].filter(({ count }) => count === steps.count[k]).length;
  const tied = highest > 1 && highest === steps.tied[k]; // else a trainer's own limits decide which of them count
  let total = 0;
  for (const { count } of pairs.values()) total += count;
  const rows = [...pairs]
    .sort(([a, one], [b, other]) => first(b) - first(a) || other.count - one.count)
    .slice(0, MOST_PAIR_ROWS)
    .map(([name, { left, right, count }], at) => {
      const before = earlier.get(name)?.count ?? 0;
      return {
        ...describedPair(model, left, right), rank: at + 1, count, share: count / total, change: count - before,
        new: k > 0 && before === 0, tied: tied && count === steps.count[k], chosen: name === chosen,
      };
    });
  return { rows, total: pairs.size };
}

const hexText = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");

function describedPair(model, left, right) {
  const sides = [tokenOf(model, left), tokenOf(model, right)];
  const bytes = sides.flatMap((side) => side.bytes);
  const labels = [...sides.map((side) => side.label), labelOf(bytes, model.markerByte, model.feed.marker_text)];
  return { ids: [left, right, numberOfToken(model, bytes)], labels, pair: sides.map((side) => hexText(side.bytes)) };
}

const UNBORN = 1 << 20; // numbers from here on colour tokens that no merge makes, as in ui/pair_table/__init__.py

function numberOfToken(model, bytes) {
  model.idOfBytes ??= new Map(Array.from(model.steps.ids, (id) => [hexText(tokenOf(model, id).bytes), id]));
  return model.idOfBytes.get(hexText(bytes)) ?? UNBORN + (checksum(bytes) % UNBORN);
}

// CRC-32, as zlib's
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
