import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtures } from "./fixtures.js";
import {
  mergeName,
  mergeNumber,
  formatCount,
  formatNumber,
  unpackNumbers,
} from "../../film/browser/shared/numbers.js";
import { packBytes } from "../../film/browser/film/own_outputs.js";
import { unpackBytes } from "../../film/browser/shared/packed_bytes.js";
import { packText, unpackText } from "../../film/browser/film/own_settings.js";

test("a column is unpacked by the digits of its numbers", () => {
  assert.deepEqual(unpackNumbers("1:$%~"), Uint8Array.of(1, 2, 90));
  assert.deepEqual(unpackNumbers("2:#$&>"), Uint16Array.of(1, 300)); // the example of film/packing.py
  assert.deepEqual(unpackNumbers("5:b]O6m####$"), Uint32Array.of(4_294_967_295, 1));
  assert.deepEqual(unpackNumbers("3:*w3$##"), Uint32Array.of(65_536, 8_281));
});

test("a column that is empty or missing has no numbers", () => {
  for (const column of [null, undefined, ""])
    assert.equal(unpackNumbers(/** @type {any} */ (column)).length, 0);
  assert.equal(unpackNumbers("1:").length, 0);
});

test("numbers are written with commas, counts with their noun", () => {
  assert.equal(formatNumber(1_234_567), "1,234,567");
  assert.equal(formatCount(1, "token"), "1 token");
  assert.equal(formatCount(0, "token"), "0 tokens");
  assert.equal(formatCount(1200, "time"), "1,200 times");
  assert.equal(formatNumber(999_999_999_999_999), "999,999,999,999,999");
  assert.equal(formatCount(1.04e232, "split"), "about 10²³² splits");
  assert.equal(formatNumber(JSON.parse(`1${"0".repeat(400)}`)), "more than 10³⁰⁸");
});

test("people count merges from 1, here as in Python", () => {
  assert.ok(fixtures.merge_names.length > 400);
  for (const [rank, name] of fixtures.merge_names) {
    assert.equal(mergeName(rank), name);
    assert.equal(`merge ${mergeNumber(rank)}`, name);
  }
  assert.equal(mergeName(0), "merge 1");
  assert.equal(mergeName(999), "merge 1,000");
});

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

for (const text of ["", "low", "\ufefflow\r\n\0", "敏捷的 😀👩‍👩‍👧 e\u0301".repeat(300)]) {
  test(`a text comes out of an address as it was: ${text.length} characters`, async () => {
    const packed = await packText(text);
    assert.match(packed, /^[\w-]*$/);
    assert.deepEqual(await unpackText(packed, 10_000), { text, isWhole: true });
  });
}

for (const broken of ["?", "abc", "%20", "low lower", "-w"]) {
  test(`what is no packed text is no text: ${broken}`, async () => {
    assert.deepEqual(await unpackText(broken, 1_000), { text: "", isWhole: false });
  });
}

test("of a packed text without its end, the beginning is read", async () => {
  const text = Array.from({ length: 900 }, (_, number) => `word ${number * 7919} 標準 😀`).join("\n");
  const packed = await packText(text);
  const shares = await Promise.all(
    [0.99, 0.7, 0.3].map(async (share) => {
      const read = await unpackText(packed.slice(0, packed.length * share), 100_000);
      assert.equal(read.isWhole, false);
      assert.ok(text.startsWith(read.text), read.text.slice(-20));
      return read.text.length / text.length;
    }),
  );
  assert.ok(shares[0] > 0.9 && shares[1] > 0.6 && shares[2] > 0.2, String(shares));
});

test("a letter that no address has ends a packed text", async () => {
  const packed = await packText("low lower lowest ".repeat(99));
  const read = await unpackText(`${packed} and more`, 10_000);
  assert.deepEqual(read, { text: "low lower lowest ".repeat(99), isWhole: false });
});

test("a short address cannot hold a text without end", async () => {
  const packed = await packText("a".repeat(5_000_000));
  assert.ok(packed.length < 8_000);
  assert.deepEqual(await unpackText(packed, 20_000), { text: "a".repeat(20_000), isWhole: false });
});
