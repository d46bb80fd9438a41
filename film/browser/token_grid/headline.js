// The sentence above the grid: the merged pair, the new token, the count, and how many pairs tied. A replay says instead
// whether the counts would have chosen the pair. In the last beat of a merge it gives the changes.

/** @import {Grid, LastMove} from "./types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {Timer} from "../shared/dom.js" */
/** @import {Counted} from "../shared/groups.js" */
/** @import {Figure} from "../shared/pointed.js" */

import { make, setHidden } from "../shared/dom.js";
import { formatNumber, formatCount, sumOf } from "../shared/numbers.js";
import { mergedPair, tokensNow, vocabularyNow, tokenChanges, pairNamed } from "../player/pair_counts.js";
import { BEATS, FASTEST, SPEEDS } from "../player/playhead.js";
import { flyFrom, flyFromPair } from "./flight.js";
import { eachPair } from "./marking.js";
import { isKnown, tellsNow } from "../shared/groups.js";
import { createFigure } from "../shared/pointed.js";
import { isFinished, isReplayed } from "../player/feed.js";
import { PHASES } from "./chip_motion.js";
import { sentenceParts } from "./token_chips.js";
import {
  createReplayAnswer,
  changeText,
  choiceText,
  endText,
  nextText,
  guessText,
  isChoice,
  kindSentence,
  lightText,
  ordinal,
  pairText,
  shortChoiceText,
  shortKindSentence,
  stageTieText,
  stepName,
  tieCount,
  sizeText,
  tieText,
} from "./wording.js";

// Live numbers: tokens in the corpus, size of the vocabulary, merges done. In the presenter view they have names; on a page
// that asks for them they are one line, with the share of ties.

const FIGURES = ["vocabulary", "merge"]; // terms that a figure has as its name
const TICKING = 320; // ms that a number counts from its former value
const MET = 0.7; // share of the time in which chips fuse, after which their parts have met

/** @typedef {{name: string, title: string, element: HTMLElement}} FigureRow */

