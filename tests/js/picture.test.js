// Pictures: what a scene holds, and that an SVG of it is text and no markup of anybody else's.

/** @import {Feed} from "../../film/browser/shared/feed_types.js" */
/** @import {Source} from "../../film/browser/picture/scene.js" */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createGif } from "../../film/browser/picture/gif.js";
import { stepsOf } from "../../film/browser/picture/moving.js";
import { layOutPicture } from "../../film/browser/picture/scene.js";
import { GENERIC, withoutMiddle } from "../../film/browser/picture/shapes.js";
import { svgText } from "../../film/browser/picture/still.js";
import { COLOURINGS } from "../../film/browser/shared/colour.js";
import { decodeFeed, tokenOf } from "../../film/browser/player/feed.js";
import { cellsOf, eachToken } from "../../film/browser/player/segmentation.js";
import { labelOf } from "../../film/browser/player/spelling.js";
import { cardScene } from "../../gallery/still.js";
import { choiceText, kindSentence, nextText, tieText } from "../../film/browser/token_grid/wording.js";
import { fixtures } from "./fixtures.js";
import { LETTER, measureByLetters } from "./letters.js";

const SMALL = 400; // px, height of the grid in a picture that cannot hold all

before(measureByLetters);

const inks = {
  ink: "#111",
  soft: "#222",
  wall: "#333",
  accent: "#444",
  tie: "#555",
  panel: "#fff",
  line: "#666",
};

/** Return a grid as a picture needs it. @param {Feed} feed @param {Partial<Source>} [more] @returns {Source} */
function sourceOf(feed, more = {}) {
  const model = decodeFeed(feed);
  return {
    model,
    step: 0,
    tied: new Set(),
    options: { view: "text", drawing: "auto", colour: "identity", glyphs: true, motion: true },
    colours: inks,
    chip: (id) => COLOURINGS.identity.chip("light", tokenOf(model, id)),
    lane: null,
    drawsChips: true,
    ...more,
  };
}

/**
 * Return the texts of an SVG's tokens, without their markup: of one with a tab its title, which spells the marker.
 * @param {string} svg
 */
function tokenTexts(svg) {
  return [...svg.matchAll(/<g class="token">(?:<title>(.*?)<\/title>)?(.*?)<\/g>/gs)].map(
    ([, title, inside]) => {
      const letters = plain(inside);
      if (!title) return letters;
      assert.equal(plain(title).replaceAll(/<\/w>|▁/g, ""), letters);
      return plain(title);
    },
  );
}

/** @param {string} markup */
function plain(markup) {
  const entities = /** @type {Record<string, string>} */ ({ lt: "<", gt: ">", amp: "&", quot: '"' });
  return markup.replace(/<[^>]*>/g, "").replace(/&(\w+);/g, (_, name) => entities[name]);
}

/** @param {string} name */
function feedOf(name) {
  const recording = [...fixtures.trainings, ...fixtures.encodings].find((one) => one.name === name);
  assert.ok(recording, name);
  return recording;
}

for (const name of ["hug, paper", "numbers, hf-metaspace", "blanks, minbpe-basic", "hug, sentencepiece"]) {
  test(`${name}: the text of an SVG is the core's tokens at every step, as they are labelled`, () => {
    const { feed, segmentations } = feedOf(name);
    const source = sourceOf(feed);
    const picture = layOutPicture([source], { fonts: GENERIC, footer: "", most: 5000 });
    const { spelling } = source.model;
    segmentations.forEach((tokens, step) => {
      const bytes = tokens.split(" ").map((hex) => Uint8Array.from(Buffer.from(hex, "hex")));
      assert.deepEqual(
        tokenTexts(svgText(picture.sceneAt(step))),
        bytes.map((symbol) => labelOf(symbol, spelling)),
      );
    });
  });
}

test("a picture says what the headline and the tie badge say", () => {
  const source = sourceOf(feedOf("counted words, paper").feed);
  const { model } = source;
  const svg = plain(svgText(layOutPicture([source], { fonts: GENERIC, footer: "", most: 900 }).sceneAt(0)));
  const packed = (/** @type {string} */ text) => text.replaceAll(/\s/g, ""); // a line may end at any space
  assert.ok(packed(svg).includes(packed(nextText(model, 0).join(""))));
  assert.ok(
    packed(svg).includes(packed(`${tieText(model, 0)} ${choiceText(model, 0)} ${kindSentence(model, 0)}`)),
  );
});

test("user text and footer are text in an SVG, and what XML forbids is replaced", () => {
  const footer = '<script>"&\u0007\ud800';
  const svg = svgText(
    layOutPicture([sourceOf(feedOf("hug, paper").feed)], { fonts: GENERIC, footer, most: 900 }).sceneAt(0),
  );
  assert.ok(!svg.includes("<script"));
  assert.ok(svg.includes("&lt;script&gt;&quot;&amp;\ufffd\ufffd"));
});

test("a text too long for a picture is drawn in part, on whole lines, and the picture says so", () => {
  const source = sourceOf(feedOf("sentences, paper").feed);
  const all = layOutPicture([source], { fonts: GENERIC, footer: "", most: 50_000 });
  assert.equal(all.note, "");
  const part = layOutPicture([source], { fonts: GENERIC, footer: "", most: SMALL });
  assert.match(part.note, /^lines 1–\d+ of \d+$/);
  assert.ok(part.sceneAt(0).height < all.sceneAt(0).height);
  const end = layOutPicture([source], { fonts: GENERIC, footer: "", most: SMALL, from: 1 });
  const [, last, of] = end.note.match(/–(\d+) of (\d+)$/) ?? [];
  assert.equal(last, of);
  assert.ok(tokenTexts(svgText(part.sceneAt(3))).length < tokenTexts(svgText(all.sceneAt(3))).length);
});

