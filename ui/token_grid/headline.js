// The sentence over the grid: which pair becomes what, how often, and how many pairs tied for it.

function createHeadline(grid) {
  const pair = make("span", "merge");
  const count = make("span", "count");
  const badge = make("span", "badge", { "data-testid": "tie-badge", hidden: true });
  const element = make("div", "headline", { "data-testid": "headline" }, pair, count, badge);
  let shown = "";

  function draw() {
    const { model, step, head } = grid;
    const hidden = head.beat === "guess";
    const key = `${step} ${hidden} ${grid.shows.winner} ${grid.shows.tied} ${grid.theme} ${grid.tied.size} ${grid.options.colour}`;
    if (key === shown) return;
    shown = key;
    badge.hidden = true;
    element.classList.toggle("roomy", model.steps.tied.some((tied) => tied > 1)); // room for the badge, so that nothing jumps
    if (step >= model.last) return drawEnd();
    if (hidden || !grid.shows.winner) pair.replaceChildren(sign("?"), sign("+"), sign("?"), sign("→"), sign("?"));
    else drawMerge();
    count.textContent = hidden ? `Which pair is next? · ${ordinal(grid)}` : `${countText(grid)} · ${ordinal(grid)}`;
    if (!hidden) drawBadge();
  }

  function drawMerge() {
    const { left, right, ids } = grid.model.steps;
    if (grid.model.feed.taken) return void pair.replaceChildren(sign("take"), grid.chipFor(ids[grid.step]));
    const chips = [left[grid.step], right[grid.step], ids[grid.step]].map((id) => grid.chipFor(id));
    pair.replaceChildren(chips[0], sign("+"), chips[1], sign("→"), chips[2]);
  }

  function drawEnd() {
    const { model } = grid;
    pair.replaceChildren(make("span", "done", {}, model.last ? endText(grid) : "Nothing to merge"));
    count.textContent = model.feed.ending ?? "";
  }

  function drawBadge() {
    const { model, step } = grid;
    const tied = model.steps.tied[step] ?? 1;
    if (tied < 2) return;
    const sentence = grid.shows.winner && model.feed.rule ? ` ${model.feed.rule} takes ${pairText(grid, winnerOf(grid))}.` : "";
    const strong = make("b", "", {}, `${tied.toLocaleString("en")} pairs tied at ${model.steps.count[step].toLocaleString("en")}.`);
    badge.replaceChildren(strong, sentence);
    badge.hidden = false;
    const others = alternatives(grid);
    if (model.feed.picks && grid.shows.winner && others.length) badge.append(" ", ...picks(others));
  }

  function picks(others) {
    const [first, ...rest] = others;
    const take = make("button", "pick", { type: "button", "data-testid": "pick", click: () => grid.pick(first) }, `Try ${pairText(grid, first)} instead?`);
    if (!rest.length) return [take];
    const choose = make("select", "pick", { "aria-label": "Another tied pair", change: () => choose.value && grid.pick(rest[Number(choose.value)]) });
    choose.append(make("option", "", { value: "" }, "or…"), ...rest.map((other, at) => make("option", "", { value: at }, pairText(grid, other))));
    return [take, choose];
  }

  return { element, draw };
}

const sign = (text) => make("span", "sign", {}, text);

function endText(grid) {
  const { feed, last } = grid.model;
  return feed.training ? `All ${last.toLocaleString("en")} merges done` : `Encoded in ${last.toLocaleString("en")} ${last === 1 ? "step" : "steps"}`;
}

function winnerOf(grid) {
  return [grid.model.steps.left[grid.step], grid.model.steps.right[grid.step]];
}

const nameOf = (grid, id) => isolated(readable(shortened(tokenOf(grid.model, id).label), grid.model.feed.marker_text));
const pairText = (grid, [left, right]) => `${nameOf(grid, left)} + ${nameOf(grid, right)}`;

function alternatives(grid) {
  const [left, right] = winnerOf(grid);
  return [...grid.tied].map((name) => name.split(" ").map(Number)).filter(([a, b]) => a !== left || b !== right);
}

const times = (count) => `${count.toLocaleString("en")} ${count === 1 ? "time" : "times"}`;

// "9 times", or what was counted and what could be replaced where overlaps make them differ.
function countText(grid) {
  const { count, replaced } = grid.model.steps;
  const { step } = grid;
  if (count[step] === replaced[step] || !grid.model.feed.training) return times(replaced[step]);
  return `counted ${count[step].toLocaleString("en")}, replaces ${replaced[step].toLocaleString("en")}`;
}

function ordinal(grid) {
  const { steps, last, feed } = grid.model;
  const name = `${(grid.step).toLocaleString("en")} of ${last.toLocaleString("en")}`;
  if (feed.training) return `merge ${name}`;
  return steps.ranks ? `rule of rank ${steps.ranks[grid.step].toLocaleString("en")} · step ${name}` : `step ${name}`;
}
