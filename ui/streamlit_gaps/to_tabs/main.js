// A button that leads to tabs further down the page. It opens one of them and moves the focus there, so that the
// keyboard and a screen reader go on from the tabs.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { keepOnTab } from "../listeners/kept_tab.js";

const HEADER = "72px"; // Streamlit's header covers the top of the page

/**
 * What Python sends.
 * @typedef {object} ToTabsData
 * @property {string} label
 * @property {string} tabs  key of the tabs
 * @property {number} number  position of the tab that opens
 */

/** @param {Component<ToTabsData>} component @returns {Controller<ToTabsData>} */
function createButton(component) {
  let { label, tabs, number } = component.data;
  const button = make("button", "", { type: "button", click: goThere });
  rootOf(component, ".to-tabs").replaceChildren(button);
  let stop = () => {};

  function tabToOpen() {
    const all = document.querySelectorAll(`.st-key-${CSS.escape(tabs)} [role=tab]`);
    return /** @type {HTMLElement | null} */ (all.item(number));
  }

  function goThere() {
    const tab = tabToOpen();
    if (!tab) return; // they are drawn after the lanes
    if (tab.getAttribute("aria-selected") !== "true") tab.click();
    tab.style.scrollMarginTop = HEADER;
    tab.scrollIntoView({ block: "start" });
    stop();
    stop = keepOnTab(tab, tabToOpen);
  }

  return {
    update({ data }) {
      ({ label, tabs, number } = data);
      button.textContent = `${label} ↓`;
    },
    remove: () => stop(),
  };
}

export default mount(createButton);
