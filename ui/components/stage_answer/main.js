// The answer on a stage that is drawn before it: in the presenter view one line above the lanes, and after the last merge
// the words that the lanes split differently.

/** @import {Component, Controller} from "../../../film/browser/shared/page/mount.js" */
/** @import {SplitWords} from "./split_words.js" */

import { followTheme, themeOf } from "../../../film/browser/shared/tokens/colour.js";
import { make } from "../../../film/browser/shared/page/dom.js";
import { groupNamed, hear } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/page/mount.js";
import { splitWordsElement } from "./split_words.js";

/**
 * @typedef {object} AnswerData
 * @property {string} group
 * @property {string} answer  in one line
 * @property {SplitWords} ending
 */

/**
 * @param {Component<AnswerData>} component
 * @returns {Controller<AnswerData>}
 */
function createAnswer(component) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
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
  followTheme(draw, signal);
  return { update, remove };
}

/** @param {string} answer */
function headline(answer) {
  return make("p", "verdict", { "data-testid": "stage-verdict", title: answer }, answer);
}

export default mount(createAnswer);
