import { rulesFor } from '#domain/operating-rules';
import type { Definition } from './define.ts';

/** The operating rules for a caller with these tools. */
export const taskerRules = (tools: readonly Pick<Definition, 'scopes'>[]) =>
  rulesFor(new Set(tools.flatMap(({ scopes }) => scopes)));
