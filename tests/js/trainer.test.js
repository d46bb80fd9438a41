// The page's trainer makes the feeds that Python makes, once these are unpacked, and refuses what Python refuses.

/** @import {Live, Recipe} from "../../film/browser/trainer/live_types.js" */
/** @import {ChipColours} from "../../film/browser/shared/colour.js" */
/** @import {Feed} from "../../film/browser/shared/feed_types.js" */
/** @import {FeedOptions} from "../../film/browser/trainer/feeds.js" */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unpackNumbers } from "../../film/browser/shared/numbers.js";
import { coloursOf, oklchOf } from "../../film/browser/shared/colour.js";
import { decodeFeed, tokenOf } from "../../film/browser/player/feed.js";
import { pairsAt } from "../../film/browser/player/pair_counts.js";
import { kindText, whyChosen } from "../../film/browser/token_grid/wording.js";
import { createTrainer } from "../../film/browser/trainer/trainer.js";
import { TrainerError, specialCharacters, compiledPattern } from "../../film/browser/trainer/text.js";

/** @typedef {{name: string, text: string, recipe: Recipe, options: FeedOptions, feed?: Feed, ties?: [number, string, string][], encoded?: [string, number, Feed], error?: string}} Case */

/** @type {{live: Live, cases: Case[], unicode: Record<string, string>}} */
const { live, cases, unicode } = JSON.parse(
  readFileSync(join(process.env.FIXTURES ?? "", "trainer.json"), "utf-8"),
);
const trainer = createTrainer(live);

/**
 * Return values of Python's with their columns unpacked, where the page's own are lists.
 * @param {any} theirs
 * @param {any} own
 * @returns {any}
 */
function unpackedAs(theirs, own) {
  if (Array.isArray(own) && typeof theirs === "string") return Array.from(unpackNumbers(theirs));
  if (Array.isArray(theirs) || typeof theirs !== "object" || !theirs) return theirs;
  return Object.fromEntries(Object.entries(theirs).map(([key, value]) => [key, unpackedAs(value, own[key])]));
}

/** @type {("family" | "cells" | "id")[]} */
const NAMES = ["family", "cells", "id"];

/**
 * Check that feeds of the page equal Python's but for their names, and that these name the same feeds as equal.
 * @param {{own: Feed, theirs: Feed, name: string}[]} pairs
 */
function assertEqualFeeds(pairs) {
  assert.ok(pairs.length);
  const unnamed = { family: "", cells: "", id: "" };
  for (const { own, theirs, name } of pairs)
    assert.deepEqual({ ...own, ...unnamed }, { ...unpackedAs(theirs, own), ...unnamed }, name);
  for (const key of NAMES) {
    const named = new Set(pairs.map(({ own, theirs }) => `${own[key]} ${theirs[key]}`));
    assert.equal(new Set(pairs.map(({ own }) => own[key])).size, named.size, key);
    assert.equal(new Set(pairs.map(({ theirs }) => theirs[key])).size, named.size, key);
  }
}

test("every feed equals Python's, unpacked", () => {
  assertEqualFeeds(
    cases.flatMap(({ name, text, recipe, options, feed }) =>
      feed ? [{ own: trainer.feed(trainer.train(text, recipe), options), theirs: feed, name }] : [],
    ),
  );
});

test("a pick that changes nothing leaves the family and the cells as they are", () => {
  const made = (/** @type {Recipe["picks"]} */ picks) =>
    trainer.feed(trainer.train("low lower", { ...recipe, picks }), { picks: true });
  const [plain, first, second] = [made({}), made({ 0: 0 }), made({ 0: 1 })];
  assert.deepEqual([first.family, first.cells, first.id], [plain.family, plain.cells, plain.id]);
  assert.notEqual(second.family, plain.family);
  assert.equal(second.cells, plain.cells);
});

