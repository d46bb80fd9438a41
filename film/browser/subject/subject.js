// What fills the stage of a lesson whose text is not about a grid: a pattern, a curve, rows of tokens, or one word. Its
// type is as large as the stage allows. In the presenter view it is beside the lesson's card, as a grid would be.

/** @import {Component, Controller} from "../shared/page/mount.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {Look} from "../sentence/chips.js" */
/** @import {Curve} from "./curve.js" */
/** @import {SubjectData} from "./types.js" */

import { themeOf } from "../shared/tokens/colour.js";
import { make, setPresenting } from "../shared/page/dom.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { rootOf } from "../shared/page/mount.js";
import { createCurve } from "./curve.js";
import { largestSize } from "./fit.js";
import { patternElements } from "./pattern.js";
import { rowsElements } from "./rows.js";

const LEAST = 0.028; // size of tokens, as a share of the window's height: a letter is then 2 % of it
const LEAST_TEXT = 0.021; // size of other texts, as a share of the window's height
/** The largest letters of each kind, in px. @type {Record<SubjectData["subject"]["kind"], number>} */
const LARGEST = { word: 120, rows: 72, pattern: 56, curve: 26 };
const BESIDE_TEXT = 30; // px, largest letters beside the text of a page

/**
 * @param {Component<SubjectData>} component
 * @returns {Controller<SubjectData>}
 */
export function createSubject(component) {
  const root = rootOf(component, "[data-testid=lesson-subject]");
  const content = make("div", "content");
  root.replaceChildren(content);
  const group = groupNamed(component.data.group);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let { data } = component;
  let lastText = ""; // theme and data, as text
  /** @type {Curve | null} */
  let curve = null;

  /** @type {Controller<SubjectData>["update"]} */
  function update(next) {
    data = next.data;
    const theme = themeOf(root);
    const text = `${theme} ${JSON.stringify(data)}`;
    if (text === lastText) return;
    lastText = text;
    root.dataset.theme = theme;
    root.dataset.kind = data.subject.kind;
    curve?.remove();
    curve = null;
    content.replaceChildren(...elements(theme));
    follow();
    fit();
  }

  /** @param {Look["theme"]} theme */
  function elements(theme) {
    const { subject, marker } = data;
    const point = (/** @type {Light | undefined} */ light) => {
      say("light", { group: group.name, from: "lesson", ...(light ?? { none: true }) });
    };
    const look = { theme, marker, lights: false, point };
    if (subject.kind === "pattern") return patternElements(subject, look);
    if (!subject.chart) return rowsElements(subject, look);
    curve = createCurve({ ...subject, chart: subject.chart });
    return [make("p", "title", {}, subject.title), curve.element];
  }

  // A question about the picture hides what would answer it; the answer shows it.
  function follow() {
    const { subject } = data;
    const asks = group.asks === true && subject.kind !== "pattern";
    root.classList.toggle("asked", asks);
    curve?.cover(asks);
    curve?.show(asks ? 0 : (subject.chart?.at ?? 0), !asks);
  }

  function fit() {
    if (!root.clientWidth) return;
    const presents = root.classList.contains("presenting");
    const least = presents ? LEAST * window.innerHeight : 15;
    const most = presents ? LARGEST[data.subject.kind] : Math.min(LARGEST[data.subject.kind], BESIDE_TEXT);
    const size = largestSize(least, most, (letters) => {
      root.style.setProperty("--letters", `${letters}px`);
      return content.scrollHeight <= content.clientHeight && content.scrollWidth <= content.clientWidth;
    });
    root.style.setProperty("--letters", `${size}px`);
    curve?.fit(presents ? LEAST_TEXT * window.innerHeight : 0);
  }

  /** @param {boolean} on */
  function present(on) {
    setPresenting(root, on);
    fit();
  }

  const observer = new ResizeObserver(fit);
  observer.observe(root);
  hear("present", group.name, signal, ({ on }) => present(on));
  hear("asked", group.name, signal, follow);
  hear("step", group.name, signal, ({ step, playing }) => playing && curve?.show(step, false));
  if (group.presenting) present(true);

  function remove() {
    lifetime.abort();
    observer.disconnect();
    curve?.remove();
  }
  return { update, remove };
}
