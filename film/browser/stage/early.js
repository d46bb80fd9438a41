// A page before Streamlit has started. The page of an address holds the data of what it shows first, and this draws it
// alive while Streamlit's scripts are loaded. When Streamlit's component comes with the same data, it takes the living
// elements over, with their step and with what was asked for meanwhile.

/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {GridGroup} from "../token_grid/types.js" */

import { make } from "../shared/dom.js";
import { groupNamed, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { focusedWithin } from "../shared/on_stage.js";
import { storedPosition } from "../token_grid/page_keys.js";

const PLACE = "mbm-first"; // id of the element for the early stage; that of its data ends in -data
const FOLDS_MENU = "(max-width: 767px)"; // windows that Streamlit lays out as a phone
const KEPT_UNDER = "merge-by-merge/"; // begins the names of what a tab or a browser keeps, such as a typed text
/** What is kept, but not of a text: a visit begins as the page of its address says. */
export const OF_LESSONS = new Set(["device", "exercises", "lessons_done", "place"]);
const LOOK_AGAIN = 100; // ms between two looks at whether Streamlit shows something else
const LONGEST_EARLY = 30_000; // ms for which the early stage waits for Streamlit

/**
 * What a page draws early.
 * @template {{group: string}} Data
 * @typedef {object} EarlyView
 * @property {(component: Component<Data>) => Controller<Data>} create
 * @property {string} name  the data-testid of the component's element
 * @property {string} looks  the class of that element
 * @property {string} key  of what Streamlit's page has around it
 * @property {(data: Data) => string} idOf  names what the data show
 * @property {(name: string, value: string | null, data: Data) => boolean} isPlain  whether a visit begins as the page says, though its tab or
 *   its browser keeps this
 */

/** @typedef {{id: string, group: string, element: HTMLElement, place: HTMLElement, controller: Controller<any>, told: Map<string, (to: Component<any>) => void>}} Drawn */

/** @type {Drawn | null} */
let early = null;

/**
 * Draw the early part, if the page has one and nothing asks for something else.
 * @template {{group: string}} Data
 * @param {EarlyView<Data>} view
 */
export function drawEarly({ create, name, looks, key, idOf, isPlain }) {
  const place = document.getElementById(PLACE);
  const text = document.getElementById(`${PLACE}-data`)?.textContent;
  if (!place || !text || early) return;
  /** @type {Data} */
  const data = JSON.parse(text);
  const { address = "" } = place.dataset; // the parameters that it is drawn for
  if (!isAsOpened(address, (kept, value) => isPlain(kept, value, data))) return place.remove();
  place.dataset.theme = chosenTheme();
  const { opens } = place.dataset; // the parameters that Streamlit gives to the address of this page
  const element = make("div", looks, { "data-testid": name });
  const host = make("div", "early");
  const root = host.attachShadow({ mode: "open" });
  root.append(element);
  place.append(host);
  /** @type {Drawn["told"]} */
  const told = new Map();
  /** @type {Component<Data>} */
  const component = {
    parentElement: root,
    data,
    setStateValue: (sent, value) => {
      // With a step alone, it would be the address of the sample that the other pages begin with.
      if (sent === "step" && opens) history.replaceState(history.state, "", `?${opens}&step=${value}`);
      told.set(sent, (to) => to.setStateValue(sent, value));
    },
    setTriggerValue: (sent, value) =>
      void told.set(sent, (to) => whenDone(() => to.setTriggerValue(sent, value))),
  };
  const controller = create(component);
  controller.update(component);
  early = { id: idOf(data), group: data.group, element, place, controller, told };
  const start = performance.now();
  const timer = setInterval(() => {
    if (early && !isOver(key) && performance.now() - start < LONGEST_EARLY) return;
    clearInterval(timer);
    if (early) end(early);
  }, LOOK_AGAIN);
}

/**
 * Let the component of a page take over what is drawn early. Return null if there is nothing, or something else.
 * @template {{group: string}} Data
 * @param {EarlyView<Data>} view
 * @param {Component<Data>} component
 * @returns {Controller<Data> | null}
 */
export function takeEarly({ name, idOf }, component) {
  if (!early) return null;
  const taken = early;
  if (taken.id !== idOf(component.data)) {
    end(taken);
    return null;
  }
  early = null;
  move(taken, rootOf(component, `[data-testid=${name}]`));
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

/** Act when no run of the page lasts: what is said once, a run that is broken off can lose. @param {() => void} act */
function whenDone(act) {
  if (scriptState() === "notRunning") act();
  else setTimeout(whenDone, LOOK_AGAIN, act);
}

function scriptState() {
  return document.querySelector("[data-testid=stApp]")?.getAttribute("data-test-script-state");
}

/**
 * Put what is drawn early in the place of an element. What is moved leaves the top layer and loses the focus.
 * @param {Drawn} taken
 * @param {HTMLElement} replaced
 */
function move({ group: name, element }, replaced) {
  /** @type {GridGroup} */
  const group = groupNamed(name);
  const { presenting, playhead } = group;
  const beat = playhead?.beat;
  const focused = focusedWithin(element);
  if (presenting) say("present", { group: name, on: false });
  replaced.replaceWith(element);
  if (presenting) say("present", { group: name, on: true });
  if (presenting && beat) playhead?.resume(beat);
  focused?.focus({ preventScroll: true });
}

/** @param {Drawn} drawn */
function end({ controller, place }) {
  early = null;
  controller.remove?.();
  place.remove();
}

/**
 * Return whether a visit begins as the page of the address says.
 * @param {string} address
 * @param {(name: string, value: string | null) => boolean} isPlain
 */
function isAsOpened(address, isPlain) {
  const { search, hash } = window.location;
  const isOther = new URLSearchParams(search).toString() !== new URLSearchParams(address).toString();
  if (isOther || hash || matchMedia(FOLDS_MENU).matches || storedPosition()) return false;
  try {
    return [sessionStorage, localStorage].every((storage) =>
      Object.keys(storage).every((name) => {
        if (!name.startsWith(KEPT_UNDER)) return true;
        return isPlain(name.slice(KEPT_UNDER.length), storage.getItem(name));
      }),
    );
  } catch {
    return false; // what is kept cannot be read: Streamlit's page decides
  }
}

/** Return the theme that the visitor has chosen for the page, or that of the system. */
function chosenTheme() {
  const { pathname } = window.location;
  const chosen = localStorage.getItem(`stActiveTheme-${pathname}-v2`);
  if (chosen === '"Light"') return "light";
  if (chosen === '"Dark"') return "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Return whether Streamlit has drawn a whole page without this part: a message, or another page. @param {string} key */
function isOver(key) {
  return (
    scriptState() === "notRunning" &&
    document.querySelector("[data-testid=stMain] .stElementContainer") !== null &&
    document.querySelector(`.st-key-${key}`) === null
  );
}
