// How much larger the rows are in the presenter view.

const ENLARGED = [3, 2.6, 2.2, 1.8, 1.6, 1.45]; // factors in the presenter view, tried until one band is enough
const LEAST_OF_WINDOW = 0.02; // of the window's height
const SMALLEST_LETTERS = 12; // px, the smallest letters of a cell before they are enlarged

/**
 * Return the factors to try, the largest first. At the smallest one all letters can be read from the last row.
 * @param {boolean} presents
 */
export function scalesOf(presents) {
  if (!presents) return [1];
  const least = Math.ceil((100 * LEAST_OF_WINDOW * window.innerHeight) / SMALLEST_LETTERS) / 100;
  return [...ENLARGED.filter((scale) => scale > least), least];
}
