// Keeps what is typed in the browser tab's own storage, at every keystroke, and gives it back to a new session once.
// Nothing is sent anywhere but to the app's own server, which had it before.

import { mount } from "../../../film/browser/shared/mount.js";

const PREFIX = "merge-by-merge/";
const DRAWN_AFTER = 400; // ms until a field shows the text that came with this run

function stored(name) {
  try {
    return window.sessionStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is switched off: typing works, a reload forgets
  }
}

function store(name, text) {
  try {
    window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // full or switched off, as above
  }
}

const drawn = ({ key }) => document.querySelector(`.st-key-${key} textarea, .st-key-${key} input`);

function createKeeper() {
  const gone = new AbortController();
  let fields = [];
  let asked = false;

  const listen = (event) => {
    for (const field of fields) if (drawn(field) === event.target) store(field.name, event.target.value);
  };
  document.addEventListener("input", listen, { capture: true, signal: gone.signal });

  function update({ data, setTriggerValue }) {
    fields = data.fields;
    if (data.fresh && !asked) {
      asked = true;
      const texts = {};
      for (const name of data.names) {
        const text = stored(name);
        if (text) texts[name] = text;
      }
      if (Object.keys(texts).length) return setTriggerValue("restored", texts);
    }
    setTimeout(storeReceived, DRAWN_AFTER);
  }

  // Text that came from the server, not by typing: kept as soon as the field shows it, known by its length.
  function storeReceived() {
    for (const field of fields) {
      const element = drawn(field);
      if (element && element.value.length === field.length) store(field.name, element.value);
    }
  }
  return { update, remove: () => gone.abort() };
}

export default mount(createKeeper);
