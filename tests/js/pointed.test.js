// Components on the page: one controller for each, until Streamlit removes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pointed } from "../../film/browser/shared/pointed.js";

Object.assign(globalThis, {
  matchMedia: () => new EventTarget(),
  window: new EventTarget(),
  addEventListener: () => {},
});
const { mount } = await import("../../film/browser/shared/mount.js");

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

/** Make the listeners of an element, and record what they do. @param {string[]} record */
function element(record) {
  const listeners = pointed(
    () => record.push("enter"),
    () => record.push("leave"),
  );
  return (/** @type {"pointerenter" | "pointermove" | "pointerleave"} */ kind, x = 0, y = 0) => {
    const event = Object.assign(new Event(kind), { clientX: x, clientY: y });
    listeners[kind]?.(/** @type {PointerEvent} */ (event));
    if (kind === "pointermove") window.dispatchEvent(event);
  };
}

const REST = 250; // ms

test("an element that slides under a resting pointer is not pointed at until the pointer moves", ({
  mock,
}) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { window: new EventTarget() });
  /** @type {string[]} */
  const record = [];
  const send = element(record);
  send("pointerenter", 5, 5);
  send("pointermove", 5, 5);
  mock.timers.tick(REST);
  send("pointerleave");
  assert.deepEqual(record, ["enter", "leave"]);
  send("pointerenter", 5, 5); // the pointer still is where it was
  mock.timers.tick(REST);
  assert.deepEqual(record, ["enter", "leave"]);
  send("pointermove", 6, 5);
  mock.timers.tick(REST);
  assert.deepEqual(record, ["enter", "leave", "enter"]);
});

test("a pointer that only crosses an element does not point at it", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { window: new EventTarget() });
  /** @type {string[]} */
  const record = [];
  const send = element(record);
  send("pointerenter", 1, 1);
  send("pointermove", 2, 1);
  mock.timers.tick(REST - 1);
  send("pointerleave");
  mock.timers.tick(REST);
  assert.deepEqual(record, []);
});
