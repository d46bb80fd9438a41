// What a token is: string, id, bytes, where it was born, how often it occurs now; and the tree of merges that built it.

import { make } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { countNow, tokenOf } from "./feed.js";
import { boxesOf } from "./layout.js";
import { EDGE } from "./painting.js";
import { hexOf } from "./spelling.js";

export function createDetails(grid) {
  const element = make("div", "details", { role: "group", "aria-label": "Token", hidden: true, "data-testid": "token-details" });
  let shown = null;

  function facts(id) {
    const token = tokenOf(grid.model, id);
    const { feed, steps } = grid.model;
    const now = countNow(grid.model, id, grid.step);
    const rank = token.born >= 0 && steps.ranks ? steps.ranks[token.born] : token.born;
    const born = token.unknown ? "not in the vocabulary: <unk>" : feed.taken && id >= 0 ? "in the vocabulary" : token.born < 0 ? (id >= 0 ? "in the alphabet" : "no token") : feed.training ? `born at merge ${rank}` : `rule of rank ${rank}`;
    return {
      id: id >= 0 ? `id ${id}` : "no id",
      bytes: bytesText(token.bytes.filter((byte) => byte !== grid.model.markerByte)),
      born,
      count: now === null ? null : `${formatNumber(now)} in the corpus now`,
    };
  }

  const sentence = (id) => [`token ${tokenOf(grid.model, id).label}`, ...Object.values(facts(id)).filter(Boolean)].join(", ");

  function show(span, id, tree) {
    const key = `${id} ${tree} ${grid.step} ${span.start} ${grid.theme}`;
    if (shown === key && !element.hidden) return;
    shown = key;
    const lines = Object.values(facts(id)).filter(Boolean).map((text) => make("span", "", {}, text));
    const top = make("div", "facts", {}, grid.chipFor(id), ...lines);
    const close = tree ? [make("button", "quiet close", { type: "button", "aria-label": "Close", click: () => grid.pointing.clear() }, "×")] : [];
    element.replaceChildren(top, ...close);
    element.classList.toggle("pinned", tree);
    if (tree) element.append(mergeTree(grid, id));
    else if (tokenOf(grid.model, id).born >= 0) top.append(make("span", "hint", {}, "click for its merge tree"));
    element.hidden = false;
    settle(span);
  }

  function settle(span) {
    const [box] = boxesOf(span.place, span.start, span.end);
    const { viewport, card } = grid.parts;
    const frame = card.getBoundingClientRect();
    const stage = grid.parts.stage.getBoundingClientRect();
    const x = stage.left - frame.left + EDGE + box.x;
    const under = stage.top - frame.top + span.place.top + box.y + box.h + 8;
    const low = viewport.getBoundingClientRect().top - frame.top;
    element.style.maxWidth = `${Math.max(220, frame.width - 16)}px`;
    element.style.left = `${Math.max(8, Math.min(x, frame.width - element.offsetWidth - 8))}px`;
    element.style.top = `${Math.max(low, under)}px`;
  }

  return {
    element, show, sentence,
    hide: () => (element.hidden = true),
    open: () => !element.hidden,
  };
}

// The marker is no byte of the text and is left out.
function bytesText(bytes) {
  if (!bytes.length) return null;
  return `${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"}: ${bytes.slice(0, 24).map(hexOf).join(" ")}${bytes.length > 24 ? " …" : ""}`;
}

const DEEPEST = 24; // levels drawn
const MOST_NODES = 600; // tokens drawn; what is left out is said in words

// An icicle: the token above, its left and right part below, down to the alphabet; each bar as wide as its letters.
function mergeTree(grid, id) {
  const tree = make("div", "tree", { role: "tree", "aria-label": `How ${tokenOf(grid.model, id).label} was built`, tabindex: 0 });
  tree.append(branch(grid, id, 1, { left: MOST_NODES }));
  return tree;
}

function branch(grid, id, depth, room) {
  room.left -= 1;
  const token = tokenOf(grid.model, id);
  const { left, right, ranks } = grid.model.steps;
  const bar = grid.chipFor(id);
  const node = make("div", "node", { role: "treeitem", "aria-level": depth, "aria-selected": "false" }, bar);
  if (token.born < 0) return node;
  const rank = ranks ? ranks[token.born] : token.born;
  bar.append(make("small", "", {}, ` ${rank}`));
  node.setAttribute("aria-label", `${token.label}, merge ${rank}`);
  if (depth >= DEEPEST || room.left < 2) {
    bar.append(make("small", "", {}, " and more below"));
    return node;
  }
  node.append(make("div", "parts", { role: "group" }, branch(grid, left[token.born], depth + 1, room), branch(grid, right[token.born], depth + 1, room)));
  return node;
}
