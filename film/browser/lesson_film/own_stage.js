// "Your words" in a lesson: its training on what the viewer types, in place of the lesson until "Back to the example" brings it back.

/** @import {TrainingFeed} from "../shared/feed/feed_types.js" */
/** @import {FilmView} from "../film/film_view.js" */
/** @import {LessonFilm} from "./types.js" */

import { askedFor, writeStep } from "../film/address.js";
import { createFilmView } from "../film/film_view.js";
import { createLanesView } from "../film/lanes_view.js";
import { createOwnWords } from "../film/own/own_words.js";
import { OWN_TITLE } from "../film/own/own_wording.js";
import { pictureSection } from "../film/save_pictures.js";
import { createParts } from "../film/shadow_parts.js";
import { isSandboxed } from "../film/site.js";
import { createTableView } from "../film/table_view.js";
import { make } from "../shared/page/dom.js";
import { activate, groupNamed } from "../shared/groups.js";

const OWN_GROUP = "own-words";
const STYLES = ["token-grid", "pair-table", "picture"]; // of a film that is saved

/**
 * The lesson around it.
 * @typedef {object} LessonAround
 * @property {() => number} step  of the beat
 * @property {() => void} enters  the viewer's words take the place of the lesson
 * @property {() => void} leaves
 * @property {() => void} writeBeat  writes the lesson's address
 */

/**
 * Make the stage, the panel and the button.
 * @param {LessonFilm} lesson
 * @param {LessonAround} around
 */
export function createOwnStage(lesson, { step, enters, leaves, writeBeat }) {
  const { title, site, own, recipe, feeds } = lesson;
  const feed = /** @type {TrainingFeed} */ (feeds[0]);
  const styles = Object.fromEntries(STYLES.map((name) => [name, lesson.styles[name]]));
  const lane = { feed, title: "", subtitle: "", recipe };
  const film = { title, step: 0, lanes: [lane], note: "", site, own, styles };
  const group = groupNamed(OWN_GROUP);
  const part = createParts(styles);
  const heading = make("h2", "", {}, OWN_TITLE);
  const lanes = createLanesView(OWN_GROUP, part, { rests, picks: (at, pick) => words.pick(at, pick) });
  const table = createTableView(group, lanes.element, part, (pick) => words.pick(0, pick));
  const pictures = pictureSection(OWN_GROUP, part, () => words.footer());
  const plain = createFilmView({
    heading,
    lanes,
    table,
    note: make("p"),
    changed: pictures.draw,
  });
  const element = make("section", "own-stage", { "aria-label": OWN_TITLE, hidden: true });
  /** @type {FilmView} */
  const view = { ...plain, build, step: stepNow, isBuilt: () => !element.hidden, writeStep: write };
  const words = createOwnWords(film, view, part);
  element.append(heading, lanes.element, words.newText);
  if (!isSandboxed()) element.append(pictures.element);

  /** @type {FilmView["build"]} */
  function build(next, start, name, recorded) {
    if (recorded) return leave();
    enters();
    element.hidden = false; // a grid is laid out where it is seen
    plain.build(next, start, name);
    plain.showTable();
    activate(group);
  }

  function leave() {
    if (element.hidden) return;
    element.hidden = true;
    leaves();
  }

  function stepNow() {
    return element.hidden ? step() : plain.step();
  }

  /** @param {number} at */
  function rests(at) {
    write(at, words.hash());
    words.rests();
    plain.followStep(at);
  }

  /**
   * @param {number} at
   * @param {string} [hash]  the viewer's words
   */
  function write(at, hash = "") {
    if (hash) writeStep(at, hash);
    else writeBeat();
  }

  /** @param {boolean} offered  whether the beat shows the training */
  function offer(offered) {
    words.button.hidden = !offered && words.panel.hidden;
  }

  return {
    element,
    button: words.button,
    panel: words.panel,
    offer,
    follow: (/** @type {string} */ hash) => words.follow(hash, askedFor(hash, 0).start),
  };
}
