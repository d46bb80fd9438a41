// Which lanes leave the majority at a merge.

/**
 * Return for each lane whether it made another token than most lanes. Without a majority, more than half of the lanes,
 * all lanes of a merge at which they differ do.
 * @param {(number | null)[]} made  of each lane, a number that only equal tokens share; null if the lane had ended
 */
export function leavesMajority(made) {
  if (new Set(made).size < 2) return made.map(() => false);
  const most = made.find((token) => made.filter((other) => other === token).length > made.length / 2);
  return made.map((token) => token !== most);
}
