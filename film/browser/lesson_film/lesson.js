// A lesson as a film: its beats one after the other, each with the stage that its text is about. film/lesson_page.py
// writes its data.

/** @import {EveryWay, TrainingFeed, Feed} from "../shared/feed_types.js" */
/** @import {FilmView} from "../film/views.js" */
/** @import {Controller} from "../shared/mount.js" */
/** @import {GridData, GridGroup} from "../token_grid/types.js" */
/** @import {LaneTitle, Light, Tells} from "../shared/groups.js" */
/** @import {Piece} from "../shared/sentence.js" */
/** @import {RailData} from "../token_grid/panels.js" */
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
import { componentOf, createParts } from "../stage/parts.js";
import { createTableView } from "../stage/table_view.js";
import { createWayView } from "../stage/way_view.js";
import { createOwnWords } from "../film/own_words.js";
import { MERGES, OWN_TITLE } from "../film/own_settings.js";
import { pictureSection } from "../film/save_pictures.js";
import { make, makeButton, placeStage, setPresenting } from "../shared/dom.js";
import { activate, groupNamed, hear, say } from "../shared/groups.js";
import { createRows } from "../aligned_rows/rows.js";
import { createModels } from "../models_table/models.js";
import { createPicture } from "../every_way/picture.js";
import { createLosses } from "../losses/losses.js";
import { createListing } from "../code/listing.js";
import { createSubject } from "../subject/subject.js";
import { createGrid } from "../token_grid/grid.js";
import { createLaneStage } from "../token_grid/lane_stage.js";
import { dragGrids, moveNumbers } from "../shared/moving_numbers.js";
import { paragraph } from "../shared/sentence.js";
import { themeOf } from "../shared/colour.js";

// "Your words" in a lesson: its training on what the viewer types, in place of the lesson until "Back to the example" brings it back.

const OWN_GROUP = "own-words";
const STYLES = ["token-grid", "pair-table", "every-way", "picture"]; // of a film that is saved

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

// The stage of a lesson's film. One stage is on the page at a time, as in the app; where it has no grid of its own, the
// training's grid is out of sight and still listens to the keys.

const LESSON_GROUP = "film";

/**
 * What fills a stage without a grid, by its folder: what draws it, its class and its name for tests.
 * @type {Record<string, [(component: import("../shared/mount.js").Component<any>) => Controller<any>, string, string]>}
 */
const COMPONENTS = {
  subject: [createSubject, "mbm subject", "lesson-subject"],
  aligned_rows: [createRows, "mbm aligned", "aligned-rows"],
  models_table: [createModels, "mbm models", "models-table"],
  every_way: [createPicture, "mbm every-way", "every-way"],
  losses: [createLosses, "mbm losses", "losses"],
  code: [createListing, "mbm listing", "listing"],
};

/** Make the stage. @param {LessonFilm} film */
function createStages(film) {
  const element = make("div", "stage-of-film", { "data-testid": "film-stage" });
  const part = createParts(film.styles);
  let shownAt = -1; // number of the stage on the page
  /** @type {(() => void)[]} */
  let removals = [];

  /** Put a stage on the page, with its grids at a step. @param {number} number @param {number} step */
  function show(number, step) {
    if (number === shownAt) return false;
    const before = removals;
    removals = [];
    shownAt = number;
    const hosts = build(film.stages[number], step);
    element.replaceChildren(...hosts);
    element.dataset.kind = film.stages[number].kind;
    for (const remove of before) remove();
    return true;
  }

  /** @param {Stage} stage @param {number} step @returns {HTMLElement[]} */
  function build(stage, step) {
    const { kind, lanes, rail } = stage;
    if (kind === "compare") return comparison(lanes, step);
    if (kind === "grid" || kind === "encoding")
      return [gridOf(lanes[0], null, kind === "grid" ? step : 0, rail)];
    const hidden = gridOf(film.stages[0].lanes[0], null, step, null);
    hidden.hidden = true;
    return [picture(stage), hidden];
  }

  /** @param {Stage} stage */
  function picture({ kind, data }) {
    const [create, name, testid] = COMPONENTS[kind];
    const { host, root } = part(name, testid, kind);
    keep(create, componentOf(root, { ...data, group: LESSON_GROUP }));
    return host;
  }

  /** @param {StageLane[]} lanes @param {number} step */
  function comparison(lanes, step) {
    const { host, root } = part("grid lane-stage", "lane-stage", "token-grid");
    const lifetime = new AbortController();
    createLaneStage(
      /** @type {HTMLElement} */ (root.firstElementChild),
      groupNamed(LESSON_GROUP),
      lifetime.signal,
    );
    const grids = lanes.map((lane, index) => {
      const { title, ahead } = lane;
      const own = gridOf(lane, { title, ahead, index, of: lanes.length, beside: lanes.length }, step, null);
      own.hidden = true; // the lane moves to the stage
      return own;
    });
    removals.push(() => lifetime.abort());
    return [host, ...grids];
  }

  /** @param {StageLane} lane @param {LaneTitle | null} title @param {number} start @param {Stage["rail"]} rail */
  function gridOf({ feed }, title, start, rail) {
    const { host, root } = part("grid", "token-grid");
    /** @type {GridData} */
    const data = {
      feed: film.feeds[feed],
      start,
      group: LESSON_GROUP,
      transport: (title?.index ?? 0) === 0,
      lane: title,
      options: {},
      beatwise: true,
      linked: false,
      rail,
    };
    keep(createGrid, componentOf(root, data));
    return host;
  }

  /**
   * Draw a component, and remember how to remove it.
   * @template Data
   * @param {(component: import("../shared/mount.js").Component<Data>) => Controller<Data>} create
   * @param {import("../shared/mount.js").Component<Data>} component
   */
  function keep(create, component) {
    const controller = create(component);
    removals.push(() => controller.remove?.());
    queueMicrotask(() => controller.update(component)); // when its host is on the page
  }

  return { element, show };
}

