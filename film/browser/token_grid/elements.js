// The grid's elements, built once.

/** @import {Grid} from "./types.js" */

import { icon, make, setHidden } from "../shared/dom.js";
import { contextOf } from "../shared/colour.js";
import { litRanges } from "./marking.js";
import { tokensMade } from "../player/segmentation.js";
import { createHeadline, createLiveNumbers } from "./headline.js";
import { createHelp, createMarkerLegend, createOptions, createRail, createWindowControls } from "./panels.js";
import { createPointing } from "./pointing.js";
import { createPredictionPanel } from "./prediction.js";
import { createPresenter } from "./presenter.js";
import { createSpoken } from "./wording.js";
import { createTransport } from "./transport.js";

// The dock of a group: the transport with the button "View", and what the button opens.

/**
 * Make the dock.
 * @param {HTMLElement} transport  gets the button at its right end
 * @param {HTMLElement} options  legend, keys and drawing options; closed until the button is pressed
 * @param {AbortSignal} signal
 */
function createDock(transport, options, signal) {
  const view = make(
    "button",
    "view",
    {
      type: "button",
      title: "Legend, keys, drawing options and presenter view",
      "aria-label": "View: legend, keys, drawing options and presenter view",
      "aria-expanded": "false",
      "data-testid": "view",
      click: () => open(Boolean(options.hidden)),
    },
    icon("view"),
    "View",
  );
  const element = make("div", "dock", {}, make("div", "row bar", {}, transport), options);
  transport.append(view);
  open(false);

  /** @param {boolean} wanted */
  function open(wanted) {
    options.hidden = !wanted;
    view.setAttribute("aria-expanded", String(wanted));
  }

  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || options.hidden) return;
    event.stopPropagation();
    open(false);
    view.focus();
  });
  // What a button of the options opens is in sight without them. It gives the focus back to a button that is there.
  options.querySelector(".doors")?.addEventListener(
    "click",
    () => {
      open(false);
      view.focus({ preventScroll: true });
    },
    { capture: true },
  );
  // A press anywhere else closes the options. It is caught on its way down: the grid stops some on their way up.
  window.addEventListener(
    "pointerdown",
    (event) => {
      const path = event.composedPath();
      if (!path.includes(options) && !path.includes(view)) open(false);
    },
    { capture: true, signal },
  );
  return element;
}

// A ruler beside a text that is too long for its viewport. It shows where the next merge applies or where the
// highlighted tokens are in the whole text.

const WIDTH = 9; // px, of which 7 are marked

/** Make the ruler of a grid. @param {Grid} grid */
function createRuler(grid) {
  const title = "Where it occurs in the text";
  const canvas = make("canvas", "ruler", { "aria-hidden": "true", title, "data-testid": "ruler" });
  const context = contextOf(canvas);
  let fitted = ""; // the sizes that the canvas was fitted to

  canvas.addEventListener("click", ({ offsetY }) => {
    const { viewport } = grid.elements;
    viewport.scrollTop = (offsetY / canvas.clientHeight) * grid.height - viewport.clientHeight / 2;
  });

  // Reading an element's position makes the browser lay out the page, so do it only after a new drawing.
  function fit() {
    const height = grid.visibleArea.height();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const sizes = `${grid.width} ${height} ${grid.height} ${ratio}`;
    if (sizes !== fitted) {
      fitted = sizes;
      canvas.style.top = `${grid.elements.viewport.offsetTop}px`;
      canvas.style.height = `${height}px`;
      canvas.width = WIDTH * ratio;
      canvas.height = height * ratio;
      context.scale(ratio, (height * ratio) / grid.height);
    }
    context.clearRect(0, 0, WIDTH, grid.height);
    return height;
  }

  function draw() {
    const { lit, layouts, visibleMarks, step } = grid;
    const scrolls = grid.elements.viewport.classList.contains("scrolls");
    setHidden(canvas, !scrolls || grid.playhead.beat === "fast");
    if (canvas.hidden) return;
    const height = fit();
    context.fillStyle = grid.colours[lit ? "ink" : "accent"];
    const high = Math.max(layouts[0].metrics.pitch * 0.5, (3 * grid.height) / height);
    for (const layout of layouts) {
      const winners = visibleMarks.winner ? tokensMade(layout.cells, step) : [];
      for (const [start] of lit ? litRanges(grid, layout, 0, layout.cells.size) : winners) {
        context.fillRect(1, layout.top + layout.line[start] * layout.metrics.pitch, WIDTH - 2, high);
      }
    }
  }

  return { element: canvas, draw };
}

