// A lesson's card goes from beat to beat. It moves the grid of its group to each beat's step and highlights its tokens.
// The grid's key Space changes the beat too, through the group's `next`.

/** @import {Timer} from "../../../film/browser/shared/dom.js" */
/** @import {Light} from "../../../film/browser/shared/groups.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {Evidence, Look, Piece} from "./evidence.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, setPresenting } from "../../../film/browser/shared/dom.js";
import { activate, groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { evidenceElements, sentenceNodes } from "./evidence.js";

/**
 * One beat of a lesson.
 * @typedef {object} LessonBeat
 * @property {number} step  of the grid
 * @property {Piece[]} say
 * @property {Piece[]} question  empty if there is none
 * @property {Piece[]} answer
 * @property {boolean} guess  whether the question is which pair comes next
 * @property {boolean} gives  whether highlighting would give the answer away
 * @property {Light | null} point  tokens to highlight
 * @property {Evidence | null} shown
 */

/**
 * What Python sends.
 * @typedef {object} LessonData
 * @property {string} slug
 * @property {{slug: string, title: string} | null} next  the lesson that follows
 * @property {string} marker
 * @property {boolean} lights  whether the grid has tokens of the ids sent
 * @property {LessonBeat[]} beats
 * @property {string} family  of the feed of the lesson's grid
 * @property {number} start  the beat to begin with
 * @property {string} group
 */

const PATIENCE = 200; // number of tries to find the lesson's grid, which may be drawn after the card
const BETWEEN_LOOKS = 50; // ms
const SETTLED = 140; // ms after which a beat is reported to Python

/**
 * @param {Component<LessonData>} component
 * @returns {Controller<LessonData>}
 */
