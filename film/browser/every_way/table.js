// The picture of every way as a table, for those who do not see it. It is no chip table: that would add 4 kB to each film, and
// nobody presses a head or sees a chip here.

/** @import {EveryWay} from "../shared/feed_types.js" */

import { make } from "../shared/dom.js";
import { formatNumber } from "../shared/numbers.js";
import { NAME, nameOfToken } from "./state.js";

const MOST_TABLE_ROWS = 200;

/** Return the table. @param {EveryWay} way */
export function waysTable(way) {
  /** @type {Map<number, string[]>} */
  const columns = new Map();
  for (const { merges, open, tokens } of way.nodes) {
    if (open) continue;
    const names = tokens.map((token) => nameOfToken(way, token)).join(" ") || "as before";
    columns.set(merges, [...(columns.get(merges) ?? []), names]);
  }
  const rows = [...columns].toSorted(([one], [other]) => one - other).slice(0, MOST_TABLE_ROWS);
  const body = rows.map(([merges, ways]) => {
    const number = make("th", "", { scope: "row" }, formatNumber(merges));
    return make("tr", "", {}, number, make("td", "", {}, ways.join("; or ")));
  });
  const heads = ["Merges", "Tokens that are new since all paths last met"].map((text) =>
    make("th", "", { scope: "col" }, text),
  );
  return make(
    "table",
    "",
    {},
    make("caption", "", {}, NAME),
    make("thead", "", {}, make("tr", "", {}, ...heads)),
    make("tbody", "", {}, ...body),
  );
}
