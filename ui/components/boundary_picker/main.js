// A text spelled in its initial symbols, a button at every boundary; the answer to the one pressed stands below.

import { COLOURINGS, paintChip, themeOf } from "../../../film/browser/shared/colour.js";
import { chipElement, make } from "../../../film/browser/shared/dom.js";
import { mount } from "../../../film/browser/shared/mount.js";

const NAMES = { merged: "merged", open: "not merged", wall: "wall" };

function createInspector(parentElement) {
  const root = parentElement.querySelector("[data-testid=inspector]");
  const state = { data: null, text: "", theme: "", buttons: [], tell: () => undefined };
  const words = make("div", "words", { role: "radiogroup", "aria-label": "Boundaries of the text: choose one" });
  const answer = make("div", "answer card", { "aria-live": "polite", "data-testid": "inspector-answer" });
  root.replaceChildren(words, answer);

  function update({ data, setStateValue }) {
    state.tell = (place) => setStateValue("place", place);
    const theme = themeOf(root);
    const text = JSON.stringify([data.symbols, data.boundaries]);
    const other = text !== state.text || theme !== state.theme;
    Object.assign(state, { data, text, theme });
    root.dataset.theme = theme;
    if (other) spell();
    mark(data.answer.place);
    say(data.answer);
  }

  function spell() {
    const { symbols, boundaries } = state.data;
    state.buttons = boundaries.map((kind, at) => button(kind, at));
    let word = make("span", "word");
    const all = [word];
    symbols.forEach(([label, id], at) => {
      const begins = boundaries[at - 1] !== "merged";
      const ends = boundaries[at] !== "merged";
      const symbol = make("span", `symbol${begins ? " begins" : ""}${ends ? " ends" : ""}${id < 0 ? " unknown" : ""}`, { dir: "auto" }, label);
      const colours = id < 0 ? null : COLOURINGS.identity.chip(state.theme, { id });
      if (colours) paintChip(symbol, colours);
      word.append(symbol);
      const seam = state.buttons[at];
      if (!seam) return;
      if (!ends && colours) paintChip(seam, colours);
      if (boundaries[at] === "wall") {
        word.append(seam);
        word = make("span", "word");
        all.push(word);
      } else word.append(seam);
    });
    words.replaceChildren(...all);
  }

  function button(kind, at) {
    const { symbols } = state.data;
    return make("button", `boundary ${kind}`, { type: "button", role: "radio", tabindex: -1, "data-place": at, "aria-label": `between ${symbols[at][0]} and ${symbols[at + 1][0]}: ${NAMES[kind]}`, click: () => ask(at) });
  }

  function ask(at) {
    mark(at);
    if (at !== state.data.answer.place) state.tell(at);
  }

  function mark(at) {
    state.buttons.forEach((other, number) => {
      other.classList.toggle("chosen", number === at);
      other.tabIndex = number === at ? 0 : -1;
      other.setAttribute("aria-checked", String(number === at));
    });
  }

  function chip([label, id]) {
    return chipElement(label, id < 0 ? { fill: "transparent", edge: "currentColor", ink: "inherit" } : COLOURINGS.identity.chip(state.theme, { id }));
  }

  function say({ kind, title, sentence, left, right, merges }) {
    const rows = merges.map(([rank, a, b, token]) => make("li", "", {}, make("span", "rank", {}, `merge ${rank}`), chip(a), make("span", "sign", {}, "+"), chip(b), make("span", "sign", {}, "→"), chip(token)));
    answer.replaceChildren(
      make("div", "asked", {}, chip(left), make("span", "sign", {}, kind === "merged" ? "+" : "¦"), chip(right), make("b", `kind ${kind === "merged" ? "yes" : "no"}`, {}, title)),
      make("p", "sentence", { dir: "auto" }, sentence),
      ...(rows.length ? [make("ul", "", { "aria-label": "The merges involved" }, ...rows)] : []));
  }

  words.addEventListener("keydown", (event) => {
    const at = state.buttons.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: state.buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = state.buttons[to];
    if (!next) return;
    mark(to);
    next.focus();
    clearTimeout(state.timer);
    state.timer = setTimeout(() => ask(to), 180);
  });
  return { update };
}

export default mount(createInspector);
