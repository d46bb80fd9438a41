// The playhead of all lanes, and step × lane: what each took at every merge. Columns outside the sight are not drawn.
// The transport is the leading grid's own, moved here, where it stands below all lanes.

const SEEN_BEYOND = 4; // columns drawn on either side of the sight
const ADOPTED = [".transport", ".keys", ".settings"];

function drawStrip(root, data, theme) {
  const gone = new AbortController();
  const { signal } = gone;
  const chip = chipMaker(data.tokens, theme);
  const lanes = data.lanes.map((lane) => Object.fromEntries(Object.entries(lane).map(([name, column]) => [name, unpack(column)])));
  const differing = unpack(data.differing);
  const all = Array.from(differing.keys());
  const tiedAt = (rank) => Math.max(0, ...lanes.map((lane) => lane.tied[rank] ?? 0));
  const FILTERS = [
    ["all", "All merges", all],
    ["ties", "Ties", all.filter((rank) => tiedAt(rank) > 1)],
    ["differences", "Differences", all.filter((rank) => differing[rank])],
  ];
  let ranks = all;
  let step = -1;
  let drawn = new Map();

  const longest = lanes.reduce((most, lane) => lane.made.reduce((most, place) => Math.max(most, data.tokens.labels[place].length), most), 1);
  const width = Math.min(132, Math.max(58, longest * 8.6 + 32));
  const bar = make("div", "bar");
  const names = make("div", "names", { "aria-hidden": "true" }, make("div", "rank", {}, "merge"), ...data.titles.map((title) => make("div", "name", { title }, title)));
  const columns = make("div", "columns");
  const sight = make("div", "sight", { role: "group", "aria-label": "What each lane took at every merge", "data-testid": "strip", tabindex: 0 }, columns);
  const none = make("p", "none", { hidden: true });
  const filters = make("div", "filters", { role: "group", "aria-label": "Merges shown" });
  const buttons = FILTERS.map(([name, label, kept]) => make("button", "filter", { type: "button", "data-testid": `strip-${name}`, "aria-pressed": name === "all", click: () => filter(name, kept) }, `${label} (${number(kept.length)})`));
  filters.append(...buttons);
  root.replaceChildren(bar, filters, make("div", "strip", {}, names, sight), none);

  function filter(name, kept) {
    ranks = kept;
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", FILTERS[at][0] === name));
    none.hidden = kept.length > 0;
    none.textContent = name === "ties" ? "No merge was decided by a tie." : "The lanes made the same token at every merge.";
    resize();
    show();
  }

  function resize() {
    columns.style.width = `${ranks.length * width}px`;
    columns.style.height = `${34 + lanes.length * 44}px`;
    drawn.forEach((element) => element.remove());
    drawn = new Map();
    draw();
  }

  function draw() {
    const from = Math.max(0, Math.floor(sight.scrollLeft / width) - SEEN_BEYOND);
    const to = Math.min(ranks.length, Math.ceil((sight.scrollLeft + (sight.clientWidth || 1000)) / width) + SEEN_BEYOND);
    for (const [at, element] of drawn) if (at < from || at >= to) (element.remove(), drawn.delete(at));
    for (let at = from; at < to; at++) {
      if (drawn.has(at)) continue;
      const element = column(ranks[at]);
      element.style.left = `${at * width}px`;
      element.style.width = `${width - 4}px`;
      columns.append(element);
      drawn.set(at, element);
    }
  }

  function column(rank) {
    const tied = tiedAt(rank);
    const cells = lanes.map((lane, at) => {
      if (rank >= lane.made.length) return make("span", "cell ended", {}, "—");
      const cell = make("span", `cell ${differing[rank] ? "x" : ""}`, { title: `${data.titles[at]}: ${pairWords(data.tokens, [lane.left[rank], lane.right[rank]])}, ${number(lane.count[rank])} times` }, chip(lane.made[rank]));
      return cell;
    });
    const head = make("span", "rank", {}, tied > 1 ? make("span", "tie", { title: `${number(tied)} pairs tied` }, "◆") : "", number(rank));
    const button = make("button", `column ${rank === step ? "now" : ""}`, { type: "button", tabindex: rank === step ? 0 : -1, "data-rank": rank, "data-differs": Boolean(differing[rank]) || null, "aria-label": spoken(rank, tied), click: () => say("jump", { group: data.group, step: rank }) }, head, ...cells);
    return button;
  }

  function spoken(rank, tied) {
    const took = lanes.map((lane, at) => `${data.titles[at]} ${rank < lane.made.length ? `makes ${data.tokens.labels[lane.made[rank]]}, ${number(lane.count[rank])} times` : "had ended"}`);
    return `Merge ${rank}${tied > 1 ? `, ${tied} pairs tied` : ""}: ${took.join("; ")}.${differing[rank] ? " They differ." : ""}`;
  }

  // Brings the next merge, or the first shown one after it, into sight.
  function show() {
    let at = ranks.findIndex((rank) => rank >= step);
    if (at < 0) at = ranks.length - 1;
    const left = at * width;
    if (left < sight.scrollLeft + width || left > sight.scrollLeft + sight.clientWidth - 2 * width) {
      sight.scrollLeft = Math.max(0, left - sight.clientWidth / 3);
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

  // The leading grid may be drawn after this, or anew: look for it until it is there.
  let leader = null;
  function adopt() {
    if (signal.aborted) return;
    const found = [...groupNamed(data.group).lanes].find((lane) => lane.transport);
    if (found && found !== leader) {
      leader = found;
      const elements = ADOPTED.map((name) => found.root.querySelector(name)).filter(Boolean);
      bar.replaceChildren(...elements);
      found.transport.drawStrip();
      follow(found.head.step);
    }
    requestAnimationFrame(adopt);
  }

  hear("step", data.group, signal, (detail) => follow(detail.step));
  sight.addEventListener("scroll", draw, { signal, passive: true });
  const observer = new ResizeObserver(draw);
  observer.observe(sight);
  signal.addEventListener("abort", () => observer.disconnect());
  resize();
  adopt();
  return () => gone.abort();
}
