import assert from "node:assert/strict";
import { test } from "node:test";
import { keyRows } from "../../film/browser/token_grid/panels.js";
import { actionOf } from "../../film/browser/token_grid/keys.js";

const NORMAL = { presenting: false, lesson: false, film: false };
const STAGE = { ...NORMAL, presenting: true };
const FILM = { ...STAGE, film: true };
const LESSON = { ...NORMAL, lesson: true };

/**
 * @param {string} name  with "Shift+" before it if that is pressed too
 * @param {typeof NORMAL} view
 */
function act(name, view) {
  const shiftKey = name.startsWith("Shift+");
  return actionOf({ key: name.replace("Shift+", ""), shiftKey }, view);
}

test("on the page, arrows and page keys go from merge to merge, and Space plays", () => {
  const acts = [" ", "ArrowRight", "PageDown", "ArrowLeft", "PageUp"].map((key) => act(key, NORMAL));
  assert.deepEqual(acts, ["toggle", "forward", "forward", "back", "back"]);
});

test("Caps Lock changes no key", () => {
  for (const key of ["b", "f", "w", "p", "e", "c"]) {
    assert.equal(act(key.toUpperCase(), STAGE), act(key, STAGE));
    assert.notEqual(act(key, STAGE), null);
  }
});

test("in the presenter view and in lessons the same keys go from beat to beat, with Shift from merge to merge", () => {
  for (const view of [STAGE, LESSON, { ...LESSON, presenting: true }]) {
    for (const key of [" ", "ArrowRight", "PageDown"]) assert.equal(act(key, view), "next");
    for (const key of ["ArrowLeft", "PageUp"]) assert.equal(act(key, view), "previous");
    assert.equal(act("Shift+ArrowRight", view), "forward");
    assert.equal(act("Shift+PageUp", view), "back");
    assert.deepEqual([act("Home", view), act("End", view)], ["first", "last"]);
  }
});

test("a film on the stage is started and stopped by Space and by a clicker", () => {
  const acts = [" ", "PageDown", "ArrowRight", "PageUp"].map((key) => act(key, FILM));
  assert.deepEqual(acts, ["toggle", "toggle", "forward", "back"]);
});

test("what a clicker sends to start a show never reloads the page", () => {
  for (const view of [NORMAL, STAGE, LESSON]) {
    assert.equal(act("F5", view), "present");
    assert.equal(act("Shift+F5", view), "present");
  }
});

test("black screen, film and pages have keys in the presenter view only", () => {
  const keys = ["b", ".", "f", "3"];
  assert.deepEqual(
    keys.map((key) => act(key, STAGE)),
    ["black", "black", "film", "page"],
  );
  assert.deepEqual(
    keys.map((key) => act(key, NORMAL)),
    [null, null, null, null],
  );
});

test("W shows the words that lanes split differently, in the presenter view of lanes", () => {
  assert.deepEqual([act("w", STAGE), act("W", FILM), act("w", NORMAL)], ["words", "words", null]);
  const names = (/** @type {typeof NORMAL & {ending?: boolean}} */ view) =>
    keyRows(view, []).map(([keys]) => keys);
  assert.ok(names({ ...STAGE, ending: true }).includes("W"));
  assert.ok(!names(STAGE).includes("W"));
  assert.ok(!names({ ...NORMAL, ending: true }).includes("W"));
});

test("the list of keys names the keys of the view", () => {
  const named = (/** @type {typeof NORMAL & {unit?: string, menus?: [string, string][]}} */ view) =>
    keyRows(view, ["Watch", "Lessons"]).flat().join(" ");
  assert.match(named(NORMAL), /play or pause.*P F5 presenter view/);
  assert.doesNotMatch(named(NORMAL), /Lessons|black/);
  assert.match(named(STAGE), /next step.*black screen.*1–2 a page of the app, from Watch to Lessons/);
  /** @type {[string, string][]} */
  const menus = [
    ["S", "samples"],
    ["R", "rules for ties"],
  ];
  assert.match(named({ ...STAGE, menus }), / S R a menu over the stage: samples, rules for ties/);
  assert.doesNotMatch(named(STAGE) + named({ ...NORMAL, menus }), /rules for ties/);
  assert.match(named(FILM), /play or pause/);
  assert.doesNotMatch(named({ ...LESSON, presenting: true }), /film/);
  assert.match(named(NORMAL), /one merge back/);
  assert.match(named({ ...NORMAL, unit: "step" }), /one step back/);
  assert.match(named({ ...LESSON, unit: "step" }), /next step.*one whole step of the encoding back/);
  const talking = { ...STAGE, types: true, talks: true, away: true };
  for (const key of [/\bT type a text/, /\bN your notes/, /\bP Esc F5 leave/, /\b0 back to/]) {
    assert.match(named(talking), key);
  }
  assert.doesNotMatch(named(STAGE), /type a text|your notes|back to the talk/);
});
