// A lesson as a film: the lesson of a page, with what a film has around it. film/lesson_page.py writes its data.

/** @import {EveryWay, TrainingFeed} from "../shared/feed_types.js" */
/** @import {FilmView} from "../film/views.js" */
/** @import {LessonData} from "../lesson/lesson.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {OwnData, Site} from "../film/site.js" */
/** @import {Recipe} from "../trainer/live_types.js" */

import {
  askedFor,
  writeStep,
  isSandboxed,
  embedSection,
  isEmbedded,
  shareKeys,
  siteLinks,
  themeButton,
} from "../film/site.js";
import { createCurveView, createFilmView } from "../film/views.js";
import { createLanesView } from "../stage/lanes_view.js";
import { createParts } from "../stage/parts.js";
import { createTableView } from "../stage/table_view.js";
import { createWayView } from "../stage/way_view.js";
import { createOwnWords } from "../film/own_words.js";
import { MERGES, OWN_TITLE } from "../film/own_settings.js";
import { pictureSection } from "../film/save_pictures.js";
import { createLesson } from "../lesson/lesson.js";
import { make } from "../shared/dom.js";
import { activate, groupNamed, say } from "../shared/groups.js";
import { takeToStage } from "../shared/on_stage.js";
import { dressPage } from "../shared/sheet.js";

// "Your words" in a lesson: its training on what the viewer types, in place of the lesson until "Back to the example" brings it back.

const OWN_GROUP = "own-words";
const STYLES = ["base", "film", "token-grid", "pair-table", "every-way", "picture"]; // of a film that is saved

/**
 * The lesson around it.
 * @typedef {object} LessonAround
 * @property {() => number} step  of the beat
 * @property {() => void} enters  the viewer's words take the place of the lesson
 * @property {() => void} leaves
 * @property {() => void} writeBeat  writes the lesson's address
 */

/** Make the stage, the panel and the button. @param {LessonFilm} lesson @param {LessonAround} around */
function createOwnStage(lesson, { step, enters, leaves, writeBeat }) {
  const { title, site, own, recipe, feeds, way } = lesson;
  const feed = /** @type {TrainingFeed} */ (feeds[0]);
  const styles = Object.fromEntries(STYLES.map((name) => [name, lesson.styles[name]]));
  const lane = { feed, title: "", subtitle: "", recipe };
  const film = {
    title,
    step: 0,
    lanes: [lane],
    least: MERGES, // a lesson stops when it has shown what it is about, the viewer's words at their end
    way,
    code: [],
    note: "",
    site,
    own,
    styles,
  };
  /** @type {GridGroup} */
  const group = groupNamed(OWN_GROUP);
  const part = createParts(styles);
  const heading = make("h2", "", {}, OWN_TITLE);
  const lanes = createLanesView(OWN_GROUP, part, { rests, picks: (at, pick) => words.pick(at, pick) });
  const table = createTableView(group, lanes.element, part, film.code, {
    picks: (pick) => words.pick(0, pick),
  });
  const ways = createWayView(OWN_GROUP, part);
  const pictures = pictureSection(OWN_GROUP, part, () => words.footer());
  const curve = createCurveView(group);
  const plain = createFilmView({
    heading,
    lanes,
    table,
    ways,
    curve,
    note: make("p"),
    changed: pictures.draw,
  });
  const element = make("section", "own-stage", { "aria-label": "The training on your words", hidden: true });
  /** @type {FilmView} */
  const view = { ...plain, build, step: stepNow, isBuilt: () => !element.hidden, writeStep: write };
  const words = createOwnWords(film, view, part);
  element.append(heading, lanes.element, ways.element, curve.element, words.newText);
  if (!isSandboxed()) element.append(pictures.element);

  /** @type {FilmView["build"]} */
  function build(next, start, name, recorded) {
    if (recorded) return leave();
    enters();
    element.hidden = false; // a grid is laid out where it is seen
    plain.build(next, start, name);
    plain.showTable();
    activate(group);
    if (groupNamed(LESSON_GROUP).presenting) say("present", { group: OWN_GROUP, on: true }); // in the lesson's place
  }

  function leave() {
    if (element.hidden) return;
    say("present", { group: OWN_GROUP, on: false });
    group.presenting = false;
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

  /** @param {number} at @param {string} [hash]  the viewer's words */
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

const LESSON_GROUP = "film";

/**
 * What film/lesson_page.py writes into a lesson's film.
 * @typedef {object} Around
 * @property {number} start  the beat to begin with
 * @property {string} note
 * @property {Site} site
 * @property {OwnData} own
 * @property {Recipe | null} recipe  of the training; null if a page cannot train in the same way
 * @property {EveryWay | null} way  every way to break its ties, for the viewer's own words; null if they begin with others
 * @property {Record<string, string>} styles
 */

/** @typedef {LessonData & Around} LessonFilm */

/**
 * Return the beat and the step that an address asks for: #beat=3, or #step=12, which is the first beat of that step
 * with the training's grid.
 * @param {LessonFilm} film
 * @param {string} hash
 */
function askedBeat(film, hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (/** @type {string} */ name) => {
    return /^\d{1,9}$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : null;
  };
  const [beat, step] = [number("beat"), number("step") ?? number("from")];
  if (beat !== null) return { beat: Math.min(Math.max(1, beat), film.beats.length) - 1, step: null };
  const first = film.beats.findIndex((one) => one.step === step && film.stages[one.stage].kind === "grid");
  return { beat: first < 0 ? film.start : first, step: first < 0 ? step : null };
}

/** Show a lesson on its page. @param {LessonFilm} film */
export function showLesson(film) {
  if (isEmbedded()) shareKeys();
  dressPage(film.styles.base);
  const group = groupNamed(LESSON_GROUP);
  const part = createParts(film.styles);
  const main = make("main", "film lesson-film");
  takeToStage(main, [LESSON_GROUP, OWN_GROUP], new AbortController().signal);
  const { host, root } = part("mbm", "lesson-page", "layout");
  const place = /** @type {HTMLElement} */ (root.firstElementChild);
  const header = make("header", "", {}, make("h1", "", {}, film.title), themeButton());
  const lesson = createLesson(part, LESSON_GROUP, {
    turned: writeBeat,
    drawn: () => own.offer(lesson.viewer.kind() === "grid"),
    isAway: () => Boolean(host.hidden),
  });
  const own = createOwnStage(film, { step: () => lesson.viewer.beat().step, enters, leaves, writeBeat });
  header.lastElementChild?.before(own.button);
  place.append(lesson.element);
  main.append(header, own.panel, host, own.element);
  if (film.note) main.append(make("footer", "", {}, film.note));
  if (!isEmbedded()) {
    main.prepend(...siteLinks(film.site));
    main.append(...embedSection(film.site));
  }
  document.body.append(main);

  function writeBeat() {
    try {
      history.replaceState(null, "", `#beat=${lesson.viewer.at() + 1}`);
    } catch {
      return; // a sandboxed frame has no address of its own
    }
  }

  function enters() {
    host.hidden = true;
  }

  function leaves() {
    host.hidden = false;
    activate(group);
    lesson.draw();
  }

  new MutationObserver(() => lesson.update(film)).observe(document.documentElement, {
    attributeFilter: ["class"],
  });

  function open() {
    const { beat, step } = askedBeat(film, location.hash);
    lesson.open(film, beat);
    if (step !== null) setTimeout(() => group.playhead?.seek(step));
    own.follow(location.hash);
  }
  window.addEventListener("hashchange", open);
  open();
}
