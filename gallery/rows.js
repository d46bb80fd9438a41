// The rows of the text that the address names, on a page that holds those of several texts.

import { make } from "../film/browser/shared/dom.js";
import { adoptSheet, setBase, sheetText } from "../film/browser/shared/sheet.js";
import { createSplits } from "../film/browser/splits/splits.js";

const ROWS_SHEET = sheetText("./rows.css");

/** @type {Record<string, import("../film/browser/splits/splits.js").SplitsData>} */
const texts = JSON.parse(document.querySelector("#rows")?.textContent ?? "{}");
const host = make("div");
const root = make("div", "mbm splits", { "data-testid": "splits" });
const shadow = host.attachShadow({ mode: "open" });
shadow.append(root);
document.querySelector("#rows-stage")?.replaceChildren(host);
setBase(sheetText("../film/browser/shared/base.css"));
adoptSheet(root, ROWS_SHEET);
const still = { parentElement: shadow, setStateValue: () => undefined, setTriggerValue: () => undefined };
const asked = () => {
  const name = location.hash.slice(1);
  return Object.hasOwn(texts, name) ? name : Object.keys(texts)[0];
};
const controller = createSplits({ ...still, data: texts[asked()] });

function show() {
  const name = asked();
  controller.update({ ...still, data: texts[name] });
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${name}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  document.querySelector("#rows-film")?.setAttribute("href", `films/text-${name}.html`);
}

show();
window.addEventListener("hashchange", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
