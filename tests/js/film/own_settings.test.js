import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { namesOf, recipeOf, withOtherLanes, withoutPicks } from "../../../film/browser/film/own_settings.js";

/** @import {Live} from "../../../film/browser/trainer/live_types.js" */

const LIVE = /** @type {Live} */ (
  /** @type {unknown} */ ({
    rules: [
      { slug: "first", menu: true },
      { slug: "by-hand", menu: false },
      { slug: "last", menu: true },
    ],
  })
);
const BASE = { variant: "char-eow", tie_break: "first", vocab_size: 30, min_count: 2 };

test("a lane with the film's variant and rule has the film's other settings, and the merges of the field", () => {
  const lane = { variant: "char-eow", rule: "first", picks: {}, base: BASE };
  deepEqual(recipeOf(lane, 7), { ...BASE, vocab_size: null, merges: 7, picks: {} });
});

test("another rule or variant is trained with nothing but what the panel shows", () => {
  const lane = { variant: "bytes", rule: "last", picks: { 1: 0 }, base: BASE };
  deepEqual(recipeOf(lane, 7), { variant: "bytes", tie_break: "last", merges: 7, picks: { 1: 0 } });
});

test("undoing a pick ends the later ones too", () => {
  const lane = { variant: "bytes", rule: "first", picks: { 0: 1, 4: 2, 11: 1 }, base: null };
  deepEqual(withoutPicks(lane, 4).picks, { 0: 1 });
});

test("a second lane has another rule of the menu and nothing else of its own, and leaves again", () => {
  const lane = { variant: "bytes", rule: "first", picks: { 0: 1 }, base: BASE };
  const alone = { text: "low", lanes: [lane], merges: 3, newText: "" };
  const both = withOtherLanes(alone, LIVE);
  deepEqual(both, { ...alone, lanes: [lane, { variant: "bytes", rule: "last", picks: {}, base: null }] });
  deepEqual(namesOf(both.lanes), ["Lane 1", "Lane 2"]);
  deepEqual(withOtherLanes(both, LIVE), alone);
  deepEqual(namesOf(alone.lanes), [""]);
});
