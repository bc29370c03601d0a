/** In this order: many browsers also name those that they are like. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
] as const;

const found = (names: readonly (readonly [string, RegExp])[], text: string): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0];

/** A name for the browser, from the user agent that it sends: “Firefox on Windows”. */
export function deviceName(agent: string): string {
  const browser = found(BROWSERS, agent);
  const system = found(SYSTEMS, agent);
  if (browser === undefined) return agent === '' ? 'Unknown browser' : agent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
