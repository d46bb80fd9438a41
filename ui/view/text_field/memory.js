// What a tab remembers of a field's text: while the page is loaded, in a variable; for the next load, in the tab's storage,
// where it lies under its name, and beside a text that was not sent yet the server's text, in short, over which it was
// typed. If storage is full or disabled, typing works, but a reload loses the text, and the page says so.

/** What the server says of a text: see `main.js`. @typedef {{name: string, visit: string, text: string | null, received: number, ours: boolean, aside: boolean, kept: string[]}} Said */

export const PREFIX = "merge-by-merge/"; // begins the names of all that we store
const OVER = "/over"; // ends the name of the server's text, in short
const ASIDE = "/aside"; // ends the name under which it is noted that a text is kept while something else is shown

/** Return what the tab has stored under a name; null without it. @param {string} name */
export function readStored(name) {
  try {
    return window.sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Store a text in the tab; null removes it. @param {string} name @param {string | null} text */
export function store(name, text) {
  try {
    if (text === null) window.sessionStorage.removeItem(PREFIX + name);
    else window.sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // as above
  }
}

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
  let link = ""; // the fragment of a link that the session gets
  let since = 0; // number of the first message with it
  let isGiving = false; // whether these two are still to be sent
  /** @type {{number: number, text?: string, kept: Record<string, string>, link?: string, since?: number}} */
  let message = { number, kept };

  /** A session begins, with a new page or with a server that begins anew. @param {Said} said */
  function begin(said) {
    const own = isLost ? text : (readStored(said.name) ?? "");
    isTyped = false;
    number = said.received;
    since = number + 1;
    over = readStored(said.name + OVER) ?? "";
    kept = Object.fromEntries(
      said.kept.map((name) => [name, readStored(name) ?? ""]).filter(([, one]) => one),
    );
    isGiving = link !== "" || Object.keys(kept).length > 0;
    visit = said.visit;
    text = server = said.text ?? "";
    const isNewer = over !== "" && over === shortOf(server);
    const wasAside = readStored(said.name + ASIDE) !== null;
    const isOpen = said.ours || isNewer || (said.aside && !wasAside);
    if (own === "" || own === text || !isOpen) return accept(said, text);
    delete kept[said.name];
    return type(own, said);
  }

  /** Take the server's text. @param {Said} said @param {string} sent */
  function accept({ name, ours, aside }, sent) {
    text = server = sent;
    store(name + OVER, null);
    const stored = readStored(name) ?? "";
    store(name + ASIDE, aside && stored !== "" ? "yes" : null);
    const isChosen = ours ? "" : sent; // what nobody has typed or chosen may change by the next visit
    if (!aside && stored !== isChosen) store(name, isChosen);
    isLost = !aside && (readStored(name) ?? "") !== isChosen;
  }

  /** Take what is typed. @param {string} typed @param {Said} said */
  function type(typed, { name }) {
    text = typed;
    isTyped = true;
    store(name + OVER, null); // before the text: if there is no space for it, an older one must not count as unsent
    store(name, text);
    isLost = readStored(name) !== text;
    if (!isLost) store(name + OVER, shortOf(server));
    store(name + ASIDE, null);
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
    isUnsent: () => isTyped || isGiving,
    isLost: () => isLost,
    type,
    /** Let the session get the fragment of a link. @param {string} fragment */
    open(fragment) {
      link = fragment;
      since = number + 1;
      isGiving = true;
    },
    /** Return the next message to the server. */
    next() {
      number += 1;
      message = { number, kept, ...(isTyped && { text }), ...(link && { link, since }) };
      isTyped = isGiving = false;
      return message;
    },
    /** Return the last message, to be sent once more. */
    again: () => message,
    /** Hear what the server says. @param {Said} said */
    hear(said) {
      if (visit !== said.visit) return begin(said);
      if (isTyped || isGiving || said.received < number) return undefined; // it does not know yet what stands here
      kept = {};
      link = "";
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
