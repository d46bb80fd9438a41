import assert from "node:assert/strict";
import test from "node:test";
import { packText, unpackText } from "../../../film/browser/shared/packed_text.js";

for (const text of ["", "low", "\ufefflow\r\n\0", "敏捷的 😀👩‍👩‍👧 e\u0301".repeat(300)]) {
  test(`a text comes out of an address as it was: ${text.length} characters`, async () => {
    const packed = await packText(text);
    assert.match(packed, /^[\w-]*$/);
    assert.equal(await unpackText(packed, 10_000), text);
  });
}

for (const broken of ["?", "abc", "%20", "low lower", "-w"]) {
  test(`what is no packed text is no text: ${broken}`, async () => {
    assert.equal(await unpackText(broken, 1_000), null);
  });
}

test("a packed text without its end is no text", async () => {
  const packed = await packText("low lower lowest");
  assert.equal(await unpackText(packed.slice(0, -3), 1_000), null);
});

test("a short address cannot hold a text without end", async () => {
  const packed = await packText("a".repeat(5_000_000));
  assert.ok(packed.length < 8_000);
  assert.equal(await unpackText(packed, 20_000), null);
});
