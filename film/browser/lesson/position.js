// Where a viewer is in a lesson: at which beat, what has been answered and played, and what follows from that.

/** @import {Playhead} from "../shared/groups.js" */
/** @import {LessonData} from "./lesson.js" */

/** What the next key does. @typedef {"answer" | "play" | "finish" | "beat" | "lesson"} Act */

/**
 * Where a lesson is.
 * @typedef {object} Situation
 * @property {boolean} asks  whether the question of this beat is open
 * @property {boolean} plays  whether an encoding is playing
 * @property {boolean} waits  whether an encoding has not been played yet
 * @property {boolean} last  whether this is the last beat
 */

/**
 * Return what the next key does. The stage is played to its end before the next beat.
 * @param {Situation} situation
 * @returns {Act}
 */
export function nextAct({ asks, plays, waits, last }) {
  if (asks) return "answer";
  if (plays) return "finish";
  if (waits) return "play";
  return last ? "lesson" : "beat";
}

// The beat that was on screen last, as {lesson}/{beat}: who comes back to it from another page finds it as it was.
let left = { place: "", isAnswered: false, isPlayed: false };

/** Make the position of a viewer; it is nowhere until `open` is called. @param {{playhead: Playhead | null}} group */
export function createPosition(group) {
  /** @type {LessonData} */
  let data;
  let at = 0;
  /** @type {Set<number>} */
  let answered = new Set(); // beats whose question has been answered
  /** @type {Set<number>} */
  let played = new Set(); // beats whose encoding has been played

  const beat = () => data.beats[at];
  const kind = () => data.stages[beat().stage].kind;
  const isEncoding = () => kind() === "encoding";
  const isPending = () => beat().question.length > 0 && !answered.has(at);

  /** Begin a lesson at a beat: what comes before it has been answered. @param {LessonData} lesson @param {number} start */
  function open(lesson, start) {
    data = lesson;
    at = start;
    answered = new Set(Array.from({ length: start }, (_, number) => number));
    played = new Set(answered);
    if (left.place === place()) {
      if (left.isAnswered) answered.add(start);
      if (left.isPlayed) played.add(start);
    }
    keep();
    take(lesson);
    if (lesson.verdicts?.[at]?.right) answered.add(at);
  }

  /** Take the same lesson, with what has changed of it: a verdict on another beat may be of an earlier visit. @param {LessonData} lesson */
  function take(lesson) {
    data = lesson;
    for (const [number, { right }] of Object.entries(lesson.verdicts ?? {}))
      if (right && Number(number) !== at) answered.add(Number(number));
  }

  /** Go to a beat. @param {number} number */
  function turn(number) {
    const before = at;
    at = Math.max(0, Math.min(number, data.beats.length - 1));
    const isSame = data.beats[before].stage === beat().stage;
    if (isSame && played.has(before)) played.add(at); // the same encoding is on the stage already
    keep();
  }

  const place = () => `${data.slug}/${at}`;
  const keep = () => void (left = { place: place(), isAnswered: answered.has(at), isPlayed: played.has(at) });

  /** Return what the next key does. */
  function act() {
    const { playhead } = group;
    return nextAct({
      asks: isPending(),
      plays: isEncoding() && playhead?.playing === true,
      waits: isEncoding() && !played.has(at) && (playhead?.last() ?? 0) > 0,
      last: at === data.beats.length - 1,
    });
  }

  /** Return whether the grid hides what comes next: as long as the text asks for it, and an encoding until it is played. */
  function isHiding() {
    if (isEncoding()) return !played.has(at);
    return isGuessing() || (kind() === "compare" && isPending());
  }

  /** Return whether a question about the next pair is open, here or later before the next merge. */
  function isGuessing() {
    const { beats } = data;
    for (let number = at; beats[number]?.step === beats[at].step; number++) {
      if (beats[number].guess && !answered.has(number)) return true;
    }
    return false;
  }

  /** Return the step of the grid. @param {number} last  of an encoding */
  function step(last) {
    if (!isEncoding()) return beat().step;
    return played.has(at) ? last : 0;
  }

  return {
    open,
    turn,
    act,
    beat,
    kind,
    isEncoding,
    isPending,
    isHiding,
    step,
    at: () => at,
    lesson: () => data,
    take,
    answer: () => {
      answered.add(at);
      keep();
    },
    play: () => {
      played.add(at);
      keep();
    },
  };
}
