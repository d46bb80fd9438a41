// The elements of a lesson's card, and what they show of a beat.

/** @import {Item, Look, Piece} from "../shared/sentence.js" */
/** @import {Light, Tells} from "../shared/groups.js" */
/** @import {ExerciseData, VerdictData} from "./practice.js" */
/** @import {Act} from "./position.js" */
/** @import {TermData} from "./terms.js" */

import { listenToPointer } from "../shared/pointed.js";
import { tokenChip, paragraph } from "../shared/sentence.js";
import { make, tieSign, fitRows, makeButton, largestSize } from "../shared/dom.js";

// What a lesson's beat shows below its text: rows of tokens with a title.

/**
 * A row: perhaps the name of what gave it, and its tokens; `pair` has the ids of the pair it is about.
 * @typedef {{name?: string, items: Item[], pair?: [number, number], tied?: boolean, chosen?: boolean}} Row
 */

/** @typedef {{title: string, rows: Row[], more: string}} Evidence */

const MOST_UNSCROLLED = 5; // rows that need no scrolling, and so no focus

/** Return the elements of a beat's content. @param {Evidence} evidence @param {Look} look */
function evidenceElements({ title, rows, more }, look) {
  const attributes = { tabindex: rows.length > MOST_UNSCROLLED ? 0 : null, "aria-label": title };
  const list = make("ul", "rows", attributes, ...rows.map((row) => evidenceRow(row, look)));
  return [make("p", "aside title", {}, title), list, ...(more ? [make("p", "aside more", {}, more)] : [])];
}

/** @param {Row} row @param {Look} look */
function evidenceRow({ name, items, pair, tied, chosen }, look) {
  const tokens = (name ? [`${name}:`, ...items] : items).map((item) => {
    if (typeof item === "string") return make("span", "text", {}, item);
    return tokenChip(...item, look);
  });
  const tie = tied ? [tieSign("tied for the highest count")] : [];
  const next = chosen ? [make("span", "unseen", {}, " merged next")] : [];
  const row = make("li", chosen ? "chosen" : "", {}, ...tokens, ...tie, ...next);
  if (pair) {
    const [left, right] = pair;
    listenToPointer(row, () => look.point({ left, right }), look.point);
  }
  return row;
}

/**
 * Make the dot of a beat.
 * @param {number} number  of the beat, from 0
 * @param {number} at  the beat on the card
 * @param {(number: number) => void} go
 */
function dotElement(number, at, go) {
  return make("button", `dot ${number < at ? "seen" : ""}`, {
    type: "button",
    "aria-label": `Step ${number + 1}`,
    "aria-current": number === at ? "step" : null,
    click: () => go(number),
  });
}

/** Return the keys that go on and that present, for beside the buttons. */
function keyHints() {
  const key = (/** @type {string} */ name) => make("kbd", "", {}, name);
  const forth = make("span", "aside key", {}, key("→"), " or ", key("Space"));
  return make("span", "hints", {}, forth, make("span", "aside key stage", {}, key("P"), " present"));
}

/** @type {Record<Exclude<Act, "lesson">, string>} */
const ACT_NAMES = {
  answer: "Show the answer",
  play: "Show the steps",
  finish: "Skip to the end",
  beat: "Next",
};

/**
 * Return the name of the button that does it.
 * @param {Act} act
 * @param {string | null} following  title of the next lesson
 */
export function nextName(act, following) {
  if (act !== "lesson") return ACT_NAMES[act];
  return following === null ? "The end" : `Next lesson: ${following}`;
}

// What Python sends to a lesson's card.

/**
 * One beat of a lesson.
 * @typedef {object} LessonBeat
 * @property {number} step  of the training
 * @property {number} stage  the number of what stands beside its text
 * @property {boolean} above  whether the text stands above the stage in the presenter view, since the stage is wide
 * @property {Piece[]} say
 * @property {Piece[]} question  empty if there is none
 * @property {Piece[]} answer
 * @property {ExerciseData | null} exercise  checks an answer to the question; a film has none
 * @property {boolean} guess  whether the question is which pair comes next
 * @property {boolean} gives  whether highlighting would give the answer away
 * @property {Light | null} point  tokens to highlight
 * @property {Tells | null} tells  of the next merge; null for all
 * @property {[named: [string, string][], answered: [string, string][]]} named  the pairs that the text names, without the answer and with it
 * @property {Evidence | null} shown
 */

