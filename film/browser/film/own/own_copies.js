// What leaves the panel "Your words": a link, the code that embeds it, and a film as a file.

import { make, makeButton, download } from "../../shared/dom.js";
import { isSandboxed } from "../site.js";

const LONG_LINK = 2_000; // characters of a link that some programs cut

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
export function createCopies({ address, embed, film }) {
  const field = make("textarea", "copied", {
    "data-testid": "own-copied",
    hidden: true,
    "aria-label": "Copied",
  });
  field.readOnly = true;
  field.rows = 2;
  const note = make("p", "copy-note", { role: "status", hidden: true });

  /**
   * @param {string} text
   * @param {string} name
   */
  async function copy(text, name) {
    field.hidden = note.hidden = false;
    field.value = text;
    field.select();
    const copied = await copyValue(field);
    const long =
      text.length > LONG_LINK
        ? ` It has ${text.length.toLocaleString("en")} characters; some programs shorten long links.`
        : "";
    note.textContent = (copied ? `${name} copied.` : `Copy the ${name.toLowerCase()} from the field.`) + long;
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

/**
 * Copy the text of a field, which is selected. Returns whether the browser let it.
 * @param {HTMLTextAreaElement} field
 */
async function copyValue(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy"); // also when the page is not from a server with a certificate
  }
}

/** Return whether the page has an address that can be opened elsewhere. */
function hasAddress() {
  return location.origin !== "null" || location.protocol === "file:";
}
