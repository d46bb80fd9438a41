// Grids and pair tables of one group share a playhead. Each has its own shadow root; everything else is exchanged by window
// events.

/**
 * The beats of a merge: count the pairs, select one, fuse its tokens, settle on what has changed. At rest everything is
 * marked, at a guess the next merge is hidden, and "fast" is for steps without beats.
 * @typedef {"rest" | "guess" | "count" | "select" | "fuse" | "settle" | "fast"} Beat
 */

/**
 * The playhead of a group.
 * @typedef {object} Playhead
 * @property {number} step
 * @property {Beat} beat
 * @property {boolean} playing
 * @property {boolean} scrubbing  whether the scrubber is being dragged
 * @property {boolean} beatwise  whether the next merge stays hidden until a key shows it
 * @property {boolean} predicting  whether the viewer predicts the merges
 * @property {boolean} film  whether the presenter view plays instead of waiting at every beat
 * @property {number} speed  position in SPEEDS
 * @property {boolean} motion  whether tokens may move
 * @property {() => number} last  the step after the last one of all lanes
 * @property {(step: number, options?: {animate?: boolean}) => void} seek
 * @property {() => void} play
 * @property {() => void} pause
 * @property {() => void} toggle
 * @property {() => void} forward  makes one merge
 * @property {() => void} back  undoes one merge
 * @property {() => void} nextBeat
 * @property {() => void} previousBeat
 * @property {(beat: Beat) => void} resume  goes to a beat of this step
 * @property {(by: number) => void} faster
 * @property {(on: boolean) => void} setBeatwise
 * @property {() => void} tell  sends its position to lanes and page
 * @property {() => void} gather  moves every lane to its step, after a lane was added or had its own step
 */

/**
 * The lane's title, its position in the group, the number of lanes, and its distance from the playhead.
 * @typedef {object} LaneTitle
 * @property {string} [title]
 * @property {string} [subtitle]
 * @property {number} [index]
 * @property {number} [of]
 * @property {number} [beside]  how many are in a row
 * @property {number} [ahead]  how many steps it is ahead of the playhead
 */

/**
 * A lane of a group: a grid, as far as its playhead and its neighbours know it.
 * @typedef {object} Lane
 * @property {HTMLElement} root
 * @property {LaneTitle | null} lane
 * @property {number} step  of the playhead, at most `last`
 * @property {number} last
 * @property {{training: boolean, feed: {id: string}}} model  whether it shows a training, or how a new text is encoded
 * @property {(from: number, step: number, duration: number) => void} follow  paints the playhead's move; takes `duration` ms
 * @property {() => void} mark  paints the marks of the beat
 * @property {() => void} write  writes the texts and attributes of step and beat
 * @property {() => void} finish  ends the running animation at once
 * @property {() => void} relayout
 * @property {(step: number) => string} why  says why the pair of a merge won its tie; "" without one
 * @property {() => {number: number, chips: HTMLElement[]}} vocabulary  its size now, and chips of its newest tokens
 * @property {() => string} tell  says the next merge and why it won, for the speaker; "" at the end and for a new text
 */

/**
 * The stage of a group: holds its lanes and their transport.
 * @typedef {object} Stage
 * @property {HTMLElement} head  above the lanes; visible in the presenter view only
 * @property {HTMLElement} foot  below the transport; visible in the presenter view only
 * @property {(ending: HTMLElement | null) => void} setEnding  sets what follows the last merge
 * @property {() => boolean} hasEnding
 * @property {(on?: boolean) => boolean} showEnding  shows or hides it; returns whether that changed anything
 */

/**
 * The picture of every way, as the keys know it.
 * @typedef {object} WaysStage
 * @property {() => void} turn  lets it fill the window, or no longer
 * @property {() => boolean} isOn  whether it fills the window
 * @property {(by: number) => void} zoom  1 for closer, -1 for less close, 0 for the whole picture
 */

