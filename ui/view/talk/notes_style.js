// How the speaker's notes look: in a window of their own, or on a telephone.

import { sheetText } from "../../../film/browser/shared/sheet.js";

export const STYLE = `
${sheetText("../../../film/browser/shared/palette.css")}
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: 20px 24px; font: 20px/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; font-variant-numeric: tabular-nums; }
h1 { margin: 12px 0 4px; font-size: 26px; }
h2 { margin: 18px 0 2px; font-size: 16px; font-weight: 600; opacity: 0.75; }
p { margin: 0 0 6px; }
.clock { font-size: 30px; font-weight: 700; }
.late { color: var(--tie); }
.notes { border-left: 5px solid var(--accent); padding-left: 14px; font-size: 24px; }
.now p + p { font-weight: 650; }
button { min-height: 40px; padding: 4px 14px; border: 2px solid var(--accent); border-radius: 9px; background: transparent; color: inherit; font: inherit; font-weight: 600; }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 480px) {
  body { padding: 12px; font-size: 17px; }
  .notes { font-size: 20px; }
}
`;
