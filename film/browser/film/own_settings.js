// The settings of a training on the viewer's own words, and the recipe that follows from them for each lane.

/** @import {Live, Recipe} from "../trainer/live_types.js" */
/** @import {Film, OwnData} from "./site.js" */
/** @import {Trainer} from "../trainer/trainer.js" */
/** @import {Training} from "../trainer/training.js" */
/** @import {TrainingFeed} from "../shared/feed_types.js" */
/** @import {Model} from "../player/feed.js" */
/** @import {OwnPick} from "./own_words.js" */

import { TrainerError } from "../trainer/text.js";
import { mergeName, formatCount, formatNumber } from "../shared/numbers.js";
import { pairText } from "../token_grid/wording.js";

// A text for an address: compressed, in letters that an address holds unchanged.

/** @param {string} text @returns {Promise<string>} */
export async function packText(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const PART = 256; // bytes that are unpacked at once: what is broken is lost from there on
const BROKEN_END = /\ufffd[^]*$/;

/**
 * The text of an address, or the beginning that can be read.
 * @typedef {{text: string, isWhole: boolean}} Unpacked
 */

/**
 * Return the text that was packed; of a broken one the beginning that can be read. A text of more than `most` UTF-16 units
 * ends there: a short address can hold a text that no page could show.
 * @param {string} packed
 * @param {number} most
 * @returns {Promise<Unpacked>}
 */
export async function unpackText(packed, most) {
  const letters = packed.replace(/[^\w-].*$/s, "");
  const usable = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  const octets = atob(usable.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(octets, (letter) => letter.charCodeAt(0));
  const { unpacked, isEnd } = await inflated(bytes, 4 * most);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(unpacked);
    return { text: text.slice(0, most), isWhole: isEnd && usable === packed && text.length <= most };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(unpacked).replace(BROKEN_END, "");
    return { text: text.slice(0, most), isWhole: false };
  }
}

/**
 * Return what bytes unpack to, at most about so many, and whether they have an end.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} most
 */
async function inflated(bytes, most) {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  for (let at = 0; at < bytes.length; at += PART)
    writer.write(bytes.slice(at, at + PART)).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  let isEnd = false;
  try {
    while (size <= most) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other, and no further than `most`
      const { value, done: isOver } = await reader.read();
      isEnd = isOver;
      if (isOver) break;
      parts.push(value);
      size += value.length;
    }
    reader.cancel().catch(() => undefined);
  } catch {
    // The bytes are broken, or not all there: what came before stays.
  }
  return { unpacked: await new Blob(parts).arrayBuffer(), isEnd };
}

// The limits of a training in the page. That of its text is in the page's data: as many characters as a film shows.

export const MOST_MERGES = 5_000;
const MOST_LANES = 2; // of a film that has one

export const MERGES = 100; // if the film does not say how many

/**
 * The settings of one lane.
 * @typedef {object} LaneSettings
 * @property {string} variant
 * @property {string} rule
 * @property {NonNullable<Recipe["picks"]>} picks  by rank: the tied pairs that were picked, or their numbers
 * @property {Recipe | null} base  the recipe of the film's own lane
 */

/**
 * @typedef {object} OwnSettings
 * @property {string} text
 * @property {LaneSettings[]} lanes
 * @property {number} merges  at most; the same for all lanes
 * @property {string} newText  the text to split with the merges
 */

/**
 * Return the settings that a film begins with: its own, where the page can train in the same way.
 * @param {Film} film
 * @param {Live} live
 * @param {string} text
 * @returns {OwnSettings}
 */
export function firstSettings({ lanes, least = 0 }, live, text) {
  const asked = lanes.map(({ recipe }) => recipe?.merges).filter((merges) => typeof merges === "number");
  const learned = Math.max(...lanes.map(({ feed }) => feed.last));
  return {
    text,
    lanes: lanes.map(({ recipe }) => ({
      variant: recipe?.variant ?? live.variants[0].slug,
      rule: recipe?.tie_break ?? live.rules[0].slug,
      picks: recipe?.picks ?? {},
      base: recipe ?? null,
    })),
    merges: Math.min(MOST_MERGES, Math.max(least, asked.length ? Math.max(...asked) : learned || MERGES)),
    newText: "",
  };
}

