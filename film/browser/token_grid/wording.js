// The sentences of the headline.

/** @import {Model} from "../player/feed.js" */
/** @import {Light} from "../shared/groups.js" */
/** @import {LastMove, Grid} from "./types.js" */
/** @import {Cells} from "../player/segmentation.js" */

import { labelText, readable, shortened } from "../shared/chip.js";
import { filled, mergeName, mergeNumber, formatCount, formatNumber } from "../shared/numbers.js";
import { BY_HAND, MORE_RIVALS, ORDER_ONLY, RIVAL_FALLS, RIVAL_STAYS } from "../shared/sentences.js";
import { isFinished, isReplayed, isSecond, tokenOf } from "../player/feed.js";
import { pairNamed, tiedPairs, tokensNow } from "../player/pair_counts.js";
import { tieTerm } from "../shared/tie_terms.js";
import { litRanges } from "./marking.js";
import { chipLabelOf, hexText, isolated } from "../player/spelling.js";
import { make, setHidden } from "../shared/dom.js";
import { cellsOf, eachToken, idAt, tokensAt } from "../player/segmentation.js";

/** Return what a step is called. @param {Pick<Model, "training">} model */
export function unitOf({ training }) {
  return training ? "merge" : "step";
}

/** Return the sentence that no step is left. @param {Model} model */
export function endText({ training, last, replay }) {
  if (!last) return replay?.merges === 0 ? "No merges" : "No merges yet";
  if (!training) return `Encoded in ${formatCount(last, "step")}`;
  return last === 1 ? "The one merge is done" : `All ${formatNumber(last)} merges done`;
}

/**
 * Return how many tokens a tokenizer makes of the whole text, for a stage; "" if the feed does not tell.
 * @param {Model} model  a replay at its end
 */
export function sizeText(model) {
  const tokens = tokensNow(model, model.last);
  const { total } = model.feed.text;
  if (!tokens || !total) return "";
  const each = (total / tokens).toFixed(1);
  return `${formatCount(tokens, "token")} · ${formatCount(total, "character")} · ${each} characters per token`;
}

/**
 * Return who decided a tie. Who can pick none, such as the viewer of a film, has picked nothing.
 * @param {Model} model
 * @param {number} step
 */
function pickedBy({ picked, picks, rule }, step) {
  if (!picked.includes(step)) return `“${rule}” picks`;
  return picks ? "You picked" : "Picked by hand:";
}

/** Return how many pairs tied for a step, and at which count. @param {Model} model @param {number} step */
export function tieText({ steps }, step) {
  return `${formatNumber(steps.tied[step])} pairs tied at ${formatNumber(steps.count[step])}.`;
}

/**
 * Return which of the tied pairs is merged, who decided it, and why; "" if nobody is known to.
 * @param {Model} model
 * @param {number} step
 */
export function choiceText(model, step) {
  const { left, right } = model.steps;
  const pair = pairText(model, [left[step], right[step]]);
  return model.rule ? `${pickedBy(model, step)} ${pair}${reasonAfter(model, step)}.` : "";
}

/**
 * Return the same in fewer words and with the pair first, for a narrow lane that cuts the end of the line.
 * @param {Model} model
 * @param {number} step
 */
export function shortChoiceText(model, step) {
  if (!model.rule || model.picked.includes(step)) return choiceText(model, step);
  const { left, right } = model.steps;
  return `${pairText(model, [left[step], right[step]])} wins by “${model.rule}”${reasonAfter(model, step)}.`;
}

/** Return why a pair won, as the end of a sentence. @param {Model} model @param {number} step */
function reasonAfter(model, step) {
  const why = whyWon(model, step);
  return why && `: ${why}`;
}

// Why a pair won, and what its merge takes from the others: `why_won` and `choice_text` in bpe/analysis/ties.py write the
// same.

/** The last reason of each model: many parts of a page ask for one step. @type {WeakMap<Model, {step: number, words: string}>} */
const REASONS = new WeakMap();

/**
 * Return why the rule merged this pair, as half a sentence; "" for a pick, without a tie, and if the feed does not tell.
 * @param {Model} model
 * @param {number} step
 */
