// Whether this browser tab is presenting. It is stored for the tab, so that a reload and another page continue it.

const STORED = "merge-by-merge.presenting";

/** Return whether a presentation is going on. */
export function isPresentation() {
  try {
    return sessionStorage.getItem(STORED) === "yes";
  } catch {
    return false; // storage is blocked: a reload then ends the presentation
  }
}

export function beginPresentation() {
  try {
    sessionStorage.setItem(STORED, "yes");
  } catch {
    return;
  }
}

export function endPresentation() {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    return;
  }
}
