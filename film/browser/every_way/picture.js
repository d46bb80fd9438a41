// The picture of every way: strands, nodes and lines as SVG, a dot on each line that goes with the group's playhead,
// what a node or strand tells when one points at it, and a table of the same.

/** @import {EveryWay} from "../shared/feed_types.js" */
/** @import {WaysStage} from "../shared/groups.js" */
/** @import {Component, Controller} from "../shared/mount.js" */
/** @import {Theme} from "../shared/colour.js" */
/** @import {LaidChip, Layout} from "./layout.js" */

import { RIGHT_TO_LEFT } from "../player/spelling.js";
import { tabShapes, wrapped } from "../picture/shapes.js";
import { CHIP_LOOK, chipElement, labelText, tabsOf } from "../shared/chip.js";
import { coloursOfId, contextOf, themeOf } from "../shared/colour.js";
import { download, hasModifier, icon, make, makeButton, makeSvg, setPresenting } from "../shared/dom.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/mount.js";
import { formatCount, formatNumber } from "../shared/numbers.js";
import { listenToPointer } from "../shared/pointed.js";
import { gifFile, pngFile, svgFile } from "./files.js";
import { CHIP, DOT, TAB, TYPE, arrangedWays, curve, curveY, dotX, layOutWays, strandName } from "./layout.js";

/**
 * What Python sends: the picture, and the group whose playhead it follows. On the stage of a lesson it does not follow it
 * but `unfolds`, from so many merges to so many: before an answer it waits at the first number.
 * `takes`: whether a pressed place takes a line there. `low`: whether a high picture begins small, so that what is below it
 * stays in sight.
 * @typedef {EveryWay & {group: string, name: string, unfolds?: [number, number], takes?: boolean, low?: boolean}} PictureData
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
const NAME = "Every way to break the ties";
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
const LEGIBLE = 0.8; // scale at which a picture can be read
const NARROWEST_WHOLE = 600; // px: in less room a picture is legible and scrolls
const SCROLLED_ROOM = 1000; // px: what such a picture may take
const HIGHEST = 560; // px
const LOWEST = 270; // px, of a picture that begins small
const NOTE_LETTERS = 10.5; // px, beside the chips
const ASIDE = 4.5; // from one line to the one beside it
const AT_NODE = 2.2; // times as far from each other are their dots where the lines meet a place
const RING = DOT + 3; // radius, around a dot
const LARGEST_SCALE = 3; // on the stage of a lesson
const LARGEST_LETTERS = 0.036; // of the height of the window that it fills: then strands get longer
const ZOOM = 1.4; // by one press
const CLOSEST = 8;
const WHEEL = 300; // px of a wheel for one press
const MOST_TABLE_ROWS = 200;
const LEAST_SAVED = 560; // px, width of a file
/** @type {readonly ("svg" | "png" | "gif")[]} */
const FILES = ["svg", "png", "gif"];

// As in base.css, written into the picture so that it can be saved. The lines have the colours of Compare's lanes, that of
// ties last.
export const LOOKS = {
  light: {
    paper: "#ffffff",
    ink: "#14161c",
    soft: "#5b6172",
    strand: "#dde2ee",
    rim: "#c6cddf",
    lens: "#f1f3fa",
    tie: "#b54708",
    fork: "#fbd3a4",
    lines: ["#3b5bdb", "#6a9b69", "#0d2769", "#b57596", "#511522", "#556655", "#665577", "#b54708"],
  },
  dark: {
    paper: "#191c24",
    ink: "#f5f6fb",
    soft: "#a5acbf",
    strand: "#323848",
    rim: "#48506a",
    lens: "#222734",
    tie: "#ffb566",
    fork: "#7d5220",
    lines: ["#8da2ff", "#77f8e1", "#956899", "#ff1166", "#228866", "#aa99aa", "#5b6c00", "#ffb566"],
  },
};

/**
 * @param {Component<PictureData>} component
 * @returns {Controller<PictureData>}
 */
