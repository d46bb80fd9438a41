// The exercise of a beat on a card. Its controls stay as they are until another beat comes.

/** @import {Look, Piece} from "../shared/sentence.js" */

import { make, focusedBeside } from "../shared/dom.js";
import { sentenceNodes, tokenChip } from "../shared/sentence.js";

// A text with spaces between its tokens: what is typed, and where it is split.

/**
 * Return the text with a space at each split.
 * @param {string[]} symbols  labels
 * @param {ReadonlySet<number>} splits  numbers of the symbols before which the text is split
 */
export function textWith(symbols, splits) {
  return symbols.map((symbol, at) => (at && splits.has(at) ? ` ${symbol}` : symbol)).join("");
}

/**
 * Return the numbers of the symbols before which a typed text is split; null if it does not spell the symbols.
 * @param {string[]} symbols
 * @param {string} typed
 */
export function splitsOf(symbols, typed) {
  /** @type {Set<number>} */
  const splits = new Set();
  let at = 0;
  for (const part of typed.trim().split(/\s+/)) {
    if (at) splits.add(at);
    let spelled = "";
    while (spelled.length < part.length && at < symbols.length) spelled += symbols[at++];
    if (spelled !== part) return null;
  }
  return at === symbols.length ? splits : null;
}

/**
 * Return a list with one element movedBy by one position, or the same list if it is at the end already.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} from
 * @param {1 | -1} by
 */
export function movedBy(items, from, by) {
  const to = from + by;
  if (to < 0 || to >= items.length) return [...items];
  const others = items.toSpliced(from, 1);
  return others.toSpliced(to, 0, items[from]);
}

/**
 * Read a typed number, with or without separators, a full stop at the end, or a word after it such as "times"; null for
 * anything else.
 * @param {string} typed
 */
