import assert from "node:assert/strict";
import test from "node:test";
import { packText, unpackText } from "../../../film/browser/shared/packed_text.js";

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