test("the page says why a pair won and what its merge takes from the others, with Python's words", () => {
  /** Leave out what keeps letters of two directions in order. @param {string} text */
  const plain = (text) => text.replace(/[\u2066-\u2069]/g, "");
  const rules = new Set();
  const kinds = new Set();
  for (const { name, text, recipe, options, ties = [] } of cases) {
    if (!ties.length) continue;
    const model = decodeFeed(trainer.feed(trainer.train(text, recipe), options));
    for (const [rank, why, kind] of ties) {
      // Who cannot pick is told what Python says.
      const sentences = [whyChosen({ ...model, picks: false }, rank), kindText(model, rank)].map(plain);
      if (sentences.some((sentence) => sentence.includes(" … "))) continue; // a long token is shortened on a screen
      assert.deepEqual(sentences, [why, kind], `${name}, merge ${rank + 1}`);
      if (why) rules.add(recipe.tie_break);
      kinds.add(model.rivals.has(rank));
    }
  }
  assert.deepEqual([...rules].toSorted(), live.rules.map(({ slug }) => slug).toSorted());
  assert.equal(kinds.size, 2);
});

test("every encoding of a new text equals Python's", () => {
  assertEqualFeeds(
    cases.flatMap(({ name, text, recipe, encoded }) => {
      if (!encoded) return [];
      const [added, merges, theirs] = encoded;
      const own = trainer.encodingFeed(trainer.train(text, recipe), added, merges);
      return [{ own, theirs, name: `${added} in ${name}` }];
    }),
  );
});

/** Return how far apart two chips are: their fills and edges in OKLab. @param {ChipColours} one @param {ChipColours} other */
function distanceOf(one, other) {
  const places = [one, other].map(({ fill, edge }) =>
    [fill, edge].flatMap((colour) => {
      const { lightness, chroma, hue } = oklchOf(colour) ?? assert.fail(colour);
      const turn = (hue * Math.PI) / 180;
      return [lightness, chroma * Math.cos(turn), chroma * Math.sin(turn)];
    }),
  );
  return Math.hypot(...places[0].map((value, at) => value - places[1][at]));
}

test("on the first screen no two neighbours look alike, whatever the rule", () => {
  const text = readFileSync(
    new URL("../../sample_corpora/low-lower-newest-widest.txt", import.meta.url),
    "utf-8",
  );
  const seen = new Set();
  for (const variant of ["char-eow", "bytes-gpt4"]) {
    for (const { slug } of live.rules) {
      const recipe = { variant, tie_break: slug, merges: 30 };
      const model = decodeFeed(trainer.feed(trainer.train(text, recipe)));
      for (let step = 0; step <= model.last; step++) {
        for (const pair of pairsAt(model, step).values()) {
          const [left, right] = [pair.left, pair.right].map((id) => tokenOf(model, id).name);
          if (left === right) continue;
          seen.add(`${left} ${right}`);
          for (const theme of /** @type {const} */ (["light", "dark"])) {
            const apart = distanceOf(coloursOf(theme, left), coloursOf(theme, right));
            assert.ok(apart > 0.065, `${left} ${right}: ${apart}`);
          }
        }
      }
    }
  }
  assert.ok(seen.size > 50);
});

test("what Python refuses is refused with the same sentence", () => {
  const refused = cases.filter(({ error }) => error);
  assert.ok(refused.length);
  for (const { name, text, recipe, error } of refused) {
    assert.throws(
      () => trainer.train(text, recipe),
      (thrown) => thrown instanceof TrainerError && thrown.message === error,
      name,
    );
  }
});

// A training in slices is the same training, and a page that waits for it stays responsive.

const slicing = createTrainer(live);
const [{ slug: variant }] = live.variants;
const [{ slug: rule }] = live.rules;
const recipe = { variant, tie_break: rule, merges: 3_000 };
const LONG = Array.from({ length: 30_000 }, (_, at) => ((at * at * 7 + at) % 9_973).toString(26)).join(" ");

test("a training in slices learns what a training at once learns", async () => {
  const text = LONG.slice(0, 20_000);
  const inSlices = await slicing.trainInSlices(text, recipe);
  assert.deepEqual(slicing.feed(inSlices), slicing.feed(slicing.train(text, recipe)));
});

