// The show of hands in the speaker's notes: the last question, a row for each answer with the hands that were counted, and
// the list of all questions of the talk. The stage shows the same hands when V brings them there.

/** @import {Ballot} from "../../../film/browser/shared/ballot.js" */
/** @import {Place} from "../../streamlit_gaps/kept_text/storage.js" */
/** @import {TalkTallies, Tally} from "./tallies.js" */

import {
  MOST_HANDS,
  answerOfKey,
  askAgain,
  handsRaised,
  lastBallot,
  letterOf,
  raiseHand,
  revealAnswers,
  setHands,
  setKeeper,
  ballotKeeper,
} from "../../../film/browser/shared/ballot.js";
import { download, make, makeButton } from "../../../film/browser/shared/dom.js";
import { formatCount, formatNumber } from "../../../film/browser/shared/numbers.js";
import { isAbout, keepOwn, ownPlace, readKept } from "../../streamlit_gaps/kept_text/storage.js";
import { readTallies, tallyFile, tallyOf, withBallot, writtenTallies } from "./tallies.js";

const RECORD = "tallies"; // name in the browser's storage
const NO_QUESTION =
  "No question yet. One appears here when a lesson asks it, or when V lets the room vote on a merge.";
const NO_TALLIES = "No hands were counted in this talk yet.";
const BROKEN = "The list that this browser held could not be read, so a new one begins.";
const BROKEN_IN_PART = "Part of the list that this browser kept could not be read. The rest is below.";
/** @type {Record<Place, string>} */
const WHERE_KEPT = {
  device: "This browser keeps the list until you clear it. Nobody else receives it.",
  tab: "Nothing is kept on this device, so the list lasts until you close the tab. Nobody else receives it.",
  page: "This browser stores nothing (is the window private?), so a reload loses the list. Print or save it first.",
};
const MANY = 20; // questions, from which on the printed page has smaller letters
const MOST_MANY = 44; // and again

/**
 * What the list is while the tab is open, also without storage: each page of a talk has a line of its own.
 * @typedef {{talks: TalkTallies[], place: Place, isBroken: boolean}} Known
 */
const KNOWN_KEY = Symbol.for("merge-by-merge.tallies");
const knownHere = /** @type {{[key: symbol]: Known | undefined}} */ (/** @type {unknown} */ (globalThis));

/**
 * Make the show of hands and the list, both for a window of the speaker.
 * @param {() => string} title  of the talk
 * @param {() => (() => void) | null} stage  what shows the vote on the stage; null where there is none
 */
