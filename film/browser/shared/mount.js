// Every component's main.js exports what `mount` returns: the function that Streamlit calls when the component appears,
// and again whenever its data or the theme change. What that function returns is called once, when the component goes.

/**
 * What Streamlit passes to a component at every call.
 * @template Data
 * @typedef {object} Component
 * @property {Data} data  what Python sent
 * @property {HTMLElement | ShadowRoot} parentElement  what the component's HTML stands in
 * @property {(name: string, value: unknown) => void} setStateValue  tells Python; stays until it is set again
 * @property {(name: string, value: unknown) => void} setTriggerValue  tells Python; for one run only
 */

/**
 * @template Data
 * @typedef {object} Controller
 * @property {(component: Component<Data>) => void} update  called at every call, the first included; idempotent
 * @property {() => void} [remove]
 */

/**
 * Keep one controller for each parent element.
 *
 * @template Data
 * @param {(component: Component<Data>) => Controller<Data>} create  called once for each parent element
 * @returns {(component: Component<Data>) => () => void}
 */
export function mount(create) {
  /** @type {WeakMap<Node, Controller<Data>>} */
  const controllers = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    const controller = controllers.get(parentElement) ?? create(component);
    controllers.set(parentElement, controller);
    controller.update(component);
    return () => {
      controllers.delete(parentElement);
      controller.remove?.();
    };
  };
}

/**
 * Return the element that the component's main.html brings.
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