test("between the slices other work is done, and the progress only grows", async () => {
  /** @type {number[]} */
  const reports = [];
  let others = 0; // tasks that waited while a slice ran
  await slicing.trainInSlices(LONG, recipe, {
    progress(merges, total) {
      assert.equal(others, reports.length);
      setTimeout(() => others++);
      reports.push(merges);
      assert.ok(merges <= total || total === 0);
    },
  });
  assert.equal(others, reports.length);
  assert.ok(reports.length > 1);
  assert.deepEqual(
    reports,
    reports.toSorted((one, other) => one - other),
  );
});

test("the next keystroke ends a training", async () => {
  const control = new AbortController();
  const training = slicing.trainInSlices(LONG, recipe, {
    signal: control.signal,
    progress: () => control.abort(),
  });
  await assert.rejects(training, { name: "AbortError" });
  await assert.rejects(slicing.trainInSlices("low", recipe, { signal: control.signal }), {
    name: "AbortError",
  });
});

test("a pick that no longer ties is refused, and the error names its merge", () => {
  assert.throws(
    () => slicing.train("low lower", { ...recipe, picks: { 1: 99 } }),
    (error) => error instanceof TrainerError && error.rank === 1 && error.message.includes("merge 2"),
  );
});

for (const pick of [99, -1, 0.5, ["6c"], ["zz", "zz"], [], null, "6c6f"]) {
  test(`a pick from a forged address is refused in one sentence: ${JSON.stringify(pick)}`, () => {
    const picks = /** @type {Record<number, number>} */ ({ 0: pick });
    assert.throws(() => slicing.train("low lower", { ...recipe, picks }), TrainerError);
  });
}

for (const merges of [NaN, -1, 1e9, Infinity]) {
  test(`a number of merges from a forged address ends the training: ${merges}`, () => {
    assert.ok(slicing.train("low lower", { ...recipe, merges }).log.left.length < 9);
  });
}

test("a slug that is no row is refused in one sentence", () => {
  assert.throws(() => slicing.train("low", { ...recipe, variant: "none" }), TrainerError);
});

// A browser may know a newer, or an older, Unicode than Python. The page then follows Python: this test lists the characters
// on which they differ, and shows that none of them changes a pre-token or a label.

const ALL = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code < 0xd800 || code > 0xdfff,
);

/** Return the characters as ranges: "U+41-U+5A". @param {number[]} codes  ascending */
function listed(codes) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges
    .map((range) => range.map((code) => `U+${code.toString(16).toUpperCase()}`).join("-"))
    .join(" ");
}

for (const [name, here] of Object.entries({ L: /\p{L}/u, N: /\p{N}/u })) {
  test(`the page's class ${name} is Python's; this JavaScript has another one for the characters listed`, (context) => {
    const page = compiledPattern(live, `[\\p{${name}}]`);
    const theirs = new RegExp(page.source, "u");
    const python = new Set(unicode[name]);
    const actual = ALL.filter((code) => theirs.test(String.fromCodePoint(code)));
    assert.deepEqual(
      actual,
      Array.from(python, (character) => character.codePointAt(0)),
    );
    const differing = ALL.filter(
      (code) => here.test(String.fromCodePoint(code)) !== python.has(String.fromCodePoint(code)),
    );
    context.diagnostic(`${differing.length} differ: ${listed(differing)}`);
  });
}

test("the page's marks are Python's; this JavaScript has other ones for the characters listed", (context) => {
  const marks = new Set(specialCharacters(live, [unicode.M], []).marks);
  assert.deepEqual([...marks].toSorted(), Array.from(unicode.marks).toSorted());
  const python = new Set(unicode.M);
  const differing = ALL.filter((code) => {
    const character = String.fromCodePoint(code);
    return /\p{M}/u.test(character) !== python.has(character);
  });
  context.diagnostic(`${differing.length} differ: ${listed(differing)}`);
});
