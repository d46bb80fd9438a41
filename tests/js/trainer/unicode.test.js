// A browser may know a newer, or an older, Unicode than Python. The page then follows Python: this test lists the characters
// on which they differ, and shows that none of them changes a pre-token or a label.

/** @import {Live} from "../../../film/browser/trainer/live_types.js" */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { specialCharacters, compiledPattern } from "../../../film/browser/trainer/text.js";

/** @type {{live: Live, unicode: Record<string, string>}} */
const { live, unicode } = JSON.parse(readFileSync(join(process.env.FIXTURES ?? "", "trainer.json"), "utf-8"));

const ALL = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code < 0xd800 || code > 0xdfff,
);

/**
 * Return the characters as ranges: "U+41-U+5A".
 * @param {number[]} codes  ascending
 */
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
