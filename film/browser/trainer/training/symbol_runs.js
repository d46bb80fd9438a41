// Runs of one symbol, counted without overlap, as bpe/training/word_layout.py does it: aaaa holds the pair (a, a) twice. Only a
// doubled pair, that of a symbol with itself, can overlap itself.

/** @import {CorpusLayout} from "./corpus_layout.js" */

/**
 * Return the count of a doubled pair at some positions, which ascend, without overlap.
 * @param {CorpusLayout} layout
 * @param {number} symbol
 * @param {number[]} positions
 */
export function countApart({ length, frequencyAt }, symbol, positions) {
  let count = 0;
  let overlapping = -1; // where a pair would overlap the last one counted
  for (const position of positions) {
    if (position === overlapping) continue;
    count += frequencyAt[position];
    overlapping = position + length[symbol];
  }
  return count;
}

/**
 * Return how much a doubled pair loses when a merge takes the first symbol of its runs, or the last one. The rest of
 * a run begins, or ends, at the position. If the rest is odd, the run had one occurrence more.
 * @param {CorpusLayout} layout
 * @param {number} symbol
 * @param {number[]} positions
 * @param {boolean} atStart
 */
export function lostApart({ startingAt, endingAt, frequencyAt, length }, symbol, positions, atStart) {
  const symbols = atStart ? startingAt : endingAt;
  const step = atStart ? length[symbol] : -length[symbol];
  let lost = 0;
  for (const position of positions) {
    let end = position;
    while (symbols[end] === symbol) end += step;
    if (((end - position) / step) % 2) lost += frequencyAt[position];
  }
  return lost;
}
