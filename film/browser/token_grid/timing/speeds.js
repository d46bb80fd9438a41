// The speeds that a playhead plays at.

/** With beats (faster by a factor), or without (steps a second). @typedef {{label: string, factor?: number, rate?: number}} Speed */

/** The speeds to choose from. @type {Speed[]} */
export const SPEEDS = [
  { label: "0.5×", factor: 0.5 },
  { label: "1×", factor: 1 },
  { label: "2×", factor: 2 },
  { label: "4×", factor: 4 },
  { label: "12/s", rate: 12 },
  { label: "30/s", rate: 30 },
  { label: "60/s", rate: 60 },
];

/** The factor of a single step at a speed without beats. */
export const FASTEST = 4;

const FRAMES = 15; // a second, on the slowest screen that still keeps the time

/**
 * Return how many steps one frame makes: those that are due, but few enough to be seen.
 * @param {number} rate  steps a second
 * @param {number} due
 */
export function stepsAtOnce(rate, due) {
  return Math.min(due, Math.ceil(rate / FRAMES));
}
