// The sentence over the grid: which pair becomes what, how often, and how many pairs tied for it; in the last beat of a
// merge what it changed.

import { make, readable, shortened } from "../shared/dom.js";
import { formatNumber, formatTimes } from "../shared/numbers.js";
import { tokenChanges } from "./changes.js";
import { tokenOf } from "./feed.js";
import { isolated } from "./spelling.js";

const MOST_OFFERED = 100; // other tied pairs in one list
const WHILE_DRAGGED = 100; // ms between two looks

export function createHeadline(grid) {
  const pair = make("span", "merge");
  const count = make("span", "count");
  const badge = make("span", "badge", { "data-testid": "tie-badge", hidden: true });
  const changes = make("span", "changes", { "data-testid": "changes", hidden: true });
  const element = make("div", "headline", { "data-testid": "headline" }, pair, count, changes, badge);
  let shown = "";
  let waiting = 0;

  // A line of chips costs as much as the grid below: while the scrubber is dragged it follows ten times a second.
  function draw() {
    if (!grid.head.scrubbing) drawNow();
    else waiting ||= setTimeout(drawNow, WHILE_DRAGGED);
  }

  function drawNow() {
    clearTimeout(waiting);
    waiting = 0;
    const { model, head, turn } = grid;
    const fuses = head.beat === "fuse" && turn;
    const settles = head.beat === "settle" && turn;
    const hidden = head.beat === "guess";
    const step = fuses ? turn.rank : grid.step; // what fuses is named until it has
    const key = `${step} ${fuses} ${settles} ${hidden} ${grid.shows.winner} ${grid.shows.tied} ${grid.theme} ${grid.tied.size} ${grid.options.colour}`;
    if (key === shown) return;
    shown = key;
    const ties = model.steps.tied.some((tied) => tied > 1);
    element.classList.toggle("roomy", ties); // room for the badge, so that nothing jumps
    badge.hidden = hidden || Boolean(settles) || !(model.steps.tied[step] > 1);
    changes.hidden = !settles && !(ties && badge.hidden && step > 0 && head.beat !== "fast");
    pair.hidden = Boolean(settles);
    if (!changes.hidden) drawChanges(settles || { rank: step - 1, forwards: true }, settles);
    if (settles) return void (count.textContent = changeText(grid));
    if (step >= model.last) return drawEnd();
    if (hidden || !(fuses || grid.shows.winner)) pair.replaceChildren(sign("?"), sign("+"), sign("?"), sign("→"), sign("?"));
    else drawMerge(step);
    count.textContent = hidden ? `Which pair is next? · ${ordinal(grid, step)}` : `${countText(grid, step)} · ${ordinal(grid, step)}`;
    if (!badge.hidden) drawBadge(step, fuses);
  }

  // The tokens that a merge made and took, each with how often it occurred and occurs.
  function drawChanges({ rank, forwards }, settles) {
    const told = tokenChanges(grid.model, rank).map(({ id, by, before, after }) => {
      const [from, to] = forwards ? [before, after] : [after, before];
      const signed = forwards ? by : -by;
      const text = before === null ? `${signed > 0 ? "+" : "−"}${formatNumber(Math.abs(signed))}` : `${formatNumber(from)} → ${formatNumber(to)}`;
      return make("span", `change ${signed > 0 ? "more" : "less"}`, {}, grid.chipFor(id), text);
    });
    changes.classList.toggle("large", Boolean(settles));
    changes.replaceChildren(...(settles ? [] : [`by ${grid.model.feed.training ? "merge" : "step"} ${formatNumber(rank)}:`]), ...told);
  }

  function drawMerge(step) {
    const { left, right, ids } = grid.model.steps;
    if (grid.model.feed.taken) return void pair.replaceChildren(sign("take"), grid.chipFor(ids[step]));
    const chips = [left[step], right[step], ids[step]].map((id) => grid.chipFor(id));
    pair.replaceChildren(chips[0], sign("+"), chips[1], sign("→"), chips[2]);
  }

  function drawEnd() {
    const { model } = grid;
    pair.replaceChildren(make("span", "done", {}, model.last ? endText(grid) : "Nothing to merge"));
    count.textContent = model.feed.ending ?? "";
  }

  function drawBadge(step, fuses) {
    const { model } = grid;
    const sentence = (fuses || grid.shows.winner) && model.feed.rule ? ` ${whoTakes(grid, step)} ${pairText(grid, winnerOf(grid, step))}.` : "";
    const strong = make("b", "", {}, `${formatNumber(model.steps.tied[step])} pairs tied at ${formatNumber(model.steps.count[step])}.`);
    badge.replaceChildren(strong, sentence);
    const others = alternatives(grid);
    if (model.feed.picks && grid.shows.winner && others.length) badge.append(" ", ...picks(others));
  }

  function picks(others) {
    const [first, ...rest] = others;
    const take = make("button", "pick", { type: "button", "data-testid": "pick", click: () => grid.pick(first) }, `Try ${pairText(grid, first)} instead?`);
    if (!rest.length) return [take];
    const choose = make("select", "pick", { "aria-label": "Another tied pair", change: () => choose.value && grid.pick(rest[Number(choose.value)]) });
    const offered = rest.slice(0, MOST_OFFERED).map((other, at) => make("option", "", { value: at }, pairText(grid, other)));
    choose.append(make("option", "", { value: "" }, "or…"), ...offered);
    if (rest.length > MOST_OFFERED) choose.append(make("option", "", { value: "", disabled: true }, `and ${formatNumber(rest.length - MOST_OFFERED)} more`));
    return [take, choose];
  }

  return { element, draw };
}

