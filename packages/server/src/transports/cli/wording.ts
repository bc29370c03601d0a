import type { Naming } from '#advice';
import type { Call, Gateway } from '#gateway/gateway';
import type { Tool } from '#tools/catalog';
import { callableBy, restNaming } from '#transports/naming';
import { BOARD_SPELLING } from './board/spelling.ts';
import { cliNaming, spellingOf } from './cli-naming.ts';

const WORDINGS = ['everyday', 'command', 'json'] as const;

/** How a refusal names tools and fields: as everyday commands, as the commands of tools, or as scripts know them. */
export type Wording = (typeof WORDINGS)[number];

/** The header with which the command line of another machine asks for its words. */
export const WORDING_HEADER = 'errand-wording';

/** The header that names the version of the server to such a command line. */
export const VERSION_HEADER = 'errand-version';

/** The wording that a request asks for; null for a client that is no command line. */
export const wordingIn = (header: string | readonly string[] | undefined): Wording | null =>
  WORDINGS.find((wording) => wording === header) ?? null;

export function namingFor(
  wording: Wording,
  tool: Tool,
  gateway: Pick<Gateway, 'visible'>,
  caller: Call['caller'],
): Naming {
  if (wording === 'json') return restNaming(gateway, caller);
  return cliNaming(wording === 'everyday' ? BOARD_SPELLING : spellingOf(tool), callableBy(gateway, caller));
}
