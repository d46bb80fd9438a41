// An icicle: the token above, its left and right part below, down to the alphabet. Every bar is as wide as its parts,
// and a button that shows that token instead. Arrow keys walk: down into the parts, up, and to the neighbours.

import { COLOURINGS, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { make } from "../../../film/browser/shared/dom.js";
import { mount } from "../../../film/browser/shared/mount.js";
import { formatNumber } from "../../../film/browser/shared/numbers.js";

const NODE = { id: 0, label: 1, rank: 2, parts: 3 };

function createTree(parentElement) {
  const root = parentElement.querySelector("[data-testid=merge-tree]");
  const state = { text: "", theme: "", choose: () => undefined };

  function update({ data, setTriggerValue }) {
    state.choose = (id) => setTriggerValue("chosen", id);
    const theme = themeOf(root);
    const text = JSON.stringify(data);
    if (text === state.text && theme === state.theme) return;
    Object.assign(state, { text, theme });
    root.dataset.theme = theme;
    const label = data.tree[NODE.label];
    const tree = make("div", "tree", { role: "tree", "aria-label": `How ${label} was merged` }, branch(data.tree, 1));
    tree.addEventListener("keydown", walk);
    const parts = [make("div", "scroll", {}, tree)];
    if (data.built.length) parts.push(builtFrom(data, label));
    root.replaceChildren(...parts);
    root.querySelector("[role=treeitem]").tabIndex = 0;
  }

  function branch(node, level) {
    const [id, label, rank, parts] = node;
    const under = rank === null ? "alphabet" : `merge ${rank}`;
    const bar = make("button", "bar", { type: "button", tabindex: -1, role: "treeitem", "aria-level": level, "aria-label": `${label}, id ${id}, ${under}`, "aria-expanded": parts.length ? "true" : null, click: () => level > 1 && state.choose(id) }, make("span", "label", { dir: "auto" }, label), make("small", "", {}, rank === null ? `id ${id}` : under));
    paintChip(bar, COLOURINGS.identity.chip(state.theme, { id }));
    const element = make("div", "node", { role: "none" }, bar);
    if (parts.length) element.append(make("div", "parts", { role: "group" }, ...parts.map((part) => branch(part, level + 1))));
    else if (rank !== null) bar.append(make("small", "", {}, "…"));
    return element;
  }

  function builtFrom({ built, more }, label) {
    const chips = built.map(([id, name, rank]) => {
      const chip = make("button", "chip", { type: "button", "aria-label": `${name}, merge ${rank}`, click: () => state.choose(id) }, make("span", "", { dir: "auto" }, name), make("small", "", {}, ` ${rank}`));
      paintChip(chip, COLOURINGS.identity.chip(state.theme, { id }));
      return chip;
    });
    if (more) chips.push(make("span", "more", {}, `and ${formatNumber(more)} more`));
    return make("div", "built", {}, make("p", "", {}, "Tokens built from ", make("b", "", { dir: "auto" }, label)), make("div", "chips", {}, ...chips));
  }

  function walk(event) {
    const bar = event.target.closest("[role=treeitem]");
    if (!bar || event.ctrlKey || event.metaKey || event.altKey) return;
    const node = bar.parentElement;
    const barOf = (element) => element?.querySelector(":scope > .bar") ?? null;
    const to = {
      ArrowDown: () => barOf(node.querySelector(":scope > .parts > .node")),
      ArrowUp: () => barOf(node.parentElement.closest(".node")),
      ArrowRight: () => barOf(node.nextElementSibling),
      ArrowLeft: () => barOf(node.previousElementSibling),
      Home: () => barOf(root.querySelector(".tree > .node")),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    const next = to();
    if (!next) return;
    for (const other of root.querySelectorAll("[role=treeitem]")) other.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  return { update };
}

export default mount(createTree);