function whyWon(model, step) {
  const { reasons, steps, picked } = model;
  if (!reasons.length || !(steps.tied[step] > 1) || picked.includes(step)) return "";
  const known = REASONS.get(model);
  if (known?.step === step) return known.words;
  const words = reasonOf(model, step);
  REASONS.set(model, { step, words });
  return words;
}

/**
 * Return which term of the rule's order decided a tie, and how many pairs it compared; null if nothing tells.
 * @param {Model} model
 * @param {number} step
 */
function decidingTerm(model, step) {
  const { reasons, steps, later } = model;
  const tied = tiedPairs(model, step);
  if (!tied) {
    if (!later || step >= later.until) return null;
    return later.decided.get(step) ?? { term: 0, compared: steps.tied[step] };
  }
  const tokens = tokensOfModel(model);
  let pairs = tied;
  let compared = tied.length;
  for (const [term, [name]] of reasons.entries()) {
    const valueOf = tieTerm(name);
    const value = valueOf(tokens, steps.left[step], steps.right[step], NO_POSITION);
    compared = pairs.length;
    pairs = pairs.filter(([left, right]) => valueOf(tokens, left, right, NO_POSITION) === value);
    if (pairs.length < 2 || term === reasons.length - 1) return { term, compared };
  }
  return null;
}

/** Positions always differ, so an order that begins with one has no second term, and nobody asks for them here. */
const NO_POSITION = -1;

/** @param {Model} model @returns {import("../shared/tie_terms.js").TiedTokens} */
function tokensOfModel(model) {
  return {
    symbol: (id) => hexText(tokenOf(model, id).bytes),
    spelled: (id) => spelled(model, id),
    length: (id) => tokenOf(model, id).length,
    name: String, // each has a name of its own
    firstPosition: Number,
    lastPosition: Number,
  };
}

/** Return a token's bytes with its markers as they are written. @param {Model} model @param {number} id */
function spelled(model, id) {
  const { markerByte, markerText } = model.spelling;
  const marker = hexText([...new TextEncoder().encode(markerText)]);
  return tokenOf(model, id)
    .bytes.map((byte) => (byte === markerByte ? marker : hexText([byte])))
    .join("");
}

/**
 * @param {Model} model
 * @param {number} step
 */
function reasonOf(model, step) {
  const { reasons, steps, seed, feed } = model;
  const [left, right, id] = [steps.left[step], steps.right[step], steps.ids[step]];
  let term = 0;
  let before = 0;
  if (reasons.length > 1) {
    const decided = decidingTerm(model, step);
    if (!decided) return "";
    ({ term, compared: before } = decided);
  }
  const [name, words] = reasons[term];
  const [, , ofAll, ofSome] = term ? reasons[term - 1] : ["", "", "", ""];
  const sentence = words + (before === steps.tied[step] ? ofAll : ofSome);
  const first = feed.training ? feed.steps.first : 0;
  const nameOf = (/** @type {number} */ token) =>
    token < first ? tokenText(model, token) : `merge_${257 + token - first}`;
  return filled(sentence, {
    left: tokenText(model, left),
    right: tokenText(model, right),
    merged: tokenText(model, id),
    left_id: formatNumber(left),
    right_id: formatNumber(right),
    left_name: nameOf(left),
    right_name: nameOf(right),
    n: formatNumber(before),
    merge: mergeNumber(step),
    seed: formatNumber(seed),
    get at() {
      return wordOfTie(model, step, name === "-last position"); // it looks for the word
    },
  });
}

/**
 * Return ", at " and the first or the last word with the pair that is merged; "" if the feed does not hold all words.
 * @param {Model} model
 * @param {number} step
 * @param {boolean} last
 */
function wordOfTie(model, step, last) {
  if (!model.whole || model.stage) return "";
  const { counted: cells } = cellsOf(model);
  const order = Array.from(model.order.length ? model.order : cells.words.keys());
  if (order.length < 2) return "";
  const { left, right } = model.steps;
  for (const item of last ? order.toReversed() : order) {
    const [from, to] = [cells.firstCell[item], cells.firstCell[item + 1]];
    let before = -1;
    let occurs = false;
    eachToken(cells, step, from, to, (start, end) => {
      const id = idAt(cells, start, end);
      occurs ||= before === left[step] && id === right[step];
      before = id;
    });
    if (!occurs) continue;
    return `, at ${wordText(model, cells, item)}`;
  }
  return "";
}

