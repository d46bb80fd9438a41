// The settings of a training on the viewer's own words, and the recipe that follows from them for each lane.

/** @import {Live, Recipe} from "../../trainer/live_types.js" */
/** @import {Film} from "../film_data.js" */

import { MOST_MERGES } from "./own_limits.js";

const MERGES = 100; // if the film does not say how many

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
export function firstSettings({ lanes }, live, text) {
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
    merges: Math.min(MOST_MERGES, asked.length ? Math.max(...asked) : learned || MERGES),
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

/**
 * Return the names of lanes; "" for a lone one.
 * @param {unknown[]} lanes
 */
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
