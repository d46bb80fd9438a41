// A button that leads to tabs further down the page. It opens the first tab and moves the focus there, so that the
// keyboard and a screen reader go on from the tabs.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";

const HEADER = "72px"; // Streamlit's header covers the top of the page
const LATEST = 5_000; // ms in which hidden tabs may come back
const PAUSE = 50; // ms between two looks

/**
 * What Python sends.
 * @typedef {object} ToTabsData
 * @property {string} label
 * @property {string} tabs  key of the tabs
 */

/**
 * @param {Component<ToTabsData>} component
 * @returns {Controller<ToTabsData>}
 */
function createButton(component) {
  let { label, tabs } = component.data;
  const button = make("button", "", { type: "button", click: goThere });
  rootOf(component, ".to-tabs").replaceChildren(button);
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  function firstTab() {
    return /** @type {HTMLElement | null} */ (
      document.querySelector(`.st-key-${CSS.escape(tabs)} [role=tab]`)
    );
  }

  function goThere() {
    const tab = firstTab();
    if (!tab) return; // they are drawn after the lanes
    if (tab.getAttribute("aria-selected") !== "true") tab.click();
    tab.style.scrollMarginTop = HEADER;
    tab.scrollIntoView({ block: "start" });
    keepFocus(tab);
  }

  // Streamlit hides the tabs for a moment, or draws them anew, while it loads what the first one needs. A hidden or
  // removed tab loses the focus, which then goes to the new tab. If the viewer moves the focus, it stays there.
  /** @param {HTMLElement} tab */
  function keepFocus(tab) {
    const until = performance.now() + LATEST;
    let hidden = false;
    const onBlur = () => (tab.checkVisibility() ? clearInterval(timer) : (hidden = true));
    const focus = () => {
      tab.focus({ preventScroll: true });
      hidden = document.activeElement !== tab; // what is hidden takes no focus
      if (!hidden) tab.addEventListener("blur", onBlur, { once: true });
    };
    clearInterval(timer);
    focus();
    timer = setInterval(() => {
      const nowhere = document.activeElement === document.body;
      const latest = firstTab();
      if (nowhere && latest && (hidden || !tab.isConnected)) {
        tab = latest;
        focus();
      }
      if (performance.now() > until) clearInterval(timer);
    }, PAUSE);
  }

  return {
    update({ data }) {
      ({ label, tabs } = data);
      button.textContent = `${label} ↓`;
    },
    remove: () => clearInterval(timer),
  };
}

export default mount(createButton);
