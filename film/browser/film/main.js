// A film: lanes, pair table and captions as a separate page, without a server. film/page.py writes its data.

/** @import {TrainingFeed} from "../shared/feed_types.js" */
/** @import {GridData} from "../token_grid/types.js" */
/** @import {Site} from "./site.js" */

import { make } from "../shared/dom.js";
import { groupNamed, hear } from "../shared/groups.js";
import { createGrid } from "../token_grid/grid.js";
import { createLaneStage, lanesInRow } from "../token_grid/stage/lane_stage.js";
import { pairTable } from "../token_grid/data/pair_counts.js";
import { tempoOf } from "../token_grid/story/story.js";
import { createTable } from "../pair_table/table.js";
import { createCaptions } from "./captions.js";
import { askedFor, writeStep } from "./address.js";
import { embedSection, giveKeysBack, isEmbedded, siteLinks } from "./site.js";
import { themeButton } from "./theme.js";

const GROUP = "film";
const NO_TABLE =
  "No pair table: pairs are counted in the whole text, and this film holds only a part of it. The app shows the table.";
const NO_STAGES =
  "No pair table: a film cannot count the pairs of these two stages. The app shows the table.";

/** @typedef {{feed: TrainingFeed, title: string, subtitle: string}} FilmLane */

/**
 * What film/page.py writes into the page.
 * @typedef {object} Film
 * @property {string} title
 * @property {number} step  the step to begin with
 * @property {FilmLane[]} lanes
 * @property {import("./captions.js").Caption[]} captions
 * @property {string} note  a sentence below the film, or ""
 * @property {Site} site  what is around the film, if it is a page of a website
 * @property {Record<string, string>} styles  the style sheets of the grid and the pair table
 */

/** @type {Film} */
const film = await readFilm();

/** Read the data of the page: JSON, compressed by gzip, in base64. */
async function readFilm() {
  const letters = atob(document.getElementById("film")?.textContent ?? "");
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/**
 * Make an element whose shadow root holds the content of a component's main.html and main.css.
 * @param {string} name
 * @param {string} testId  also the name of its style sheet
 */
function shadowPart(name, testId) {
  const host = make("div", "part");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [styleSheet(testId)];
  root.append(make("div", name, { "data-testid": testId }));
  return { host, root };
}

/** By name: all lanes share one sheet, which the browser reads once. @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** @param {string} name */
function styleSheet(name) {
  let sheet = sheets.get(name);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(film.styles[name] ?? "");
    sheets.set(name, sheet);
  }
  return sheet;
}

/** Do nothing: a film has no server to report to. */
const ignore = () => undefined;

