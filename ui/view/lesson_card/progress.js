// The reader's progress: the tab stores it, and the device does until the reader says otherwise. What one tab writes there
// is merged with what another has written since, so that neither loses an answer.

import { departure } from "../../../film/browser/shared/report.js";
import { PREFIX, readStored, store } from "../text_field/memory.js";

const DEVICE = "device"; // holds "no" on the device once the reader has said so; then nothing else of ours is there
const NO = "no";
const ANSWERED_AFTER = 1_000; // ms after which a message counts as lost
const MOST_TRIES = 5;

/**
 * What Python tells: the progress by name, whether it stays on the device when the tab is closed, and whether the session
 * has not received what is stored.
 * @typedef {{records: Record<string, string>, lasts: boolean, fresh: boolean}} ProgressData
 */

/**
 * Return what stores the progress, and gives it once to a new session.
 * @param {(texts: Record<string, string>) => void} send
 * @param {AbortSignal} signal
 */
export function createProgress(send, signal) {
  const isLeft = departure(signal); // what is sent meanwhile would lead back
  /** @type {ProgressData | undefined} */
  let told;
  let wasOffered = false;

  // A run of the page can lose a message: it is sent again while the session lacks it.
  /** @param {Record<string, string>} texts @param {number} tries */
  function offer(texts, tries) {
    if (signal.aborted || !told?.fresh || !tries) return;
    if (!isLeft()) send(texts);
    setTimeout(() => offer(texts, tries - 1), ANSWERED_AFTER);
  }

  return {
    /** Take what Python tells. @param {ProgressData | undefined} next */
    hear(next) {
      if (!next || next === told) return;
      const isAsked = told?.lasts === false && next.lasts;
      told = next;
      const { records, lasts, fresh } = next;
      const names = [...Object.keys(records), DEVICE];
      if (fresh && !wasOffered) {
        wasOffered = true;
        const texts = Object.fromEntries(
          names.map((name) => [name, readKept(name) ?? ""]).filter(([, text]) => text),
        );
        if (Object.keys(texts).length) return offer(texts, MOST_TRIES);
      }
      for (const [name, text] of Object.entries(records)) if (text) store(name, text);
      keepOnDevice(names, records, lasts, isAsked);
    },
  };
}

/**
 * Keep a record in the tab and on the device at once, before the whole of it comes.
 * @param {string} name
 * @param {string} text
 */
export function keepAtOnce(name, text) {
  store(name, merged(name, readStored(name), text));
  keepOnDevice([], { [name]: text }, true, false);
}

/** Return a text kept on this device, or else in the tab; null without one. @param {string} name */
function readKept(name) {
  try {
    return window.localStorage.getItem(PREFIX + name) ?? readStored(name);
  } catch {
    return readStored(name);
  }
}

/**
 * Keep records on this device, or forget them there, all but that the reader wants this.
 * @param {string[]} names  of all that may be there
 * @param {Record<string, string>} records
 * @param {boolean} lasts  whether the reader wants them to stay
 * @param {boolean} isAsked  whether the reader has just said so; else what was said in another tab holds
 */
function keepOnDevice(names, records, lasts, isAsked) {
  try {
    const { localStorage } = window;
    if (!lasts) {
      for (const name of names) localStorage.removeItem(PREFIX + name);
      return localStorage.setItem(PREFIX + DEVICE, NO);
    }
    if (isAsked) localStorage.removeItem(PREFIX + DEVICE);
    else if (localStorage.getItem(PREFIX + DEVICE) === NO) return;
    for (const [name, text] of Object.entries(records)) {
      if (text) localStorage.setItem(PREFIX + name, merged(name, localStorage.getItem(PREFIX + name), text));
    }
  } catch {
    // storage is full or disabled: what is kept ends with the visit
  }
}

/** [tries, the number of the right one or 0, whether the answer was opened before, the last answer] @typedef {[tries: number, rightAt: number, opened: boolean, answer?: unknown]} Attempt */

/** @type {Record<string, (stored: string, own: string) => string>} */
const MERGES = { exercises: mergeAttempts, lessons_done: mergeWords };

/**
 * Return the text of a record that keeps what both texts hold; of a record that no rule merges, the tab's own.
 * @param {string} name
 * @param {string | null} stored
 * @param {string} own
 */
export function merged(name, stored, own) {
  return stored && own ? (MERGES[name]?.(stored, own) ?? own) : own || stored || "";
}

/** @param {string} stored @param {string} own */
function mergeWords(stored, own) {
  return [...new Set([...stored.split(" "), ...own.split(" ")])].toSorted().join(" ");
}

/** @param {string} stored @param {string} own */
function mergeAttempts(stored, own) {
  const [before, now] = [attemptsIn(stored), attemptsIn(own)];
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return JSON.stringify(
    Object.fromEntries([...names].map((name) => [name, better(before[name], now[name])])),
  );
}

/** @param {string} text @returns {Record<string, Attempt>} */
function attemptsIn(text) {
  try {
    const attempts = Object.entries(JSON.parse(text) ?? {});
    return Object.fromEntries(attempts.filter(([, attempt]) => Array.isArray(attempt)));
  } catch {
    return {}; // nothing of ours
  }
}

/**
 * Return the attempts at one exercise that count: right ones before others, then those with more tries, then the tab's
 * own. An answer that was opened in either tab stays opened, unless a try was right.
 * @param {Attempt | undefined} stored
 * @param {Attempt | undefined} own
 */
function better(stored, own) {
  if (!stored || !own) return own ?? stored;
  const isRight = (/** @type {Attempt} */ [, rightAt, opened]) => rightAt > 0 && !opened;
  const first = isRight(stored) === isRight(own) ? stored[0] > own[0] : isRight(stored);
  const [tries, rightAt, opened, ...answer] = first ? stored : own;
  const either = isRight([tries, rightAt, opened]) ? false : stored[2] || own[2];
  return [tries, rightAt, either, ...answer];
}
