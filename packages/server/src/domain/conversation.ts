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

/** What was said at one moment, on its way into the user's conversation. */
export interface Exchange {
  readonly workspace_id: WorkspaceId;
  readonly user_id: UserId;
  readonly messages: readonly { readonly role: MessageRole; readonly content: string }[];
}

const WINDOW_MS = 30 * 60 * 1000;

/** A conversation goes on for thirty minutes after its last message; what comes later opens a new one. */
export const isOpen = (conversation: Pick<Conversation, 'last_activity_at'>, now: number): boolean =>
  now - conversation.last_activity_at <= WINDOW_MS;
