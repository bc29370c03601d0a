import { EVENTS_KEPT_MS } from './event.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
export const HOUR_MS = 60 * 60 * 1000;

/** How many rows are kept, and for how long. Each limit is a setting. */
export interface Limits {
  /** How many users one app may have. */
  readonly max_app_users: number;
  /** How many messages are kept per user; the oldest are removed first. */
  readonly max_messages_per_user: number;
  /** How long a conversation is kept after its last message. */
  readonly messages_kept_ms: number;
  /** How long an event is kept for listeners that were cut off. */
  readonly events_kept_ms: number;
}

export const DEFAULT_LIMITS: Limits = {
  max_app_users: 100_000,
  max_messages_per_user: 10_000,
  messages_kept_ms: 90 * DAY_MS,
  events_kept_ms: EVENTS_KEPT_MS,
};
