// Which text a field shows: what is typed until the server has it, else the server's, and what the tab has stored.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createMemory } from "../../ui/view/text_field/memory.js";

/** @type {Map<string, string>} */
let stored;

beforeEach(() => {
  stored = new Map();
  const sessionStorage = {
    getItem: (/** @type {string} */ name) => stored.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => stored.set(name, text),
    removeItem: (/** @type {string} */ name) => stored.delete(name),
  };
  globalThis.window = /** @type {any} */ ({ sessionStorage });
});

const SUGGESTED = {
  name: "own",
  visit: "one",
  text: "suggested",
  received: 0,
  ours: true,
  aside: false,
  kept: [],
};
const KEPT = "merge-by-merge/own";
/** A memory that has heard these. @param {...object} sayings */
function heard(...sayings) {
  const memory = createMemory();
  for (const said of sayings) memory.hear({ ...SUGGESTED, ...said });
  return memory;
}

test("what the server suggests is shown and not stored", () => {
  const memory = heard({});
  assert.equal(memory.text, "suggested");
  assert.equal(memory.isUnsent(), false);
  assert.equal(stored.get(KEPT), undefined);
});

test("what is typed stays until the server has it, and then another text of the server's is shown", () => {
  const memory = heard({});
  memory.type("typed", SUGGESTED);
  memory.hear({ ...SUGGESTED, text: "late" });
  assert.equal(memory.text, "typed");
  assert.deepEqual(memory.next(), { number: 1, text: "typed", kept: {} });
  memory.hear({ ...SUGGESTED, text: "late" }); // of a run that began before
  assert.equal(memory.text, "typed");
  assert.deepEqual(memory.again(), { number: 1, text: "typed", kept: {} });
  memory.hear({ ...SUGGESTED, text: null, received: 1, ours: false });
  assert.equal(memory.text, "typed");
  memory.hear({ ...SUGGESTED, text: "chosen", received: 1, ours: false });
  assert.equal(memory.text, "chosen");
  assert.equal(stored.get(KEPT), "chosen");
});

test("a stored text takes the place of what nobody has chosen, and is sent", () => {
  stored.set(KEPT, "typed before");
  const memory = heard({});
  assert.equal(memory.text, "typed before");
  assert.equal(memory.next().text, "typed before");
  stored.set(KEPT, "typed before");
  const chosen = heard({ ours: false, text: "chosen" });
  assert.equal(chosen.text, "chosen");
  assert.equal(stored.get(KEPT), "chosen");
});

test("a link's text does not replace what was typed over it and never sent", () => {
  const before = heard({ text: "of the link", ours: false });
  before.type("typed over it", SUGGESTED);
  const memory = heard({ visit: "two" }); // a reload: the link's text comes later
  memory.next();
  memory.hear({ ...SUGGESTED, visit: "two", text: "of the link", ours: false, received: 1 });
  assert.equal(memory.text, "typed over it");
  assert.deepEqual(memory.next(), { number: 2, text: "typed over it", kept: {} });
  const other = heard({ visit: "three" }, { visit: "three", text: "another link's", ours: false });
  other.next();
  other.hear({ ...SUGGESTED, visit: "three", text: "another link's", ours: false, received: 1 });
  assert.equal(other.text, "another link's");
});

test("a text that is set aside stays stored, and a new session gets it without showing it", () => {
  const aside = { text: "", ours: false, aside: true, kept: ["own", "other"] };
  const before = heard({});
  before.type("typed", SUGGESTED);
  before.next();
  before.hear({ ...SUGGESTED, ...aside, received: 1 });
  assert.equal(before.text, "");
  const memory = heard({ ...aside, visit: "two" });
  assert.equal(memory.text, "");
  assert.equal(memory.isUnsent(), true);
  assert.deepEqual(memory.next(), { number: 1, kept: { own: "typed" } });
  assert.equal(memory.isUnsent(), false);
});

test("a text that was shown last is shown again where the address says a sample", () => {
  const beside = { text: "", ours: false, aside: true, kept: ["own", "other"] };
  const before = heard(beside);
  before.type("typed", SUGGESTED);
  before.next();
  before.hear({ ...SUGGESTED, text: null, received: 1, ours: false });
  const memory = heard({ ...beside, visit: "two" });
  assert.equal(memory.text, "typed");
  assert.deepEqual(memory.next(), { number: 1, text: "typed", kept: {} });
});

test("another session gets nothing of what was sent to the one before", () => {
  const memory = heard({});
  memory.type("typed", SUGGESTED);
  memory.next();
  stored.clear();
  memory.hear({ ...SUGGESTED, visit: "two" });
  assert.equal(memory.text, "suggested");
  assert.equal(memory.number, 0);
});

test("a server that begins anew gets what is typed, also where the tab stores nothing", () => {
  const memory = heard({});
  window.sessionStorage.setItem = () => {
    throw new Error("full");
  };
  memory.type("typed", SUGGESTED);
  memory.next();
  memory.hear({ ...SUGGESTED, text: null, received: 1, ours: false });
  assert.equal(memory.isLost(), true);
  memory.hear({ ...SUGGESTED, visit: "two" });
  assert.equal(memory.text, "typed");
  assert.equal(memory.isUnsent(), true);
});

test("the texts of a link are sent beside what is typed, again to another session, and not once they have arrived", () => {
  const memory = heard({});
  memory.open("text=abc");
  assert.equal(memory.isUnsent(), true);
  memory.hear(SUGGESTED); // of a run that began before
  assert.deepEqual(memory.next(), { number: 1, kept: {}, link: "text=abc", since: 1 });
  memory.hear({ ...SUGGESTED, visit: "two" });
  assert.deepEqual(memory.next(), { number: 1, kept: {}, link: "text=abc", since: 1 });
  memory.type("typed", SUGGESTED);
  memory.hear({ ...SUGGESTED, visit: "two", received: 1 });
  assert.deepEqual(memory.next(), { number: 2, text: "typed", kept: {}, link: "text=abc", since: 1 });
  memory.hear({ ...SUGGESTED, visit: "two", received: 2, text: null });
  assert.equal(memory.isUnsent(), false);
  memory.type("more", SUGGESTED);
  assert.deepEqual(memory.next(), { number: 3, text: "more", kept: {} });
});
