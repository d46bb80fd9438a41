import assert from "node:assert/strict";
import { test } from "node:test";
import { checksum, isNewer } from "../../../ui/streamlit_gaps/kept_text/unsent.js";
import { fixtures } from "../fixtures.js";

test("the checksum of a typed text is that of the server", () => {
  for (const [text, expected] of fixtures.checksums) assert.equal(checksum(text), expected);
});

test("a typed text is newer only while the server holds what it was typed over", () => {
  const old = checksum("low lower");
  assert.ok(isNewer("lowest", old, old));
  assert.ok(isNewer("", old, old)); // a deletion is newer too
  assert.ok(!isNewer("lowest", old, checksum("lowest"))); // it arrived
  assert.ok(!isNewer("lowest", old, checksum("an example"))); // the viewer has chosen something else since
  assert.ok(!isNewer("lowest", null, old)); // it was sent
  assert.ok(!isNewer("low lower", old, old)); // it was typed back
});
