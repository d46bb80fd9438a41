import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bytesOf,
  characterLength,
  chipLabelOf,
  codePointText,
  hexText,
  isolated,
  labelOf,
  spellingOf,
} from "../../../film/browser/player/spelling.js";
import { fixtures } from "../fixtures.js";

for (const { variant, marker, marker_text: text, characters, labels } of fixtures.labels) {
  test(`${variant}: ${labels.length} labels are the engine's`, () => {
    const spelling = spellingOf(marker ? parseInt(marker, 16) : -1, text, characters);
    assert.ok(labels.length > 1000);
    for (const [hex, label, chip] of labels) {
      assert.equal(labelOf(bytesOf(hex), spelling), label, hex);
      assert.deepEqual(chipLabelOf(bytesOf(hex), spelling), chip, hex);
    }
  });
}

test("a character has the length that UTF-8 gives it; what is cut or malformed has none", () => {
  for (const character of ["a", "é", "▁", "👩", "\u0800", "\u{10FFFF}"]) {
    const bytes = [...Buffer.from(character)];
    assert.equal(characterLength(bytes, 0), bytes.length);
    assert.equal(characterLength(bytes, 0, bytes.length - 1), 0);
    for (let at = 1; at < bytes.length; at++) assert.equal(characterLength(bytes, at), 0);
  }
  const malformed = ["c0af", "e09fbf", "eda080", "f08fbfbf", "f4908080", "f5808080", "ff"];
  for (const hex of malformed) assert.equal(characterLength(bytesOf(hex), 0), 0, hex);
});

test("bytes and their spelling lead back to each other", () => {
  assert.deepEqual(bytesOf("00c3a9ff"), [0, 0xc3, 0xa9, 0xff]);
  assert.equal(hexText([0, 0xc3, 0xa9, 0xff]), "00c3a9ff");
  assert.equal(codePointText("\u{1F469}"), "<U+1F469>");
});

test("only right-to-left labels are isolated", () => {
  assert.equal(isolated("low"), "low");
  assert.equal(isolated("שלום"), "\u2068שלום\u2069");
});
