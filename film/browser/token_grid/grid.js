// One grid: its parts, what it knows, and what happens when the playhead moves. Everything drawn follows from
// `model` (the feed), `step` and `options`.

import { COLOURINGS, themeOf } from "../shared/colour.js";
import { chipElement, readable, shortened } from "../shared/dom.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { createCells } from "./cells.js";
import { createChips } from "./chips.js";
import { tellCounts } from "./changes.js";
import { decodeFeed, tiedPairs, tokenOf } from "./feed.js";
import { listenToKeys } from "./keys.js";
import { differsFrom, hasRivals } from "./lanes.js";
import { pairName } from "./marking.js";
import { keepOption, readOptions } from "./options.js";
import { buildParts, drawLane, followSize, layOut } from "./parts.js";
import { createPlayhead } from "./playhead.js";
import { leave } from "./presenter.js";
import { joinedText, tokensAt } from "./segmentation.js";
import { fillSlot } from "./slots.js";

export function createGrid(parentElement) {
  const gone = new AbortController();
  const { signal } = gone;
  const root = parentElement.querySelector("[data-testid=token-grid]");
  const grid = {
    root, model: null, places: [], step: 0, last: 0, width: 0, theme: "light", colours: {}, font: "sans-serif",
    options: readOptions(), shows: {}, tied: new Set(), lit: null, cursor: null, presenting: false, head: null, group: null,
    parts: {}, chips: new Map(),
  };
  let drawing = null;
  let report = () => undefined;
  let reported = -1;
  let missed = false; // moves while it was out of sight and the scrubber dragged
  let timer = 0;
  let joined = {};

  Object.assign(grid, {
    chip, chipFor, pick, choose, escape, canEscape, leads, focused, scrollTo, relayout, look, feed, follow, mark, finish,
    differsAt: (sheet, start, end) => differsFrom(grid, sheet, start, end),
    paintMarks, remove,
    present: (on) => grid.presenter.set(on),
    blackOut: () => grid.presenter.blackOut(),
  });

  // The feed, the options and the way back to Python. Called again when data or theme change; idempotent.
  function feed(data, setState, setTrigger) {
    report = { state: setState, trigger: setTrigger };
    const fresh = !grid.model;
    const other = grid.model?.feed.id !== data.feed.id;
    const theme = themeOf(root);
    if (fresh) enter(data);
    grid.lane = data.lane ?? null;
    drawLane(grid);
    if (other) {
      grid.model = decodeFeed(data.feed);
      grid.last = grid.model.last;
      grid.chips.clear();
      grid.tied = new Set();
      if (fresh) start(data);
      grid.step = Math.min(grid.head.step, grid.last);
      root.dataset.id = data.feed.id;
      root.dataset.steps = grid.last;
    }
    if (other || theme !== grid.theme) restyle();
    if (other) {
      relayout();
      if (fresh && grid.group.presenting) grid.presenter.follow(true); // a pick brought another grid in the middle of it
      grid.head.gather(); // other lanes also compare themselves with this one
      for (const lane of grid.group.lanes) if (lane.model) lane.settings.draw();
    }
  }

  function enter(data) {
    grid.data = data;
    grid.options = readOptions(data.options);
    grid.group = groupNamed(data.group);
    grid.head = grid.group.playhead ??= createPlayhead(grid.group);
    grid.group.lanes.add(grid);
    grid.head.motion = grid.options.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    buildParts(grid, signal);
    listen();
  }

  // The lane with the transport brings the group to its step; the others join where it is. Counting the lanes would
  // not do: when the corpus changes, the grid that goes is still there when the one that comes is drawn.
  function start(data) {
    if (!data.transport) return;
    grid.head.step = Math.min(data.start, grid.last);
    grid.head.playing = false;
    grid.head.beatwise = Boolean(data.beatwise);
    grid.head.beat = data.beatwise && grid.head.step < grid.last ? "guess" : "rest";
    reported = grid.head.step;
  }

  function listen() {
    hear("light", grid.group.name, signal, (detail) => {
      grid.lit = detail.none ? null : detail;
      root.classList.toggle("lighting", !detail.none);
      grid.paintMarks();
    });
    // A pair table tells those of its rows, without an id; what the feed itself holds nobody needs to tell.
    hear("tied", grid.group.name, signal, ({ id, step, pairs }) => {
      if (id !== grid.model?.feed.id || step !== grid.step || tiedPairs(grid.model, step)) return;
      grid.tied = new Set(pairs.map(([left, right]) => pairName(left, right)));
      grid.headline.draw();
      grid.paintMarks();
    });
    hear("slot", grid.group.name, signal, () => fillSlot(grid));
    hear("jump", grid.group.name, signal, ({ step }) => leads() && grid.head.seek(step));
    listenToKeys(grid, signal);
    grid.parts.viewport.addEventListener("scroll", look, { signal, passive: true });
    followSize(grid, signal);
    const scheme = new MutationObserver(() => themeOf(root) !== grid.theme && (restyle(), relayout()));
    scheme.observe(document.documentElement, { attributes: true, attributeFilter: ["class", "style", "data-theme"] });
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    calm.addEventListener("change", () => (grid.head.motion = grid.options.motion && !calm.matches), { signal });
    signal.addEventListener("abort", () => scheme.disconnect());
    document.fonts.ready.then(() => signal.aborted || relayout());
  }

  // Another part of the sheets is in sight.
  function look() {
    grid.sight.fit();
    if (!drawing?.chips) drawing?.paintAll();
    grid.paintMarks();
  }

  function paintMarks() {
    if (missed) return;
    grid.sight.paintMarks();
    grid.ruler.draw();
  }

  function restyle() {
    grid.theme = themeOf(root);
    root.dataset.theme = grid.theme;
    fillSlot(grid);
    grid.chips.clear();
    const style = getComputedStyle(root);
    const read = (name) => style.getPropertyValue(name).trim();
    for (const name of ["ink", "soft", "wall", "accent", "tie", "panel", "line"]) grid.colours[name] = read(`--${name}`);
    grid.font = read("--st-font") || "sans-serif";
    grid.code = read("--st-code-font") || "ui-monospace, monospace";
    if (grid.places.length) repaint();
  }

  // Sheets and their places anew: width, view, drawing or letter size changed.
  function relayout() {
    if (!grid.model || !grid.parts.viewport.clientWidth) return;
    drawing?.remove();
    grid.cursor = null;
    layOut(grid);
    drawing = (grid.asChips ? createChips : createCells)(grid, grid.sight);
    root.dataset.drawing = drawing.chips ? "chips" : "cells";
    repaint();
  }

  function repaint() {
    drawTexts();
    grid.sight.fit();
    drawing?.paintAll();
    grid.paintMarks();
    grid.transport?.drawStrip();
    grid.settings.draw();
  }

  // The playhead moved; `duration` ms are left for the eye.
  function follow(from, step, duration) {
    const before = Math.min(from, grid.last);
    grid.step = Math.min(step, grid.last);
    grid.turn = Math.abs(grid.step - before) === 1 ? { rank: Math.min(before, grid.step), forwards: grid.step > before } : null;
    if (before === grid.step && from !== step) return drawNumbers();
    grid.tied = new Set((tiedPairs(grid.model, grid.step) ?? []).map(([left, right]) => pairName(left, right)));
    if (grid.cursor) grid.cursor = null;
    setShows();
    if (grid.head.scrubbing && !grid.sight.seen) missed = true;
    else drawing?.follow(before, grid.step, duration);
    drawNumbers();
    if (grid.head.beat === "fast") {
      grid.paintMarks();
      grid.headline.draw();
    }
  }

  function mark() {
    if (missed && (!grid.head.scrubbing || grid.sight.seen)) {
      missed = false;
      drawing?.paintAll();
    }
    setShows();
    grid.pointing?.follow();
    drawTexts();
    grid.paintMarks();
    if (grid.head.beat === "settle") tellCounts(grid);
    tell();
  }

  function setShows() {
    const { beat } = grid.head;
    grid.shows = {
      tied: beat === "rest" || beat === "count" || beat === "select",
      winner: beat === "rest" || beat === "select",
      fresh: beat === "rest" || beat === "settle" || beat === "guess" || beat === "count" || beat === "select",
      differs: beat !== "fuse" && hasRivals(grid),
    };
    root.dataset.beat = beat;
  }

  function drawNumbers() {
    root.dataset.step = grid.step;
    root.dataset.tokens = tokensAt(grid.text, grid.step);
    root.dataset.tied = grid.step < grid.last ? grid.model.steps.tied[grid.step] : 0;
    root.dataset.playing = grid.head.playing;
    if ((!grid.head.playing && !grid.head.scrubbing) || grid.text.size < 2000) joinText();
    grid.transport?.draw();
  }

  // The frame joined back to text; a long one at rest only, or it would cost more than the step itself.
  function joinText() {
    if (joined.sheet === grid.text && joined.step === grid.step) return;
    joined = { sheet: grid.text, step: grid.step };
    root.dataset.text = joinedText(grid.text, grid.step);
  }

  function drawTexts() {
    if (grid.tied.size === 0) grid.tied = new Set((tiedPairs(grid.model, grid.step) ?? []).map(([left, right]) => pairName(left, right)));
    setShows();
    drawNumbers();
    grid.headline.draw();
    grid.spoken.draw();
  }

  // To Python: at rest only, once, a moment later.
  function tell() {
    clearTimeout(timer);
    const { head } = grid;
    if (!leads() || head.playing || head.scrubbing || head.step === reported) return;
    timer = setTimeout(() => {
      reported = head.step;
      report.state("step", head.step);
    }, 140);
  }

  function chip(id) {
    // No token stands for it: its own character on a dashed box, whatever the colouring.
    if (id < 0) return { fill: grid.colours.panel, edge: grid.colours.tie, ink: grid.colours.ink, soft: grid.colours.soft, unknown: true };
    let colours = grid.chips.get(id);
    if (!colours) {
      colours = COLOURINGS[grid.options.colour].chip(grid.theme, tokenOf(grid.model, id));
      grid.chips.set(id, colours);
    }
    return colours;
  }

  function chipFor(id) {
    const token = tokenOf(grid.model, id);
    const label = readable(shortened(grid.options.glyphs ? token.label : token.label.replaceAll("·", " ")), grid.model.feed.marker_text);
    return chipElement(label, chip(id), token.born < 0 && token.label === grid.model.feed.marker_text ? "marker" : "");
  }

  function pick(pair) {
    report.trigger("pick", { rank: grid.step, pair, left: tokenOf(grid.model, pair[0]).bytes, right: tokenOf(grid.model, pair[1]).bytes, number: pickNumber(pair) });
  }

  const pickNumber = (pair) => [...grid.tied].indexOf(pairName(...pair));

  function choose(name, value) {
    grid.options[name] = value;
    keepOption(name, value);
    if (name === "motion") grid.head.motion = value && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    grid.chips.clear();
    relayout();
    say("options", { group: grid.group.name, from: root, options: { ...grid.options } });
  }

  function leads() {
    return [...grid.group.lanes].sort((a, b) => (a.lane?.index ?? 0) - (b.lane?.index ?? 0))[0] === grid;
  }

  function focused() {
    return root.getRootNode().activeElement;
  }

  function scrollTo(place, cell) {
    const { viewport } = grid.parts;
    const y = place.top + place.line[cell] * place.metrics.pitch;
    if (y < viewport.scrollTop) viewport.scrollTop = y;
    if (y + place.metrics.pitch > viewport.scrollTop + viewport.clientHeight) viewport.scrollTop = y + place.metrics.pitch - viewport.clientHeight;
  }

  function canEscape() {
    return grid.help.open() || grid.presenting || grid.pointing.open();
  }

  function escape() {
    if (grid.help.open()) return grid.help.toggle(false);
    if (grid.pointing.open()) return grid.pointing.clear();
    return grid.present(false);
  }

  function finish() {
    drawing?.finish();
  }

  function remove() {
    gone.abort();
    clearTimeout(timer);
    grid.group?.lanes.delete(grid);
    if (grid.group?.lanes.size) grid.head.tell();
    else leave(grid.group);
    drawing?.remove();
  }

  return grid;
}
