// One text under several tokenizers: a row of chips for each, the number of tokens at its end. Chips stand under each other
// as long as the text fits into one line, and else flow. Those that most other rows lack are framed.

/** @import {ChipLabel} from "../shared/feed_types.js" */
/** @import {Component, Controller} from "../shared/mount.js" */

import { chipElement, chipText, isPartOfCharacter, labelText } from "../shared/chip.js";
import { coloursOf, themeOf } from "../shared/colour.js";
import { focusedBeside, hasModifier, icon, make, makeButton } from "../shared/dom.js";
import { rootOf } from "../shared/mount.js";
import { formatNumber, sumOf } from "../shared/numbers.js";
import { viewAround } from "../shared/on_stage.js";
import { isTouched } from "../shared/pointed.js";
import { RIGHT_TO_LEFT } from "../player/spelling.js";
import { createPictureStage } from "../token_grid/picture_stage.js";

/** A token over the bytes [start, end) of the row's text. @typedef {[start: number, end: number, label: ChipLabel, id: number, made: string, framed: number]} SentToken */

/**
 * A row. One that is still to come has no count.
 * @typedef {object} SplitRow
 * @property {string} slug
 * @property {string} title
 * @property {string} about  who uses the tokenizer
 * @property {number} [count]
 * @property {SentToken[]} [cells]
 * @property {string} [text]  which the cells spell, if it is not what was typed
 * @property {string} [note]  such as that the tokenizer was trained on this very text
 * @property {string} [beside]  slug of the row that Compare sets beside it; "" for none
 */

/**
 * What Python sends.
 * @typedef {object} SplitsData
 * @property {string} text
 * @property {string} sentence  how many tokens which tokenizer needs
 * @property {string} rest  what to see in the rows
 * @property {SplitRow[]} rows
 * @property {string} note  what of a long text the rows show; "" for all
 * @property {string} [learn]  the way to a training on the text; "" for none
 */

/** A drawn token. @typedef {{element: HTMLElement, token: SentToken, row: number, bytes: Uint8Array}} Chip */

const SPLITS_GROUP = "tokenizers"; // what the rows fill the window with: themselves
const LETTER = 9.2; // px per letter, at the size of the page's text
const ID_LETTER = 7.2;
const PADDING = 16; // px beside the letters, with the gap to the next chip
const WIDE_FROM = 0x2e7f; // last code point before those that are two letters wide
const SPLIT_SCALES = [1.7, 1.5, 1.3, 1.15, 1]; // of the letters, the largest with which all rows have one line
const NARROW_SPLITS = 620; // px; in less width the names are above their rows
const NAMES_WIDTH = 112; // px for the names beside the rows
const ENDS_WIDTH = 148; // px for the numbers and the ways to other pages
const STAGED = 34 / 15; // of the letters at least, in the presenter view, if a row then takes half of its height
const LARGEST_STAGED = 6;
const TURNS = "the other tokenizers, and back"; // what a key does on stage

