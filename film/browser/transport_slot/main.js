// A place on the page for a group's transport, which else stands below the grid that leads. The grid fills it, and what
// stands in it stays the grid's own, listeners and all.

import { groupNamed, say } from "../shared/groups.js";
import { mount } from "../shared/mount.js";

export default mount((parentElement) => {
  const root = parentElement.querySelector("[data-testid=grid-transport]");
  let group = null;
  return {
    update({ data }) {
      group = groupNamed(data.group);
      group.slot = root;
      say("slot", { group: data.group });
    },
    remove() {
      if (group.slot === root) group.slot = null;
    },
  };
});
