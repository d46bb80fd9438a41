import assert from "node:assert/strict";
import { test } from "node:test";
import { pointed } from "../../film/browser/shared/pointed.js";

/**
 * Make the listeners of an element, and record what they do.
 * @param {string[]} record
 */
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

test("an element that slides under a resting pointer is not pointed at until the pointer moves", () => {
  Object.assign(globalThis, { window: new EventTarget() });
  /** @type {string[]} */
  const record = [];
  const send = element(record);
  send("pointerenter", 5, 5);
  send("pointermove", 5, 5);
  send("pointerleave");
  assert.deepEqual(record, ["enter", "leave"]);
  send("pointerenter", 5, 5); // the pointer still is where it was
  assert.deepEqual(record, ["enter", "leave"]);
  send("pointermove", 6, 5);
  assert.deepEqual(record, ["enter", "leave", "enter"]);
});
