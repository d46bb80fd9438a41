// Every component's main.js exports the function that `mount` returns. Streamlit calls it when the component appears,
// and again whenever its data or the theme change. It returns a function that Streamlit calls when the component is
// removed, and sometimes before.

import { followPaper } from "./paper.js";

/**
 * What Streamlit passes to a component at every call.
 * @template Data
 * @typedef {object} Component
 * @property {string} [name]  of the component
 * @property {Data} data  what Python sent
 * @property {HTMLElement | ShadowRoot} parentElement  parent of the component's HTML
 * @property {(name: string, value: unknown) => void} setStateValue  sends to Python; stays until it is set again
 * @property {(name: string, value: unknown) => void} setTriggerValue  sends to Python, for one run only
 */

/**
 * @template Data
 * @typedef {object} Controller
 * @property {(component: Component<Data>) => void} update  called every time, including the first; idempotent
 * @property {() => void} [remove]
 */

/** What Streamlit passes: the data as JSON in bytes. A film passes the data themselves. @typedef {Component<any>} Called */

/**
 * Keep one controller for each parent element, and let it draw again when the page is printed. Where Streamlit calls again
 * with the same bytes and the same theme, only the functions that send to Python are renewed.
 *
 * @template Data
 * @param {(component: Component<Data>) => Controller<Data>} create  called once for each parent element
 * @returns {(component: Component<Data>) => () => void}
 */
export function mount(create) {
  /** @type {WeakMap<Node, Controller<Data>>} */
  const controllers = new WeakMap();
  /** @type {Map<Node, Component<Data>>} */
  const latest = new Map();
  /** @type {WeakMap<Node, {bytes: Uint8Array, theme: string}>} */
  const received = new WeakMap();
  followPaper(() => latest.forEach((component, parent) => controllers.get(parent)?.update(component)));
  return (called) => {
    const { parentElement } = called;
    const component = newest(called);
    if (component) {
      const controller = controllers.get(parentElement) ?? create(component);
      controllers.set(parentElement, controller);
      latest.set(parentElement, component);
      controller.update(component);
    }
    return () => {
      // Streamlit also calls this for a call that newer data overtook. The component is then still on the page, and a
      // second controller would draw everything a second time.
      if (parentElement.isConnected) return;
      latest.delete(parentElement);
      controllers.get(parentElement)?.remove?.();
      controllers.delete(parentElement);
    };
  };

  /** Return the component as it is called; null if it is as before. @param {Called} called */
  function newest(called) {
    const { parentElement, data, setStateValue, setTriggerValue } = called;
    if (!(data instanceof Uint8Array)) return called;
    const host = parentElement instanceof ShadowRoot ? parentElement.host : parentElement;
    const theme = getComputedStyle(/** @type {Element} */ (host)).getPropertyValue("--st-background-color");
    const before = received.get(parentElement);
    const known = latest.get(parentElement);
    const isSame = before !== undefined && known !== undefined && isEqual(before.bytes, data);
    received.set(parentElement, { bytes: data, theme });
    if (isSame && before.theme === theme) {
      Object.assign(known, { setStateValue, setTriggerValue });
      return null;
    }
    return { ...called, data: isSame ? known.data : JSON.parse(new TextDecoder().decode(data)) };
  }
}

/** @param {Uint8Array} one @param {Uint8Array} other */
function isEqual(one, other) {
  return one.length === other.length && one.every((octet, at) => octet === other[at]);
}

/**
 * Return an element of the component's main.html.
 *
 * @param {Component<any>} component
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function rootOf({ parentElement }, selector) {
  const root = /** @type {HTMLElement | null} */ (parentElement.querySelector(selector));
  if (!root) throw new Error(`main.html must hold ${selector}`);
  return root;
}
