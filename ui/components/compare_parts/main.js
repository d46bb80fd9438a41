// Compare's parts as a component: which one is drawn stands in the data.

import { themeOf } from "../../../film/browser/shared/colour.js";
import { mount } from "../../../film/browser/shared/mount.js";
import { drawCuts } from "./cuts.js";
import { drawDivergence } from "./divergence.js";
import { drawFates } from "./fates.js";
import { drawStrip } from "./strip.js";

const PARTS = { divergence: drawDivergence, strip: drawStrip, fates: drawFates, cuts: drawCuts };

export default mount((parentElement) => {
  const root = parentElement.querySelector(".parts");
  let drawn = "";
  let end = () => undefined;
  return {
    update({ data }) {
      const theme = themeOf(root);
      const name = `${theme} ${JSON.stringify(data)}`;
      if (name === drawn) return;
      end();
      drawn = name;
      root.dataset.theme = theme;
      end = PARTS[data.part](root, data, theme);
    },
    remove: () => end(),
  };
});
