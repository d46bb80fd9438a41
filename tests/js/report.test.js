// Reports to Python: once at rest, before the page is left, and never while it is being left.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { createReport, departure } from "../../film/browser/shared/report.js";

const page = Object.assign(new EventTarget(), { location: { pathname: "/" } });
Object.assign(globalThis, { window: page });

let now = 0;
let sent = 0;
let lifetime = new AbortController();
let report = createReport(() => {}, lifetime.signal);

/** @param {number} ms */
function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
}

/** @param {string} [localName]  of the link or the button that is clicked */
function click(localName) {
  const event = new Event("click");
  const closest = () => (localName ? { localName } : null);
  Object.defineProperty(event, "target", { value: { closest } });
  page.dispatchEvent(event);
}

beforeEach(() => {
  lifetime.abort();
  mock.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  page.location.pathname = "/";
  sent = 0;
  lifetime = new AbortController();
  report = createReport(() => void (sent += 1), lifetime.signal);
});

test("a report is sent once, when nothing has asked for another for a moment", () => {
  report.soon();
  pass(100);
  report.soon();
  pass(100);
  assert.equal(sent, 0);
  pass(100);
  assert.equal(sent, 1);
  report.soon();
  report.cancel();
  pass(1_000);
  assert.equal(sent, 1);
});

test("a click that may open another page sends what waits, and a link holds back what follows", () => {
  report.soon();
  click();
  assert.equal(sent, 0);
  click("button");
  assert.equal(sent, 1);
  report.soon();
  pass(200);
  assert.equal(sent, 2);
  report.soon();
  click("a");
  assert.equal(sent, 3);
  report.soon();
  pass(2_000);
  assert.equal(sent, 3);
  pass(2_000); // the page is still there
  assert.equal(sent, 4);
});

test("nothing is sent when the address is another page's, or the component has gone", () => {
  report.soon();
  page.location.pathname = "/compare";
  pass(1_000);
  assert.equal(sent, 0);
  page.location.pathname = "/";
  report.soon();
  lifetime.abort();
  pass(1_000);
  assert.equal(sent, 0);
});

test("a page is being left after a click on a link, until another one is there or it has stayed", () => {
  const isLeft = departure(lifetime.signal);
  click("button");
  assert.equal(isLeft(), false);
  click("a");
  assert.equal(isLeft(), true);
  pass(10_000);
  assert.equal(isLeft(), false);
  click("a");
  page.location.pathname = "/compare";
  assert.equal(isLeft(), false);
});

test("a page is being left after Back, until it has stayed", () => {
  const isLeft = departure(lifetime.signal);
  assert.equal(isLeft(), false);
  page.location.pathname = "/compare";
  page.dispatchEvent(new Event("popstate"));
  assert.equal(isLeft(), true);
  pass(5_000); // what is on every page stays
  assert.equal(isLeft(), false);
});
