// A film of the viewer's own words as an HTML file: this page's own scripts and style, and other data.

/** @import {Film, FilmLane, OwnData} from "../film_data.js" */

import { packedFilm } from "../film_data.js";

/**
 * Return the file.
 * @param {Film & {own: OwnData}} film  of this page
 * @param {{title: string, text: string, step: number, lanes: FilmLane[]}} content
 */
export async function filmFile(film, { title, text, step, lanes }) {
  const site = { home: null, before: null, after: null, embeds: [] };
  const own = { ...film.own, text, opens: false };
  const data = await packedFilm({ ...film, title, step, lanes, note: "", site, own });
  const scripts = filled(film.own.scripts, {
    data,
    player: contentOf("player"),
    loader: contentOf("loader"),
  });
  const page = filled(film.own.page, { title: escapedHtml(title), style: contentOf("page-style"), scripts });
  return new Blob([page], { type: "text/html" });
}

/** @param {string} id */
function contentOf(id) {
  return document.getElementById(id)?.textContent ?? "";
}

/**
 * Return a text with values in its gaps.
 * @param {string} text
 * @param {Record<string, string>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);
}

/**
 * Return a text that HTML reads as text.
 * @param {string} text
 */
export function escapedHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
