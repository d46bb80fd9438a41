// A notebook's theme is read off its background.

import assert from "node:assert/strict";
import test from "node:test";

import { isDarkColour } from "../../../film/browser/notebook/theme.js";

test("a background is dark, light, or none", () => {
  /** @type {[string, boolean | null][]} */
  const cases = [
    ["rgb(17, 17, 17)", true],
    ["rgb(255, 255, 255)", false],
    ["rgba(0, 0, 0, 0)", null],
    ["rgba(0, 0, 0, 0.2)", null],
    ["rgba(20, 20, 30, 0.9)", true],
    ["transparent", null],
    ["", null],
  ];
  for (const [colour, dark] of cases) assert.equal(isDarkColour(colour), dark, colour);
});
