// What puts a film on its page and follows its address.

/** @import {Group} from "../shared/groups.js" */
/** @import {GridGroup} from "../token_grid/types.js" */
/** @import {Film, OwnData} from "./site.js" */
/** @import {MakePart} from "../stage/parts.js" */
/** @import {FilmView} from "./views.js" */

import { hear, groupNamed } from "../shared/groups.js";
import { make } from "../shared/dom.js";
import { takeToStage } from "../shared/on_stage.js";
import { dressPage } from "../shared/sheet.js";
import {
  askedFor,
  namesPart,
  writeStep,
  readFilm,
  embedSection,
  isEmbedded,
  isSandboxed,
  shareKeys,
  siteLinks,
  themeButton,
} from "./site.js";
import { createParts } from "../stage/parts.js";
import { createTableView } from "../stage/table_view.js";
import { createWayView } from "../stage/way_view.js";
import { createLanesView } from "../stage/lanes_view.js";
import { createCurveView, createFilmView } from "./views.js";
import { pictureSection } from "./save_pictures.js";

// A part of a film that plays once, because its address asks for it.

/** Play once from one step to another. @param {Group} group @param {{start: number, end: number}} range */
function playRange(group, { start, end }) {
  const { playhead } = group;
  if (!playhead) return;
  const lifetime = new AbortController();
  playhead.seek(start);
  playhead.play();
  hear("step", group.name, lifetime.signal, ({ step, playing }) => {
    if (playing && step < end) return;
    lifetime.abort();
    if (!playing) return;
    playhead.pause();
    if (step > end) playhead.seek(end); // a busy machine draws several merges at once
  });
}

// A film that plays once without being asked, on a page that begins with it.

/**
 * Play a film until its end or until its visitor begins to type; its keys and buttons work as ever. Returns whether the
 * visitor has done anything yet. Nothing plays for those who asked for little motion.
 * @param {Group} group
 * @param {HTMLElement} field  in which the visitor types
 */
function playByItself(group, field) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => true;
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const act = () => lifetime.abort();
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, act, { signal });
  field.addEventListener("focusin", () => group.playhead?.seek(0), { once: true });
  playRange(group, { start: 0, end: Infinity });
  return () => signal.aborted;
}

const GROUP = "film";

/** @typedef {ReturnType<typeof import("./own_words.js").createOwnWords>} OwnWords */

/**
 * Show the film of the page.
 * @param {((film: Film & {own: OwnData}, view: FilmView, part: MakePart) => OwnWords) | null} createOwn  makes what trains on the viewer's
 *   own words; null for a film that only plays its recording
 */
export async function showFilm(createOwn) {
  const film = await readFilm();
  if (isEmbedded()) shareKeys();
  dressPage(film.styles.base);
  /** @type {GridGroup} */
  const group = groupNamed(GROUP);
  const stage = document.getElementById("film-stage");
  const main = make(stage ? "div" : "main", "film");
  takeToStage(main, [GROUP], new AbortController().signal);
  const part = createParts(film.styles);
  const lanes = createLanesView(GROUP, part, { rests, picks: (lane, pick) => own?.pick(lane, pick) });
  const table =
    film.lanes.length === 1
      ? createTableView(group, lanes.element, part, film.code, { picks: (pick) => own?.pick(0, pick) })
      : null;
  const heading = make(stage ? "h3" : "h1", "", {}, film.title);
  const note = make("footer", "", {}, film.note);
  const pictures = pictureSection(GROUP, part, () => own?.footer() ?? film.title);
  const ways = createWayView(GROUP, part);
  const curve = createCurveView(group);
  const view = createFilmView({ heading, lanes, table, ways, curve, note, changed: pictures.draw });
  const own = film.own && createOwn ? createOwn({ ...film, own: film.own }, view, part) : null;

  const header = make("header", "", {}, heading, ...(own ? [own.button] : []), themeButton());
  main.append(
    header,
    ...(own ? [own.panel] : []),
    lanes.element,
    ways.element,
    curve.element,
    ...(own ? [own.newText] : []),
    note,
  );
  header.hidden = film.own?.opens === true;
  if (!isSandboxed()) main.append(pictures.element);
  if (!stage && !isEmbedded()) {
    main.prepend(...siteLinks(film.site));
    main.append(...embedSection(film.site));
  }
  (stage ?? document.body).append(main);

  const asked = askedFor(location.hash, film.step);
  const playsByItself = film.own?.opens === true && !location.hash && !isEmbedded();
  let hasActed = () => !playsByItself; // until then the address stays as it is
  const isBuilt = own !== null && (await own.follow(location.hash, asked.start));
  if (!isBuilt) {
    view.build(film.lanes, asked.start, film.title, true);
    view.showWay(film.way);
  }
  let lastStep = view.step();
  // The first frame does not wait for the pairs to be counted.
  afterPaint(() => {
    view.showTable();
    if (asked.play) playRange(group, asked);
    else if (playsByItself && own) hasActed = playByItself(group, own.panel);
  });

  /** @param {number} step */
  function rests(step) {
    // A film that comes to rest late does not take back the address of a link that was followed meanwhile.
    const isLate = namesPart() && step === lastStep && !own?.hasNews();
    if (hasActed() && !isLate) writeStep(step, own?.hash() ?? "");
    lastStep = step;
    own?.rests();
    view.followStep(step);
  }

  window.addEventListener("hashchange", async () => {
    if (namesPart()) {
      lastStep = view.step();
      own?.leave();
      return;
    }
    const next = askedFor(location.hash, film.step);
    await own?.follow(location.hash, next.start);
    if (next.play) playRange(group, next);
    else group.playhead?.seek(next.start);
  });
}

/** Call a function when the page has been painted. @param {() => void} then */
function afterPaint(then) {
  requestAnimationFrame(() => setTimeout(then));
}
