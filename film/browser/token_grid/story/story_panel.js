// "Your text in 30 seconds" on the page: the line that tells the story, and the card with five numbers at its end.

/** @import {Grid, Scene} from "../types.js" */

import { make, makeButton } from "../../shared/page/dom.js";
import { hear, say } from "../../shared/groups.js";
import { download } from "../../shared/page/download.js";
import { leadsGroup } from "../data/lanes.js";
import { pairNamed } from "../data/pair_counts.js";
import { tellPairs } from "../playing/reports.js";
import { pairsOfScene, showScene } from "./scene_view.js";
import { sceneAt, scenesOf, storyNumbers, tempoOf } from "./story.js";
import { paintCard } from "./story_card.js";

const TITLE = "Your text in five numbers";
const STORY_LINE = "Your text in 30 seconds";
let playedTales = 0; // requests for a tale that were followed; a page that is drawn again does not play it again

/**
 * Make the story of a grid.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createStory(grid, signal) {
  const line = make("p", "story", { role: "status", hidden: true, "data-testid": "story" });
  const numbers = make("dl");
  const save = makeButton("Save as picture", "story-save", saveCard);
  const again = makeButton("Play again", "story-again", begin);
  const close = makeButton("Close", "story-close", end);
  const card = make(
    "div",
    "ending",
    { role: "dialog", "aria-label": TITLE, hidden: true, "data-testid": "story-card" },
    make("h2", "", {}, TITLE),
    numbers,
    make("div", "row", {}, save, again, close),
  );
  /** @type {Scene[]} */
  let scenes = [];
  let telling = false;

  hear("step", grid.group.name, signal, follow);

  /** Return whether the grid has a story: one training with merges, and not in a lesson, which tells its own. */
  function isOffered() {
    const { model, lane, data, group } = grid;
    return (
      model.training && model.last > 0 && data.transport && !lane?.title && !data.beatwise && !group.next
    );
  }

  function begin() {
    if (!isOffered()) return;
    const { model, playhead } = grid;
    end();
    scenes = grid.data.tale?.scenes ?? scenesOf(model);
    playhead.seek(0);
    grid.elements.viewport.scrollTop = 0;
    line.textContent = "";
    telling = true;
    playhead.tempo = tempoOf(model.last, scenes);
    playhead.play();
    grid.elements.viewport.focus({ preventScroll: true });
  }

  function end() {
    telling = false;
    grid.playhead.tempo = null;
    card.hidden = true;
    showLine(false);
  }

  // Whatever stops the playing ends the story; at the last step with the card.
  function follow() {
    const { playing, step, beat } = grid.playhead;
    if (!telling || !leadsGroup(grid)) return;
    if (!playing) {
      end();
      if (step === grid.last) showCard();
      return;
    }
    const scene = sceneAt(scenes, step, beat);
    const text = scene?.text ?? (grid.data.tale ? line.textContent : STORY_LINE);
    if (line.textContent !== text) line.textContent = text;
    line.classList.toggle("at-scene", scene !== null);
    showLine(true);
    if (scene && beat === "count") markScene(scene);
  }

  // Python sends the pair table, and the tied pairs of a later merge, only at rest.
  /** @param {Scene} scene */
  function markScene(scene) {
    const { group, model, step } = grid;
    const pairs = pairsOfScene(grid);
    if (pairs.length > 1)
      say("tied", { group: group.name, id: model.feed.id, step, pairs: pairs.map(pairNamed) });
    tellPairs(grid);
    showScene(grid, scene);
  }

  // The class of the root takes the line's room from the text. A selector with :has() would make the browser match the
  // whole grid again whenever a token in a sentence changes.
  /** @param {boolean} on */
  function showLine(on) {
    line.hidden = !on;
    grid.root.classList.toggle("tells", on);
  }

  function showCard() {
    const rows = storyNumbers(grid.model).map(([name, value]) => {
      return make("div", "", {}, make("dt", "", {}, name), make("dd", "", { dir: "auto" }, value));
    });
    numbers.replaceChildren(...rows);
    card.hidden = false;
  }

  async function saveCard() {
    const { model, colours, font } = grid;
    const blob = await paintCard(TITLE, storyNumbers(model), colours, font);
    if (blob) download(blob, "merge-by-merge-story.png");
  }

  // Follows a request on another page, once the grid is in its place.
  function beginAsked() {
    const { asked = 0 } = grid.data.tale ?? {};
    if (asked <= playedTales) return;
    playedTales = asked;
    setTimeout(() => signal.aborted || begin());
  }

  beginAsked();
  return { elements: [line, card], begin, end, isOffered, isOpen: () => !card.hidden };
}
