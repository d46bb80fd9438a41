// The events between the components of a page: only those that a component sent are heard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hear, say } from "../../../film/browser/shared/groups.js";

const page = new EventTarget();
Object.assign(globalThis, { window: page });

test("an event that no component sent is ignored, whatever it holds", () => {
  /** @type {unknown[]} */
  const heard = [];
  hear("step", "watch", new AbortController().signal, (detail) => heard.push(detail));
  const forged = [
    null,
    undefined,
    7,
    "x",
    [],
    {},
    { group: "watch" },
    { group: "watch", step: "x", beat: {} },
  ];
  for (const detail of forged) page.dispatchEvent(new CustomEvent("mbm:step", { detail }));
  page.dispatchEvent(new Event("mbm:step"));
  assert.deepEqual(heard, []);
  const sent = { group: "watch", step: 3, playing: false };
  say("step", { ...sent, group: "another" });
  say("step", sent);
  assert.deepEqual(heard, [sent]);
});
