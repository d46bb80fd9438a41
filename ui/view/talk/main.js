// The line of a talk. On a page that is no lesson, the keys make the merges of its stop and then go on to the next one.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Playhead} from "../../../film/browser/shared/groups.js" */

import { make, hasModifier, makeButton } from "../../../film/browser/shared/dom.js";
import { groupNamed, hear, setTalk, talk } from "../../../film/browser/shared/groups.js";
import { themeOf } from "../../../film/browser/shared/colour.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { keepPageKeys } from "../../../film/browser/token_grid/page_keys.js";
import { startedAt } from "./clock.js";
import { STYLE } from "./notes_style.js";

// The speaker's window: notes, a clock, what is on the screen now and what comes next. It is an empty page of this
// browser that this script fills, so it asks nothing of any server. Keys pressed in it act on the talk. It stays open while
// the talk goes from page to page: the line of each page fills it anew.

const NAME = "merge-by-merge-notes";
const SIZE = "width=1100,height=720";
const SECOND = 1000; // ms
const ONWARDS = "PageDown"; // of a clicker

/** The window of the notes, and what ends the listeners of the page that filled it last. @typedef {{window: Window, lifetime: AbortController}} Speaker */

/** @type {Speaker | null} */
let written = null;

/** Return minutes and seconds. @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.floor(Math.max(0, milliseconds) / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Make the window's owner. It opens when the speaker asks for it; one that is open already is taken over.
 * @param {() => TalkData} data
 * @param {() => void} comeBack  from a detour
 */
function createNotesWindow(data, comeBack) {
  /** @type {Window | null} */
  let speaker = null;
  const told = make("main", "told");
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  const known = written?.window;
  if (known && !known.closed) fill(known);

  function open() {
    const opened = window.open("", NAME, SIZE);
    if (!opened) return;
    fill(opened);
    draw();
  }

  /** @param {Window} opened */
  function fill(opened) {
    written?.lifetime.abort();
    const lifetime = new AbortController();
    written = { window: opened, lifetime };
    speaker = opened;
    const { document: page } = opened;
    page.title = "Speaker notes";
    const style = page.createElement("style");
    style.textContent = STYLE;
    page.head.replaceChildren(style);
    page.documentElement.lang = "en";
    page.body.replaceChildren(told);
    page.addEventListener("keydown", forward, { signal: lifetime.signal });
    clearInterval(ticking);
    ticking = setInterval(tick, SECOND);
  }

  /** A clicker's keys reach the window that has the focus, which may be this one. @param {KeyboardEvent} event */
  function forward(event) {
    const { key, shiftKey, target } = event;
    if (event.isComposing || hasModifier(event)) return;
    const control = /** @type {Partial<Element>} */ (target);
    if (control.matches?.("button") && (key === " " || key === "Enter")) return;
    const { activeElement } = document;
    const copy = new KeyboardEvent("keydown", {
      key,
      shiftKey,
      bubbles: true,
      cancelable: true,
      composed: true,
    });
    const isUnused = (activeElement ?? document.body).dispatchEvent(copy);
    if (!isUnused) event.preventDefault(); // a key of the talk must not scroll the notes
  }

  function draw() {
    if (!speaker || speaker.closed) return;
    const { away, title, notes, number, of, next, group } = data();
    const { speech, lanes } = groupNamed(group);
    const merges = [...lanes].filter(({ root }) => root.clientWidth).map(({ tell }) => tell());
    const step = speech && !away ? ` · step ${speech.at} of ${speech.of}` : "";
    const where = `${number} of ${of}${step}`;
    told.replaceChildren(
      make("header", "", {}, make("span", "", {}, where), make("span", "clock")),
      make("h1", "", {}, title),
      ...(away ? [make("p", "", {}, AWAY), makeButton(WAY_BACK, "notes-return", comeBack)] : []),
      make("p", "notes", {}, notes),
      ...(speech && !away ? part("Now", speech.now, "now") : []),
      ...(speech && !away ? part("The answer", [speech.answer]) : []),
      ...part("The next merge", merges),
      ...part("Next", [(!away && speech?.next) || next || "The end."]),
    );
    tick();
  }

  function tick() {
    if (!speaker || speaker.closed) return clearInterval(ticking);
    const { minutes, before } = data();
    const elapsed = Date.now() - startedAt();
    const clock = speaker.document.querySelector(".clock");
    if (!clock) return;
    clock.textContent = `${clockText(elapsed)} of ${minutes}:00 · planned ${before}:00`;
    clock.classList.toggle("late", elapsed > minutes * 60 * SECOND);
  }

  return { open, draw, remove: () => clearInterval(ticking) };
}

/** @param {string} heading @param {string[]} lines @param {string} [name]  its class */
function part(heading, lines, name = "") {
  const paragraphs = lines.filter(Boolean).map((text) => make("p", "", {}, text));
  return paragraphs.length ? [make("section", name, {}, make("h2", "", {}, heading), ...paragraphs)] : [];
}