/**
 * What Python sends. A film has no other lessons, no terms and no verdicts.
 * @typedef {object} CardData
 * @property {string} slug
 * @property {string} title
 * @property {{slug: string, title: string} | null} [next]  the lesson that follows
 * @property {{slug: string, title: string} | null} [before]  the stop of a talk before the lesson
 * @property {string} marker
 * @property {boolean} lights  whether the grid has tokens of the ids sent
 * @property {LessonBeat[]} beats
 * @property {Record<string, TermData>} [terms]  of the glossary, as the lesson uses them
 * @property {Record<string, VerdictData>} [verdicts]  {beat: the verdict on its last answer}; the page is told of them later
 */

const LEAST_OF_TEXT = 0.024; // of the window's height, for a text that is too long for larger letters

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
 * @param {HTMLElement | null} practice  the controls of exercises
 * @param {Actions} actions
 */
export function createCardView(root, practice, { next, goBack, go, moveGrid }) {
  const position = make("span", "where");
  const lesson = make("span", "unseen", { "aria-live": "polite" }); // who hears the page hears that another one begins
  const dots = make("span", "aside beats", { role: "group", "aria-label": "Steps of the lesson" });
  const text = make("div", "stack said", { "aria-live": "polite" });
  const reply = make("div", "stack said", { "aria-live": "polite", hidden: true }); // the answer to the question
  const evidence = make("div", "stack shown", { "data-testid": "lesson-shown", hidden: true });
  const rest = make("p", "aside more", { hidden: true });
  const statement = make(
    "div",
    "stack told",
    { "data-testid": "lesson-told" },
    text,
    ...(practice ? [practice] : []),
    reply,
  );
  const astray = make("div", "row astray", { hidden: true, "data-testid": "lesson-astray" });
  const back = makeButton("Back", "lesson-back", goBack);
  const forth = makeButton("", "lesson-next", next);
  forth.className = "main";
  const controls = make("div", "row turn", {}, back, forth, keyHints());
  root.append(make("div", "aside beats", {}, position, lesson, dots), statement, astray, evidence, controls);

  const observer = new ResizeObserver(fit); // another window size
  observer.observe(root);

  let hasEvidence = false; // whether the beat has any to show now

  const focusNext = () => forth.focus({ preventScroll: true });

  /**
   * Draw a beat, all but its exercise.
   * @param {CardData} data
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
    root.classList.remove("crowded");
    evidence.hidden = !hasEvidence;
    const presents = root.classList.contains("presenting");
    fitEvidence(presents && hasEvidence);
    if (!presents || fitsRoot()) return;
    evidence.hidden = true;
    if (fitsRoot()) return;
    root.classList.add("crowded"); // lines are closer together before letters are smaller
    if (fitsRoot()) return;
    const most = parseFloat(getComputedStyle(root).fontSize);
    const size = largestSize(LEAST_OF_TEXT * window.innerHeight, most, (letters) => {
      root.style.fontSize = `${letters}px`;
      return fitsRoot();
    });
    root.style.fontSize = `${size}px`;
  }

  const fitsRoot = () => root.scrollHeight <= root.clientHeight + 1;

  /** Return whether the card shows all it has, in letters of their usual size. */
  const isWhole = () => fitsRoot() && !root.style.fontSize && evidence.hidden === !hasEvidence && rest.hidden;

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

  /** Draw the button of the next key. @param {Act} act @param {CardData["next"] & {} | null} following  the next lesson */
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
  return {
    told: statement,
    drawBeat,
    fit,
    isWhole,
    drawNext,
    drawAstray,
    focusNext,
    remove,
    isAstray: () => !astray.hidden,
  };
}
