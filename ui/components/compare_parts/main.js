// What Streamlit calls: at first, and again whenever the data or the theme changes.

const PARTS = { divergence: drawDivergence, strip: drawStrip, fates: drawFates, cuts: drawCuts };
const DRAWN = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".parts");
  const theme = themeOf(root);
  const name = `${theme} ${JSON.stringify(data)}`;
  const before = DRAWN.get(root);
  if (before?.name !== name) {
    before?.end();
    root.dataset.theme = theme;
    DRAWN.set(root, { name, end: PARTS[data.part](root, data, theme) });
  }
  return () => {
    DRAWN.get(root)?.end();
    DRAWN.delete(root);
  };
}
