// Every way to break the ties, below the lanes. Their dots go with the playhead.

/** @import {EveryWay} from "../shared/feed_types.js" */
/** @import {Controller} from "../shared/mount.js" */
/** @import {PictureData} from "../every_way/state.js" */
/** @import {MakePart} from "./parts.js" */

import { make } from "../shared/dom.js";
import { createPicture } from "../every_way/picture.js";
import { componentOf } from "./parts.js";

/** A picture, with how a page shows it. @typedef {EveryWay & Omit<Partial<PictureData>, "group">} ShownWay */

/**
 * Make the view. It is hidden until `show` is called.
 * @param {string} group  of the lanes
 * @param {MakePart} part
 * @param {(place: unknown) => void} [presses]  a place of the picture was pressed
 */
export function createWayView(group, part, presses = () => {}) {
  const element = make("section", "ways", { "aria-label": "Every way to break the ties", hidden: true });
  /** @type {{root: ShadowRoot, controller: Controller<PictureData>} | null} */
  let picture = null;
  /** @type {ShownWay | null} */
  let latest = null;
  let shows = 0;

  /** @param {ShownWay | null} way  null for none */
  function show(way) {
    latest = way;
    element.hidden = !way;
    element.classList.remove("stale");
    if (!way) return;
    shows += 1;
    const data = { name: String(shows), ...way, group };
    if (!picture) {
      const { host, root } = part("mbm every-way", "every-way");
      element.append(host);
      picture = { root, controller: createPicture(componentOf(root, data)) };
    }
    picture.controller.update(componentOf(picture.root, data, { pressed: presses }));
  }

  function remove() {
    picture?.controller.remove?.();
    picture?.root.host.remove();
    picture = null;
  }

  return { element, show, remove, way: () => latest };
}

/** @typedef {ReturnType<typeof createWayView>} WayView */
