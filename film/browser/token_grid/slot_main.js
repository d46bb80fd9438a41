// The component that is such a place. What stands in it stays the grid's own, listeners and all.

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector("[data-testid=grid-transport]");
  const group = groupNamed(data.group);
  group.slot = root;
  say("slot", { group: data.group });
  return () => {
    if (group.slot === root) group.slot = null;
  };
}
