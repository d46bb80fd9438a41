// The presentation of this browser tab: whether there is one, and its beat. It is stored for the tab, so that a reload
// and another page continue it.

/** @import {Beat} from "../timing/beats.js" */

/** Where the presentation is. @typedef {{group: string, step: number, beat: Beat, film: boolean}} Position */

const STORED = "merge-by-merge.presenting";
const NOWHERE = {};

/** @param {object} position */
function store(position) {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(position));
  } catch {
    return; // storage is blocked: a reload then ends the presentation
  }
}

/**
 * Return the stored position, with the fields it has; null without a presentation.
 * @returns {Partial<Position> | null}
 */
export function storedPosition() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    return typeof stored === "object" ? stored : null;
  } catch {
    return null;
  }
}

export function beginPresentation() {
  store(NOWHERE);
}

/** @param {Position} position */
export function notePosition(position) {
  store(position);
}

export function endPresentation() {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    return;
  }
}
