// The component that tells a grid which pairs tie at the step it rests on, where its feed does not say. Nothing to see.

import { hear, say } from "../shared/groups.js";
import { mount } from "../shared/mount.js";

export default mount(createTold);

// Told when it comes, and again when the grid comes to this step: either may be first. The feed's id goes along, as
// another training may stand at this step by then.
function createTold() {
  const gone = new AbortController();
  let data = null;
  const tell = () => say("tied", data);

  function update({ data: next }) {
    if (data?.group !== next.group) hear("step", next.group, gone.signal, ({ step, playing }) => step === data.step && !playing && tell());
    data = next;
    tell();
  }
  return { update, remove: () => gone.abort() };
}
