// The picture of every way: strands, nodes and lines as SVG, a dot on each line that goes with the group's playhead,
// what a node or strand tells when one points at it, and a table of the same.

/** @import {ChipLabel, EveryWay} from "../shared/feed_types.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Theme} from "../shared/colour.js" */
/** @import {LaidChip, Layout} from "./layout.js" */

import { chipElement, chipText, labelText } from "../shared/chip.js";
import { coloursOfId, contextOf, themeOf } from "../shared/colour.js";
import { download, hasModifier, icon, make, setPresenting } from "../shared/dom.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { pointed } from "../shared/pointed.js";
import { CHIP, DOT, curve, curveY, dotX, layOutWays } from "./layout.js";

/**
 * What Python sends: the picture, and the group whose playhead it follows. On the stage of a lesson it does not follow it
 * but `unfolds`, from so many merges to so many: before an answer it waits at the first number.
 * `takes`: the title of the first line, which a pressed node takes there.
 * @typedef {EveryWay & {group: string, name: string, unfolds?: [number, number], takes?: string}} PictureData
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const NAME = "Every way to break the ties";
const TYPE = 15; // px, the letters of a chip
/**
 * Where a pressed node leads, until the training that goes there comes, and another picture with it.
 * @type {{group: string, step: number, name: string} | null}
 */
let goingTo = null;
const ARRIVAL = 300; // ms until the grid of a new training listens
const TRAVEL = 420; // ms from one merge to the next
const UNFOLDING = 800; // ms for each merge that unfolds
const MOST_UNFOLDING = 6000; // ms
const STAGE_SCALE = 1.5; // of a picture on the stage of a lesson, if it fits
const STAGE_STRAND = 22; // least length of a strand there
const AHEAD = 14; // px beyond the dots that have unfolded
const LINE = 3; // width
const SMALLEST = 0.74; // scale of a picture that is wider than its room
const ASIDE = 4.5; // from one line to the one beside it
// Scales of a picture that fills the window. From the last row one reads letters of 24 px.
const LEGIBLE = 1.6;
const LARGEST_SCALE = 3;
const MOST_TABLE_ROWS = 200;

