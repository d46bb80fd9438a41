// Sends the fragment of a link, the part after #, to the app over its connection. Browsers leave it out of requests, so
// it is in no log of a server. The address bar loses it, so that a reload does not undo what was typed since.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";

/** What is to be in the address. @typedef {{fragment: string, begins: string, page: string}} Kept */
/** `received`: the id of the fragment that the app received last. @typedef {{names: string[], most: number, received: string, kept?: Kept}} FragmentData */

const INTERVAL = 300; // ms between two looks at the address, which the app may have replaced or not yet written

const LOOK = 50; // ms between two looks at whether the app runs
const CALM = 6; // such looks
const LATEST = 4_000; // ms after which the fragment is sent in any case

const ANSWERED_AFTER = 2_000; // ms after which a first message counts as lost, once nothing runs: then twice as long
const MOST_TRIES = 4;

/** A fragment that is to be sent, and its random number. @typedef {{hash: string, id: string}} Sent */

// What the app has not received yet; undefined until the fragment of the page's link has been read.
const PENDING = Symbol.for("merge-by-merge.fragment");
const page = /** @type {{[key: symbol]: Sent | undefined}} */ (/** @type {unknown} */ (globalThis));

/** @param {string} hash @returns {Sent} */
function sentOf(hash) {
  return { hash, id: String(Math.random()) };
}

/** Write a fragment into the address, if this is its page and no other fragment is there. @param {Kept} kept */
function write({ fragment, begins, page: name }) {
  const { pathname, search, hash } = window.location;
  const now = hash.slice(1);
  if (now === fragment || !pathname.endsWith(`/${name}`) || (now && !now.startsWith(begins))) return;
  history.replaceState(history.state, "", pathname + search + (fragment && `#${fragment}`));
}

/** Return the fragment that the page was opened with. The address may have lost it, as the app corrects addresses. */
function openedWith() {
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
    if (before.pathname === after.pathname) send(sentOf(after.hash));
  }

  function look() {
    if (page[PENDING]?.id === component.data.received) page[PENDING] = sentOf("");
    if (component.data.kept) write(component.data.kept);
  }

  /** @param {Sent} sent */
  function send(sent) {
    if (!isNamed(sent) || sent.id === component.data.received) return;
    page[PENDING] = sent;
    const { pathname, search } = window.location;
    history.replaceState(history.state, "", pathname + search);
    offer(sent);
  }

  // A run of the page can lose a message, so it is sent again until the app has it, each time after twice as long.
  /** @param {Sent} sent @param {number} [tries] so far */
  function offer(sent, tries = 0) {
    if (signal.aborted || page[PENDING] !== sent) return;
    const { hash, id } = sent;
    const { data, setTriggerValue } = component;
    if (tries === MOST_TRIES) {
      page[PENDING] = sentOf("");
      return;
    }
    setTriggerValue("fragment", { id, text: hash.slice(1, data.most + 2) });
    setTimeout(() => whenCalm(() => offer(sent, tries + 1), Infinity), ANSWERED_AFTER * 2 ** tries);
  }

  /** @param {Sent} sent */
  function isNamed({ hash }) {
    return component.data.names.some((name) => hash.startsWith(`#${name}=`));
  }

  if (component.data.names.length) {
    page[PENDING] ??= sentOf(openedWith());
    const sent = [page[PENDING], sentOf(window.location.hash)].find(isNamed);
    if (sent) whenCalm(() => send(sent));
  }
  look();

  // What the page sends while it is being drawn holds its fields as they were before the fragment arrived, and would
  // empty them again. So the fragment waits until nothing has run for a moment.
  /** @param {() => void} act @param {number} [latest] ms after which it acts in any case */
  function whenCalm(act, latest = LATEST) {
    const end = performance.now() + latest;
    let calm = 0; // looks in a row at which nothing ran
    const waiting = setInterval(() => {
      const runs = document.querySelector("[data-test-script-state=running]");
      calm = runs ? 0 : calm + 1;
      if (calm < CALM && performance.now() < end) return;
      clearInterval(waiting);
      act();
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