/**
 * Make the numbers of a grid.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createLiveNumbers(grid, signal) {
  const element = make("dl", "numbers", { "data-testid": "live-numbers" });
  const figureOf = (/** @type {Counted} */ counts) => gridFigure(grid, counts, signal);
  const figures = { tokens: figureOf("tokens"), vocabulary: figureOf("vocabulary"), ties: figureOf("ties") };
  const progress = make("span");
  let lastKey = "";
  let lastNames = ""; // of the figures drawn
  let frame = 0; // of the numbers that tick

  function draw() {
    const { model, step } = grid;
    const presenting = grid.panels.presenter.isOn();
    const visible = (presenting || grid.data.numbers) && !grid.lane?.title && model.training;
    setHidden(element, !visible);
    const unknown = FIGURES.filter((term) => !isKnown(grid.group, term));
    const key = `${visible} ${presenting} ${model.feed.id} ${step} ${unknown}`;
    if (!visible || key === lastKey) return;
    lastKey = key;
    const before = numbersDrawn().map(({ textContent }) => textContent);
    element.classList.toggle("sentence", !presenting);
    const tokens = tokensNow(model, step);
    const vocabulary = unknown.includes("vocabulary") ? "" : numberText(vocabularyNow(model, step));
    /** @type {(FigureRow | null)[]} */
    const rows = [
      row(
        presenting ? "Tokens" : tokens === 1 ? "token" : "tokens",
        "in the text",
        numberText(tokens),
        figures.tokens,
      ),
      row(presenting ? "Vocabulary" : "in the vocabulary", "", vocabulary, figures.vocabulary),
    ];
    const [ties, words] = model.feed.training && model.feed.replay ? ["", ""] : tieCount(model);
    const [verb, kinds = ""] = words.split(/(?=;)/); // on the page the first part is seen
    if (!presenting) rows.push(row(verb, kinds, ties, figures.ties));
    else if (!unknown.includes("merge")) {
      progress.textContent = `${formatNumber(step)} of ${formatNumber(model.last)}`;
      rows.push({ name: "Merges", title: "", element: progress });
    }
    drawRows(rows.filter((one) => one !== null));
    cancelAnimationFrame(frame);
    const { motion, beat, scrubbing } = grid.playhead;
    if (motion && grid.lastMove && beat !== "fast" && !scrubbing && !document.hidden) tick(before);
  }

  /**
   * @param {string} name
   * @param {string} more  what only a tip and a screen reader say
   * @param {string} number  "" to leave it out
   * @param {Figure} figure
   */
  function row(name, more, number, figure) {
    const space = more && !more.startsWith(";") ? " " : "";
    const title = `${name}${space}${more}`;
    figure.draw(number, number && `${number} ${title}`);
    return number ? { name, title, element: figure.element } : null;
  }

  /**
   * Draw names and numbers. An element that is there already stays, and so does the focus that it may have.
   * @param {FigureRow[]} rows
   */
  function drawRows(rows) {
    const names = rows.map(({ name, title }) => name + title).join("|");
    if (names === lastNames) return;
    lastNames = names;
    element.replaceChildren(
      ...rows.map((one) =>
        make("div", "", { title: one.title }, make("dt", "", {}, one.name), make("dd", "", {}, one.element)),
      ),
    );
  }

  function numbersDrawn() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("dd > *"))];
  }

  /**
   * Let the numbers that have changed count from their former values, once the parts of new tokens have met.
   * @param {(string | null)[]} before
   */
  function tick(before) {
    const counters = numbersDrawn().flatMap((number, at) => {
      const [from, to] = [before[at], number.textContent].map((text) => Number(text?.replaceAll(",", "")));
      return from !== to && from + to > 0 ? [{ number, from, to }] : [];
    });
    if (!counters.length) return;
    const { beat, speed } = grid.playhead;
    const wait = beat === "fuse" ? (MET * BEATS.fuse) / (SPEEDS[speed].factor ?? FASTEST) : 0;
    const begin = performance.now() + wait;
    count(begin);

    /** @param {number} time */
    function count(time) {
      const share = Math.max(0, Math.min(1, (time - begin) / TICKING));
      for (const { number, from, to } of counters) {
        number.textContent = formatNumber(Math.round(from + (to - from) * share));
      }
      if (share < 1) frame = requestAnimationFrame(count);
    }
  }
  return { element, draw };
}

/** @param {number | null} value */
function numberText(value) {
  return value === null ? "" : formatNumber(value);
}

/**
 * Make a number that lights what it counts in this grid, and in no other lane.
 * @param {Grid} grid
 * @param {Counted} counts
 * @param {AbortSignal} signal
 */
function gridFigure(grid, counts, signal) {
  const lane = grid.lane?.index;
  const light = lane === undefined ? { counts } : { counts, lane };
  return createFigure(grid.group.name, light, () => lightText(grid, light), signal);
}

// How the count of a pair is built from the words: 6 + 3 = 9. The frequencies of the words fly to their place in the sum.

const MOST_TERMS = 5; // a longer sum is not read

/** A word with the pair: its position among the distinct words, its frequency, and how often it holds the pair. @typedef {{item: number, frequency: number, times: number}} Term */

/**
 * Return the words of which a pair's count is the sum; none if they are too many, or if the count is another one because
 * occurrences overlap.
 * @param {Pick<Grid, "model" | "step" | "layouts" | "tied" | "visibleMarks" | "cursor" | "differsAt">} grid
 * @returns {Term[]}
 */
function termsOf(grid) {
  const { model, step } = grid;
  const layout = grid.layouts.find(({ cells }) => cells.distinct);
  if (!layout || !model.training || model.further || step >= model.last) return [];
  const chosen = mergedPair(model, step);
  /** @type {Map<number, Term>} */
  const terms = new Map();
  eachPair(grid, layout, 0, layout.cells.size, (name, start) => {
    if (name !== chosen) return;
    const item = layout.cells.item[start];
    const frequency = model.words.frequency[layout.cells.words[item]];
    const term = terms.get(item) ?? { item, frequency, times: 0 };
    terms.set(item, { ...term, times: term.times + 1 });
  });
  const all = [...terms.values()];
  const sum = sumOf(all.map(({ frequency, times }) => frequency * times));
  return all.length > 1 && all.length <= MOST_TERMS && sum === model.steps.count[step] ? all : [];
}

