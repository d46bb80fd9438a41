// A clicker walks through slides: a key first goes on in the film of a slide, and at the film's end to the next slide.

const ON = new Set(["ArrowRight", "PageDown", " "]);
const BACK = new Set(["ArrowLeft", "PageUp"]);
const BLACK = new Set(["b", "B", "."]); // of a keyboard, and of a clicker
const PATIENCE = 200; // number of looks for a film that is being drawn
const BETWEEN_LOOKS = 50; // ms
const TYPING = "input, textarea, select";

const slides = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".slide")]);
const position = document.querySelector(".at");
let at = Math.min(slides.length, Math.max(1, Number(location.hash.slice(1)) || 1)) - 1;

/**
 * Return a part of a film, such as the button that goes to another beat; null before it is drawn.
 * @param {ParentNode} root
 * @param {string} name
 * @returns {HTMLButtonElement | null}
 */
function partIn(root, name) {
  const own = /** @type {HTMLButtonElement | null} */ (root.querySelector(`[data-testid=${name}]`));
  if (own) return own;
  for (const { shadowRoot } of root.querySelectorAll("*")) {
    const inner = shadowRoot && partIn(shadowRoot, name);
    if (inner) return inner;
  }
  return null;
}

/** Return the film of this slide, if the field over its stage is open. */
function filmWithField() {
  const page = slides[at].querySelector("iframe")?.contentDocument;
  return page && partIn(page, "stage-text")?.checkVisibility() ? page : null;
}

/** @param {number} number */
function go(number) {
  at = Math.max(0, Math.min(number, slides.length - 1));
  slides.forEach((slide, other) => slide.classList.toggle("now", other === at));
  const holder = slides[at].querySelector("[data-film]");
  if (holder && !holder.firstChild) holder.append(frameOf(String(holder.getAttribute("data-film"))));
  if (position) position.textContent = `${at + 1} of ${slides.length}`;
  slides[at].focus({ preventScroll: true });
  history.replaceState(null, "", `#${at + 1}`);
}

/** @param {string} name  of an element that holds data */
function dataIn(name) {
  return JSON.parse(document.getElementById(name)?.textContent ?? "null");
}

/**
 * Return the page of a film: the one that all films with its player share, with its own title and data in the gaps.
 * @param {string} slug
 * @returns {string}
 */
function pageOf(slug) {
  const { shell, title, data } = dataIn(`film-${slug}`);
  return dataIn(`shell-${shell}`)
    .replace("{title}", () => title)
    .replace("{data}", () => data);
}

/** @param {string} slug */
function frameOf(slug) {
  const frame = document.createElement("iframe");
  frame.title = slides[at].querySelector("h1")?.textContent ?? "";
  frame.dataset.asksForKeys = ""; // also while the film has the focus, which it takes late on a slow machine
  frame.srcdoc = pageOf(slug);
  frame.addEventListener("load", () => {
    // The keys belong to the slides, which pass them on, also after a click into the film.
    frame.contentWindow?.addEventListener("pointerup", ({ target }) => {
      const typing = /** @type {Partial<Element> | null} */ (target)?.matches?.(TYPING);
      if (!typing) setTimeout(() => filmWithField() ?? slides[at].focus({ preventScroll: true }));
    });
    present(frame);
  });
  return frame;
}

/**
 * Open the presenter view of a film as soon as it is drawn, as its own key does.
 * @param {HTMLIFrameElement} frame
 * @param {number} [looks]
 */
function present(frame, looks = 0) {
  const page = frame.contentDocument;
  const button = page && partIn(page, "lesson-next");
  if (!button) {
    if (looks < PATIENCE) setTimeout(() => present(frame, looks + 1), BETWEEN_LOOKS);
    return;
  }
  setTimeout(() => {
    if (!button.closest(".presenting")) pressIn(page, "p"); // a reload has opened it already
    setTimeout(() => slides[at].focus({ preventScroll: true })); // which the presenter view has taken
  }, BETWEEN_LOOKS);
}

/** @param {Document} page @param {string} key */
function pressIn(page, key) {
  page.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
}

/** @param {1 | -1} by */
function turn(by) {
  const page = slides[at].querySelector("iframe")?.contentDocument;
  const button = page && partIn(page, by > 0 ? "lesson-next" : "lesson-back");
  if (button && !button.disabled) button.click();
  else go(at + by);
}

/** @param {KeyboardEvent} event */
function press(event) {
  const [target] = event.composedPath();
  const element = /** @type {Partial<Element>} */ (target);
  if (event.ctrlKey || event.metaKey || event.altKey || element.matches?.(TYPING)) return;
  const page = slides[at].querySelector("iframe")?.contentDocument;
  const isOfFilm = element.matches?.("iframe"); // it offers its keys, and has those that nobody takes
  const isBlack = document.body.classList.contains("black");
  if (isBlack) document.body.classList.remove("black"); // whatever the key; the next one acts with the slide in sight
  else if (page && !isOfFilm && (event.key.toLowerCase() === "t" || filmWithField()))
    pressIn(page, event.key);
  else if (event.key.toLowerCase() === "n") document.body.classList.toggle("speaks");
  else if (BLACK.has(event.key)) document.body.classList.add("black");
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(slides.length - 1);
  else if (ON.has(event.key)) turn(1);
  else if (BACK.has(event.key)) turn(-1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

document.documentElement.classList.add("deck");
addEventListener("keydown", press);
go(at);
