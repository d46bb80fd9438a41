// What Streamlit calls: at first, and again whenever the data or the theme changes. One grid for each root.

const GRIDS = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  if (!GRIDS.has(parentElement)) GRIDS.set(parentElement, createGrid(parentElement));
  const grid = GRIDS.get(parentElement);
  grid.move = (start) => setStateValue("window", start);
  grid.feed(data, setStateValue, setTriggerValue);
  return () => {
    GRIDS.delete(parentElement);
    grid.remove();
  };
}
