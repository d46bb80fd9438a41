// The page: a text, a trainer, and the film of the training, all in the browser.

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ (element("form"));
const text = /** @type {HTMLTextAreaElement} */ (element("text"));
const preset = /** @type {HTMLSelectElement} */ (element("preset"));
const merges = /** @type {HTMLInputElement} */ (element("merges"));
const train = /** @type {HTMLButtonElement} */ (element("train"));
const stop = /** @type {HTMLButtonElement} */ (element("stop"));
const save = /** @type {HTMLAnchorElement} */ (element("save"));
const frame = /** @type {HTMLIFrameElement} */ (element("film"));
const status = element("status");
let worker = begin();

/** Start Python. The form waits until it is there. */
function begin() {
  const started = new Worker("worker.js", { type: "module" });
  train.disabled = true;
  status.textContent = "Python is loading …";
  started.addEventListener("message", ({ data }) => hear(data));
  started.addEventListener("error", () => {
    status.textContent = "Python did not load. Open this page from a web server, not from a file.";
  });
  return started;
}

/** @param {{presets?: [string, string][], learned?: number, page?: string, problem?: string, milliseconds: number}} told */
function hear({ presets, learned, page, problem, milliseconds }) {
  if (learned !== undefined) {
    status.textContent = `Learning merges: ${learned} of ${merges.value}.`;
    return;
  }
  busy(false);
  const seconds = (milliseconds / 1000).toFixed(1);
  if (presets) {
    if (!preset.options.length) preset.append(...presets.map(([slug, title]) => new Option(title, slug)));
    status.textContent = `Ready. Python took ${seconds} s to load.`;
  } else if (problem) {
    status.textContent = problem;
  } else if (page) {
    frame.srcdoc = page;
    frame.hidden = save.hidden = false;
    URL.revokeObjectURL(save.href);
    save.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    status.textContent = `Trained in ${seconds} s.`;
  }
}

/** @param {boolean} on */
function busy(on) {
  train.disabled = on;
  stop.hidden = !on;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  busy(true);
  status.textContent = "Counting the words of the text …";
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin of its own
  worker.postMessage({ text: text.value, preset: preset.value, merges: merges.valueAsNumber || 0 });
});
stop.addEventListener("click", () => {
  worker.terminate();
  busy(false);
  worker = begin();
});