// As in base.css, written into the picture so that it can be saved.
const LOOKS = {
  light: {
    paper: "#ffffff",
    ink: "#14161c",
    soft: "#5b6172",
    strand: "#dde2ee",
    rim: "#c6cddf",
    lens: "#f1f3fa",
    tie: "#b54708",
    fork: "#f6d9b8",
    lines: ["#3b5bdb", "#c2410c", "#9333ea", "#0f766e", "#be185d", "#4d7c0f", "#0369a1", "#854d0e"],
  },
  dark: {
    paper: "#191c24",
    ink: "#f5f6fb",
    soft: "#a5acbf",
    strand: "#323848",
    rim: "#48506a",
    lens: "#222734",
    tie: "#ffb566",
    fork: "#5a4120",
    lines: ["#8da2ff", "#ff9d5c", "#cf9bff", "#5eead4", "#f9a8d4", "#bef264", "#7dd3fc", "#fcd34d"],
  },
};

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {Component<PictureData>} component @returns {Controller<PictureData>} */
export function createPicture(component) {
  const root = rootOf(component, ".every-way");
  const ending = new AbortController();
  const { signal } = ending;
  const head = make("h2", "sentence", { "data-testid": "every-way-sentence" });
  const legend = make("div", "lines");
  const scroll = make("div", "scroll", { role: "group" });
  const tip = make("div", "tip card", { hidden: true, "data-testid": "every-way-tip" });
  const table = make("div", "unseen");
  const save = make(
    "button",
    "quiet",
    { type: "button", click: () => savePicture(), "data-testid": "save-every-way" },
    "Save as SVG",
  );
  const present = make(
    "button",
    "quiet",
    {
      type: "button",
      "aria-pressed": false,
      click: () => fillWindow(!isFilling()),
      "data-testid": "present-every-way",
    },
    icon("present"),
    " Fill the window",
  );
  const close = make("button", "close", { type: "button", click: () => fillWindow(false) }, "Close");
  root.append(head, scroll, make("div", "below", {}, legend, present, save, close), tip, table);

  /** @type {PictureData} */
  let way = component.data;
  let latest = component;
  /** @type {Theme} */
  let theme = "light";
  let lastText = "";
  let lastGroup = "";
  let listening = new AbortController();
  let step = 0; // of the playhead
  let position = 0; // where the dots are, on their way to it
  /** @type {Set<number>} */
  const opened = new Set();
  /** @type {Layout} */
  let layout;
  let scale = 1;
  /** @type {SVGElement[]} */
  let nodes = [];
  /** @type {{dot: Element, trail: Element, down: number}[]} */
  let dots = [];
  /** @type {Element[]} */
  let numbers = [];
  /** @type {Element | null} */
  let unfolded = null;
  let focused = 0; // the node that Tab reaches
  let frame = 0;

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const resized = new ResizeObserver(() => fit());
  resized.observe(scroll);
  let filled = 0; // the width that the picture was laid out for

  function fit() {
    if (scroll.clientWidth && Math.abs(scroll.clientWidth - filled) > 1) drawAll();
  }

  /** Whether it is on the stage of a lesson. */
  function isOnStage() {
    return way.unfolds !== undefined;
  }

  /** Return the least scale on the stage of a lesson: in the presenter view, letters are 2 % of the window's height. */
  function leastOnStage() {
    return isFilling() ? (0.021 * window.innerHeight) / TYPE : SMALLEST;
  }

  function nameOfPicture() {
    return `${NAME}. ${way.sentence}`;
  }

  /** Return how far the picture unfolds now. */
  function goal() {
    const [begin, end] = way.unfolds ?? [0, 0];
    return groupNamed(way.group).asks === true ? begin : end;
  }

  const labelAt = (/** @type {number} */ token) => way.tokens[token].label;
  const textAt = (/** @type {number} */ token) => chipText(labelAt(token)) || " ";
  const nameAt = (/** @type {number} */ token) =>
    labelText(/** @type {ChipLabel} */ (way.tokens[token].name));

  function drawAll() {
    const look = LOOKS[theme];
    filled = scroll.clientWidth;
    const context = contextOf(document.createElement("canvas"));
    const style = getComputedStyle(root);
    const code = style.getPropertyValue("--st-code-font").trim() || "monospace";
    context.font = `500 ${TYPE}px ${code}`;
    layout = layOutWays(way, textAt, (text) => context.measureText(text).width, {
      room: (filled || 900) / (isOnStage() ? STAGE_SCALE : 1),
      opened,
      least: isOnStage() ? STAGE_STRAND : undefined,
    });
    const { width, height } = layout;
    scale = filled ? Math.min(1, Math.max(SMALLEST, filled / width)) : 1;
    if (isFilling() || isOnStage()) {
      const fits = Math.min(filled / width, (scroll.clientHeight - 8) / height);
      scale = Math.min(LARGEST_SCALE, Math.max(isOnStage() ? leastOnStage() : LEGIBLE, fits));
    }
    const svg = draw("svg", {
      width: width * scale,
      height: height * scale,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": style.fontFamily || "sans-serif",
      "font-size": isOnStage() ? TYPE : 13,
    });
    const strands = draw("g", { fill: "none", "stroke-linecap": "round" });
    const bodies = draw("g", {});
    way.strands.forEach((strand, number) => drawStrand(strand, number, strands, bodies, code));
    const lines = draw("g", { fill: "none", "stroke-linejoin": "round" });
    const clips = draw("defs", {});
    const marks = draw("g", {});
    dots = way.lines.map((_, number) => drawLine(number, lines, clips, marks));
    nodes = way.nodes.map((_, number) => drawNode(number, code));
    numbers = drawNumbers(svg);
    const folds = draw("g", {}, strands, lines, bodies);
    unfolded = isOnStage() ? draw("rect", { x: 0, y: 0, width: 0, height }) : null;
    if (unfolded) {
      const id = `unfolded-${way.group}`.replace(/[^\w-]/g, "_");
      clips.append(draw("clipPath", { id }, unfolded));
      folds.setAttribute("clip-path", `url(#${id})`);
    }
    svg.append(clips, folds, ...nodes, marks);
    scroll.replaceChildren(svg);
    legend.replaceChildren(
      ...way.lines.map(({ title }, number) => {
        const swatch = make("span", "swatch", { "aria-hidden": "true" });
        swatch.style.background = look.lines[number % look.lines.length];
        return make("span", "line", {}, swatch, title);
      }),
    );
    put();
  }

  /**
   * @param {EveryWay["strands"][number]} strand
   * @param {number} number
   * @param {Element} strands
   * @param {Element} bodies
   * @param {string} code
   */
  function drawStrand(strand, number, strands, bodies, code) {
    const look = LOOKS[theme];
    const { points, body, label } = layout.strands[number];
    const colour = strand.tie === "fork" ? look.fork : look.strand;
    if (strand.kind === "knot" || strand.kind === "fray") return drawMany(strand, number, strands, bodies);
    strands.append(draw("path", { d: curve(points), stroke: colour, "stroke-width": 9 }));
    if (!body) return;
    const { x, y, width, height, chips } = body;
    const left = x - width / 2;
    const group = draw("g", { class: "body", role: "button", tabindex: -1, "data-strand": number });
    group.setAttribute("aria-expanded", String(opened.has(number)));
    group.setAttribute("aria-label", `${label}: ${strand.tokens.map(nameAt).join(", ")}`);
    if (strand.kind === "lens") {
      const bow = height / 2 + 5;
      const lens = `M${left - 8} ${y} C${left + 14} ${y - bow} ${left + 18} ${y - bow} ${left + 30} ${y - bow} L${left + width - 30} ${y - bow} C${left + width - 18} ${y - bow} ${left + width - 14} ${y - bow} ${left + width + 8} ${y} C${left + width - 14} ${y + bow} ${left + width - 18} ${y + bow} ${left + width - 30} ${y + bow} L${left + 30} ${y + bow} C${left + 18} ${y + bow} ${left + 14} ${y + bow} ${left - 8} ${y} Z`;
      group.append(draw("path", { d: lens, fill: look.lens, stroke: look.strand, "stroke-width": 3 }));
    } else {
      const box = { x: left, y: y - height / 2, width, height, rx: height / 2 };
      group.append(draw("rect", { ...box, fill: look.lens, stroke: look.strand, "stroke-width": 3 }));
    }
    for (const chip of chips) group.append(drawChip(chip, y, code));
    if (strand.kind === "lens") group.append(note(x, y - height / 2 - 11, label));
    else group.append(note(x, chips.length ? y - height / 2 - 8 : y + 4.5, label));
    const turn = () => {
      if (opened.has(number)) opened.delete(number);
      else opened.add(number);
      drawAll();
      /** @type {HTMLElement | null} */ (scroll.querySelector(`[data-strand="${number}"]`))?.focus();
    };
    group.addEventListener("click", turn);
    group.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event).key;
      if (key === "Enter" || key === " ") {
        event.preventDefault();
        event.stopPropagation();
        turn();
      }
    });
    group.setAttribute("tabindex", "0");
    bodies.append(group);
  }

  /**
   * Draw more splits than can be tip apart: strands that weave, or that end.
   * @param {EveryWay["strands"][number]} strand
   * @param {number} number
   * @param {Element} strands
   * @param {Element} bodies
   */
  function drawMany(strand, number, strands, bodies) {
    const look = LOOKS[theme];
    const { points, label } = layout.strands[number];
    const [start, end] = [points[0], points[points.length - 1]];
    const thin = { stroke: look.rim, "stroke-width": 2 };
    if (strand.kind === "fray") {
      const reach = Math.min(end.x - start.x, 120);
      for (let at = -2; at <= 2; at += 1) {
        const far = { x: start.x + reach - 9 * Math.abs(at), y: start.y + at * 9 };
        const path = { d: curve([start, far]), stroke: `url(#fade-${number})`, "stroke-width": 3 };
        strands.append(draw("path", path));
      }
      const fade = draw("linearGradient", {
        id: `fade-${number}`,
        gradientUnits: "userSpaceOnUse",
        x1: start.x,
        x2: start.x + reach,
      });
      fade.append(
        draw("stop", { "stop-color": look.rim }),
        draw("stop", { offset: 1, "stop-color": look.rim, "stop-opacity": 0 }),
      );
      strands.append(fade);
      return;
    }
    const middle = (start.x + end.x) / 2;
    const quarter = (end.x - start.x) / 4;
    for (const [one, other] of /** @type {[number, number][]} */ ([
      [-24, 20],
      [20, -24],
      [-12, 8],
      [8, -16],
      [0, 0],
      [24, 24],
      [-24, -24],
    ])) {
      const mean = (start.y + end.y) / 2;
      const through = [
        start,
        { x: middle - quarter, y: mean + one },
        { x: middle + quarter, y: mean + other },
        end,
      ];
      strands.append(draw("path", { d: curve(through), ...thin }));
    }
    bodies.append(note(middle, (start.y + end.y) / 2 - 34, label));
  }

  /** @param {number} x @param {number} y @param {string} text */
  function note(x, y, text) {
    const { soft, paper } = LOOKS[theme];
    const attributes = {
      x,
      y,
      fill: soft,
      "text-anchor": "middle",
      stroke: paper,
      "stroke-width": 4,
      "paint-order": "stroke",
    };
    return draw("text", attributes, text);
  }

  /**
   * @param {LaidChip} chip
   * @param {number} y  of its middle
   * @param {string} code  the font
   */
  function drawChip({ token, text, x, width }, y, code) {
    const look = LOOKS[theme];
    if (token < 0) {
      return note(x + width / 2, y + 4.5, text);
    }
    const { shade, ends } = way.tokens[token];
    const { fill, edge, ink } = coloursOfId(theme, shade);
    const box = { x, y: y - CHIP / 2, width, height: CHIP, rx: 6 };
    const group = draw("g", {});
    group.append(draw("rect", { ...box, fill: look.paper, stroke: look.paper, "stroke-width": 6 }));
    group.append(draw("rect", { ...box, fill, stroke: edge, "stroke-width": 1.5 }));
    const middle = x + (width - (ends ? 8 : 0)) / 2;
    const letters = {
      x: middle,
      y: y + 5,
      fill: ink,
      "text-anchor": "middle",
      "font-family": code,
      "font-size": TYPE,
      "font-weight": 500,
    };
    group.append(draw("text", letters, text));
    if (ends) {
      const tab = {
        x: x + width - 8,
        y: y - CHIP / 2 + 4,
        width: 3.5,
        height: CHIP - 8,
        rx: 1.5,
        fill: edge,
      };
      group.append(draw("rect", tab));
    }
    return group;
  }

  /**
   * Draw the line of a training, the part of it that is done, and its dot.
   * @param {number} number
   * @param {Element} lines
   * @param {Element} clips
   * @param {Element} marks
   */
  function drawLine(number, lines, clips, marks) {
    const look = LOOKS[theme];
    const { points } = layout.lines[number];
    const colour = look.lines[number % look.lines.length];
    const beside = Math.min(ASIDE, 20 / Math.max(1, way.lines.length - 1));
    const down = (number - (way.lines.length - 1) / 2) * beside;
    const d = curve(points, down);
    const id = `done-${way.group}-${number}`.replace(/[^\w-]/g, "_");
    const trail = draw("rect", { x: 0, y: 0, width: 0, height: layout.height });
    clips.append(draw("clipPath", { id }, trail));
    lines.append(draw("path", { d, stroke: colour, "stroke-width": LINE, "stroke-opacity": 0.55 }));
    lines.append(draw("path", { d, stroke: colour, "stroke-width": LINE + 1.5, "clip-path": `url(#${id})` }));
    const dot = draw("circle", {
      r: DOT,
      fill: colour,
      stroke: look.paper,
      "stroke-width": 2.5,
      "data-testid": "way-dot",
    });
    marks.append(dot);
    return { dot, trail, down };
  }

  /** @param {number} number @param {string} code */
  function drawNode(number, code) {
    const look = LOOKS[theme];
    const { x, y, width, chips } = layout.nodes[number];
    const node = way.nodes[number];
    if (node.open) return draw("g", { "aria-hidden": "true" });
    const group = draw("g", {
      class: "node",
      role: "button",
      tabindex: number === focused ? 0 : -1,
      "data-merges": node.merges,
    });
    group.setAttribute("aria-label", nameOf(number));
    const around = {
      x: x - width / 2 - 5,
      y: y - CHIP / 2 - 5,
      width: width + 10,
      height: CHIP + 10,
      rx: 10,
    };
    group.append(draw("rect", { class: "ring", ...around, fill: "none" }));
    if (!chips.length)
      group.append(
        draw("circle", { cx: x, cy: y, r: DOT, fill: look.paper, stroke: look.soft, "stroke-width": 2.5 }),
      );
    for (const chip of chips) group.append(drawChip(chip, y, code));
    group.addEventListener("click", () => press(number));
    const listeners = pointed(
      () => tell(number),
      () => (tip.hidden = true),
    );
    for (const [kind, listen] of Object.entries(listeners)) {
      group.addEventListener(kind, /** @type {EventListener} */ (listen));
    }
    group.addEventListener("focus", () => tell(number));
    group.addEventListener("blur", () => (tip.hidden = true));
    group.addEventListener("keydown", (event) => walk(/** @type {KeyboardEvent} */ (event), number));
    return group;
  }

  /** @param {number} number  of a node */
  function nameOf(number) {
    const { merges, tokens, more } = way.nodes[number];
    if (!merges) return "Before the first merge";
    const also = more ? ` and ${more} more` : "";
    return `After ${formatCount(merges, "merge")}: ${tokens.map(nameAt).join(", ") || "the same tokens"}${also}`;
  }

  /** @param {Element} svg */
  function drawNumbers(svg) {
    const look = LOOKS[theme];
    const splits = new Map(/** @type {[number, number][]} */ (way.splits));
    let [lastX, lastNote] = [-100, -100];
    const texts = [];
    const base = layout.bottom + 38;
    for (const { merges, x } of layout.columns) {
      if (merges > way.until || x - lastX < 12 + 8 * String(merges).length) continue;
      const number = draw(
        "text",
        { x, y: base, fill: look.soft, "text-anchor": "middle", class: "number", "data-merges": merges },
        formatNumber(merges),
      );
      svg.append(number);
      texts.push(number);
      lastX = x;
      const many = splits.get(merges);
      // Of pairs in any order one order is drawn. Then there are more splits than nodes.
      if (
        many === way.nodes.filter((node) => node.merges === merges && !node.open).length &&
        x - lastNote > 62
      ) {
        const text = formatCount(many, "split");
        svg.append(
          draw(
            "text",
            {
              x,
              y: base - 18,
              fill: look.tie,
              "text-anchor": "middle",
              "font-weight": 600,
              class: "splits",
              "data-merges": merges,
            },
            text,
          ),
        );
        lastNote = x;
      }
    }
    const first = layout.nodes[0];
    svg.append(
      draw(
        "text",
        { x: first.x, y: first.y - CHIP / 2 - 6, fill: look.soft, "text-anchor": "middle" },
        "start",
      ),
    );
    return texts;
  }

  // The dots

  /** Put the dots where `position` is. */
  function put() {
    for (const [number, { dot, trail, down }] of dots.entries()) {
      const line = layout.lines[number];
      const x = dotX(line, Math.min(position, way.lines[number].merges));
      const y = curveY(line.points, x) + down * (isAtNode(number) ? 2.2 : 1);
      dot.setAttribute("cx", x.toFixed(1));
      dot.setAttribute("cy", y.toFixed(1));
      trail.setAttribute("width", x.toFixed(1));
    }
    for (const number of numbers) {
      number.classList.toggle("now", Number(/** @type {SVGElement} */ (number).dataset.merges) === step);
    }
    if (unfolded) unfold(unfolded);
  }

  /** Hide what comes after the dots, and the sentence that would tell the end. @param {Element} part */
  function unfold(part) {
    const x = Math.max(...layout.lines.map((line) => dotX(line, position)));
    part.setAttribute("width", (x + AHEAD).toFixed(1));
    for (const element of scroll.querySelectorAll("[data-merges]")) {
      const ahead = Number(/** @type {SVGElement} */ (element).dataset.merges) > position + 0.05;
      element.toggleAttribute("data-ahead", ahead);
    }
    const isWhole = position >= way.until;
    head.classList.toggle("ahead", !isWhole);
    table.hidden = !isWhole;
    scroll.setAttribute("aria-label", isWhole ? nameOfPicture() : NAME);
    root.dataset.unfolded = String(Math.floor(position + 0.05));
    scroll.scrollLeft = Math.max(0, x * scale - 0.75 * scroll.clientWidth);
  }

  /** @param {number} number  of a line */
  function isAtNode(number) {
    return layout.lines[number].knots.some(({ merges }) => Math.abs(merges - position) < 0.02);
  }

  /** @param {number} to */
  function travel(to) {
    cancelAnimationFrame(frame);
    step = to;
    const from = position;
    const far = Math.abs(to - from);
    const time = isOnStage() ? Math.min(MOST_UNFOLDING, UNFOLDING * far) : TRAVEL;
    if (still.matches || document.hidden || far === 0 || (far > 12 && !isOnStage())) {
      position = to;
      put();
      return keepInSight();
    }
    const began = performance.now();
    const move = (/** @type {number} */ now) => {
      const share = Math.min(1, Math.max(0, (now - began) / time));
      position = from + (to - from) * (share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) ** 2);
      put();
      if (share < 1) frame = requestAnimationFrame(move);
      else keepInSight();
    };
    frame = requestAnimationFrame(move);
  }

  /** Scroll the first dot into sight, within the picture, but not under a pointer unless `always`. */
  function keepInSight(always = false) {
    if (!dots.length || (scroll.matches(":hover") && !always && !isFilling())) return;
    const x = scale * dotX(layout.lines[0], position);
    const { scrollLeft, clientWidth } = scroll;
    if (x < scrollLeft + 60 || x > scrollLeft + clientWidth - 120) {
      scroll.scrollTo({ left: x - clientWidth / 3, behavior: still.matches ? "instant" : "smooth" });
    }
  }

  // Keys, and what a node tells

  /** @param {number} number  of a node */
  function jump(number) {
    if (!isOnStage()) say("jump", { group: way.group, step: way.nodes[number].merges });
  }

  /** Move the playhead to a node, and take the first line there. @param {number} number */
  function press(number) {
    jump(number);
    if (!way.takes || isOnFirstLine(number)) return;
    goingTo = { group: way.group, step: way.nodes[number].merges, name: way.name };
    latest.setTriggerValue("place", way.nodes[number].number);
  }

  /** @param {number} number  of a node */
  function isOnFirstLine(number) {
    return !number || way.lines[0].strands.some((strand) => way.strands[strand].target === number);
  }

  /** @param {KeyboardEvent} event @param {number} number */
  function walk(event, number) {
    if (hasModifier(event)) return;
    const next = nextNode(event.key, number);
    if (event.key === "Enter" || event.key === " ") press(number);
    else if (next === undefined) return;
    else {
      nodes[focused].setAttribute("tabindex", "-1");
      focused = next;
      nodes[next].setAttribute("tabindex", "0");
      nodes[next].focus();
      nodes[next].scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Return the node that a key leads to; undefined for another key, or where there is none.
   * @param {string} key
   * @param {number} number
   */
  function nextNode(key, number) {
    const here = layout.nodes[number];
    const near = (/** @type {number[]} */ some) =>
      some
        .filter((other) => !way.nodes[other].open)
        .toSorted(
          (one, other) => Math.abs(layout.nodes[one].y - here.y) - Math.abs(layout.nodes[other].y - here.y),
        )[0];
    if (key === "ArrowRight")
      return near(way.strands.filter(({ source }) => source === number).map(({ target }) => target));
    if (key === "ArrowLeft")
      return near(way.strands.filter(({ target }) => target === number).map(({ source }) => source));
    if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
    const side = key === "ArrowUp" ? -1 : 1;
    return near(
      layout.nodes.flatMap((node, other) =>
        node.column === here.column && (node.y - here.y) * side > 1 ? [other] : [],
      ),
    );
  }

  /** @param {number} number  of a node */
  function tell(number) {
    const { merges, words } = way.nodes[number];
    const passing = way.lines.filter(
      (line) => !number || line.strands.some((strand) => way.strands[strand].target === number),
    );
    const heading = make(
      "p",
      "when",
      {},
      merges ? `After ${formatCount(merges, "merge")}` : "Before the first merge",
    );
    if (passing.length && way.lines.length > 1)
      heading.append(` · ${passing.map(({ title }) => title).join(", ")}`);
    const rows = words.map((word) =>
      make(
        "p",
        "word",
        {},
        ...word.map((token) =>
          chipElement(way.tokens[token].name, coloursOfId(theme, way.tokens[token].shade)),
        ),
      ),
    );
    const offer =
      way.takes && !isOnFirstLine(number)
        ? [make("p", "when", {}, `Press to take “${way.takes}” here.`)]
        : [];
    tip.replaceChildren(heading, ...rows, ...offer);
    tip.hidden = false;
    const [outer, box] = [root.getBoundingClientRect(), nodes[number].getBoundingClientRect()];
    const left = box.left + box.width / 2 - outer.left - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(4, Math.min(left, outer.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${box.bottom - outer.top + 6}px`;
  }

  // The picture as a stage of its own

  function isFilling() {
    return root.classList.contains("presenting");
  }

  /** @param {boolean} on */
  function fillWindow(on) {
    if (on === isFilling()) return;
    setPresenting(root, on);
    present.setAttribute("aria-pressed", String(on));
    drawAll();
    keepInSight(true);
    (on ? close : present).focus({ preventScroll: true });
  }

  // Keys go to the grid, which is behind the picture, but for the one that closes it.
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !isFilling() || isOnStage()) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      fillWindow(false);
    },
    { capture: true, signal },
  );

  function savePicture() {
    const svg = /** @type {SVGElement} */ (scroll.firstElementChild).cloneNode(true);
    const { width, height } = layout;
    const { paper, ink } = LOOKS[theme];
    const picture = draw("svg", {
      xmlns: NAMESPACE,
      width,
      height: height + 40,
      viewBox: `0 -40 ${width} ${height + 40}`,
      "font-family": "sans-serif",
    });
    picture.append(draw("rect", { y: -40, width, height: height + 40, fill: paper }));
    picture.append(
      draw("text", { x: 26, y: -12, "font-size": 18, "font-weight": 700, fill: ink }, way.sentence),
      svg,
    );
    download(
      new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }),
      "every-way.svg",
    );
  }

  function writeTable() {
    const columns = new Map();
    for (const [number, { merges, open }] of way.nodes.entries()) {
      if (!open) columns.set(merges, [...(columns.get(merges) ?? []), number]);
    }
    const rows = [...columns].toSorted(([one], [other]) => one - other).slice(0, MOST_TABLE_ROWS);
    const body = rows.map(([merges, some]) => {
      const ways = some.map(
        (/** @type {number} */ number) => way.nodes[number].tokens.map(nameAt).join(" ") || "as before",
      );
      return make(
        "tr",
        "",
        {},
        make("th", "", { scope: "row" }, formatNumber(merges)),
        make("td", "", {}, ways.join("; or ")),
      );
    });
    const heads = ["Merges", "Tokens that are new since all ways last met"].map((text) =>
      make("th", "", { scope: "col" }, text),
    );
    const caption = make("caption", "", {}, NAME);
    table.replaceChildren(
      make(
        "table",
        "",
        {},
        caption,
        make("thead", "", {}, make("tr", "", {}, ...heads)),
        make("tbody", "", {}, ...body),
      ),
    );
  }

  function follow() {
    listening.abort();
    listening = new AbortController();
    lastGroup = way.group;
    if (isOnStage()) return followBeats();
    const { playhead } = groupNamed(way.group);
    if (playhead) step = position = playhead.step;
    hear("step", way.group, listening.signal, (detail) => {
      if (detail.step !== step) travel(detail.step);
    });
  }

  // On the stage of a lesson it waits for the answer, and stands in the presenter view of the group.
  function followBeats() {
    hear("asked", way.group, listening.signal, () => goal() !== step && travel(goal()));
    hear("present", way.group, listening.signal, ({ on }) => enter(on));
    if (groupNamed(way.group).presenting) enter(true);

    /** @param {boolean} on */
    function enter(on) {
      setPresenting(root, on);
      drawAll();
    }
  }

  /** @type {Controller<PictureData>["update"]} */
  function update(next) {
    const { data } = next;
    latest = next;
    theme = themeOf(root);
    root.dataset.theme = theme;
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    lastText = text;
    if (data.name !== way.name) opened.clear();
    if (goingTo?.group === data.group && goingTo.name !== data.name) {
      const { group, step: to } = goingTo;
      goingTo = null;
      // A new grid begins where its page says.
      setTimeout(() => say("jump", { group, step: to }), ARRIVAL);
    }
    way = data;
    focused = 0;
    tip.hidden = true;
    head.textContent = way.sentence;
    root.classList.toggle("empty", !way.until);
    root.classList.toggle("staged", isOnStage());
    scroll.setAttribute("aria-label", nameOfPicture());
    if (way.unfolds) [step, position] = [way.unfolds[0], way.unfolds[0]];
    if (way.group !== lastGroup) follow();
    drawAll();
    writeTable();
    if (isOnStage()) travel(goal());
    else keepInSight();
  }

  function remove() {
    ending.abort();
    listening.abort();
    resized.disconnect();
    if (isFilling()) setPresenting(root, false);
    cancelAnimationFrame(frame);
  }

  signal.addEventListener("abort", () => opened.clear());
  return { update, remove };
}