/**
 * Return the settings with a second lane, in which another rule decides ties; or, if there are two, with the first alone.
 * @param {OwnSettings} settings
 * @param {Live} live
 * @returns {OwnSettings}
 */
export function withOtherLanes(settings, { rules }) {
  const [lane, ...others] = settings.lanes;
  if (others.length) return { ...settings, lanes: [lane] };
  const rule = rules.find((row) => row.menu && row.slug !== lane.rule)?.slug ?? lane.rule;
  return { ...settings, lanes: [lane, { ...lane, rule, picks: {}, base: null }] };
}

/** Return the names of lanes; "" for a lone one. @param {unknown[]} lanes */
export function namesOf(lanes) {
  return lanes.length === 1 ? [""] : lanes.map((_, index) => `Lane ${index + 1}`);
}

/**
 * Return the recipe of a lane. What has no control is as in the film, unless it belongs to another variant or rule.
 * @param {LaneSettings} lane
 * @param {number} merges
 * @returns {Recipe}
 */
export function recipeOf({ variant, rule, picks, base }, merges) {
  const chosen = { variant, tie_break: rule, merges, picks };
  if (base?.variant !== variant || base.tie_break !== rule) return chosen;
  return { ...base, vocab_size: null, ...chosen };
}

/**
 * Return the lane without its picks from a rank on.
 * @param {LaneSettings} lane
 * @param {number} rank
 * @returns {LaneSettings}
 */
export function withoutPicks(lane, rank) {
  const before = Object.entries(lane.picks).filter(([at]) => Number(at) < rank);
  return { ...lane, picks: Object.fromEntries(before) };
}

// The training of the viewer's own words: one for each lane. Another request ends the one that runs.

/** @typedef {{settings: OwnSettings, trainings: Training[], feeds: TrainingFeed[]}} Trained */

/**
 * What hears of a training.
 * @typedef {object} TrainingListeners
 * @property {(trained: Trained) => void} ends
 * @property {(error: TrainerError, lane: number) => void} fails
 * @property {(merged: number, total: number, lane: number) => void} goesOn  total is 0 while the words are counted
 */

/**
 * Return a function that trains, and one that ends the training that runs.
 * @param {Trainer} trainer
 * @param {TrainingListeners} listeners
 */
export function createOwnTraining(trainer, { ends, fails, goesOn }) {
  let job = new AbortController();

  function stop() {
    job.abort();
  }

  /** @param {OwnSettings} settings */
  async function train(settings) {
    const { text, lanes, merges } = settings;
    stop();
    job = new AbortController();
    const { signal } = job;
    /** @type {Training[]} */
    const trainings = [];
    try {
      for (const [index, lane] of lanes.entries()) {
        const progress = (/** @type {number} */ merged, /** @type {number} */ total) =>
          goesOn(merged, total, index);
        // oxlint-disable-next-line no-await-in-loop -- one lane after the other: they share one processor
        trainings.push(await trainer.trainInSlices(text, recipeOf(lane, merges), { signal, progress }));
      }
      ends({
        settings,
        trainings,
        feeds: trainings.map((training) => trainer.feed(training, { picks: true })),
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TrainerError)) throw error;
      fails(error, trainings.length);
    }
  }

  return { train, stop };
}

/**
 * Return the picture of every way to break the ties of a training, if it came with the page: of the film's own training, or of
 * a text that the page offers; else null.
 * @param {Pick<Film, "lanes" | "way"> & {own: Pick<OwnData, "text" | "ways">}} film
 * @param {OwnSettings} first  the film's own settings
 * @param {Pick<Trained, "settings" | "feeds">} trained
 */
export function wayOf({ lanes, way, own }, first, { settings, feeds }) {
  const asked = trainingName(settings.text, settings.lanes, feeds);
  const isOwn =
    asked ===
    trainingName(
      own.text,
      first.lanes,
      lanes.map(({ feed }) => feed),
    );
  if (isOwn && lanes.every(({ recipe }) => recipe)) return way;
  const offered = own.ways.find(({ text, variant, rule, way: { lines } }) => {
    return asked === trainingName(text, [{ variant, rule, picks: {} }], [{ last: lines[0].merges }]);
  });
  return offered?.way ?? null;
}

/**
 * Return a name of what was trained, and how far.
 * @param {string} text
 * @param {Pick<LaneSettings, "variant" | "rule" | "picks">[]} lanes
 * @param {{last: number}[]} feeds
 */