/**
 * The elements on the page that share a playhead.
 * @typedef {object} Group
 * @property {string} name
 * @property {Set<Lane>} lanes
 * @property {Set<HTMLElement>} tables  elements beside the lanes: pair tables, a lesson's card
 * @property {Playhead | null} playhead  made by the first lane
 * @property {HTMLElement | null} slot  where the transport is, if not below the grid or on the stage
 * @property {Stage | null} stage  if there are several lanes
 * @property {HTMLElement | null} [picture]  what a page without lanes presents
 * @property {WaysStage | null} [ways]  if the page has the picture of every way to break the ties
 * @property {(() => void) | null} [code]  shows the code in place of the pair table, or no longer; if there is some
 * @property {boolean} presenting
 * @property {boolean} [asks]  whether a lesson's question is open
 * @property {boolean} [asksNext]  whether it is which pair comes next; not set without a lesson
 * @property {Tells | null} [tells]  what a lesson tells of the next merge; its grid shows nothing else
 * @property {(pair: [number, number]) => void} [answer]  receives the pair that the viewer predicts, if an exercise asks for it
 * @property {[left: string, right: string][]} [named]  pairs that a lesson's text names, their bytes in hexadecimal
 * @property {{at: number, of: number, now: string[], answer: string, next: string}} [speech]  what a lesson tells now, for the speaker's notes
 * @property {() => void} [next]  what the next key does, in place of the grid's next beat
 * @property {() => void} [back]  what the key before does
 * @property {Told} [told]  what Python has learned since it drew the view of this group
 */

/** What the view of a group is told, by name. @typedef {Record<string, unknown>} Told */

/**
 * What a beat of a lesson tells.
 * @typedef {object} Tells
 * @property {number} step  of the beat; elsewhere the viewer has moved the grid, and it shows all
 * @property {boolean} winner  whether the beat is about the next merge
 * @property {boolean} tied  whether it is about the pairs that tie for it
 * @property {boolean} headline  whether any beat of the lesson is about a next merge
 * @property {string[]} known  slugs of the terms that are known by then
 */

/**
 * `listening`: names of the listeners that live as long as the page; `sent`: the details of events that components sent;
 * `talk`: that is given on this page; `fields`: the page's, for the stage; `early`: what is typed before it is there; `leaving`: the page that was asked for.
 * @typedef {{groups: Map<string, Group>, listening: Set<string>, sent: WeakSet<object>, active?: Group, talk?: Talk | null, fields?: Set<Typing>, early?: EarlyText | null, leaving?: {number: number, until: number}}} Registry
 */

/** A talk: what leads from a detour back to it, and its name. @typedef {{back: {name: string, act: () => void} | null}} Talk */

/**
 * The field of the page, as the stage knows it.
 * @typedef {object} Typing
 * @property {(text?: string, from?: number) => void} open  shows it over the stage, with what was typed before it was there;
 *   `from` is the number of the page to which closing it leads, 0 for none
 * @property {() => void} close
 * @property {() => boolean} isOpen
 * @property {() => boolean} isReady  whether the field is there
 */

/**
 * What somebody types before the field is there, until when it is waited for, in ms, and from which page it comes, 0 for none.
 * @typedef {{text: string, until: number, from: number}} EarlyText
 */

/**
 * What a figure counts: the places of a pair, by default the next merge's; those of all pairs that tie for it; all tokens;
 * each different token once; the seams that merges with a tie close; or the places of one merge, done or to come.
 * @typedef {"pair" | "tied" | "tokens" | "vocabulary" | "ties" | "merge"} Counted
 */

/**
 * The tokens to highlight: those with an id, the occurrences of a pair, what a figure counts, or none.
 * @typedef {object} Light
 * @property {string} [from]  the sender
 * @property {boolean} [none]
 * @property {number} [token]
 * @property {string} [name]  what the token says, where there are several lanes: each has ids of its own
 * @property {number[]} [tokens]  several of them
 * @property {number} [left]
 * @property {number} [right]
 * @property {Counted} [counts]  each place gets a frame, so that one can count them
 * @property {number} [merge]  the rank of that merge
 * @property {number} [lane]  the only lane that it is about
 */

