// A lesson as a component: its card with exercises and terms of the glossary, and what stands beside it.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */
/** @import {LessonData} from "../../../film/browser/lesson/lesson.js" */
/** @import {EarlyView} from "../../../film/browser/stage/early.js" */

import { createLesson } from "../../../film/browser/lesson/lesson.js";
import { createPractice } from "../../../film/browser/lesson/practice.js";
import { createTerms } from "../../../film/browser/lesson/terms.js";
import { groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { createReport } from "../../../film/browser/shared/report.js";
import { drawEarly, takeEarly } from "../../../film/browser/stage/early.js";
import { GRID_SHEET } from "../../../film/browser/stage/grid_sheet.js";
import { takeToStage } from "../../../film/browser/shared/on_stage.js";
import { adoptSheet, sheetText } from "../../../film/browser/shared/sheet.js";
import { createParts } from "../../../film/browser/stage/parts.js";
import { createProgress, keepAtOnce } from "./progress.js";

// The style sheets of the parts of a lesson, by the names that `createParts` knows.
/** @type {Record<string, string>} */
const SHEETS = {
  layout: sheetText("../../../film/browser/lesson/layout.css"),
  lesson: sheetText("./card.css"),
  "token-grid": GRID_SHEET,
  subject: sheetText("../../../film/browser/subject/main.css"),
  aligned_rows: sheetText("../../../film/browser/aligned_rows/main.css"),
  models_table: sheetText("../../../film/browser/models_table/main.css"),
  every_way: sheetText("../../../film/browser/every_way/main.css"),
  code: sheetText("../../../film/browser/code/main.css"),
};

/**
 * What Python sends.
 * @typedef {object} Opened
 * @property {number} start  the beat to begin with
 * @property {number} asked  how often a beat was asked for
 * @property {string} group
 */

/** @typedef {LessonData & Opened} PageData */
/** @typedef {{verdicts?: {lesson: string, of: LessonData["verdicts"]}, progress?: import("./progress.js").ProgressData}} Later */

/** @param {Component<PageData>} component @returns {Controller<PageData>} */
function createPageLesson(component) {
  const root = rootOf(component, "[data-testid=lesson-page]");
  let { data } = component;
  let isOpen = false;
  const { group } = data;
  /** Return what Python has told since. @returns {Later} */
  const later = () => groupNamed(group).told ?? {};
  const lifetime = new AbortController();
  const report = createReport(sendBeat, lifetime.signal);
  const progress = createProgress((texts) => component.setTriggerValue("restored", texts), lifetime.signal);
  takeToStage(root, [group], lifetime.signal);
  const lesson = createLesson(createParts(SHEETS, "page-part"), group, {
    turned: report.soon,
    practises: createPractice,
    answered: (beat, answer) => component.setTriggerValue("answer", { lesson: data.slug, beat, answer }),
    leaves: (slug) => component.setTriggerValue("lesson", slug),
    terms: (card) =>
      createTerms(
        card,
        () => data.terms ?? {},
        (name, slug) => component.setTriggerValue(name, slug),
      ),
  });

  function sendBeat() {
    component.setStateValue("beat", `${data.slug} ${lesson.viewer.at()}`);
  }

  /** @type {Controller<PageData>["update"]} */
  function update(next) {
    const before = data;
    component = next;
    progress.hear(later().progress);
    const told = later().verdicts;
    data = { ...next.data, verdicts: told?.lesson === next.data.slug ? told.of : {} };
    if (!isOpen) {
      root.append(lesson.element);
      adoptSheet(root, SHEETS.layout);
      isOpen = true;
      lesson.open(data, data.start);
      if (groupNamed(group).presenting) say("present", { group, on: true }); // it began before this was drawn
      return;
    }
    adoptSheet(root, SHEETS.layout); // in the shadow root that it has come to
    const isTurned = before.slug === data.slug && before.asked !== data.asked; // to another beat, from a menu
    if (!isTurned && before.slug === data.slug) {
      const [verdict, old] = [data, before].map(({ verdicts }) => verdicts?.[lesson.viewer.at()]);
      // A reload may come before the run that stores all attempts.
      if (verdict && verdict.answers !== old?.answers) keepAtOnce("exercises", verdict.record ?? "");
      return lesson.update(data);
    }
    lesson.open(data, data.start);
    if (!groupNamed(group).presenting) lesson.focusNext(); // Space then continues the chosen lesson
    if (isTurned) report.soon();
  }

  function remove() {
    lifetime.abort();
    lesson.remove();
  }

  hear("told", group, lifetime.signal, () => isOpen && update(component));
  return { update, remove };
}

/** @type {EarlyView<PageData>} */
const EARLY_LESSON = {
  create: createPageLesson,
  name: "lesson-page",
  looks: "mbm",
  key: "lesson_stage",
  idOf: ({ slug, start, asked }) => `${slug} ${start} ${asked}`,
  isPlain: (name, value, { slug }) =>
    name !== "place" && !(name === "exercises" && value?.includes(`"${slug}/`)),
};

drawEarly(EARLY_LESSON);

export default mount((/** @type {Component<PageData>} */ component) => {
  return takeEarly(EARLY_LESSON, component) ?? createPageLesson(component);
});
