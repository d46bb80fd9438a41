// The elements at which Tab stops within an element, those in shadow roots too.

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]";

/**
 * Return the stops of Tab within an element, in their order.
 * @param {Element | ShadowRoot} root
 * @returns {HTMLElement[]}
 */
export function tabStops(root) {
  const stops = [...root.querySelectorAll("*")].flatMap((element) => {
    const within = element.shadowRoot ? tabStops(element.shadowRoot) : [];
    return isStop(element) ? [element, ...within] : within;
  });
  return stops.filter(isChosenRadio);
}

/**
 * @param {Element} element
 * @returns {element is HTMLElement}
 */
function isStop(element) {
  if (!(element instanceof HTMLElement) || !element.matches(STOPS) || element.matches(":disabled"))
    return false;
  // Floating UI, of which Streamlit makes its popovers, takes the stops away while the focus is elsewhere, and notes it.
  const isReached = element.tabIndex >= 0 || element.hasAttribute("data-tabindex");
  return isReached && element.checkVisibility({ visibilityProperty: true });
}

/**
 * Return false for a radio button that Tab passes, since another one of its group is chosen or is the first.
 * @param {HTMLElement} element
 * @param {number} _at
 * @param {HTMLElement[]} all
 */
function isChosenRadio(element, _at, all) {
  if (!(element instanceof HTMLInputElement) || element.type !== "radio" || element.checked) return true;
  const group = all.filter(
    (other) => other instanceof HTMLInputElement && other.type === "radio" && other.name === element.name,
  );
  return group[0] === element && group.every((other) => !(/** @type {HTMLInputElement} */ (other).checked));
}

/** Return the element that has the focus, in whichever shadow root it is. */
export function focusedElement() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}
