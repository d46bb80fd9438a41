// A lesson's card: it turns the beats, and brings the grid of its group to the step of each and points at what is meant.
// The grid's key Space turns them too, by way of the group's `next`.

import { COLOURINGS, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { make, readable } from "../../../film/browser/shared/dom.js";
import { REGISTRY, groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { mount } from "../../../film/browser/shared/mount.js";

const PATIENCE = 200; // looks for the lesson's grid, 50 ms apart: it may be drawn after the card
const SETTLED = 140; // milliseconds after which Python hears of a beat

function createCard(parentElement) {
  const root = parentElement.querySelector("[data-testid=lesson]");
  const gone = new AbortController();
  const { signal } = gone;
  const card = { data: null, at: 0, theme: "", answered: new Set(), tell: () => undefined, ask: () => undefined };
  let group = null;
  let looking = 0;
  let telling = 0;

  const where = make("span", "where");
  const dots = make("span", "beats", { role: "group", "aria-label": "Beats of the lesson" });
  const told = make("div", "told", { "aria-live": "polite", "data-testid": "lesson-told" });
  const shown = make("div", "shown", { "data-testid": "lesson-shown", hidden: true });
  const astray = make("div", "astray", { hidden: true, "data-testid": "lesson-astray" });
  const back = make("button", "back", { type: "button", "data-testid": "lesson-back", click: () => go(card.at - 1) }, "Back");
  const forth = make("button", "next", { type: "button", "data-testid": "lesson-next", click: () => next() });
  const key = make("span", "key", {}, make("kbd", "", {}, "Space"));
  root.append(make("div", "beats", {}, where, dots), told, astray, make("div", "turn", {}, back, forth, key), shown);

  const now = () => card.data.beats[card.at];
  const pending = () => now().question.length > 0 && !card.answered.has(card.at);
  // The grid does not say which pair is next while a question about it stands open, or comes before the next merge.
  const guessing = () => {
    const rest = card.data.beats.slice(card.at);
    const here = rest.slice(0, rest.findIndex((beat) => beat.step !== now().step) >>> 0);
    return here.some((beat, ahead) => beat.guess && !card.answered.has(card.at + ahead));
  };

  // Called again when data or theme change; another lesson begins at its `start`.
  function update({ data, setStateValue, setTriggerValue }) {
    card.tell = (beat) => setStateValue("beat", beat);
    card.ask = (slug) => setTriggerValue("lesson", slug);
    if (!group) enter(data.group);
    const theme = themeOf(root);
    const other = card.data?.slug !== data.slug;
    const again = card.data !== null;
    const same = !other && theme === card.theme && card.data.family === data.family;
    Object.assign(card, { data, theme });
    root.dataset.theme = theme;
    if (same) return;
    if (other) {
      card.answered = new Set(Array.from({ length: data.start }, (_, at) => at));
      card.at = data.start;
    }
    draw();
    place();
    if (other && again) forth.focus({ preventScroll: true }); // the key goes on with the lesson that was chosen
  }

  function enter(name) {
    group = groupNamed(name);
    group.tables.add(root); // the presenter view leaves room beside the grid
    group.next = next;
    hear("step", name, signal, ({ step, playing }) => stray(step, playing));
    hear("present", name, signal, ({ on }) => present(on));
    signal.addEventListener("abort", () => {
      group.tables.delete(root);
      if (group.next === next) delete group.next;
    });
  }

  function next() {
    if (pending()) {
      card.answered.add(card.at);
      draw();
      place();
    } else if (card.at < card.data.beats.length - 1) go(card.at + 1);
    else if (card.data.next) card.ask(card.data.next.slug);
  }

  function go(at) {
    card.at = Math.max(0, Math.min(at, card.data.beats.length - 1));
    draw();
    place();
    clearTimeout(telling);
    telling = setTimeout(() => card.tell(`${card.data.slug} ${card.at}`), SETTLED);
  }

  // The grid of this lesson at the step of this beat, and what the beat means pointed at.
  function place(tries = 0) {
    clearTimeout(looking);
    const here = [...group.lanes].some((lane) => lane.model?.feed.family === card.data.family);
    if (!here) {
      if (tries < PATIENCE) looking = setTimeout(() => place(tries + 1), 50);
      return;
    }
    REGISTRY.active = group; // keys go to the lesson, not to the film of a new text beside it
    const head = group.playhead;
    head.setBeatwise(guessing());
    if (head.step !== now().step) head.seek(now().step, { animate: true });
    point();
  }

  function point(target = pending() && now().guess && now().gives ? null : now().point) {
    say("light", { group: group.name, from: "lesson", ...(target ?? { none: true }) });
  }

  // The viewer moved the grid: allowed, but then text and grid are not about the same step.
  function stray(step, playing) {
    if (!card.data) return;
    const off = step !== now().step;
    if (off && astray.hidden) say("light", { group: group.name, from: "lesson", none: true });
    astray.hidden = !off || playing;
    if (!off) return;
    const again = make("button", "", { type: "button", "data-testid": "lesson-return", click: () => (place(), forth.focus({ preventScroll: true })) }, `Back to ${now().step}`);
    astray.replaceChildren(make("span", "", {}, `The grid has moved to step ${step}; this is about step ${now().step}.`), again);
  }

  function draw() {
    const { beats } = card.data;
    const beat = now();
    const last = card.at === beats.length - 1;
    root.dataset.beat = card.at;
    root.dataset.lesson = card.data.slug;
    root.dataset.answered = String(!pending());
    where.textContent = `Beat ${card.at + 1} of ${beats.length}`;
    dots.replaceChildren(...beats.map((_, at) => make("button", `dot ${at < card.at ? "seen" : ""}`, { type: "button", "aria-label": `Beat ${at + 1}`, "aria-current": at === card.at ? "step" : null, click: () => go(at) })));
    told.replaceChildren(
      make("p", "say", {}, ...sentence(beat.say)),
      ...(beat.question.length ? [make("p", "question", {}, ...sentence(beat.question))] : []),
      ...(beat.question.length && !pending() ? [make("p", "answer", {}, ...sentence(beat.answer))] : []));
    shown.hidden = pending() || !beat.shown;
    shown.replaceChildren(...(beat.shown ? evidence(beat.shown) : []));
    back.disabled = card.at === 0;
    forth.disabled = last && !pending() && !card.data.next;
    forth.textContent = pending() ? "Show the answer" : !last ? "Next" : card.data.next ? `Next lesson: ${card.data.next.title}` : "The end";
  }

  // [text, null] is text; [label, id] a token, −1 one that is no token here and now
  const sentence = (pieces) => pieces.map(([text, id]) => (id === null ? text : token(text, id)));

  function token(label, id, kind = "") {
    const chip = make("span", `chip ${id < 0 ? kind || "plain" : kind}`, { dir: "auto" }, readable(label, card.data.marker));
    if (id < 0) return chip;
    const colours = COLOURINGS.identity.chip(card.theme, { id });
    paintChip(chip, kind === "unused" ? { ...colours, fill: "transparent", ink: "var(--soft)" } : colours);
    if (!card.data.lights) return chip;
    chip.dataset.token = id;
    chip.addEventListener("pointerenter", () => point({ token: id }));
    chip.addEventListener("pointerleave", () => point());
    return chip;
  }

  function evidence({ title, rows, more }) {
    const list = make("ul", "rows", { tabindex: rows.length > 5 ? 0 : null, "aria-label": title }, ...rows.map(rowElement));
    return [make("p", "title", {}, title), list, ...(more ? [make("p", "more", {}, more)] : [])];
  }

  function rowElement({ items, pair, tied, chosen }) {
    const drawn = items.map((item) => (typeof item === "string" ? make("span", "text", {}, item) : token(...item)));
    const mark = tied ? [make("span", "tie", { title: "tied for the highest count", role: "img", "aria-label": "tied" }, "◆")] : [];
    const row = make("li", chosen ? "chosen" : "", {}, ...drawn, ...mark, ...(chosen ? [make("span", "unseen", {}, " merged next")] : []));
    if (!pair) return row;
    row.addEventListener("pointerenter", () => point({ left: pair[0], right: pair[1] }));
    row.addEventListener("pointerleave", () => point());
    return row;
  }

  // The card goes along into the presenter view, at the right of the grid.
  function present(on) {
    if (on) {
      root.setAttribute("popover", "manual");
      root.showPopover?.();
    } else root.removeAttribute("popover");
    root.classList.toggle("presenting", on);
    setTimeout(() => signal.aborted || place()); // once the grid has taken its own view of beats
  }

  function remove() {
    clearTimeout(looking);
    clearTimeout(telling);
    gone.abort();
  }

  return { update, remove };
}

export default mount(createCard);
