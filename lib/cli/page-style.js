'use strict';

// How the page of a bench looks, on a light and on a dark screen.

module.exports = `
:root { color-scheme: light dark; --ground: #fff; --card: #f6f7f9; --text: #1b1f24; --soft: #59636e; --line: #d9dee4;
  --stock: #8b949e; --onewrite: #0a67d3; --better: #1a7f37; --worse: #c2292e; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1318; --card: #181e25; --text: #e7ebf0; --soft: #9aa5b1;
  --line: #2b333d; --stock: #8b949e; --onewrite: #58a6ff; --better: #4cc26a; --worse: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 40px 24px 64px; max-width: 980px; background: var(--ground); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { margin: 0 0 6px; font-size: 30px; line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin: 44px 0 12px; font-size: 19px; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 14px; font-weight: 600; }
p { margin: 0 0 8px; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.command { display: inline-block; margin: 0 0 14px; padding: 3px 9px; border-radius: 6px; background: var(--card);
  overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.tiles, .plots { display: grid; gap: 14px; }
.tiles { margin-top: 26px; grid-template-columns: repeat(auto-fit, minmax(205px, 1fr)); }
.plots { grid-template-columns: repeat(auto-fit, minmax(min(430px, 100%), 1fr)); }
.tile, figure { margin: 0; padding: 16px 18px; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.tile .value { font-size: 30px; font-weight: 650; line-height: 1.25; letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums; }
.tile .soft, figcaption .soft { font-size: 13px; }
.better { color: var(--better); } .worse { color: var(--worse); }
figure { padding: 14px 14px 6px; }
figcaption { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; margin: 0 4px 6px; }
svg { display: block; width: 100%; height: auto; }
.grid { stroke: var(--line); stroke-width: 1; }
.tick { fill: var(--soft); font-size: 11px; font-variant-numeric: tabular-nums; }
.line { fill: none; stroke-width: 1.6; stroke-opacity: 0.5; }
.median { stroke-width: 1.4; stroke-dasharray: 5 4; }
.band { fill-opacity: 0.13; }
.line.stock, .median.stock { stroke: var(--stock); } .dot.stock, .band.stock { fill: var(--stock); }
.line.onewrite, .median.onewrite { stroke: var(--onewrite); } .dot.onewrite, .band.onewrite { fill: var(--onewrite); }
.legend { display: flex; gap: 18px; margin: 0 0 12px; font-size: 13px; }
.legend span::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 5px;
  background: var(--key); }
.key-stock { --key: var(--stock); } .key-onewrite { --key: var(--onewrite); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 14px 8px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: 13px; font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
table.parts td { width: 1%; } table.parts td:last-child { width: 98%; }
.bar { display: block; width: 100%; min-width: 120px; height: 8px; margin-top: 8px; border-radius: 4px; background: var(--line);
  overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--onewrite); }
ul { margin: 0; padding-left: 20px; }
`;
