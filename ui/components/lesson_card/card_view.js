// The elements of a lesson's card, and what they show of a beat.

/** @import {Act} from "./next_act.js" */
/** @import {Look} from "../../../film/browser/sentence/chips.js" */
/** @import {LessonData} from "./types.js" */

import { fitRows } from "../../../film/browser/shared/page/fit_rows.js";
import { make, makeButton } from "../../../film/browser/shared/page/dom.js";
import { largestSize } from "../../../film/browser/subject/fit.js";
import { paragraph } from "../../../film/browser/sentence/chips.js";
import { dotElement, evidenceElements, keyHints } from "./evidence.js";
import { nextName } from "./next_act.js";

const LEAST_TYPE = 0.024; // of the window's height, for a text that is too long for larger letters

/**
 * What a viewer can do with the card.
 * @typedef {object} Actions
 * @property {() => void} next
 * @property {() => void} goBack
 * @property {(beat: number) => void} go
 * @property {() => void} moveGrid  back to the beat's step
 */

/**
 * Fill a card with its elements.
 * @param {HTMLElement} root
 * @param {HTMLElement} practice  the controls of exercises
 * @param {Actions} actions
 */
export function createCardView(root, practice, { next, goBack, go, moveGrid }) {
  const position = make("span", "where");
  const lesson = make("span", "unseen", { "aria-live": "polite" }); // who hears the page hears that another one begins
  const dots = make("span", "beats", { role: "group", "aria-label": "Steps of the lesson" });
  const text = make("div", "said", { "aria-live": "polite" });
  const reply = make("div", "said", { "aria-live": "polite", hidden: true }); // the answer to the question
  const evidence = make("div", "shown", { "data-testid": "lesson-shown", hidden: true });
  const rest = make("p", "more", { hidden: true });
  const statement = make("div", "told", { "data-testid": "lesson-told" }, text, practice, reply);
  const astray = make("div", "astray", { hidden: true, "data-testid": "lesson-astray" });
  const back = makeButton("Back", "lesson-back", goBack);
  const forth = makeButton("", "lesson-next", next);
  forth.className = "next";
  const controls = make("div", "turn", {}, back, forth, ...keyHints());
  root.append(make("div", "beats", {}, position, lesson, dots), statement, astray, controls, evidence);

  const observer = new ResizeObserver(fit); // another window size
  observer.observe(root);

  let hasEvidence = false; // whether the beat has any to show now

  const focusNext = () => forth.focus({ preventScroll: true });

  /**
   * Draw a beat, all but its exercise.
   * @param {LessonData} data
   * @param {number} at
   * @param {boolean} pending  whether its question is open
   * @param {Look} look
   */
  function drawBeat({ slug, title, beats, before }, at, pending, look) {
    const beat = beats[at];
    root.dataset.beat = String(at);
    root.dataset.lesson = slug;
    root.dataset.answered = String(!pending);
    if (lesson.textContent !== title) lesson.textContent = title;
    position.textContent = `${at + 1} of ${beats.length}`;
    dots.replaceChildren(...beats.map((_, number) => dotElement(number, at, go)));
    const question = beat.question.length ? [paragraph("question", beat.question, look)] : [];
    const answer = beat.question.length && !pending ? [paragraph("answer", beat.answer, look)] : [];
    text.replaceChildren(paragraph("say", beat.say, look), ...question);
    reply.replaceChildren(...answer);
    reply.hidden = !answer.length;
    hasEvidence = !pending && Boolean(beat.shown);
    evidence.replaceChildren(...(beat.shown ? evidenceElements(beat.shown, look) : []), rest);
    back.disabled = at === 0 && !before;
    fit();
  }

  // A clicker cannot scroll: in the presenter view the card shows as many rows, or tokens of a row, as it has room for,
  // none of them if there is room for the text only, and a long text in smaller letters.
  function fit() {
    root.style.removeProperty("font-size");
    evidence.hidden = !hasEvidence;
    const presents = root.classList.contains("presenting");
    fitEvidence(presents && hasEvidence);
    if (!presents || fitsRoot()) return;
    evidence.hidden = true;
    if (fitsRoot()) return;
    const most = parseFloat(getComputedStyle(root).fontSize);
    const size = largestSize(LEAST_TYPE * window.innerHeight, most, (letters) => {
      root.style.fontSize = `${letters}px`;
      return fitsRoot();
    });
    root.style.fontSize = `${size}px`;
  }

  const fitsRoot = () => root.scrollHeight <= root.clientHeight + 1;

  /** @param {boolean} presents */
  function fitEvidence(presents) {
    const rows = [.../** @type {NodeListOf<HTMLElement>} */ (evidence.querySelectorAll(".rows > li"))];
    const [only] = rows;
    const chips = rows.length === 1 ? /** @type {HTMLElement[]} */ ([...only.children]) : [];
    fitRows(presents ? root : null, chips.length ? chips : rows, rest);
    if (chips.length && !rest.hidden) rest.textContent = "and more";
    for (const note of /** @type {NodeListOf<HTMLElement>} */ (evidence.querySelectorAll(".more"))) {
      if (note !== rest) note.hidden = !rest.hidden;
    }
  }

  /**
   * Draw the button of the next key.
   * @param {Act} act
   * @param {LessonData["next"]} following  the next lesson
   */
  function drawNext(act, following) {
    forth.disabled = act === "lesson" && !following;
    const name = nextName(act, following?.title ?? null);
    if (forth.textContent === name) return;
    forth.textContent = name;
    fit(); // a title takes more lines
  }

  /**
   * Show a note that the viewer moved the grid, so that text and grid are at different steps.
   * @param {"" | "ahead" | "back"} way  empty: hide the note
   */
  function drawAstray(way) {
    astray.hidden = !way;
    if (!way) return;
    const click = () => {
      moveGrid();
      focusNext();
    };
    const attributes = { type: "button", "data-testid": "lesson-return", click };
    const again = make("button", "", attributes, "Return to the lesson");
    astray.replaceChildren(make("span", "", {}, `You have moved ${way}.`), again);
  }

  const remove = () => observer.disconnect();
  return { drawBeat, fit, drawNext, drawAstray, focusNext, remove, isAstray: () => !astray.hidden };
}
