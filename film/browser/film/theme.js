// Light or dark: the system's choice, until the viewer presses the button. On paper it is always light.

import { make } from "../shared/dom.js";

const DARK = "(prefers-color-scheme: dark)";

/** Make the button that switches the theme. */
export function themeButton() {
  const page = document.documentElement;
  const system = matchMedia(DARK);
  const button = make("button", "theme", {
    type: "button",
    "data-testid": "theme",
    click: () => show(!isDark()),
  });
  let chosen = false;
  const isDark = () => page.classList.contains("dark");

  /**
   * @param {boolean} dark
   * @param {boolean} [byHand]
   */
  function show(dark, byHand = true) {
    chosen ||= byHand;
    page.classList.toggle("dark", dark);
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Light theme" : "Dark theme");
  }

  system.addEventListener("change", () => chosen || show(system.matches, false));
  let before = false;
  window.addEventListener("beforeprint", () => {
    before = isDark();
    page.classList.remove("dark");
  });
  window.addEventListener("afterprint", () => page.classList.toggle("dark", before));
  show(system.matches, false);
  return button;
}
