// What is behind the presenter view is inert: neither Tab nor a screen reader reaches it.

const LOOK_PAUSE = 500; // ms between two looks at what the page has drawn or removed meanwhile

/** @typedef {{presenting: Set<HTMLElement>, behind: Set<HTMLElement>, timer?: ReturnType<typeof setInterval>}} View */

// Each component has a script of its own, so what they share is a property of the window.
const VIEW_KEY = Symbol.for("merge-by-merge presenter view");
const viewPage = /** @type {{[key: symbol]: View | undefined}} */ (/** @type {unknown} */ (globalThis));
const VIEW = (viewPage[VIEW_KEY] ??= { presenting: new Set(), behind: new Set() });
const presenting = VIEW.presenting;
const inertElements = VIEW.behind;

/**
 * Let an element be part of the presenter view, or no longer. Everything else on the page is behind it.
 * @param {HTMLElement} element
 * @param {boolean} on
 */
export function present(element, on) {
  if (on) presenting.add(element);
  else presenting.delete(element);
  lookBehind();
}

function lookBehind() {
  for (const element of presenting) if (!element.isConnected) presenting.delete(element);
  const above = new Set([...presenting].flatMap(withAncestors));
  const hidden = new Set(
    [...above].flatMap((element) => siblingsOf(element).filter((one) => !above.has(one))),
  );
  for (const element of inertElements) if (!hidden.has(element)) setInert(element, false);
  for (const element of hidden) if (!element.inert) setInert(element, true);
  if (!presenting.size) {
    clearInterval(VIEW.timer);
    delete VIEW.timer;
  } else VIEW.timer ??= setInterval(lookBehind, LOOK_PAUSE);
}

/**
 * @param {HTMLElement} element
 * @param {boolean} inert
 */
function setInert(element, inert) {
  element.inert = inert;
  if (inert) inertElements.add(element);
  else inertElements.delete(element);
}

/**
 * Return an element and all that it is in, also those around its component.
 * @param {HTMLElement} element
 * @returns {HTMLElement[]}
 */
function withAncestors(element) {
  const chain = [];
  /** @type {Element | null} */
  let one = element;
  while (one instanceof HTMLElement && one !== document.body) {
    chain.push(one);
    /** @type {Node | null} */
    const root = one.parentNode;
    one = root instanceof ShadowRoot ? root.host : one.parentElement;
  }
  return chain;
}

/**
 * @param {HTMLElement} element
 * @returns {HTMLElement[]}
 */
function siblingsOf(element) {
  return [...(element.parentNode?.children ?? [])].filter((one) => one instanceof HTMLElement);
}
