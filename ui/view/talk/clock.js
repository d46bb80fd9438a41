// When a talk began, in the tab's storage: the clock of its notes.

const STARTED = "merge-by-merge.talk-started"; // in ms

/** Return when the talk began: when its notes were opened for the first time. */
export function startedAt() {
  try {
    const stored = Number(sessionStorage.getItem(STARTED));
    if (stored) return stored;
    const now = Date.now();
    sessionStorage.setItem(STARTED, String(now));
    return now;
  } catch {
    return Date.now();
  }
}

/** Begin the clock anew when the notes are opened next. */
export function restartClock() {
  try {
    sessionStorage.removeItem(STARTED);
  } catch {
    // What cannot be stored was never there.
  }
}
