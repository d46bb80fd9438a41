// An icicle: the token above, its left and right part below, down to the alphabet. Every bar is as wide as its parts,
// and is a button that shows its token instead. Arrow keys move down into the parts, up, and to the neighbours.

/** @import {ChipLabel} from "../../../film/browser/shared/feed_types.js" */
/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { chipContent, labelText } from "../../../film/browser/shared/chip.js";
import { coloursOf, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { hasModifier, make } from "../../../film/browser/shared/dom.js";
import { mount, rootOf } from "../../../film/browser/shared/mount.js";
import { viewAround } from "../../../film/browser/shared/on_stage.js";
import { createPictureStage, enlarge } from "../../../film/browser/token_grid/picture_stage.js";
import { mergeName, mergeNumber, formatNumber } from "../../../film/browser/shared/numbers.js";

/** A token with its two parts; an initial symbol has none. @typedef {[id: number, label: ChipLabel, rank: number | null, parts: TreeNode[]]} TreeNode */
/** A token that was built from the root. @typedef {[id: number, label: ChipLabel, rank: number]} BuiltToken */
/** `more`: how many built tokens are not sent. @typedef {{tree: TreeNode, built: BuiltToken[], more: number}} TreeData */

/** @param {Component<TreeData>} component @returns {Controller<TreeData>} */
function createTree(component) {
  const root = rootOf(component, "[data-testid=merge-tree]");
  let lastText = ""; // the data, as text
  let theme = themeOf(root);
  const view = viewAround(root);
  const content = make("div", "content");
  root.replaceChildren(content);
  const lifetime = new AbortController();
  const stage = createPictureStage({ view, root, group: "vocabulary", fit: fill }, lifetime.signal);
  new ResizeObserver(fit).observe(root);

  /** @type {Controller<TreeData>["update"]} */
  function update(next) {
    component = next;
    const { data } = next;
    const text = JSON.stringify(data);
    const themeNow = themeOf(root);
    if (text === lastText && themeNow === theme) return;
    lastText = text;
    theme = themeNow;
    root.dataset.theme = theme;
    const [, label] = data.tree;
    const attributes = { role: "tree", "aria-label": `How ${labelText(label)} was merged`, keydown: walk };
    const tree = make("div", "tree", attributes, treeNode(data.tree, 1));
    const built = data.built.length ? [builtElement(data, label)] : [];
    const hadFocus = root.matches(":focus-within");
    content.replaceChildren(make("div", "scroll", {}, tree), ...built);
    fit();
    stage.resume();
    bars()[0].tabIndex = 0;
    if (hadFocus) bars()[0].focus({ preventScroll: true });
  }

  /** @param {boolean} presents */
  function fill(presents) {
    enlarge(root, content, presents);
    fit();
  }

  /** Let the tree stand closer where its bars need more than there is. */
  function fit() {
    const tree = root.querySelector(".tree");
    const scroll = tree?.parentElement;
    if (!tree || !scroll) return;
    tree.classList.remove("close");
    tree.classList.toggle("close", scroll.scrollWidth > scroll.clientWidth);
  }

  /** @param {number} id */
  function choose(id) {
    component.setTriggerValue("chosen", id);
  }

  /** @returns {HTMLElement[]} */
  function bars() {
    return [...root.querySelectorAll("[role=treeitem]")].filter((element) => element instanceof HTMLElement);
  }

  /** @param {TreeNode} node @param {number} level @returns {HTMLElement} */
  function treeNode([id, label, rank, parts], level) {
    const name = labelText(label);
    const origin = rank === null ? "alphabet" : mergeName(rank);
    const bar = make(
      "button",
      parts.length ? "token" : "token letter",
      {
        type: "button",
        tabindex: -1,
        role: "treeitem",
        "aria-level": level,
        "aria-label": rank === null ? `${name} id ${id}, ${origin}` : `${name} ${origin}, id ${id}`,
        "aria-expanded": parts.length ? "true" : null,
        click: () => level > 1 && choose(id),
      },
      make("span", "label", { dir: "auto" }, ...chipContent(label)),
      make("small", "", {}, rank === null ? `id ${id}` : origin),
    );
    paintChip(bar, coloursOf(theme, label));
    const element = make("div", "stack node", { role: "none" }, bar);
    const children = parts.map((part) => treeNode(part, level + 1));
    if (children.length) element.append(make("div", "parts", { role: "group" }, ...children));
    else if (rank !== null) bar.append(make("small", "", {}, "…"));
    return element;
  }

  /** @param {TreeData} data @param {ChipLabel} label */
  function builtElement({ built, more }, label) {
    const chips = built.map(([id, spelling, rank]) => {
      const attributes = {
        type: "button",
        "aria-label": `${labelText(spelling)}, ${mergeName(rank)}`,
        click: () => choose(id),
      };
      const text = make("span", "", { dir: "auto" }, ...chipContent(spelling));
      const chip = make("button", "chip", attributes, text, make("small", "", {}, ` ${mergeNumber(rank)}`));
      paintChip(chip, coloursOf(theme, spelling));
      return chip;
    });
    const rest = more ? [make("span", "more", {}, `and ${formatNumber(more)} more`)] : [];
    const heading = make(
      "p",
      "",
      {},
      "Tokens built from ",
      make("b", "", { dir: "auto" }, ...chipContent(label)),
    );
    return make("div", "built", {}, heading, make("div", "row chips", {}, ...chips, ...rest));
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const bar = event.target instanceof Element ? event.target.closest("[role=treeitem]") : null;
    const node = bar?.parentElement;
    if (!node || hasModifier(event)) return;
    /** @type {Record<string, () => Element | null | undefined>} */
    const targets = {
      ArrowDown: () => node.querySelector(":scope > .parts > .node"),
      ArrowUp: () => node.parentElement?.closest(".node"),
      ArrowRight: () => node.nextElementSibling,
      ArrowLeft: () => node.previousElementSibling,
      Home: () => root.querySelector(".tree > .node"),
    };
    const target = targets[event.key];
    if (!target) return;
    event.preventDefault();
    event.stopPropagation();
    const next = target()?.querySelector(":scope > .token");
    if (!(next instanceof HTMLElement)) return;
    for (const other of bars()) other.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  return { update, remove: () => lifetime.abort() };
}

export default mount(createTree);
