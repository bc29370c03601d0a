import { MINIMUM_LINES, REPORTING, RETRY_ADVICE } from '#domain/operating-rules';

export interface TaskerRules {
  readonly minimum: readonly string[];
  readonly reporting: readonly string[];
  readonly retries: readonly string[];
}

/** The operating rules for someone who has these tools. Advice to call any other would only be refused. */
export function taskerRules(listed: ReadonlySet<string>): TaskerRules {
  const isUsable = (line: string): boolean => [...line.matchAll(/\btasker_\w+/g)].every(([name]) => listed.has(name));
  return {
    minimum: MINIMUM_LINES,
    reporting: REPORTING.filter(isUsable),
    retries: RETRY_ADVICE.filter(isUsable),
  };
}