/** Make the rows. @param {Component<SplitsData>} component @returns {Controller<SplitsData>} */
export function createSplits(component) {
  const root = rootOf(component, "[data-testid=splits]");
  const said = make("b");
  const rest = make("span", "rest");
  const ids = makeButton("Show ids", "show-ids", turnIds);
  const head = make("p", "head", { "data-testid": "splits-sentence", "aria-live": "polite" }, said, rest);
  const top = make("div", "top", {}, head, ids);
  const list = make("div", "rows", { role: "grid", "aria-label": "The same text under each tokenizer" });
  // A screen reader says the same of each chip by its name.
  const note = make("p", "note", { "data-testid": "split-note" });
  const below = make("p", "aside below");
  const inTurn = rowsInTurn(root, list);
  const { others } = inTurn;
  const learn = makeButton("", "learn-from-words", () => component.setTriggerValue("learn", true));
  learn.className = "main";
  root.replaceChildren(top, list, note, below, others, learn);
  let { data } = component;
  let drawn = ""; // what is drawn, as text
  let width = 0;
  let height = 0;
  let showsIds = false;
  /** @type {Chip[][]} */
  let chips = []; // of each row
  /** @type {Chip | null} */
  let lit = null;

  /** @type {Controller<SplitsData>["update"]} */
  function update(next) {
    component = next;
    const theme = themeOf(root);
    const text = theme + JSON.stringify(next.data);
    if (text === drawn) return;
    drawn = text;
    if (next.data.text !== data.text) inTurn.begin();
    data = next.data;
    root.dataset.theme = theme;
    layOut();
    stage.resume();
  }

  const presents = () => root.classList.contains("presenting");

  function layOut() {
    width = root.clientWidth;
    height = root.clientHeight;
    const narrow = width < NARROW_SPLITS;
    root.classList.toggle("narrow", narrow);
    root.classList.toggle("ids", showsIds);
    said.textContent = data.sentence;
    rest.textContent = data.rest ? ` ${data.rest}` : "";
    ids.hidden = !data.rows.some(({ cells }) => cells?.length);
    ids.setAttribute("aria-pressed", String(showsIds));
    below.textContent = data.note;
    learn.hidden = !data.learn;
    learn.replaceChildren(icon("play"), data.learn ?? "");
    draw();
    light(null);
  }

  function draw() {
    others.hidden = true;
    const digits = Math.max(1, ...data.rows.map(({ count }) => formatNumber(count ?? 0).length));
    list.style.setProperty("--digits", String(digits));
    if (presents()) drawRows("", 1); // so that the width of a row's chips is known
    const room = roomOfChips();
    const widths = columnWidths(data.rows, showsIds);
    const line = sumOf(widths);
    const alone = longestLine(data.rows, showsIds);
    const columnsAt = (/** @type {number} */ scale) =>
      line * scale <= room ? widths.map((one) => `${(one * scale).toFixed(1)}px`).join(" ") : "";
    if (!presents()) {
      const fit = (/** @type {number} */ length) => SPLIT_SCALES.find((one) => length * one <= room);
      const scale = fit(line) ?? fit(alone) ?? 1;
      return drawRows(columnsAt(scale), scale);
    }
    // The largest letters with which all rows are in sight. Rows have one line each, if a hall can then read them. If
    // letters that it reads are too large for all rows, as many as fit are in sight.
    const shortest = Math.min(line, alone);
    const isOneLine = shortest * STAGED <= room;
    for (const scale of stagedScales()) {
      if (isOneLine && scale > STAGED && shortest * scale > room) continue;
      drawRows(columnsAt(scale), scale);
      if (root.scrollHeight <= root.clientHeight + 1) return;
      if (scale <= STAGED && inTurn.show()) return;
    }
  }

  function roomOfChips() {
    if (presents()) return list.querySelector(".chips")?.clientWidth ?? 0;
    const inner = list.clientWidth || width;
    return root.classList.contains("narrow") ? inner - 4 : inner - NAMES_WIDTH - ENDS_WIDTH;
  }

  /** @param {string} columns  widths of the text's bytes; "" where the chips flow @param {number} scale */
  function drawRows(columns, scale) {
    list.style.setProperty("--scale", scale.toFixed(2));
    list.classList.toggle("aligned", Boolean(columns));
    chips = data.rows.map(() => []);
    list.replaceChildren(...data.rows.map((row, number) => rowElement(row, number, columns)));
    const [first] = chips.flat();
    if (first) first.element.tabIndex = 0;
  }

  /** @param {SplitRow} row @param {number} number @param {string} columns */
  function rowElement(row, number, columns) {
    const name = make("div", "name", { role: "rowheader", title: row.about }, row.title);
    if (row.note) name.append(make("span", "aside own", {}, row.note));
    if (row.count === undefined) {
      const waits = make("div", "chips waits", { role: "gridcell" }, "opens …");
      return make("div", "row", { role: "row", "data-testid": `waits-${row.slug}` }, name, waits);
    }
    const cells = row.cells ?? [];
    const encoded = new TextEncoder().encode(row.text ?? data.text);
    const isAligned = columns !== "" && row.text === undefined;
    const isLong = row.count > cells.length;
    const holder = make("div", `chips${isLong ? " long" : ""}`, { dir: directionOf(row.text ?? data.text) });
    if (isAligned) holder.style.gridTemplateColumns = columns;
    holder.classList.toggle("in-columns", isAligned);
    const first = firstColumn(data.rows);
    for (const token of cells) {
      const chip = chipOf(token, number, encoded);
      if (isAligned) chip.style.gridColumn = `${token[0] - first + 1} / ${token[1] - first + 1}`;
      holder.append(chip);
    }
    if (isLong) holder.append(make("span", "more", {}, "…"));
    const attributes = {
      role: "row",
      "data-testid": `split-${row.slug}`,
      "data-count": row.count,
      "data-ends": cells.map(([, end]) => end).join(","),
    };
    const count = make("div", "count", { role: "gridcell" }, formatNumber(row.count));
    const send = (/** @type {string} */ way) => component.setTriggerValue(way, row.slug);
    return make("div", "row", attributes, name, holder, count, waysElement(row, data.rows, send));
  }

  /** @param {SentToken} token @param {number} row @param {Uint8Array} encoded */
  function chipOf(token, row, encoded) {
    const bytes = encoded.slice(Math.max(0, token[0]), token[1]);
    const element = tokenElement(token, bytes, themeOf(root));
    chips[row].push({ element, token, row, bytes });
    return element;
  }

  function turnIds() {
    showsIds = !showsIds;
    layOut();
  }

  /** @param {Chip | null} here */
  function light(here) {
    lit = here;
    for (const chip of chips.flat()) {
      const over = here !== null && chip !== here && sharesBytes(chip, here);
      chip.element.classList.toggle("here", chip === here);
      chip.element.classList.toggle("over", over);
    }
    if (!here) {
      const what = "a token to see its id, its bytes and what it is made of.";
      return note.replaceChildren(chips.flat().length ? `${isTouched() ? "Tap" : "Point at"} ${what}` : "");
    }
    const label = make("b", "what", { dir: "auto" }, labelText(here.token[2]));
    note.replaceChildren(label, ` ${aboutToken(here.token, here.bytes)} · ${data.rows[here.row].title}`);
  }

  /** @param {Chip} one @param {Chip} other */
  function sharesBytes(one, other) {
    if (data.rows[one.row].text !== undefined || data.rows[other.row].text !== undefined) return false;
    return one.row !== other.row && one.token[0] < other.token[1] && other.token[0] < one.token[1];
  }

  /** @param {Event} event */
  function chipAt({ target }) {
    const element = target instanceof Element ? target.closest(".chip") : null;
    return (element && chips.flat().find((chip) => chip.element === element)) || null;
  }

  /** @param {Chip | null} here */
  function point(here) {
    if (here !== lit) light(here);
  }

  /** @param {Chip | undefined} chip */
  function reach(chip) {
    if (!chip) return;
    for (const { element } of chips.flat()) element.tabIndex = -1;
    chip.element.tabIndex = 0;
    inTurn.reach(chip.row);
    chip.element.focus();
    chip.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Return the first chip above or below one that shares bytes with it, or the row's last. @param {Chip} here @param {1 | -1} by */
  function chipBeyond(here, by) {
    for (let row = here.row + by; chips[row]; row += by) {
      const found = chips[row].find((chip) => sharesBytes(chip, here)) ?? chips[row].at(-1);
      if (found) return found;
    }
    return undefined;
  }

  /** @param {KeyboardEvent} event */
  function walkChips(event) {
    const here = chipAt(event);
    if (!here || hasModifier(event)) return;
    const inRow = chips[here.row];
    const at = inRow.indexOf(here);
    /** @type {Record<string, () => Chip | undefined>} */
    const targets = {
      ArrowRight: () => inRow[at + 1],
      ArrowLeft: () => inRow[at - 1],
      ArrowDown: () => chipBeyond(here, 1),
      ArrowUp: () => chipBeyond(here, -1),
      Home: () => inRow[0],
      End: () => inRow.at(-1),
    };
    const target = targets[event.key];
    if (!target) return;
    event.preventDefault();
    event.stopPropagation();
    reach(target());
  }

  list.addEventListener("pointermove", (event) => point(chipAt(event)));
  list.addEventListener("pointerleave", () => {
    if (!list.contains(focusedBeside(root))) point(null);
  });
  list.addEventListener("focusin", (event) => point(chipAt(event)));
  list.addEventListener("keydown", walkChips);
  const lifetime = new AbortController();
  const fit = () => drawn && layOut();
  const stage = createPictureStage(
    { view: viewAround(root), root, group: SPLITS_GROUP, fit, turn: inTurn.turn, turns: TURNS },
    lifetime.signal,
  );
  // On stage the height counts, too: the field that T opens is above the rows.
  const observer = new ResizeObserver(() => {
    const isOther = Math.abs(root.clientWidth - width) > 1 || (presents() && root.clientHeight !== height);
    if (drawn && isOther) layOut();
  });
  observer.observe(root);
  function remove() {
    lifetime.abort();
    observer.disconnect();
  }
  return { update, remove };
}

/** @param {SentToken} token @param {Uint8Array} bytes @param {import("../shared/colour.js").Theme} theme */
function tokenElement(token, bytes, theme) {
  const [start, , label, id, , framed] = token;
  const kinds = {
    part: isPartOfCharacter(label),
    framed: Boolean(framed),
    added: start < 0,
    unknown: id < 0,
  };
  const names = Object.entries(kinds).flatMap(([name, is]) => (is ? [name] : []));
  return chipElement(
    label,
    id < 0 ? null : coloursOf(theme, label),
    names.join(" "),
    { role: "gridcell", tabindex: -1, "aria-label": `${labelText(label)}: ${aboutToken(token, bytes)}` },
    make("small", "id", { "aria-hidden": "true" }, id < 0 ? "?" : String(id)),
  );
}

/** Make the buttons that lead from a row to other pages. @param {SplitRow} row @param {SplitRow[]} rows @param {(way: string) => void} send */
function waysElement(row, rows, send) {
  const ways = make("div", "ways", { role: "gridcell" });
  /** @type {(way: string, picture: Node, about: string) => void} */
  const add = (way, picture, about) => {
    const button = makeButton("", `${way}-${row.slug}`, () => send(way));
    button.title = about;
    button.setAttribute("aria-label", about);
    button.append(picture);
    ways.append(button);
  };
  add("merge", icon("play"), `Watch how ${row.title} merges it`);
  const beside = rows.find(({ slug }) => slug === row.beside);
  if (beside) add("beside", make("span", "", {}, "⇄"), `Compare ${row.title} and ${beside.title}`);
  return ways;
}

/**
 * Show as many rows as fit on a stage, and the others in turn.
 * @param {HTMLElement} root
 * @param {HTMLElement} list  of the rows
 */
function rowsInTurn(root, list) {
  let first = 0; // in sight
  const others = makeButton("", "other-rows", () => turn(1));
  others.className = "quiet";
  const rowElements = () => /** @type {HTMLElement[]} */ ([...list.children]);

  /** Show the rows from the first one in sight on. Return whether any two of them would fit. */
  function show() {
    const rows = rowElements();
    for (const row of rows) row.hidden = false;
    others.hidden = false;
    name(0, rows.length);
    const heights = rows.map((row) => row.getBoundingClientRect().height);
    const room = root.clientHeight - (root.scrollHeight - sumOf(heights));
    first = Math.min(first, rows.length - 1);
    while (first > 0 && sumOf(heights.slice(first - 1)) <= room) first -= 1; // the last ones fill the stage
    let end = first + 1;
    while (end < rows.length && sumOf(heights.slice(first, end + 1)) <= room) end += 1;
    for (const [number, row] of rows.entries()) row.hidden = number < first || number >= end;
    name(first, end);
    return 2 * Math.max(...heights) <= room;
  }

  /** @param {number} from @param {number} to */
  function name(from, to) {
    const { length } = list.children;
    const way = to < length ? "→ shows the others" : "→ begins again";
    others.textContent = `${from + 1} to ${to} of ${length} tokenizers · ${way}`;
  }

  /** @param {1 | -1} by */
  function turn(by) {
    if (others.hidden) return;
    const rows = rowElements();
    const shown = rows.filter((row) => !row.hidden).length;
    const last = rows.length - 1;
    if (by > 0) first = rows[last].hidden ? first + shown : 0;
    else first = rows[0].hidden ? Math.max(0, first - shown) : last;
    show();
  }

  /** @param {number} row */
  function reach(row) {
    if (!rowElements()[row].hidden) return;
    first = row;
    show();
  }

  return { others, begin: () => (first = 0), show, turn, reach };
}

/** Return the sizes of letters to try in the presenter view, the largest first. */
function stagedScales() {
  const scales = [];
  for (let scale = LARGEST_STAGED; scale > STAGED; scale *= 0.95) scales.push(scale);
  for (let scale = STAGED; scale > 1; scale *= 0.95) scales.push(scale);
  return [...scales, 1];
}

/** @param {SplitRow[]} rows */
function firstColumn(rows) {
  return Math.min(0, ...rows.flatMap(({ cells }) => (cells ?? []).map(([start]) => start)));
}

/**
 * Return the width of each byte of the text, in px: as narrow as the chips over it allow.
 * @param {SplitRow[]} rows
 * @param {boolean} withIds
 */
export function columnWidths(rows, withIds) {
  const cells = rows.flatMap((row) => (row.text === undefined ? (row.cells ?? []) : []));
  const first = firstColumn(rows);
  const last = Math.max(first, ...cells.map(([, end]) => end));
  /** @type {number[]} */
  const widths = Array.from({ length: last - first }, () => 0);
  // Narrow chips first: a wide one then adds only the width that its columns lack.
  for (const [start, end, label, id] of cells.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]))) {
    const from = start - first;
    const to = end - first;
    const lacks = chipWidth(label, id, withIds) - sumOf(widths.slice(from, to));
    if (lacks > 0) for (let at = from; at < to; at++) widths[at] += lacks / (to - from);
  }
  return widths;
}

