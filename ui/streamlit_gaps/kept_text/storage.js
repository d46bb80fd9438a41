// What is kept on the device until the reader says otherwise, and the tab's storage of typed texts: each text under its
// name, and beside a text that was not sent yet the checksum of the server's text over which it was typed. If storage is
// full or disabled, typing works, but a reload loses the text, and the page says so.

import { merged } from "./records.js";

const PREFIX = "merge-by-merge/";
const OVER = "/over"; // ends the name of that checksum
const ASIDE = "/aside"; // ends the name under which it is noted that a text is kept while something else is shown

/** @param {string} name */
export function readStored(name) {
  try {
    return window.sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} text */
export function store(name, text) {
  try {
    window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // as above
  }
}

// What lasts longer than the tab. `device` holds "no" once the reader has said so, and then nothing else of ours is there.

const DEVICE = "device";
const NO = "no";

/** Return a text kept on this device, or else in the tab; null without one. @param {string} name */
export function readKept(name) {
  try {
    return window.localStorage.getItem(PREFIX + name) ?? readStored(name);
  } catch {
    return readStored(name);
  }
}

/**
 * Keep records on this device, merged with what other tabs have kept there; or forget them there, all but that the
 * reader wants this.
 * @param {string[]} names  of all that may be there
 * @param {Record<string, string>} records
 * @param {boolean} lasts  whether the reader wants them to stay
 * @param {boolean} [asked]  whether the reader has just said so; else what was said in another tab holds
 */
export function keepOnDevice(names, records, lasts, asked) {
  try {
    const { localStorage } = window;
    if (!lasts) {
      for (const name of names) localStorage.removeItem(PREFIX + name);
      return localStorage.setItem(PREFIX + DEVICE, NO);
    }
    if (asked) localStorage.removeItem(PREFIX + DEVICE);
    else if (localStorage.getItem(PREFIX + DEVICE) === NO) return;
    for (const [name, text] of Object.entries(records)) {
      if (text) localStorage.setItem(PREFIX + name, merged(name, localStorage.getItem(PREFIX + name), text));
    }
  } catch {
    // as above
  }
}

/**
 * Keep a record in the tab and on the device at once, before the whole of it comes.
 * @param {string} name
 * @param {string} text
 */
export function keepAtOnce(name, text) {
  store(name, merged(name, readStored(name), text));
  keepOnDevice([], { [name]: text }, true);
}

/** Return the checksum of the text over which a text was typed; null if the text was sent. @param {string} name */
export function readOver(name) {
  return readStored(name + OVER);
}

/**
 * Store text that the user has typed, and over what.
 * @param {string} name
 * @param {string} text
 * @param {string} over  checksum of the server's text
 */
export function storeUnsent(name, text, over) {
  forgetUnsent(name); // before the text: if there is no space for it, an older one must not count as unsent
  store(name, text);
  if (readStored(name) === text) store(name + OVER, over);
}

/** Remember that a text was sent. @param {string} name */
export function forgetUnsent(name) {
  remove(name + OVER);
}

/** Note whether a stored text is set aside while something else is shown. @param {string} name @param {boolean} is */
export function setAside(name, is) {
  if (is) store(name + ASIDE, "yes");
  else remove(name + ASIDE);
}

/** Return whether a stored text is set aside. @param {string} name */
export function isAside(name) {
  return readStored(name + ASIDE) !== null;
}

/** @param {string} name */
function remove(name) {
  try {
    window.sessionStorage.removeItem(PREFIX + name);
  } catch {
    // as above
  }
}
