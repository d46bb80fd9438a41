// The rows of a list: a title, what is known about it, and what it leads to, as chips or as a figure.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */
/** @import {MakeChip} from "../../../film/browser/chip_table/tokens.js" */
/** @import {CurveData} from "./curve.js" */

import { make } from "../../../film/browser/shared/dom.js";
import { chipMaker } from "../../../film/browser/chip_table/tokens.js";

/**
 * What the rows show, by slug.
 * @typedef {object} Contents
 * @property {[bold: string, rest: string]} headline
 * @property {string[][]} groups  slugs of rows that agree; the others follow as they come
 * @property {Record<string, [left: number, right: number, merged: number]>} pairs
 * @property {Record<string, number[][]>} words
 * @property {Record<string, string>} figures
 * @property {ChipLabel[]} tokens
 * @property {string} foot
 * @property {string} action  the title of the button; "" for none
 * @property {CurveData | null} curve  in place of the rows
 */

/** @typedef {[slug: string, title: string, about: string, more: string, section: string]} Row */

/**
 * What Python sends.
 * @typedef {object} ListData
 * @property {string} label
 * @property {string} names  what the name of a row for tests begins with
 * @property {Row[]} rows
 * @property {string} chosen
 * @property {number} heard  number of the last question of any list: a list whose question was heard and not answered asks again
 * @property {number} answers  number of the question that `contents` answers; 0 for none
 * @property {Contents | null} contents
 */

const LONGEST_WORD = 12; // chips of a word, which then ends in “…”

/**
 * Make the rows, in groups.
 * @param {ListData} data
 * @param {Contents | null} contents  null while it is not known what they show
 * @param {Theme} theme
 */
export function groupElements(data, contents, theme) {
  const chip = contents ? chipMaker(contents.tokens, theme) : null;
  return groupsOf(data, contents).map((group) => groupElement(data, contents, chip, group));
}

/**
 * Return the rows in groups: first those that agree, then those of one section.
 * @param {ListData} data @param {Contents | null} contents
 */
function groupsOf(data, contents) {
  const bySlug = new Map(data.rows.map((row) => [row[0], row]));
  const named = (contents?.groups ?? []).map((group) =>
    group.map((slug) => bySlug.get(slug)).filter((row) => row !== undefined),
  );
  const agreeing = new Set(named.flat());
  /** @type {Row[][]} */
  const sections = [];
  for (const row of data.rows.filter((one) => !agreeing.has(one))) {
    if (row[4] || !sections.length) sections.push([]);
    sections[sections.length - 1].push(row);
  }
  return [...named.filter((group) => group.length), ...sections];
}

/** @param {ListData} data @param {Contents | null} contents @param {MakeChip | null} chip @param {Row[]} group */
function groupElement(data, contents, chip, group) {
  const section = group[0]?.[4];
  const title = section ? [make("div", "aside section", { "aria-hidden": "true" }, section)] : [];
  const own = group.map((row) => rowElement(data, contents, chip, row));
  const isBrief = section && group.every(([slug, , about]) => !about && !contents?.words[slug]);
  const name = isBrief ? "group brief" : "group";
  return make("div", name, { role: "group", "aria-label": section || null }, ...title, ...own);
}

/** @param {ListData} data @param {Contents | null} contents @param {MakeChip | null} chip @param {Row} row */
function rowElement(data, contents, chip, [slug, title, about, more]) {
  const name = make("span", "name", {}, title, ...(about ? [" ", make("small", "", {}, about)] : []));
  const attributes = {
    id: `row-${slug}`,
    role: "option",
    title: more || null,
    "aria-selected": String(slug === data.chosen),
    "data-slug": slug,
    "data-testid": `${data.names}${slug}`,
  };
  return make("div", "row", attributes, name, ...(contents && chip ? shownOf(contents, slug, chip) : []));
}

/** Return what a row shows. @param {Contents} contents @param {string} slug @param {MakeChip} chip */
function shownOf(contents, slug, chip) {
  const pair = contents.pairs[slug];
  const words = contents.words[slug];
  const figure = contents.figures[slug];
  const shown = [];
  if (pair) {
    const [left, right, merged] = pair;
    const arrow = make("span", "arrow", { "aria-label": "become", role: "img" }, "→");
    shown.push(make("span", "pick", {}, chip(left), " ", chip(right), arrow, chip(merged)));
  }
  if (words) shown.push(make("span", "words", {}, ...words.flatMap((word) => wordElement(word, chip))));
  if (figure) shown.push(make("span", "figure", {}, figure));
  return shown;
}

/** @param {number[]} word @param {MakeChip} chip */
function wordElement(word, chip) {
  const chips = word.slice(0, LONGEST_WORD).map(chip);
  const more = word.length > LONGEST_WORD ? ["…"] : [];
  return [make("span", "word", {}, ...chips, ...more), " "];
}