export function readNumber(typed) {
  const plain = typed.normalize("NFKC").trim();
  const digits = plain.replace(/(?<=\d)[,.'’ ](?=\d{3}(?!\d))/g, "").replace(/(?<=\d)(?: ?\p{L}+)?\.?$/u, "");
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}

// The controls of an exercise: what the viewer chooses, types, orders or splits, and the verdict on it.

/** @typedef {(answer: Answer) => void} Send */
/** The controls and what draws a problem with an answer. @typedef {(data: ExerciseData, look: Look, send: Send, complain: (text: string) => void) => Node[]} Draw */

const CHECKING = "Checking …";

/** Make the controls of an exercise. @param {ExerciseData} data @param {Look} look @param {Send} send */
function createExercise(data, look, send) {
  const plain = { ...look, lights: false };
  const status = make("p", "verdict", { role: "status", "data-testid": "verdict" });
  const element = make("div", `stack exercise ${data.kind}`, { "data-testid": "exercise" });

  /** @param {string} text */
  function write(text) {
    delete status.dataset.verdict;
    status.replaceChildren(text);
  }
  /** @param {Answer} answer */
  function sendOnce(answer) {
    write(CHECKING);
    send(answer);
  }
  element.append(...DRAWN[data.kind](data, plain, sendOnce, write), status);

  /** @param {VerdictData} verdict */
  function setVerdict({ right, sentence }) {
    status.dataset.verdict = right ? "right" : "wrong";
    status.replaceChildren(
      make("span", "sign", { "aria-hidden": "true" }, right ? "✓" : "✗"),
      make("span", "", {}, ...sentenceNodes(sentence, plain)),
    );
    element.classList.toggle("solved", right);
  }
  return { element, setVerdict, send: sendOnce };
}

/** @type {Record<ExerciseData["kind"], Draw>} */
const DRAWN = {
  pair: pairControls,
  number: numberControls,
  order: orderControls,
  tokens: tokenControls,
};

/** @type {Draw} */
function pairControls({ options = [] }, look, send) {
  const hint = make("p", "hint", {}, "Choose two neighbouring tokens in the grid, or choose a pair:");
  const rows = options.map(({ ids, pair }) => ({ answer: ids, nodes: pairNodes(pair, look) }));
  return [hint, optionsElement("Pairs to choose from", rows, send)];
}

/**
 * Make buttons of which one is chosen.
 * @param {string} label
 * @param {{answer: Answer, nodes: (Node | string)[]}[]} rows
 * @param {Send} send
 */
function optionsElement(label, rows, send) {
  const buttons = rows.map(({ answer, nodes }) => {
    const choose = () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      send(answer);
    };
    const attributes = { type: "button", "aria-pressed": "false", click: choose };
    const button = make("button", "option", attributes, ...nodes);
    return button;
  });
  return make("div", "row options", { role: "group", "aria-label": label }, ...buttons);
}

/** @type {Draw} */
function numberControls(_, __, send, complain) {
  const field = make("input", "", { type: "text", inputmode: "numeric", "aria-label": "Your number" });
  field.autocomplete = "off";
  return [
    formOf([field], () => {
      const number = readNumber(field.value);
      if (number === null) complain("Type a whole number, such as 12.");
      else send(number);
    }),
  ];
}

/** @type {Draw} */
function orderControls({ items = [] }, look, send) {
  let order = items.map((_, number) => number);
  const list = make("ol", "stack order", { "aria-label": "Merges in your order" });
  /** @param {number} [focused]  position of the item whose button was pressed
   * @param {1 | -1} [by] */
  function draw(focused, by) {
    const rows = order.map((number, at) => {
      const { pair } = items[number];
      const name = pair.map(([label]) => label).join(" + ");
      const arrow = (/** @type {1 | -1} */ step) => {
        const click = () => {
          order = movedBy(order, at, step);
          draw(at + step, step);
        };
        const label = `Move ${name} ${step < 0 ? "up" : "down"}`;
        const edge = at + step < 0 || at + step >= order.length;
        return make(
          "button",
          "move",
          { type: "button", "aria-label": label, disabled: edge, click },
          step < 0 ? "↑" : "↓",
        );
      };
      return make("li", "", {}, make("span", "merge", {}, ...pairNodes(pair, look)), arrow(-1), arrow(1));
    });
    list.replaceChildren(...rows);
    if (focused === undefined) return;
    const [up, down] = rows[focused].querySelectorAll("button");
    const same = by === -1 ? up : down;
    (same.disabled ? (by === -1 ? down : up) : same).focus();
  }
  draw();
  return [
    make("p", "hint", {}, "First merge on top. Move them with the arrows:"),
    formOf([list], () => send(order)),
  ];
}

/** @type {Draw} */
function tokenControls({ symbols = [], words = [] }, _, send, complain) {
  const field = make("input", "wide", { type: "text", dir: "auto" });
  field.ariaLabel = "The tokens, with spaces between them";
  field.autocomplete = "off";
  field.spellcheck = false;
  field.setAttribute("autocapitalize", "off");
  field.value = textWith(symbols, new Set(wordEnds(words)));
  const row = make("div", "letters", {
    role: "group",
    "aria-label": "Click between two letters to split there",
  });

  function draw() {
    const splits = splitsOf(symbols, field.value);
    const focused = [...row.querySelectorAll("button")].findIndex((button) => button.matches(":focus"));
    row.replaceChildren(...symbolsOfWords(splits).map((cells) => make("span", "whole", {}, ...cells)));
    if (focused >= 0) row.querySelectorAll("button")[focused]?.focus();
  }
  /** Return the letters of each word, with the gap behind each of them. @param {Set<number> | null} splits */
  function symbolsOfWords(splits) {
    const starts = [0, ...wordEnds(words)];
    return starts.map((start, word) =>
      symbols.slice(start, starts[word + 1]).flatMap((symbol, number) => {
        const next = start + number + 1;
        return next < symbols.length ? [letter(symbol), gap(next, splits)] : [letter(symbol)];
      }),
    );
  }
  /** @param {string} symbol */
  const letter = (symbol) => make("span", "letter", { dir: "auto" }, symbol);
  /** @param {number} at @param {Set<number> | null} splits */
  function gap(at, splits) {
    const click = () => {
      const now = splits ?? new Set(wordEnds(words));
      if (!now.delete(at)) now.add(at);
      field.value = textWith(symbols, now);
      draw();
    };
    const label = `Split between ${symbols[at - 1]} and ${symbols[at]}`;
    const pressed = String(splits?.has(at) ?? false);
    return make("button", "gap", { type: "button", "aria-label": label, "aria-pressed": pressed, click });
  }
  field.addEventListener("input", draw);
  draw();
  return [
    make("p", "hint", {}, "Click between the letters, or type a space between two tokens:"),
    row,
    formOf([field], () => {
      if (field.value.trim()) send(field.value.trim());
      else complain(`Type the tokens of ${symbols.join("")}.`);
    }),
  ];
}

/** Return the numbers of the symbols at which a word after the first one begins. @param {number[]} words */
function wordEnds(words) {
  let at = 0;
  return words.slice(0, -1).map((length) => (at += length));
}

/** @param {[Chip, Chip]} pair @param {Look} look @returns {(Node | string)[]} */
function pairNodes([left, right], look) {
  return [tokenChip(...left, look), " + ", tokenChip(...right, look)];
}

/** Make a form with a button that checks the answer. @param {Node[]} fields @param {() => void} check */
function formOf(fields, check) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    check();
  };
  const button = make("button", "check", { type: "submit", "data-testid": "check" }, "Check");
  return make("form", "row answering", { submit }, ...fields, button);
}

