// The state of a lesson's card: the beat that it is at, what has been answered and played, and what follows from that.

/** @import {Theme} from "../../../film/browser/shared/colour.js" */
/** @import {Timer} from "../../../film/browser/shared/dom.js" */
/** @import {Light} from "../../../film/browser/shared/groups.js" */
/** @import {Component} from "../../../film/browser/shared/mount.js" */
/** @import {createReport} from "../../../film/browser/shared/report.js" */
/** @import {Look} from "../../../film/browser/shared/sentence.js" */
/** @import {GridGroup} from "../../../film/browser/token_grid/types.js" */
/** @import {createPractice} from "./practice.js" */
/** @import {LessonData, createCardView} from "./card_view.js" */

import { say } from "../../../film/browser/shared/groups.js";
import { nextAct } from "./card_view.js";

/**
 * @typedef {object} Card
 * @property {HTMLElement} root
 * @property {GridGroup} group
 * @property {Component<LessonData>} component  as Streamlit called it last
 * @property {LessonData} data
 * @property {Theme} theme
 * @property {number} at  the beat
 * @property {Set<number>} answered  beats whose question has been answered
 * @property {Set<number>} played  beats whose encoding has been played
 * @property {WeakSet<object>} moved  grids that were moved to a beat
 * @property {boolean} fresh  whether nothing has been drawn
 * @property {boolean} leaving  whether another lesson has been asked for: a key that is pressed twice must not skip one
 * @property {Map<string, boolean>} larger  lesson and window -> whether its words are larger below the text
 * @property {Timer} looking  for the grid of the beat
 * @property {ReturnType<typeof createReport>} report
 * @property {ReturnType<typeof createPractice>} practice
 * @property {ReturnType<typeof createCardView>} view
 * @property {Look["term"]} term
 */

/** Return the beat that a card is at. @param {Card} card */
export function beatOf({ data, at }) {
  return data.beats[at];
}

/** Return whether the question of the beat is open. @param {Card} card */
export function isPending(card) {
  return beatOf(card).question.length > 0 && !card.answered.has(card.at);
}

/** Return whether the grid of the beat has been drawn. @param {Card} card */
export function isOnStage(card) {
  const { family } = beatOf(card);
  const { lanes, playhead } = card.group;
  return playhead !== null && [...lanes].some((lane) => lane.model.feed.family === family);
}

/** Return whether an encoding is on the stage. @param {Card} card */
export function isEncoding(card) {
  return beatOf(card).stage === "encoding" && isOnStage(card);
}

/** Return what the next key does. @param {Card} card */
export function actOf(card) {
  const { at, data, group, played } = card;
  const { playhead } = group;
  const film = isEncoding(card);
  return nextAct({
    asks: isPending(card),
    plays: film && playhead?.playing === true,
    waits: film && !played.has(at) && (playhead?.last() ?? 0) > 0,
    last: at === data.beats.length - 1,
  });
}

/** Name what the next key does. @param {Card} card */
export function drawNext(card) {
  card.view.drawNext(actOf(card), card.data.next);
}

/** Highlight tokens in the grid. @param {Card} card @param {Light} [light]  by default the beat's tokens */
export function point(card, light) {
  const beat = beatOf(card);
  const givesAway = isPending(card) && beat.guess && beat.gives;
  const about = light ?? (givesAway ? null : beat.point) ?? { none: true };
  say("light", { group: card.group.name, from: "lesson", ...about });
}

/** Return how the card's sentences look. @param {Card} card @returns {Look} */
export function lookOf(card) {
  const { data, term, theme } = card;
  return { theme, marker: data.marker, lights: data.lights, term, point: (light) => point(card, light) };
}
