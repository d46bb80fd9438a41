/** @import {EveryWay, WayNode, WayStrand} from "../../film/browser/shared/feed_types.js" */

import assert from "node:assert/strict";
import { test } from "node:test";
import { bandsOf, isPart, measureColumns, readCell } from "../../film/browser/aligned_rows/rows.js";
import { tabsOf } from "../../film/browser/shared/chip.js";
import {
  CHIP,
  DOT,
  curve,
  curveY,
  dotX,
  layOutWays,
  keepApart,
} from "../../film/browser/every_way/layout.js";

/**
 * @param {number} start
 * @param {number} end
 * @param {import("../../film/browser/shared/feed_types.js").ChipLabel} label
 */
function cell(start, end, label = "ab", kind = "token") {
  return readCell([start, end, label, "", kind, 0]);
}

test("a cell's columns are wide enough for what stands in it", () => {
  const rows = [[cell(0, 1, "a"), cell(1, 2, "a")], [cell(0, 2, "a long label over both")]];
  const { first, last, widths } = measureColumns(rows);
  assert.deepEqual([first, last], [0, 2]);
  assert.ok(widths[0] + widths[1] >= "a long label over both".length * 9);
  assert.equal(widths[0], widths[1]);
});

test("wide characters take the room of two letters", () => {
  const width = (/** @type {string} */ label) => measureColumns([[cell(0, 1, label)]]).widths[0];
  assert.equal(width("語語"), width("abcd"));
});

test("bands follow each other, fit the room, and cut no cell where they need not", () => {
  const words = Array.from({ length: 30 }, (_, at) => cell(3 * at, 3 * at + 3, "wordword"));
  const letters = Array.from({ length: 90 }, (_, at) => cell(at, at + 1, "w"));
  for (const room of [200, 400, 1000]) {
    const { bands, columns } = bandsOf([words, letters], room);
    assert.equal(bands[0][0], 0);
    assert.equal(bands.at(-1)?.[1], 90);
    bands.forEach(([from, to], at) => {
      if (at) assert.equal(from, bands[at - 1][1]);
      const width = columns.widths.slice(from, to).reduce((sum, one) => sum + one, 0);
      assert.ok(width <= room);
      assert.equal(to % 3, 0);
    });
  }
});

test("a cell wider than the room is cut", () => {
  const { bands } = bandsOf([[cell(0, 4, "a token that is much wider than the room there is")]], 100);
  assert.ok(bands.length > 1);
});

test("the last band is not much shorter than the others", () => {
  const letters = Array.from({ length: 21 }, (_, at) => cell(at, at + 1, "w"));
  const { bands } = bandsOf([letters], 20 * 27);
  assert.equal(bands.length, 2);
  const [one, other] = bands.map(([from, to]) => to - from);
  assert.ok(Math.abs(one - other) <= 4);
});

test("rows without cells have no bands", () => {
  assert.deepEqual(bandsOf([[]], 100).bands, []);
});

test("a part of a character is known by its bytes, and typed text that looks like them is none", () => {
  assert.ok(isPart(cell(0, 1, ["", "E2 82"])));
  assert.ok(!isPart(cell(0, 1, ["", "E2", "a"])));
  assert.ok(!isPart(cell(0, 1, ["", "E2"], "lost")));
  assert.ok(!isPart(cell(0, 1, "<0xE2>")));
});

/**
 * @param {number} merges
 * @param {number[]} tokens
 * @param {number} number
 * @returns {WayNode}
 */
const node = (merges, tokens, number = 0) => ({
  merges,
  number,
  tokens,
  more: 0,
  meeting: false,
  open: false,
  words: [],
});

/** @param {number} source @param {number} target @param {Partial<WayStrand>} more @returns {WayStrand} */
const strand = (source, target, more = {}) => {
  const usual = { source, target, merges: 1, tokens: [0], more: 0, splits: 0, tie: "detour" };
  return { ...usual, kind: "merge", ...more };
};

/** Two ways that part and meet, and then seven pairs in any order. @type {EveryWay} */
const WAY = {
  sentence: "",
  note: "",
  more: "",
  until: 9,
  tokens: ["es", "t", "est"],
  nodes: [node(0, [], 0), node(1, [0], 1), node(1, [1], 2), node(2, [2], 3), node(9, [0, 1], 4)],
  strands: [
    strand(0, 1),
    strand(0, 2),
    strand(1, 3),
    strand(2, 3),
    strand(3, 4, { kind: "lens", merges: 7, tokens: [0, 1, 2, 0, 1, 2, 0] }),
  ],
  lines: [
    { title: "one", strands: [0, 2, 4], merges: 9 },
    { title: "other", strands: [1, 3, 4], merges: 9 },
  ],
  splits: [[1, 2]],
};

const lay = (/** @type {string[]} */ opened = [], room = 0) =>
  layOutWays(
    WAY,
    (token) => tabsOf(WAY.tokens[token]),
    (text) => 9 * text.length,
    { room, opened: new Set(opened) },
  );

