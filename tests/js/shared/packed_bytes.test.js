import assert from "node:assert/strict";
import test from "node:test";
import { packBytes, unpackBytes } from "../../../film/browser/shared/packed_bytes.js";

test("bytes come back from their letters, whatever their number is", () => {
  for (let length = 0; length < 12; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => 255 - 31 * at);
    assert.deepEqual(unpackBytes(packBytes(bytes)), bytes);
  }
});

test("the letters are those of Python, five for each four bytes", () => {
  assert.equal(packBytes(new TextEncoder().encode("low lower")), "Y;SiUY;SjEas");
  assert.equal(packBytes(Uint8Array.from([255, 255, 255, 255, 0])), "|NsC000");
});

test("no letter has a meaning in HTML", () => {
  const every = Uint8Array.from({ length: 4 * 85 }, (_, at) => at * 67);
  assert.doesNotMatch(packBytes(every), /[<>&"'`\s]/);
});
