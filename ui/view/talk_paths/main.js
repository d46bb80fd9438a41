// The talks that can be given: a card for each, with a button that begins it on stage, and its stops.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { themeOf } from "../../../film/browser/shared/colour.js";
import { make, makeButton } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { viewAround } from "../../../film/browser/shared/on_stage.js";
import { createPictureStage, enlarge } from "../../../film/browser/token_grid/picture_stage.js";
import { presentNextPage } from "../../../film/browser/token_grid/presenter.js";
import { restartClock } from "../talk/clock.js";

/** @typedef {{title: string, about: string, notes: string}} StopData  what one does there, its minutes, what to say */
/** @typedef {{slug: string, minutes: string, title: string, about: string, stops: StopData[]}} PathData */
/** @typedef {{paths: PathData[]}} PathsData */

/** @param {Component<PathsData>} component @returns {Controller<PathsData>} */
function createPaths(component) {
  const root = rootOf(component, "[data-testid=talk-paths]");
  const view = viewAround(root);
  const content = make("div", "content");
  root.replaceChildren(content);
  const lifetime = new AbortController();
  const fit = (/** @type {boolean} */ on) => enlarge(root, content, on);
  const stage = createPictureStage({ view, root, group: "talk", fit }, lifetime.signal);
  let lastText = ""; // the data, as text

  /** @type {Controller<PathsData>["update"]} */
  function update(next) {
    component = next;
    root.dataset.theme = themeOf(root);
    if (lastText !== (lastText = JSON.stringify(next.data)))
      content.replaceChildren(...next.data.paths.map(cardOf));
    stage.resume();
  }

  /** @param {PathData} path */
  function cardOf({ slug, minutes, title, about, stops }) {
    const button = makeButton("Begin", `begin-${slug}`, () => begin(slug, 1));
    button.className = "main begin";
    button.setAttribute("aria-label", `Begin: ${title}`);
    return make(
      "section",
      "card",
      { "aria-labelledby": `path-${slug}` },
      make("p", "minutes", { "aria-hidden": "true" }, minutes),
      make("h2", "", { id: `path-${slug}` }, title),
      make("p", "about", {}, about),
      button,
      make(
        "details",
        "",
        {},
        make("summary", "", {}, "Its stops, and what to say"),
        make("ol", "", {}, ...stops.map((stop, number) => lineOf(slug, stop, number + 1))),
      ),
    );
  }

  /** @param {string} slug @param {StopData} stop @param {number} number  from 1 */
  function lineOf(slug, { title, about, notes }, number) {
    const button = makeButton(title, `begin-${slug}-${number}`, () => begin(slug, number));
    button.className = "link";
    button.title = "Begin the talk here";
    return make("li", "", {}, button, ` ${about}`, make("p", "", {}, notes));
  }

  /** @param {string} slug @param {number} number */
  function begin(slug, number) {
    presentNextPage();
    restartClock();
    component.setTriggerValue("begin", `${slug} ${number}`);
  }

  return { update, remove: () => lifetime.abort() };
}

export default mount(createPaths);
