// How the speaker's notes look: in a window of their own, on a telephone, and printed, when only the list of one talk is left.

export const STYLE = `
:root { color-scheme: light dark; --accent: #3b5bdb; --bar: light-dark(#3b5bdb, #8ea6ff); --line: #8a90a0; }
* { box-sizing: border-box; }
body { margin: 0; padding: 20px 24px; font: 20px/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; font-variant-numeric: tabular-nums; }
h1 { margin: 12px 0 4px; font-size: 26px; }
h2 { margin: 18px 0 2px; font-size: 16px; font-weight: 600; opacity: 0.75; }
p { margin: 0 0 6px; }
.clock { font-size: 30px; font-weight: 700; }
.late { color: light-dark(#c2410c, #ff9b66); }
.notes { border-left: 5px solid var(--accent); padding-left: 14px; font-size: 24px; }
.now p + p, .asks { font-weight: 650; }
.quiet { font-size: 15px; opacity: 0.75; }
.wrong { font-size: 16px; border-left: 4px solid light-dark(#c2410c, #ff9b66); padding-left: 10px; }
button, input, summary { font: inherit; }
button { min-height: 40px; padding: 4px 14px; border: 2px solid var(--accent); border-radius: 9px; background: transparent; color: inherit; font-weight: 600; }
button:disabled { opacity: 0.4; }
:is(button, input, summary):focus-visible { outline: 3px solid var(--bar); outline-offset: 2px; }
summary { cursor: pointer; }
.acts { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 8px 0; font-size: 16px; }
ol, ul { margin: 4px 0; padding: 0; list-style: none; }
.hands li { display: grid; grid-template: "letter label mark count" "none bar bar share" / 1.4em minmax(5em, 1fr) auto auto; align-items: center; gap: 2px 8px; padding: 3px 8px; border: 2px solid transparent; border-radius: 9px; }
.label { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
.mark { font-weight: 700; white-space: nowrap; }
.hands .count { display: flex; gap: 4px; }
.count button { width: 44px; padding: 0; }
.count input { width: 4.2em; text-align: center; font-variant-numeric: tabular-nums; }
.bar { height: 0.5em; border-radius: 0.25em; box-shadow: inset 0 0 0 1px var(--line); background: linear-gradient(var(--bar) 0 0) no-repeat; background-size: calc(100% * var(--share, 0)) 100%; print-color-adjust: exact; }
.hands .label { grid-area: label; }
.hands .mark { grid-area: mark; }
.hands .count { grid-area: count; }
.hands .bar { grid-area: bar; }
.hands .share { grid-area: share; }
.share { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
.right { border-color: var(--bar) !important; }
.questions { counter-reset: question; }
.questions > li { counter-increment: question; margin: 8px 0 12px; break-inside: avoid; }
.questions .where { margin: 0; font-size: 0.75em; opacity: 0.8; }
.questions .where::before { content: counter(question) ". "; }
.questions ul li { display: grid; grid-template-columns: minmax(4em, 1fr) auto minmax(3em, 1fr) 3em; align-items: center; gap: 0 8px; font-size: 0.85em; }
.questions .right .label { font-weight: 700; }
@media (min-width: 900px) {
  body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-template-rows: auto 1fr; gap: 0 32px; }
  .told { grid-row: 1 / 3; }
}
@media (max-width: 480px) {
  body { padding: 12px; font-size: 17px; }
  .notes { font-size: 20px; }
  .hands li { grid-template: "letter label mark" "none bar share" "none count count" / 1.2em minmax(0, 1fr) auto; }
}
@media print {
  @page { margin: 12mm 14mm; }
  :root { color-scheme: light; }
  body { display: block; padding: 0; font-size: 10pt; line-height: 1.25; color: #000; background: #fff; }
  .told, .hands, .tallies > :not(.prints), .tallies .acts { display: none; }
  summary { list-style: none; border-bottom: 1.5pt solid #000; padding-bottom: 1mm; font-size: 11pt; }
  summary strong { display: block; font-size: 16pt; }
  summary i { display: none; }
  .questions { columns: 2; column-gap: 8mm; }
  .questions { margin-top: 3mm; }
  .questions > li { margin: 0 0 4mm; }
  .bar { --bar: #444; height: 2mm; box-shadow: inset 0 0 0 0.5pt #666; }
  .many { columns: 3; column-gap: 6mm; font-size: 8pt; }
  .most { columns: 4; column-gap: 4mm; font-size: 6.5pt; }
  :is(.many, .most) > li { margin: 0 0 2mm; }
  :is(.many, .most) ul li { gap: 0 1mm; grid-template-columns: minmax(3em, 2fr) auto minmax(2em, 1fr) 2.2em; }
}
`;
