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

/**
 * Keep one controller for each parent element, and let it draw again when the page is printed.
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
  followPaper(() => latest.forEach((component, parent) => controllers.get(parent)?.update(component)));
  return (component) => {
    const { parentElement } = component;
    const controller = controllers.get(parentElement) ?? create(component);
    controllers.set(parentElement, controller);
    latest.set(parentElement, component);
    controller.update(component);
    return () => {
      // Streamlit also calls this for a call that newer data overtook. The component is then still on the page, and a
      // second controller would draw everything a second time.
      if (parentElement.isConnected) return;
      latest.delete(parentElement);
      controllers.delete(parentElement);
      controller.remove?.();
    };
  };
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
