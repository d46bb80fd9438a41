// What puts a film on its page and follows its address.

/** @import {Film, OwnData} from "./film_data.js" */
/** @import {FilmView} from "./film_view.js" */
/** @import {MakePart} from "./shadow_parts.js" */

import { make } from "../shared/dom.js";
import { groupNamed } from "../shared/groups.js";
import { askedFor, namesPart, writeStep } from "./address.js";
import { playByItself } from "./by_itself.js";
import { readFilm } from "./film_data.js";
import { createFilmView } from "./film_view.js";
import { createLanesView } from "./lanes_view.js";
import { playRange } from "./playback.js";
import { pictureSection } from "./save_pictures.js";
import { createParts } from "./shadow_parts.js";
import { embedSection, isEmbedded, isSandboxed, shareKeys, siteLinks } from "./site.js";
import { createTableView } from "./table_view.js";
import { themeButton } from "./theme.js";

const GROUP = "film";

/** @typedef {ReturnType<typeof import("./own/own_words.js").createOwnWords>} OwnWords */

/**
 * Show the film of the page.
 * @param {((film: Film & {own: OwnData}, view: FilmView, part: MakePart) => OwnWords) | null} createOwn  makes what trains on the viewer's
 *   own words; null for a film that only plays its recording
 */
export async function showFilm(createOwn) {
  const film = await readFilm();
  if (isEmbedded()) shareKeys();
  const group = groupNamed(GROUP);
  const part = createParts(film.styles);
  const lanes = createLanesView(GROUP, part, { rests, picks: (lane, pick) => own?.pick(lane, pick) });
  const table =
    film.lanes.length === 1
      ? createTableView(group, lanes.element, part, (pick) => own?.pick(0, pick))
      : null;
  const stage = document.getElementById("film-stage");
  const heading = make(stage ? "h3" : "h1", "", {}, film.title);
  const note = make("footer", "", {}, film.note);
  const pictures = pictureSection(GROUP, part, () => own?.footer() ?? film.title);
  const view = createFilmView({ heading, lanes, table, note, changed: pictures.draw });
  const own = film.own && createOwn ? createOwn({ ...film, own: film.own }, view, part) : null;

  const header = make("header", "", {}, heading, ...(own ? [own.button] : []), themeButton());
  const main = make(stage ? "div" : "main", "film", {}, header);
  main.append(...(own ? [own.panel, lanes.element, own.newText] : [lanes.element]), note);
  header.hidden = film.own?.opens === true;
  if (!isSandboxed()) main.append(pictures.element);
  if (!stage && !isEmbedded()) {
    main.prepend(...[siteLinks(film.site)].filter((element) => element !== null));
    main.append(...[embedSection(film.site)].filter((element) => element !== null));
  }
  (stage ?? document.body).append(main);

  const asked = askedFor(location.hash, film.step);
  const playsByItself = film.own?.opens === true && !location.hash && !isEmbedded();
  let hasActed = () => !playsByItself; // until then the address stays as it is
  const isBuilt = own !== null && (await own.follow(location.hash, asked.start));
  if (!isBuilt) view.build(film.lanes, asked.start, film.title, true);
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

/**
 * Call a function when the page has been painted.
 * @param {() => void} then
 */
function afterPaint(then) {
  requestAnimationFrame(() => setTimeout(then));
}
