// The speaker's window: notes, a clock, what is on the screen now and what comes next. It is an empty page of this
// browser that this script fills, so it asks nothing of any server. Keys pressed in it act on the talk.

/** @import {TalkData} from "./main.js" */

import { make } from "../../../film/browser/shared/page/dom.js";
import { groupNamed } from "../../../film/browser/shared/groups.js";

const NAME = "merge-by-merge-notes";
const SIZE = "width=760,height=620";
const STARTED = "merge-by-merge.talk-started"; // in the tab's storage: when, in ms
const SECOND = 1000; // ms
const STYLE = [
  ":root { color-scheme: light dark; }",
  "body { margin: 0; padding: 20px 24px; font: 22px/1.45 system-ui, sans-serif; }",
  "header { display: flex; justify-content: space-between; gap: 16px; font-variant-numeric: tabular-nums; }",
  "h1 { margin: 12px 0 4px; font-size: 26px; }",
  ".clock { font-size: 34px; font-weight: 700; }",
  ".late { color: #c2410c; }",
  ".notes { border-left: 5px solid #3b5bdb; padding-left: 14px; font-size: 26px; }",
  "h2 { margin: 18px 0 2px; font-size: 16px; font-weight: 600; opacity: 0.7; }",
  "p { margin: 0 0 6px; }",
  ".question { font-weight: 650; }",
].join("\n");

/**
 * Return minutes and seconds.
 * @param {number} milliseconds
 */
export function clockText(milliseconds) {
  const seconds = Math.floor(Math.max(0, milliseconds) / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Make the window's owner. It opens when the speaker asks for it.
 * @param {() => TalkData} data
 */
export function createNotesWindow(data) {
  /** @type {Window | null} */
  let speaker = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  function open() {
    speaker = window.open("", NAME, SIZE);
    if (!speaker) return;
    const { document: page } = speaker;
    page.title = "Speaker notes";
    const style = page.createElement("style");
    style.textContent = STYLE;
    page.head.replaceChildren(style);
    page.removeEventListener("keydown", forward); // the window may be open already
    page.addEventListener("keydown", forward);
    clearInterval(ticking);
    ticking = setInterval(tick, SECOND);
    draw();
  }

  // A clicker's keys reach the window that has the focus, which may be this one.
  /** @param {KeyboardEvent} event */
  function forward({ key, shiftKey }) {
    const { activeElement } = document;
    (activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true, composed: true }),
    );
  }

  function draw() {
    if (!speaker || speaker.closed) return;
    const { title, notes, number, of, next, group } = data();
    const speech = groupNamed(group).speech;
    const lines = [
      make(
        "header",
        "",
        {},
        make("span", "", {}, `${number} of ${of}${speech ? ` · step ${speech.at} of ${speech.of}` : ""}`),
        make("span", "clock"),
      ),
      make("h1", "", {}, title),
      make("p", "notes", {}, notes),
      ...(speech ? part("Now", speech.now) : []),
      ...part("Next", [speech?.next || next || "The end."]),
    ];
    speaker.document.body.replaceChildren(...lines);
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

  function remove() {
    clearInterval(ticking);
  }
  return { open, draw, remove };
}

/**
 * @param {string} heading
 * @param {string[]} lines
 */
function part(heading, lines) {
  const paragraphs = lines.filter(Boolean).map((text, at) => make("p", at ? "question" : "", {}, text));
  return paragraphs.length ? [make("h2", "", {}, heading), ...paragraphs] : [];
}

/** Return when the talk began: when its notes were opened for the first time in this tab. */
function startedAt() {
  try {
    const stored = Number(sessionStorage.getItem(STARTED));
    if (stored) return stored;
    const now = Date.now();
    sessionStorage.setItem(STARTED, String(now));
    return now;
  } catch {
    return Date.now();
  }
}