export function createHands(title, stage) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const panel = make("section", "hands", { "data-testid": "hands", "aria-label": "Show of hands" });
  const list = make("section", "tallies", {
    "data-testid": "tallies",
    "aria-label": "Questions of this talk",
  });
  let drawn = ""; // the ballot in the panel
  let listed = ""; // what the list shows
  let clearing = -1; // when the talk began whose list is to be cleared, once more asked

  const keeper = {
    find: (/** @type {import("../../../film/browser/shared/ballot.js").Asked} */ asked) =>
      tallyOf(known().talks, title(), asked, Date.now()),
    keep: (/** @type {Ballot} */ ballot) => keep(withBallot(known().talks, title(), ballot)),
  };

  /** @param {TalkTallies[]} talks */
  function keep(talks) {
    const place = keepOwn(RECORD, writtenTallies(talks));
    knownHere[KNOWN_KEY] = { talks, place, isBroken: false };
    drawList();
  }

  function draw() {
    drawPanel();
    drawList();
  }

  function drawPanel() {
    const ballot = lastBallot();
    if (!ballot)
      return panel.replaceChildren(make("h2", "", {}, "Show of hands"), make("p", "quiet", {}, NO_QUESTION));
    if (drawn !== ballot.id) {
      drawn = ballot.id;
      panel.replaceChildren(...panelElements(ballot));
    }
    panel.dataset.open = String(ballot.open);
    const all = Math.max(1, handsRaised(ballot));
    for (const [answer, row] of panel.querySelectorAll("li").entries()) drawRow(row, ballot, answer, all);
    const [show, onStage, again] = /** @type {NodeListOf<HTMLButtonElement>} */ (
      panel.querySelectorAll(".acts button")
    );
    show.textContent = ballot.open ? "Show the right answer" : "Hide the right answer";
    onStage.disabled = !stage();
    again.disabled = !handsRaised(ballot);
  }

  /** @param {Ballot} ballot */
  function panelElements({ where, asks, answers }) {
    return [
      make("h2", "", {}, `Show of hands · ${where}`),
      make("p", "asks", {}, asks),
      make("ol", "", {}, ...answers.map(({ label }, answer) => rowElement(label, answer))),
      make(
        "div",
        "acts",
        {},
        makeButton("", "hands-right", () => revealAnswers(Boolean(lastBallot()?.open))),
        makeButton("On the stage (V)", "hands-stage", () => stage()?.()),
        makeButton("Count again (Shift+V)", "hands-again", askAgain),
      ),
      make(
        "p",
        "quiet",
        {},
        "Press H, then A, B, C … to count a hand; Shift takes one back. Esc ends the count.",
      ),
    ];
  }

  /** @param {string} label @param {number} answer */
  function rowElement(label, answer) {
    const letter = letterOf(answer);
    const less = makeButton("−", "hands-less", () => raiseHand(answer, -1));
    const more = makeButton("+", "hands-more", () => raiseHand(answer, 1));
    less.ariaLabel = `One hand fewer for ${letter}`;
    more.ariaLabel = `One hand more for ${letter}`;
    const field = make("input", "", {
      type: "number",
      min: 0,
      max: MOST_HANDS,
      inputmode: "numeric",
      "aria-label": `Hands for ${letter}, ${label}`,
      "data-testid": "hands-count",
      input: () => setHands(answer, Number(field.value)),
      blur: () => drawPanel(), // an empty field is 0
    });
    return make(
      "li",
      "",
      {},
      make("b", "", {}, letter),
      make("span", "label", { dir: "auto" }, label),
      make("span", "mark"),
      make("span", "count", {}, less, field, more),
      make("i", "bar"),
      make("span", "share"),
    );
  }

  /** @param {HTMLElement} row @param {Ballot} ballot @param {number} answer @param {number} all */
  function drawRow(row, { answers, hands, open }, answer, all) {
    const field = /** @type {HTMLInputElement} */ (row.querySelector("input"));
    const isTyped = field.matches(":focus") && Number(field.value) === hands[answer];
    if (!isTyped) field.value = String(hands[answer]);
    row.style.setProperty("--share", String(hands[answer] / all));
    row.classList.toggle("right", !open && answers[answer].right);
    const [mark, share] = /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(".mark, .share"));
    mark.textContent = !open && answers[answer].right ? "✓ right" : "";
    share.textContent = `${Math.round((100 * hands[answer]) / all)}%`;
  }

  function drawList() {
    const { talks, place, isBroken } = known();
    const content = JSON.stringify([talks, place, isBroken, clearing]);
    if (content === listed) return; // a press on a button must find it where it was
    listed = content;
    const open = new Set(
      [...list.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-began")),
    );
    const newest = talks.toReversed();
    const parts = newest.map((talk, number) => talkElement(talk, number === 0, open.has(String(talk.began))));
    list.replaceChildren(
      make("h2", "", {}, "Questions of this talk"),
      ...(isBroken ? [make("p", "wrong", { role: "status" }, talks.length ? BROKEN_IN_PART : BROKEN)] : []),
      ...(parts.length ? [] : [make("p", "quiet", {}, NO_TALLIES)]),
      ...parts,
      make("p", place === "page" ? "wrong" : "quiet", { "data-testid": "tallies-kept" }, WHERE_KEPT[place]),
    );
  }

  /** @param {TalkTallies} talk @param {boolean} isLast @param {boolean} isOpen */
  function talkElement(talk, isLast, isOpen) {
    const { title: name, began, tallies } = talk;
    const when = new Date(began).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
    const head = make(
      "summary",
      "",
      {},
      make("strong", "", {}, name),
      make("i", "", {}, " · "),
      make("span", "", {}, `${when} · ${formatCount(tallies.length, "question")}`),
    );
    const size = tallies.length > MOST_MANY ? "most" : tallies.length > MANY ? "many" : "few";
    const questions = make("ol", `questions ${size}`, {}, ...tallies.map(tallyElement));
    const attributes = { "data-began": began, open: isLast || isOpen, "data-testid": "talk-tallies" };
    return make("details", isLast ? "prints" : "", attributes, head, actsElement(talk), questions);
  }

  /** @param {TalkTallies} talk */
  function actsElement(talk) {
    const { began, tallies } = talk;
    if (clearing === began) {
      const ask = `Clear ${formatCount(tallies.length, "question")} for good?`;
      const stay = makeButton("Keep them", "tallies-stay", () => askToClear(-1));
      const clear = makeButton("Clear", "tallies-clear-now", () => {
        clearing = -1;
        keep(known().talks.filter((one) => one.began !== began));
        if (tallies.some(({ id }) => id === lastBallot()?.id)) askAgain(); // its hands are gone, too
      });
      return make("p", "acts", { role: "alert" }, ask, clear, stay);
    }
    return make(
      "p",
      "acts",
      {},
      makeButton("Print", "tallies-print", () => print(list, began)),
      makeButton("Save as CSV", "tallies-csv", () => save(talk)),
      makeButton("Clear …", "tallies-clear", () => askToClear(began)),
    );
  }

  /** @param {number} began */
  function askToClear(began) {
    clearing = began;
    drawList();
    /** @type {HTMLElement | null} */ (
      list.querySelector("[data-testid=tallies-stay], [data-testid=tallies-clear]")
    )?.focus();
  }

  /** @param {TalkTallies} talk */
  function save(talk) {
    const day = new Date(talk.began).toISOString().slice(0, 10);
    const file = new Blob([tallyFile(talk)], { type: "text/csv" });
    download(file, `show-of-hands-${day}.csv`, list.ownerDocument);
  }

  /**
   * Return whether a key was for the show of hands: H puts the focus there, where a letter counts a hand and Esc ends.
   * Shift+V counts again, wherever the focus is: on the stage it would open a closed vote, with its answer.
   * @param {KeyboardEvent} event
   */
  function take({ key, shiftKey, target }) {
    const isInside = panel.contains(/** @type {Node} */ (target));
    if (key.toLowerCase() === "h") return focus();
    const ballot = lastBallot();
    if (ballot && shiftKey && key.toLowerCase() === "v") {
      askAgain();
      if (isInside) focus(); // the rows are new
      return true;
    }
    if (!isInside || !ballot) return false;
    if (key === "Escape") {
      /** @type {HTMLElement} */ (target).blur();
      return true;
    }
    const answer = answerOfKey(key, ballot);
    if (answer < 0) return false;
    raiseHand(answer, shiftKey ? -1 : 1);
    return true;
  }

  /** Put the focus on the first answer. Returns whether there is one. */
  function focus() {
    const field = panel.querySelector("input");
    field?.focus();
    field?.select();
    return field !== null;
  }

  setKeeper(keeper);
  window.addEventListener("storage", follow, { signal });

  // Another tab has counted, or the list is gone.
  /** @param {StorageEvent} event */
  function follow(event) {
    if (!isAbout(event, RECORD)) return;
    delete knownHere[KNOWN_KEY];
    drawList();
  }

  function remove() {
    lifetime.abort();
    if (known().place !== "page") delete knownHere[KNOWN_KEY]; // until the next talk another tab may count
    if (ballotKeeper() === keeper) setKeeper(null);
  }
  return { panel, list, signal, draw, take, focus, remove };
}