/** A pair table: player/pair_counts.js says what its rows are. @typedef {{step: number, rows: object[], total: number}} Table */

/**
 * The window events by name, each with its detail, which also names the group.
 * @typedef {object} Events
 * @property {{step: number, playing: boolean, beat?: Beat}} step  where the playhead is
 * @property {Light} light
 * @property {{id: string, step: number, pairs: [number, number][]}} tied  the pairs that tie for the next merge
 * @property {Table & {lane: number}} pairs  the pair table, counted in the browser
 * @property {{id: string, table: Table}} counted  the pair table of a feed that lacks words of the text
 * @property {{on: boolean}} present  the presenter view begins or ends
 * @property {{}} asked  a lesson's question has been opened or answered
 * @property {{step: number}} jump  asks the playhead to go there
 * @property {{pair: [number, number], count?: number}} predict  the viewer names the pair of the next merge
 * @property {{}} named  the pairs that a lesson's text names have changed
 * @property {{}} speech  a lesson tells something else, the group's `speech`
 * @property {{}} stage  the group has got a stage, or lost it
 * @property {{}} told  the view of the group is told something, the group's `told`
 */

// A property of the window, so that a script from outside, as the one that takes the gallery's stills, finds the groups of a page.
const KEY = Symbol.for("merge-by-merge");
const page = /** @type {{[key: symbol]: Registry | undefined}} */ (/** @type {unknown} */ (globalThis));
/** @type {Registry} */
const REGISTRY = (page[KEY] ??= { groups: new Map(), listening: new Set(), sent: new WeakSet() });

/**
 * Return the group of this name. The first call makes it.
 * @template {Group} [AnyGroup=Group]  the group as the caller knows it: a grid's lanes are grids
 * @param {string} name
 * @returns {AnyGroup}
 */
export function groupNamed(name) {
  let group = REGISTRY.groups.get(name);
  if (!group) {
    group = {
      name,
      lanes: new Set(),
      tables: new Set(),
      playhead: null,
      slot: null,
      stage: null,
      presenting: false,
    };
    REGISTRY.groups.set(name, group);
  }
  return /** @type {AnyGroup} */ (group);
}

/**
 * Return whether a viewer of the group knows a term: always, except in a lesson that has not used it yet.
 * @param {Group} group
 * @param {string} term  its slug
 */
export function isKnown({ tells }, term) {
  return !tells || tells.known.includes(term);
}

/**
 * Return what a lesson tells of the next merge, as long as its grid rests at the step of the beat; otherwise null.
 * @param {Group} group
 */
export function tellsNow({ tells, playhead }) {
  if (!tells || !playhead || playhead.step !== tells.step) return null;
  return playhead.beat === "rest" || playhead.beat === "guess" ? tells : null;
}

/** Return whether keys go to this group. @param {Group} group */
export function isActive(group) {
  return activeGroup() === group;
}

/** Return the group that keys go to: the one used last, or at first the topmost one of the page; null without one. */
export function activeGroup() {
  if (!REGISTRY.active?.lanes.size) REGISTRY.active = firstOnPage(); // that of a page that was left has no grid
  return REGISTRY.active ?? null;
}

/** Send keys to this group from now on. @param {Group} group */
export function activate(group) {
  REGISTRY.active = group;
}

/** Say which talk is given on this page. @param {Talk | null} given */
export function setTalk(given) {
  REGISTRY.talk = given;
}

/** Return the talk that is given on this page; null without one. */
export function talk() {
  return REGISTRY.talk ?? null;
}

/** Offer the field of the page to the stage, until the signal aborts. @param {Typing} field @param {AbortSignal} signal */
export function offerTyping(field, signal) {
  const fields = (REGISTRY.fields ??= new Set()); // while one page follows another, there may be two
  fields.add(field);
  signal.addEventListener("abort", () => fields.delete(field));
}

