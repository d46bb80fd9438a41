// The component that tells a grid which pairs tie at the step it rests on, where its feed does not say. Nothing to see.

const TOLD = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  if (!TOLD.has(parentElement)) TOLD.set(parentElement, createTold());
  const told = TOLD.get(parentElement);
  told.feed(data);
  return () => {
    TOLD.delete(parentElement);
    told.remove();
  };
}

// Told when it comes, and again when the grid comes to this step: either may be first. The feed's id goes along, as
// another training may stand at this step by then.
function createTold() {
  const gone = new AbortController();
  let data = null;
  const tell = () => say("tied", data);

  function feed(next) {
    if (data?.group !== next.group) hear("step", next.group, gone.signal, ({ step, playing }) => step === data.step && !playing && tell());
    data = next;
    tell();
  }
  return { feed, remove: () => gone.abort() };
}
