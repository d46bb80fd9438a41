import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures } from "./fixtures.js";
import {
  chipLength,
  isPartOfCharacter,
  labelText,
  readable,
  shortened,
  tabsOf,
} from "../../film/browser/shared/chip.js";
import {
  COLOURINGS,
  blend,
  coloursOf,
  coloursOfKind,
  coloursOfShade,
  tokenName,
  oklch,
  shadeOf,
} from "../../film/browser/shared/colour.js";

/** @type {[label: string | string[], text: string, length: number, isPart: boolean][]} */
const CASES = [
  ["low", "low", 3, false],
  ["low\ufffe</w>\uffff", "low</w>", 4, false], // a tab is as wide as a letter
  ["low</w>", "low</w>", 7, false], // typed
  [["\ufffe▁\uffff", "E0"], "▁E0", 3, true],
  ["<0xC3>", "<0xC3>", 6, false], // typed
  [["", "F0 9F"], "F0 9F", 5, true],
  [["·", "E0"], "·E0", 3, true],
  [["<0xF0>", "F0"], "<0xF0> F0", 8, false],
  [["a", "F0", "b"], "a F0 b", 4, false],
];

for (const [label, text, length, isPart] of CASES) {
  test(`a chip's label ${JSON.stringify(label)} is ${text} as text`, () => {
    assert.equal(labelText(label), text);
    assert.equal(chipLength(label), length);
    assert.equal(isPartOfCharacter(label), isPart);
  });
}

test("a long label is cut, whatever it is made of", () => {
  const bytes = Array.from({ length: 50 }, () => "F0").join(" ");
  const many = Array.from({ length: 40 }, (_, at) => (at % 2 ? "F0" : "a"));
  for (const label of ["a".repeat(100), ["a".repeat(100), bytes, "b"], many]) {
    assert.ok(chipLength(shortened(label)) < 100);
    assert.equal(typeof shortened(label), typeof label);
  }
});

test("bytes beside right-to-left letters stay as they are", () => {
  assert.deepEqual(readable(["ש</w>", "D7"], "</w>"), ["ש\u2066</w>\u2069", "D7"]);
});

test("a label tells where markers stand, and a typed one is letters", () => {
  assert.deepEqual(tabsOf("low\ufffe</w>\uffff"), { before: false, letters: "low", after: true });
  assert.deepEqual(tabsOf("\ufffe▁\ufffflow"), { before: true, letters: "low", after: false });
  assert.deepEqual(tabsOf("of\ufffe</w>\uffffthe"), { before: false, letters: "of</w>the", after: false });
  assert.deepEqual(tabsOf("</w>"), { before: false, letters: "</w>", after: false });
});

test("a long label keeps the whole marker at its end", () => {
  const label = `${"a".repeat(100)}\ufffe</w>\uffff`;
  assert.match(/** @type {string} */ (shortened(label)), /… a{11}\ufffe<\/w>\uffff$/);
});

const THEMES = /** @type {const} */ (["light", "dark"]);

/** Return the contrast of two colours, as WCAG 2.2 defines it. @param {string} one @param {string} other */
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} colour */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("colours are converted as CSS defines oklch()", () => {
  assert.equal(oklch(1, 0, 0), "#ffffff");
  assert.equal(oklch(0, 0, 0), "#000000");
  assert.equal(oklch(0.627955, 0.257683, 29.2339), "#ff0000"); // red, green and blue of sRGB
  assert.equal(oklch(0.86644, 0.294827, 142.4953), "#00ff00");
  assert.equal(oklch(0.452014, 0.313214, 264.052), "#0000ff");
});

for (const theme of THEMES) {
  test(`${theme}: text on a chip has 7:1, its edge 3:1, whatever the token`, () => {
    const chips = [
      ...Array.from({ length: 4096 }, (_, shade) => coloursOfShade(theme, shade)),
      ...Object.values(COLOURINGS).flatMap(({ legend }) => legend(theme, 40).map(({ colours }) => colours)),
    ];
    for (const { fill, edge, ink, soft } of chips) {
      assert.ok(contrast(ink, fill) >= 7);
      assert.ok(contrast(soft, fill) >= 7);
      assert.ok(contrast(edge, fill) >= 3);
    }
  });

  test(`${theme}: hardly any of the first shades share a colour`, () => {
    assert.ok(
      new Set(Array.from({ length: 500 }, (_, shade) => coloursOfShade(theme, shade).fill)).size > 490,
    );
  });
}

