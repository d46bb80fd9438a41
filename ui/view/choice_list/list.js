// The list of a menu. Each row shows what it leads to: the pair that a rule would merge, the first words as a trainer would
// spell them, or a figure. It asks Python for that when it appears.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Contents, ListData} from "./rows.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make } from "../../../film/browser/shared/dom.js";
import { firstOnPage, isAnyPresenting } from "../../../film/browser/shared/groups.js";
import { rootOf } from "../../../film/browser/shared/mount.js";
import { createCurve } from "./curve.js";
import { groupElements } from "./rows.js";

const PATIENCE = 400; // ms until the rows appear without what they show
const AGAIN = 80; // ms until it asks again after the page has run as a whole
const TYPING = 700; // ms within which letters belong together
const PAGE = 5; // rows
const MOST_WHOLE = 10; // rows of a list that does not scroll by itself
const MOST_ASKED = 1e9;
const CONTROLS = "[role=dialog] :is(input, textarea, button, summary)";

let asked = 0; // number of the last question; each list in turn asks its own

/** @param {Component<ListData>} component @returns {Controller<ListData>} */
export function createList(component) {
  const root = rootOf(component, "[data-testid=choice-list]");
  let { data } = component;
  /** @type {Contents | null} */
  let contents = null;
  let question = 0; // number of the question that is open; 0 for none
  let seen = ""; // what is drawn, as text
  let active = ""; // slug of the row that the keys are at
  let typed = "";
  let typedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  const head = make("p", "aside headline");
  const list = make("div", "rows", { role: "listbox", tabindex: 0, keydown: follow, click: press });
  const foot = make("div", "aside foot");
  const curve = createCurve(take);
  root.replaceChildren(head, curve.element, list, foot);
  root.addEventListener("keydown", keep);
  root.classList.add("waiting");
  const patience = setTimeout(reveal, PATIENCE);
  if (!isGuessing()) ask();

  function ask() {
    asked = (asked + 1) % MOST_ASKED || 1;
    question = asked;
    component.setTriggerValue("asked", { number: question, step: stepOnPage() });
    clearTimeout(waiting);
  }

  /** Show the rows, and lead the keys to them. */
  function reveal() {
    clearTimeout(patience);
    if (!root.classList.contains("waiting")) return;
    root.classList.remove("waiting");
    showChosen();
    // By now the menu has opened, and has taken the focus itself; or the viewer is at another control of it.
    if (document.activeElement?.matches(CONTROLS)) return;
    if (contents?.curve) curve.focus();
    else list.focus({ preventScroll: true });
  }

  function showChosen() {
    list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** @type {Controller<ListData>["update"]} */
  function update(next) {
    component = next;
    ({ data } = next);
    if (data.contents && data.answers === question) {
      ({ contents } = data);
      question = 0;
      clearTimeout(waiting);
      draw(); // a slider takes the focus only where it is seen
      reveal();
    } else if (!data.contents) {
      // The page has run as a whole, so what the rows show may be outdated.
      clearTimeout(waiting);
      waiting = setTimeout(() => root.isConnected && !isGuessing() && ask(), AGAIN);
    }
    draw();
  }

  function draw() {
    const theme = themeOf(root);
    const text = JSON.stringify([theme, data.rows, data.chosen, contents]);
    if (text === seen) return;
    seen = text;
    root.dataset.theme = theme;
    if (!data.rows.some(([slug]) => slug === active)) active = data.chosen;
    list.setAttribute("aria-label", data.label);
    root.classList.toggle("long", data.rows.length > MOST_WHOLE);
    list.replaceChildren(...groupElements(data, contents, themeOf(root)));
    const [bold, rest] = contents?.headline ?? ["", ""];
    head.replaceChildren(make("b", "", {}, bold), ` ${rest}`);
    head.hidden = !bold && !rest;
    const action = contents?.action
      ? [
          make(
            "button",
            "action",
            { type: "button", "data-testid": `${data.names}action`, click: act },
            contents.action,
          ),
        ]
      : [];
    foot.replaceChildren(make("span", "", {}, contents?.foot ?? ""), ...action);
    foot.hidden = !contents?.foot && !action.length;
    list.hidden = Boolean(contents?.curve);
    curve.element.hidden = !contents?.curve;
    if (contents?.curve) curve.draw(contents.curve, Number(data.chosen));
    point();
    if (active === data.chosen) showChosen(); // what the rows show has made them higher
  }

  /** @returns {HTMLElement[]} */
  function optionElements() {
    return [...list.querySelectorAll("[role=option]")].filter((one) => one instanceof HTMLElement);
  }

  /** Show which row the keys are at. */
  function point() {
    for (const option of optionElements()) {
      const isActive = option.dataset.slug === active;
      option.classList.toggle("active", isActive);
      if (isActive) list.setAttribute("aria-activedescendant", option.id);
    }
  }

  /** @param {number} at  position of a row */
  function moveTo(at) {
    const all = optionElements();
    const option = all[Math.max(0, Math.min(all.length - 1, at))];
    if (!option) return;
    active = option.dataset.slug ?? "";
    point();
    option.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  function follow(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = optionElements();
    const at = all.findIndex((option) => option.dataset.slug === active);
    const targets = new Map([
      ["ArrowDown", at + 1],
      ["ArrowUp", at - 1],
      ["PageDown", at + PAGE],
      ["PageUp", at - PAGE],
      ["Home", 0],
      ["End", all.length - 1],
    ]);
    const target = targets.get(key);
    if (target !== undefined) moveTo(target);
    else if (key === "Enter" || (key === " " && !isTyping(event))) take(active);
    else if (key.length === 1) search(event);
    else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  function isTyping(event) {
    return typed !== "" && event.timeStamp - typedAt < TYPING;
  }

  /** Go to the next row whose title begins with what is typed. @param {KeyboardEvent} event */
  function search(event) {
    typed = isTyping(event) ? typed + event.key : event.key;
    typedAt = event.timeStamp;
    const all = optionElements();
    const titles = all.map((option) => data.rows.find(([slug]) => slug === option.dataset.slug)?.[1] ?? "");
    const at = all.findIndex((option) => option.dataset.slug === active);
    const begin = typed.length > 1 ? at : at + 1; // the same row may go on to match
    for (let step = 0; step < all.length; step++) {
      const candidate = (begin + step + all.length) % all.length;
      if (titles[candidate].toLowerCase().startsWith(typed.toLowerCase())) return moveTo(candidate);
    }
  }

  /** @param {MouseEvent} event */
  function press(event) {
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    if (option instanceof HTMLElement) take(option.dataset.slug ?? "");
  }

  /** @param {string} slug */
  function take(slug) {
    active = slug;
    point();
    if (slug === data.chosen || root.classList.contains("waiting")) return;
    for (const option of optionElements())
      option.setAttribute("aria-selected", String(option.dataset.slug === slug));
    seen = "";
    component.setTriggerValue("taken", slug);
    if (isAnyPresenting()) close(); // the audience looks at what it changes
  }

  /** Do what the button says, which leads elsewhere: the menu closes. */
  function act() {
    component.setTriggerValue("acted", true);
    close();
  }

  function close() {
    root.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
  }

  /** The keys of the list are not for the grid, nor for Streamlit. Escape closes the menu. @param {KeyboardEvent} event */
  function keep(event) {
    if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
  }

  function remove() {
    clearTimeout(patience);
    clearTimeout(waiting);
    curve.remove();
  }
  return { update, remove };
}

/** Return whether the viewer predicts the next merge, which the rows would tell. */
function isGuessing() {
  return firstOnPage()?.playhead?.predicting ?? false;
}

/** Return the step of the training that the page plays, 0 without one. */
function stepOnPage() {
  const group = firstOnPage();
  const isTraining = group ? [...group.lanes].some((lane) => lane.model.training) : false;
  return isTraining ? (group?.playhead?.step ?? 0) : 0;
}
