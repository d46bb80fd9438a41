// A report: its buttons save the files that the page holds, packed as those of a film. The film's keys work while the
// viewer is in the film; elsewhere Space and the arrow keys scroll the page.

import { coloursOfId, paintChip, themeOf } from "../shared/colour.js";
import { download } from "../shared/dom.js";
import { unpackElement } from "../shared/packed_bytes.js";

/** @param {string} name */
async function saveFile(name) {
  const holder = document.querySelector(`script[data-name="${name}"]`);
  if (!(holder instanceof HTMLElement)) return;
  const content = await unpackElement(holder).arrayBuffer();
  download(new Blob([content], { type: holder.dataset.kind }), name);
}

for (const button of document.querySelectorAll("button[data-file]")) {
  button.addEventListener("click", () => saveFile(button.getAttribute("data-file") ?? ""));
}
for (const files of document.querySelectorAll(".files")) files.removeAttribute("hidden");

// The chips of a folded table are painted when it unfolds: a report has thousands.
/** @param {ParentNode} part */
function paintTokens(part) {
  const theme = themeOf(document.documentElement);
  for (const chip of part.querySelectorAll("i[data-shade]")) {
    if (chip instanceof HTMLElement) paintChip(chip, coloursOfId(theme, Number(chip.dataset.shade)));
  }
}
for (const table of document.querySelectorAll("details")) {
  table.addEventListener("toggle", () => table.open && paintTokens(table));
}
new MutationObserver(() => {
  for (const table of document.querySelectorAll("details[open]")) paintTokens(table);
}).observe(document.documentElement, { attributeFilter: ["class"] });

let inFilm = false;
for (const kind of ["pointerdown", "focusin"]) {
  const listen = (/** @type {Event} */ event) => {
    const stage = document.getElementById("film-stage");
    inFilm = stage !== null && event.composedPath().includes(stage);
  };
  window.addEventListener(kind, listen, { capture: true });
}
// This script runs before that of the film, so its listener is the first one.
window.addEventListener("keydown", (event) => inFilm || event.stopImmediatePropagation(), { capture: true });