function createCard(component) {
  const root = rootOf(component, "[data-testid=lesson]");
  const group = groupNamed(component.data.group);
  const gone = new AbortController();
  const { signal } = gone;
  let { data } = component;
  let theme = themeOf(root);
  let at = 0; // the beat
  /** @type {Set<number>} */
  let answered = new Set(); // beats whose question has been answered
  let fresh = true; // nothing has been drawn
  /** @type {Timer} */
  let looking;
  /** @type {Timer} */
  let telling;

  const position = make("span", "where");
  const dots = make("span", "beats", { role: "group", "aria-label": "Beats of the lesson" });
  const text = make("div", "told", { "aria-live": "polite", "data-testid": "lesson-told" });
  const evidence = make("div", "shown", { "data-testid": "lesson-shown", hidden: true });
  const astray = make("div", "astray", { hidden: true, "data-testid": "lesson-astray" });
  const back = turnButton("back", "lesson-back", () => go(at - 1));
  const forth = turnButton("next", "lesson-next", next);
  const key = make("span", "key", {}, make("kbd", "", {}, "Space"));
  const turn = make("div", "turn", {}, back, forth, key);
  back.textContent = "Back";
  root.append(make("div", "beats", {}, position, dots), text, astray, turn, evidence);

  group.tables.add(root); // the presenter view leaves room beside the grid
  group.next = next;
  hear("step", group.name, signal, ({ step, playing }) => drawAstray(step, playing));
  hear("present", group.name, signal, ({ on }) => {
    setPresenting(root, on);
    setTimeout(() => signal.aborted || place()); // after the grid has set its own mode of beats
  });
  signal.addEventListener("abort", () => {
    group.tables.delete(root);
    if (group.next === next) delete group.next;
  });

  // Another lesson begins at its `start`.
  /** @type {Controller<LessonData>["update"]} */
  function update(called) {
    component = called;
    const before = data;
    const themeNow = themeOf(root);
    data = called.data;
    const other = fresh || before.slug !== data.slug;
    if (!other && themeNow === theme && before.family === data.family) return;
    theme = themeNow;
    root.dataset.theme = theme;
    if (other) {
      answered = new Set(Array.from({ length: data.start }, (_, beat) => beat));
      at = data.start;
    }
    draw();
    place();
    if (other && !fresh) forth.focus({ preventScroll: true }); // Space then continues the chosen lesson
    fresh = false;
  }

  const now = () => data.beats[at];
  const isPending = () => now().question.length > 0 && !answered.has(at);

  // The grid hides the next pair while a question about it is open, or comes before the next merge.
  function isGuessing() {
    for (let beat = at; data.beats[beat]?.step === now().step; beat++) {
      if (data.beats[beat].guess && !answered.has(beat)) return true;
    }
    return false;
  }

  function next() {
    if (isPending()) {
      answered.add(at);
      draw();
      place();
    } else if (at < data.beats.length - 1) go(at + 1);
    else if (data.next) component.setTriggerValue("lesson", data.next.slug);
  }

  /** @param {number} beat */
  function go(beat) {
    at = Math.max(0, Math.min(beat, data.beats.length - 1));
    draw();
    place();
    clearTimeout(telling);
    telling = setTimeout(() => component.setStateValue("beat", `${data.slug} ${at}`), SETTLED);
  }

  // Moves the grid of this lesson to the step of this beat, and highlights the beat's tokens.
  function place(looks = 0) {
    clearTimeout(looking);
    const { playhead } = group;
    if (!playhead || ![...group.lanes].some((lane) => lane.model.feed.family === data.family)) {
      if (looks < PATIENCE) looking = setTimeout(() => place(looks + 1), BETWEEN_LOOKS);
      return;
    }
    activate(group); // keys go to the lesson, not to the grid of a new text beside it
    playhead.setBeatwise(isGuessing());
    if (playhead.step !== now().step) playhead.seek(now().step, { animate: true });
    point();
  }

  /** @param {Light} [light]  by default the beat's tokens */
  function point(light) {
    const givesAway = isPending() && now().guess && now().gives;
    const about = light ?? (givesAway ? null : now().point) ?? { none: true };
    say("light", { group: group.name, from: "lesson", ...about });
  }

  /**
   * Show a note that the viewer moved the grid, so that text and grid are at different steps.
   * @param {number} step
   * @param {boolean} playing
   */
  function drawAstray(step, playing) {
    const off = step !== now().step;
    if (off && astray.hidden) say("light", { group: group.name, from: "lesson", none: true });
    astray.hidden = !off || playing;
    if (!off) return;
    const click = () => {
      place();
      forth.focus({ preventScroll: true });
    };
    const attributes = { type: "button", "data-testid": "lesson-return", click };
    const sentence = `The grid has moved to step ${step}; this is about step ${now().step}.`;
    const again = make("button", "", attributes, `Back to ${now().step}`);
    astray.replaceChildren(make("span", "", {}, sentence), again);
  }

  function draw() {
    const { beats } = data;
    const beat = now();
    const pending = isPending();
    /** @type {Look} */
    const look = { theme, marker: data.marker, lights: data.lights, point };
    root.dataset.beat = String(at);
    root.dataset.lesson = data.slug;
    root.dataset.answered = String(!pending);
    position.textContent = `Beat ${at + 1} of ${beats.length}`;
    dots.replaceChildren(...beats.map((_, number) => dot(number)));
    const question = beat.question.length ? [paragraph("question", beat.question, look)] : [];
    const answer = beat.question.length && !pending ? [paragraph("answer", beat.answer, look)] : [];
    text.replaceChildren(paragraph("say", beat.say, look), ...question, ...answer);
    evidence.hidden = pending || !beat.shown;
    evidence.replaceChildren(...(beat.shown ? evidenceElements(beat.shown, look) : []));
    back.disabled = at === 0;
    forth.disabled = isLast() && !pending && !data.next;
    forth.textContent = nextText();
  }

  /** @param {number} number */
  function dot(number) {
    return make("button", `dot ${number < at ? "seen" : ""}`, {
      type: "button",
      "aria-label": `Beat ${number + 1}`,
      "aria-current": number === at ? "step" : null,
      click: () => go(number),
    });
  }

  function isLast() {
    return at === data.beats.length - 1;
  }

  function nextText() {
    if (isPending()) return "Show the answer";
    if (!isLast()) return "Next";
    return data.next ? `Next lesson: ${data.next.title}` : "The end";
  }

  function remove() {
    clearTimeout(looking);
    clearTimeout(telling);
    gone.abort();
  }

  return { update, remove };
}

/**
 * @param {string} kind
 * @param {Piece[]} pieces
 * @param {Look} look
 */
function paragraph(kind, pieces, look) {
  return make("p", kind, {}, ...sentenceNodes(pieces, look));
}

/**
 * @param {string} name
 * @param {string} testid
 * @param {() => void} act
 */
function turnButton(name, testid, act) {
  return make("button", name, { type: "button", "data-testid": testid, click: () => act() });
}

export default mount(createCard);