/**
 * The elements that tokens are drawn on, and those that move into the presenter view.
 * @typedef {object} Elements
 * @property {HTMLElement} card  holds the viewport
 * @property {HTMLElement} lane  holds the title and the subtitle
 * @property {HTMLElement} viewport  scrolls over the stage
 * @property {HTMLElement} stage  as high as all layouts
 * @property {HTMLElement} title
 * @property {HTMLElement} subtitle
 * @property {HTMLElement[]} controls  the dock with transport and options, in the lane that has it
 * @property {HTMLElement[]} above  elements above all others
 */

/**
 * The parts of the grid that draw themselves.
 * @typedef {object} Panels
 * @property {ReturnType<typeof createHeadline>} headline
 * @property {ReturnType<typeof createLiveNumbers>} numbers
 * @property {ReturnType<typeof createSpoken>} spoken
 * @property {ReturnType<typeof createHelp>} help
 * @property {ReturnType<typeof createPredictionPanel>} prediction
 * @property {ReturnType<typeof createPresenter>} presenter
 * @property {ReturnType<typeof createPointing>} pointing
 * @property {ReturnType<typeof createOptions>} options
 * @property {ReturnType<typeof createRuler>} ruler
 * @property {ReturnType<typeof createMarkerLegend>} markerLegend
 * @property {ReturnType<typeof createRail>} rail
 * @property {ReturnType<typeof createWindowControls>} windowControls
 * @property {ReturnType<typeof createTransport> | null} transport  in the lane that has it
 */

/** Make the elements that all other parts need. @returns {Elements} */
export function createElements() {
  const stage = make("div", "stage");
  const viewport = make(
    "div",
    "viewport",
    {
      tabindex: 0,
      role: "group",
      "aria-label": "Token grid",
      "aria-describedby": "frame-text",
      "data-testid": "viewport",
    },
    stage,
  );
  const [title, subtitle] = [make("h3", "", { role: "heading", "aria-level": 2 }), make("p")];
  const lane = make("div", "lane", {}, title, subtitle);
  const card = make("div", "card", {}, viewport);
  return { stage, viewport, card, lane, title, subtitle, controls: [], above: [] };
}

/**
 * Make the panels and put everything into the grid's root.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 * @returns {Panels}
 */
export function createPanels(grid, signal) {
  const { root, elements } = grid;
  const panels = {
    headline: createHeadline(grid, signal),
    numbers: createLiveNumbers(grid, signal),
    spoken: createSpoken(grid),
    help: createHelp(grid),
    prediction: createPredictionPanel(grid, signal),
    presenter: createPresenter(grid, signal),
    pointing: createPointing(grid, signal),
    options: createOptions(grid),
    ruler: createRuler(grid),
    markerLegend: createMarkerLegend(grid),
    rail: createRail(grid),
    windowControls: createWindowControls((start) => grid.moveWindow(start)),
    transport: grid.data.transport ? createTransport(grid) : null,
  };
  elements.card.append(panels.ruler.element, panels.windowControls.element, panels.pointing.element);
  root.append(
    elements.lane,
    panels.headline.element,
    panels.prediction.element,
    elements.card,
    panels.markerLegend.element,
    panels.rail.element,
    panels.numbers.element,
  );
  if (panels.transport) {
    elements.controls.push(createDock(panels.transport.element, panels.options.element, signal));
  }
  elements.above.push(...panels.spoken.elements, panels.help.element, ...panels.presenter.elements);
  root.append(...elements.controls, ...elements.above);
  return panels;
}

/** Write the lane's title. Title and number of lanes may change during the life of a grid. @param {Grid} grid */
export function drawLaneTitle({ elements, lane }) {
  const { title, subtitle } = elements;
  elements.lane.hidden = !lane?.title;
  title.textContent = lane?.title ?? "";
  subtitle.textContent = subtitle.title = lane?.subtitle ?? "";
  const names = ["Token grid", lane?.title, lane?.subtitle];
  elements.viewport.setAttribute("aria-label", names.filter(Boolean).join(", "));
}