function trainingName(text, lanes, feeds) {
  return JSON.stringify([
    text,
    lanes.map(({ variant, rule, picks }) => [variant, rule, picks]),
    feeds.map(({ last }) => last),
  ]);
}

// The sentences and titles of "Your words".

export const OWN_TITLE = "Your words";
/** What is wrong with an address, by its damage. */
export const DAMAGE = {
  "": "",
  cut: "The end of the link is missing, so words or settings may be missing here.",
  part: "The link is cut or damaged: this is only the beginning of its text.",
  lost: "The link is cut or damaged: its text cannot be read, so you see the page's own words.",
};
export const EMPTY = "The field is empty: type a few words.";

/** Say what a training has learned. @param {Trained} trained */
export function trainedText({ settings: { text, merges }, feeds }) {
  if (!text) return EMPTY;
  if (!merges) return "Nothing is merged: the limit is 0 merges.";
  const characters = formatCount([...text].length, "character");
  const counts = feeds.map(({ last }) => last);
  if (Math.max(...counts) === 0) return `Nothing is merged: ${feeds[0].ending}.`;
  const different = new Set(counts).size > 1;
  const before = different ? `${counts.slice(0, -1).map(formatNumber).join(", ")} and ` : "";
  const limit = Math.max(...counts) === merges ? `; the limit is ${formatNumber(merges)}` : "";
  return `${before}${formatCount(counts[counts.length - 1], "merge")} learned from ${characters}${limit}.`;
}

/**
 * Say how far a training is.
 * @param {string} lane  its name; "" for the only one
 * @param {number} merged
 * @param {number} total  0 while the words are counted
 */
export function progressText(lane, merged, total) {
  const text = total ? `${formatNumber(merged)} of ${formatCount(total, "merge")}` : "Reading the text";
  return lane ? `${lane}: ${text}` : text;
}

/**
 * Return the titles of lanes: the film's own where lanes, variant and rule are as there, else those of rule and variant.
 * @param {Film & {own: OwnData}} film
 * @param {LaneSettings[]} lanes
 */
export function titlesOf({ own: { live }, lanes: recorded }, lanes) {
  return lanes.map(({ base, rule, variant }, index) => {
    const isAsRecorded = base?.tie_break === rule && base.variant === variant;
    if (isAsRecorded && recorded.length === lanes.length) {
      const { title, subtitle } = recorded[index];
      return { title, subtitle };
    }
    const ruleTitle = live.rules.find(({ slug }) => slug === rule)?.title ?? "";
    const variantTitle = live.variants.find(({ slug }) => slug === variant)?.title ?? "";
    return { title: ruleTitle, subtitle: variantTitle };
  });
}

/** Return the line below a picture of lanes. @param {{title: string, subtitle: string}[]} titles */
export function footerOf(titles) {
  return titles.map(({ title, subtitle }) => (subtitle ? `${title}, ${subtitle}` : title)).join(" · ");
}

/**
 * Return the picks of all lanes, each with its merge in words.
 * @param {LaneSettings[]} lanes
 * @param {Model[]} models
 * @returns {OwnPick[]}
 */
export function picksOfLanes(lanes, models) {
  const names = namesOf(lanes);
  return lanes.flatMap(({ picks }, lane) =>
    Object.keys(picks).map((key) => {
      const rank = Number(key);
      const { last, steps } = models[lane];
      const pair = rank < last ? pairText(models[lane], [steps.left[rank], steps.right[rank]]) : "";
      return { lane, rank, text: [names[lane], mergeName(rank), pair].filter(Boolean).join(": ") };
    }),
  );
}

// The viewer's own words in the hash of an address: text, rules, variants, merges and picks. A short text is readable, a
// longer one is compressed. Whoever writes the address is not trusted: everything is checked, and what does not fit is
// left out.

const READABLE_TEXT = 400; // characters of a text in an address that need not be compressed
const MOST_PICKS = 200;
const OWN_PICK = /^(\d)\.(\d{1,6})\.(?:(\d{1,6})|((?:[0-9a-f]{2})+)\.((?:[0-9a-f]{2})+))$/;
const LANES_APART = "~"; // the settings of two lanes; no slug holds it

/** Return the part of the hash that names everything but the step. @param {OwnSettings} settings */
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