export function createPicture(component) {
  const root = rootOf(component, ".every-way");
  const ending = new AbortController();
  const { signal } = ending;
  const head = make("h2", "sentence", { "data-testid": "every-way-sentence" });
  const legend = make("div", "lines");
  const scroll = make("div", "scroll", { role: "group", tabindex: -1 });
  const tip = make("div", "tip card", { hidden: true, "data-testid": "every-way-tip" });
  const table = make("div", "unseen");
  const progress = make("span", "progress", {
    "aria-live": "polite",
    "data-testid": "save-every-way-progress",
  });
  const stop = makeButton("Stop", "save-every-way-stop", () => saving?.abort());
  stop.hidden = true;
  const save = make(
    "div",
    "save",
    { role: "group", "aria-label": "Save the picture" },
    "Save as",
    ...FILES.map((kind) => {
      const button = makeButton(kind.toUpperCase(), `save-every-way-${kind}`, () => void savePicture(kind));
      button.className = "quiet";
      return button;
    }),
    progress,
    stop,
  );
  const present = make(
    "button",
    "quiet",
    {
      type: "button",
      title: "Key E",
      "aria-pressed": false,
      click: () => fillWindow(!isFilling()),
      "data-testid": "present-every-way",
    },
    icon("present"),
    " Fill the window",
  );
  const zooms = make(
    "div",
    "zooms",
    { role: "group", "aria-label": "Zoom", "data-testid": "zoom-every-way" },
    zoomButton("−", "Zoom out", -1),
    zoomButton("Whole", "Show the whole picture", 0),
    zoomButton("+", "Zoom in", 1),
  );
  const unfoldButton = makeButton("", "unfold-every-way", () => {
    isLow = !isLow;
    drawAll();
  });
  unfoldButton.className = "quiet";
  const close = make("button", "close", { type: "button", click: () => fillWindow(false) }, "Close");
  root.append(
    head,
    scroll,
    make("div", "below", {}, legend, zooms, unfoldButton, present, save, close),
    tip,
    table,
  );

  /** @type {PictureData} */
  let way = component.data;
  /** @type {EveryWay} */
  let visible = way; // with what is folded
  let zoom = 1; // 0 for the whole picture, if that is smaller than what can be read
  let isLow = true;
  let chosen = 0; // the line that a pressed place takes there
  /** @type {AbortController | null} */
  let saving = null;
  let latest = component;
  /** @type {Theme} */
  let theme = "light";
  let lastText = "";
  let lastGroup = "";
  let listening = new AbortController();
  let step = 0; // of the playhead
  let position = 0; // where the dots are, on their way to it
  /** @type {Set<string>} */
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
    return isFilling() ? (0.021 * window.innerHeight) / TYPE : LEGIBLE;
  }

  /**
   * @param {string} sign
   * @param {string} title
   * @param {number} by
   */
  function zoomButton(sign, title, by) {
    const attributes = { type: "button", title, "aria-label": title, click: () => zoomBy(by) };
    return make("button", "quiet", attributes, sign);
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
  const lettersAt = (/** @type {number} */ token) => tabsOf(labelAt(token));
  const nameAt = (/** @type {number} */ token) => labelText(labelAt(token));

  function drawAll() {
    const look = LOOKS[theme];
    filled = scroll.clientWidth;
    const context = contextOf(document.createElement("canvas"));
    const style = getComputedStyle(root);
    const code = style.getPropertyValue("--st-code-font").trim() || "monospace";
    context.font = `${CHIP_LOOK.weight} ${TYPE}px ${code}`;
    arrange((text) => context.measureText(text).width);
    const { width, height } = layout;
    const svg = makeSvg("svg", {
      width: width * scale,
      height: height * scale,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": style.fontFamily || "sans-serif",
      "font-size": isOnStage() ? TYPE : Math.max(13, NOTE_LETTERS / scale),
    });
    const strands = makeSvg("g", { fill: "none", "stroke-linecap": "round" });
    const bodies = makeSvg("g", {});
    const contents = makeSvg("g", { class: "contents" });
    visible.strands.forEach((strand, number) =>
      drawStrand(strand, number, { strands, bodies, contents }, code),
    );
    const lines = makeSvg("g", { fill: "none", "stroke-linejoin": "round" });
    const clips = makeSvg("defs", {});
    const marks = makeSvg("g", {});
    dots = visible.lines.map((_, number) => drawLine(number, lines, clips, marks));
    nodes = visible.nodes.map((_, number) => drawNode(number, code));
    numbers = drawNumbers(svg);
    const folds = makeSvg("g", {}, strands, bodies, lines, contents);
    unfolded = isOnStage() ? makeSvg("rect", { x: 0, y: 0, width: 0, height }) : null;
    if (unfolded) {
      const id = `unfolded-${way.group}`.replace(/[^\w-]/g, "_");
      clips.append(makeSvg("clipPath", { id }, unfolded));
      folds.setAttribute("clip-path", `url(#${id})`);
    }
    svg.append(clips, folds, ...nodes, marks);
    scroll.replaceChildren(svg);
    writeLegend(look);
    put();
  }

  /**
   * Lay out as much of the picture as can be read in its room.
   * @param {(text: string) => number} measure
   */
  function arrange(measure) {
    if (isOnStage()) {
      visible = way;
      const view = { room: (filled || 900) / STAGE_SCALE, opened, least: STAGE_STRAND };
      layout = layOutWays(way, lettersAt, measure, view);
      const fits = Math.min(filled / layout.width, (scroll.clientHeight - 8) / layout.height);
      scale = Math.min(LARGEST_SCALE, Math.max(leastOnStage(), fits));
      return;
    }
    const filling = isFilling();
    const legible = filling ? leastOnStage() : LEGIBLE;
    const closer = Math.max(1, zoom);
    // On a telephone it is not folded to nothing, but scrolls.
    const isNarrow = !filling && filled > 0 && filled < NARROWEST_WHOLE;
    const room = {
      width: (isNarrow ? SCROLLED_ROOM : filled || 900) * closer,
      height: (filling ? scroll.clientHeight - 8 : HIGHEST) * closer,
      legible,
      largest: (filling ? (LARGEST_LETTERS * window.innerHeight) / TYPE : 1) * closer,
    };
    const mayBeLow = Boolean(way.low) && !filling && !isNarrow && closer === 1;
    const arranged = arrangedWays(
      way,
      lettersAt,
      measure,
      mayBeLow && isLow ? { ...room, low: LOWEST } : room,
      opened,
    );
    ({ layout, scale } = arranged);
    visible = arranged.way;
    if (zoom && filling) scale = Math.max(scale, legible);
    if (isNarrow) scale = zoom ? Math.max(scale, legible) : Math.min(1, filled / layout.width);
    unfoldButton.hidden = !mayBeLow || layout.height * LEGIBLE <= LOWEST;
    unfoldButton.textContent = isLow ? "Larger" : "Smaller";
    const isWhole = layout.width * scale <= filled + 1;
    zooms.hidden = !filling && isWhole && zoom === 1 && !arranged.folds && !opened.size && scale >= LEGIBLE;
  }

  /** @param {typeof LOOKS["light"]} look */
  function writeLegend(look) {
    const chooses = way.takes && way.lines.length > 1 && !isFilling();
    legend.replaceChildren(
      ...(chooses ? [make("span", "asks", { id: "moves" }, "Press a split to move")] : []),
      ...way.lines.map(({ title }, number) => {
        const swatch = make("span", "swatch", { "aria-hidden": "true" });
        swatch.style.background = look.lines[number % look.lines.length];
        if (!chooses) return title ? make("span", "line", {}, swatch, title) : "";
        const choose = () => {
          chosen = number;
          writeLegend(LOOKS[theme]);
          /** @type {HTMLElement | undefined} */ (legend.querySelectorAll("button")[number])?.focus();
        };
        const pressed = number === chosen;
        return make(
          "button",
          "line",
          { type: "button", "aria-pressed": String(pressed), click: choose },
          swatch,
          title,
        );
      }),
    );
  }

  /**
   * Zoom in or out, or show the whole picture.
   * @param {number} by  1, -1, or 0 for the whole picture
   * @param {number} [clientX]  where the picture stays in place; by default where the first dot is
   */
  function zoomBy(by, clientX) {
    const before = zoom;
    const isWhole = () => layout.width * scale <= scroll.clientWidth + 1;
    const fits = isWhole();
    if (!by) {
      opened.clear();
      zoom = 1;
      drawAll();
      if (!isWhole()) zoom = 0;
    } else if (by > 0) zoom = zoom ? Math.min(CLOSEST, zoom * ZOOM ** by) : 1;
    else zoom = zoom > 1 ? Math.max(1, zoom * ZOOM ** by) : fits ? zoom : 0;
    if (zoom === before && by) return;
    const left = scroll.getBoundingClientRect().left;
    const at =
      clientX === undefined ? scale * dotX(layout.lines[0], position) - scroll.scrollLeft : clientX - left;
    const x = (scroll.scrollLeft + at) / scale;
    const near = layout.nodes.reduce(
      (best, node, number) => (Math.abs(node.x - x) < Math.abs(layout.nodes[best].x - x) ? number : best),
      0,
    );
    const { merges } = visible.nodes[near];
    const shift = (layout.nodes[near].x - x) * scale;
    const focusedNode = nodes.findIndex((one) => one.matches(":focus"));
    const former = focusedNode < 0 ? null : visible.nodes[focusedNode];
    drawAll();
    // What is drawn anew has lost the focus, and with it the keys that zoom.
    if (former) {
      const again = visible.nodes.findIndex(({ number }) => number === former.number);
      (nodes[again] ?? scroll).focus({ preventScroll: true });
    }
    const column = layout.columns.reduce((best, one) =>
      Math.abs(one.merges - merges) < Math.abs(best.merges - merges) ? one : best,
    );
    scroll.scrollLeft = column.x * scale - at - shift;
  }

  /** @type {WaysStage} */
  const stage = { turn: () => fillWindow(!isFilling()), isOn: isFilling, zoom: zoomBy };

  scroll.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey || isOnStage()) return;
      event.preventDefault();
      if (event.deltaY) zoomBy(Math.max(-1, Math.min(1, -event.deltaY / WHEEL)), event.clientX);
    },
    { passive: false, signal },
  );

  // A finger scrolls by itself.
  scroll.addEventListener(
    "pointerdown",
    (event) => {
      const target = /** @type {Element} */ (event.target);
      if (event.pointerType !== "mouse" || event.button !== 0 || target.closest(".node, .body")) return;
      const from = { x: event.clientX + scroll.scrollLeft, y: event.clientY + scroll.scrollTop };
      const drag = new AbortController();
      scroll.setPointerCapture(event.pointerId);
      scroll.classList.add("dragged");
      const move = (/** @type {PointerEvent} */ { clientX, clientY }) =>
        scroll.scrollTo(from.x - clientX, from.y - clientY);
      const end = () => {
        drag.abort();
        scroll.classList.remove("dragged");
      };
      scroll.addEventListener("pointermove", move, { signal: drag.signal });
      for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
        scroll.addEventListener(kind, end, { signal: drag.signal });
    },
    { signal },
  );

  /**
   * @param {EveryWay["strands"][number]} strand
   * @param {number} number
   * @param {{strands: Element, bodies: Element, contents: Element}} parts  what is below the lines, and what is above them
   * @param {string} code
   */
  function drawStrand(strand, number, { strands, bodies, contents }, code) {
    const look = LOOKS[theme];
    const { points, body, label } = layout.strands[number];
    const colour = strand.tie === "fork" ? look.fork : look.strand;
    const name = strandName(visible, strand);
    if (strand.kind === "fray") return drawFray(number, strands);
    if (strand.kind === "knot")
      return drawKnot(number, strands, contents, strand.splits ? null : () => turnStrand(name, number));
    strands.append(makeSvg("path", { d: curve(points), stroke: colour, "stroke-width": 9 }));
    if (!body) return;
    const { x, y, width, height, chips } = body;
    const left = x - width / 2;
    const group = makeSvg("g", { class: "body", role: "button", tabindex: -1, "data-strand": number });
    group.setAttribute("aria-expanded", String(opened.has(name)));
    group.setAttribute("aria-label", `${label}: ${strand.tokens.map(nameAt).join(", ")}`);
    if (strand.kind === "lens") {
      const bow = height / 2 + 5;
      const lens = `M${left - 8} ${y} C${left + 14} ${y - bow} ${left + 18} ${y - bow} ${left + 30} ${y - bow} L${left + width - 30} ${y - bow} C${left + width - 18} ${y - bow} ${left + width - 14} ${y - bow} ${left + width + 8} ${y} C${left + width - 14} ${y + bow} ${left + width - 18} ${y + bow} ${left + width - 30} ${y + bow} L${left + 30} ${y + bow} C${left + 18} ${y + bow} ${left + 14} ${y + bow} ${left - 8} ${y} Z`;
      group.append(makeSvg("path", { d: lens, fill: look.lens, stroke: look.strand, "stroke-width": 3 }));
    } else {
      const box = { x: left, y: y - height / 2, width, height, rx: height / 2 };
      group.append(makeSvg("rect", { ...box, fill: look.lens, stroke: look.strand, "stroke-width": 3 }));
    }
    contents.append(...chips.map((chip) => drawChip(chip, y, code, look.lens)));
    group.append(makeSvg("title", {}, label));
    if (body.named) group.append(note(x, y - height / 2 - (strand.kind === "lens" ? 11 : 8), label));
    onPress(group, () => turnStrand(name, number));
    bodies.append(group);
  }

  /**
   * Let a press or a key act on an element.
   * @param {SVGElement} element
   * @param {() => void} act
   */
  function onPress(element, act) {
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      if (key !== "Enter" && key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
    element.setAttribute("tabindex", "0");
  }

  /**
   * Open a strand, or close it.
   * @param {string} name
   * @param {number} number
   */
  function turnStrand(name, number) {
    const { source } = visible.strands[number];
    const from = visible.nodes[source].number;
    if (opened.has(name)) opened.delete(name);
    else opened.add(name);
    drawAll();
    const same = visible.strands.findIndex((strand) => strandName(visible, strand) === name);
    const there = visible.nodes.findIndex((node) => node.number === from);
    const body = /** @type {SVGElement | null} */ (scroll.querySelector(`[data-strand="${same}"]`));
    (body ?? nodes[there])?.focus();
  }

  /**
   * Draw that the ways go on.
   * @param {number} number
   * @param {Element} strands
   */
  function drawFray(number, strands) {
    const look = LOOKS[theme];
    const { points } = layout.strands[number];
    const [start, end] = [points[0], points[points.length - 1]];
    const reach = Math.min(end.x - start.x, 120);
    for (let at = -2; at <= 2; at += 1) {
      const far = { x: start.x + reach - 9 * Math.abs(at), y: start.y + at * 9 };
      const path = { d: curve([start, far]), stroke: `url(#fade-${number})`, "stroke-width": 3 };
      strands.append(makeSvg("path", path));
    }
    const fade = makeSvg("linearGradient", {
      id: `fade-${number}`,
      gradientUnits: "userSpaceOnUse",
      x1: start.x,
      x2: start.x + reach,
    });
    fade.append(
      makeSvg("stop", { offset: 0, "stop-color": look.rim }),
      makeSvg("stop", { offset: 1, "stop-color": look.rim, "stop-opacity": 0 }),
    );
    strands.append(fade);
  }

  /**
   * Draw more splits than can be told apart: strands that weave. A press opens those that the picture has folded.
   * @param {number} number
   * @param {Element} strands
   * @param {Element} contents
   * @param {(() => void) | null} opens
   */
  function drawKnot(number, strands, contents, opens) {
    const look = LOOKS[theme];
    const { points, label } = layout.strands[number];
    const [start, end] = [points[0], points[points.length - 1]];
    const thin = { stroke: look.rim, "stroke-width": 2 };
    const middle = (start.x + end.x) / 2;
    const quarter = (end.x - start.x) / 4;
    for (const [one, other] of /** @type {[number, number][]} */ ([
      [-13, 11],
      [11, -13],
      [-6, 4],
      [4, -8],
      [0, 0],
      [13, 13],
      [-13, -13],
    ])) {
      const mean = (start.y + end.y) / 2;
      const through = [
        start,
        { x: middle - quarter, y: mean + one },
        { x: middle + quarter, y: mean + other },
        end,
      ];
      strands.append(makeSvg("path", { d: curve(through), ...thin }));
    }
    const y = (start.y + end.y) / 2;
    const text = note(middle, y - 19, label);
    if (!opens) return contents.append(text);
    const box = { x: start.x + 2, y: y - 16, width: end.x - start.x - 4, height: 32, rx: 12, fill: "none" };
    const group = makeSvg("g", {
      class: "body knot",
      role: "button",
      "data-strand": number,
      "pointer-events": "all",
    });
    group.setAttribute("aria-expanded", "false");
    group.setAttribute("aria-label", `${label}: the paths part and meet again`);
    group.append(makeSvg("rect", box), text);
    onPress(group, opens);
    contents.append(group);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {string} [behind]  the colour behind it
   */
  function note(x, y, text, behind = LOOKS[theme].paper) {
    const { soft } = LOOKS[theme];
    const attributes = {
      x,
      y,
      fill: soft,
      "text-anchor": "middle",
      stroke: behind,
      "stroke-width": 4,
      "paint-order": "stroke",
    };
    return makeSvg("text", attributes, text);
  }

  /**
   * @param {LaidChip} chip
   * @param {number} y  of its middle
   * @param {string} code  the font
   * @param {string} [behind]  the colour behind it
   */
  function drawChip(
    { token, letters: text, before, after, inset, x, width },
    y,
    code,
    behind = LOOKS[theme].paper,
  ) {
    const look = LOOKS[theme];
    if (token < 0) {
      const ground = { x, y: y - 9, width, height: 18, rx: 6, fill: behind };
      return makeSvg("g", {}, makeSvg("rect", ground), note(x + width / 2, y + 4.5, text, behind));
    }
    const colours = coloursOfId(theme, way.tokens[token].shade);
    const { fill, edge, ink } = colours;
    const rounded = CHIP_LOOK.curve * TYPE;
    const box = { x, y: y - CHIP / 2, width, height: CHIP, rx: rounded };
    const group = makeSvg("g", {});
    group.append(makeSvg("rect", { ...box, fill: look.paper, stroke: look.paper, "stroke-width": 6 }));
    group.append(makeSvg("rect", { ...box, fill, stroke: edge, "stroke-width": 1.5 }));
    const rightToLeft = RIGHT_TO_LEFT.test(text);
    const tab = (/** @type {boolean} */ atLeft) =>
      tabShapes(
        { x: !text || atLeft ? x : x + width - TAB, y: y - CHIP / 2, w: text ? TAB : width, h: CHIP },
        text ? [atLeft, !atLeft] : [true, true],
        { edge: 0.75, curve: rounded },
        colours,
        look.paper,
      );
    // A token without letters is a marker alone.
    const tabs = [...(before || !text ? tab(!rightToLeft) : []), ...(after && text ? tab(rightToLeft) : [])];
    for (const { points, fill: pale } of tabs)
      group.append(
        makeSvg("path", {
          d: `M${points.map((point) => point.map((at) => at.toFixed(1)).join(" ")).join("L")}Z`,
          fill: pale,
        }),
      );
    const end = text && after ? width - TAB : width;
    const [from, to] = rightToLeft && after ? [width - end, width] : [before ? inset : 0, end];
    const letters = {
      x: x + (from + to) / 2,
      y: y + 5,
      fill: ink,
      "text-anchor": "middle",
      "font-family": code,
      "font-size": TYPE,
      "font-weight": CHIP_LOOK.weight,
    };
    group.append(makeSvg("text", letters, text));
    return group;
  }

  /** Return how far a line is above the middle of its strands. @param {number} number */
  function asideOf(number) {
    const beside = Math.min(ASIDE, 20 / Math.max(1, way.lines.length - 1));
    return ((way.lines.length - 1) / 2 - number) * beside;
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
    const down = -asideOf(number);
    const d = curve(points, down);
    const id = `done-${way.group}-${number}`.replace(/[^\w-]/g, "_");
    const trail = makeSvg("rect", { x: 0, y: 0, width: 0, height: layout.height });
    clips.append(makeSvg("clipPath", { id }, trail));
    lines.append(makeSvg("path", { d, stroke: colour, "stroke-width": LINE, "stroke-opacity": 0.7 }));
    lines.append(
      makeSvg("path", { d, stroke: colour, "stroke-width": LINE + 1.5, "clip-path": `url(#${id})` }),
    );
    const dot = makeSvg("circle", {
      r: DOT,
      fill: colour,
      stroke: look.paper,
      "stroke-width": 2.5,
      "data-testid": "way-dot",
    });
    marks.append(dot);
    return { dot, trail, down };
  }

  /**
   * @param {number} number
   * @param {string} code
   */
  function drawNode(number, code) {
    const look = LOOKS[theme];
    const { x, y, width, chips } = layout.nodes[number];
    const node = visible.nodes[number];
    if (node.open) return makeSvg("g", { "aria-hidden": "true" });
    const group = makeSvg("g", {
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
    group.append(makeSvg("rect", { class: "ring", ...around, fill: "none" }));
    if (!chips.length)
      group.append(
        makeSvg("circle", { cx: x, cy: y, r: RING, fill: look.paper, stroke: look.soft, "stroke-width": 2 }),
      );
    for (const chip of chips) group.append(drawChip(chip, y, code));
    group.addEventListener("click", () => press(number));
    const show = () => tell(number);
    listenToPointer(group, show, hideTip);
    group.addEventListener("focus", show);
    group.addEventListener("blur", hideTip);
    group.addEventListener("keydown", (event) => walk(/** @type {KeyboardEvent} */ (event), number));
    return group;
  }

  function hideTip() {
    tip.hidden = true;
  }

  /** @param {number} number  of a node */
  function nameOf(number) {
    const { merges, tokens, more } = visible.nodes[number];
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
      const number = makeSvg(
        "text",
        { x, y: base, fill: look.soft, "text-anchor": "middle", class: "number", "data-merges": merges },
        formatNumber(merges),
      );
      svg.append(number);
      texts.push(number);
      lastX = x;
      const many = splits.get(merges);
      // Of pairs in any order one order is visible. Then there are more splits than nodes.
      if (
        many === visible.nodes.filter((node) => node.merges === merges && !node.open).length &&
        x - lastNote > 62
      ) {
        const text = formatCount(many, "split");
        svg.append(
          makeSvg(
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
    // The last number says what is counted.
    const end = Math.max(...way.lines.map(({ merges }) => merges));
    const openColumn = layout.columns.find(({ merges }) => merges > way.until);
    if (openColumn && end > way.until) {
      const x = layout.width - 4;
      const text = `… ${formatCount(end, "merge")}`;
      svg.append(makeSvg("text", { x, y: base, fill: look.soft, "text-anchor": "end" }, text));
    } else texts.at(-1)?.append(texts.at(-1)?.textContent === "1" ? " merge" : " merges");
    const first = layout.nodes[0];
    const above = Math.max(CHIP / 2, DOT + AT_NODE * asideOf(0)) + 7;
    const start = { x: first.x + RING, y: first.y - above, fill: look.soft, "text-anchor": "end" };
    svg.append(makeSvg("text", start, "start"));
    return texts;
  }

  // The dots

  /**
   * Put dots, and what they leave behind, where they are after so many merges.
   * @param {typeof dots} some
   * @param {number} merges
   */
  function putDots(some, merges) {
    for (const [number, { dot, trail, down }] of some.entries()) {
      const line = layout.lines[number];
      const x = dotX(line, Math.min(merges, way.lines[number].merges));
      const isAtNode = line.knots.some((knot) => Math.abs(knot.merges - merges) < 0.02);
      const y = curveY(line.points, x) + down * (isAtNode ? AT_NODE : 1);
      dot.setAttribute("cx", x.toFixed(1));
      dot.setAttribute("cy", y.toFixed(1));
      trail.setAttribute("width", x.toFixed(1));
    }
  }

  /** Put the dots where `position` is. */
  function put() {
    putDots(dots, position);
    for (const number of numbers) {
      number.classList.toggle("now", Number(/** @type {SVGElement} */ (number).dataset.merges) === step);
    }
    if (unfolded) unfold(unfolded);
  }

  /**
   * Hide what comes after the dots, and the sentence that would tell the end.
   * @param {Element} part
   */
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
    if (!isOnStage()) say("jump", { group: way.group, step: visible.nodes[number].merges });
  }

  /** Move the playhead to a node, and take the chosen line there. @param {number} number */
  function press(number) {
    jump(number);
    if (!isOffered(number)) return;
    const { merges, number: node } = visible.nodes[number];
    goingTo = { group: way.group, step: merges, name: way.name };
    latest.setTriggerValue("place", { node, line: chosen });
  }

  /** Whether a press on a node takes the chosen line there. @param {number} number */
  function isOffered(number) {
    return way.takes && !isFilling() && !isOnLine(visible.lines[chosen], number);
  }

  /**
   * @param {EveryWay["lines"][number]} line
   * @param {number} number  of a node
   */
  function isOnLine({ strands }, number) {
    return !number || strands.some((strand) => visible.strands[strand].target === number);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} number
   */
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
        .filter((other) => !visible.nodes[other].open)
        .toSorted(
          (one, other) => Math.abs(layout.nodes[one].y - here.y) - Math.abs(layout.nodes[other].y - here.y),
        )[0];
    if (key === "ArrowRight")
      return near(visible.strands.filter(({ source }) => source === number).map(({ target }) => target));
    if (key === "ArrowLeft")
      return near(visible.strands.filter(({ target }) => target === number).map(({ source }) => source));
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
    const { merges, words } = visible.nodes[number];
    const passing = visible.lines.filter((line) => isOnLine(line, number));
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
        ...word.map((token) => chipElement(labelAt(token), coloursOfId(theme, way.tokens[token].shade))),
      ),
    );
    const offer = isOffered(number)
      ? [make("p", "when", {}, `Press to bring “${way.lines[chosen].title}” here.`)]
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
    zoom = 1;
    tip.hidden = true;
    setPresenting(root, on);
    present.setAttribute("aria-pressed", String(on));
    drawAll();
    keepInSight(true);
    // A button would take the key that plays.
    if (on) scroll.focus({ preventScroll: true });
    else if (!groupNamed(way.group).presenting) present.focus({ preventScroll: true });
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

  /**
   * Save the picture as it is visible, in a file.
   * @param {typeof FILES[number]} kind
   */
  async function savePicture(kind) {
    if (saving) return;
    const name = `every-way.${kind}`;
    if (kind === "svg") return download(svgFile(wholePicture("sans-serif", "monospace")), name);
    const { fontFamily } = getComputedStyle(root);
    const svg = wholePicture(fontFamily, null);
    if (kind === "png") {
      const blob = await pngFile(svg);
      if (blob) download(blob, name);
      else progress.textContent = "The browser could not make this picture.";
      return;
    }
    const marks = [...svg.querySelectorAll("[data-testid=way-dot]")];
    const copies = dots.map(({ trail, down }, number) => {
      const id = trail.parentElement?.id ?? "";
      const copy = /** @type {Element} */ (svg.querySelector(`[id="${id}"]`)?.firstElementChild);
      return { dot: marks[number], trail: copy, down };
    });
    saving = new AbortController();
    stop.hidden = false;
    const until = Math.min(way.until, Math.max(...way.lines.map(({ merges }) => merges)));
    try {
      const move = (/** @type {number} */ merges) => putDots(copies, merges);
      const blob = await gifFile(svg, until, move, saving.signal, (frames, of) => {
        progress.textContent = `Frame ${formatNumber(frames)} of ${formatNumber(of)}`;
      });
      if (blob) download(blob, name);
      progress.textContent = blob ? "" : "Stopped: nothing was saved.";
    } finally {
      saving = null;
      stop.hidden = true;
    }
  }

  /**
   * Return the picture with its sentence and, of several lines, their names.
   * @param {string} family  of all letters but those of tokens
   * @param {string | null} code  of those; null for that on the page
   */
  function wholePicture(family, code) {
    const inner = /** @type {SVGElement} */ (
      /** @type {Element} */ (scroll.firstElementChild).cloneNode(true)
    );
    const { paper, ink, lines } = LOOKS[theme];
    const context = contextOf(document.createElement("canvas"));
    const widthOf = (/** @type {string} */ text, /** @type {string} */ font) => {
      context.font = `${font} ${family}`;
      return context.measureText(text).width;
    };
    const width = Math.ceil(Math.max(layout.width, LEAST_SAVED));
    const sentences = wrapped(way.sentence, (text) => widthOf(text, "700 18px") <= width - 52);
    const above = 16 + 24 * sentences.length;
    const several = way.lines.length > 1;
    const height = Math.ceil(above + layout.height + (several ? 30 : 0));
    for (const [name, value] of Object.entries({
      x: (width - layout.width) / 2,
      y: above,
      width: layout.width,
      height: layout.height,
    }))
      inner.setAttribute(name, String(value));
    inner.setAttribute("font-family", family);
    if (code)
      for (const text of inner.querySelectorAll("text[font-family]")) text.setAttribute("font-family", code);
    const legendOf = [];
    let x = 26;
    for (const [number, { title }] of several ? way.lines.entries() : []) {
      const y = height - 18;
      legendOf.push(
        makeSvg("rect", { x, y: y - 6, width: 22, height: 4, rx: 2, fill: lines[number % lines.length] }),
        makeSvg("text", { x: x + 30, y, "font-size": 14, fill: ink }, title),
      );
      x += 54 + widthOf(title, "14px");
    }
    return makeSvg(
      "svg",
      { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": family },
      makeSvg("rect", { x: 0, y: 0, width, height, fill: paper }),
      ...sentences.map((text, line) =>
        makeSvg("text", { x: 26, y: 28 + 24 * line, "font-size": 18, "font-weight": 700, fill: ink }, text),
      ),
      inner,
      ...legendOf,
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
    const heads = ["Merges", "Tokens that are new since all paths last met"].map((text) =>
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
    const group = groupNamed(way.group);
    group.ways = stage;
    listening.signal.addEventListener("abort", () => {
      if (group.ways === stage) group.ways = null;
    });
    hear("present", way.group, listening.signal, ({ on }) => on || fillWindow(false));
    const { playhead } = group;
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
    if (data.name !== way.name) {
      opened.clear();
      zoom = 1;
    }
    if (goingTo?.group === data.group && goingTo.name !== data.name) {
      const { group, step: to } = goingTo;
      goingTo = null;
      // A new grid begins where its page says.
      setTimeout(() => say("jump", { group, step: to }), ARRIVAL);
    }
    way = data;
    focused = 0;
    if (chosen >= way.lines.length) chosen = 0;
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
    saving?.abort();
    cancelAnimationFrame(frame);
  }

  return { update, remove };
}
