// A question to the room, and the hands that were counted for each of its answers. A page has one: that of the last question.
// The vote on the stage and the speaker's notes show it, and both count its hands.

/**
 * One answer.
 * @typedef {object} BallotAnswer
 * @property {string} label
 * @property {boolean} right
 * @property {() => (Node | string)[]} [draw]  what the stage shows in place of the label
 * @property {string} [detail]  what the stage shows beside it once the right answers are known
 */

/**
 * A question as whoever asks it knows it. Asked again, it has the same name.
 * @typedef {{name: string, where: string, asks: string, answers: BallotAnswer[]}} Asked  `where`: the step that it is about
 */

/**
 * @typedef {object} Ballot
 * @property {string} id
 * @property {number} at  when it was asked, in ms
 * @property {string} name
 * @property {string} where
 * @property {string} asks
 * @property {BallotAnswer[]} answers
 * @property {number[]} hands  for each answer
 * @property {boolean} open  whether nobody has been told which answers are right
 */

/** What remembers ballots beyond the page. @typedef {{find: (asked: Asked) => Omit<Ballot, "answers"> | null | undefined, keep: (ballot: Ballot) => void}} Keeper */

export const MOST_HANDS = 9_999;

// Each component has a script of its own, so what they share is a property of the window.
const BALLOT_KEY = Symbol.for("merge-by-merge ballot");
const ballotPage = /** @type {{[key: symbol]: Shared | undefined}} */ (/** @type {unknown} */ (globalThis));
/** @typedef {{ballot: Ballot | null, page: Keeper, keeper: Keeper, listeners: Set<() => void>}} Shared */
/** @type {Map<string, Ballot>} */
const ofPage = new Map(); // by name
/** Remembers ballots as long as the page, without the answers, which hold grids. @type {Keeper} */
const PAGE = {
  find: ({ name }) => ofPage.get(name),
  keep: (ballot) => void ofPage.set(ballot.name, { ...ballot, answers: [] }),
};
const BALLOTS = (ballotPage[BALLOT_KEY] ??= {
  ballot: null,
  page: PAGE, // of the script that came first
  keeper: PAGE,
  listeners: new Set(),
});

/** Return the ballot of the last question; null before the first one. */
export function lastBallot() {
  return BALLOTS.ballot;
}

/**
 * Ask the room. A question that was asked before has its hands again, and its answer stays told if hands were counted.
 * @param {Asked} asked
 * @param {{open: boolean}} how  open: whether the right answers are to be hidden
 */
export function askRoom(asked, { open }) {
  const { ballot, keeper } = BALLOTS;
  const before = ballot?.name === asked.name ? ballot : keeper.find(asked);
  if (before?.hands.length !== asked.answers.length) return putBallot(newBallot(asked, open));
  const isOpen = open && (before.open || !handsRaised(before));
  const told = before.open && !isOpen;
  putBallot({ ...before, ...asked, open: isOpen });
  if (told) keepBallot();
}

/** Return the name of the question “Which pair is merged next?” at a step of a training. @param {{feed: {id: string}}} training @param {number} step */
export function ballotName({ feed }, step) {
  return `${feed.id} ${step}`;
}

/** Ask the last question once more, if hands were counted: they are counted anew, and those before stay in the list. */
export function askAgain() {
  const { ballot } = BALLOTS;
  if (ballot && handsRaised(ballot)) putBallot(newBallot(ballot, true));
}

/** Count so many hands for an answer. @param {number} answer  its number, from 0 @param {number} hands */
export function setHands(answer, hands) {
  const { ballot } = BALLOTS;
  if (!ballot || !(answer in ballot.hands)) return;
  const whole = Number.isFinite(hands) ? Math.trunc(hands) : 0;
  ballot.hands[answer] = Math.max(0, Math.min(MOST_HANDS, whole));
  keepBallot();
  tellBallot();
}

/** Count one hand more for an answer, or one less. @param {number} answer @param {1 | -1} by */
export function raiseHand(answer, by) {
  setHands(answer, (BALLOTS.ballot?.hands[answer] ?? 0) + by);
}

/** Tell which answers are right, or hide it again. @param {boolean} on */
export function revealAnswers(on) {
  const { ballot } = BALLOTS;
  if (!ballot || ballot.open !== on) return;
  ballot.open = !on;
  keepBallot();
  tellBallot();
}

/** Return how many hands were counted. @param {Pick<Ballot, "hands">} ballot */
export function handsRaised({ hands }) {
  return hands.reduce((sum, count) => sum + count, 0);
}

/** Return the number of the answer that a key names, A being the first; -1 without one. @param {string} key @param {Pick<Ballot, "answers">} ballot */
export function answerOfKey(key, { answers }) {
  const number = key.length === 1 ? key.toUpperCase().charCodeAt(0) - FIRST_LETTER : -1;
  return number in answers ? number : -1;
}

/** Return the letter of an answer. @param {number} number */
export function letterOf(number) {
  return String.fromCodePoint(FIRST_LETTER + number);
}
const FIRST_LETTER = 65;

/** Listen to changes of the last ballot, until the signal aborts. @param {AbortSignal} signal @param {() => void} listen */
export function hearBallot(signal, listen) {
  BALLOTS.listeners.add(listen);
  signal.addEventListener("abort", () => BALLOTS.listeners.delete(listen));
}

/** Set what remembers ballots; null for the page alone. @param {Keeper | null} keeper */
export function setKeeper(keeper) {
  BALLOTS.keeper = keeper ?? BALLOTS.page;
  const { ballot } = BALLOTS;
  if (!ballot || handsRaised(ballot)) return;
  const kept = BALLOTS.keeper.find(ballot); // the question came before its keeper
  if (kept?.hands.length === ballot.hands.length) putBallot({ ...kept, answers: ballot.answers });
}

/** Return what remembers ballots. */
export function ballotKeeper() {
  return BALLOTS.keeper;
}

/** @param {Asked} asked @param {boolean} open @returns {Ballot} */
function newBallot({ name, where, asks, answers }, open) {
  const at = Date.now();
  return { id: `${at} ${Math.random()}`, at, name, where, asks, answers, hands: answers.map(() => 0), open };
}

/** @param {Ballot} ballot */
function putBallot(ballot) {
  BALLOTS.ballot = ballot;
  tellBallot();
}

function keepBallot() {
  if (BALLOTS.ballot) BALLOTS.keeper.keep(BALLOTS.ballot);
}

function tellBallot() {
  for (const listen of BALLOTS.listeners) listen();
}
