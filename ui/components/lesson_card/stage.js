// The stage beside a lesson's card: its grid is moved to the beat's step, and hides what the text asks for.

/** @import {Piece} from "../../../film/browser/shared/sentence.js" */
/** @import {Card} from "./card.js" */

import { labelText } from "../../../film/browser/shared/chip.js";
import { activate, say } from "../../../film/browser/shared/groups.js";
import { hasDragged, moveNumbers } from "../../../film/browser/shared/moving_numbers.js";
import { beatOf, drawNext, isOnStage, isPending, point } from "./card.js";
import { placeText } from "./text_place.js";

const PATIENCE = 200; // number of tries to find the lesson's grid, which may be drawn after the card
const BETWEEN_LOOKS = 50; // ms

/** Move the grid of the beat to its step, and highlight the beat's tokens. @param {Card} card */
export function moveGrid(card, looks = 0) {
  const { group, moved, practice } = card;
  const beat = beatOf(card);
  clearTimeout(card.looking);
  group.asks = isPending(card);
  group.asksNext = group.asks && beat.guess;
  group.tells = beat.tells;
  if (group.asks && beat.exercise?.kind === "pair") group.answer = practice.answer;
  else delete group.answer;
  say("asked", { group: group.name });
  const { playhead } = group;
  if (!playhead || !isOnStage(card)) {
    if (looks < PATIENCE) card.looking = setTimeout(() => moveGrid(card, looks + 1), BETWEEN_LOOKS);
    return;
  }
  for (const lane of group.lanes) moved.add(lane);
  placeText(card);
  activate(group);
  playhead.setBeatwise(isHiding(card));
  const step = stepOf(card, playhead.last());
  if (playhead.step !== step) playhead.seek(step, { animate: beat.stage !== "encoding" });
  point(card);
  group.named = beat.named[Number(!isPending(card))];
  say("named", { group: group.name });
  tellSpeech(card);
  drawNext(card);
}

/** Say on the card that the grid is at another step than the beat; a sentence with a number to drag says it itself. @param {Card} card @param {number} step @param {boolean} playing */
export function drawAstray(card, step, playing) {
  const { group, view } = card;
  const beat = beatOf(card);
  moveNumbers(view.told, step);
  if (hasDragged(view.told)) return view.drawAstray("");
  const off = beat.stage !== "encoding" && isOnStage(card) && step !== beat.step;
  if (off && !view.isAstray()) say("light", { group: group.name, from: "lesson", none: true });
  const way = step > beat.step ? "ahead" : "back";
  view.drawAstray(off && !playing ? way : "");
}

/** Take back all that a card has asked of its group. @param {Card} card */
export function leaveGroup({ group, root }) {
  group.tables.delete(root);
  delete group.asks;
  delete group.asksNext;
  delete group.tells;
  delete group.answer;
  delete group.named;
  delete group.speech;
}

/**
 * Return whether the grid hides what comes next: as long as the text asks for it, and an encoding until it is played.
 * @param {Card} card
 */
function isHiding(card) {
  const { stage } = beatOf(card);
  if (stage === "encoding") return !card.played.has(card.at);
  return isGuessing(card) || (stage === "compare" && isPending(card));
}

/**
 * Return whether a question about the next pair is open, here or later before the next merge.
 * @param {Card} card
 */
function isGuessing({ answered, at, data: { beats } }) {
  for (let beat = at; beats[beat]?.step === beats[at].step; beat++) {
    if (beats[beat].guess && !answered.has(beat)) return true;
  }
  return false;
}

/** @param {Card} card @param {number} last  step of the encoding on the stage */
function stepOf(card, last) {
  const beat = beatOf(card);
  if (beat.stage !== "encoding") return beat.step;
  return card.played.has(card.at) ? last : 0;
}

/** Give the speaker's notes the answer, too, before the room sees it. @param {Card} card */
function tellSpeech({ at, data, group }) {
  const beat = data.beats[at];
  const following = data.beats[at + 1];
  group.speech = {
    at: at + 1,
    of: data.beats.length,
    now: [textOf(beat.say), textOf(beat.question)],
    answer: textOf(beat.answer),
    next: following ? textOf(following.say) : (data.next?.title ?? ""),
  };
  say("speech", { group: group.name });
}

/** Return a sentence as text. @param {Piece[]} pieces */
function textOf(pieces) {
  return pieces.map(([piece]) => labelText(piece)).join("");
}