test("merges run to the right, and splits after as many merges are one below the other without touching", () => {
  const { nodes, columns, width, height } = lay();
  const xs = columns.map(({ x }) => x);
  assert.deepEqual(
    xs,
    xs.toSorted((one, other) => one - other),
  );
  assert.equal(nodes[1].x, nodes[2].x);
  assert.ok(Math.abs(nodes[1].y - nodes[2].y) > CHIP);
  assert.ok(nodes.every(({ x, y }) => x > 0 && y > 0 && x < width && y < height));
});

test("where all ways meet, the node is in the middle", () => {
  const { nodes } = lay();
  assert.equal(nodes[3].y, (nodes[1].y + nodes[2].y) / 2);
});

test("x grows along every line, so a dot has one y", () => {
  for (const { points } of lay().lines) {
    points.slice(1).forEach(({ x }, at) => assert.ok(x >= points[at].x));
  }
});

test("a dot goes from node to node with the merges, and rests where its training ended", () => {
  const { lines, nodes } = lay();
  const [line] = lines;
  const edge = (/** @type {number} */ at) => nodes[at].x - nodes[at].width / 2 - DOT - 3; // before its chips
  assert.equal(dotX(line, 0), nodes[0].x); // in the ring of a node without chips
  assert.equal(dotX(line, 1), edge(1));
  assert.equal(dotX(line, 1.5), (edge(1) + edge(3)) / 2);
  assert.equal(dotX(line, 40), nodes[4].x);
});

test("the dots of two lines part and meet again", () => {
  const { lines } = lay();
  const at = (/** @type {number} */ step) => lines.map((line) => curveY(line.points, dotX(line, step)));
  const [first, other] = at(1);
  assert.ok(Math.abs(first - other) > CHIP);
  const [met, alike] = at(2);
  assert.ok(Math.abs(met - alike) < CHIP / 2); // each on its own path, just before the place where these meet
});

test("a curve is where its path is", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 100, y: 50 },
  ];
  assert.equal(curve(points), "M0.0 0.0 C50.0 0.0 50.0 50.0 100.0 50.0");
  assert.ok(Math.abs(curveY(points, 50) - 25) < 0.01);
  assert.ok(Math.abs(curveY(points, 10) - 50 * (3 * 0.0775 ** 2 - 2 * 0.0775 ** 3)) < 0.2);
});

test("a lens shows some of its chips and how many more there are, and all of them when it is open", () => {
  const [closed, opened] = [lay(), lay(["3 4"])].map(({ strands }) => strands[4]);
  assert.equal(closed.label, "7 pairs, in any order");
  assert.deepEqual(
    closed.body?.chips.map(({ letters }) => letters),
    ["es", "t", "est", "es", "t", "+2"],
  );
  assert.equal(opened.body?.chips.length, 7);
  assert.ok((opened.body?.width ?? 0) > (closed.body?.width ?? 0));
});

test("where a lens tells all that is new, the node is a ring", () => {
  assert.equal(lay().nodes[4].chips.length, 0);
  assert.equal(lay().nodes[3].chips.length, 1);
});

test("a run has a chip wherever there is room for one, and none touches another", () => {
  const run = strand(0, 1, {
    kind: "run",
    merges: 300,
    tokens: Array.from({ length: 40 }, (_, at) => at % 3),
  });
  /** @type {EveryWay} */
  const way = { ...WAY, nodes: [node(0, [], 0), node(300, [0], 1)], strands: [run], lines: [], splits: [] };
  const { strands } = layOutWays(
    way,
    (token) => tabsOf(WAY.tokens[token]),
    (text) => 9 * text.length,
    { room: 900, opened: new Set() },
  );
  const { x, width, chips } = strands[0].body ?? assert.fail();
  assert.ok(chips.length > 8);
  chips.slice(1).forEach((chip, at) => assert.ok(chip.x > chips[at].x + chips[at].width + 8));
  const last = chips[chips.length - 1];
  assert.ok(chips[0].x > x - width / 2 && last.x + last.width < x + width / 2);
  assert.ok(last.x > x + 0.3 * width);
});

test("in a high room, nodes are further from each other", () => {
  const gapAt = (/** @type {number | undefined} */ height) => {
    const { nodes } = layOutWays(
      WAY,
      (token) => tabsOf(WAY.tokens[token]),
      (text) => 9 * text.length,
      { room: 900, opened: new Set(), height },
    );
    return Math.abs(nodes[1].y - nodes[2].y);
  };
  assert.ok(gapAt(600) > 1.2 * gapAt(undefined));
  assert.ok(gapAt(0) < gapAt(undefined) && gapAt(0) > CHIP);
});

test("the picture fills a wider room, but not with long empty strands", () => {
  assert.ok(lay([], 900).width > lay().width);
  assert.equal(lay([], 4000).width, lay([], 5000).width);
});

test("boxes close together get lower, and only those with room above have a label", () => {
  const body = (/** @type {number} */ x, /** @type {number} */ y) => ({
    x,
    y,
    width: 100,
    height: 40,
    chips: [],
    named: true,
  });
  const bodies = [body(0, 0), body(50, 34), body(0, 134), body(300, 150)];
  keepApart(bodies, [body(330, 120)]);
  assert.deepEqual(
    bodies.map(({ height }) => height),
    [32, 32, 40, 40],
  );
  assert.deepEqual(
    bodies.map(({ named }) => named),
    [true, false, true, false],
  );
});