/** Return what is known of all talks: read from the browser once in a tab. @returns {Known} */
function known() {
  const before = knownHere[KNOWN_KEY];
  if (before) return before;
  const { talks, isBroken } = readTallies(readKept(RECORD));
  return (knownHere[KNOWN_KEY] = { talks, isBroken, place: ownPlace() });
}

/** Print the list of one talk, and nothing else of the window. @param {HTMLElement} list @param {number} began */
function print(list, began) {
  for (const one of list.querySelectorAll("details")) {
    const isIt = one.dataset.began === String(began);
    one.classList.toggle("prints", isIt);
    if (isIt) one.open = true;
  }
  list.ownerDocument.defaultView?.print();
}

/** @param {Tally} tally */
function tallyElement({ where, asks, answers, hands, open }) {
  const all = Math.max(1, handsRaised({ hands }));
  const rows = answers.map(({ label, right }, answer) => {
    const row = make(
      "li",
      !open && right ? "right" : "",
      {},
      make("span", "label", { dir: "auto" }, label),
      make("span", "mark", {}, !open && right ? "✓" : ""),
      make("i", "bar"),
      make("span", "share", {}, formatNumber(hands[answer])),
    );
    row.style.setProperty("--share", String(hands[answer] / all));
    return row;
  });
  return make(
    "li",
    "",
    {},
    make("p", "where", {}, where),
    make("p", "asks", {}, asks),
    make("ul", "", {}, ...rows),
  );
}