test("the legend by age names the alphabet, the first and the last merge", () => {
  const texts = (/** @type {number} */ last) => COLOURINGS.age.legend("light", last).map(({ text }) => text);
  assert.deepEqual(texts(0), ["alphabet"]);
  assert.deepEqual(texts(1), ["alphabet", "merge 1"]);
  assert.deepEqual(texts(101), ["alphabet", "merge 1", "21", "41", "61", "81", "101"]);
});

test("the legend by length names every class with its bounds", () => {
  const texts = COLOURINGS.length.legend("light", 0).map(({ text }) => text);
  assert.deepEqual(texts, ["1", "2", "3", "4–5", "6–8", "9–12", "13 or more"]);
});

test("a token has the colour of its class", () => {
  const token = { name: "est", born: 3, last: 10, length: 7 };
  const { chip, legend } = COLOURINGS.length;
  const { colours } = legend("dark", 10)[4];
  assert.deepEqual(chip("dark", token), colours);
  assert.deepEqual(COLOURINGS.identity.chip("dark", token), coloursOf("dark", "est"));
  assert.notDeepEqual(COLOURINGS.age.chip("dark", token), COLOURINGS.age.chip("dark", { ...token, born: 9 }));
});

test("a chip has its token's colours, an outline where the token is unused, and none where there is no token", () => {
  assert.deepEqual(coloursOfKind("dark", "es", ""), coloursOf("dark", "es"));
  const { fill, edge } = coloursOfKind("dark", "es", "unused") ?? {};
  assert.deepEqual([fill, edge], ["transparent", coloursOf("dark", "es").edge]);
  for (const kind of ["plain", "unknown"]) assert.equal(coloursOfKind("dark", "es", kind), null);
});

test("a token has one colour, however its space and its marker are written, and beside whatever letters", () => {
  /** @type {(string | string[])[][]} */
  const SAME = [
    ["·low", "▁low", "\ufffe▁\ufffflow", "\ufffe\u2066▁\u2069\ufffflow"],
    ["low\ufffe</w>\uffff", "low\ufffe_\uffff", "low\ufffe\u2066</w>\u2069\uffff"],
    [
      ["·", "F0 9F"],
      ["\ufffe▁\uffff", "F0 9F"],
    ],
    ["internationalization", "international…tionalization", "intern … zation"],
  ];
  for (const labels of SAME) assert.equal(new Set(labels.map(shadeOf)).size, 1, String(labels[0]));
  const others = ["low", "low</w>", "low_", ...SAME.map(([label]) => label), ["", "F0 9F"], "F0 9F"];
  assert.equal(new Set(others.map(tokenName)).size, others.length);
  for (const label of others) assert.equal(shadeOf(tokenName(label)), shadeOf(label));
});

for (const { variant, shortened: pairs } of fixtures.labels) {
  test(`${variant}: a label of which only the ends are shown has the colour of the whole one`, () => {
    assert.ok(pairs.some(([whole, short]) => labelText(whole) !== labelText(short)));
    for (const [whole, short] of pairs) assert.equal(shadeOf(short), shadeOf(whole), labelText(whole));
  });
}

test("a blend begins and ends at its colours and never passes through grey", () => {
  const chroma = (/** @type {string} */ colour) => {
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return Math.max(...parts) - Math.min(...parts);
  };
  for (const theme of THEMES) {
    for (let id = 0; id < 200; id++) {
      const [one, other] = [id, id + 5].map((shade) => coloursOfShade(theme, shade).edge);
      assert.equal(blend(one, other, 0), one);
      assert.equal(blend(one, other, 1), other);
      const least = Math.min(chroma(one), chroma(other));
      for (const share of [0.25, 0.5, 0.75]) assert.ok(chroma(blend(one, other, share)) > 0.6 * least);
    }
  }
});

test("a blend goes the shorter way round, and a grey has the hue of the other colour", () => {
  /** @type {(one: string, other: string) => void} */
  const near = (one, other) => {
    for (const at of [1, 3, 5]) {
      const [channel, wanted] = [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16));
      assert.ok(Math.abs(channel - wanted) <= 2, `${one} is not ${other}`); // hexadecimal colours are rounded
    }
  };
  near(blend(oklch(0.6, 0.1, 350), oklch(0.6, 0.1, 30), 0.5), oklch(0.6, 0.1, 10));
  near(blend(oklch(0.6, 0, 0), oklch(0.6, 0.1, 140), 0.5), oklch(0.6, 0.05, 140));
});

test("a colour in another notation changes halfway", () => {
  assert.equal(blend("#fff", "#102030", 0.4), "#fff");
  assert.equal(blend("#fff", "#102030", 0.6), "#102030");
});
