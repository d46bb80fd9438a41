// What a tab remembers of a field's text: while the page is loaded, in a variable; for the next load, in the tab's storage.

import {
  forgetUnsent,
  isAside,
  readOver,
  readStored,
  setAside,
  store,
  storeUnsent,
} from "../../streamlit_gaps/kept_text/storage.js";

/** What the server says of a text: see `main.js`. @typedef {{name: string, visit: string, text: string | null, received: number, ours: boolean, aside: boolean, kept: string[]}} Said */

/** @type {Map<string, ReturnType<typeof createMemory>>} */
const memories = new Map();

/** Return the memory of a text, which outlives its field. @param {string} key */
export function memoryOf(key) {
  const memory = memories.get(key) ?? createMemory();
  memories.set(key, memory);
  return memory;
}

export function createMemory() {
  let text = "";
  let server = ""; // what the server has, or had when it last said so
  let visit = ""; // the session that the text was exchanged with
  let number = 0; // of the last message
  let isTyped = false; // whether the text is still to be sent
  let isLost = false; // whether the tab could not store it
  let over = ""; // the server's text, in short, over which a text of the storage was typed and not sent
  /** @type {Record<string, string>} */
  let kept = {}; // the stored texts that the session gets
  /** @type {{number: number, text?: string, kept: Record<string, string>}} */
  let message = { number, kept };

  /** A session begins, with a new page or with a server that begins anew. @param {Said} said */
  function begin(said) {
    const own = isLost ? text : (readStored(said.name) ?? "");
    isTyped = false;
    number = said.received;
    over = readOver(said.name) ?? "";
    kept = Object.fromEntries(
      said.kept.map((name) => [name, readStored(name) ?? ""]).filter(([, one]) => one),
    );
    visit = said.visit;
    text = server = said.text ?? "";
    const isNewer = over !== "" && over === shortOf(server);
    const isOpen = said.ours || isNewer || (said.aside && !isAside(said.name));
    if (own === "" || own === text || !isOpen) return accept(said, text);
    delete kept[said.name];
    return type(own, said);
  }

  /** Take the server's text. @param {Said} said @param {string} sent */
  function accept({ name, ours, aside }, sent) {
    text = server = sent;
    forgetUnsent(name);
    const stored = readStored(name) ?? "";
    setAside(name, aside && stored !== "");
    const isChosen = ours ? "" : sent; // what nobody has typed or chosen may change by the next visit
    if (!aside && stored !== isChosen) store(name, isChosen);
    isLost = !aside && (readStored(name) ?? "") !== isChosen;
  }

  /** Take what is typed. @param {string} typed @param {Said} said */
  function type(typed, { name }) {
    text = typed;
    isTyped = true;
    storeUnsent(name, text, shortOf(server));
    isLost = readStored(name) !== text;
    setAside(name, false);
  }

  return {
    /** What the field shows. */
    get text() {
      return text;
    },
    /** Number of the last message. */
    get number() {
      return number;
    },
    isUnsent: () => isTyped || (message.kept !== kept && Object.keys(kept).length > 0),
    isLost: () => isLost,
    type,
    /** Return the next message to the server. */
    next() {
      number += 1;
      message = isTyped ? { number, text, kept } : { number, kept };
      isTyped = false;
      return message;
    },
    /** Return the last message, to be sent once more. */
    again: () => message,
    /** Hear what the server says. @param {Said} said */
    hear(said) {
      if (visit !== said.visit) return begin(said);
      if (isTyped || said.received < number) return undefined; // it does not know yet what stands here
      kept = {};
      const sent = said.text ?? text;
      const isOlder = sent !== text && shortOf(sent) === over; // a link's text, over which this one was typed
      over = "";
      return isOlder ? type(text, said) : accept(said, sent);
    },
  };
}

/** Return a text in short: equal for equal texts. @param {string} text */
function shortOf(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return `${text.length}-${sum}`;
}