/**
 * Return a word as text within a sentence.
 * @param {Model} model
 * @param {Cells} cells
 * @param {number} item
 */
function wordText(model, { symbol, firstCell }, item) {
  const symbols = symbol.slice(firstCell[item], firstCell[item + 1]);
  const bytes = Array.from(symbols, (at) => model.symbols[at].bytes).flat();
  return labelOfBytes(
    model,
    bytes.filter((byte) => byte !== model.spelling.markerByte),
  );
}

/**
 * Return whether the tie of a step was a real choice: the merge uses up places of a tied pair, or shares a token with it.
 * @param {Model} model
 * @param {number} step
 */
export function isChoice({ rivals }, step) {
  return rivals.has(step);
}

/** Return which kind of tie it is, as half a sentence; "" without a tie. @param {Model} model @param {number} step */
export function kindText(model, step) {
  const { tied, count } = model.steps;
  if (!(tied[step] > 1) || isReplayed(model, step)) return "";
  const rivals = model.rivals.get(step) ?? [];
  if (!rivals.length) return filled(ORDER_ONLY, { others: tied[step] === 2 ? "other" : "others" });
  const [{ pair, lost }] = rivals;
  const words = filled(lost ? RIVAL_FALLS : RIVAL_STAYS, {
    pair: pairText(model, pair),
    before: formatNumber(count[step]),
    after: formatNumber(count[step] - lost),
  });
  if (rivals.length === 1) return words;
  const others = formatCount(rivals.length - 1, "other");
  return words + filled(MORE_RIVALS, { others, overlap: rivals.length === 2 ? "overlaps" : "overlap" });
}

/**
 * Return how many merges tie, as "7 of 12", and the words behind it: how many of them are real choices.
 * @param {Model} model
 * @returns {[string, string]}
 */
export function tieCount({ steps, rivals, last }) {
  const ties = steps.tied.filter((number) => number > 1).length;
  const number = `${formatNumber(ties)} of ${formatNumber(last)}`;
  const verb = ties === 1 ? "merges ties" : "merges tie";
  if (!ties) return [number, verb];
  const choices = rivals.size;
  if (!choices) return [number, `${verb}; ${ties === 1 ? "it is no real choice" : "none is a real choice"}`];
  if (choices < ties)
    return [
      number,
      `${verb}; ${formatNumber(choices)} ${choices === 1 ? "is a real choice" : "are real choices"}`,
    ];
  const all = `${ties === 2 ? "both" : "all"} are real choices`;
  return [number, `${verb}; ${ties === 1 ? "it is a real choice" : all}`];
}

const SHORT_ORDER_ONLY = "This only decides the order.";

/** Return which kind of tie it is, as a sentence for a narrow lane. @param {Model} model @param {number} step */
export function shortKindSentence(model, step) {
  return isChoice(model, step) ? kindSentence(model, step) : SHORT_ORDER_ONLY;
}

/**
 * Return why the pair of a merge won its tie, also if it was picked; "" if it did not tie or nothing tells.
 * @param {Model} model
 * @param {number} step
 */
export function whyChosen(model, step) {
  if (!(model.steps.tied[step] > 1 && model.picked.includes(step))) return whyWon(model, step);
  return model.picks ? "you picked it" : BY_HAND;
}

/**
 * Return the whole of a tie in one line, for a stage: there the pair stands above it, and its rivals are outlined.
 * @param {Model} model
 * @param {number} step
 * @param {boolean} [withKind]  whether it says which kind of tie it is
 */
export function stageTieText(model, step, withKind = true) {
  const why = whyChosen(model, step);
  const tie = why ? `${tieText(model, step).slice(0, -1)}: ${why}.` : tieText(model, step);
  if (!withKind) return tie;
  return `${tie} ${isChoice(model, step) ? "A real choice." : SHORT_ORDER_ONLY}`;
}

