/** The exit codes of the command line. They never change, because scripts branch on them. */
export const EXIT = { ok: 0, failed: 1, usage: 2, not_allowed: 3, not_found: 4, not_reachable: 5 } as const;

/** All exit codes, for the help text. */
export const EXIT_CODES = Object.entries(EXIT)
  .map(([name, code]) => `${code} ${name.replaceAll('_', ' ')}`)
  .join(', ');

/** Returns the exit code for the HTTP status of the same failure. */
export function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return EXIT.not_allowed;
  if (status === 404) return EXIT.not_found;
  if (status === 503) return EXIT.not_reachable;
  if (status === 400 || status === 413) return EXIT.usage;
  return EXIT.failed;
}
