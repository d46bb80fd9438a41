// The answer on a stage that is drawn before it. In the presenter view it comes after the last merge: one line above the
// lanes, and then the words that they split differently.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Tokens} from "../compare_parts/tokens.js" */
/** @import {GridGroup} from "../../../film/browser/token_grid/types.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { chipLength } from "../../../film/browser/shared/chip.js";
import { make } from "../../../film/browser/shared/dom.js";
import { chipMaker } from "../compare_parts/tokens.js";
import { followTheme, themeOf } from "../../../film/browser/shared/colour.js";
import { groupNamed, hear } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/mount.js";

// The words that lanes split differently, large enough for a hall: a row for each lane, a column for each word.

/**
 * What Python sends about the words.
 * @typedef {object} SplitWords
 * @property {string} heading  how many words are split differently
 * @property {string[]} titles  of the lanes
 * @property {Tokens} tokens
 * @property {{word: string, of: string, rows: number[][]}[]} words  `of` says where a word comes from; a row for each lane
 */

const PADDING = 1.5; // em that the ends of a chip and the gap after it take, at most
const LETTER = 0.62; // em of a letter of the code font

/** Return the width in em of the longest row. @param {SplitWords} split */
function emsOf({ tokens: { labels }, words }) {
  const lanes = words[0]?.rows.length ?? 0;
  const widths = Array.from({ length: lanes }, (_, lane) => {
    const positions = words.flatMap(({ rows }) => rows[lane]);
    return positions.reduce((sum, at) => sum + PADDING + LETTER * chipLength(labels[at]), 0);
  });
  return Math.max(1, ...widths) + words.length;
}

/** Make the element that shows the words. @param {SplitWords} split @param {Theme} theme */
function splitWordsElement(split, theme) {
  const { heading, titles, tokens, words } = split;
  const chip = chipMaker(tokens, theme);
  const name = (/** @type {string} */ title) => make("span", "name", { role: "rowheader" }, title);
  const head = words.map(({ word, of }) => {
    return make("span", "name", { role: "columnheader" }, word, " ", make("span", "of", {}, of));
  });
  const lanes = titles.map((title, lane) => {
    const pieces = words.map(({ rows }) => {
      return make("span", "pieces", { role: "cell" }, ...rows[lane].map(chip));
    });
    return make("div", "contents", { role: "row" }, name(title), ...pieces);
  });
  const first = make("div", "contents", { role: "row" }, make("span", "", { role: "cell" }), ...head);
  const rows = make("div", "rows", { role: "table", "aria-label": heading }, first, ...lanes);
  rows.style.setProperty("--words", String(Math.max(1, words.length)));
  rows.style.setProperty("--rows", String(titles.length));
  rows.style.setProperty("--ems", emsOf(split).toFixed(1));
  const content = words.length ? [rows] : [];
  const attributes = { "data-testid": "split-words", "aria-label": "Words that are split differently" };
  return make(
    "section",
    "split-words",
    { ...attributes, hidden: true },
    make("h2", "", {}, heading),
    ...content,
  );
}

/**
 * @typedef {object} AnswerData
 * @property {string} group
 * @property {string} answer  in one line
 * @property {SplitWords} ending
 */

/** @param {Component<AnswerData>} component @returns {Controller<AnswerData>} */
function createAnswer(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  /** @type {GridGroup} */
  const group = groupNamed(component.data.group);
  let { data } = component;
  let lastText = ""; // theme and data, as text
  let lastStage = group.stage;

  function draw() {
    const { stage } = group;
    if (!stage) return;
    const theme = themeOf(stage.root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText && stage === lastStage) return;
    lastText = text;
    lastStage = stage;
    stage.setEnding(splitWordsElement(data.ending, theme));
    stage.head.style.setProperty("--letters", String(data.answer.length));
    stage.head.replaceChildren(headline(data.answer), button());
    reveal();
  }

  /** Show the answer once the last merge is done: before, it would give away what is to be guessed. */
  function reveal() {
    const line = group.stage?.head.querySelector(".verdict");
    line?.classList.toggle("ahead", !isOver(group));
  }

  function button() {
    const click = () => void group.stage?.showEnding();
    const attributes = { type: "button", "data-testid": "show-split-words", click };
    return make("button", "", attributes, make("kbd", "", {}, "W"), "words split differently");
  }

  function remove() {
    lifetime.abort();
    group.stage?.setEnding(null);
    group.stage?.head.replaceChildren();
  }

  /** @type {Controller<AnswerData>["update"]} */
  function update(next) {
    ({ data } = next);
    draw();
  }
  hear("stage", group.name, signal, draw);
  hear("step", group.name, signal, reveal);
  followTheme(draw, signal);
  return { update, remove };
}

/** Whether all lanes have made their last merge. @param {GridGroup} group */
function isOver({ playhead }) {
  return playhead !== null && playhead.step >= playhead.last();
}

/** @param {string} answer */
function headline(answer) {
  return make("p", "verdict", { "data-testid": "stage-verdict", title: answer }, answer);
}

export default mount(createAnswer);
