// The texts of a link are in its fragment, the part after #, which browsers leave out of requests, so that it is in no log
// of a server. It goes to the app over its connection. The address bar loses it then, so that a reload does not undo what
// was typed since, and gets the texts of the page's own fields.

import { groupNamed, hear } from "../../../film/browser/shared/groups.js";

/** What the address of a page should end with. @typedef {{fragment: string, page: string}} Typed */

const GROUP = "address"; // under which Python tells it
const OWN = "typed="; // begins the part that holds the texts of the page's own fields
const AGAIN_AFTER = 300; // ms between two looks at the address, which Streamlit may have replaced or not yet written
export const RUNS = ".stApp[data-test-script-state=running]";
const LOOK = 50; // ms between two looks at whether the page runs
const LOOKS = 6; // such looks
const LATEST = 4_000; // ms after which the fragment is taken in any case

let opened = openedWith(); // what the page was opened with, until it is taken

/** Return the fragment of the link. The address may have lost it, as the app corrects addresses. */
function openedWith() {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation ? new URL(navigation.name).hash : "";
}

/**
 * Take the fragments of links, that of the page and those that come later, and write the page's own into the address.
 * @param {string[]} names  with which a fragment begins that is a link's
 * @param {(fragment: string) => void} take
 * @param {AbortSignal} signal
 */
export function followLinks(names, take, signal) {
  const first = [opened, window.location.hash].find(isLinks);
  if (first) whenCalm(() => open(first));
  window.addEventListener("hashchange", change, { signal });
  hear("told", GROUP, signal, write);
  const timer = setInterval(write, AGAIN_AFTER);
  signal.addEventListener("abort", () => clearInterval(timer));

  // A link that differs in its fragment only loads no page. Back and Forward lead to fragments that are known already.
  /** @param {HashChangeEvent} event */
  function change({ oldURL, newURL }) {
    const [before, after] = [new URL(oldURL), new URL(newURL)];
    if (before.pathname === after.pathname && isLinks(after.hash)) open(after.hash);
  }

  /** @param {string} hash */
  function isLinks(hash) {
    return names.some((name) => hash.startsWith(`#${name}=`));
  }

  /** @param {string} hash */
  function open(hash) {
    opened = "";
    replaceHash("");
    take(hash.slice(1));
  }

  // What the page sends while it is being drawn holds its menus as they were before the fragment arrived, and would bring
  // that back. So the fragment waits until nothing has run for a moment.
  /** @param {() => void} act */
  function whenCalm(act) {
    const end = performance.now() + LATEST;
    let calm = 0; // looks in a row at which nothing ran
    const waiting = setInterval(() => {
      calm = document.querySelector(RUNS) ? 0 : calm + 1;
      if (calm < LOOKS && performance.now() < end) return;
      clearInterval(waiting);
      act();
    }, LOOK);
    signal.addEventListener("abort", () => clearInterval(waiting));
  }
}

// Another fragment stays, such as that of a heading.
function write() {
  const typed = /** @type {Typed | undefined} */ (groupNamed(GROUP).told?.typed);
  const { pathname, hash } = window.location;
  const now = hash.slice(1);
  if (!typed || typed.fragment === now || !pathname.endsWith(`/${typed.page}`)) return;
  if (now === "" || now.startsWith(OWN)) replaceHash(typed.fragment);
}

/** @param {string} fragment */
function replaceHash(fragment) {
  const { pathname, search } = window.location;
  history.replaceState(history.state, "", pathname + search + (fragment && `#${fragment}`));
}
