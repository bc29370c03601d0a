/** The style sheet of all pages, light or dark as the system is set. Nothing is loaded from other hosts. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf8, #16181a);
  --surface: light-dark(#ffffff, #1d2023);
  --sunken: light-dark(#f3f1ed, #121416);
  --line: light-dark(#e3dfd8, #2c3136);
  --ink: light-dark(#1d1f21, #e9e7e3);
  --quiet: light-dark(#5b6066, #a3a8ae);
  --accent: light-dark(#0f6b5c, #6fd0bd);
  --warn: light-dark(#8a4b00, #f0b76b);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 var(--sans); background: var(--ground); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
h1 { font-size: 1.75rem; margin: 0; }
h2 { font-size: 1.125rem; margin: 0; }
code, pre { font-family: var(--mono); font-size: .875em; }
code { overflow-wrap: anywhere; }
pre {
  margin: .5rem 0 0; padding: .7rem .85rem; overflow-x: auto; line-height: 1.5;
  background: var(--sunken); border: 1px solid var(--line); border-radius: 8px;
}
pre code { font-size: .8125rem; overflow-wrap: normal; }
.skip { position: absolute; left: -100vw; top: .5rem; padding: .5rem 1rem; background: var(--surface); z-index: 1; }
.skip:focus { left: 1rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.frame { width: 100%; max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
.top { border-bottom: 1px solid var(--line); }
.top .frame { display: flex; align-items: center; gap: 1.75rem; min-height: 3.75rem; }
.brand { display: flex; align-items: center; gap: .55rem; font-weight: 600; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.35rem; height: 1.35rem; color: var(--accent); }
.top nav { display: flex; gap: 1.25rem; }
.top nav a { color: var(--quiet); text-decoration: none; padding: .35rem 0; border-bottom: 2px solid transparent; }
.top nav a:hover { color: var(--ink); }
.top nav a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
main.frame { flex: 1; padding-top: 2.5rem; padding-bottom: 4rem; }
.bottom { border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.bottom .frame { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; padding-top: 1rem; padding-bottom: 1.25rem; }
.bottom a { color: inherit; }
.quiet { color: var(--quiet); font-size: .9375rem; }
details { border-bottom: 1px solid var(--line); }
details:last-child { border-bottom: 0; }
summary { padding: .6rem .1rem; cursor: pointer; }
summary:hover { color: var(--accent); }
details pre { margin: 0 0 .9rem; }
details p { margin: 0 0 .6rem; }
.note { max-width: 38rem; margin: 6vh auto 0; }
.note h1 { font-size: 1.5rem; }
.note p { margin: .9rem 0 0; }
.note.failed h1 { color: var(--warn); }
.search { margin: 1rem 0 0; max-width: 26rem; }
.contents .search { margin: 0 0 1rem; }
.search input {
  width: 100%; height: 2.25rem; padding: 0 .7rem; font: inherit; font-size: .9375rem; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: 6px;
}
.search input:focus-visible { outline-offset: -1px; border-radius: 6px; }
.found { list-style: none; margin: 1rem 0 0; padding: 0; max-width: 44rem; }
.found li { padding: .7rem 0; border-top: 1px solid var(--line); }
.found p { margin: .15rem 0 0; color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere; }
.reading { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; align-items: start; }
.contents { position: sticky; top: 1.5rem; font-size: .9375rem; }
.contents h2 { font-size: .8125rem; color: var(--quiet); font-weight: 500; letter-spacing: 0; }
.contents ul { list-style: none; margin: .4rem 0 1.4rem; padding: 0; }
.contents a { display: block; padding: .2rem 0; color: var(--ink); text-decoration: none; }
.contents a:hover { color: var(--accent); }
.contents a[aria-current] { color: var(--accent); font-weight: 500; }
.reading .menu { display: none; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); padding: 0 1rem; }
.text { max-width: 52rem; }
.text > p, .text > ul, .text > ol { max-width: 44rem; }
.text h2 { margin: 2.4rem 0 0; font-size: 1.3rem; }
.text h3 { margin: 1.8rem 0 0; font-size: 1.05rem; }
.text p, .text ul, .text ol { margin: .85rem 0 0; }
.text li + li { margin-top: .3rem; }
.text pre { margin-top: 1rem; }
.text img { display: block; max-width: 100%; height: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; }
.text :not(pre) > code { padding: .1em .32em; border-radius: 4px; background: var(--sunken); }
.text .wide { margin-top: 1rem; overflow-x: auto; }
.text table { border-collapse: collapse; font-size: .9375rem; min-width: max(100%, 34rem); }
.text th, .text td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.text th { font-weight: 500; color: var(--quiet); white-space: nowrap; }
.text td { min-width: 5.5rem; }
.text td:last-child { min-width: 13rem; padding-right: 0; }
.text td code { overflow-wrap: normal; }
.index { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 2rem 3rem; margin-top: 1.75rem; }
.index ul { list-style: none; margin: .75rem 0 0; padding: 0; }
.index li { padding: .6rem 0; border-top: 1px solid var(--line); }
.index p { margin: .1rem 0 0; color: var(--quiet); font-size: .9375rem; }
@media (max-width: 56rem) {
  .reading { grid-template-columns: minmax(0, 1fr); gap: 2.25rem; }
  .reading > .contents { display: none; }
  .reading .menu { display: block; }
  .menu .contents { position: static; padding: .4rem 0; }
}
@media (max-width: 30rem) {
  main.frame { padding-top: 1.5rem; }
  .top .frame { gap: 1.1rem; }
  h1 { font-size: 1.5rem; }
}
`;
