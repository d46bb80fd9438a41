// The largest type with which a stage holds all of its content.

const PRECISION = 0.5; // px

/**
 * Return the largest size between two at which something fits; the least one if it never does. What fits at a size
 * must also fit at every smaller one.
 * @param {number} least
 * @param {number} most
 * @param {(size: number) => boolean} fits
 */
export function largestSize(least, most, fits) {
  if (most <= least || !fits(least)) return least;
  if (fits(most)) return most;
  let [low, high] = [least, most];
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
