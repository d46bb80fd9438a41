// The viewer's own words in the hash of an address: text, rules, variants, merges and picks. A short text is readable, a
// longer one is compressed. Whoever writes the address is not trusted: everything is checked, and what does not fit is
// left out.

/** @import {Live} from "../../trainer/live_types.js" */
/** @import {LaneSettings, OwnSettings} from "./own_settings.js" */

import { packText, unpackText } from "../../shared/packed_text.js";
import { MOST_LANES, MOST_MERGES } from "./own_limits.js";

const READABLE_TEXT = 400; // characters of a text in an address that need not be compressed
const MOST_PICKS = 200;
const OWN_PICK = /^(\d)\.(\d{1,6})\.(?:(\d{1,6})|((?:[0-9a-f]{2})+)\.((?:[0-9a-f]{2})+))$/;
const LANES_APART = "~"; // the settings of two lanes; no slug holds it

/**
 * Return the part of the hash that names everything but the step.
 * @param {OwnSettings} settings
 */
export async function ownHash({ text, lanes, merges, newText }) {
  const asked = new URLSearchParams();
  const readable = new URLSearchParams({ text }).toString();
  if (readable.length <= READABLE_TEXT) asked.set("text", text);
  else asked.set("packed", await packText(text));
  asked.set("rule", lanes.map(({ rule }) => rule).join(LANES_APART));
  asked.set("variant", lanes.map(({ variant }) => variant).join(LANES_APART));
  asked.set("merges", String(merges));
  const picks = lanes.flatMap((lane, index) =>
    Object.entries(lane.picks).map(([rank, pick]) => [index, rank, pick].flat().join(".")),
  );
  if (picks.length) asked.set("picks", picks.join(LANES_APART));
  if (newText && newText.length <= READABLE_TEXT) asked.set("new", newText);
  return asked.toString().replaceAll("%7E", LANES_APART);
}

/**
 * What an address asks for, and what is wrong with it: "cut" if its end is missing, "part" if only the beginning of its text
 * can be read, "lost" if nothing of it can.
 * @typedef {{settings: OwnSettings, damage: "" | "cut" | "part" | "lost"}} AskedOwn
 */

// What every address that a film writes ends with
const ENDS = ["step", "beat", "from", "to", "play"];

/**
 * Return what a hash asks for; null if it has no text. What it does not name is as in `before`. A lone lane may get a second
 * one; several stay as many as they are.
 * @param {string} hash
 * @param {Live} live
 * @param {OwnSettings} before
 * @returns {Promise<AskedOwn | null>}
 */
export async function readOwnHash(hash, live, before) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const packed = asked.get("packed");
  const readable = asked.get("text");
  if (packed === null && readable === null) return null;
  const { text, isWhole } =
    packed === null
      ? { text: readable ?? "", isWhole: true }
      : await unpackText(packed, 2 * live.limits.film);
  const isLost = !isWhole && !text;
  const isCut = !ENDS.some((name) => asked.has(name));
  const variants = knownSlugs(asked.get("variant"), live.variants);
  const rules = knownSlugs(asked.get("rule"), live.rules);
  const picks = picksOf(asked.get("picks") ?? "");
  const merges = asked.get("merges") ?? "";
  const named = Math.min(MOST_LANES, Math.max(rules.length, variants.length));
  const count = before.lanes.length === 1 ? named : before.lanes.length;
  const lanes = Array.from(
    { length: count },
    (_, at) => before.lanes[at] ?? { ...before.lanes[0], base: null },
  );
  const settings = {
    text: isLost ? before.text : text,
    lanes: lanes.map((lane, index) => ({
      ...lane,
      variant: variants[index] ?? variants[0] ?? lane.variant,
      rule: rules[index] ?? rules[0] ?? lane.rule,
      picks: picks[index] ?? {},
    })),
    merges: /^\d{1,6}$/.test(merges) ? Math.min(Number(merges), MOST_MERGES) : before.merges,
    newText: (asked.get("new") ?? "").slice(0, live.limits.film),
  };
  return { settings, damage: isLost ? "lost" : isWhole ? (isCut ? "cut" : "") : "part" };
}

/**
 * Return the slugs of an address, undefined for those that name no row.
 * @param {string | null} slugs
 * @param {{slug: string}[]} rows
 */
function knownSlugs(slugs, rows) {
  const known = new Set(rows.map(({ slug }) => slug));
  return (slugs ?? "").split(LANES_APART).map((slug) => (known.has(slug) ? slug : undefined));
}

/**
 * Return the picks of each lane: those that are written as `lane.rank.left.right`, the tokens in hexadecimal, or as
 * `lane.rank.number`.
 * @param {string} text
 */
function picksOf(text) {
  /** @type {Record<number, LaneSettings["picks"]>} */
  const picks = {};
  for (const pick of text.split(LANES_APART, MOST_PICKS)) {
    const parts = pick.match(OWN_PICK);
    if (!parts) continue;
    const [, lane, rank, number, left, right] = parts;
    (picks[Number(lane)] ??= {})[Number(rank)] = number === undefined ? [left, right] : Number(number);
  }
  return picks;
}
