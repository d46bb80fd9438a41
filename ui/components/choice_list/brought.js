// What one component of the page brings and others wait for: the script and the style sheet of the lists.

/** @import {Component} from "../../../film/browser/shared/mount.js" */
/** @import {ListData} from "./rows.js" */

/** @typedef {{list: (component: Component<ListData>) => () => void, styles: CSSStyleSheet}} Brought */
/** @typedef {{brought: Promise<Brought>, bring: (brought: Brought) => void}} Delivery */

// A script runs once for each component, so what they share is a property of the window.
const LISTS = Symbol.for("merge-by-merge lists");
const tab = /** @type {{[key: symbol]: Delivery | undefined}} */ (/** @type {unknown} */ (globalThis));
const delivery = (tab[LISTS] ??= newDelivery());

/** Return what was brought, as soon as it is there. */
export function whenBrought() {
  return delivery.brought;
}

/** Bring it. What is brought later is the same. @param {Brought} brought */
export function bring(brought) {
  delivery.bring(brought);
}

/** @returns {Delivery} */
function newDelivery() {
  /** @type {Delivery["bring"]} */
  let arrive = () => {};
  const brought = new Promise((/** @type {Delivery["bring"]} */ resolve) => (arrive = resolve));
  return { brought, bring: arrive };
}
