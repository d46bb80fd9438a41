// A file for the viewer, made on the page.

import { make } from "./dom.js";

const KEPT = 60_000; // ms until the browser may forget the file

/**
 * Offer a file under a name, as a download.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = make("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
