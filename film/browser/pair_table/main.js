// The pair table: what counts how much now, which pairs tie, what the last merge changed. Rows and grid light each other.

import { COLOURINGS, themeOf } from "../shared/colour.js";
import { chipElement, make, readable } from "../shared/dom.js";
import { groupNamed, hear, say } from "../shared/groups.js";
import { mount } from "../shared/mount.js";
import { formatNumber } from "../shared/numbers.js";

function createTable(parentElement) {
  const root = parentElement.querySelector("[data-testid=pair-table]");
  const gone = new AbortController();
  const { signal } = gone;
  const body = make("tbody");
  const note = make("p", "note");
  const table = make("table", "", {},
    make("caption", "unseen", {}, "Pairs by count"),
    make("thead", "", {}, make("tr", "", {}, ...HEADS.map(([text, name, title]) => make("th", name, { scope: "col", title }, text || make("span", "unseen", {}, name))))),
    body);
  const scroll = make("div", "scroll", { tabindex: 0, role: "region", "aria-label": "Pairs by count" }, table);
  root.append(scroll, note);
  let data = null;
  let group = null;
  let trigger = () => undefined;
  let pinned = null;
  let sent = null; // by Python; `data` may be ahead of it, as the grid counted

  function update({ data: next, setTriggerValue }) {
    trigger = setTriggerValue;
    const theme = themeOf(root);
    const fresh = JSON.stringify(next) !== JSON.stringify(sent) || theme !== root.dataset.theme;
    if (!group) enter(next.group);
    if (!fresh) return;
    const drawn = data && data !== sent && data.step === next.step && theme === root.dataset.theme && alike(data.rows, next.rows);
    data = drawn ? { ...next, rows: data.rows } : next; // rows of equal count shall not change places
    sent = next;
    root.dataset.theme = theme;
    if (!drawn) draw();
    wait(group.playhead?.step ?? data.step);
  }

  // The grid counted by itself, in the last beat of a merge.
  function follow({ step, rows, total }) {
    data = step === sent.step ? sent : { ...sent, step, rows, total };
    draw();
    wait(step);
  }

  const wait = (step) => root.classList.toggle("waiting", step !== data.step);

  function enter(name) {
    group = groupNamed(name);
    group.tables.add(root);
    hear("light", name, signal, (detail) => detail.from === "table" || lightRows(detail));
    hear("step", name, signal, ({ step, beat }) => {
      root.dataset.beat = beat;
      wait(step);
    });
    hear("pairs", name, signal, (detail) => (detail.lane ?? 0) === data.lane && follow(detail));
    hear("present", name, signal, ({ on }) => present(on));
    window.addEventListener("keydown", (event) => {
      if (event.composedPath().includes(root) && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) event.stopPropagation();
    }, { signal });
    signal.addEventListener("abort", () => group.tables.delete(root));
  }

  function draw() {
    root.dataset.step = data.step;
    const most = Math.max(1, ...data.rows.map((row) => row.count));
    body.replaceChildren(...data.rows.map((row, at) => rowElement(row, at, most)));
    const shown = data.rows.length;
    note.textContent = data.total > shown ? `the ${shown} most frequent of ${formatNumber(data.total)} pairs` : `${shown} ${shown === 1 ? "pair" : "pairs"}`;
    if (!shown) note.textContent = "No pairs are left: every word is one token.";
  }

  function rowElement(row, at, most) {
    const [left, right, merged] = row.labels.map((label, side) => chipElement(readable(label, data.marker), COLOURINGS.identity.chip(root.dataset.theme, { id: row.ids[side] }), label === data.marker ? "marker" : ""));
    for (const chip of [left, right, merged]) chip.title = chip.textContent;
    const change = row.new ? "new" : row.change ? (row.change > 0 ? "+" : "−") + formatNumber(Math.abs(row.change)) : "";
    const tie = row.tied ? [make("span", "tie", { title: "tied for the highest count", role: "img", "aria-label": "tied" }, "◆"), " "] : [];
    const takes = row.tied && !row.chosen && data.picks
      ? [make("button", "take", { type: "button", "data-testid": "take", title: "Take this pair instead", click: (event) => (event.stopPropagation(), take(row)) }, "take")] : [];
    const meter = make("span", "meter", { "aria-hidden": "true" });
    meter.style.width = `${Math.max(2, Math.round((row.count / most) * 100))}%`;
    const element = make("tr", `${row.chosen ? "chosen" : ""}${row.tied ? " tied" : ""}`, {
      tabindex: at === 0 ? 0 : -1, "data-left": row.ids[0], "data-right": row.ids[1],
      pointerenter: () => light(row), pointerleave: () => light(pinned), focus: () => light(row), blur: () => light(pinned),
      click: () => pin(row), keydown: (event) => walk(event, element, row),
    },
      make("td", "rank", {}, String(row.rank)),
      make("td", "pair", {}, make("span", "pairing", {}, left, right)),
      make("td", "becomes", {}, merged, ...(row.chosen ? [make("span", "unseen", {}, " chosen")] : [])),
      make("td", "number", {}, ...tie, formatNumber(row.count)),
      make("td", "number change", {}, change),
      make("td", "number share", {}, `${(row.share * 100).toFixed(row.share < 0.1 ? 1 : 0)} %`),
      make("td", "bar", {}, ...takes, meter));
    return element;
  }

  function light(row) {
    say("light", row ? { group: group.name, from: "table", left: row.ids[0], right: row.ids[1] } : { group: group.name, from: "table", none: true });
  }

  function pin(row) {
    pinned = pinned === row ? null : row;
    for (const [at, element] of [...body.children].entries()) element.classList.toggle("pinned", data.rows[at] === pinned);
    light(pinned ?? row);
  }

  function take(row) {
    trigger("pick", { rank: data.step, pair: row.pair });
  }

  function walk(event, element, row) {
    const next = { ArrowDown: element.nextElementSibling, ArrowUp: element.previousElementSibling }[event.key];
    if (event.key === "Enter" && event.target === element) pin(row);
    else if (!next) return;
    else {
      element.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // A token pointed at in the grid lights the rows it is part of.
  function lightRows({ none, token, left, right }) {
    for (const [at, element] of [...body.children].entries()) {
      const row = data.rows[at];
      const lit = !none && (token !== undefined ? row.ids[0] === token || row.ids[1] === token : row.ids[0] === left && row.ids[1] === right);
      element.classList.toggle("lit", lit);
    }
  }

  function present(on) {
    if (on) {
      root.setAttribute("popover", "manual");
      root.showPopover?.();
    } else root.removeAttribute("popover");
    root.classList.toggle("presenting", on);
  }

  return { update, remove: () => gone.abort() };
}

// Whether two tables say the same of all pairs above the least frequent ones, of which either may show others.
function alike(some, others) {
  const least = Math.max(some.at(-1)?.count ?? 0, others.at(-1)?.count ?? 0);
  const told = (rows) => rows.filter(({ count }) => count > least).map(({ ids, count, change, tied, chosen }) => `${ids} ${count} ${change} ${tied} ${chosen}`).sort().join();
  return some.length === others.length && told(some) === told(others);
}

const HEADS = [
  ["", "rank", "rank by count"],
  ["pair", "pair", "left and right token"],
  ["becomes", "becomes", "the token a merge would make"],
  ["count", "number", "occurrences in the corpus, overlapping ones included"],
  ["±", "number change", "change by the last merge"],
  ["share", "number share", "share of all pair occurrences"],
  ["", "bar", "count, as a bar"],
];

export default mount(createTable);
