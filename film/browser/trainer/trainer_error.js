// The error for a text or a recipe that cannot be trained.

/** Its message is one sentence for whoever typed: what must hold, and what it got. It is the one that Python writes. */
export class TrainerError extends Error {
  /**
   * @param {string} message
   * @param {number} [rank]  of the pick that no longer ties, if this is the reason
   */
  constructor(message, rank) {
    super(message);
    this.name = "TrainerError";
    this.rank = rank;
  }
}

/**
 * Return a sentence of Python with values in its gaps: "got {number}" with {number: 3} is "got 3".
 * @param {string} sentence
 * @param {Record<string, string | number>} values
 */
export function fillSentence(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
