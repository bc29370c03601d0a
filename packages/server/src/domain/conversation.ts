import { z } from 'zod';
import type { ConversationId, MessageId, UserId, WorkspaceId } from './ids.ts';

export const MessageRole = z.enum(['user', 'assistant']);
export type MessageRole = z.infer<typeof MessageRole>;

export interface Conversation {
  readonly id: ConversationId;
  readonly user_id: UserId;
  readonly started_at: number;
  readonly last_activity_at: number;
}

export interface Message {
  readonly id: MessageId;
  readonly conversation_id: ConversationId;
  readonly role: MessageRole;
  readonly content: string;
  readonly created_at: number;
}

/** A message before it is stored in the user's conversation. */
export interface Exchange {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly messages: readonly { readonly role: MessageRole; readonly content: string }[];
}

const WINDOW_MS = 30 * 60 * 1000;

/** A message within thirty minutes of the last one joins its conversation. A later one starts a new conversation. */
export const isOpen = (conversation: Pick<Conversation, 'last_activity_at'>, now: number): boolean =>
  now - conversation.last_activity_at <= WINDOW_MS;
