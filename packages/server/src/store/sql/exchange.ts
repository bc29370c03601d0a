import type { Exchange, Message } from '#domain/conversation';
import type { ConversationId, MessageId } from '#domain/ids';
import type { ExchangeRow } from './tables.ts';

/** The messages of a call, which are stored as one row: what was asked, and the answer. */

const LAST_DIGITS = '0123456789abcdef';

const withLastDigit = (id: string, change: (digit: number) => number): MessageId => {
  const digit = change(LAST_DIGITS.indexOf(id.at(-1) ?? ''));
  // The id of a message stays one.
  return `${id.slice(0, -1)}${LAST_DIGITS[digit]}` as MessageId;
};

/** Made of a new id: the id of the first of two messages. The second has the next id, so no other comes between them. */
export const firstOfTwo = (id: MessageId): MessageId => withLastDigit(id, (digit) => digit & ~1);

const secondOfTwo = (id: MessageId): MessageId => withLastDigit(id, (digit) => digit | 1);

/** Null for messages that are no request with its answer. */
export function callOf(messages: Exchange['messages']): Pick<ExchangeRow, 'request' | 'answer'> | null {
  const [first, second] = messages;
  const isCall = messages.length === 2 && first?.role === 'user' && second?.role === 'assistant';
  return isCall ? { request: first.content, answer: second.content } : null;
}

/** The two messages of a row. */
export const messagesOf = (
  { id, at, request, answer }: Omit<ExchangeRow, 'conversation'>,
  conversation_id: ConversationId,
): readonly Message[] => [
  { id, conversation_id, role: 'user', content: request, created_at: at },
  { id: secondOfTwo(id), conversation_id, role: 'assistant', content: answer, created_at: at },
];
