// Keys, a presentation clicker's included. Never while typing, and never taken from a control that needs them; what is
// used here goes no further, nor do single letters typed inside the grid (R and C are Streamlit's own).

import { make } from "../shared/dom.js";
import { REGISTRY, isActive } from "../shared/groups.js";

const KEYS = [
  ["Space", "play, pause; beat by beat in the presenter view and in lessons"],
  ["← →", "one merge back, forward; also Page Up, Page Down"],
  ["Home End", "first, last"],
  ["− +", "slower, faster"],
  ["↑ ↓", "walk over the tokens; Enter unfolds one"],
  ["P", "presenter view, Esc leaves it"],
  ["B", "black screen in the presenter view"],
  ["?", "this list"],
];

const ACTS = {
  " ": (grid) => (grid.group.next ?? grid.head.toggle)(), // a lesson has beats of its own
  ArrowRight: (grid) => grid.head.forward(),
  PageDown: (grid) => grid.head.forward(),
  ArrowLeft: (grid) => grid.head.back(),
  PageUp: (grid) => grid.head.back(),
  Home: (grid) => grid.head.seek(0),
  End: (grid) => grid.head.seek(grid.head.last()),
  "+": (grid) => grid.head.faster(1),
  "=": (grid) => grid.head.faster(1),
  "-": (grid) => grid.head.faster(-1),
  ArrowDown: (grid) => grid.pointing.walk(1),
  ArrowUp: (grid) => grid.pointing.walk(-1),
  Enter: (grid) => grid.pointing.unfold(),
  p: (grid) => grid.present(!grid.presenting),
  P: (grid) => grid.present(!grid.presenting),
  b: (grid) => grid.blackOut(),
  B: (grid) => grid.blackOut(),
  ".": (grid) => grid.blackOut(),
  "?": (grid) => grid.help.toggle(),
  Escape: (grid) => grid.escape(),
};
const ONLY_ON_THE_GRID = new Set(["ArrowDown", "ArrowUp", "Enter"]);
const ONLY_PRESENTING = new Set(["b", "B", "."]);
const TYPING = "input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=''], [contenteditable=true], [role=textbox], [role=combobox], [role=searchbox]";
const ITS_OWN = "button, a[href], summary, select, [role=button], [role=option], [role=menuitem], [role=switch], [role=checkbox], input[type=checkbox], input[type=radio]";
const MOVED_BY_ARROWS = "[role=slider], [role=tab], [role=radio], [role=radiogroup], [role=listbox], [role=menu], [role=grid], [role=spinbutton], [data-testid=stDataFrame], input[type=radio], input[type=range]:not([data-testid=scrubber]), .js-plotly-plot";

export function listenToKeys(grid, signal) {
  const inside = (path) => path.includes(grid.root);
  const listen = (event) => {
    const path = event.composedPath();
    const target = path.find((node) => node instanceof Element) ?? document.body;
    const own = inside(path);
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.matches(TYPING)) return;
    if (own && event.key.length === 1) event.stopPropagation();
    if (!grid.leads() || !isActive(grid.group)) return;
    const act = ACTS[event.key];
    if (!act || (ONLY_PRESENTING.has(event.key) && !grid.presenting)) return;
    if (ONLY_ON_THE_GRID.has(event.key) && target !== grid.parts.viewport) return;
    if ((event.key === " " || event.key === "Enter") && target.matches(ITS_OWN)) return;
    if (!own && target.closest(MOVED_BY_ARROWS)) return;
    if (event.key === "Escape" && !grid.canEscape()) return;
    event.preventDefault();
    event.stopPropagation();
    if (grid.presenter.blackened()) grid.blackOut(); // whatever the key: the next one acts in sight of all
    else act(grid);
  };
  window.addEventListener("keydown", listen, { capture: true, signal });
  for (const kind of ["pointerdown", "focusin"]) grid.root.addEventListener(kind, () => (REGISTRY.active = grid.group), { signal });
}

export function createHelp(grid) {
  const list = make("dl", "", {}, ...KEYS.flatMap(([keys, does]) => [make("dt", "", {}, ...keys.split(" ").map((key) => make("kbd", "", {}, key))), make("dd", "", {}, does)]));
  const close = make("button", "quiet", { type: "button", click: () => toggle(false) }, "Close");
  const element = make("div", "help", { role: "dialog", "aria-label": "Keys", hidden: true, "data-testid": "help" }, make("h2", "", {}, "Keys"), list, close);
  let before = null;

  function toggle(on = element.hidden) {
    if (on === !element.hidden) return;
    if (on) before = grid.focused();
    element.hidden = !on;
    if (on) close.focus();
    else (before ?? grid.parts.viewport).focus({ preventScroll: true });
  }
  return { element, toggle, open: () => !element.hidden };
}

export function keyLegend(grid) {
  const key = (name) => make("kbd", "", {}, name);
  const help = make("button", "quiet", { type: "button", "data-testid": "keys", click: () => grid.help.toggle() }, key("?"), " all keys");
  const present = make("button", "quiet", { type: "button", "data-testid": "present", click: () => grid.present(!grid.presenting) }, key("P"), " present");
  return make("div", "keys", {}, key("Space"), grid.data.beatwise ? " next beat" : " play", key("←"), key("→"), " one merge", key("Home"), key("End"), present, help);
}
