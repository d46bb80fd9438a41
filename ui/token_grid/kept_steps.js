// Where the playhead stood before the page was loaded anew: Python has forgotten it then. Kept in the tab, not elsewhere.

// What a viewer chooses after that leads to where it says.
let untouched = performance.getEntriesByType("navigation")[0]?.type === "reload";
const touch = () => (untouched = false);
for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, touch, { capture: true, once: true });

const stepName = (group, family) => `merge-by-merge.step.${group}.${family}`;

function keepStep(group, family, step) {
  try {
    sessionStorage.setItem(stepName(group, family), step);
  } catch {
    return; // a browser that keeps nothing
  }
}

// A lesson says itself where its grid stands.
function stepToBeginWith({ group, feed, start, beatwise }) {
  if (!untouched || beatwise) return start;
  try {
    return Number(sessionStorage.getItem(stepName(group, feed.family)) ?? start);
  } catch {
    return start;
  }
}
