// Sends the fragment of a link, the part after #, to the app over its connection. Browsers leave it out of requests, so
// it is in no log of a server. The address bar loses it, so that a reload does not undo what was typed since.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";

/** What is to be in the address. @typedef {{fragment: string, begins: string, page: string}} Kept */
/** @typedef {{names: string[], most: number, kept?: Kept}} FragmentData */

const INTERVAL = 300; // ms between two looks at the address, which the app may have replaced or not yet written

const LOOK = 50; // ms between two looks at whether the app runs
const CALM = 6; // such looks
const LATEST = 4_000; // ms after which the fragment is sent in any case

const READ = Symbol.for("merge-by-merge.fragment"); // whether the fragment that this page was opened with has been read
const page = /** @type {{[key: symbol]: boolean | undefined}} */ (/** @type {unknown} */ (globalThis));

/** Write a fragment into the address, if this is its page and no other fragment is there. @param {Kept} kept */
function write({ fragment, begins, page: name }) {
  const { pathname, search, hash } = window.location;
  const now = hash.slice(1);
  if (now === fragment || !pathname.endsWith(`/${name}`) || (now && !now.startsWith(begins))) return;
  history.replaceState(history.state, "", pathname + search + (fragment && `#${fragment}`));
}

/** Return the fragment that the page was opened with. The address may have lost it, as the app corrects addresses. */
function openedWith() {
  if (page[READ]) return "";
  page[READ] = true;
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation ? new URL(navigation.name).hash : "";
}

/** @param {Component<FragmentData>} component @returns {Controller<FragmentData>} */
function createReader(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const timer = setInterval(look, INTERVAL);
  window.addEventListener("hashchange", onChange, { signal });

  // A link that differs in its fragment only loads no page. Back and Forward lead to fragments that are known already.
  /** @param {HashChangeEvent} change */
  function onChange({ oldURL, newURL }) {
    const [before, after] = [new URL(oldURL), new URL(newURL)];
    if (before.pathname === after.pathname) send(after.hash);
  }

  function look() {
    if (component.data.kept) write(component.data.kept);
  }

  /** @param {string} hash */
  function send(hash) {
    const { data, setTriggerValue } = component;
    const fragment = hash.slice(1);
    if (!data.names.some((name) => fragment.startsWith(`${name}=`))) return;
    const { pathname, search } = window.location;
    history.replaceState(history.state, "", pathname + search);
    setTriggerValue("fragment", fragment.slice(0, data.most + 1));
  }
  if (component.data.names.length) sendWhenCalm(openedWith() || window.location.hash);
  look();

  // What the page sends while it is being drawn holds its fields as they were before the fragment arrived, and would
  // empty them again. So the fragment waits until nothing has run for a moment.
  /** @param {string} hash */
  function sendWhenCalm(hash) {
    const { data } = component;
    if (!data.names.some((name) => hash.startsWith(`#${name}=`))) return;
    const end = performance.now() + LATEST;
    let calm = 0; // looks in a row at which nothing ran
    const waiting = setInterval(() => {
      const runs = document.querySelector("[data-test-script-state=running]");
      calm = runs ? 0 : calm + 1;
      if (calm < CALM && performance.now() < end) return;
      clearInterval(waiting);
      send(hash);
    }, LOOK);
    signal.addEventListener("abort", () => clearInterval(waiting));
  }

  return {
    update(next) {
      component = next;
      look();
    },
    remove() {
      clearInterval(timer);
      lifetime.abort();
    },
  };
}

export default mount(createReader);
