// A tab with the focus. Streamlit hides the tabs for a moment, or draws them anew, while it loads what a new one needs.
// A hidden or removed tab loses the focus, which then goes to the tab in its place. If the viewer moves the focus, it
// stays there.

const LATEST = 5_000; // ms in which hidden tabs may come back
const PAUSE = 50; // ms between two looks

/**
 * Give a tab the focus and keep it there for a while. Return a function that ends it.
 * @param {HTMLElement} tab
 * @param {() => HTMLElement | null} inItsPlace  finds the tab when the tabs have been drawn anew
 * @returns {() => void}
 */
export function keepOnTab(tab, inItsPlace) {
  const until = performance.now() + LATEST;
  let hidden = false;
  const timer = setInterval(look, PAUSE);
  const stop = () => clearInterval(timer);
  const onBlur = () => (tab.checkVisibility() ? stop() : (hidden = true));

  function focus() {
    tab.focus({ preventScroll: true });
    hidden = document.activeElement !== tab; // what is hidden takes no focus
    if (!hidden) tab.addEventListener("blur", onBlur, { once: true });
  }

  function look() {
    const nowhere = document.activeElement === document.body;
    const latest = inItsPlace();
    if (nowhere && latest && (hidden || !tab.isConnected)) {
      tab = latest;
      focus();
    }
    if (performance.now() > until) stop();
  }

  focus();
  return stop;
}