/**
 * What Python sends.
 * @typedef {object} TalkData
 * @property {boolean} away  whether the page is a detour
 * @property {string} title  of the stop
 * @property {number} number  of the stop, from 1
 * @property {number} of  number of stops
 * @property {number} minutes  of the talk
 * @property {number} before  minutes that the stops before this one need
 * @property {string} notes  for the speaker
 * @property {string} next  title of the next stop, or ""
 * @property {string} group  of the grids on the page
 * @property {number} merges  that the keys make here; 0 for all
 * @property {boolean} keys  whether this line takes the keys of the group on
 */

const RETURN = "0"; // beside the numbers of the pages
const WAY_BACK = `Back to the talk (${RETURN})`;
const AWAY = "You have left the talk. It is waiting:";
const TYPING = "input, textarea, select, [contenteditable=true]";

/**
 * Return whether the keys have made the merges of a stop.
 * @param {Pick<Playhead, "step" | "beat" | "last">} playhead
 * @param {number} merges
 */
export function isOver({ step, beat, last }, merges) {
  return step >= Math.min(merges || Infinity, last()) && beat !== "fuse";
}

/** @param {Component<TalkData>} component @returns {Controller<TalkData>} */
function createTalk(component) {
  keepPageKeys(); // before its own keys: what is typed for the field over the stage opens no notes
  const root = rootOf(component, "[data-testid=talk]");
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let { data } = component;
  let lastText = ""; // the data, as text
  let leaving = false; // another stop has been asked for
  const comeBack = () => move("return");
  /** @type {import("../../../film/browser/shared/groups.js").Talk} */
  let given = { back: null };
  const notes = createNotesWindow(() => data, comeBack);
  const group = () => groupNamed(data.group);

  /** @type {Controller<TalkData>["update"]} */
  function update(next) {
    component = next;
    const before = data.group;
    data = next.data;
    root.dataset.theme = themeOf(root);
    if (before !== data.group) release(before);
    if (data.keys) Object.assign(group(), { next: forth, back });
    else release(data.group);
    given = { back: data.away ? { name: WAY_BACK, act: comeBack } : null };
    setTalk(given);
    const text = JSON.stringify(data);
    if (text === lastText) return;
    lastText = text;
    leaving = false;
    draw();
    notes.draw();
  }

  function draw() {
    root.dataset.stop = String(data.number);
    root.dataset.away = String(data.away);
    const position = `Talk of ${data.minutes} minutes · ${data.number} of ${data.of}`;
    const previous = makeButton("Back", "talk-back", () => move("back"));
    const on = makeButton(data.next ? `Next: ${data.next}` : "The end", "talk-next", () => move("next"));
    previous.disabled = data.number === 1;
    on.disabled = !data.next;
    root.replaceChildren(
      make("span", "where", {}, position),
      make("strong", "", {}, data.title),
      ...(data.away ? [makeButton(WAY_BACK, "talk-return", comeBack)] : [previous, on]),
      makeButton("Notes (N)", "talk-notes", notes.open),
      makeButton("Leave the talk", "talk-leave", () => component.setTriggerValue("leave", true)),
    );
  }

  /** @param {"next" | "back" | "return"} way */
  function move(way) {
    const leads = { next: Boolean(data.next), back: data.number > 1, return: data.away };
    if (leaving || !leads[way]) return;
    leaving = true; // a key that is pressed twice must not skip a stop
    component.setTriggerValue("move", `${way} from ${data.number}`);
  }

  function forth() {
    const { playhead, stage } = group();
    if (!playhead) return;
    if (!isOver(playhead, data.merges)) return playhead.nextBeat();
    if (stage?.showEnding(true)) return; // the words that lanes split differently come before the next stop
    move("next");
  }

  function back() {
    const { playhead, stage } = group();
    if (!playhead || stage?.showEnding(false)) return;
    if (playhead.step > 0 || playhead.beat === "count" || playhead.beat === "select") playhead.previousBeat();
    else move("back");
  }

  /** @param {string} name */
  function release(name) {
    const left = groupNamed(name);
    if (left.next === forth) delete left.next;
    if (left.back === back) delete left.back;
  }

  function listen(/** @type {KeyboardEvent} */ event) {
    const target = event.composedPath()[0];
    if (hasModifier(event) || (target instanceof Element && target.matches(TYPING))) return;
    if (event.key.toLowerCase() === "n") notes.open();
    if (data.away && leadsBack(event)) {
      event.preventDefault();
      event.stopPropagation();
      comeBack();
    }
  }

  // A clicker comes back from a detour too: its page ends, as a stop does.
  /** @param {KeyboardEvent} event */
  function leadsBack({ key, shiftKey }) {
    const { ways, playhead, presenting } = group();
    if (key === RETURN) return !ways?.isOn(); // there it shows the whole picture
    return key === ONWARDS && !shiftKey && presenting && playhead && !ways?.isOn() && isOver(playhead, 0);
  }
  // In the capture phase: the grid, which has the focus in the presenter view, stops single letters.
  window.addEventListener("keydown", listen, { capture: true, signal });
  for (const kind of /** @type {const} */ (["speech", "step", "present"]))
    hear(kind, data.group, signal, notes.draw);

  function remove() {
    lifetime.abort();
    if (talk() === given) setTalk(null); // the line of the next page may have come before
    release(data.group);
    notes.remove();
  }
  return { update, remove };
}

export default mount(createTalk);
