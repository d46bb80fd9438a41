import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { recipeOf, withoutPicks } from "../../../film/browser/film/own/own_settings.js";

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
