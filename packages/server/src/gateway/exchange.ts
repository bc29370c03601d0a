import type { Exchange } from '#domain/conversation';
import { redact } from '#domain/text';
import { PROFILES } from '#tools/profiles';
import type { Settled } from './admit.ts';
import type { Call } from './gateway.ts';

/** Calls that agents make for a user are stored in the conversation. Page views of people are not. */
export const converses = ({ tool, transport }: Call): boolean =>
  PROFILES[tool.profile].converses && tool.mcp && transport !== 'web';

/** The two messages of a call in the conversation: the request and its result. */
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
