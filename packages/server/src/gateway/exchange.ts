import type { Exchange } from '#domain/conversation';
import { redact } from '#domain/text';
import { PROFILES } from '#tools/profiles';
import type { Settled } from './admit.ts';
import type { Call } from './gateway.ts';

/** What agents do for a user belongs to their conversation; what people look at on a page does not. */
export const converses = ({ tool, transport }: Call): boolean =>
  PROFILES[tool.profile].converses && tool.mcp && transport !== 'web';

/** A call as it is kept in the conversation: what was asked for, and what came of it. */
export function exchangeOf({ call, input, subject }: Settled, answer: string): Exchange {
  const { user_id: _, idempotency_key: __, ...args } = input;
  return {
    workspace_id: call.caller.workspace_id,
    user_id: subject,
    messages: [
      { role: 'user', content: redact(`${call.tool.name} ${JSON.stringify(args)}`) },
      { role: 'assistant', content: redact(answer) },
    ],
  };
}
