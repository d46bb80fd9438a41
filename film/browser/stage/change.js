// What the last change of a choice changed, before and now, and the tied pairs that the viewer picked, each with a button
// that undoes it.

import { make, setHidden } from "../shared/dom.js";

const UNDONE =
  "Lets the rule decide this merge again. All later merges follow from it, and your later picks are removed too.";

/**
 * What changed. Sentences hold user text.
 * @typedef {object} ChangeData
 * @property {[word: string, sentence: string][]} sentences  before and now; none if nothing can be compared
 * @property {{rank: number, name: string}[]} picks  by rank: the merge and its pair, as text
 */

/**
 * Make the elements: of the sentences, and of the buttons. They are hidden while they are empty.
 * @param {(rank: number) => void} undo  the pick of this merge
 */
export function createChange(undo) {
  const told = make("div", "aside stack what-if", { "data-testid": "what-if", hidden: true });
  const picked = make("div", "picked", { hidden: true });
  let drawn = "";

  /** @param {ChangeData} change */
  function draw({ sentences, picks }) {
    const text = JSON.stringify([sentences, picks]);
    if (text === drawn) return;
    drawn = text;
    setHidden(told, !sentences.length);
    setHidden(picked, !picks.length);
    const buttons = picks.map(({ rank, name }) =>
      make(
        "button",
        "",
        { type: "button", title: UNDONE, "data-testid": "undo-pick", click: () => undo(rank) },
        make("span", "", { "aria-hidden": "true" }, "↶ "),
        `Undo ${name}`,
      ),
    );
    picked.replaceChildren(
      ...(buttons.length ? [make("div", "picks", { "data-testid": "picks" }, ...buttons)] : []),
    );
    told.replaceChildren(
      ...sentences.map(([word, sentence]) => make("p", "", {}, make("b", "", {}, word), ` ${sentence}`)),
    );
  }

  return { told, picked, draw };
}
