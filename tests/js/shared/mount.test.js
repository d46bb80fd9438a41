// Components on the page: one controller for each, until Streamlit removes it.

import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, {
  matchMedia: () => new EventTarget(),
  window: new EventTarget(),
  addEventListener: () => {},
});
const { mount } = await import("../../../film/browser/shared/mount.js");

test("a call that newer data overtook does not remove the component, and the last one does", () => {
  /** @type {string[]} */
  const calls = [];
  const draw = mount(() => {
    calls.push("create");
    return { update: ({ data }) => calls.push(`update ${data}`), remove: () => calls.push("remove") };
  });
  const parentElement = /** @type {HTMLElement} */ (/** @type {unknown} */ ({ isConnected: true }));
  const call = (/** @type {number} */ data) =>
    draw({ data, parentElement, setStateValue: () => {}, setTriggerValue: () => {} });

  const overtaken = call(1);
  overtaken(); // Streamlit has newer data
  const last = call(2);
  assert.deepEqual(calls, ["create", "update 1", "update 2"]);
  Object.assign(parentElement, { isConnected: false });
  last();
  assert.deepEqual(calls.slice(3), ["remove"]);
});
