// The stage before Streamlit has started. The page of an address holds the data of what it shows first, and this draws it
// alive while Streamlit's scripts are loaded. When Streamlit's component comes with the same data, it takes the living
// elements over, with their step and with what was asked for meanwhile.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {StageData} from "./stage.js" */

import { make } from "../shared/dom.js";
import { groupNamed, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { storedPosition } from "../token_grid/page_keys.js";

const PLACE = "mbm-first"; // id of the element for the early stage; that of its data ends in -data
const MENU_ABOVE = "(max-width: 767px)"; // windows whose menu is above the page
const KEPT_IN_TAB = "merge-by-merge/"; // begins the names of what a tab keeps, such as a typed text
const LOOK_AGAIN = 100; // ms between two looks at whether Streamlit shows something else
const LONGEST_EARLY = 30_000; // ms for which the early stage waits for Streamlit

/** @typedef {(component: Component<StageData>) => Controller<StageData>} CreateStage */
/** @typedef {{id: string, group: string, stage: HTMLElement, place: HTMLElement, controller: Controller<StageData>, told: Map<string, (to: Component<StageData>) => void>}} EarlyStage */

/** @type {EarlyStage | null} */
let early = null;

/** Draw the early stage, if the page has one and nothing asks for another text. @param {CreateStage} create */
export function drawEarly(create) {
  const place = document.getElementById(PLACE);
  const data = document.getElementById(`${PLACE}-data`)?.textContent;
  if (!place || !data || early) return;
  if (!isAsOpened()) return place.remove();
  place.dataset.theme = chosenTheme();
  const stage = make("div", "stage mbm", { "data-testid": "stage" });
  const host = make("div", "early");
  const root = host.attachShadow({ mode: "open" });
  root.append(stage);
  place.append(host);
  /** @type {EarlyStage["told"]} */
  const told = new Map();
  /** @type {Component<StageData>} */
  const component = {
    parentElement: root,
    data: JSON.parse(data),
    setStateValue: (name, value) => void told.set(name, (to) => to.setStateValue(name, value)),
    setTriggerValue: (name, value) => void told.set(name, (to) => to.setTriggerValue(name, value)),
  };
  const controller = create(component);
  controller.update(component);
  const { feed, group } = component.data;
  early = { id: feed.id, group, stage, place, controller, told };
  const start = performance.now();
  const timer = setInterval(() => {
    if (early && !isOver() && performance.now() - start < LONGEST_EARLY) return;
    clearInterval(timer);
    if (early) end(early);
  }, LOOK_AGAIN);
}

/**
 * Let the component of a page take over the early stage. Return null if there is none, or if it shows something else.
 * @param {Component<StageData>} component
 * @returns {Controller<StageData> | null}
 */
export function takeEarly(component) {
  if (!early) return null;
  const taken = early;
  if (taken.id !== component.data.feed.id) {
    end(taken);
    return null;
  }
  early = null;
  move(taken, rootOf(component, "[data-testid=stage]"));
  taken.place.remove();
  const { controller, told } = taken;
  return {
    ...controller,
    update(next) {
      controller.update(next);
      for (const tell of told.values()) tell(next);
      told.clear();
    },
  };
}

/**
 * Put the early stage in the place of an element. What is moved leaves the top layer and loses the focus.
 * @param {EarlyStage} taken
 * @param {HTMLElement} element
 */
function move({ group: name, stage }, element) {
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const { presenting, playhead } = group;
  const beat = playhead?.beat;
  const focused = focusedWithin(stage);
  if (presenting) say("present", { group: name, on: false });
  element.replaceWith(stage);
  if (presenting) say("present", { group: name, on: true });
  if (presenting && beat) playhead?.resume(beat);
  focused?.focus({ preventScroll: true });
}

/** Return the focused element of a stage, in whichever of its shadow roots; null if it is elsewhere. @param {HTMLElement} stage */
function focusedWithin(stage) {
  let active = /** @type {ShadowRoot} */ (stage.getRootNode()).activeElement;
  if (!active || !stage.contains(active)) return null;
  while (active.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}

/** @param {EarlyStage} stage */
function end({ controller, place }) {
  early = null;
  controller.remove?.();
  place.remove();
}

// Whether a visit begins as the page of the address says. Streamlit's own choices are in its storage.

function isAsOpened() {
  const { search, hash } = window.location;
  if (search || hash || matchMedia(MENU_ABOVE).matches || storedPosition()) return false;
  try {
    const names = [...Object.keys(sessionStorage), ...Object.keys(localStorage)];
    return !Object.keys(sessionStorage).some((name) => name.startsWith(KEPT_IN_TAB)) && !names.some(isOfMenu);
  } catch {
    return false; // what is kept cannot be read: Streamlit's page decides
  }
}

/** @param {string} name */
function isOfMenu(name) {
  return /sidebar/i.test(name); // it is folded, or has another width
}

/** Return the theme that the visitor has chosen for the page, or that of the system. */
function chosenTheme() {
  const { pathname } = window.location;
  const chosen = localStorage.getItem(`stActiveTheme-${pathname}-v2`);
  if (chosen === '"Light"') return "light";
  if (chosen === '"Dark"') return "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Return whether Streamlit has drawn a whole page without the stage: a message, or another page. */
function isOver() {
  const app = document.querySelector("[data-testid=stApp]");
  return (
    app?.getAttribute("data-test-script-state") === "notRunning" &&
    document.querySelector("[data-testid=stMain] .stElementContainer") !== null &&
    document.querySelector(".st-key-watch_stage") === null
  );
}
