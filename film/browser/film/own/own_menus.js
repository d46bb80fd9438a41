// The menus of one lane: how its text is split, and how ties are broken.

/** @import {Live} from "../../trainer/live_types.js" */
/** @import {LaneSettings} from "./own_settings.js" */

import { make } from "../../shared/dom.js";

/**
 * Make the menus.
 * @param {Live} live
 * @param {string} name  of the lane; "" for the only one
 * @param {(change: {variant?: string, rule?: string}) => void} changed
 */
export function createMenus(live, name, changed) {
  const of = name && ` of ${name}`;
  const variant = menu("own-variant", `How the text is split${of}`, live.variants, (slug) =>
    changed({ variant: slug }),
  );
  const rule = menu("own-rule", `Rule for ties${of}`, live.rules, (slug) => changed({ rule: slug }));
  const element = make(
    "div",
    "menus",
    {},
    ...(name ? [make("span", "lane-name", {}, name)] : []),
    make("label", "", {}, make("span", "", {}, "Split into"), variant),
    make("label", "", {}, make("span", "", {}, "Ties"), rule),
  );

  /** @param {LaneSettings} lane */
  function show(lane) {
    fill(variant, live.variants, lane.variant);
    fill(
      rule,
      live.rules.filter((row) => row.menu || row.slug === lane.rule),
      lane.rule,
    );
  }

  return { element, show };
}

/** A row of a menu. @typedef {{slug: string, title: string, brief: string}} MenuRow */

/**
 * @param {string} testId
 * @param {string} label
 * @param {MenuRow[]} rows
 * @param {(slug: string) => void} changed
 */
function menu(testId, label, rows, changed) {
  const element = make("select", "", { "aria-label": label, "data-testid": testId });
  element.addEventListener("change", () => {
    element.title = briefOf(rows, element.value);
    changed(element.value);
  });
  return element;
}

/**
 * @param {HTMLSelectElement} element
 * @param {MenuRow[]} rows
 * @param {string} slug  of the row that is chosen
 */
function fill(element, rows, slug) {
  if (element.options.length !== rows.length) {
    element.replaceChildren(...rows.map((row) => make("option", "", { value: row.slug }, row.title)));
  }
  element.value = slug;
  element.title = briefOf(rows, slug);
}

/**
 * @param {MenuRow[]} rows
 * @param {string} slug
 */
function briefOf(rows, slug) {
  return rows.find((row) => row.slug === slug)?.brief ?? "";
}
