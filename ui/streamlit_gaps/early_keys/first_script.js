// Notes the keys that are pressed before the app is there; main.js takes them over. The server writes this script's
// address into Streamlit's page, before Streamlit's own scripts.

/** @typedef {Window & {earlyKeys?: KeyboardEvent[]}} EarlyWindow */

/** @type {EarlyWindow} */ (window).earlyKeys = [];
window.addEventListener("keydown", (event) => /** @type {EarlyWindow} */ (window).earlyKeys?.push(event), {
  capture: true,
});