const sign = (text) => make("span", "sign", {}, text);

function endText(grid) {
  const { feed, last } = grid.model;
  return feed.training ? (last === 1 ? "The one merge is done" : `All ${formatNumber(last)} merges done`) : `Encoded in ${formatNumber(last)} ${last === 1 ? "step" : "steps"}`;
}

const whoTakes = (grid, step) => (grid.model.feed.picked.includes(step) ? "Taken by hand:" : `${grid.model.feed.rule} takes`);

function winnerOf(grid, step) {
  return [grid.model.steps.left[step], grid.model.steps.right[step]];
}

const nameOf = (grid, id) => isolated(readable(shortened(tokenOf(grid.model, id).label), grid.model.feed.marker_text));
const pairText = (grid, [left, right]) => `${nameOf(grid, left)} + ${nameOf(grid, right)}`;

function alternatives(grid) {
  const [left, right] = winnerOf(grid, grid.step);
  return [...grid.tied].map((name) => name.split(" ").map(Number)).filter(([a, b]) => a !== left || b !== right);
}

// "merge 1 done: 9 tokens fewer in the corpus"
function changeText(grid) {
  const { rank, forwards } = grid.turn;
  const { feed, steps } = grid.model;
  const tokens = steps.replaced[rank];
  const name = feed.training ? "merge" : "step";
  if (feed.taken) return `${name} ${formatNumber(rank)} ${forwards ? "done" : "undone"}`;
  return `${name} ${formatNumber(rank)} ${forwards ? "done" : "undone"}: ${formatNumber(tokens)} ${tokens === 1 ? "token" : "tokens"} ${forwards ? "fewer" : "more"}`;
}


// "9 times", or what was counted and what could be replaced where overlaps make them differ.
function countText(grid, step) {
  const { count, replaced } = grid.model.steps;
  if (count[step] === replaced[step] || !grid.model.feed.training) return formatTimes(replaced[step]);
  return `counted ${formatNumber(count[step])}, replaces ${formatNumber(replaced[step])}`;
}

function ordinal(grid, step) {
  const { steps, last, feed } = grid.model;
  const name = `${formatNumber(step)} of ${formatNumber(last)}`;
  if (feed.training) return `merge ${name}`;
  return steps.ranks ? `rule of rank ${formatNumber(steps.ranks[step])} · step ${name}` : `step ${name}`;
}
