/** What the command line ends with: fixed, because scripts branch on it. */
export const EXIT = { ok: 0, failed: 1, usage: 2, not_allowed: 3, not_found: 4, not_reachable: 5 } as const;

/** All of them, for people to read. */
export const EXIT_CODES = Object.entries(EXIT)
  .map(([name, code]) => `${code} ${name.replaceAll('_', ' ')}`)
  .join(', ');

/** The exit code for the HTTP status that the same failure has. */
export function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return EXIT.not_allowed;
  if (status === 404) return EXIT.not_found;
  if (status === 503) return EXIT.not_reachable;
  if (status === 400 || status === 413) return EXIT.usage;
  return EXIT.failed;
}
