// Streamlit sends a component's script and style sheet with each of its elements, and again whenever the data of one
// change. So those that are large come once a page: an element without data of its own brings them, and the others wait
// for them (`shared_component` in `ui/components/component.py`).

/** @import {Component} from "./mount.js" */

/** @typedef {(component: Component<any>) => () => void} Draw */
/** @typedef {{draw: Draw, styles: CSSStyleSheet}} Brought */
/** @typedef {{brought: Promise<Brought>, bring: (brought: Brought) => void}} Delivery */

// A script runs once for each component, so what they share is a property of the window.
const DELIVERIES = Symbol.for("merge-by-merge scripts");
const everyScript = /** @type {{[key: symbol]: Map<string, Delivery> | undefined}} */ (
  /** @type {unknown} */ (globalThis)
);
const deliveries = (everyScript[DELIVERIES] ??= new Map());

/**
 * Let one element of a component bring the script to the others: the one whose data say for which component. It draws
 * nothing.
 * @param {Draw} draw  what `mount` returned
 * @returns {Draw}
 */
export function shared(draw) {
  return (component) => {
    const { brings } = component.data;
    if (!brings) return draw(component);
    bring(brings, draw, component);
    return () => {};
  };
}

/** Return what was brought for a component, as soon as it is there. @param {string} name */
export function whenBrought(name) {
  return deliveryOf(name).brought;
}

/**
 * Bring what draws a component, and its style sheet, which is that of the element that brings it. What is brought later
 * takes its place: a server that has begun again may have another release.
 * @param {string} name
 * @param {Draw} draw
 * @param {Component<any>} component
 */
export function bring(name, draw, { parentElement }) {
  const styles = new CSSStyleSheet();
  styles.replaceSync(parentElement.querySelector("style")?.textContent ?? "");
  const delivery = deliveryOf(name);
  delivery.bring({ draw, styles });
  delivery.brought = Promise.resolve({ draw, styles });
}

/** @param {string} name @returns {Delivery} */
function deliveryOf(name) {
  const known = deliveries.get(name);
  if (known) return known;
  /** @type {Delivery["bring"]} */
  let arrive = () => {};
  const brought = new Promise((/** @type {Delivery["bring"]} */ resolve) => (arrive = resolve));
  const delivery = { brought, bring: arrive };
  deliveries.set(name, delivery);
  return delivery;
}
