// The terms of the glossary: what opens at a press, what it leads to, and where it is placed.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTerms } from "../../film/browser/lesson/terms.js";

/** The part of an element that terms use. A popover toggles at once. */
class FakeElement extends EventTarget {
  className = "";
  isOpen = false;
  box = { left: 0, top: 0, bottom: 0, width: 300, height: 100 };
  /** @type {Record<string, string>} */
  style = {};
  /** @type {Record<string, string>} */
  attributes = {};
  /** @type {(FakeElement | string)[]} */
  children = [];

  /** @param {(FakeElement | string)[]} added */
  append(...added) {
    this.children.push(...added);
  }
  /** @param {(FakeElement | string)[]} added */
  replaceChildren(...added) {
    this.children = added;
  }
  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  matches() {
    return this.isOpen;
  }
  getBoundingClientRect() {
    return this.box;
  }
  showPopover() {
    this.toggle(true);
  }
  hidePopover() {
    this.toggle(false);
  }
  /** @param {boolean} isOpen */
  toggle(isOpen) {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.dispatchEvent(new Event("toggle"));
  }
  /** @returns {string} */
  get text() {
    return this.children.map((child) => (typeof child === "string" ? child : child.text)).join(" ");
  }
  /** @returns {FakeElement[]} */
  get all() {
    return this.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...child.all]));
  }
  press() {
    this.dispatchEvent(new Event("click"));
  }
}

/** @type {import("../../film/browser/lesson/terms.js").PictureRow[]} */
const PICTURE = [{ name: "in", items: [["e", ""], "|", ["<b>", "plain"]], remark: "9 times" }];

const TERMS = {
  pair: {
    term: "Pair",
    means: "Two tokens side by side.",
    picture: PICTURE,
    moving: null,
    lesson: null,
    title: "",
  },
  tie: {
    term: "<b>Tie</b>",
    means: "Equal counts.",
    picture: [],
    moving: null,
    lesson: "the-first-tie",
    title: "The first step is a tie",
  },
};

/** @type {FakeElement} */
let root;
/** @type {[string, string][]} */
let left = [];
/** @type {(text: string, slug: string) => FakeElement} */
let term;

beforeEach(() => {
  Object.assign(globalThis, {
    document: {
      createElement: () => new FakeElement(),
      documentElement: { hasAttribute: () => true }, // on paper, so that the theme is known
    },
    window: { innerWidth: 390, innerHeight: 800 },
  });
  root = new FakeElement();
  left = [];
  const make = createTerms(
    /** @type {HTMLElement} */ (/** @type {unknown} */ (root)),
    () => TERMS,
    (name, slug) => void left.push([name, slug]),
  );
  term = (text, slug) => /** @type {FakeElement} */ (/** @type {unknown} */ (make(text, slug)));
});

/** Return the popover. */
function note() {
  return /** @type {FakeElement} */ (root.children[0]);
}

/** @param {string} name  a data-testid */
function button(name) {
  return note().all.find((element) => element.attributes["data-testid"] === name);
}

test("a press opens the meaning as text, and only the open term is expanded", () => {
  const [pair, tie] = [term("pairs", "pair"), term("tie", "tie")];
  assert.equal(pair.attributes["aria-expanded"], "false");
  pair.press();
  assert.equal(note().attributes.popover, "auto");
  assert.match(note().text, /^Pair Two tokens side by side\. *in e +<b> 9 times /);
  const chips = note().all.filter(({ className }) => className.startsWith("chip"));
  assert.deepEqual(
    chips.map(({ style }) => Boolean(style.background)),
    [true, false], // a plain one has no colours
  );
  assert.equal(button("meaning-lesson"), undefined); // its lesson is on the card
  assert.equal(pair.attributes["aria-expanded"], "true");
  note().hidePopover(); // Escape, or a click elsewhere
  assert.equal(pair.attributes["aria-expanded"], "false");
  tie.press();
  assert.match(note().text, /^<b>Tie<\/b> Equal counts\. *See “The first step is a tie” Glossary$/);
  assert.deepEqual(
    [pair, tie].map((one) => one.attributes["aria-expanded"]),
    ["false", "true"],
  );
});

test("its buttons close it and lead to the lesson or to the glossary", () => {
  term("tie", "tie").press();
  button("meaning-lesson")?.press();
  assert.ok(!note().isOpen);
  term("tie", "tie").press();
  button("meaning-glossary")?.press();
  assert.deepEqual(left, [
    ["lesson", "the-first-tie"],
    ["term", "tie"],
  ]);
});

test("it is below its term, above where there is no room, and never over an edge", () => {
  /** @param {number} x @param {number} top */
  function placed(x, top) {
    const one = term("pair", "pair");
    one.box = { ...one.box, left: x, top, bottom: top + 20 };
    one.press();
    const { left: at, top: y } = note().style;
    note().hidePopover();
    return [at, y];
  }
  assert.deepEqual(placed(20, 100), ["20px", "126px"]);
  assert.deepEqual(placed(20, 760), ["20px", "654px"]);
  assert.deepEqual(placed(350, 100), ["84px", "126px"]);
  assert.deepEqual(placed(0, 100), ["6px", "126px"]);
});
