// Unpacks the script of a film and runs it, and before it the page's style sheet, if that is packed. The page's policy has the
// script's hash, so it admits this text only.

import { unpackElement } from "../shared/packed_bytes.js";

const packedSheet = document.getElementById("page-style");
if (packedSheet) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await unpackElement(packedSheet).text());
  document.adoptedStyleSheets = [sheet];
}

const player = document.createElement("script");
player.type = "module";
player.textContent = await unpackElement(document.getElementById("player")).text();
document.body.append(player);