// What film/lesson_page.py writes into a lesson's film.

/** A lane of a stage: the number of its feed, its title, and how far it is ahead of the first lane. @typedef {{feed: number, title: string, ahead: number}} StageLane */

/**
 * What fills the stage of one beat or of several.
 * @typedef {object} Stage
 * @property {string} kind  "grid", "encoding", "compare", or one of COMPONENTS
 * @property {StageLane[]} lanes  of a grid, an encoding or a comparison
 * @property {RailData | null} rail  of an encoding
 * @property {object | null} data  of a component
 */

/**
 * @typedef {object} FilmBeat
 * @property {number} step
 * @property {number} stage  its number
 * @property {boolean} above  whether the text stands above the stage in the presenter view, since the stage is wide
 * @property {Piece[]} say
 * @property {Piece[]} question
 * @property {Piece[]} answer
 * @property {boolean} guess  whether the question is which pair comes next
 * @property {boolean} gives  whether highlighting would give the answer away
 * @property {Light | null} point
 * @property {Tells | null} tells  of the next merge; null for all
 * @property {[[string, string][], [string, string][]]} named  pairs that the text names, without the answer and with it
 */

/**
 * @typedef {object} LessonFilm
 * @property {string} title
 * @property {number} start  the beat to begin with
 * @property {string} note
 * @property {string} marker
 * @property {boolean} lights
 * @property {FilmBeat[]} beats
 * @property {Stage[]} stages  the first one is the training's grid
 * @property {Feed[]} feeds
 * @property {Site} site
 * @property {OwnData} own
 * @property {Recipe | null} recipe  of the training; null if a page cannot train in the same way
 * @property {EveryWay | null} way  every way to break its ties, for the viewer's own words; null if they begin with others
 * @property {Record<string, string>} styles
 */

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
  const group = groupNamed(LESSON_GROUP);
  const stages = createStages(film);
  const { host, root } = createParts(film.styles)("mbm lesson-text", "caption", "lesson-film");
  const card = /** @type {HTMLElement} */ (root.firstElementChild);
  const header = make("header", "", {}, make("h1", "", {}, film.title), themeButton());
  const own = createOwnStage(film, { step: () => now().step, enters, leaves, writeBeat });
  header.lastElementChild?.before(own.button);
  const main = make("main", "film lesson-film", {}, header, own.panel, host, stages.element, own.element);
  if (film.note) main.append(make("footer", "", {}, film.note));
  if (!isEmbedded()) {
    main.prepend(...siteLinks(film.site));
    main.append(...embedSection(film.site));
  }
  document.body.append(main);

  let at = 0;
  /** @type {Set<number>} */
  const answered = new Set();
  /** @type {Set<number>} */
  const played = new Set();
  const lifetime = new AbortController();
  const now = () => film.beats[at];
  const kind = () => film.stages[now().stage].kind;
  const isPending = () => now().question.length > 0 && !answered.has(at);
  const isLast = () => at === film.beats.length - 1;

  const text = make("div", "text", { "aria-live": "polite" });
  const position = make("span", "place");
  const back = makeButton("Back", "last-caption", () => go(at - 1));
  const forth = makeButton("", "next-caption", next);
  card.append(text, make("div", "bar", {}, back, position, forth));

  // The grid hides the next pair while a question about it is open, or comes before the next merge.
  function isGuessing() {
    for (let beat = at; film.beats[beat]?.step === now().step; beat++) {
      if (film.beats[beat].guess && !answered.has(beat)) return true;
    }
    return false;
  }

  function waits() {
    return kind() === "encoding" && !played.has(at);
  }

  function next() {
    if (isPending()) answered.add(at);
    else if (waits()) played.add(at);
    else return go(at + 1);
    const plays = waits() || played.has(at);
    if (kind() === "encoding") played.add(at);
    draw();
    if (plays && kind() === "encoding") {
      group.playhead?.seek(0);
      group.playhead?.play();
    }
  }

  /** @param {number} beat */
  function go(beat) {
    const before = at;
    at = Math.max(0, Math.min(beat, film.beats.length - 1));
    if (film.beats[before].stage === now().stage && played.has(before)) played.add(at);
    draw();
    writeBeat();
  }

  function writeBeat() {
    try {
      history.replaceState(null, "", `#beat=${at + 1}`);
    } catch {
      return; // a sandboxed frame has no address of its own
    }
  }

  function enters() {
    host.hidden = stages.element.hidden = true;
  }

  function leaves() {
    host.hidden = stages.element.hidden = false;
    activate(group);
    draw();
  }

  function draw() {
    paint();
    queueMicrotask(() => queueMicrotask(settle));
  }

  // Draws the beat in the colours of the theme. The viewer may have moved the grid to another step.
  function paint() {
    const theme = themeOf(card);
    card.dataset.theme = theme;
    card.dataset.beat = String(at);
    card.classList.toggle("above", now().above); // in the presenter view
    placeStage(now().above);
    card.dataset.answered = String(!isPending());
    const look = { theme, marker: film.marker, lights: film.lights, point };
    const { say: sentence, question, answer } = now();
    const asks = question.length ? [paragraph("question", question, look)] : [];
    const tells = question.length && !isPending() ? [paragraph("answer", answer, look)] : [];
    text.replaceChildren(paragraph("say", sentence, look), ...asks, ...tells);
    position.textContent = `${at + 1} of ${film.beats.length}`;
    back.disabled = at === 0;
    forth.disabled = isLast() && !isPending() && !waits();
    forth.textContent = isPending() ? "Show the answer" : waits() ? "Show the steps" : "Next";
    group.asks = isPending();
    group.asksNext = group.asks && now().guess;
    group.tells = now().tells;
    stages.show(now().stage, now().step);
    own.offer(kind() === "grid");
  }

  // Moves the grids of this beat to its step, once they are on the page.
  function settle() {
    const { playhead } = group;
    say("asked", { group: LESSON_GROUP });
    if (!playhead) return;
    if (!host.hidden) activate(group);
    playhead.setBeatwise(waits() || isGuessing() || (kind() === "compare" && isPending()));
    const step = kind() === "encoding" ? (played.has(at) ? playhead.last() : 0) : now().step;
    if (!playhead.playing && playhead.step !== step) {
      playhead.seek(step, { animate: kind() !== "encoding" && Math.abs(playhead.step - step) === 1 });
    }
    point();
    group.named = now().named[Number(!isPending())];
    say("named", { group: LESSON_GROUP });
  }

  /** @param {Light} [light]  by default the beat's tokens */
  function point(light) {
    const givesAway = isPending() && now().guess && now().gives;
    say("light", {
      group: LESSON_GROUP,
      from: "lesson",
      ...(light ?? (givesAway ? null : now().point) ?? { none: true }),
    });
  }

  group.next = next;
  group.back = () => go(at - 1);
  group.tables.add(card); // the presenter view leaves room beside the stage
  dragGrids(card, group);
  hear("step", LESSON_GROUP, lifetime.signal, ({ step }) => moveNumbers(card, step));
  hear("present", LESSON_GROUP, lifetime.signal, ({ on }) => {
    setPresenting(card, on);
    setTimeout(settle);
  });
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["class"] });

  function open() {
    const asked = askedBeat(film, location.hash);
    at = asked.beat;
    draw();
    const { step } = asked;
    if (step !== null) setTimeout(() => group.playhead?.seek(step));
    own.follow(location.hash);
  }
  window.addEventListener("hashchange", open);
  open();
}
