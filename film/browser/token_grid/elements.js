// The grid's elements, built once.

/** @import {Grid} from "./types.js" */

import { make } from "../shared/dom.js";
import { hear } from "../shared/groups.js";
import { createDock } from "./dock.js";
import { createHeadline, createLiveNumbers } from "./headline.js";
import { createHelp, keyLegend, createOptions, createRail, createWindowControls } from "./panels.js";
import { createPointing } from "./pointing.js";
import { createPredictionPanel, createVote } from "./prediction.js";
import { createPresenter } from "./presenter.js";
import { createRuler } from "./ruler.js";
import { createSpoken, unitOf } from "./wording.js";
import { createTransport } from "./transport.js";

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
 * @property {ReturnType<typeof createVote>} vote
 * @property {ReturnType<typeof createPresenter>} presenter
 * @property {ReturnType<typeof createPointing>} pointing
 * @property {ReturnType<typeof createOptions>} options
 * @property {ReturnType<typeof createRuler>} ruler
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
    vote: createVote(grid, signal),
    presenter: createPresenter(grid, signal),
    pointing: createPointing(grid, signal),
    options: createOptions(grid),
    ruler: createRuler(grid),
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
    panels.rail.element,
    panels.numbers.element,
  );
  if (panels.transport) {
    const legend = keyLegend(
      grid.data.beatwise,
      unitOf(grid.model),
      panels.help.toggle,
      panels.presenter.toggle,
    );
    const tellGuesses = () => legend.classList.toggle("guesses", panels.prediction.invites());
    hear("step", grid.group.name, signal, tellGuesses);
    elements.controls.push(createDock(panels.transport.element, panels.options.element, legend, signal));
  }
  elements.above.push(
    ...panels.spoken.elements,
    panels.help.element,
    panels.vote.element,
    ...panels.presenter.elements,
  );
  root.append(...elements.controls, ...elements.above);
  return panels;
}

/** Write the lane's title. Title and number of lanes may change during the life of a grid. @param {Grid} grid */
export function drawLaneTitle({ elements, lane }) {
  const { title, subtitle } = elements;
  elements.lane.hidden = !lane?.title;
  title.textContent = lane?.title ?? "";
  subtitle.textContent = subtitle.title = lane?.subtitle ?? "";
}