// What Python sends about an exercise and about the last answer to it.

/** A token: its label, its id (-1 for none), and the kind of its chip. @typedef {[label: string, id: number, kind: string]} Chip */

/**
 * The controls of an exercise. Only those of its kind are there.
 * @typedef {object} ExerciseData
 * @property {"pair" | "number" | "order" | "tokens"} kind
 * @property {{ids: [number, number], pair: [Chip, Chip]}[]} [options]  pairs to choose from
 * @property {{pair: [Chip, Chip]}[]} [items]  merges to put in order
 * @property {string[]} [symbols]  the initial symbols of a text, as labels
 * @property {number[]} [words]  how many of them are in each word
 */

/**
 * The verdict on the last answer.
 * @typedef {object} VerdictData
 * @property {boolean} right
 * @property {Piece[]} sentence
 * @property {number} tries
 * @property {number} answers  received, so that equal answers differ
 * @property {string} [record]  the attempts at this exercise of a lesson, as the browser stores them
 */

/** A pair of ids, a number, an order of positions, or a text. @typedef {number | string | number[]} Answer */

/**
 * What is drawn.
 * @typedef {object} Asked
 * @property {number} beat
 * @property {ExerciseData | null} controls
 * @property {VerdictData} [verdict]  on the last answer
 * @property {boolean} pending  whether the question is open
 */

/** The part of the card that holds exercises. @typedef {ReturnType<typeof createPractice>} Practice */

/** Make the part of the card that holds exercises. @param {(answer: Answer) => void} send */
export function createPractice(send) {
  const element = make("div", "practice", { hidden: true });
  /** @type {(ReturnType<typeof createExercise> & {beat: number}) | null} */
  let exercise = null;

  /** @param {Asked} asked @param {Look} look */
  function draw({ beat, controls, verdict, pending }, look) {
    if (exercise?.beat !== beat) exercise = null;
    if (controls && !exercise) exercise = { ...createExercise(controls, look, send), beat };
    if (exercise && verdict) exercise.setVerdict(verdict);
    element.hidden = !exercise || (!pending && !verdict?.right);
    const before = element.firstChild;
    if (before !== exercise?.element) element.replaceChildren(...(exercise ? [exercise.element] : []));
  }

  return {
    element,
    draw,
    /** Begin the exercise anew when it is drawn next. */
    forget: () => void (exercise = null),
    /** Return whether the focus is in the controls. */
    isFocused: () => element.contains(focusedBeside(element)),
    /** @param {VerdictData} verdict */
    judge: (verdict) => exercise?.setVerdict(verdict),
    /** @param {Answer} answer */
    answer: (answer) => exercise?.send(answer),
  };
}
