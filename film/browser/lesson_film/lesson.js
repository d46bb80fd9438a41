// A lesson as a film: its beats one after the other, each with the stage that its text is about. film/lesson_page.py
// writes its data.

/** @import {LessonFilm} from "./types.js" */
/** @import {Light} from "../shared/groups.js" */

import { embedSection, isEmbedded, shareKeys, siteLinks } from "../film/site.js";
import { themeButton } from "../film/theme.js";
import { paragraph } from "../sentence/chips.js";
import { themeOf } from "../shared/tokens/colour.js";
import { make, makeButton, setPresenting } from "../shared/page/dom.js";
import { activate, groupNamed, hear, say } from "../shared/groups.js";
import { createOwnStage } from "./own_stage.js";
import { LESSON_GROUP, createStages } from "./stages.js";
import { partMaker } from "./parts.js";

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

/**
 * Show a lesson on its page.
 * @param {LessonFilm} film
 */
export function showLesson(film) {
  if (isEmbedded()) shareKeys();
  const group = groupNamed(LESSON_GROUP);
  const stages = createStages(film);
  const { host, root } = partMaker(film.styles)("lesson-film", "mbm lesson-text", "caption");
  const card = /** @type {HTMLElement} */ (root.firstElementChild);
  const header = make("header", "", {}, make("h1", "", {}, film.title), themeButton());
  const own = createOwnStage(film, { step: () => now().step, enters, leaves, writeBeat });
  header.lastElementChild?.before(own.button);
  const main = make("main", "film lesson-film", {}, header, own.panel, host, stages.element, own.element);
  if (film.note) main.append(make("footer", "", {}, film.note));
  if (!isEmbedded()) {
    main.prepend(...[siteLinks(film.site)].filter((element) => element !== null));
    main.append(...[embedSection(film.site)].filter((element) => element !== null));
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
