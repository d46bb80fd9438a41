// Holds the place of a part of the page, and says when that comes near the screen.

/** @import {Component, Controller} from "../../../film/browser/shared/mount.js" */

import { mount } from "../../../film/browser/shared/mount.js";

const NEAR = "50px"; // around what is on the screen

/** @param {Component<null>} component @returns {Controller<null>} */
function createPlace(component) {
  const root = component.parentElement;
  const place = root instanceof ShadowRoot ? root.host : root;
  const observer = new IntersectionObserver(look, {
    root: place.closest("[data-testid=stMain]"), // what scrolls
    rootMargin: NEAR,
  });
  observer.observe(place);

  /** @param {IntersectionObserverEntry[]} entries */
  function look(entries) {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    component.setStateValue("near", true);
  }

  return { update: (next) => void (component = next), remove: () => observer.disconnect() };
}

export default mount(createPlace);