/** Return the field of the page, for the stage; null without one. */
export function typing() {
  const fields = [...(REGISTRY.fields ?? [])].toReversed();
  return fields.find((one) => one.isOpen()) ?? fields.find((one) => one.isReady()) ?? null;
}

const PAGE_COMES_WITHIN = 20_000; // ms that a busy server may take to draw a page, after the last key

/** Hold a text for the field over the stage, which another page will bring. @param {string} text @param {number} [from] */
export function holdTyped(text, from = heldTyped()?.from ?? 0) {
  REGISTRY.early = { text, until: performance.now() + PAGE_COMES_WITHIN, from };
}

/** Return what is held for the field; null if nobody waits for it. */
export function heldTyped() {
  const { early } = REGISTRY;
  return early && performance.now() < early.until ? early : null;
}

/** Say that a page has been asked for. @param {number} number  of the page in the menu */
export function leaveFor(number) {
  REGISTRY.leaving = { number, until: performance.now() + PAGE_COMES_WITHIN };
}

/** Return the number of the page that was asked for a moment ago; 0 for none. */
export function leavesFor() {
  const { leaving } = REGISTRY;
  return leaving && performance.now() < leaving.until ? leaving.number : 0;
}

export function dropTyped() {
  REGISTRY.early = null;
}

/** Return whether there is a grid on the page. */
export function hasLanes() {
  return firstOnPage() !== undefined;
}

/** Return whether a group with a grid or a picture on the page is in the presenter view. */
export function isAnyPresenting() {
  return [...REGISTRY.groups.values()].some(
    ({ presenting, lanes, picture }) => presenting && (lanes.size || picture),
  );
}

/**
 * Add a listener that lives as long as the page, unless it was added before.
 * @param {string} name
 * @param {() => void} listen
 */
export function listenOnce(name, listen) {
  if (REGISTRY.listening.has(name)) return;
  REGISTRY.listening.add(name);
  listen();
}

/** Return the group whose grid is the topmost of the page, if there is one. */
export function firstOnPage() {
  const candidates = [...REGISTRY.groups.values()].filter((group) => group.lanes.size);
  return candidates.toSorted((one, other) => (follows(one, other) ? -1 : 1))[0];
}

/** @param {Group} one @param {Group} other */
function follows(one, other) {
  return hostOf(one).compareDocumentPosition(hostOf(other)) & Node.DOCUMENT_POSITION_FOLLOWING;
}

/** Return lanes as they are side by side. @template {Pick<Lane, "lane">} Kind @param {Iterable<Kind>} lanes */
export function lanesInOrder(lanes) {
  const position = (/** @type {Kind} */ { lane }) => lane?.index ?? 0;
  return [...lanes].toSorted((one, other) => position(one) - position(other));
}

/** Return the element of the document that holds a lane of the group, in shadow roots within each other. @param {Group} group */
function hostOf(group) {
  /** @type {Node} */
  let element = [...group.lanes][0].root;
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = element.getRootNode()) {
    element = root.host;
  }
  return element;
}

/**
 * Send an event to all elements of a group on the page.
 * @template {keyof Events} Kind
 * @param {Kind} kind
 * @param {Events[Kind] & {group: string}} detail
 */
export function say(kind, detail) {
  REGISTRY.sent.add(detail);
  window.dispatchEvent(new CustomEvent(`mbm:${kind}`, { detail }));
}

/**
 * Listen to the events of one group, until the signal aborts. Events that no component sent are ignored.
 * @template {keyof Events} Kind
 * @param {Kind} kind
 * @param {string} group
 * @param {AbortSignal} signal
 * @param {(detail: Events[Kind]) => void} listen
 */
export function hear(kind, group, signal, listen) {
  const receive = (/** @type {Event} */ event) => {
    const { detail } = /** @type {CustomEvent<Events[Kind] & {group: string}>} */ (event);
    if (REGISTRY.sent.has(detail) && detail.group === group) listen(detail);
  };
  window.addEventListener(`mbm:${kind}`, receive, { signal });
}
