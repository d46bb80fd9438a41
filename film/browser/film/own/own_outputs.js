// What goes out from "Your words": the address, links, code and files.

/** @import {TrainingFeed} from "../../shared/feed_types.js" */
/** @import {Trainer} from "../../trainer/trainer.js" */
/** @import {Film, FilmLane, OwnData} from "../film_data.js" */
/** @import {FilmView} from "../film_view.js" */
/** @import {OwnSettings} from "./own_settings.js" */
/** @import {Trained} from "./own_training.js" */

import { hashOf, namesPart } from "../address.js";
import { ownHash } from "./own_address.js";
import { createCopies } from "./own_copies.js";
import { escapedHtml, filled, filmFile } from "./own_film.js";
import { recipeOf } from "./own_settings.js";
import { feedsOf } from "./own_training.js";
import { OWN_TITLE, titlesOf } from "./own_wording.js";

const WRITE_AFTER = 300; // ms without a change: a browser refuses too many addresses in a short time

/** What the film plays now. @typedef {{settings: OwnSettings, trained: Trained | null, isOn: boolean, changed: boolean}} OwnState */

/**
 * Make the buttons, and what writes the address.
 * @param {Film & {own: OwnData}} film
 * @param {FilmView} view
 * @param {Trainer} trainer
 * @param {() => OwnState} state
 */
export function createOutputs(film, view, trainer, state) {
  let hash = ""; // the part of the address that holds the viewer's words
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let writing;
  let followed = state().settings; // what was set when an address was followed
  const copies = createCopies({ address, embed, film: savedFilm });

  function writeSoon() {
    clearTimeout(writing);
    writing = setTimeout(async () => {
      const { settings, isOn, changed } = state();
      const next = isOn && changed ? await ownHash(settings) : "";
      if (next === hash) return;
      hash = next;
      if (!namesPart() || settings !== followed) view.writeStep(view.step(), hash);
    }, WRITE_AFTER);
  }

  async function address() {
    const { settings, isOn } = state();
    return location.href.replace(/#.*/s, "") + hashOf(view.step(), isOn ? await ownHash(settings) : "");
  }

  /** @param {string} link */
  function embed(link) {
    const title = state().isOn ? OWN_TITLE : film.title;
    return filled(film.own.frame, { address: escapedHtml(link), title: escapedHtml(title) });
  }

  function savedFilm() {
    const { trained } = state();
    const step = view.step();
    if (!trained) {
      return filmFile(film, { title: film.title, text: film.own.text, step, lanes: film.lanes });
    }
    const { settings, trainings } = trained;
    const lanes = lanesOf(film, settings, feedsOf(trainer, trainings, false));
    return filmFile(film, { title: OWN_TITLE, text: settings.text, step, lanes });
  }

  return {
    buttons: copies.buttons,
    elements: copies.elements,
    clear: copies.clear,
    hash: () => (state().isOn ? hash : ""),
    hasNews: () => state().settings !== followed,
    follow: (/** @type {OwnSettings} */ settings) => (followed = settings),
    writeSoon,
  };
}

/**
 * Return the lanes of a training, with their titles.
 * @param {Film & {own: OwnData}} film
 * @param {OwnSettings} settings
 * @param {TrainingFeed[]} feeds
 * @returns {FilmLane[]}
 */
export function lanesOf(film, { lanes, merges }, feeds) {
  const titles = titlesOf(film, lanes);
  return lanes.map((lane, index) => ({
    feed: feeds[index],
    recipe: recipeOf(lane, merges),
    ...titles[index],
  }));
}
