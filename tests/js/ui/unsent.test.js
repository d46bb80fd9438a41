import assert from "node:assert/strict";
import { test } from "node:test";
import { checksum, isNewer, nextAct } from "../../../ui/streamlit_gaps/kept_text/unsent.js";
import { fixtures } from "../fixtures.js";

test("the checksum of a typed text is that of the server", () => {
  for (const [text, expected] of fixtures.checksums) assert.equal(checksum(text), expected);
});

test("a typed text is newer only while the server holds what it was typed over, or what nobody typed", () => {
  const old = checksum("low lower");
  /** @param {string} text */
  const server = (text, replaceable = false) => ({ checksum: checksum(text), replaceable });
  assert.ok(isNewer("lowest", old, server("low lower")));
  assert.ok(isNewer("", old, server("low lower"))); // a deletion is newer too
  assert.ok(!isNewer("lowest", old, server("lowest"))); // it arrived
  assert.ok(!isNewer("lowest", old, server("an example"))); // the viewer has chosen something else since
  assert.ok(isNewer("lowest", old, server("a suggestion", true))); // ours, for another training text
  assert.ok(!isNewer("lowest", null, server("low lower", true))); // it was sent
  assert.ok(!isNewer("low lower", old, server("low lower"))); // it was typed back
});

const FORMER = "low lower";
const TYPED = "lowest";
const EXAMPLE = "an example";

/** @type {Record<string, [server: string, inField: string | undefined, replaceable: boolean, act: string]>} */
const STATES = {
  "the server has it": [TYPED, TYPED, false, "arrived"],
  "the server has it and the field does not show it yet": [TYPED, FORMER, false, "arrived"],
  "the field is not drawn": [FORMER, undefined, false, "wait"],
  "the field shows what the server had before": [FORMER, EXAMPLE, false, "wait"],
  "the field shows the former text": [FORMER, FORMER, false, "type"],
  "a message from before it arrived brought the former text back": [FORMER, TYPED, false, "send"],
  "the viewer chose another text": [EXAMPLE, EXAMPLE, false, "replaced"],
  "we suggest another text": [EXAMPLE, EXAMPLE, true, "type"],
};

test("a typed text is typed again until the server has it or something newer", () => {
  const goal = { text: TYPED, mark: checksum(TYPED), over: checksum(FORMER) };
  for (const [state, [server, inField, replaceable, act]] of Object.entries(STATES)) {
    const field = {
      name: "text",
      key: "text",
      length: server.length,
      checksum: checksum(server),
      replaceable,
    };
    assert.equal(nextAct(goal, field, inField), act, state);
  }
});