/** Return which kind of tie it is, as a sentence. @param {Model} model @param {number} step */
export function kindSentence(model, step) {
  const words = kindText(model, step);
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Return a pair as text within a sentence. @param {Model} model @param {number[]} pair  ids of its tokens */
export function pairText(model, pair) {
  return pair.map((id) => tokenText(model, id)).join(" + ");
}

/** Return the tokens of a word as text within a sentence. @param {Model} model @param {number[]} ids */
export function tokensText(model, ids) {
  return ids.map((id) => tokenText(model, id)).join(" ");
}

/** Return a token as its chip writes it, bytes as their digits. @param {Model} model @param {number} id */
function tokenText(model, id) {
  return labelOfBytes(model, tokenOf(model, id).bytes);
}

/** @param {Model} model @param {number[]} bytes */
function labelOfBytes(model, bytes) {
  const label = shortened(chipLabelOf(bytes, model.spelling));
  return isolated(labelText(readable(label, model.feed.marker_text)));
}

/**
 * Return the name of a step, from 1, at the beginning of a sentence.
 * @param {Pick<Model, "training">} model
 * @param {number} step
 */
export function stepName({ training }, step) {
  return `${training ? "Merge" : "Step"} ${mergeNumber(step)}`;
}

/** Return the changes by a step: "Merge 1: 9 fewer tokens". @param {Model} model @param {LastMove} move */
export function changeText({ training, taken, steps }, { rank, forwards }) {
  const name = stepName({ training }, rank);
  if (taken) return `${name} ${forwards ? "done" : "undone"}`;
  const fewer = formatCount(steps.replaced[rank], "fewer token");
  return forwards
    ? `${name}: ${fewer}`
    : `${name} undone: ${formatCount(steps.replaced[rank], "token")} back`;
}

/**
 * Return how often a pair occurs: "9 times", or both its count and its replacements if they differ: since occurrences
 * overlap, or since the tokenizer of a replay merges the pair at some of its places only.
 * @param {Model} model
 * @param {number} step
 */
export function countText(model, step) {
  const { count, replaced } = model.steps;
  if (count[step] === replaced[step] || !model.training) return formatCount(replaced[step], "time");
  const counted = `counted ${formatCount(count[step], "time")}`;
  const merged = formatNumber(replaced[step]);
  return model.replay && isReplayed(model, step)
    ? `${counted}, and the tokenizer merges ${merged} of them`
    : `${counted}, but only ${merged} can be merged`;
}

/** Return the name of a step among all steps. @param {Model} model @param {number} step */
function stepOfAll({ last, training }, step) {
  return `${stepName({ training }, step)} of ${formatNumber(last)}`;
}

/**
 * Return the number of a step among all steps. For an encoding or a replay, also name the merge that it applies.
 * @param {Model} model
 * @param {number} step
 */
export function ordinal(model, step) {
  const { replay, steps } = model;
  const { ranks } = steps;
  const name = stepOfAll(model, step);
  if (replay && isReplayed(model, step)) return `${name} · ${mergeName(replay.ranks[step])} of the tokenizer`;
  if (isSecond(model, step)) return `${name} · ${stageName(model)}`;
  return ranks ? `${name} · applies ${mergeName(ranks[step])}` : name;
}

/** Return a short name of the second stage; "" without one. @param {Pick<Model, "stage">} model */
export function stageName({ stage }) {
  if (!stage) return "";
  return stage.superwords ? "superwords" : "learned here";
}

/**
 * Return the text above a grid that hides the next step: a question. In a lesson that asks something else, it only says
 * at which step the grid is.
 * @param {Model} model
 * @param {number} step
 * @param {boolean} asks
 */
export function guessText(model, step, asks) {
  const name = stepOfAll(model, step);
  if (!asks) return `Before ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return `${name} · which ${model.taken ? "token" : "pair"} comes next?`;
}

/**
 * Return which step is next, and how often its pair occurs: the end of the same line.
 * @param {Model} model
 * @param {number} step
 * @returns {[string, string]}
 */
export function nextText(model, step) {
  const times = countText(model, step);
  return !model.training && times === "1 time"
    ? [`${ordinal(model, step)} `, "once"]
    : [`${ordinal(model, step)} · `, times];
}

// The answer in the headline of a replay: would the counts of this text have chosen the pair that is merged next?

/**
 * Return the answer for a step, as its main sentence and the reason; null if it is no step of a replay. Where nothing is
 * learned, nothing is said of pairs that tie: no tie is broken there.
 * @param {Model} model
 * @param {number} step
 * @returns {{yes: boolean, sentence: string, reason: string} | null}
 */
export function replayAnswer(model, step) {
  const { replay } = model;
  const { tied, count } = model.steps;
  if (!replay || step >= replay.steps || (tied[step] > 1 && isFinished(model))) return null;
  if (tied[step] === 0) {
    const best = pairText(model, replay.best[step]);
    const times = `${formatCount(count[step], "time")}, ${best} ${formatCount(replay.highest[step], "time")}`;
    return {
      yes: false,
      sentence: "Training on this text would choose another pair:",
      reason: `this one occurs ${times}.`,
    };
  }
  const reason =
    tied[step] === 1
      ? "no pair is more frequent."
      : `it is one of ${formatNumber(tied[step])} pairs tied at ${formatNumber(count[step])}.`;
  const sentence =
    tied[step] === 1
      ? "Training on this text would choose this pair too:"
      : "Training on this text could choose this pair too:";
  return { yes: true, sentence, reason };
}

/** Make the element that shows the answer. @param {Grid} grid */
export function createReplayAnswer(grid) {
  const element = make("span", "badge answer", { "data-testid": "counts-badge", hidden: true });

  /** Draw the answer for a step, or hide it. @param {number} step @param {boolean} visible */
  function draw(step, visible) {
    const answer = visible ? replayAnswer(grid.model, step) : null;
    setHidden(element, !answer);
    if (!answer) return;
    element.classList.toggle("other", !answer.yes);
    element.dataset.chosen = answer.yes ? "yes" : "no";
    element.replaceChildren(make("b", "", {}, answer.sentence), ` ${answer.reason}`);
  }
  return { element, draw };
}

// What a figure counts, in words: said when the figure lights it.

const MOST_NAMED = 5; // words, or pairs

/**
 * Say what is lit and where: "e + s: newest 6, widest 3."
 * @param {import("./marking.js").Lit} grid
 * @param {Light} lit
 */
export function lightText(grid, lit) {
  const { model, step, tied } = grid;
  const lights = { ...grid, lit };
  const { steps, last } = model;
  if (lit.counts === "ties") {
    return `${tieCount(model).join(" ")}. The boundaries that they close are marked.`;
  }
  if (lit.counts === "vocabulary") {
    const first = grid.layouts.flatMap((layout) => litRanges(lights, layout, 0, layout.cells.size));
    return `${formatCount(first.length, "different token")} of the vocabulary in the text shown, each lit once.`;
  }
  const where = placesText(lights);
  if (lit.merge !== undefined) {
    if (lit.merge >= last) return "";
    const pair = pairText(model, [steps.left[lit.merge], steps.right[lit.merge]]);
    return `${stepName(model, lit.merge)}, ${pair}${where}.`;
  }
  if (lit.counts === "tokens") return `${formatCount(tokensNow(model, step) ?? 0, "token")}${where}.`;
  if (lit.counts === "tied") {
    const pairs = [...tied].slice(0, MOST_NAMED).map((name) => pairText(model, pairNamed(name)));
    const more =
      tied.size > pairs.length ? `, and ${formatCount(tied.size - pairs.length, "more pair")}` : "";
    return `${pairs.join(", ")}${more}, ${formatCount(steps.count[step], "time")} each${where}.`;
  }
  const { left = steps.left[step], right = steps.right[step] } = lit;
  return step < last || lit.left !== undefined ? `${pairText(model, [left, right])}${where}.` : "";
}

/**
 * Say how often what is lit occurs, word by word; where the words are not all there, in how many places that are shown.
 * @param {import("./marking.js").Lit} grid
 */
function placesText(grid) {
  const layout = grid.layouts.find(({ cells }) => cells.distinct);
  if (!layout || grid.model.further) {
    const [last] = grid.layouts.slice(-1);
    const ranges = last ? litRanges(grid, last, 0, last.cells.size) : [];
    return `, ${formatCount(ranges.length, "place")} in the text shown`;
  }
  const { cells } = layout;
  const { frequency } = grid.model.words;
  /** @type {Map<number, number>} */
  const times = new Map();
  for (const [start] of litRanges(grid, layout, 0, cells.size)) {
    const item = cells.item[start];
    times.set(item, (times.get(item) ?? 0) + frequency[cells.words[item]]);
  }
  if (!times.size) return "";
  const named = [...times].slice(0, MOST_NAMED);
  const words = named.map(([item, count]) => `${wordText(grid.model, cells, item)} ${formatNumber(count)}`);
  const more = times.size > named.length ? ` and ${formatCount(times.size - named.length, "more word")}` : "";
  return `: ${words.join(", ")}${more}`;
}

// Texts for screen readers: each merge in words, and the current frame.

const BETWEEN = 6_000; // ms between two sentences while the grid plays: about as long as one takes to read aloud
const MOST_TOKENS = 3000; // nobody listens to more, and it would slow down screen readers

/** Make the texts for screen readers. @param {Grid} grid */
export function createSpoken(grid) {
  const live = make("p", "unseen", { "aria-live": "polite", "data-testid": "live" });
  const frame = make("p", "unseen", { "data-testid": "frame-text", id: "frame-text" });
  let lastSentence = ""; // about a merge; details of tokens are spoken in between
  let spokenAt = -Infinity; // when it was said
  /** @type {{cells: Cells, step: number} | null} */
  let lastFrame = null; // the frame that the text describes

  /** @param {string} text */
  function say(text) {
    live.textContent = text;
  }

  // At rest, and now and then while the grid plays slowly: nobody could follow more, and the text takes long to lay out.
  function draw() {
    const { model, step, playhead, lane } = grid;
    if (playhead.beat === "fast" || playhead.scrubbing) return;
    const opened = step > 0 && step === model.last && !grid.lastMove && isFinished(model);
    const about = opened ? `${endText(model)}.` : step ? stepSentence(model, step - 1) : startSentence(model);
    const sentence = lane?.title ? `${lane.title}: ${about}` : about; // lanes speak one after the other
    const waits = playhead.playing && performance.now() - spokenAt < BETWEEN;
    if (sentence !== lastSentence && !waits) {
      spokenAt = performance.now();
      say((lastSentence = sentence));
    }
    const { cells } = grid.layouts[grid.layouts.length - 1];
    if (playhead.playing || (lastFrame?.cells === cells && lastFrame.step === step)) return;
    lastFrame = { cells, step };
    frame.textContent = frameText(cells, step);
  }

  return { elements: [live, frame], say, draw };
}

/** Describe the start in a sentence. @param {Model} model */
export function startSentence({ training, last }) {
  return `Start. ${formatCount(last, unitOf({ training }))} to come.`;
}

/** Describe a step in a sentence. @param {Model} model @param {number} step */
export function stepSentence(model, step) {
  const { left, right, ids, tied, ranks, replaced } = model.steps;
  const label = (/** @type {number} */ id) => tokenOf(model, id).label;
  const times = formatCount(replaced[step], "time");
  const name = `${stepName(model, step)} of ${formatNumber(model.last)}`;
  if (model.taken) return `${name}: ${label(ids[step])} is split off, ${times}`;
  const uses = ranks ? `, applies ${mergeName(ranks[step])}` : "";
  const merge = `${label(left[step])} and ${label(right[step])} become ${label(ids[step])}, ${times}`;
  const answer = replayAnswer(model, step);
  if (answer) return `${name}: ${merge}. ${answer.sentence} ${answer.reason}`;
  const ties =
    tied[step] > 1 && !isFinished(model)
      ? `; ${tied[step]} pairs were tied. ${[choiceText(model, step), kindSentence(model, step)].filter(Boolean).join(" ")}`.trimEnd()
      : "";
  return `${name}${uses}: ${merge}${ties}`;
}

/** Write the tokens after `step` steps as text, with bars between words. @param {Cells} cells @param {number} step */
export function frameText(cells, step) {
  const { model } = cells;
  const words = [];
  let tokens = 0;
  let item = 0;
  eachToken(cells, step, 0, Math.min(cells.size, MOST_TOKENS), (start, end) => {
    if (cells.item[start] !== item) words.push("| ");
    item = cells.item[start];
    words.push(`${tokenOf(model, idAt(cells, start, end)).label} `);
    tokens += 1;
  });
  const all = tokensAt(cells, step);
  if (tokens < all) words.push(` and ${formatCount(all - tokens, "more token")}`);
  const progress = `${formatNumber(step)} of ${formatCount(model.last, unitOf(model))}`;
  return `${formatCount(all, "token")} after ${progress}: ${words.join("")}`;
}
