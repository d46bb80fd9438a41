// The data of a film, as film/film_page.py writes it into the page.

/** @import {Feed} from "../shared/feed_types.js" */
/** @import {Live, Recipe} from "../trainer/live_types.js" */
/** @import {Site} from "./site.js" */

import { packBytes, unpackElement } from "../shared/packed_bytes.js";

/**
 * One lane: what is played, and its title.
 * @typedef {object} FilmLane
 * @property {Feed} feed
 * @property {string} title
 * @property {string} subtitle
 * @property {Recipe | null} [recipe]  what the page needs to train on another text in the same way; null if it cannot
 */

/**
 * What a film needs to train on the viewer's own words.
 * @typedef {object} OwnData
 * @property {string} text  in the field at first
 * @property {boolean} opens  whether the panel is open from the start
 * @property {Live} live  variants, rules and sentences
 * @property {string} page  an HTML file of a film, with {title}, {style} and {scripts} in its gaps
 * @property {string} scripts  its scripts, with {data}, {player} and {loader}
 * @property {string} frame  the code that embeds a page, with {address} and {title}
 */

/**
 * @typedef {object} Film
 * @property {string} title
 * @property {number} step  the step to begin with
 * @property {FilmLane[]} lanes
 * @property {string} note  a sentence below the film, or ""
 * @property {Site} site  what is around the film, if it is a page of a website
 * @property {OwnData | null} own  null in a film that stays as it is
 * @property {Record<string, string>} styles  the style sheets of the grid and of what is beside it
 */

/**
 * Read the data of the page.
 * @returns {Promise<Film>}
 */
export function readFilm() {
  return unpackElement(document.getElementById("film")).json();
}

/**
 * Return data as `readFilm` reads them.
 * @param {Film} film
 */
export async function packedFilm(film) {
  const stream = new Blob([JSON.stringify(film)]).stream().pipeThrough(new CompressionStream("gzip"));
  return packBytes(new Uint8Array(await new Response(stream).arrayBuffer()));
}
