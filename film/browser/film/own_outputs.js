// What goes out from "Your words": the address, links, code and files.

/** @import {Film, FilmLane, OwnData} from "./site.js" */
/** @import {EveryWay, TrainingFeed} from "../shared/feed_types.js" */
/** @import {Trainer} from "../trainer/trainer.js" */
/** @import {FilmView} from "./views.js" */
/** @import {OwnSettings, Trained} from "./own_settings.js" */

import { copyText, make, makeButton, download } from "../shared/dom.js";
import { DIGITS } from "../shared/packed_bytes.js";
import { filled } from "../shared/numbers.js";
import { isSandboxed, hashOf, namesPart } from "./site.js";
import { ownHash, recipeOf, OWN_TITLE, titlesOf } from "./own_settings.js";

// What leaves the panel "Your words": a link, the code that embeds it, and a film as a file.

const LONG_LINK = 2_000; // characters of a link that some programs cut
// What is said of a link to a file: others cannot open it, and the folders that it lies in are nobody's business.
/** @param {string} what  what was copied @param {string} elsewhere  what it needs there */
const fromDisk = (what, elsewhere) =>
  `This film is a file on your computer, so the ${what} works only in the same folder. Elsewhere, ${elsewhere}. ` +
  "To send your words, use “Save as film”.";
const FROM_DISK = {
  Link: fromDisk("link", "put it after the film's address on the web"),
  Code: fromDisk("code", "it needs the film's address on the web"),
};

/**
 * What the buttons need.
 * @typedef {object} CopySources
 * @property {() => Promise<string>} address  the page's address with the viewer's words
 * @property {(address: string) => string} embed  the code that embeds a page
 * @property {() => Promise<Blob>} film  the film as an HTML file
 */

/**
 * Make the buttons, and the field that shows what was copied. A frame without an address of its own has nothing to copy,
 * and one that may save nothing has nothing to save.
 * @param {CopySources} sources
 */
function createCopies({ address, embed, film }) {
  const field = make("textarea", "copied", {
    "data-testid": "own-copied",
    hidden: true,
    "aria-label": "Copied",
  });
  field.readOnly = true;
  field.rows = 2;
  const note = make("p", "copy-note", { role: "status", hidden: true });

  /** @param {string} text @param {keyof typeof FROM_DISK} name */
  async function copy(text, name) {
    const still = isOnDisk() ? ` ${FROM_DISK[name]}` : "";
    field.hidden = note.hidden = false;
    field.value = text;
    field.select();
    const copied = await copyText(text);
    const long =
      text.length > LONG_LINK
        ? ` It has ${text.length.toLocaleString("en")} characters; some programs shorten long links.`
        : "";
    note.textContent =
      (copied ? `${name} copied.` : `Copy the ${name.toLowerCase()} from the field.`) + still + long;
  }

  function clear() {
    field.hidden = note.hidden = true;
  }

  const buttons = [];
  if (hasAddress()) {
    buttons.push(
      makeButton("Copy link", "own-link", async () => copy(await address(), "Link")),
      makeButton("Copy embed code", "own-embed", async () => copy(embed(await address()), "Code")),
    );
  }
  if (!isSandboxed()) {
    buttons.push(makeButton("Save as film", "own-save", async () => download(await film(), "film.html")));
  }
  return { buttons, elements: [field, note], clear };
}

/** Return whether the page has an address. */
function hasAddress() {
  return location.origin !== "null" || isOnDisk();
}

function isOnDisk() {
  return location.protocol === "file:";
}

// A film of the viewer's own words as an HTML file: this page's own scripts and style, and other data.

/**
 * Return the file.
 * @param {Film & {own: OwnData}} film  of this page
 * @param {{title: string, text: string, step: number, lanes: FilmLane[], way: EveryWay | null}} content
 */
async function filmFile(film, { title, text, step, lanes, way }) {
  const site = { home: null, before: null, after: null, embeds: [] };
  const own = { ...film.own, text, opens: false, ways: [] };
  const data = await packedFilm({ ...film, title, step, lanes, way, note: "", site, own });
  const scripts = filled(film.own.scripts, {
    data,
    player: contentOf("player"),
    loader: contentOf("loader"),
  });
  const page = filled(film.own.page, { title: escapedHtml(title), scripts });
  return new Blob([page], { type: "text/html" });
}

/** @param {string} id */
function contentOf(id) {
  return document.getElementById(id)?.textContent ?? "";
}

/** Return a text that HTML reads as text. @param {string} text */
function escapedHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

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
    const place = isOnDisk() ? location.pathname.replace(/.*\//s, "") : location.href.replace(/#.*/s, "");
    return place + hashOf(view.step(), isOn ? await ownHash(settings) : "");
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
      return filmFile(film, {
        title: film.title,
        text: film.own.text,
        step,
        lanes: film.lanes,
        way: film.way,
      });
    }
    const { settings, trainings } = trained;
    const feeds = trainings.map((training) => trainer.feed(training));
    const lanes = lanesOf(film, settings, feeds);
    return filmFile(film, { title: OWN_TITLE, text: settings.text, step, lanes, way: view.way() });
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

/** Return data as `readFilm` reads them. @param {Film} film */
async function packedFilm(film) {
  const stream = new Blob([JSON.stringify(film)]).stream().pipeThrough(new CompressionStream("gzip"));
  return packBytes(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Return bytes as letters. @param {Uint8Array} bytes */
export function packBytes(bytes) {
  const missing = (4 - (bytes.length % 4)) % 4;
  const view = new DataView(new ArrayBuffer(bytes.length + missing));
  new Uint8Array(view.buffer).set(bytes);
  let letters = "";
  for (let at = 0; at < view.byteLength; at += 4) {
    let number = view.getUint32(at);
    let group = "";
    for (let digit = 0; digit < 5; digit++) {
      group = DIGITS[number % 85] + group;
      number = Math.floor(number / 85);
    }
    letters += group;
  }
  return letters.slice(0, letters.length - missing);
}