/** Return the sum as text. @param {Term} term */
function termText({ frequency, times }) {
  return times > 1 ? `${formatNumber(times)} × ${formatNumber(frequency)}` : formatNumber(frequency);
}

/** Make the sum of a grid's headline. @param {Grid} grid */
function createSum(grid) {
  const element = make("span", "sum", { "data-testid": "sum", hidden: true });
  /** @type {Term[]} */
  let terms = [];

  /** @param {boolean} wanted  whether the next merge may be seen */
  function draw(wanted) {
    terms = wanted && grid.panels.presenter.isOn() ? termsOf(grid) : [];
    setHidden(element, terms.length === 0);
    if (!terms.length) return;
    const parts = terms.flatMap((term, at) => [
      ...(at ? [" + "] : []),
      make("span", "term", {}, termText(term)),
    ]);
    element.replaceChildren(...parts, ` = ${formatNumber(grid.model.steps.count[grid.step])}`);
  }

  /**
   * Let the frequencies fly to their place in the sum. Return a function that ends it.
   * @param {number} pace  1 at 1×
   */
  function fly(pace) {
    const labels = [...grid.elements.stage.querySelectorAll(".frequency")];
    const spans = /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".term"));
    const pairs = terms.flatMap(({ item }, at) =>
      labels[item] ? [{ to: spans[at], from: labels[item] }] : [],
    );
    const ends = pairs.map(({ to, from }) => flyFrom(grid, to, from.getBoundingClientRect(), pace));
    return () => ends.forEach((end) => end());
  }
  return { element, draw, fly };
}

// The headline of a fast film: the last tokens made, the newest one large, and the falling number of tokens.

const MOST_SHOWN = 5; // tokens

/**
 * Return the ids of the last tokens made or taken before a step, the newest first.
 * @param {Model} model
 * @param {number} step
 */
export function lastTokens({ steps }, step) {
  return Array.from(steps.ids.slice(Math.max(0, step - MOST_SHOWN), step)).toReversed();
}

/** Return the elements of the last tokens. @param {Grid} grid */
function tickerTokens({ model, step, chipFor }) {
  return lastTokens(model, step).map((id, at) => make("span", at ? "earlier" : "newest", {}, chipFor(id)));
}

const MEET = PHASES.lean + PHASES.meet; // when the words' chips meet too
/** The new token appears when its parts meet. @type {Keyframe[]} */
const BORN = [
  { opacity: 0.25, transform: "scale(0.86)" },
  { opacity: 0.25, transform: "scale(0.86)", offset: MEET },
  { opacity: 1, transform: "scale(1.04)", offset: MEET + PHASES.flash / 2 },
  { opacity: 1, transform: "none" },
];
const REAL_CHOICE = "real-choice"; // a term
const NO_TIE = " · no tie";
const MOST_BUTTONS = 2; // other tied pairs that are a button each; more of them are a list
const MOST_OFFERED = 100; // other tied pairs in one list
const WHILE_DRAGGED = 100; // ms between two drawings while the scrubber is dragged

/**
 * Make the headline of a grid.
 * @param {Grid} grid
 * @param {AbortSignal} signal
 */
