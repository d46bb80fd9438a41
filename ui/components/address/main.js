// The address as it stands, to copy. The step of a page's grids is not in the bar, where every rest would become an
// entry of the history; the pages of these groups take it from a link.

import { mount } from "../../../film/browser/shared/mount.js";

const STEPPED = ["watch", "compare"];
const LOOKS = 400; // ms between two looks at the address

function addressNow() {
  const { origin, pathname, search } = window.location;
  const groups = globalThis[Symbol.for("merge-by-merge")]?.groups;
  const group = STEPPED.map((name) => groups?.get(name)).find((one) => one?.lanes.size);
  const step = group ? `${search ? "&" : "?"}step=${group.playhead.step}` : "";
  return `${origin}${pathname}${search}${step}`;
}

function createAddress(parentElement) {
  const root = parentElement.querySelector(".address");
  const text = document.createElement("code");
  const copy = document.createElement("button");
  text.dataset.testid = "address";
  copy.type = "button";
  copy.textContent = "Copy the link";
  root.replaceChildren(text, copy);
  const look = () => {
    const now = addressNow();
    if (text.textContent === now) return;
    text.textContent = now;
    copy.textContent = "Copy the link";
  };
  copy.addEventListener("click", async () => {
    look();
    copy.textContent = (await copied(text)) ? "Copied" : "Selected: copy it with Ctrl+C";
  });
  look();
  const timer = setInterval(look, LOOKS);
  return { update: look, remove: () => clearInterval(timer) };
}

// Browsers lend the clipboard to safe places only; elsewhere the link is selected.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text.textContent);
    return true;
  } catch {
    window.getSelection().selectAllChildren(text);
    return document.execCommand("copy");
  }
}

export default mount(createAddress);
