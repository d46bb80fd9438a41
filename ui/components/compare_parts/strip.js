// Step × lane: what each took at every merge, the next one marked. Columns outside the sight are not drawn.

import { make } from "../../../film/browser/shared/dom.js";
import { groupNamed, hear, say } from "../../../film/browser/shared/groups.js";
import { formatNumber, unpackNumbers } from "../../../film/browser/shared/numbers.js";
import { chipMaker, pairWords } from "./tokens.js";

const SEEN_BEYOND = 4; // columns drawn on either side of the sight
const WHILE_MOVING = 90; // ms between two looks at the playhead: the grids are what is watched while it moves
const WHILE_SCRUBBING = 300; // a drag leaves all columns behind with every move

const widthOf = (letters) => Math.min(148, Math.max(54, letters * 7.9 + 42));

export function drawStrip(root, data, theme) {
  const gone = new AbortController();
  const { signal } = gone;
  const chip = chipMaker(data.tokens, theme);
  const lanes = data.lanes.map((lane) => Object.fromEntries(Object.entries(lane).map(([name, column]) => [name, unpackNumbers(column)])));
  const differing = unpackNumbers(data.differing);
  const all = Array.from(differing.keys());
  const tiedAt = (rank) => Math.max(0, ...lanes.map((lane) => lane.tied[rank] ?? 0));
  const FILTERS = [
    ["all", "All merges", all],
    ["ties", "Ties", all.filter((rank) => tiedAt(rank) > 1)],
    ["differences", "Differences", all.filter((rank) => differing[rank])],
  ];
  let ranks = all;
  let step = -1;
  let lefts = [0]; // where the columns of `ranks` begin, and the last one ends
  let drawn = new Map();
  const seen = { left: 0, width: 1000 }; // kept, since asking the element would lay out the page anew each time

  const widths = all.map((rank) => widthOf(Math.max(...lanes.map((lane) => (rank < lane.made.length ? data.tokens.labels[lane.made[rank]].length : 1)))));
  const names = make("div", "names", { "aria-hidden": "true" }, make("div", "rank", {}, "merge"), ...data.titles.map((title) => make("div", "name", { title }, title)));
  const columns = make("div", "columns");
  const sight = make("div", "sight", { role: "group", "aria-label": "What each lane took at every merge", "data-testid": "strip", tabindex: 0 }, columns);
  const none = make("p", "none", { hidden: true });
  const filters = make("div", "filters", { role: "group", "aria-label": "Merges shown" });
  const buttons = FILTERS.map(([name, label, kept]) => make("button", "filter", { type: "button", "data-testid": `strip-${name}`, "aria-pressed": String(name === "all"), click: () => filter(name, kept) }, `${label} (${formatNumber(kept.length)})`));
  filters.append(...buttons);
  root.replaceChildren(filters, make("div", "strip", {}, names, sight), none);

  function filter(name, kept) {
    ranks = kept;
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", FILTERS[at][0] === name));
    none.hidden = kept.length > 0;
    none.textContent = name === "ties" ? "No merge was decided by a tie." : "The lanes made the same token at every merge.";
    resize();
    show();
  }

  function resize() {
    lefts = [0];
    for (const rank of ranks) lefts.push(lefts[lefts.length - 1] + widths[rank]);
    columns.style.width = `${lefts[ranks.length]}px`;
    columns.style.height = `${34 + lanes.length * 44}px`;
    drawn.forEach((element) => element.remove());
    drawn = new Map();
    draw();
  }

  function draw() {
    const from = Math.max(0, columnAt(seen.left) - SEEN_BEYOND);
    const to = Math.min(ranks.length, columnAt(seen.left + seen.width) + 1 + SEEN_BEYOND);
    for (const [at, element] of drawn) if (at < from || at >= to) (element.remove(), drawn.delete(at));
    for (let at = from; at < to; at++) {
      if (drawn.has(at)) continue;
      const element = column(ranks[at]);
      element.style.left = `${lefts[at]}px`;
      element.style.width = `${widths[ranks[at]] - 4}px`;
      columns.append(element);
      drawn.set(at, element);
    }
  }

  // The column at this many pixels from the left, by halving.
  function columnAt(x) {
    let low = 0;
    let high = ranks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lefts[middle + 1] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function column(rank) {
    const tied = tiedAt(rank);
    const cells = lanes.map((lane, at) => {
      if (rank >= lane.made.length) return make("span", "cell ended", {}, "—");
      const cell = make("span", `cell ${differing[rank] ? "x" : ""}`, { title: `${data.titles[at]}: ${pairWords(data.tokens, [lane.left[rank], lane.right[rank]])}, ${formatNumber(lane.count[rank])} times` }, chip(lane.made[rank]));
      return cell;
    });
    const head = make("span", "rank", {}, tied > 1 ? make("span", "tie", { title: `${formatNumber(tied)} pairs tied` }, "◆") : "", formatNumber(rank));
    const button = make("button", `column ${rank === step ? "now" : ""}`, { type: "button", tabindex: rank === step ? 0 : -1, "data-rank": rank, "data-differs": Boolean(differing[rank]) || null, "aria-label": spoken(rank, tied), click: () => say("jump", { group: data.group, step: rank }) }, head, ...cells);
    return button;
  }

  function spoken(rank, tied) {
    const took = lanes.map((lane, at) => `${data.titles[at]} ${rank < lane.made.length ? `makes ${data.tokens.labels[lane.made[rank]]}, ${formatNumber(lane.count[rank])} times` : "had ended"}`);
    return `Merge ${rank}${tied > 1 ? `, ${tied} pairs tied` : ""}: ${took.join("; ")}.${differing[rank] ? " They differ." : ""}`;
  }

  // Brings the next merge, or the first shown one after it, into sight.
  function show() {
    let at = ranks.findIndex((rank) => rank >= step);
    if (at < 0) at = ranks.length - 1;
    const left = lefts[Math.max(0, at)];
    if (left < seen.left + 60 || left > seen.left + seen.width - 160) {
      seen.left = Math.max(0, Math.min(left - seen.width / 3, lefts[ranks.length] - seen.width));
      sight.scrollLeft = seen.left;
    }
    draw();
  }

  function follow(now) {
    if (now === step) return;
    step = now;
    for (const element of drawn.values()) {
      const here = Number(element.dataset.rank) === step;
      element.classList.toggle("now", here);
      element.tabIndex = here ? 0 : -1;
    }
    show();
  }

  // One look after the playhead moved, however often it moves meanwhile.
  let latest = 0;
  let due = Infinity;
  let timer = 0;
  hear("step", data.group, signal, (detail) => {
    latest = detail.step;
    const wait = groupNamed(data.group).playhead?.scrubbing ? WHILE_SCRUBBING : WHILE_MOVING;
    if (due <= performance.now() + wait) return;
    clearTimeout(timer);
    due = performance.now() + wait;
    timer = setTimeout(() => {
      due = Infinity;
      if (!signal.aborted) follow(latest);
    }, wait);
  });
  sight.addEventListener("scroll", () => {
    seen.left = sight.scrollLeft;
    draw();
  }, { signal, passive: true });
  const observer = new ResizeObserver(([entry]) => {
    seen.width = entry.contentRect.width;
    draw();
  });
  observer.observe(sight);
  signal.addEventListener("abort", () => observer.disconnect());
  resize();
  follow(groupNamed(data.group).playhead?.step ?? 0);
  return () => gone.abort();
}