export function createHeadline(grid, signal) {
  const pair = make("span", "merge");
  const stepText = make("span");
  const times = gridFigure(grid, "pair", signal);
  const untied = make("span");
  const count = make("span", "count", {}, stepText, times.element, untied);
  const rivals = gridFigure(grid, "tied", signal);
  const tieWords = make("span");
  const badge = make(
    "span",
    "badge",
    { "data-testid": "tie-badge", hidden: true },
    make("b", "", {}, rivals.element),
    tieWords,
  );
  const sum = createSum(grid);
  const changes = make("span", "changes", { "data-testid": "changes", hidden: true });
  const answer = createReplayAnswer(grid);
  const element = make(
    "div",
    "headline",
    { "data-testid": "headline" },
    pair,
    count,
    sum.element,
    changes,
    badge,
    answer.element,
  );
  let beatBefore = ""; // at the last drawing
  let lastKey = ""; // what the drawn headline depends on
  let land = () => {}; // ends the flight of the chosen pair
  /** @type {Timer} */
  let waiting;

  // A line of chips costs as much as the grid below: while the scrubber is dragged it follows ten times a second.
  function draw() {
    if (!grid.playhead.scrubbing) drawNow();
    else waiting ||= setTimeout(drawNow, WHILE_DRAGGED);
  }

  function drawNow() {
    clearTimeout(waiting);
    waiting = undefined;
    const { model, playhead, lastMove, visibleMarks, theme, tied, options } = grid;
    const fuses = playhead.beat === "fuse" ? lastMove : null;
    const settles = playhead.beat === "settle" ? lastMove : null;
    const guess = playhead.beat === "guess";
    const fast = playhead.beat === "fast";
    const asks = grid.group.asksNext ?? true; // a lesson can ask something else, or nothing
    const step = fuses ? fuses.rank : grid.step; // the fusing pair is named until the beat ends
    const tells = tellsNow(grid.group);
    const silent = tells !== null && !tells.winner && !tells.tied; // the text is about something else
    const knowsTies = isKnown(grid.group, "tie");
    const knowsChoices = isKnown(grid.group, REAL_CHOICE);
    const beat = `${Boolean(fuses)} ${Boolean(settles)} ${guess} ${asks} ${fast} ${silent} ${tells?.headline} ${knowsTies} ${knowsChoices} ${grid.panels.presenter.isOn()}`;
    const chosen = playhead.motion && playhead.beat === "select" && beatBefore === "count";
    beatBefore = playhead.beat;
    const key = `${model.feed.id} ${step} ${beat} ${visibleMarks.winner} ${visibleMarks.tied} ${theme} ${tied.size} ${options.colour} ${grid.fitted}`;
    if (key === lastKey) return;
    lastKey = key;
    land();
    const ties = knowsTies && model.steps.tied.some((number, at) => number > 1 && !isReplayed(model, at));
    element.classList.toggle("silent", silent);
    setHidden(element, silent && !tells.headline); // otherwise its room is kept: nothing jumps
    // A replay that opens at its end has nothing to say there.
    const opened = isFinished(model) && step === model.last && !grid.lastMove;
    element.classList.toggle("roomy", ties || (Boolean(model.replay) && !opened)); // room for the badge: nothing jumps
    const quiet = guess || fast || Boolean(settles);
    setHidden(badge, !knowsTies || quiet || isReplayed(model, step) || !(model.steps.tied[step] > 1));
    const known = Boolean(fuses) || visibleMarks.winner;
    answer.draw(step, !quiet && known);
    const alone = ties && known && !quiet && step < model.last && !isReplayed(model, step) && badge.hidden;
    untied.textContent = alone ? NO_TIE : "";
    setHidden(changes, !settles && !(ties && badge.hidden && step > 0 && !fast));
    sum.draw(visibleMarks.winner && playhead.beat === "select");
    setHidden(pair, Boolean(settles));
    pair.classList.toggle("ticker", fast);
    if (!changes.hidden) drawChanges(settles ?? { rank: step - 1, forwards: true }, Boolean(settles));
    if (badge.hidden) rivals.draw("");
    if (settles) return drawCount(changeText(model, settles));
    if (step >= model.last) return drawEnd();
    if (fast) return drawTicker();
    if (guess || !known) {
      pair.replaceChildren(...(model.taken ? ["?"] : ["?", "+", "?", "→", "?"]).map(sign));
    } else drawMerge(step, Boolean(fuses), Boolean(fuses?.forwards));
    if (guess) drawCount(guessText(model, step, asks));
    else drawCount(...nextText(model, step));
    if (!badge.hidden) drawBadge(step, Boolean(fuses));
    if (chosen) fly();
  }

  /**
   * @param {string} text
   * @param {string} [number]  how often the pair occurs
   */
  function drawCount(text, number = "") {
    stepText.textContent = text;
    const lights = grid.model.training && grid.visibleMarks.winner;
    times.draw(lights ? number : "");
    if (!lights) stepText.append(number);
  }

  /**
   * Draw the tokens of a merge, each with its number of occurrences before and after.
   * @param {LastMove} move
   * @param {boolean} settles
   */
  function drawChanges({ rank, forwards }, settles) {
    changes.classList.toggle("large", settles);
    const elements = tokenChanges(grid.model, rank).map(({ id, by, before, after }) => {
      const signed = forwards ? by : -by;
      const difference = `${signed > 0 ? "+" : "−"}${formatNumber(Math.abs(signed))}`;
      const numbers = [before, after].map((value) => formatNumber(value ?? 0));
      const text = before === null ? difference : (forwards ? numbers : numbers.toReversed()).join(" → ");
      return make("span", `change ${signed > 0 ? "more" : "less"}`, {}, grid.chipFor(id), text);
    });
    const name = `${stepName(grid.model, rank)} changed: `;
    changes.replaceChildren(...(settles ? elements : [make("span", "last", {}, name, ...elements)]));
  }

  function drawTicker() {
    const { model, step } = grid;
    const tokens = tokensNow(model, step); // null if the feed does not tell
    pair.replaceChildren(...tickerTokens(grid));
    drawCount([...(tokens === null ? [] : [formatCount(tokens, "token")]), ordinal(model, step)].join(" · "));
  }

  /** @param {number} step @param {boolean} fuses @param {boolean} moves  whether the parts meet here too */
  function drawMerge(step, fuses, moves) {
    const { left, right, ids } = grid.model.steps;
    if (grid.model.taken) return pair.replaceChildren(sign("split off"), grid.chipFor(ids[step]));
    const [one, other, merged] = [left[step], right[step], ids[step]].map(grid.chipFor);
    merged.classList.toggle("unborn", !fuses);
    pair.replaceChildren(one, sign("+"), other, sign("→"), merged);
    if (!moves || !grid.playhead.motion) return;
    const timing = { duration: BEATS.fuse / (SPEEDS[grid.playhead.speed].factor ?? FASTEST) };
    const running = [
      one.animate(meetFrames(1), timing),
      other.animate(meetFrames(-1), timing),
      merged.animate(BORN, timing),
    ];
    land = () => running.forEach((animation) => animation.cancel());
  }

  function fly() {
    const { factor = FASTEST } = SPEEDS[grid.playhead.speed];
    const parts = /** @type {NodeListOf<HTMLElement>} */ (pair.querySelectorAll(".chip:not(:last-child)"));
    const ends = [flyFromPair(grid, [...parts], factor), sum.fly(factor)];
    land = () => ends.forEach((end) => end());
  }

  function drawEnd() {
    const { model } = grid;
    const replays = model.replay && isFinished(model) && grid.panels.presenter.isOn();
    const size = replays ? sizeText(model) : "";
    pair.replaceChildren(make("span", size ? "done size" : "done", {}, size || endText(model)));
    drawCount(model.feed.ending);
  }

  /** @param {number} step @param {boolean} fuses */
  function drawBadge(step, fuses) {
    const { model } = grid;
    const inWords = grid.lane ? [shortChoiceText, shortKindSentence] : [choiceText, kindSentence];
    const known = fuses || grid.visibleMarks.winner;
    // Why this pair, and which kind of tie it is: a lesson says the latter once it has said what a real choice is.
    const knowsChoices = isKnown(grid.group, REAL_CHOICE);
    const words = inWords
      .slice(0, knowsChoices ? 2 : 1)
      .map((text) => text(model, step))
      .filter(Boolean);
    badge.classList.toggle("order", known && !isChoice(model, step));
    const stage = known && grid.panels.presenter.isOn();
    rivals.draw(stage ? "" : tieText(model, step));
    const others = [...grid.tied]
      .map(pairNamed)
      .filter(([a, b]) => a !== pairAt(grid.step)[0] || b !== pairAt(grid.step)[1]);
    const offers = model.picks && grid.visibleMarks.winner && !grid.panels.presenter.isOn();
    const picks = offers && others.length ? [make("span", "picks", {}, ...pickControls(others))] : [];
    badge.title = "";
    if (stage)
      return tieWords.replaceChildren(...sentenceParts(grid, stageTieText(model, step, knowsChoices)));
    const sentenceOf = (/** @type {string[]} */ said) =>
      known ? sentenceParts(grid, ` ${said.join(" ")}`) : [];
    // A lane has a few lines for its tie, which a long word fills: there the sentence comes after the pick. Where a tie
    // only decides the order, a tip says who decided it.
    if (grid.lane) {
      const said = knowsChoices && known && !isChoice(model, step) ? words.slice(1) : words;
      if (said.length < words.length) badge.title = words.join(" ");
      return tieWords.replaceChildren(...(picks.length ? [" ", ...picks, "."] : []), ...sentenceOf(said));
    }
    // Elsewhere it says less then, and a tip says the rest.
    for (let said = words; ; said = said.slice(1)) {
      tieWords.replaceChildren(...sentenceOf(said), ...(picks.length ? [" ", ...picks] : []));
      for (const together of [true, false]) {
        badge.classList.toggle("together", together);
        if (!said.length || linesOf(badge) <= mostLines()) return;
      }
      badge.title = words.join(" ");
    }
  }

  /** @param {number} step @returns {[number, number]} */
  function pairAt(step) {
    const { left, right } = grid.model.steps;
    return [left[step], right[step]];
  }

  /** @param {[number, number][]} others  tied pairs that are not merged next */
  function pickControls([first, ...rest]) {
    const { model } = grid;
    const button = pickButton(`Pick ${pairText(model, first)} instead`, first);
    if (rest.length <= MOST_BUTTONS) {
      return [
        button,
        ...rest.flatMap((other) => [
          make("span", "or", {}, " or "),
          pickButton(pairText(model, other), other, `Pick ${pairText(model, other)} instead`),
        ]),
      ];
    }
    const name = ["Another tied pair", grid.lane?.title].filter(Boolean).join(", ");
    const select = make("select", "pick", { "aria-label": name, change: pickSelected });
    function pickSelected() {
      if (select.value) grid.pick(rest[Number(select.value)]);
    }
    const offered = rest.slice(0, MOST_OFFERED);
    select.append(make("option", "", { value: "" }, `or one of ${formatNumber(rest.length)} others`));
    select.append(...offered.map((other, at) => make("option", "", { value: at }, pairText(model, other))));
    const more = `and ${formatNumber(rest.length - MOST_OFFERED)} more`;
    if (rest.length > MOST_OFFERED) select.append(make("option", "", { value: "", disabled: true }, more));
    return [button, " ", select];
  }

  /**
   * @param {string} text
   * @param {[number, number]} other
   * @param {string} [name]  for screen readers, which read a button alone; by default the text
   */
  function pickButton(text, other, name = text) {
    const title = "The merges after this one are then learned again.";
    const click = () => grid.pick(other);
    const label = name === text ? null : name; // axe misses a marker, which is drawn, in a name that repeats the text
    const attributes = { type: "button", "data-testid": "pick", title, "aria-label": label, click };
    return make("button", "pick", attributes, ...sentenceParts(grid, text));
  }

  return { element, draw };
}

/**
 * Return the keyframes of a part that moves towards the other one until the words' chips meet.
 * @param {1 | -1} side
 * @returns {Keyframe[]}
 */
function meetFrames(side) {
  return [
    { transform: "none" },
    { transform: `translateX(${side * 0.3}em)`, offset: MEET, easing: "ease-out" },
    { transform: "none" },
  ];
}

function mostLines() {
  return matchMedia("(max-width: 699px)").matches ? 3 : 2;
}

/** Return how many lines a banner has. @param {HTMLElement} banner */
function linesOf(banner) {
  const { height } = banner.getBoundingClientRect();
  return Math.floor(height / (parseFloat(getComputedStyle(banner).lineHeight) || height));
}

/** @param {string} text */
function sign(text) {
  return make("span", "sign", {}, text);
}