/** Return the width of the longest row whose chips do not stand under those of others. @param {SplitRow[]} rows @param {boolean} withIds */
function longestLine(rows, withIds) {
  const widths = rows.map(({ cells }) =>
    sumOf((cells ?? []).map(([, , label, id]) => chipWidth(label, id, withIds))),
  );
  return Math.max(0, ...widths);
}

/** @param {ChipLabel} label @param {number} id @param {boolean} withIds */
function chipWidth(label, id, withIds) {
  return Math.max(lettersWide(label) * LETTER, withIds ? String(id).length * ID_LETTER : 0) + PADDING;
}

/** Return how many letters wide a label is. @param {ChipLabel} label */
function lettersWide(label) {
  let letters = 0;
  for (const letter of chipText(label)) letters += (letter.codePointAt(0) ?? 0) > WIDE_FROM ? 2 : 1;
  return isPartOfCharacter(label) ? 0.85 * letters : letters;
}

/** Say what a token is, in a few words. @param {SentToken} token @param {Uint8Array} bytes */
function aboutToken([start, , , id, made], bytes) {
  const number = id < 0 ? "not in the vocabulary" : `id ${formatNumber(id)}`;
  const hex = [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
  const count = `${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"}, ${hex}`;
  const what = start < 0 ? "a space that the tokenizer puts in front" : count;
  return [number, what, ...(made ? [`made of ${made}`] : [])].join(" · ");
}

/** Return the direction in which a text is read: that of its first letter. @param {string} text */
function directionOf(text) {
  const letter = text.match(/\p{L}/u);
  return letter && RIGHT_TO_LEFT.test(letter[0]) ? "rtl" : "ltr";
}
