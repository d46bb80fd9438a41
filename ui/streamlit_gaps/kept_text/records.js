// The progress of several tabs of one device: what one tab writes is merged with what another has written since, so that
// neither loses an answer.

/** [tries, the number of the right one or 0, whether the answer was opened before, the last answer] @typedef {[tries: number, rightAt: number, opened: boolean, answer?: unknown]} Attempt */

/** @type {Record<string, (stored: string, own: string) => string>} */
const MERGES = { exercises: mergeAttempts, lessons_done: mergeWords };

/**
 * Return the text of a record that keeps what both texts hold; of a record that no rule merges, the tab's own.
 * @param {string} name
 * @param {string | null} stored
 * @param {string} own
 */
export function merged(name, stored, own) {
  return stored && own ? (MERGES[name]?.(stored, own) ?? own) : own || stored || "";
}

/** @param {string} stored @param {string} own */
function mergeWords(stored, own) {
  return [...new Set([...stored.split(" "), ...own.split(" ")])].toSorted().join(" ");
}

/** @param {string} stored @param {string} own */
function mergeAttempts(stored, own) {
  const [before, now] = [attemptsIn(stored), attemptsIn(own)];
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return JSON.stringify(
    Object.fromEntries([...names].map((name) => [name, better(before[name], now[name])])),
  );
}

/** @param {string} text @returns {Record<string, Attempt>} */
function attemptsIn(text) {
  try {
    const attempts = Object.entries(JSON.parse(text) ?? {});
    return Object.fromEntries(attempts.filter(([, attempt]) => Array.isArray(attempt)));
  } catch {
    return {}; // nothing of ours
  }
}

/**
 * Return the attempts at one exercise that count: right ones before others, then those with more tries, then the tab's
 * own. An answer that was opened in either tab stays opened, unless a try was right.
 * @param {Attempt | undefined} stored
 * @param {Attempt | undefined} own
 */
function better(stored, own) {
  if (!stored || !own) return own ?? stored;
  const isRight = (/** @type {Attempt} */ [, rightAt, opened]) => rightAt > 0 && !opened;
  const first = isRight(stored) === isRight(own) ? stored[0] > own[0] : isRight(stored);
  const [tries, rightAt, opened, ...answer] = first ? stored : own;
  const either = isRight([tries, rightAt, opened]) ? false : stored[2] || own[2];
  return [tries, rightAt, either, ...answer];
}
