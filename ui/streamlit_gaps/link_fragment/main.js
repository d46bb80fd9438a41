// Sends the fragment of a link, the part after #, to the app over its connection. Browsers leave it out of requests, so
// it is in no log of a server. The address bar loses it, so that a reload does not undo what was typed since.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";

/** @typedef {{names: string[], most: number}} FragmentData */

const READ = Symbol.for("merge-by-merge.fragment"); // whether the fragment that this page was opened with has been read
const page = /** @type {{[key: symbol]: boolean | undefined}} */ (/** @type {unknown} */ (globalThis));

/** Return the fragment that the page was opened with. The address may have lost it, as the app corrects addresses. */
function openedWith() {
  if (page[READ]) return "";
  page[READ] = true;
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation ? new URL(navigation.name).hash : "";
}

/**
 * @param {Component<FragmentData>} component
 * @returns {Controller<FragmentData>}
 */
function createReader(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  // A link that differs in its fragment only loads no page.
  window.addEventListener("hashchange", () => send(window.location.hash), { signal });

  /** @param {string} hash */
  function send(hash) {
    const { data, setTriggerValue } = component;
    const fragment = hash.slice(1);
    if (!data.names.some((name) => fragment.startsWith(`${name}=`))) return;
    const { pathname, search } = window.location;
    history.replaceState(history.state, "", pathname + search);
    setTriggerValue("fragment", fragment.slice(0, data.most + 1));
  }
  send(openedWith() || window.location.hash);

  return {
    update(next) {
      component = next;
    },
    remove: () => lifetime.abort(),
  };
}

export default mount(createReader);