test("every token is inside the picture, in chips and in cells", () => {
  for (const drawsChips of [true, false]) {
    const source = sourceOf(feedOf("sentences, hf-bytelevel").feed, { drawsChips });
    const { width, height, shapes } = layOutPicture([source], {
      fonts: GENERIC,
      footer: "",
      most: 50_000,
    }).sceneAt(5);
    for (const shape of shapes) {
      for (const box of shape.kind === "token" ? shape.shapes : []) {
        if (box.kind === "box") assert.ok(box.x >= 0 && box.x + box.w <= width && box.y + box.h <= height);
      }
    }
  }
});

test("lanes stand beside each other, and each says its title", () => {
  const { feed } = feedOf("hug, paper");
  const lanes = ["one", "two"].map((title, index) => {
    return sourceOf(feed, { lane: { title, subtitle: "rule", index, of: 2, beside: 2 } });
  });
  const scene = layOutPicture(lanes, { fonts: GENERIC, footer: "", most: 900 }).sceneAt(0);
  const svg = plain(svgText(scene));
  assert.ok(svg.includes("one") && svg.includes("two"));
  let tokens = 0;
  const { text } = cellsOf(lanes[0].model);
  eachToken(text, 0, 0, text.size, () => void (tokens += 1));
  assert.equal(tokenTexts(svgText(scene)).length, 2 * tokens);
});

test("frames go from before the first merge to after the last; too many become every n-th", () => {
  assert.deepEqual(stepsOf(1, 3), { steps: [0, 1, 2, 3], every: 1 });
  assert.deepEqual(stepsOf(4, 4), { steps: [3, 4], every: 1 });
  for (const last of [239, 240, 1000, 100_000]) {
    const { steps } = stepsOf(1, last);
    assert.ok(steps.length <= 240 && steps[0] === 0 && steps[steps.length - 1] === last);
  }
});

test("a frame that changes nothing costs little, and a GIF begins and ends as one", () => {
  const gif = createGif(40, 30);
  const pixels = () => new Uint8ClampedArray(new Uint32Array(1200).fill(0xff336699).buffer);
  gif.add(pixels(), 100);
  const first = gif.size();
  gif.add(pixels(), 100);
  const changed = pixels();
  changed[0] = 0;
  gif.add(changed, 100);
  assert.ok(gif.size() - first < 200);
  const bytes = gif.finish();
  assert.equal(Buffer.from(bytes.slice(0, 6)).toString(), "GIF89a");
  assert.equal(bytes[bytes.length - 1], 0x3b);
});

for (const drawsChips of [true, false]) {
  test(`letters of a merged token are evenly spaced in ${drawsChips ? "chips" : "cells"}`, () => {
    const source = sourceOf(feedOf("counted words, paper").feed, { drawsChips });
    const picture = layOutPicture([source], { fonts: GENERIC, footer: "", most: 5000 });
    let longest = 0;
    for (let step = 0; step <= source.model.last; step++) {
      for (const shape of picture.sceneAt(step).shapes) {
        if (shape.kind !== "token") continue;
        const box = shape.shapes.find((part) => part.kind === "box");
        const text = shape.shapes.find((part) => part.kind === "text");
        if (!box || !text) continue; // a marker alone
        const xs = text.pieces.map(({ x }) => x);
        const steps = xs.slice(1).map((x, at) => Math.round((x - xs[at]) * 100) / 100);
        assert.ok(new Set(steps).size < 2, `${steps}`);
        const [{ x, width }] = text.pieces;
        const room = x - width / 2 - box.x;
        if (!shape.label) assert.equal(room, box.x + box.w - (xs.at(-1) ?? 0) - width / 2);
        longest = Math.max(longest, xs.length);
      }
    }
    assert.ok(longest > 3);
  });
}

test("a card's chips lie beside each other inside it, however long the tokens, and no text leaves its chip", () => {
  const { feed } = feedOf("hug, minbpe-basic");
  const { width, shapes } = cardScene([sourceOf(feed)], GENERIC, decodeFeed(feed).last);
  const boxes = shapes.filter((shape) => shape.kind === "box");
  const rows = new Set(boxes.map(({ y }) => y));
  assert.ok(rows.size > 1);
  for (const row of rows) {
    let end = 0;
    for (const { x, w } of boxes.filter(({ y }) => y === row)) {
      assert.ok(x >= end, `a chip begins at ${x}, where another one ends at ${end}`);
      end = x + w;
    }
    assert.ok(end <= width);
  }
  const texts = shapes.flatMap((shape) => (shape.kind === "text" ? shape.pieces : []));
  for (const { text, width: room } of texts) assert.ok([...text].length * LETTER <= room, text);
  assert.ok(texts.some(({ text }) => text.includes("…")));
});

test("of a text that is too long, the middle is left out, with the marks on a letter", () => {
  const fits = (/** @type {number} */ most) => (/** @type {string} */ text) => [...text].length <= most;
  assert.equal(withoutMiddle("seashells", fits(9)), "seashells");
  assert.equal(withoutMiddle("seashells", fits(7)), "seas…ls");
  assert.equal(withoutMiddle("e\u0301e\u0301e\u0301e\u0301", fits(5)), "e\u0301e\u0301…");
  assert.equal(
    withoutMiddle("seashells", () => false),
    "s…",
  );
});
