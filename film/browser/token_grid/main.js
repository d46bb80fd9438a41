// The token grid as a component.

import { mount } from "../shared/mount.js";
import { createGrid } from "./grid.js";

export default mount((parentElement) => {
  const grid = createGrid(parentElement);
  return {
    update({ data, setStateValue, setTriggerValue }) {
      grid.move = (start) => setStateValue("window", start);
      grid.feed(data, setStateValue, setTriggerValue);
    },
    remove: () => grid.remove(),
  };
});
