// The sentences and titles of "Your words".

/** @import {Model} from "../../token_grid/data/feed.js" */
/** @import {Film, OwnData} from "../film_data.js" */
/** @import {OwnPick} from "./own_panel.js" */
/** @import {LaneSettings} from "./own_settings.js" */
/** @import {Trained} from "./own_training.js" */

import { mergeName, formatCount, formatNumber } from "../../shared/numbers.js";
import { pairText } from "../../token_grid/headline/wording.js";
import { namesOf } from "./own_settings.js";

export const OWN_TITLE = "Your words";
/** What is wrong with an address, by its damage. */
export const DAMAGE = {
  "": "",
  cut: "The end of the link is missing, so words or settings may be missing here.",
  part: "The link is cut or damaged: this is only the beginning of its text.",
  lost: "The link is cut or damaged: its text cannot be read, and these are the page's own words.",
};
export const EMPTY = "The field is empty: type a few words.";

/**
 * Say what a training has learned.
 * @param {Trained} trained
 */
export function trainedText({ settings: { text, merges }, feeds }) {
  if (!text) return EMPTY;
  if (!merges) return "Nothing is merged: the limit is 0 merges.";
  const characters = formatCount([...text].length, "character");
  const counts = feeds.map(({ last }) => last);
  if (Math.max(...counts) === 0) return `Nothing is merged: ${feeds[0].ending}.`;
  const different = new Set(counts).size > 1;
  const before = different ? `${counts.slice(0, -1).map(formatNumber).join(", ")} and ` : "";
  return `${before}${formatCount(counts[counts.length - 1], "merge")} learned from ${characters}.`;
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

/**
 * Return the line below a picture of lanes.
 * @param {{title: string, subtitle: string}[]} titles
 */
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