function showFilm() {
  const group = groupNamed(GROUP);
  const single = film.lanes.length === 1;
  const lanes = make("div", single ? "lanes single" : "lanes");
  const captions = createCaptions(film.captions, group);
  const stage = document.getElementById("film-stage");
  const heading = make(stage ? "h3" : "h1", "", {}, film.title);
  const header = make("header", "", {}, heading, themeButton());
  const main = make(stage ? "div" : "main", "film", {}, header, captions.element, lanes);
  if (film.note) main.append(make("footer", "", {}, film.note));
  if (!stage && !isEmbedded()) {
    main.prepend(...[siteLinks(film.site)].filter((element) => element !== null));
    main.append(...[embedSection(film.site)].filter((element) => element !== null));
  }
  (stage ?? document.body).append(main);

  const asked = askedFor(location.hash, film.step);
  /** @type {((step: number) => void)[]} */
  const followers = [captions.follow, writeStep];
  if (!single) {
    const { host, root } = shadowPart("grid lane-stage", "token-grid");
    root.firstElementChild?.setAttribute("data-testid", "lane-stage");
    lanes.append(host);
    createLaneStage(/** @type {HTMLElement} */ (root.firstElementChild), group, new AbortController().signal);
  }
  film.lanes.forEach((lane, index) => {
    const { host, root } = shadowPart("grid", "token-grid");
    host.hidden = !single; // lanes move to the stage
    lanes.append(host);
    /** @type {GridData} */
    const data = {
      feed: lane.feed,
      start: asked.start,
      group: GROUP,
      transport: index === 0,
      lane: single
        ? null
        : {
            title: lane.title,
            subtitle: lane.subtitle,
            index,
            of: film.lanes.length,
            beside: lanesInRow(film.lanes.length),
          },
      options: {},
      beatwise: false,
      linked: false,
    };
    const component = {
      parentElement: root,
      data,
      /** @type {(name: string, value: unknown) => void} */
      setStateValue: (name, value) => name === "step" && followers.forEach((follow) => follow(Number(value))),
      setTriggerValue: ignore,
    };
    createGrid(component).update(component);
  });
  captions.follow(group.playhead?.step ?? 0);
  // The grid reports its step at rest only; a caption changes while the film plays.
  hear("step", GROUP, new AbortController().signal, ({ step, playing, beat }) => {
    if (playing || beat === "settle") captions.follow(step);
  });
  // The first frame does not wait for the pairs to be counted.
  afterPaint(() => {
    if (single) {
      const follow = showTable(lanes);
      follow?.(group.playhead?.step ?? 0);
      if (follow) followers.push(follow);
      group.playhead?.tell(); // the beat, which decides the order of the pairs
    }
    if (asked.play) playRange(asked.start, asked.end);
  });
}

/**
 * Call a function when the page has been painted.
 * @param {() => void} then
 */
function afterPaint(then) {
  requestAnimationFrame(() => setTimeout(then));
}

/**
 * Show the pair table beside the only lane, or why there is none.
 * @param {HTMLElement} lanes
 * @returns {((step: number) => void) | null}  shows the table at another step
 */
function showTable(lanes) {
  const [{ model }] = groupNamed(GROUP).lanes;
  if (!model.whole) {
    const { text } = model.feed;
    const reason = model.stage && text.end - text.start === text.total ? NO_STAGES : NO_TABLE;
    lanes.append(make("p", "no-table", { "data-testid": "no-table" }, reason));
    return null;
  }
  const { host, root } = shadowPart("pairs card", "pair-table");
  const at = (/** @type {number} */ step) => ({
    parentElement: root,
    data: { ...tableAt(step), group: GROUP, lane: 0, picks: false, marker: model.feed.marker_text },
    setStateValue: ignore,
    setTriggerValue: ignore,
  });
  const tableAt = (/** @type {number} */ step) => pairTable(model, step) ?? { step, rows: [], total: 0 };
  lanes.append(host);
  const table = createTable(at(0));
  return (step) => table.update(at(step));
}

/**
 * Play once from one step to another.
 * @param {number} from
 * @param {number} to
 */
function playRange(from, to) {
  const playhead = groupNamed(GROUP).playhead;
  if (!playhead) return;
  const lifetime = new AbortController();
  playhead.seek(from);
  playhead.tempo = tempo();
  playhead.play();
  hear("step", GROUP, lifetime.signal, ({ step, playing }) => {
    if (playing && step < to) return;
    lifetime.abort();
    playhead.tempo = null;
    if (!playing) return;
    playhead.pause();
    if (step > to) playhead.seek(to); // a busy machine draws several merges at once
  });
}

/** Return the speed of a film that tells a story, which is slow where a caption is read; null for other films. */
function tempo() {
  const { captions } = film;
  const steps = new Set(captions.map(({ step }) => step));
  if (captions.length < 2 || steps.size < captions.length) return null;
  // The first caption is read while the first merges happen.
  const later = captions.filter(({ step }) => step > 0);
  return tempoOf(groupNamed(GROUP).playhead?.last() ?? 0, later);
}

window.addEventListener("hashchange", () => {
  const asked = askedFor(location.hash, film.step);
  if (asked.play) playRange(asked.start, asked.end);
  else groupNamed(GROUP).playhead?.seek(asked.start);
});
if (isEmbedded()) giveKeysBack();
showFilm();
