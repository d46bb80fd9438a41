// Which lanes leave the majority at a merge.

/**
 * Return for each lane whether it made another token than most lanes. Without a majority, more than half of the lanes,
 * all lanes of a merge at which they differ do.
 * @param {(number | null)[]} tokens  of each lane, a number that only equal tokens share; null if the lane had ended
 */
export function leavesMajority(tokens) {
  if (new Set(tokens).size < 2) return tokens.map(() => false);
  const most = tokens.find((token) => tokens.filter((other) => other === token).length > tokens.length / 2);
  return tokens.map((token) => token !== most);
}
